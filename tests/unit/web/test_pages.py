"""The shell and its pages: language, landmarks, strings."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from cortex.web import pages

PAGES = (
    "/",
    "/notes",
    "/notes/1",
    "/notes/new",
    "/notes/1/history",
    "/notes/trash",
    "/find",
    "/d/1",
    "/sources",
    "/settings/language",
    "/settings/device",
    "/settings/backup",
    "/settings/status",
    "/welcome",
)


@pytest.fixture
async def client() -> AsyncIterator[AsyncClient]:
    app = FastAPI()
    app.include_router(pages.router)
    app.include_router(pages.last)
    async with AsyncClient(transport=ASGITransport(app), base_url="http://127.0.0.1:8765") as client:
        yield client


@pytest.mark.parametrize(
    ("cookie", "accepted", "expected"),
    [
        (None, "", "en"),
        (None, "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        (None, "fr,en;q=0.5,zh;q=0.4", "en"),
        (None, "en;q=0.4,zh-TW;q=0.9", "zh"),
        (None, "de,fr", "en"),
        (None, "zh;q=nonsense", "zh"),
        ("en", "zh", "en"),
        ("zh", "en", "zh"),
        ("xx", "zh", "zh"),
    ],
)
def test_language_is_the_choice_else_the_browsers(cookie: str | None, accepted: str, expected: str) -> None:
    assert pages.reader_language(cookie, accepted) == expected


@pytest.mark.parametrize("path", [*PAGES, "/c/12", "/d/81?at=1-2", "/find?q=x"])
@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_every_page_is_whole_and_in_one_language(client: AsyncClient, path: str, lang: str) -> None:
    html = (await client.get(path, headers={"Accept-Language": lang})).text
    assert f'<html lang="{lang}">' in html
    assert "{{" not in html
    assert html.count("<h1") == html.count("<main") == 1
    assert 'href="#main"' in html
    assert re.search(r"[一-鿿]{2}", re.sub(r"中文|placeholder=\"[^\"]*\"", "", html)) if lang == "zh" else True


async def test_nothing_is_inline_and_nothing_comes_from_elsewhere(client: AsyncClient) -> None:
    for path in PAGES:
        html = (await client.get(path)).text
        assert not re.search(r"<script(?![^>]*\b(?:src=|type=\"application/json\"))|<style|\bstyle=|\son\w+=", html)
        assert not re.search(r"(?:src|href)=\"(?!/|#|\?)", html)


async def test_every_file_that_a_page_names_is_there(client: AsyncClient) -> None:
    for path in PAGES:
        for name in re.findall(r'(?:src|href)="/static/([^"#?]+)', (await client.get(path)).text):
            assert (pages.STATIC / name).is_file(), name


async def test_a_chosen_language_is_remembered_and_leaves_the_address(client: AsyncClient) -> None:
    answer = await client.get("/c/7?scope=topic%3Aa%26b&lang=zh", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/c/7?scope=topic%3Aa%26b"
    assert "cortex_lang=zh" in answer.headers["set-cookie"]
    assert '<html lang="zh">' in (await client.get("/", headers={"Accept-Language": "en"})).text


async def test_language_links_keep_the_address_and_escape_it(client: AsyncClient) -> None:
    html = (await client.get('/?scope=tag:"><b>')).text
    assert "<b>" not in html
    assert "&amp;lang=zh" in html


async def test_pages_that_are_not_there(client: AsyncClient) -> None:
    assert (await client.get("/d/none")).status_code == 422
    assert (await client.get("/nowhere")).status_code == 404
    assert (await client.get("/settings/none")).status_code == 422


async def test_an_unknown_address_is_a_page_for_people_and_a_problem_for_programs(client: AsyncClient) -> None:
    html = await client.get("/nowhere", headers={"Accept": "text/html"})
    assert (html.status_code, html.text.count("<h1")) == (404, 1)
    for path in ("/api/nothing", "/static/nothing.js"):
        answer = await client.get(path, headers={"Accept": "text/html"})
        assert (answer.status_code, "<h1" in answer.text) == (404, False)


async def test_the_chosen_language_is_marked_where_it_is_chosen(client: AsyncClient) -> None:
    for path in ("/settings/language", "/welcome"):
        html = (await client.get(path, headers={"Accept-Language": "zh"})).text
        assert 'href="?lang=zh" aria-current="true" lang="zh"' in html
        assert 'href="?lang=en" lang="en"' in html


def test_a_page_brings_the_strings_that_its_modules_name() -> None:
    found = pages.strings("document", "zh")
    assert {"document.missing", "recent.heading", "scope.quarter"} - set(found) == {"recent.heading"}
    assert not any(key.startswith(("welcome.", "device.", "folder.")) for key in found)
    assert {"reason.dot folder", "why.deep", "desk.type.local"} <= set(pages.strings("sources", "en")) | set(
        pages.strings("find", "en")
    )


async def test_strings_cannot_end_their_script(client: AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pages.catalogue("en"), "document.missing", "</script><b>")
    pages.strings.cache_clear()
    html = (await client.get("/d/1", headers={"Accept-Language": "en"})).text
    pages.strings.cache_clear()
    assert "</script><b>" not in html
    assert "\\u003c/script>" in html


def test_modules_follow_imports_to_the_end() -> None:
    found = pages.modules("ask")
    assert {"i18n", "sse", "answer-writer", "blocks", "dom"} <= set(found)
    assert "ask" not in found
