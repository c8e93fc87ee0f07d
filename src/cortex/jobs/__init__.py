"""Owns the queue of background work: putting a job into the caller's transaction, running jobs, retrying, taking over.

It knows no domain: a job is a name and a few ids, and what a name means is told to the worker by whoever starts it.
"""

from cortex.jobs.enqueueing import JSON, enqueue
from cortex.jobs.state import FailedJob, QueueState, failed, newest_job, queue_state, retry, unfinished
from cortex.jobs.worker import Handler, drain, run_worker

__all__ = [
    "JSON",
    "FailedJob",
    "Handler",
    "QueueState",
    "drain",
    "enqueue",
    "failed",
    "newest_job",
    "queue_state",
    "retry",
    "run_worker",
    "unfinished",
]
