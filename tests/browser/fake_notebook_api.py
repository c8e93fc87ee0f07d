"""The routes of the stand-in's own notes."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from cortex.text.html import to_html
from cortex.text.markdown import outline, plain

from .fake_notebook import Notebook, Refused
from .fake_pictures import PLAN

if TYPE_CHECKING:
    from .fake_api import FakeApi

QUESTIONS = ["Why did I drop Kafka in Q1?", "队列用什么来做？"]
"""What was asked of the notes that hold the word Kafka."""


def told(note: dict[str, Any]) -> JSONResponse:
    return JSONResponse(note, headers={"ETag": f'"{note["version"]}"'})


def refused(_: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, Refused)
    body = {"type": problem.kind, "title": problem.kind, "status": problem.status, "detail": problem.detail}
    return JSONResponse({**body, **problem.more}, problem.status, media_type="application/problem+json")


def routes(fake: FakeApi) -> list[APIRouter]:
    """Every route of notes. A test begins with a notebook of its own, so it is looked up at each request."""
    return [_tags(fake), _lists(fake), _notes(fake), _revisions(fake), _trash(fake), _attachments(fake)]


def _tags(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api/tags")

    @router.post("/rename")
    async def rename(body: dict[str, str]) -> dict[str, Any]:
        found = [note for note in fake.notebook.notes.values() if body["from"] in note["tags"]]
        for note in found:
            note["tags"] = sorted({*note["tags"], body["to"]} - {body["from"]})
        return {"notes": len(found)}

    return router


def _lists(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api/notes")

    @router.get("")
    async def listed(request: Request, limit: int = 50, after: str = "", trash: bool = False) -> dict[str, Any]:
        asked = {name: value for name, value in request.query_params.items() if value}
        found = fake.notebook.listed(trash=trash, asked=asked)
        start = int(after or 0)
        shown = [
            {key: value for key, value in note.items() if key != "body"}
            | {"excerpt": " ".join(plain(note["body"]).split())[:200]}
            for note in found
        ]
        return {
            "notes": shown[start : start + limit],
            "total": len(found),
            "next": str(start + limit) if start + limit < len(found) else None,
        }

    @router.get("/titles")
    async def titles(q: str = "", limit: int = 8) -> dict[str, Any]:
        found = [note for note in fake.notebook.listed(trash=False, asked={}) if q.lower() in note["title"].lower()]
        return {"titles": [
            {"document_id": note["id"], "source": "notes", **{key: note[key] for key in ("title", "kind", "lang", "date")}}
            for note in found[:limit]
        ]}  # fmt: skip

    @router.post("/{kind}")
    async def dated(kind: str, body: dict[str, Any]) -> Response:
        note, made = fake.notebook.dated(
            {"week": "weekly", "day": "note"}[kind], body["date"], body.get("language", "en")
        )
        return JSONResponse(note, 201 if made else 200)

    @router.post("")
    async def create(body: dict[str, Any]) -> Response:
        await asyncio.sleep(fake.notebook.wait_s)
        note = fake.notebook.by_key(body.get("key"))
        if note is None:
            fake.notebook.saves.append(body)
            fields = {key: value for key, value in body.items() if key != "answer_id" and value is not None}
            note = fake.notebook.add(
                {
                    **fields,
                    "origin": "answer" if body.get("answer_id") else "person",
                    "index": dict(fake.notebook.index),
                }
            )
        return JSONResponse(note, 201, headers={"ETag": f'"{note["version"]}"'})

    return router


def _notes(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api/notes")

    @router.get("/{number:int}")
    async def one(number: int) -> Response:
        return told(fake.notebook.get(number))

    @router.put("/{number:int}")
    async def save(number: int, body: dict[str, Any], request: Request) -> Response:
        await asyncio.sleep(fake.notebook.wait_s)
        return told(fake.notebook.save(number, request.headers.get("if-match"), body))

    @router.post("/{number:int}/restore")
    async def restore(number: int) -> Response:
        return told(_restored(fake.notebook, number))

    @router.post("/{number:int}/index")
    async def index(number: int) -> Response:
        note = fake.notebook.get(number)
        note["index"] = {"state": "waiting"}
        return told(note)

    @router.get("/{number:int}/answers")
    async def answers(number: int) -> dict[str, Any]:
        return {"answers": used_by(fake.notebook, number)}

    @router.delete("/{number:int}")
    async def delete(number: int, for_good: bool = False) -> Response:
        note = fake.notebook.get(number)
        if not for_good:
            note |= {"trashed_at": dt.datetime.now(dt.UTC).isoformat(), "version": note["version"] + 1}
            return Response(status_code=204)
        if not note["trashed_at"]:
            raise Refused(409, "conflict", "only a note in the trash can be deleted for good")
        gone = used_by(fake.notebook, number)
        del fake.notebook.notes[number], fake.notebook.revisions[number]
        return JSONResponse({"answers": gone})

    return router


def _restored(book: Notebook, number: int) -> dict[str, Any]:
    note = book.get(number)
    note |= {"trashed_at": None, "version": note["version"] + 1}
    return note


def used_by(book: Notebook, number: int) -> list[dict[str, Any]]:
    if "Kafka" not in book.get(number)["body"]:
        return []
    return [
        {"answer_id": 70 + n, "conversation_id": 7 + n, "question": question} for n, question in enumerate(QUESTIONS)
    ]


def _revisions(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api/notes/{number:int}/revisions")

    @router.get("")
    async def listed(number: int) -> Response:
        fake.notebook.get(number)
        revisions = [
            {key: value for key, value in each.items() if key not in ("body", "tags")}
            for each in fake.notebook.revisions[number]
        ]
        return JSONResponse({"revisions": revisions})

    @router.get("/{version}")
    async def one(number: int, version: int) -> Response:
        return told(fake.notebook.revision(number, version))

    @router.post("/{version}/restore")
    async def restore(number: int, version: int, request: Request) -> Response:
        revision = fake.notebook.revision(number, version)
        fields = {key: revision[key] for key in ("title", "body", "tags")}
        return told(fake.notebook.save(number, request.headers.get("if-match"), fields))

    @router.patch("/{version}")
    async def keep(number: int, version: int, body: dict[str, Any]) -> Response:
        revision = fake.notebook.revision(number, version)
        revision["kept"] = body["kept"]
        return JSONResponse(revision)

    return router


def _trash(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api/notes")

    @router.delete("/trash")
    async def empty() -> dict[str, Any]:
        gone = [number for number, note in fake.notebook.notes.items() if note["trashed_at"]]
        for number in gone:
            del fake.notebook.notes[number], fake.notebook.revisions[number]
        return {"deleted": len(gone)}

    return router


def _attachments(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api")

    @router.get("/attachments/{sha}")
    async def one(sha: str) -> Response:
        media, raw = fake.notebook.files.get(sha, ("image/png", PLAN))
        return Response(raw, media_type=media)

    @router.post("/notes/{number:int}/attachments")
    async def attach(number: int, request: Request, name: str = "") -> Response:
        raw = await request.body()
        if name.endswith(".huge"):
            raise Refused(413, "too_large", "a file may have 50 MB (limits.upload_mb)")
        sha = hashlib.sha256(raw).hexdigest()
        fake.notebook.files[sha] = (request.headers.get("content-type", "application/octet-stream"), raw)
        return JSONResponse({"hash": sha, "name": name, "size": len(raw), "media": fake.notebook.files[sha][0]}, 201)

    return router


def own_document(fake: FakeApi, number: int) -> dict[str, Any] | None:
    """A note as GET /api/documents tells it."""
    note = fake.notebook.notes.get(number)
    if note is None or note["trashed_at"]:
        return None
    numbers = {each["title"]: each["id"] for each in fake.notebook.notes.values()}
    linked = [each for each in fake.notebook.notes.values() if f"[[{note['title']}" in each["body"]]
    return {
        **{key: note[key] for key in ("title", "url", "kind", "lang", "date", "period", "topic", "tags")},
        "document_id": number, "open_url": None, "source": "notes", "text": note["body"], "editable": True,
        "html": to_html(note["body"], resolve=lambda target: f"/d/{numbers[target]}" if target in numbers else None),
        "outline": [{"level": head.level, "text": head.text, "start": head.start} for head in outline(note["body"])],
        "backlinks": [{"document_id": each["id"], "title": each["title"]} for each in linked],
        "metadata": {"origin": note["origin"], "version": note["version"]},
    }  # fmt: skip
