"""The terms by which text is found: one analysis for documents and questions.

Letters are folded (full and half width, case, accents, traditional Chinese), English words are stemmed, Chinese becomes words,
pairs of characters and characters, and codes such as `v1.2.3`, `wal_level` or an e-mail address stay whole and give their parts.
"""

from __future__ import annotations

import hashlib
import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import rjieba
import snowballstemmer

from cortex.text._folding import fold
from cortex.text._stopwords import ENGLISH, HAN, HAN_WORDS
from cortex.text.language import Lang

LONGEST = 64
"""Characters of a term; what is longer is cut, on both sides alike."""

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PAIRED = _HAN + "\u3040-\u30ff\u31f0-\u31ff\u0e00-\u0e7f\uac00-\ud7a3"
_WORD = rf"[^\W_{_PAIRED}]"
_TOKEN = re.compile(
    rf"(?P<email>{_WORD}[\w.+-]{{0,63}}@{_WORD}[\w-]{{0,62}}(?:\.{_WORD}[\w-]{{0,62}}){{1,4}})"
    r"|(?P<grouped>(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]))"
    rf"|(?P<han>[{_HAN}]+)"
    rf"|(?P<pairs>[{_PAIRED}]+)"
    rf"|(?P<code>{_WORD}+(?:[._'+#/:@&-]+{_WORD}+)*(?:\+\+|#(?!{_WORD}))?)"
)
_PART = re.compile(r"[^\W\d_]+|\d+")
_SEPARATED = re.compile(r"[^\W_]+")
_ENGLISH = re.compile(r"[a-z]+(?:'[a-z]+)?$")
_stemmers = threading.local()  # a stemmer works in its own fields: two threads in one would break each other's words


@lru_cache(maxsize=100_000)
def term_id(term: str) -> int:
    """64 bits of the term's BLAKE2b, signed: what the index stores."""
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def analyse(text: str, lang: Lang) -> list[str]:
    """A document's terms, in order, repeats kept. `lang` does not change them: both languages stand in most notes."""
    return list(_document_terms(text))


def analyse_query(text: str) -> list[str]:
    """A question's terms, each once, in order, without function words; every one of them is a document term of the same words."""
    return list(dict.fromkeys(_question_terms(text)))


def _normal(text: str) -> str:
    return fold(unicodedata.normalize("NFKC", text))


def _document_terms(text: str) -> Iterator[str]:
    for token in _TOKEN.finditer(_normal(text)):
        if token["han"]:
            yield from _han_document(token["han"])
        elif token["pairs"]:
            yield from token["pairs"]
            yield from _pairs(token["pairs"])
        elif token["grouped"]:
            yield token[0].replace(",", "")
        else:
            yield from _code(token[0].casefold())


def _han_document(run: str) -> Iterator[str]:
    """Characters, pairs, and every word of the dictionary that has three and more characters, however the run is parted."""
    yield from run
    yield from _pairs(run)
    if len(run) > 2:
        yield from (word[:LONGEST] for word in rjieba.cut_all(run) if len(word) > 2)


def _pairs(run: str) -> Iterator[str]:
    return (run[at : at + 2] for at in range(len(run) - 1))


def _code(token: str) -> Iterator[str]:
    """A word, or something with separators or digits in it: the whole, then its parts."""
    token = token.strip(".'/:@&-") or token
    if _ENGLISH.match(token):
        yield stem(token)
        return
    yield token[:LONGEST]
    parts = _parts(token[: LONGEST * 8])
    if parts != [token]:
        yield from (stem(part) if _ENGLISH.match(part) else part[:LONGEST] for part in parts)


@lru_cache(maxsize=20_000)
def _parts(token: str) -> list[str]:
    pieces = _SEPARATED.findall(token)
    found = list(pieces) if len(pieces) > 1 or pieces[0] != token else []
    for piece in pieces:
        smaller = _PART.findall(piece)
        if 1 < len(smaller) <= 3:
            found.extend(part for part in smaller if len(part) > 1)
    if token[0] == "v" and token[1:2].isdigit() and len(pieces) > 1:
        found.append(token[1:])
    return [part for part in dict.fromkeys(found) if len(part) > 1]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of an English word that is folded already."""
    if not hasattr(_stemmers, "english"):
        _stemmers.english = snowballstemmer.stemmer("english")
    return str(_stemmers.english.stemWord(word[:LONGEST]))


def _question_terms(text: str) -> Iterator[str]:
    normal = _normal(text)
    shouted = not any(c.islower() for c in normal)
    tokens = list(_TOKEN.finditer(normal))
    if len(tokens) == 1 and len(tokens[0][0]) == 1:
        yield tokens[0][0].casefold()
        return
    for token in tokens:
        written = token[0]
        if token["han"]:
            yield from _han_question(written)
        elif token["pairs"]:
            yield from _pairs(written) if len(written) > 1 else written
        elif token["grouped"]:
            yield written.replace(",", "")
        elif written.casefold() not in ENGLISH or (written.isupper() and len(written) > 1 and not shouted):
            # Capitals tell a name from a function word: IT, US.
            yield from _code(written.casefold())


def _han_question(run: str) -> Iterator[str]:
    """Words; longer ones also as pairs, since a document may hold them inside another word; single characters that say something."""
    alone = ""
    for word in (*rjieba.cut(run, False), ""):
        if len(word) == 1 and word not in HAN:
            alone += word
            continue
        if alone:
            yield from alone
            yield from _pairs(alone)
            alone = ""
        if len(word) > 1 and word not in HAN_WORDS:
            yield word[:LONGEST]
            if len(word) > 2:
                yield from _pairs(word)
