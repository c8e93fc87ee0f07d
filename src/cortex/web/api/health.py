"""Whether the process lives, and whether all that it needs is there."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from cortex.errors import CortexError
from cortex.jobs import queue_state
from cortex.storage import schema_state
from cortex.web.current import CurrentCortex

router = APIRouter(prefix="/health", tags=["health"])


@router.get("/live")
async def live() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/ready")
async def ready(cortex: CurrentCortex) -> JSONResponse:
    """200 when database, schema and worker are there, else 503; the body says which is not."""
    checks: dict[str, dict[str, Any]] = {
        "database": {"ok": False},
        "migrations": {"ok": False},
        "worker": {"ok": False},
    }
    try:
        async with cortex.database.connection("app") as connection:
            schema = await schema_state(connection)
        queue = await queue_state(cortex.database)
        checks["database"] = {"ok": True}
        checks["migrations"] = {"ok": schema.is_current, "applied": schema.applied, "known": schema.known}
        checks["worker"] = {"ok": queue.worker_alive, "heartbeat_s": queue.worker_heartbeat_s}
        checks["queue"] = {"ok": True, "pending": queue.pending, "failed": queue.failed, "oldest_s": queue.oldest_s}
    except CortexError as error:
        checks["database"] = {"ok": False, "detail": error.message}
    well = all(check["ok"] for check in checks.values())
    return JSONResponse({"status": "ok" if well else "unavailable", "checks": checks}, 200 if well else 503)
