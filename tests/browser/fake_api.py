"""A stand-in for the API, with the real pages: states that are hard to force in the real thing, by the question's first word.

`quotes` and everything else: an answer · `cats`: a refusal · `weak`: weak coverage · `long`: 60 deltas a second ·
`slow`: until stopped · `drop`: the connection breaks in mid-answer and can be resumed · `lost`: it breaks for good ·
`gone`: the same, and nobody answers for a while · `fails`: an error event · `invalid`: a problem before the stream ·
`guess`: an inferred scope · `unverified`: a failed citation · `cached`: an earlier answer · `markdown`: one of every kind of
block · `rows`: a row of a table and links between notes, quoted.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles

from cortex.web import pages
from cortex.web.security import CONTENT_SECURITY_POLICY

from . import fake_backups
from . import fake_notes as notes
from . import fake_sources as listed
from .fake_notebook import Notebook, Refused
from .fake_notebook_api import own_document, refused, routes
from .fake_pictures import PLAN

Event = tuple[str, dict[str, Any]]


@dataclass
class FakeApi:
    """What the page asked, and the answers that were given; `url` is where it is served."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    synced: list[str] = field(default_factory=list)
    stopped: set[int] = field(default_factory=set)
    plays: str = ""
    """The kind of every answer, in place of the question's first word: so that a picture can show a question as people ask it."""
    kinds: dict[int, str] = field(default_factory=dict)
    answers: dict[int, list[Event]] = field(default_factory=dict)
    resumed_after: list[str | None] = field(default_factory=list)
    status: dict[str, Any] = field(default_factory=lambda: notes.status())
    sources: list[dict[str, Any]] = field(default_factory=lambda: listed.sources())
    breaks: dict[int, int] = field(default_factory=dict)
    conversations: list[dict[str, Any]] = field(default_factory=lambda: notes.conversations())
    added: list[dict[str, Any]] = field(default_factory=list)
    paused: list[bool] = field(default_factory=list)
    sync_bodies: list[dict[str, Any]] = field(default_factory=list)
    sync_step_s: float = 0.05
    no_backups: str = ""
    """Why a backup is refused, if it is."""
    looks: int = 0
    notebook: Notebook = field(default_factory=Notebook)

    def forget(self) -> None:
        """As new, for the next test."""
        url = self.url
        self.__dict__.update(FakeApi(url=url).__dict__)

    def start(self, body: dict[str, Any]) -> int:
        """Take a question down and prepare its events."""
        self.asked.append(body)
        answer_id = len(self.asked)
        kind = self.kinds[answer_id] = self.plays or body["question"].split()[0].lower()
        if self.plays and "conversation_id" not in body:
            self.conversations[0]["title"] = body["question"]
        self.answers[answer_id] = notes.events(kind, answer_id, body)
        if kind in ("drop", "lost", "gone"):
            self.breaks[answer_id] = 4
        return answer_id

    async def stream(self, answer_id: int, after: int = 0) -> AsyncIterator[bytes]:
        """The answer's events above `after`; CRLF line ends, as a proxy may make them."""
        events = self.answers[answer_id]
        for n, (event, data) in enumerate(events, 1):
            if n <= after:
                continue
            if answer_id in self.breaks and n > self.breaks[answer_id]:
                del self.breaks[answer_id]
                raise ConnectionError("broken on purpose")
            await asyncio.sleep(data.pop("_wait", 0))
            if answer_id in self.stopped:
                event, data = "done", {**notes.done(answer_id), "stopped": True}
            yield f"id: {n}\r\nevent: {event}\r\ndata: {json.dumps(data, ensure_ascii=False)}\r\n\r\n".encode()
            if event == "done":
                return


def create_app(fake: FakeApi) -> FastAPI:
    """The real pages over the stand-in."""
    app = FastAPI()

    @app.middleware("http")
    async def policy(request: Request, call_next: Callable[[Request], Any]) -> Response:
        response: Response = await call_next(request)
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        return response

    app.add_exception_handler(Refused, refused)
    for router in (
        *routes(fake),
        *(part(fake) for part in (_answers, _conversations, _folders, _sources, _library, fake_backups.routes)),
    ):
        app.include_router(router)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=pages.STATIC))
    app.include_router(pages.last)
    return app


def _answers(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api")

    @router.post("/ask")
    async def ask(body: dict[str, Any]) -> Response:
        if body["question"].startswith("invalid"):
            return _problem(422, "invalid", "the scope term 'x' is not known")
        return _stream(fake.stream(fake.start(body)))

    @router.get("/answers/{answer_id}/stream")
    async def resume(answer_id: int, request: Request) -> Response:
        last = request.headers.get("last-event-id")
        fake.resumed_after.append(last)
        if fake.kinds[answer_id] == "lost":
            return _problem(404, "not_found", "there is no such answer")
        if fake.kinds[answer_id] == "gone":
            return _stream(_broken())
        return _stream(fake.stream(answer_id, int(last or 0)))

    @router.post("/answers/{answer_id}/stop", status_code=204)
    async def stop(answer_id: int) -> None:
        fake.stopped.add(answer_id)

    return router


def _conversations(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api")

    @router.get("/conversations")
    async def conversations(limit: int = 50, before: int | None = None) -> dict[str, Any]:
        ids = [each["conversation_id"] for each in fake.conversations]
        start = ids.index(before) + 1 if before in ids else 0
        return {"conversations": fake.conversations[start : start + limit]}

    @router.patch("/conversations/{conversation_id}", status_code=204)
    async def rename(conversation_id: int, body: dict[str, Any]) -> None:
        for each in fake.conversations:
            if each["conversation_id"] == conversation_id:
                each["title"] = body["title"]

    @router.delete("/conversations/{conversation_id}", status_code=204)
    async def delete(conversation_id: int) -> None:
        fake.conversations = [each for each in fake.conversations if each["conversation_id"] != conversation_id]

    @router.get("/conversations/{conversation_id}")
    async def conversation(conversation_id: int) -> dict[str, Any]:
        answers = [notes.stored(n, body, fake.answers[n]) for n, body in enumerate(fake.asked, 1)]
        return {"conversation_id": conversation_id, "answers": answers}

    return router


def _folders(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api/sources")

    @router.post("/check")
    async def check(body: dict[str, Any]) -> Response:
        if not body["path"].startswith("~"):
            return _problem(
                422, "invalid", f"the folder {body['path']} is not there (is its disk mounted?)", field="path"
            )
        return JSONResponse(listed.folder_check(body["path"]))

    @router.post("", status_code=201)
    async def add(body: dict[str, Any]) -> Response:
        if any(source["name"] == body["name"] for source in fake.sources):
            return _problem(409, "conflict", f"a source named {body['name']} is listed already", field="name")
        fake.added.append(body)
        fake.sources.append(listed.new_source(body["name"]))
        return JSONResponse({"name": body["name"], "path": body["path"]}, 201)

    return router


def _sources(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api/sources")

    @router.get("")
    async def sources() -> dict[str, Any]:
        return {"sources": fake.sources}

    @router.post("/{name}/sync", status_code=202)
    async def sync(name: str, body: dict[str, Any]) -> dict[str, Any]:
        fake.synced.append(name)
        fake.sync_bodies.append(body)
        if body.get("dry_run"):
            return {"name": name, "syncing": True}
        for source in fake.sources:
            if source["name"] == name:
                source |= {"newer": 0, "synced_at": notes.ago(seconds=5)}
        return {"name": name, "syncing": True}

    @router.get("/{name}/sync")
    async def follow(name: str) -> Response:
        dry_run = bool(fake.sync_bodies and fake.sync_bodies[-1].get("dry_run"))
        return _stream(listed.sync_events(fake.sync_step_s, dry_run=dry_run))

    @router.delete("/{name}/sync")
    async def cancel(name: str) -> dict[str, Any]:
        fake.sync_step_s = 0.0
        for source in fake.sources:
            source["syncing"] = False
        return {"name": name, "syncing": False}

    @router.delete("/{name}")
    async def remove(name: str) -> dict[str, Any]:
        fake.sources = [source for source in fake.sources if source["name"] != name]
        return {"deleted": 62}

    return router


def _library(fake: FakeApi) -> APIRouter:
    router = APIRouter(prefix="/api")

    @router.get("/scopes")
    async def scopes(q: str = "") -> dict[str, Any]:
        return (
            notes.scopes(q)
            if fake.sources
            else {"periods": [], "topics": [], "tags": [], "sources": [], "weekly": 0, "counts": {}}
        )

    @router.get("/search")
    async def search(q: str, limit: int = 20) -> dict[str, Any]:
        return notes.search(0 if q in ("nothing", "zeppelin") else limit)

    @router.get("/documents")
    async def titled(q: str) -> dict[str, Any]:
        return {"documents": notes.titled(q)}

    @router.post("/indexing")
    async def indexing(body: dict[str, Any]) -> dict[str, Any]:
        fake.paused.append(body["paused"])
        fake.status["paused"] = body["paused"]
        return body

    @router.get("/documents/{document_id}/files/{path:path}")
    async def image(document_id: int, path: str) -> Response:
        if path != "img/plan.png":
            return _problem(404, "not_found", "there is no such image")
        return Response(PLAN, media_type="image/png")

    @router.get("/documents/{document_id}")
    async def document(document_id: int) -> Response:
        found = own_document(fake, document_id) or notes.document(document_id)
        return JSONResponse(found) if found else _problem(404, "not_found", "there is no such document")

    return router


async def _broken() -> AsyncIterator[bytes]:
    raise ConnectionError("away on purpose")
    yield b""


def _stream(events: AsyncIterator[bytes]) -> StreamingResponse:
    return StreamingResponse(events, media_type="text/event-stream")


def _problem(status: int, kind: str, detail: str, **more: str) -> JSONResponse:
    body = {"type": kind, "title": kind, "detail": detail, **more}
    return JSONResponse(body, status, media_type="application/problem+json")


@contextmanager
def serve(fake: FakeApi) -> Iterator[FakeApi]:
    """Serve on a free port of 127.0.0.1 in a thread."""
    server = uvicorn.Server(uvicorn.Config(create_app(fake), port=0, log_level="critical", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
        if not thread.is_alive():
            raise RuntimeError("the fake API did not start")
    fake.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield fake
    finally:
        server.should_exit = True
        server.force_exit = True
        thread.join(5)
