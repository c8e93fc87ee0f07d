"""Headers of files: nothing runs, names are borne, and what a request asks for is understood or left aside."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from cortex.text.filenames import safe_name
from cortex.web.files import SHOWN, disposition, headers_of, is_known


@pytest.mark.parametrize("kind", sorted(SHOWN))
def test_what_is_shown_runs_nothing(kind: str) -> None:
    headers = headers_of(kind, "a")
    assert headers["Content-Type"] == kind
    assert headers["Content-Disposition"].startswith("inline")
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("sandbox")
    assert "default-src 'none'" in policy
    assert "allow-scripts" not in policy
    assert ("allow-same-origin" in policy) == kind.startswith(("audio/", "video/"))


@pytest.mark.parametrize(
    "kind", ["text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "text/javascript", "text/plain",
             "application/zip", "image/heic", "IMAGE/PNG", "image/png; charset=x", ""],
)  # fmt: skip
def test_everything_else_is_a_download(kind: str) -> None:
    headers = headers_of(kind, "a")
    assert headers["Content-Type"] == "application/octet-stream"
    assert headers["Content-Disposition"].startswith("attachment")


def test_a_drawing_in_a_note_of_a_folder_is_drawn_and_never_opened() -> None:
    headers = headers_of("image/svg+xml", "a.svg", drawn=True)
    assert headers["Content-Type"] == "image/svg+xml"
    assert headers["Content-Disposition"].startswith("attachment")
    assert headers_of("text/html", "a.svg", drawn=True)["Content-Type"] == "application/octet-stream"


@given(st.text(max_size=300))
def test_any_name_is_borne_whole(name: str) -> None:
    written = disposition("inline", name)
    written.encode("latin-1")
    assert written.isprintable()
    plain, _, encoded = written.partition("; filename*=UTF-8''")
    inside = plain.removeprefix('inline; filename="').removesuffix('"')
    assert not set(inside) & set('"\\\r\n')
    assert (unquote(encoded) if encoded else inside) == safe_name(name)


@pytest.mark.parametrize(
    ("asked", "known"), [('"a"', True), ('W/"a"', True), ('"b", "a"', True), ("*", True), ('"b"', False), ("a", False)]
)
def test_known(asked: str, known: bool) -> None:
    assert is_known(Headers({"If-None-Match": asked}), "a") == known
    assert not is_known(Headers({}), "a")
