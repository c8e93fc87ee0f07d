"""The stand-in's status and backups."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

if TYPE_CHECKING:
    from .fake_api import FakeApi

FOLDER = "/home/mia/.local/share/cortex/backups"


def backup(**old: float) -> dict[str, Any]:
    """A status's backups, the last one so old; overdue after 14 days as in the real thing."""
    age = dt.timedelta(**old)
    at = dt.datetime.now(dt.UTC) - age
    return {
        "at": at.isoformat(), "age_s": int(age.total_seconds()), "size": 18_400_000,
        "file": f"{FOLDER}/cortex-daily-{at:%Y%m%dT%H%M%SZ}.zip", "to": FOLDER, "daily": True, "running": False,
        "overdue": age.days >= 14,
    }  # fmt: skip


def no_backup(*, overdue: bool) -> dict[str, Any]:
    return {**backup(), "at": None, "age_s": None, "size": None, "file": None, "overdue": overdue}


def routes(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api")

    @router.get("/status")
    async def status() -> dict[str, Any]:
        told = fake.status
        if told["backup"]["running"]:  # until it was seen twice
            fake.looks += 1
            if fake.looks > 1:
                fake.status = {**told, "backup": backup(seconds=1), "queue": {**told["queue"], "running": 0}}
        return told

    @router.post("/backups")
    async def back_up() -> Response:
        if fake.no_backups:
            body = {"type": "not_allowed", "title": "Not allowed", "detail": fake.no_backups}
            return JSONResponse(body, 403, media_type="application/problem+json")
        fake.looks = 0
        fake.status = {
            **fake.status,
            "backup": {**fake.status["backup"], "running": True},
            "queue": {**fake.status["queue"], "running": 1},
        }
        return JSONResponse({"running": True}, 202)

    return router
