"""How long a save takes while the worker embeds, and how soon the note is found: by its new words, and by its meaning."""

from __future__ import annotations

import http.client
import json
import time
import urllib.parse
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from typing import Any

from cortex.evals.bench.filling import golden_texts
from cortex.evals.bench.timing import Spread, spread
from cortex.text.frontmatter import split

NOTE_BYTES = 50_000
_SAVES_EACH = 3
_PATIENCE_S = 60.0

# What is added, with a word that stands nowhere else, and a question in other words.
ADDED = (
    (
        "The {word} in the cellar leaked, so a plumber came and soldered the pipe.",
        "Who mended the dripping water line?",
    ),
    ("{word}: grandmother walked to school barefoot through deep snow.", "How did my granny get to class in winter?"),
    (
        "We sold the {word} car to a student, since nobody drove it any more.",
        "Which vehicle did we get rid of, and why?",
    ),
    ("{word}：医生说膝盖没有大碍，休息两周就能跑步。", "大夫怎么看我的腿伤？"),
    ("今年的{word}葡萄酸得没法吃，全部酿了酒。", "水果太酸之后拿去做了什么？"),
)


class _Api:
    """One connection to a server, as a page holds it."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S)

    def __call__(self, method: str, path: str, body: Any = None, version: int | None = None) -> Any:
        headers = {"Content-Type": "application/json"} | ({"If-Match": f'"{version}"'} if version is not None else {})
        self._connection.request(method, path, json.dumps(body).encode() if body is not None else None, headers)
        response = self._connection.getresponse()
        read = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{method} {path} failed with {response.status}: {read[:300]!r}")
        return json.loads(read) if read else None

    def finds(self, query: str, document_id: int, leg: str = "") -> bool:
        """Whether the note is among the first 20, or among the first 50 of a leg."""
        asked = {"q": query, "limit": 20} | ({"legs": "all"} if leg else {})
        found = self("GET", f"/api/search?{urllib.parse.urlencode(asked)}")
        among = found["legs"][leg] if leg else found["results"]
        return any(result["document_id"] == document_id for result in among)


def saves(port: int) -> dict[str, Spread]:
    """Milliseconds of saving a note of 50 KB with a line more, and then until it is found by its new word and by its meaning."""
    api = _Api(port)
    body = _long_text()
    samples: dict[str, list[float]] = {"save": [], "found by its word": [], "found by its meaning": []}
    for number, (added, question) in enumerate(islice(cycle(ADDED), _SAVES_EACH * len(ADDED))):
        note = api("POST", "/api/notes", {"title": f"Bench {number}", "body": body})
        _until(lambda: api("GET", f"/api/notes/{note['id']}")["index"]["state"] == "indexed")  # noqa: B023 - used at once
        word = f"zq{number}x{time.time_ns() % 10**9}"
        text = f"{body}\n\n## {word}\n\n{added.format(word=word)}\n"
        started = time.perf_counter()
        api("PUT", f"/api/notes/{note['id']}", {"title": note["title"], "body": text}, note["version"])
        samples["save"].append((time.perf_counter() - started) * 1e3)
        samples["found by its word"].append(_until(lambda: api.finds(word, note["id"])))  # noqa: B023
        samples["found by its meaning"].append(
            (time.perf_counter() - started) * 1e3 if api.finds(question, note["id"], "fast") else _PATIENCE_S * 1e3
        )
        api("DELETE", f"/api/notes/{note['id']}")
        api("DELETE", f"/api/notes/{note['id']}?for_good=true")
    return {name: spread(values) for name, values in samples.items()}


def _until(true: Callable[[], bool]) -> float:
    """Milliseconds until it is true; the patience, where it never is."""
    started = time.perf_counter()
    while not true():
        if time.perf_counter() - started > _PATIENCE_S:
            return _PATIENCE_S * 1e3
        time.sleep(0.05)
    return (time.perf_counter() - started) * 1e3


def _long_text() -> str:
    parts, size = [], 0
    for text in _bodies():
        parts.append(text)
        size += len(text.encode())
        if size >= NOTE_BYTES:
            break
    return "\n\n".join(parts).encode()[:NOTE_BYTES].decode(errors="ignore")


def _bodies() -> Iterator[str]:
    return (split(text).body for _, text in golden_texts())
