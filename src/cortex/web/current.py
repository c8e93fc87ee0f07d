"""What a handler asks for: the open Cortex, the owner of the request, the runs and the board of this process."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated

from fastapi import Depends, FastAPI, Request

from cortex.bootstrap import Cortex
from cortex.errors import NotAllowed
from cortex.library import LOCAL_OWNER
from cortex.settings import Settings, SourceSettings
from cortex.web.board import StatusBoard
from cortex.web.security import LOOPBACK
from cortex.web.syncs import SyncRuns


def _cortex(request: Request) -> Cortex:
    cortex: Cortex = request.app.state.cortex
    return cortex


def _owner() -> int:
    return LOCAL_OWNER


def _stopping(request: Request) -> asyncio.Event:
    stopping: asyncio.Event = request.app.state.stopping
    return stopping


def _syncs(request: Request) -> SyncRuns:
    syncs: SyncRuns = request.app.state.syncs
    return syncs


def _board(request: Request) -> StatusBoard:
    board: StatusBoard = request.app.state.board
    return board


def _last_event(request: Request) -> int:
    """The number that a reader who comes back saw last; 0 for a new one."""
    told = request.headers.get("last-event-id", "")
    return int(told) if told.isdigit() and len(told) < 10 else 0


def adopt(app: FastAPI, *, add: tuple[SourceSettings, ...] = (), drop: str | None = None) -> Settings:
    """Go on with one source more or less, from the next request on; what is under way ends as it began."""
    before: Cortex = app.state.cortex
    listed = (*(source for source in before.settings.sources if source.name != drop), *add)
    cortex = replace(before, settings=before.settings.model_copy(update={"sources": listed}))
    app.state.cortex = app.state.syncs.cortex = app.state.board.cortex = cortex
    return cortex.settings


def at_this_machine(request: Request) -> None:
    """Refuse whoever does not sit at this machine: what follows reads or writes its folders.

    Raises:
        NotAllowed: another machine, a proxy, another site's page, or a token asks.
    """
    far = request.client is not None and request.client.host not in LOOPBACK
    passed_on = any(name in request.headers for name in ("forwarded", "x-forwarded-for", "authorization"))
    elsewhere = (
        request.url.hostname not in LOOPBACK or request.headers.get("sec-fetch-site", "same-origin") != "same-origin"
    )
    if far or passed_on or elsewhere:
        raise NotAllowed("this is only done from Cortex's own page, on the machine that it runs on")


AtThisMachine = Depends(at_this_machine)
CurrentCortex = Annotated[Cortex, Depends(_cortex)]
Owner = Annotated[int, Depends(_owner)]
Stopping = Annotated[asyncio.Event, Depends(_stopping)]
Syncs = Annotated[SyncRuns, Depends(_syncs)]
Board = Annotated[StatusBoard, Depends(_board)]
LastEvent = Annotated[int, Depends(_last_event)]
