"""The golden questions, asked in the page of the real application: the same answers, citations and refusals as the API gives,
and each citation lights up the text that it names.

By default an eighth of the questions, over the notes that answer them and some others: the deep index of the whole notebook takes
a minute. Every question over every note with `CORTEX_GOLDEN=all`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest
import uvicorn
from playwright.async_api import Browser, Page

from cortex.bootstrap import assemble
from cortex.evals.golden import load_notes, load_questions, notes_folder
from cortex.library import LOCAL_OWNER
from cortex.providers.bundled import open_bundled
from cortex.settings import Settings, SourceSettings
from cortex.sources.sync import sync
from cortex.storage import Database
from cortex.storage.embedded import Server
from cortex.storage.opening import embedded_login
from cortex.text.markdown import plain
from cortex.web.app import create_app

from .conftest import answered, ask

pytestmark = pytest.mark.browser

EVERY = 1 if os.environ.get("CORTEX_GOLDEN") == "all" else 8
QUESTIONS = [question for question in load_questions() if not question.follows]
QUESTIONS = [q for n, q in enumerate(QUESTIONS) if n % EVERY == 0 or q.id == "recall-06"]  # answered by rows of a table
NOTES = {note for question in QUESTIONS for note in question.notes} | set(list(load_notes())[::EVERY])

LIGHT_UP = """async citations => {
    const { lightUp } = await import("/static/js/passage.js");
    const { noteBody } = await import("/static/js/note-body.js");
    const lit = [];
    for (const { document_id, start, end } of citations) {
        const note = await (await fetch(`/api/documents/${document_id}`)).json();
        const body = document.createElement("div");
        body.append(...noteBody(note));
        lit.push(lightUp(body, note.text, start, end).map(mark => mark.textContent).join(" "));
    }
    return lit;
}"""


@pytest.fixture(scope="session")
async def golden_url(server: Server, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The real application over the golden notebook, or that part of it."""
    owner = embedded_login(server, "owner", "postgres")
    async with await psycopg.AsyncConnection.connect(owner, autocommit=True) as connection:
        await connection.execute(b"CREATE DATABASE golden_page TEMPLATE template_cortex STRATEGY FILE_COPY")
    logins = {role: embedded_login(server, role, "golden_page") for role in ("app", "ai")}
    folder = tmp_path_factory.mktemp("golden")
    for note in NOTES:
        (folder / "notes" / note).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(notes_folder() / note, folder / "notes" / note)
    source = SourceSettings(name="golden", type="local", path=folder / "notes")
    settings = Settings(data=folder, database_url="unused", sources=(source,))
    async with Database(logins, set_role=False) as database:  # type: ignore[arg-type]
        cortex = assemble(settings, database, open_bundled(1))
        await sync(database, LOCAL_OWNER, settings)
        await cortex.drain()
        web = uvicorn.Server(uvicorn.Config(create_app(cortex), port=0, log_level="critical", lifespan="off"))
        serving = asyncio.create_task(web.serve())
        while not web.started:
            await asyncio.sleep(0.02)
        yield f"http://127.0.0.1:{web.servers[0].sockets[0].getsockname()[1]}"
        web.should_exit = True
        await serving
        await cortex.answerer.close()


@pytest.fixture(scope="session")
async def page(chromium: Browser, golden_url: str) -> AsyncIterator[Page]:
    context = await chromium.new_context(locale="en-GB")
    yield await context.new_page()
    await context.close()


async def told_by_api(url: str, question: str, scope: str) -> dict[str, Any]:
    """What the API answers: its text, refusal and citations."""
    told: dict[str, Any] = {"text": "", "citations": [], "refused": None}
    documents: dict[int, int] = {}
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        stream = (await client.post("/api/ask", json={"question": question, "scope": scope, "tz": "UTC"})).text
    for block in stream.split("\n\n"):
        found = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        data = json.loads(found.get("data", "{}"))
        if found.get("event") == "sources":
            documents = {source["n"]: source["document_id"] for source in data["sources"]}
        elif found.get("event") == "delta":
            told["text"] += data["text"]
        elif found.get("event") == "citation":
            told["citations"].append({**data, "document_id": documents[data["n"]]})
        elif found.get("event") == "done":
            told["refused"] = data["refused"]
    return told


def bare(text: str) -> str:
    """Letters, digits and pictures: what is left of a text however it is marked up (cells of a table stand between dots)."""
    return "".join(character for character in plain(text) if not re.match(r"[\s!-/:-@\[-`{-~\u2060•·]", character))


async def told_by_page(page: Page, url: str, question: str, scope: str) -> dict[str, Any]:
    await page.goto(f"{url}/?{httpx.QueryParams({'scope': scope} if scope else {})}")
    await ask(page, question)
    await answered(page)
    return {
        "text": "\n".join(await page.locator(".answer").all_text_contents()),
        "refused": await page.locator(".refusal").count() == 1,
        "places": await page.locator(".answer .chip").evaluate_all("all => all.map(chip => chip.getAttribute('href'))"),
    }


async def test_the_page_tells_what_the_api_tells(page: Page, golden_url: str) -> None:
    wrong: list[Any] = []
    cited = 0
    for question in QUESTIONS:
        told = await told_by_api(golden_url, question.question, question.scope or "")
        shown = await told_by_page(page, golden_url, question.question, question.scope or "")
        places = [f"/d/{c['document_id']}?at={c['start']}-{c['end']}" for c in told["citations"] if c["verified"]]
        if (shown["refused"], shown["places"]) != (told["refused"], places) or bare(shown["text"]) != bare(
            told["text"]
        ):
            wrong.append((question.id, told, shown))
        cited += len(told["citations"])
        lit = await page.evaluate(LIGHT_UP, told["citations"])
        wrong += [
            (question.id, citation["quote"], text)
            for citation, text in zip(told["citations"], lit, strict=True)
            if bare(text) != bare(citation["quote"])
        ]
    assert wrong == []
    assert cited > len(QUESTIONS) / 4
