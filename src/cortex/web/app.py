"""The web application: routes, pages, static files and the layers that every request passes."""

from __future__ import annotations

import asyncio

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from cortex import __version__
from cortex.bootstrap import Cortex
from cortex.library.notes import LostRace
from cortex.web import pages, problems
from cortex.web.api import routers
from cortex.web.board import StatusBoard
from cortex.web.notes import lost_race
from cortex.web.requests import NOTES, NOTES_IN_A_BODY, BodyLimit, Mistakes, RequestId
from cortex.web.security import Security
from cortex.web.syncs import SyncRuns


def create_app(cortex: Cortex, stopping: asyncio.Event | None = None) -> FastAPI:
    """The application over an open Cortex.

    Args:
        stopping: set when the server is about to stop: open streams end, so that it can.
    """
    # No docs pages: theirs load scripts from another host. The schema is at /api/openapi.json.
    app = FastAPI(title="Cortex", version=__version__, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.state.cortex = cortex
    app.state.stopping = stopping or asyncio.Event()
    app.state.syncs = SyncRuns(cortex)
    app.state.board = StatusBoard(cortex)
    problems.install(app)
    app.add_exception_handler(LostRace, lost_race)
    for router in routers:
        app.include_router(router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    app.include_router(pages.last)
    # The last one added is the outermost.
    app.add_middleware(Mistakes)
    app.add_middleware(BodyLimit, wider={NOTES: NOTES_IN_A_BODY * cortex.settings.limits.note_bytes})
    app.add_middleware(Security, public_url=cortex.settings.server.public_url)
    app.add_middleware(RequestId)
    return app
