"""What to look for in passages of each language: the question's words, and what the dictionary makes of them.

A `Wanted` is one word of the question with its alternatives; a passage that holds any of them covers the word, by the
weight of the best. Numbers, Latin names and codes pass through as they are.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cortex.retrieval import _words as words
from cortex.retrieval import names
from cortex.retrieval.dictionary import Dictionary
from cortex.text.language import Lang

CHARACTER = 0.3
"""What the characters of a Chinese word that no dictionary knows count for, across languages."""

SINGLE = 0.6
"""What a translation by a single Chinese character counts for: characters stand in many words."""

PAIRS = 0.9
"""What a longer Chinese word counts for that is there only as its pairs of characters."""

APART = 0.7
"""What a run of characters that no dictionary knows counts for where they stand apart."""

ASKING = 0.4
"""What words such as "name" or "kind" count for: they stand in the question, seldom in what answers it."""

SOUND = 0.8
"""What a name counts for that is only heard in a passage (`names`)."""

MAX_ALTERNATIVES = 24
"""Translations kept per word, best first: each term of them is a look-up in the index."""

LONGEST_ENDING = 4
"""Letters that a word of the dictionary may have more than its stem; longer endings are rare, and stemming costs time."""

Alternative = tuple[float, tuple[str, ...]]
"""Its weight (0 to 1), and its analysed terms; a passage that holds some of them has the share of their idf."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One word of the question as passages of one language may say it."""

    term: str
    alternatives: tuple[Alternative, ...]
    weight: float = 1.0
    """How much it says beside the other words, before its rarity."""


Plan = Mapping[Lang, Sequence[Wanted]]


def terms(plan: Plan, lang: Lang) -> list[str]:
    """Every term whose postings `coverage` needs, without repeats."""
    return [term for term in _all_terms(plan, lang) if not term.startswith(names.MARK)]


def sounds(plan: Plan, lang: Lang) -> list[str]:
    """The terms that no index holds: `names.heard` says which texts have them. Seldom any."""
    return [term for term in _all_terms(plan, lang) if term.startswith(names.MARK)]


def _all_terms(plan: Plan, lang: Lang) -> list[str]:
    return list(dict.fromkeys(t for wanted in plan[lang] for _, parts in wanted.alternatives for t in parts))


def coverage(
    wanted: Sequence[Wanted], holds: Mapping[str, NDArray[np.bool_]], documents: Mapping[str, int], total: int
) -> NDArray[np.float64]:
    """The share of the question's idf mass that each passage holds, shape (passages,), 0 to 1.

    Args:
        wanted: of the passages' language.
        holds: by term, which of the passages hold it, shape (passages,); a term that none holds may be missing. Sounds too.
        documents: by term, how many passages of this language in the whole library hold it (df).
        total: how many passages of this language the library has.
    """
    size = len(next(iter(holds.values()))) if holds else 0
    nothing = np.zeros(size)
    covered, mass = np.zeros(size), 0.0
    for word in wanted:
        best, found = nothing, 0
        for weight, parts in word.alternatives:
            counts = [documents.get(part, int(holds[part].sum()) if part in holds else 0) for part in parts]
            idfs = [_idf(count, total) for count in counts]
            if any(part in holds for part in parts):
                held = sum((idf * holds[part] for part, idf in zip(parts, idfs, strict=True) if part in holds), nothing)
                best = np.maximum(best, weight * held / sum(idfs))
            found = max(found, min(counts))
        importance = word.weight * _idf(found, total)
        covered, mass = covered + importance * best, mass + importance
    return covered / mass if mass else covered


def _idf(documents: int, total: int) -> float:
    return math.log(1 + (max(total - documents, 0) + 0.5) / (documents + 0.5))


class Translator:
    """Plans questions. Safe to call from several threads."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._uses = lru_cache(1024)(self._uses_of)
        self._headwords = lru_cache(4096)(self._headwords_of)

    def plan(self, question: str) -> dict[Lang, list[Wanted]]:
        """What to look for in each language; empty lists for a question of function words alone."""
        asked = words.of_question(question)
        phrases = self._phrases([word for word in asked if words.is_english(word)])
        latin = {words.stem(name.casefold()): name for name in names.latin_names(question)}
        plan: dict[Lang, list[Wanted]] = {"en": [], "zh": []}
        for word in asked:
            weight = ASKING if word in words.ASKING else 1.0
            if words.is_chinese(word):
                known = word in self._dictionary
                plan["zh"].append(Wanted(word, tuple(_as_chinese(word, 1.0, apart=not known)), weight))
                plan["en"] += self._in_english(word, weight)
            else:
                forms = tuple((1.0, (form,)) for form in (word, *words.other_forms(word)))
                plan["en"].append(Wanted(word, forms, weight))
                found = self._in_chinese(word, phrases)
                if not found and word in latin:
                    found = [(SOUND, (sound,)) for sound in names.sounds_of_latin(latin[word])]
                plan["zh"].append(Wanted(word, (*forms, *found), weight))
        return plan

    def _in_english(self, word: str, weight: float) -> list[Wanted]:
        found = _stemmed(self._dictionary.english(word))
        if len(word) == 1 or found:
            return [Wanted(word, found, weight)] if found else []
        if heard := names.sounds_of_han(word):
            return [Wanted(word, ((1.0, (word,)), *((SOUND, (sound,)) for sound in heard)), weight)]
        parts = self._split(word)
        return [self._part(part, weight * len(part) / len(word)) for part in parts]

    def _part(self, part: str, weight: float) -> Wanted:
        factor = CHARACTER if len(part) == 1 else 1.0
        found = tuple((factor * value, stems) for value, stems in _stemmed(self._dictionary.english(part)))
        return Wanted(part, (*found, (1.0, (part,))), weight)

    def _split(self, word: str) -> list[str]:
        """A word that the dictionary does not know, into the longest ones that it knows."""
        parts, start = [], 0
        while start < len(word):
            ends = range(len(word), start + 1, -1)
            end = next((end for end in ends if word[start:end] in self._dictionary), start + 1)
            parts.append(word[start:end])
            start = end
        return parts

    def _in_chinese(self, stem: str, phrases: Mapping[str, Collection[str]]) -> list[Alternative]:
        found = {headword: 1.0 for headword, stems in phrases.items() if stem in stems}
        for form in (stem, *words.other_forms(stem)):
            for headword, weight in self._headwords(form).items():
                found[headword] = max(weight, found.get(headword, 0.0))
        best = sorted(found.items(), key=lambda item: -item[1])[:MAX_ALTERNATIVES]
        return [
            alternative
            for headword, weight in best
            for alternative in _as_chinese(headword, weight * (SINGLE if len(headword) == 1 else 1.0))
        ]

    def _phrases(self, stems: Sequence[str]) -> dict[str, Collection[str]]:
        """Chinese words for glosses of several words all of which are asked for, such as "prime minister"."""
        asked = set(stems)
        longer = [np.unique(positions[counts > 1]) for counts, positions in map(self._uses, asked)]
        found: dict[str, Collection[str]] = {}
        for position in _repeated(longer):
            headword, glosses = self._dictionary.entry(position)
            for _, parts in glosses:
                stemmed = {words.stem(part) for part in parts}
                if len(stemmed) > 1 and stemmed <= asked:
                    found[headword] = stemmed
        return found

    def _headwords_of(self, stem: str) -> dict[str, float]:
        """The Chinese words one of whose glosses is this word alone, each with the weight of the gloss."""
        found: dict[str, float] = {}
        counts, positions = self._uses(stem)
        for position in np.unique(positions[counts == 1]).tolist():
            headword, glosses = self._dictionary.entry(position)
            for weight, parts in glosses:
                if len(parts) == 1 and words.stem(parts[0]) == stem:
                    found[headword] = max(weight, found.get(headword, 0.0))
        return found

    def _uses_of(self, stem: str) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        prefix = stem if len(stem) < 4 else stem[:-1]
        near = (form for form in self._dictionary.forms(prefix) if len(form) <= len(stem) + LONGEST_ENDING)
        forms = [form for form in near if words.stem(form) == stem]
        uses = [self._dictionary.uses(form) for form in forms]
        if not uses:
            return np.empty(0, np.uint32), np.empty(0, np.uint32)
        return np.concatenate([counts for counts, _ in uses]), np.concatenate([positions for _, positions in uses])


def _repeated(lists: Sequence[NDArray[np.uint32]]) -> list[int]:
    """The numbers that stand in more than one of the lists, each of which has a number once."""
    if len(lists) < 2:
        return []
    numbers, counts = np.unique(np.concatenate(lists), return_counts=True)
    return [int(number) for number in numbers[counts > 1]]


def _as_chinese(word: str, weight: float, apart: bool = False) -> Iterable[Alternative]:
    """How a Chinese word may stand in an index of characters, pairs and longer words; `apart`: it may be several words."""
    yield weight, (word,)
    if len(word) > 2:
        yield weight * PAIRS, tuple(word[n : n + 2] for n in range(len(word) - 1))
    if apart and len(word) > 1:
        yield weight * APART, tuple(word)


def _stemmed(glosses: Iterable[tuple[float, tuple[str, ...]]]) -> tuple[Alternative, ...]:
    found: dict[tuple[str, ...], float] = {}
    for weight, parts in glosses:
        stems = tuple(words.stem(part) for part in parts)
        for form in (stems, *(((other,) for other in words.other_forms(stems[0])) if len(stems) == 1 else ())):
            found[form] = max(weight, found.get(form, 0.0))
    best = sorted(found.items(), key=lambda item: -item[1])[:MAX_ALTERNATIVES]
    return tuple((weight, stems) for stems, weight in best)
