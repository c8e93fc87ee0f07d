"""Changes that devices send: how one is read, and how what came of it looks."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cortex.bootstrap import Cortex
from cortex.errors import CortexError, Invalid, Upstream
from cortex.library import incoming
from cortex.library.incoming import Base, Incoming, Result
from cortex.settings import LimitsSettings
from cortex.web.notes import NoteContent, note_fields
from cortex.web.problems import problem_fields

MOST_CHANGES = 100
"""Changes of one request."""


class _Base(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str = ""
    body: str = ""


class _Change(NoteContent):
    """One change; title, body and what places the note only where it is saved."""

    change_id: str
    op: incoming.Op
    key: str
    base_version: int | None = Field(default=None, ge=0, lt=2**31)
    base: _Base | None = None

    async def change(self, limits: LimitsSettings) -> Incoming:
        """The change, checked."""
        saves = self.op == "save" and {"title", "body"} & self.model_fields_set
        base = Base(self.base.title, self.base.body) if self.base else None
        draft = await self.read(limits) if saves else None
        return Incoming(self.change_id, self.op, self.key, self.base_version, base, draft)


async def apply(cortex: Cortex, owner_id: int, sent: Any) -> dict[str, Any]:
    """Apply one change in a transaction of its own; what is wrong with it is told in its result.

    Raises:
        Upstream: the database is away: this change and the ones after it have to be sent again.
    """
    told = sent if isinstance(sent, dict) else {}
    shown = {"change_id": told.get("change_id"), "key": told.get("key")}
    try:
        change = await _read(sent).change(cortex.settings.limits)
        async with cortex.database.transaction("app", owner_id) as tx:
            result = await incoming.receive(tx, owner_id, change)
    except Upstream:
        raise
    except CortexError as error:
        return {**shown, "outcome": "rejected", "problem": problem_fields(error)}
    return {**shown, **_result_fields(result)}


def _read(sent: Any) -> _Change:
    try:
        return _Change.model_validate(sent)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "change"
        raise Invalid(f"{field}: {first['msg']}", field=field) from error


def _result_fields(result: Result) -> dict[str, Any]:
    note = result.note
    return {
        "outcome": result.outcome,
        "id": note.id if note else None,
        "version": note.version if note else None,
        "note": note_fields(note) if note else None,
        "copy": note_fields(result.copy) if result.copy else None,
    }
