"""Names that no dictionary has, compared by their sound: Sheepshanks and 希普尚克斯, Sullivan and 沙利文.

Foreign names are written in Chinese with some three hundred characters chosen for their sound. Both sides become a string of
consonant classes (b and p are one class, r and l another, vowels none), and a name is heard in a text if its classes occur there,
give or take what such a transcription usually drops or adds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

MARK = "~"
"""Begins a term that is a sound, which no index holds: `heard` says which texts have it."""

CERTAIN = 0.85
"""Similarity from which two names are taken for one."""

SHORTEST = 3
"""Consonants that a name needs; shorter ones are heard everywhere."""

_CHARACTERS = {
    "": "阿埃伊奥艾亚耶约尤雅娅以叶厄欧尧怡依于",
    "F": "夫弗福法菲费富甫孚伏芙",
    "FN": "范芬丰藩凡",
    "H": "赫哈黑霍胡海豪华怀惠荷合亥贺",
    "HN": "汉亨洪翰",
    "K": "格盖戈古高克卡凯科库考贾奎柯夸圭果哥葛噶喀瓜桂郭",
    "KN": "甘根贡坎肯康孔匡冈昆关",
    "L": "尔拉莱利洛卢赖劳雷里罗鲁丽莉露勒乐吕廖柳律缪",
    "LN": "兰伦林隆朗琳廉梁龙仑",
    "M": "姆马梅米莫穆迈毛玛玫弥摩麦茂谬",
    "MN": "曼门明蒙",
    "N": "安恩因昂纳内尼诺努奈瑙扬延娜妮拿杨茵英纽聂涅牛印永渊",
    "NN": "南嫩宁农",
    "P": "布巴贝比博拜鲍普帕佩皮波派保彼堡泊匹",
    "PN": "班本宾邦潘彭平庞蓬",
    "S": "加吉基兹扎泽齐佐祖茨察策奇措楚斯萨塞西索苏赛绍什沙舍希肖舒夏查切乔丘柴杰焦朱丝莎撒迦稣瑟谢洲梭鸠卓戛恰崔雪佳嘉宰则兆哲珠孜紫邹",
    "SN": "金曾桑森辛松尚申欣雄昌钦琼詹汤逊简赞藏增珍宗尊",
    "T": "德达黛迪多杜戴道特塔泰蒂托图太陶底狄铎翟竺",
    "TN": "丹登丁东坦滕廷通顿敦",
    "W": "乌瓦维沃武韦伍薇魏威巫",
    "WN": "翁文万旺瓮",
}
_CLASSES = {character: classes for classes, characters in _CHARACTERS.items() for character in characters}
_RUN = re.compile(f"[{''.join(_CLASSES)}]{{2,}}")
_NAME = re.compile(r"\b[A-Z][^\W\d_]{2,}")

_SPELLINGS = (
    ("ough|igh", ""),
    ("sch|tch|ch|sh", "S"),
    ("ph", "F"),
    ("th", "T"),
    ("ck", "K"),
    ("qu", "KW"),
    ("x", "KS"),
    ("wh", "W"),
    ("kn", "N"),
    ("c(?=[eiy])", "S"),
    ("g(?=[eiy])", "S"),
    ("ng(?![aeiou])", "N"),
)
_LETTERS = str.maketrans("bpdtgkcqfvszjlrmnhw", "PPTTKKKKFWSSSLLMNHW")
_DROPPED = {"L": 0.4, "H": 0.4, "W": 0.5}
_NEAR = frozenset(map(frozenset, ("FW", "MN", "SK", "HK", "TS", "WP")))


@lru_cache(20_000)
def sound_of_latin(name: str) -> str:
    """Consonant classes of a name in Latin letters."""
    decomposed = unicodedata.normalize("NFD", name.casefold())
    text = "".join(letter for letter in decomposed if letter.isascii() and letter.isalpha())
    for pattern, classes in _SPELLINGS:
        text = re.sub(pattern, classes, text)
    classes = re.sub(r"[a-z]", "-", text.translate(_LETTERS))
    return re.sub(r"(.)\1+", r"\1", classes).replace("-", "")


def sound_of_han(run: str) -> str:
    """Consonant classes of a name in Chinese characters."""
    return "".join(_CLASSES.get(character, "") for character in run)


def latin_names(text: str) -> list[str]:
    """The capitalised words of a text."""
    return list(dict.fromkeys(_NAME.findall(text)))


def han_names(text: str) -> list[str]:
    """Runs of two and more of the characters that foreign names are written with (simplified ones)."""
    return list(dict.fromkeys(_RUN.findall(text)))


@lru_cache(50_000)
def similarity(name: str, heard: str) -> float:
    """How much of `name` occurs somewhere in `heard`, 0 to 1: an edit distance with free ends (Sellers 1980).

    Both are strings of classes. What transcriptions drop (l, h, w) costs less, and so does a last consonant.
    """
    row = [0.0] * (len(heard) + 1)
    for n, wanted in enumerate(name):
        drop = _DROPPED.get(wanted, 1.0) * (0.5 if n == len(name) - 1 else 1.0)
        before, row = row, [row[0] + drop]
        for m, given in enumerate(heard):
            change = 0.0 if wanted == given else 0.3 if frozenset((wanted, given)) in _NEAR else 1.0
            row.append(min(before[m] + change, before[m + 1] + drop, row[m] + 0.8 * _DROPPED.get(given, 1.0)))
    return 1.0 - min(row) / max(0.1, sum(_DROPPED.get(letter, 1.0) for letter in name))


def heard(term: str, texts: Sequence[str], *, chinese: bool) -> NDArray[np.bool_]:
    """In which of the texts a sound occurs, shape (texts,).

    Args:
        term: `MARK` and the classes.
        chinese: the texts' language, the other one than the name's.
    """
    return np.array([_heard(term.removeprefix(MARK), text, chinese) for text in texts], dtype=bool)


def _heard(sound: str, text: str, chinese: bool) -> bool:
    if chinese:
        return any(_alike(sound, sound_of_han(run)) for run in han_names(text))
    return any(_same(sound, sound_of_latin(name)) for name in latin_names(text))


def _alike(name: str, run: str) -> bool:
    """A Latin name inside a Chinese run, which may hold more than the name."""
    return len(run) >= 0.6 * len(name) and similarity(name, run) >= CERTAIN


def _same(run: str, name: str) -> bool:
    """A Chinese run against one Latin name: they must be alike as wholes."""
    if len(name) < SHORTEST or not 0.6 * len(run) <= len(name) <= 1.7 * len(run):
        return False
    return min(similarity(run, name), similarity(name, run)) >= CERTAIN


def sounds_of_latin(name: str) -> list[str]:
    """The terms by which Chinese texts may have a Latin name; none if it is too short. A plural may stand for the name."""
    found = {sound_of_latin(name), sound_of_latin(name.removesuffix("s"))}
    return sorted(MARK + sound for sound in found if len(sound) >= SHORTEST)


def sounds_of_han(run: str) -> list[str]:
    """The terms by which English texts may have a name in Chinese characters; none if some of them write no names."""
    sound = sound_of_han(run)
    return [MARK + sound] if _RUN.fullmatch(run) and len(sound) >= SHORTEST else []
