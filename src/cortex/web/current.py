"""What a handler asks for: the open Cortex, the owner of the request, the runs and the board of this process."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Depends, Request

from cortex.bootstrap import Cortex
from cortex.library import LOCAL_OWNER
from cortex.web.board import StatusBoard
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


CurrentCortex = Annotated[Cortex, Depends(_cortex)]
Owner = Annotated[int, Depends(_owner)]
Stopping = Annotated[asyncio.Event, Depends(_stopping)]
Syncs = Annotated[SyncRuns, Depends(_syncs)]
Board = Annotated[StatusBoard, Depends(_board)]
LastEvent = Annotated[int, Depends(_last_event)]
