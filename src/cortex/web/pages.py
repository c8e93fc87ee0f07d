"""The pages: one shell, a fragment per route, strings from the catalogue of the reader's language."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from cortex.text.language import Lang

STATIC = Path(__file__).parent / "static"
"""The files that are served under /static."""

LANGUAGE_COOKIE = "cortex_lang"
LANGS: dict[str, Lang] = {"en": "en", "zh": "zh"}
_FRAGMENTS = Path(__file__).parent / "fragments"
_YEAR_S = 365 * 24 * 3600
_STYLES = ("tokens", "base", "shell", "parts", "prose", "ask", "composer", "evidence", "document", "sources")
_NAV = (("ask", "/"), ("sources", "/sources"))
_SLOT = re.compile(r"\{\{(t:)?([\w.]+)\}\}")
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "\./([\w-]+)\.js"|^import "\./([\w-]+)\.js"', re.MULTILINE)

PageName = Literal["ask", "document", "sources"]

router = APIRouter(include_in_schema=False)


@router.get("/")
async def ask_page(request: Request) -> Response:
    return page(request, "ask")


@router.get("/c/{conversation_id}")
async def conversation_page(request: Request, conversation_id: int) -> Response:
    return page(request, "ask")


@router.get("/d/{document_id}")
async def document_page(request: Request, document_id: int) -> Response:
    return page(request, "document")


@router.get("/sources")
async def sources_page(request: Request) -> Response:
    return page(request, "sources")


def page(request: Request, name: PageName) -> Response:
    """The page in the reader's language; `?lang=` remembers a choice and comes back without it."""
    chosen = request.query_params.get("lang")
    if chosen in LANGS:
        query = urlencode([item for item in request.query_params.multi_items() if item[0] != "lang"])
        back = RedirectResponse(request.url.path + (f"?{query}" if query else ""), status_code=303)
        back.set_cookie(LANGUAGE_COOKIE, chosen, max_age=_YEAR_S, samesite="lax")
        return back
    lang = reader_language(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))
    headers = {"Cache-Control": "no-cache", "Vary": "Cookie, Accept-Language", "Content-Language": lang}
    return HTMLResponse(render(name, lang, request.url.query), headers=headers)


def reader_language(cookie: str | None, accepted: str) -> Lang:
    """The language of the page: the choice that was made, else the first of the browser's languages that we have."""
    if cookie in LANGS:
        return LANGS[cookie]
    weighted: list[tuple[float, int, str]] = []
    for place, part in enumerate(accepted.lower().split(",")):
        name, _, quality = part.strip().partition(";q=")
        weight = float(quality) if re.fullmatch(r"[01](\.\d{1,3})?", quality) else 1.0
        weighted.append((-weight, place, name[:2]))
    known = [LANGS[name] for _, _, name in sorted(weighted) if name in LANGS]
    return known[0] if known else "en"


@cache
def catalogue(lang: Lang) -> dict[str, str | dict[str, str]]:
    """The strings of one language by key; a string that counts has the forms `one` and `other`."""
    strings: dict[str, str | dict[str, str]] = json.loads((STATIC / "i18n" / f"{lang}.json").read_text("utf-8"))
    return strings


def render(name: PageName, lang: Lang, query: str = "") -> str:
    """The whole HTML of a page; `query` is what the language links keep of the address."""
    title = catalogue(lang)[f"title.{name}"]
    slots = {
        "lang": lang,
        "page": name,
        "page_title": escape(str(title)),
        "styles": "\n  ".join(f'<link rel="stylesheet" href="/static/css/{style}.css">' for style in _STYLES),
        "preloads": "\n  ".join(
            f'<link rel="modulepreload" href="/static/js/{module}.js">' for module in modules(name)
        ),
        "nav": "\n        ".join(_nav_item(key, href, lang, current=key == name) for key, href in _NAV),
        "languages": "\n      ".join(_language_link(choice, lang, query) for choice in LANGS.values()),
        "main": _fill(_read(f"{name}.html"), lang, {}),
    }
    return _fill(_read("shell.html"), lang, slots)


@cache
def modules(name: str) -> list[str]:
    """The modules that an entry module imports, directly or not, so that the browser fetches them at once."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        source = (STATIC / "js" / f"{waiting.pop()}.js").read_text("utf-8")
        for match in _IMPORT.finditer(source):
            imported = match[1] or match[2]
            if imported not in found:
                found[imported] = None
                waiting.append(imported)
    return sorted(found)


@cache
def _read(name: str) -> str:
    return (_FRAGMENTS / name).read_text("utf-8")


def _fill(template: str, lang: Lang, slots: Mapping[str, str]) -> str:
    strings = catalogue(lang)

    def value(match: re.Match[str]) -> str:
        return escape(str(strings[match[2]])) if match[1] else slots[match[2]]

    return _SLOT.sub(value, template)


def _nav_item(key: str, href: str, lang: Lang, *, current: bool) -> str:
    icon = f'<svg class="icon" aria-hidden="true"><use href="/static/icons/sprite.svg#{key}"/></svg>'
    here = ' aria-current="page"' if current else ""
    return f'<li><a href="{href}"{here}>{icon}<span>{escape(str(catalogue(lang)[f"nav.{key}"]))}</span></a></li>'


def _language_link(choice: Lang, lang: Lang, query: str) -> str:
    short, name = {"en": ("EN", "English"), "zh": ("中", "中文")}[choice]
    here = ' aria-current="true"' if choice == lang else ""
    href = escape(f"?{query}&lang={choice}" if query else f"?lang={choice}")
    return f'<a href="{href}" lang="{choice}" hreflang="{choice}" aria-label="{name}"{here}>{short}</a>'
