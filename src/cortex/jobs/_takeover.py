"""Jobs whose worker is dead go back into the queue."""

from __future__ import annotations

from cortex import logs
from cortex.jobs import _repository
from cortex.jobs.state import SERVED_BY
from cortex.storage import Database

SILENT_S = 300.0
"""No heartbeat for this long: the worker counts as dead even if its connection is open."""
GRACE_S = 10.0
"""A worker that lost its connection may come back within this time (the server restarted); a dead one does not."""
MOST_DEATHS = 10
"""A job in whose course so many workers died is given up: it may be what kills them. Being killed is not its own failure,
so three would be too few."""
LONGEST_WAIT_S = 60.0

log = logs.get(__name__)


async def take_over(database: Database) -> int:
    """Queue the jobs of dead workers again (with back-off from the second death on); returns how many."""
    async with database.connection(SERVED_BY) as connection, connection.transaction():
        lost = await _repository.lost_jobs(connection, SILENT_S, GRACE_S)
        for row in lost:
            deaths = row["deaths"]
            if deaths >= MOST_DEATHS:
                await connection.execute(_repository.GIVE_UP, {"id": row["job_id"]})
            else:
                wait = 0.0 if deaths < 2 else min(2.0 ** (deaths - 1), LONGEST_WAIT_S)
                await connection.execute(_repository.RELEASE, {"id": row["job_id"], "wait": wait})
            log.warning("a worker died in mid-job", id=row["job_id"], deaths=deaths, given_up=deaths >= MOST_DEATHS)
        await connection.execute(_repository.FORGET_WORKERS, {"silent": SILENT_S})
    return len(lost)
