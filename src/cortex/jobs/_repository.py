"""The queue's own SQL, beyond what procrastinate asks: failures, dead workers, the state of the queue."""

from __future__ import annotations

import json
from typing import Any

from cortex.storage import Transaction

WORKER_LOCK = 0x636F7278  # first key of the advisory lock that a live worker holds; the second is its id

ALIVE = f"""
    SELECT FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.classid = {WORKER_LOCK} AND l.objsubid = 2 AND l.granted
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND l.objid::bigint = mod(w.id, 2147483648)
"""

# A worker that holds its lock may be busy for as long as `silent` seconds without a heartbeat; one that has lost the lock
# is dead, unless the server has just restarted under it and it comes back within `grace` seconds.
TAKE_OVER = f"""
    WITH lost AS (
        SELECT j.id, j.queueing_lock FROM procrastinate_jobs j LEFT JOIN procrastinate_workers w ON w.id = j.worker_id
        WHERE j.status = 'doing'
          AND (w.id IS NULL
               OR w.last_heartbeat < now() - make_interval(secs => %(silent)s)
               OR (w.last_heartbeat < now() - make_interval(secs => %(grace)s) AND NOT EXISTS ({ALIVE})))
        FOR UPDATE OF j SKIP LOCKED
    )
    INSERT INTO jobs.failures (job_id, died, reason)
    SELECT id, true, 'the worker went away while it ran this job' FROM lost
    RETURNING job_id, (SELECT count(*) FROM jobs.failures f WHERE f.job_id = failures.job_id AND f.died) + 1 AS deaths
"""

# The queueing lock goes: another job with the same mark may be waiting already, and two of them may not.
RELEASE = """
    UPDATE procrastinate_jobs SET status = 'todo', attempts = attempts + 1, worker_id = NULL, queueing_lock = NULL,
        abort_requested = false, scheduled_at = now() + make_interval(secs => %(wait)s)
    WHERE id = %(id)s AND status = 'doing'
"""

GIVE_UP = """
    UPDATE procrastinate_jobs SET status = 'failed', worker_id = NULL, abort_requested = false, attempts = attempts + 1
    WHERE id = %(id)s AND status = 'doing'
"""

FORGET_WORKERS = f"""
    DELETE FROM procrastinate_workers w
    WHERE w.last_heartbeat < now() - make_interval(secs => %(silent)s) AND NOT EXISTS ({ALIVE})
"""

RECORD_FAILURE = """
    WITH recorded AS (INSERT INTO jobs.failures (job_id, reason) VALUES (%(id)s, %(reason)s))
    SELECT count(*) + 1 AS failures FROM jobs.failures WHERE job_id = %(id)s AND NOT died
"""

COUNTS = """
    SELECT count(*) FILTER (WHERE status = 'todo') AS pending,
           count(*) FILTER (WHERE status = 'doing') AS running,
           count(*) FILTER (WHERE status = 'failed') AS failed,
           (SELECT extract(epoch FROM now() - min(e.at)) FROM procrastinate_jobs t JOIN procrastinate_events e ON e.job_id = t.id
            WHERE t.status = 'todo' AND e.type = 'deferred')::float8 AS oldest_s
    FROM procrastinate_jobs
"""

# Of the sequence: jobs that succeeded are gone from the table.
NEWEST = "SELECT coalesce(pg_sequence_last_value('procrastinate_jobs_id_seq'), 0) AS id"

HEARTBEAT = f"""
    SELECT extract(epoch FROM now() - max(w.last_heartbeat))::float8 AS age_s,
           coalesce(bool_or(EXISTS ({ALIVE})), false) AS alive
    FROM procrastinate_workers w
"""

FAILED = """
    SELECT j.id, j.task_name AS name, j.args, f.reason, f.at
    FROM procrastinate_jobs j
    LEFT JOIN LATERAL (SELECT reason, at FROM jobs.failures WHERE job_id = j.id ORDER BY at DESC LIMIT 1) f ON true
    WHERE j.status = 'failed' AND (%(after)s::bigint IS NULL OR j.id < %(after)s)
    ORDER BY j.id DESC LIMIT %(limit)s
"""

RETRY = """
    WITH forgotten AS (DELETE FROM jobs.failures WHERE job_id = %(id)s)
    UPDATE procrastinate_jobs SET status = 'todo', attempts = 0, scheduled_at = NULL, worker_id = NULL, queueing_lock = NULL
    WHERE id = %(id)s AND status = 'failed' RETURNING id
"""

# What became of the newest job for each value of a list argument: one that waits or runs, else one that failed.
OF_VALUES = """
    SELECT DISTINCT ON (w.value) w.value, j.status::text AS status,
           (SELECT f.reason FROM jobs.failures f WHERE f.job_id = j.id ORDER BY f.at DESC LIMIT 1) AS reason
    FROM procrastinate_jobs j, unnest(%(values)s::bigint[]) AS w (value)
    WHERE j.task_name = %(name)s AND j.status IN ('todo', 'doing', 'failed') AND j.args @> %(args)s
      AND j.args @> jsonb_build_object(%(argument)s::text, jsonb_build_array(w.value))
    ORDER BY w.value, j.status = 'failed', j.id DESC
"""

# The values of a list argument that jobs hold which wait or run.
HELD = """
    SELECT DISTINCT jsonb_array_elements(args -> %(argument)s)::bigint AS value FROM procrastinate_jobs
    WHERE task_name = %(name)s AND status IN ('todo', 'doing') AND args @> %(args)s
"""

RETRY_ALL = """
    WITH again AS (
        UPDATE procrastinate_jobs SET status = 'todo', attempts = 0, scheduled_at = NULL, worker_id = NULL, queueing_lock = NULL
        WHERE status = 'failed' AND args @> %(args)s RETURNING id
    ), forgotten AS (DELETE FROM jobs.failures WHERE job_id IN (SELECT id FROM again))
    SELECT id FROM again
"""

URGENT = """
    SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE status = 'todo' AND priority > %(above)s
                     AND (scheduled_at IS NULL OR scheduled_at <= now())) AS waits
"""

HURRY = """
    UPDATE procrastinate_jobs SET scheduled_at = NULL
    WHERE status = 'todo' AND scheduled_at > now() AND queue_name = %(queue)s
"""

UNFINISHED = "SELECT count(*) AS n FROM procrastinate_jobs WHERE status IN ('todo', 'doing') AND queue_name = %(queue)s"

UNFINISHED_OF = (
    "SELECT count(*) AS n FROM procrastinate_jobs WHERE status IN ('todo', 'doing') AND task_name = %(name)s"
)


async def lost_jobs(connection: Transaction, silent_s: float, grace_s: float) -> list[dict[str, Any]]:
    """Mark the jobs of dead workers in `failures`; rows of job_id and how often its worker has died."""
    cursor = await connection.execute(TAKE_OVER, {"silent": silent_s, "grace": grace_s})
    return await cursor.fetchall()


async def one(connection: Transaction, query: str, **parameters: Any) -> dict[str, Any]:
    """The single row of a query that always gives one."""
    cursor = await connection.execute(query.encode(), parameters)
    row = await cursor.fetchone()
    assert row is not None
    return row


def wake_up(job_id: int) -> str:
    """The payload by which procrastinate tells waiting workers that there is work."""
    return json.dumps({"type": "job_inserted", "job_id": job_id})
