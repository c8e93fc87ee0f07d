"""The two catalogues, and that nothing which a person reads stands anywhere else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from cortex.text.language import Lang
from cortex.web.pages import STATIC, PageName, catalogue, render

SLOT = re.compile(r"\{(\w+)\}")
MODULES = sorted((STATIC / "js").glob("*.js"))
FRAGMENTS = sorted((STATIC.parent / "fragments").glob("*.html"))
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\'(?:[^\'\\\n]|\\.)*\'')
COMMENT = re.compile(r"(?m)^\s*//.*$")
HAN = re.compile(r"[㐀-鿿]")


def slots(entry: str | dict[str, str]) -> set[str]:
    forms = [entry] if isinstance(entry, str) else list(entry.values())
    return {name for form in forms for name in SLOT.findall(form)}


def test_catalogues_have_equal_keys_and_placeholders() -> None:
    english, chinese = catalogue("en"), catalogue("zh")
    assert list(english) == list(chinese)
    assert [key for key in english if slots(english[key]) != slots(chinese[key])] == []


def test_counted_strings_have_both_forms() -> None:
    for lang in ("en", "zh"):
        for key, entry in catalogue(lang).items():
            assert isinstance(entry, str) or set(entry) == {"one", "other"}, key


def test_every_key_is_used_and_every_used_key_is_there() -> None:
    source = "\n".join(path.read_text("utf-8") for path in [*MODULES, *FRAGMENTS]) + "title. nav."
    known = set(catalogue("en"))
    families = (
        "why.",
        "desk.type.",
        "scope.",
        "title.",
        "nav.",
        "reason.",
        "settings.",
        "problem.",
    )  # put together from a name that the API gave
    assert [
        key for key in known if f'"{key}"' not in source and f"t:{key}" not in source and not key.startswith(families)
    ] == []
    used = set(re.findall(r'\bt\("([\w.]+)"', source)) | set(re.findall(r"\{\{t:([\w.]+)\}\}", source))
    assert used <= known


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_sentence_stands_in_a_module(path: Path) -> None:
    code = COMMENT.sub("", path.read_text("utf-8"))
    literals = [re.sub(r"\$\{[^}]*\}", "", match[0][1:-1]) for match in LITERAL.finditer(code)]
    assert [
        text
        for text in literals
        if HAN.search(text) or re.search(r"\b[A-Z][a-z]+ [a-z]+|[a-z]{2,} [a-z]+[.!?…]$", text)
    ] == []
    assert not re.search(r"(?:textContent|placeholder|title|innerText)\s*=\s*\"[^\"]", code)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_modules_are_small_and_write_no_html(path: Path) -> None:
    code = path.read_text("utf-8")
    assert code.startswith("// ")
    assert len(code.splitlines()) <= 150
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|setAttribute\(\"style\"|\beval\b|new Function", code
    )


def test_fragments_hold_no_words_of_their_own() -> None:
    for path in FRAGMENTS:
        text = re.sub(r"\{\{[^}]*\}\}|<[^>]*>|&\w+;", " ", path.read_text("utf-8"))
        assert re.findall(r"\w{2,}", text) == [], path.name


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", get_args(PageName))
def test_what_a_page_loads_is_small(name: PageName, lang: Lang) -> None:
    html = render(name, lang, part="status")
    named = set(re.findall(r'(?:src|href)="/static/([^"#?]+)', html)) | {"icons/sprite.svg"}
    assert len(html.encode()) + sum((STATIC / file).stat().st_size for file in named) <= 150_000
