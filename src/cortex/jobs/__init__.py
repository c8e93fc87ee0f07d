"""Owns the queue of background work: putting a job into the caller's transaction, running jobs, retrying, taking over.

It knows no domain: a job is a name and a few ids, and what a name means is told to the worker by whoever starts it.
"""

from cortex.jobs.enqueueing import JSON, enqueue
from cortex.jobs.state import (
    FailedJob,
    JobState,
    QueueState,
    failed,
    held,
    newest_job,
    of_values,
    queue_state,
    retry,
    retry_all,
    unfinished,
    urgent,
)
from cortex.jobs.worker import Handler, drain, run_worker

__all__ = [
    "JSON",
    "FailedJob",
    "Handler",
    "JobState",
    "QueueState",
    "drain",
    "enqueue",
    "failed",
    "held",
    "newest_job",
    "of_values",
    "queue_state",
    "retry",
    "retry_all",
    "run_worker",
    "unfinished",
    "urgent",
]
