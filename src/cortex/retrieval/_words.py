"""The question's words for translation: stems, irregular forms, and words that ask rather than say."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from cortex.text import keywords

_HAN = re.compile(r"[㐀-䶿一-鿿]")
_ENGLISH = re.compile(r"[a-z]+")

# Forms that no stemmer joins: verbs, plurals, comparatives, British spellings. A dictionary has only the first of each.
_FORMS = """
arise arose arisen|bear bore born borne|beat beaten|become became|begin began begun|bend bent|bind bound|bite bit bitten
bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught
choose chose chosen|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven
eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden
forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|hang hung|hear heard
hide hid hidden|hold held|keep kept|know knew known|lay laid|lead led|learn learnt|leave left|lend lent|lose lost|make made
mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought
sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk
sit sat|sleep slept|speak spoke spoken|spend spent|spin spun|stand stood|steal stole stolen|stick stuck|strike struck stricken
swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told
think thought|throw threw thrown|undergo underwent undergone|understand understood|wake woke woken|wear wore worn
weave wove woven|win won|withdraw withdrew withdrawn|write wrote written|man men|woman women|child children|foot feet
tooth teeth|mouse mice|life lives|wife wives|half halves|wolf wolves|knife knives|large larger largest|big bigger biggest
great greater greatest|high higher highest|small smaller smallest|long longer longest|old older oldest|early earlier earliest
late later latest|good better best|bad worse worst|low lower lowest|strong stronger strongest|rich richer richest
poor poorer poorest|young younger youngest|new newer newest|fast faster fastest|short shorter shortest|wide wider widest
deep deeper deepest|tall taller tallest|few fewer fewest|heavy heavier heaviest|cheap cheaper cheapest|theater theatre
center centre|honor honour|color colour|labor labour|harbor harbour|favor favour|neighbor neighbour|defense defence
program programme|meter metre|liter litre|fiber fibre|catalog catalogue|dialog dialogue|organize organise
recognize recognise|realize realise|analyze analyse|gray grey|behavior behaviour|armor armour|humor humour
aluminum aluminium|sulfur sulphur|plow plough|airplane aeroplane|jewelry jewellery|tire tyre|check cheque
"""

_ASKING = (
    "name call type kind sort many much long number term use thing mean happen amount percentage refer known describe give"
    " purpose example way"
)
_ASKING_HAN = (
    "名字 名称 叫 称为 种类 类型 哪 何 称 多大 多长 哪家 哪位 数量 次数 什么样 块 个 种 位 家 叫做"
    " 被称为 所谓 指 称作 次 第 些 何人 哪年 年"
)


@lru_cache(20_000)
def stem(word: str) -> str:
    """The index's term of an English word."""
    return next(iter(keywords.analyse(word, "en")), word)


def is_chinese(word: str) -> bool:
    return bool(_HAN.search(word))


def is_english(word: str) -> bool:
    return bool(_ENGLISH.fullmatch(word))


@cache
def _other_forms() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for family in _FORMS.replace("\n", "|").strip("|").split("|"):
        stems = list(dict.fromkeys(stem(word) for word in family.split()))
        for one in stems:
            found.setdefault(one, {}).update(dict.fromkeys(other for other in stems if other != one))
    return {one: tuple(others) for one, others in found.items()}


def other_forms(one: str) -> tuple[str, ...]:
    """Stems of the same word that the stemmer keeps apart."""
    return _other_forms().get(one, ())


def of_question(question: str) -> list[str]:
    """The question's terms without those that only say a longer one in other words.

    The analysis gives longer Chinese words also as pairs of characters, and what it cannot part into words as single characters
    and their pairs; here such a run comes back as one word.
    """
    found: list[str] = []
    alone = ""
    for term in (*keywords.analyse_query(question), ""):
        if len(term) == 1 and is_chinese(term):
            alone += term
        elif not (len(term) == 2 and is_chinese(term) and (term in alone or (found and term in found[-1]))):
            found += [alone] if alone else []
            found += [term] if term else []
            alone = ""
    return list(dict.fromkeys(found))


ASKING = frozenset([stem(word) for word in _ASKING.split()] + _ASKING_HAN.split())
