"""Backups: having the worker make one now. How old the last one is stands in the status."""

from __future__ import annotations

from fastapi import APIRouter

from cortex.backups import ask_for_backup
from cortex.web.current import AtThisMachine, Board, CurrentCortex, Owner

router = APIRouter(prefix="/api", tags=["backups"])


@router.post("/backups", status_code=202, dependencies=[AtThisMachine])
async def back_up(cortex: CurrentCortex, board: Board, owner: Owner) -> dict[str, bool]:
    """Make a backup where the settings say; one that is waited for already is joined."""
    async with cortex.database.transaction("app", owner) as tx:
        await ask_for_backup(tx)
    board.forget(owner)
    return {"running": True}
