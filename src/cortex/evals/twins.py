"""Does a page find its translation? `python -m cortex.evals.twins --url URL --vault DIR --pairs FILE [--scope SCOPE]`.

`FILE` has a JSON object a line with `path_en`, `path_zh`, `title_en` and `title_zh` of one page in two languages; `DIR` holds the
pages, which the Cortex at `URL` has as a source. Title and first sentence of each are searched for, and among the results in
the other language the place of its twin is noted. Prints JSON, by direction, for the pairs whose titles differ and for all.
"""

from __future__ import annotations

import argparse
import json
import sys
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cortex.text.decode import decode
from cortex.text.frontmatter import split
from cortex.text.language import Lang
from cortex.text.markdown import plain
from cortex.text.sentences import sentences

DIRECTIONS: tuple[tuple[Lang, Lang], ...] = (("zh", "en"), ("en", "zh"))
_RESULTS = 50
_LONGEST = 1_900
_NO_SENTENCE = ("#", "!", "<", "-", "*", "|", "`", "=", "+", ">")

Pair = Mapping[str, Any]
Search = Callable[[str], Sequence[Mapping[str, Any]]]
"""A question's results, best first, each with `lang` and `url`."""


def first_sentence(text: str, lang: Lang) -> str:
    """Of the first paragraph: no heading, list, picture, table or code. Empty if there is none."""
    for line in text.splitlines():
        said = plain(line.strip())
        if said and not line.strip().startswith(_NO_SENTENCE):
            start, end = next(iter(sentences(said, lang)), (0, len(said)))
            return said[start:end].strip()
    return ""


def place(results: Sequence[Mapping[str, Any]], path: str, lang: Lang) -> int | None:
    """Where the page stands among the results in its language, from 1; None if it is not there."""
    urls = [urllib.parse.unquote(str(hit["url"])) for hit in results if hit["lang"] == lang]
    return next((n for n, url in enumerate(urls, 1) if url.endswith(path)), None)


def measure(pairs: Sequence[Pair], texts: Callable[[str], str], search: Search) -> dict[str, dict[str, Any]]:
    """Per direction and group: how many pairs, how many twins came first, how many among the first five, and which did not."""
    found: dict[str, dict[str, Any]] = {}
    for asked, wanted in DIRECTIONS:
        places: dict[str, int | None] = {}
        for pair in pairs:
            said = first_sentence(texts(pair[f"path_{asked}"]), asked)
            question = f"{pair[f'title_{asked}']}. {said}"[:_LONGEST]
            places[pair[f"path_{wanted}"]] = place(search(question), pair[f"path_{wanted}"], wanted)
        for name, group in (("titles differ", [p for p in pairs if p["title_en"] != p["title_zh"]]), ("all", pairs)):
            ranks = [places[pair[f"path_{wanted}"]] for pair in group]
            found[f"{asked}→{wanted}, {name}"] = {
                "pairs": len(group),
                "first": sum(rank == 1 for rank in ranks),
                "in_5": sum(rank is not None and rank <= 5 for rank in ranks),
                "missed": [p[f"path_{wanted}"] for p, r in zip(group, ranks, strict=True) if r is None or r > 5],
            }
    return found


def _reader(vault: Path) -> Callable[[str], str]:
    return lambda path: split(decode((vault / path).read_bytes()).text).body


def _searcher(url: str, scope: str) -> Search:
    def search(question: str) -> Sequence[Mapping[str, Any]]:
        query = urllib.parse.urlencode({"q": question, "scope": scope, "limit": _RESULTS})
        with urllib.request.urlopen(f"{url}/api/search?{query}") as response:
            results: list[dict[str, Any]] = json.load(response)["results"]
            return results

    return search


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m cortex.evals.twins", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--url", default="http://127.0.0.1:8765", help="a running Cortex")
    parser.add_argument("--vault", type=Path, required=True, help="the folder of the pages")
    parser.add_argument("--pairs", type=Path, required=True, help="the pairs, a JSON object a line")
    parser.add_argument("--scope", default="", help="as in the page, such as source:NAME")
    options = parser.parse_args(arguments)
    pairs = [json.loads(line) for line in options.pairs.read_text(encoding="utf-8").splitlines() if line.strip()]
    found = measure(pairs, _reader(options.vault), _searcher(options.url, options.scope))
    sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
