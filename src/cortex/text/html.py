"""A document's Markdown as HTML that is safe to show, each block marked with its place in the text."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from cortex.text.language import detect
from cortex.text.markdown import ENCODED, plain

Resolve = Callable[[str], str | None]

_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "center", "cite", "code", "dd", "del", "details", "dfn", "div", "dl", "dt", "em",
    "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "input", "ins", "kbd", "li", "mark", "ol", "p", "pre",
    "q", "ruby", "rt", "rp", "s", "samp", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "u", "ul", "var",
}  # fmt: skip
_ATTRIBUTES = {
    "*": {"data-s", "data-e", "lang"},
    "a": {"href", "title", "data-note"},
    "span": {"class", "data-host", "data-src", "data-path", "data-note"},
    "code": {"class"},
    "input": {"type", "checked", "disabled"},
    "ol": {"start"},
    "td": {"data-align", "colspan", "rowspan"},
    "th": {"data-align", "colspan", "rowspan"},
    "li": {"class"},
}
_ELSEWHERE = re.compile(r"(?:https?://|mailto:)[^\s/]", re.IGNORECASE)
_ATTACHED = re.compile(r"/api/attachments/[0-9a-f]{64}(?:\?name=[^\s#\"'<>]{0,2000})?")
"""Where the file is that a note of Cortex's own has attached."""
_CLASSES = re.compile(r"remote-image|local-image|unresolved|task|language-[\w+#.-]{1,40}")
_LONGEST = 2_000_000
"""Characters that are laid out; a longer text is shown as its bare lines, since no browser enjoys more."""

_IMAGE = re.compile(r"<img\b[^>]{0,5000}>?", re.IGNORECASE)
_SOURCE = re.compile(r"""\bsrc\s*=\s*["']?([^"'\s>]{1,2000})""", re.IGNORECASE)
_ALT = re.compile(r"""\balt\s*=\s*(?:"([^"]{0,500})"|'([^']{0,500})')""", re.IGNORECASE)
_DEEP = re.compile(r"^[ \t]*(?:>[ \t]?){30}|^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+){30}", re.MULTILINE)


def to_html(text: str, *, resolve: Resolve) -> str:
    """The document's page. Nothing in it runs, and nothing in it makes a browser fetch anything.

    Args:
        text: Markdown. Each block of the result carries `data-s` and `data-e`, code points of it.
        resolve: the address of the document that a wiki link or relative link names, or None: then its words stay.
    """
    if len(text) > _LONGEST or _DEEP.search(text):
        return _bare(text)
    page = _Page(text, resolve)
    try:
        written = page.render()
    except RecursionError:
        return _bare(text)
    return _clean(written, page.addresses)


def _clean(written: str, addresses: Collection[str] = ()) -> str:
    """Only harmless elements and attributes. Links lead to other hosts, by name, or to one of the given addresses."""

    def allowed(element: str, attribute: str, value: str) -> str | None:
        if attribute == "href" and not (value in addresses or _ELSEWHERE.match(value)):
            return None
        return _allowed(element, attribute, value)

    return nh3.clean(
        written,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=allowed,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        generic_attribute_prefixes=set(),
    )


def _allowed(element: str, attribute: str, value: str) -> str | None:
    if attribute == "class":
        return value if _CLASSES.fullmatch(value) else None
    if attribute in ("data-s", "data-e", "start", "colspan", "rowspan"):
        return value if value.isdigit() and len(value) < 10 else None
    if element == "input" and attribute == "type":
        return "checkbox"
    return value


def _bare(text: str) -> str:
    """Lines as they stand, a paragraph for each block of them."""
    found = []
    for match in re.finditer(r"[^\n](?:[^\n]|\n(?!\n))*", text):
        found.append(f'<p data-s="{match.start()}" data-e="{match.end()}">{html.escape(match[0][:100_000])}</p>')
    return "\n".join(found)


class _Page:
    """One text on its way to HTML."""

    def __init__(self, text: str, resolve: Resolve) -> None:
        self._text = text
        self._resolve = resolve
        self._starts = _line_starts(text)
        self._lang = detect(text)
        self._markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        self._markdown.inline.ruler.before("link", "wiki", _wiki)
        rules = {"wiki": self._wiki, "image": self._image, "html_inline": self._raw, "html_block": self._raw, "link_open": self._open,
                 "link_close": self._close}  # fmt: skip
        self._links: list[str] = []
        self.addresses: set[str] = set()
        self._renderer = RendererHTML(self._markdown)
        self._renderer.rules.update(rules)  # type: ignore[arg-type]

    def render(self) -> str:
        # A file written into the text would only slow the page: same length, so that places stay.
        source = (
            ENCODED.sub(lambda m: "data:," + " " * (len(m[0]) - 6), self._text) if "data:" in self._text else self._text
        )
        tokens = self._markdown.parse(source)
        for at, token in enumerate(tokens):
            self._place(token)
            if token.type == "inline":
                _task(tokens, at)
                self._language(tokens[at - 1], token.content)
            elif token.type in ("th_open", "td_open") and (style := token.attrs.pop("style", None)):
                token.attrs["data-align"] = str(style).rpartition(":")[2]
        return str(self._renderer.render(tokens, self._markdown.options, {}))

    def _place(self, token: Token) -> None:
        if token.map and token.type != "inline" and token.nesting >= 0:
            first, after = token.map
            start = self._starts[first]
            end = self._starts[after] if after < len(self._starts) else len(self._text)
            token.attrs["data-s"] = start
            token.attrs["data-e"] = start + len(self._text[start:end].rstrip())

    def _language(self, block: Token, content: str) -> None:
        if block.nesting == 1 and len(content) > 1:
            lang = detect(plain(content))
            if lang != self._lang and any(c.isalpha() for c in content):
                block.attrs["lang"] = lang

    def _wiki(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        target, label = tokens[at].meta["target"], tokens[at].content
        if tokens[at].meta["embed"] and re.search(r"\.(png|jpe?g|gif|svg|webp|bmp|avif)$", target, re.IGNORECASE):
            return _local_image(target, label if label != target else "")
        address = self._address(target)
        words = html.escape(label)
        if address is None:
            return f'<span class="unresolved" data-note="{html.escape(target)}">{words}</span>' if target else words
        return f'<a href="{html.escape(address)}" data-note="{html.escape(target)}">{words}</a>'

    def _address(self, target: str) -> str | None:
        found = self._resolve(target) if target else None
        if found:
            self.addresses.add(found)
        return found

    def _open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        address = str(tokens[at].attrs.get("href", ""))
        self._links.append("</span>")
        if address.startswith("#") or not address:
            return "<span>"
        if _ATTACHED.fullmatch(address):
            self.addresses.add(address)
        if address in self.addresses or urlsplit_safe(address)[0]:
            self._links[-1] = "</a>"
            return f'<a href="{html.escape(address)}">'
        target = unquote(address).split("#")[0].split("?")[0]
        found = self._address(target)
        if found is None:
            return "<span>"
        self._links[-1] = "</a>"
        return f'<a href="{html.escape(found)}" data-note="{html.escape(target)}">'

    def _close(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return self._links.pop() if self._links else ""

    def _image(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return _placeholder(str(tokens[at].attrs.get("src", "")), plain(tokens[at].content))

    def _raw(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        """HTML in the text: images become placeholders here, the rest is cleaned with the page."""
        written = _IMAGE.sub(_raw_image, tokens[at].content)
        if tokens[at].type != "html_block":
            return written
        # What a block leaves open must not take in the blocks after it.
        closed = _clean(written)
        places = (
            f'data-s="{tokens[at].attrs["data-s"]}" data-e="{tokens[at].attrs["data-e"]}"' if tokens[at].attrs else ""
        )
        return f"<div {places}>{closed}</div>\n" if closed.strip() else ""


def _line_starts(text: str) -> list[int]:
    # Ends of line as the Markdown reader counts them.
    return [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", text))]


def _raw_image(match: re.Match[str]) -> str:
    source, alt = _SOURCE.search(match[0]), _ALT.search(match[0])
    return _placeholder(
        html.unescape(source[1]) if source else "", html.unescape((alt[1] or alt[2] or "") if alt else "")
    )


def _placeholder(source: str, alt: str) -> str:
    scheme, host = urlsplit_safe(source)
    if host:
        # The address goes with it as plain text: a reader may open it, the page never does.
        address = f' data-src="{html.escape(source)}"' if scheme in ("https", "http") else ""
        return f'<span class="remote-image" data-host="{html.escape(host)}"{address}>{html.escape(alt)}</span>'
    if scheme or source.startswith("//") or not source:
        return html.escape(alt)
    return _local_image(source if _ATTACHED.fullmatch(source) else unquote(source), alt)


def _local_image(path: str, alt: str) -> str:
    return f'<span class="local-image" data-path="{html.escape(path)}">{html.escape(alt)}</span>'


def urlsplit_safe(address: str) -> tuple[str, str]:
    """Scheme and host; a malformed address has the scheme `invalid`, which no link may have."""
    try:
        parts = urlsplit(address.strip())
        return parts.scheme, parts.hostname or ""
    except ValueError:
        return "invalid", ""


_WIKI_LINK = re.compile(r"(!?)\[\[([^\[\]|#\n]{0,300})(?:#([^\[\]|\n]{0,300}))?(?:\|([^\[\]\n]{0,300}))?\]\]")


def _wiki(state: StateInline, silent: bool) -> bool:
    """Markdown-it rule: [[target#heading|label]] and ![[embed]]."""
    if not state.src.startswith(("[[", "![["), state.pos):
        return False
    match = _WIKI_LINK.match(state.src, state.pos)
    if not match:
        return False
    if not silent:
        target, heading, label = (part.strip() if part else "" for part in match.groups()[1:])
        token = state.push("wiki", "", 0)
        token.content = label or " › ".join(filter(None, (target, heading)))
        token.meta = {"target": target, "embed": bool(match[1])}
    state.pos = match.end()
    return True


def _task(tokens: list[Token], at: int) -> None:
    """`- [ ] words` becomes a box that cannot be ticked."""
    found = re.match(r"\[([ xX])\](?:\s|$)", tokens[at].content)
    if not found or at < 2 or tokens[at - 2].type != "list_item_open" or not tokens[at].children:
        return
    first = tokens[at].children[0]  # type: ignore[index]
    if first.type == "text" and first.content.startswith("["):
        first.content = first.content[3:].lstrip()
        box = Token("html_inline", "", 0)
        box.content = f'<input type="checkbox" disabled{" checked" if found[1] != " " else ""}> '
        tokens[at].children.insert(0, box)  # type: ignore[union-attr]
        tokens[at - 2].attrs["class"] = "task"
