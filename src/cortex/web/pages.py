"""The pages: one shell, a fragment per route, strings from the catalogue of the reader's language."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from cortex.text.language import Lang

STATIC = Path(__file__).parent / "static"
"""The files that are served under /static."""

LANGUAGE_COOKIE = "cortex_lang"
LANGS: dict[str, Lang] = {"en": "en", "zh": "zh"}
_FRAGMENTS = Path(__file__).parent / "fragments"
_YEAR_S = 365 * 24 * 3600
_STYLES = ("tokens", "base", "shell", "parts")
_NAV = (
    ("ask", "/"),
    ("notes", "/notes"),
    ("find", "/find"),
    ("sources", "/sources"),
    ("settings", "/settings/language"),
)
_BELONGS: dict[str, str] = {"history": "notes", "trash": "notes"}
"""Pages that stand below an entry of the navigation."""

_PROGRAMS = ("api/", "health/", "v1/", "static/")
_SLOT = re.compile(r"\{\{(t:)?([\w.]+)\}\}")
_KEY = re.compile(r'"([a-z]+\.\w+)"')
_FAMILY = re.compile(r"t\(`([a-z]+\.(?:\w+\.)?)\$\{")
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "\./([\w-]+)\.js"|^import "\./([\w-]+)\.js"', re.MULTILINE)
_LATER = re.compile(r'import\("\./([\w-]+)\.js"\)')

PageName = Literal["ask", "notes", "history", "trash", "find", "document", "sources", "settings", "welcome", "missing"]
Part = Literal["language", "device", "backup", "status"]
View = Literal["list", "note"]

_OWN_STYLES: dict[PageName, tuple[str, ...]] = {
    "ask": ("prose", "ask", "composer", "picker", "evidence"),
    "notes": ("prose", "notes", "editor"),
    "history": ("desk", "history", "diff"),
    "trash": ("desk", "notes"),
    "find": ("find", "picker"),
    "document": ("prose", "document"),
    "sources": ("desk",),
    "settings": ("desk", "settings"),
    "welcome": ("desk", "welcome"),
    "missing": ("desk",),
}

router = APIRouter(include_in_schema=False)
last = APIRouter(include_in_schema=False)
"""What is asked after every other route: the page that says that there is none."""


@router.get("/")
async def ask_page(request: Request) -> Response:
    return page(request, "ask")


@router.get("/c/{conversation_id}")
async def conversation_page(request: Request, conversation_id: int) -> Response:
    return page(request, "ask")


@router.get("/d/{document_id}")
async def document_page(request: Request, document_id: int) -> Response:
    return page(request, "document")


@router.get("/notes")
async def notes_page(request: Request) -> Response:
    return page(request, "notes")


@router.get("/notes/new")
async def new_note_page(request: Request) -> Response:
    return page(request, "notes", view="note")


@router.get("/notes/trash")
async def trash_page(request: Request) -> Response:
    return page(request, "trash")


@router.get("/notes/{note_id}")
async def note_page(request: Request, note_id: int) -> Response:
    return page(request, "notes", view="note")


@router.get("/notes/{note_id}/history")
async def history_page(request: Request, note_id: int) -> Response:
    return page(request, "history")


@router.get("/find")
async def find_page(request: Request) -> Response:
    return page(request, "find")


@router.get("/sources")
async def sources_page(request: Request) -> Response:
    return page(request, "sources")


@router.get("/settings")
async def settings_start() -> Response:
    return RedirectResponse("/settings/language", status_code=303)


@router.get("/settings/{part}")
async def settings_page(request: Request, part: Part) -> Response:
    return page(request, "settings", part=part)


@router.get("/welcome")
async def welcome_page(request: Request) -> Response:
    return page(request, "welcome")


@last.get("/{path:path}")
async def missing_page(request: Request, path: str) -> Response:
    """A person gets a page, a program a problem."""
    if path.startswith(_PROGRAMS) or "text/html" not in request.headers.get("accept", ""):
        raise HTTPException(404)
    return page(request, "missing", status=404)


def page(
    request: Request, name: PageName, *, part: Part | None = None, view: View = "list", status: int = 200
) -> Response:
    """The page in the reader's language; `?lang=` remembers a choice and comes back without it."""
    chosen = request.query_params.get("lang")
    if chosen in LANGS:
        query = urlencode([item for item in request.query_params.multi_items() if item[0] != "lang"])
        back = RedirectResponse(request.url.path + (f"?{query}" if query else ""), status_code=303)
        back.set_cookie(LANGUAGE_COOKIE, chosen, max_age=_YEAR_S, samesite="lax")
        return back
    lang = reader_language(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))
    headers = {"Cache-Control": "no-cache", "Vary": "Cookie, Accept-Language", "Content-Language": lang}
    return HTMLResponse(render(name, lang, request.url.query, part=part, view=view), status, headers)


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


def render(name: PageName, lang: Lang, query: str = "", *, part: Part | None = None, view: View = "list") -> str:
    """The whole HTML of a page; `query` is what the language links keep of the address."""
    title = catalogue(lang)[f"title.{name}"]
    fragments = {"parts": _parts(part, lang), "part": _part(part, lang), "view": view}
    slots = {
        "lang": lang,
        "page": name,
        "page_title": escape(str(title)),
        "styles": "\n  ".join(f'<link rel="stylesheet" href="/static/css/{style}.css">' for style in styles(name)),
        "preloads": "\n  ".join(
            f'<link rel="modulepreload" href="/static/js/{module}.js">' for module in modules(name)
        ),
        "nav": "\n        ".join(
            _nav_item(key, href, lang, current=key == _BELONGS.get(name, name)) for key, href in _NAV
        ),
        "languages": "\n      ".join(_language_link(choice, lang, query) for choice in LANGS.values()),
        "strings": json.dumps(strings(name, lang), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "main": _marked(_fill(_read(f"{name}.html"), lang, fragments), lang),
    }
    return _fill(_read("shell.html"), lang, slots)


def styles(name: PageName) -> tuple[str, ...]:
    """The style sheets of a page, in the order of its layers."""
    return _STYLES + _OWN_STYLES[name]


@cache
def modules(name: str, *, later: bool = False) -> list[str]:
    """The modules that an entry module imports, directly or not, so that the browser fetches them at once.

    `later`: those too that are imported only when they are needed (`import("./why.js")`).
    """
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        source = _script(waiting.pop())
        imports = [match[1] or match[2] for match in _IMPORT.finditer(source)]
        for imported in imports + (_LATER.findall(source) if later else []):
            if imported not in found:
                found[imported] = None
                waiting.append(imported)
    return sorted(found)


@cache
def strings(name: str, lang: Lang) -> dict[str, str | dict[str, str]]:
    """The strings that a page's modules name, whole or by the beginning of their key."""
    code = "".join(_script(module) for module in [name, *modules(name, later=True)])
    keys, families = set(_KEY.findall(code)), tuple(_FAMILY.findall(code))
    return {key: entry for key, entry in catalogue(lang).items() if key in keys or key.startswith(families)}


@cache
def _script(name: str) -> str:
    return (STATIC / "js" / f"{name}.js").read_text("utf-8")


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


def _parts(part: Part | None, lang: Lang) -> str:
    """The links between the parts of the settings."""
    names = {name: escape(str(catalogue(lang)[f"settings.{name}"])) for name in get_args(Part)}
    here = {part: ' aria-current="page"'}
    return "".join(
        f'<a class="tab" href="/settings/{name}"{here.get(name, "")}>{word}</a>' for name, word in names.items()
    )


def _part(part: Part | None, lang: Lang) -> str:
    return _fill(_read(f"settings-{part}.html"), lang, {}) if part else ""


def _marked(main: str, lang: Lang) -> str:
    """The language that holds now is marked where it is chosen."""
    return main.replace(f'href="?lang={lang}"', f'href="?lang={lang}" aria-current="true"')


def _language_link(choice: Lang, lang: Lang, query: str) -> str:
    short, name = {"en": ("EN", "English"), "zh": ("中", "中文")}[choice]
    here = ' aria-current="true"' if choice == lang else ""
    href = escape(f"?{query}&lang={choice}" if query else f"?lang={choice}")
    return f'<a href="{href}" lang="{choice}" hreflang="{choice}" aria-label="{name}"{here}>{short}</a>'
