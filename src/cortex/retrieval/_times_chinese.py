"""Times as Chinese questions name them. Finds; what counts is decided in `times`. Reads simplified characters."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from re import Match

from cortex.retrieval import _times_calendar as calendar
from cortex.retrieval._times_calendar import Mention, Part, Place, Reader, Reading, Unit

_HAN = {mark: n for n, mark in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "日": 7, "天": 7}
_PARTS: dict[str, Part] = {"初": "early", "上旬": "early", "中": "mid", "中旬": "mid"}
_SEASONS = "春夏秋冬"
_UNITS: dict[str, Unit] = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "季度": "quarter", "年": "year",
}  # fmt: skip
_YEARS_BACK = {"今年": 0, "本年": 0, "去年": 1, "上年": 1, "前年": 2, "大前年": 3}

_D = r"[〇零一二两三四五六七八九十\d]"
_FIGURE = r"(?:19|20)\d\d|[一二][九〇零][〇零一二三四五六七八九]{2}"
_NAMED = r"(?<![如当至大过除以之不])(?:大前年|去年|今年|前年)|(?<!晚)(?:上年|本年)(?=度|[^级纪轻龄])"
_YEAR = rf"(?:(?<![\d.])(?P<year>{_FIGURE})\s*年(?:度)?|(?<!\d)(?P<short>[012]\d)年(?=\s*{_D}{{1,3}}\s*月)|(?P<named>{_NAMED}))"
_IN_YEAR = rf"(?:{_YEAR}\s*的?\s*)"
_PART = r"(?P<part>初|底|末|中旬|上旬|下旬|中(?![国文学间心午药医]))"
# Before a time that may as well be a name: the beginning of a clause, or a word that says when.
_OPEN = r"(?:^|[，,。.;；：:？?！!、（(\s]|在|于|从|自|到|至|和|跟|与|我|我们|咱们|是|他|她|把|了|以及|直到|截至)"
_WEEK = r"(?:周|星期|礼拜)"
_NOT_ON = r"(?<![上早晚路地海街网线马桌船山台楼车身以登爬飞奔])"
_NOT_BOOK = r"(?<![日基成根原样文剧书版课读])"
_NOT_WEEK = r"(?![期围刊旋岁转报边])"
_NOT_MONTH = r"(?![球亮台饼光色票经宫坛薪租嫂子季])"


def _number(text: str) -> int:
    """3, 03, 三, 十二, 五十三; up to 99. ValueError for a mixture such as 1二."""
    if text.isdigit() and text.isascii():
        return int(text)
    tens, ten, ones = text.partition("十")
    if any(part and part not in _HAN for part in (tens, ones)):
        raise ValueError(text)
    return _HAN.get(tens, 1) * 10 + _HAN.get(ones, 0) if ten else _HAN[text]


def _year(found: Match[str], today: dt.date) -> int | None:
    groups = found.groupdict()
    if groups.get("year"):
        return int("".join(str(int(mark) if mark.isdigit() else _HAN[mark]) for mark in groups["year"]))
    if groups.get("short"):
        return 2000 + int(groups["short"])
    return today.year - _YEARS_BACK[groups["named"]] if groups.get("named") else None


def _placed(found: Match[str], today: dt.date, place: Place, needs: str) -> Reading:
    """In the year that is named; the latest one where none is."""
    name = found.groupdict().get("part")
    which: Part | None = _PARTS.get(name, "late") if name else None
    placed = (lambda number: calendar.part(place(number), which)) if which else place
    year = _year(found, today)
    if year is not None:
        return placed(year), None, ""
    return calendar.latest(placed, today), placed, needs


def _day(found: Match[str], today: dt.date) -> Reading:
    month, number = _number(found["m"]), _number(found["d"])
    return _placed(found, today, lambda year: calendar.day(year, month, number), "")


def _month(found: Match[str], today: dt.date) -> Reading:
    number = _number(found["m"])
    if not 1 <= number <= 12:
        raise ValueError(number)
    return _placed(found, today, lambda year: calendar.month(year, number), _OPEN)


def _months(found: Match[str], today: dt.date) -> Reading:
    first, last = _number(found["m"]), _number(found["m2"])
    count = (last - first) % 12 + 1
    if not (1 <= first <= 12 and 1 <= last <= 12):
        raise ValueError(first, last)
    return _placed(found, today, lambda year: calendar.months(year, first, count), "")


def _years(found: Match[str], today: dt.date) -> Reading:
    return (calendar.year(int(found["y"]))[0], calendar.year(int(found["y2"]))[1]), None, ""


def _quarter(found: Match[str], today: dt.date) -> Reading:
    number = _number(found["q"])
    if not 1 <= number <= 4:
        raise ValueError(number)
    return _placed(found, today, lambda year: calendar.quarter(year, number), _OPEN)


def _last_quarter(found: Match[str], today: dt.date) -> Reading:
    return _placed(found, today, lambda year: calendar.quarter(year, 4), "")


def _half(found: Match[str], today: dt.date) -> Reading:
    number = 1 if found["half"] in "上前" else 2
    return _placed(found, today, lambda year: calendar.half(year, number), "")


def _week(found: Match[str], today: dt.date) -> Reading:
    number = _number(found["w"])
    return _placed(found, today, lambda year: calendar.week(year, number), _OPEN)


def _season(found: Match[str], today: dt.date) -> Reading:
    number = _SEASONS.index(found["season"])
    if found.groupdict().get("rel"):
        return calendar.latest(lambda year: calendar.season(year, number), today, ended=found["rel"] == "上"), None, ""
    return _placed(found, today, lambda year: calendar.season(year, number), "")


def _end_of_year(found: Match[str], today: dt.date) -> Reading:
    return _placed(found, today, calendar.year, _OPEN)


def _year_alone(found: Match[str], today: dt.date) -> Reading:
    year = _year(found, today)
    assert year is not None
    return calendar.year(year), None, ""


def _relative_week(found: Match[str], today: dt.date) -> Reading:
    monday, sunday = calendar.around("week", today, len(found["back"] or ""))
    if not found["day"]:
        return (monday, sunday), None, ""
    if found["day"] == "末":
        return (sunday - dt.timedelta(days=1), sunday), None, ""
    return (monday + dt.timedelta(days=_number(found["day"]) - 1),) * 2, None, ""


def _relative(found: Match[str], today: dt.date) -> Reading:
    unit: Unit = "month" if found["unit"] == "月" else "quarter"
    days = calendar.around(unit, today, len(found["back"] or ""))
    name = found["part"]
    return (calendar.part(days, _PARTS.get(name, "late")) if name else days), None, ""


def _weekday(found: Match[str], today: dt.date) -> Reading:
    return calendar.weekday(_number(found["day"]) - 1, today), None, _OPEN


def _near(found: Match[str], today: dt.date) -> Reading:
    days = {"昨": 1, "今": 0, "前": 2, "大": 3}[found[0][0]]
    return calendar.around("day", today, days), None, ""


def _rolling(found: Match[str], today: dt.date) -> Reading:
    if found["n"] == "半":
        return calendar.rolling("month", today, {"年": 6, "月": 1}[found["unit"]]), None, ""
    return calendar.rolling(_UNITS[found["unit"]], today, _number(found["n"])), None, ""


def _ago(found: Match[str], today: dt.date) -> Reading:
    if found["n"] == "半":
        return calendar.around("month", today, 6), None, ""
    return calendar.around(_UNITS[found["unit"]], today, _number(found["n"])), None, ""


def _same(found: Match[str], today: dt.date) -> Reading:
    year = today.year - _YEARS_BACK[found["y"]]
    if found["what"] == "今":
        return calendar.day(year, today.month, today.day), None, ""
    return calendar.month(year, today.month), None, ""


_TO = r"\s*(?:到|至|-|~|–|—)\s*"
_MONTH_FOLLOWS = (
    r"(?=$|份(?!额)|以来|之后|以后|之前|以前|的(?!狮子|天空|鹰|蝉)|[，,。？?！!、;；\s]|[我你他她咱这那哪]|(?:到|至|和|与)[去今前\d一二三四五六七八九十]|去|写|做|买|有|都|发|生|在|说|开|读|看|吃|"
    r"跑|学|是(?!什么|几|哪)|"
    r"体|搬|旅|出|回|里|内|间|期间|底|初|末)"
)
_NOT_ORDINAL = rf"(?<!{_D})(?<![每隔头前近满逢第个历第阳闰])"

FORMS: tuple[tuple[str, Reader], ...] = (
    (rf"{_IN_YEAR}(?P<m>{_D}{{1,2}})\s*月\s*(?P<d>{_D}{{1,3}})\s*[日号](?!线|楼|店|房|院|元|机)", _day),
    (
        rf"{_NOT_ORDINAL}(?<!年)(?<!年的)(?P<m>{_D}{{1,2}})\s*月\s*(?P<d>{_D}{{1,3}})\s*[日号](?!线|楼|店|房|院|元|机)",
        _day,
    ),
    (rf"{_IN_YEAR}(?P<m>{_D}{{1,2}})\s*月(?!{_D}|之?交)(?:份)?{_PART}?", _month),
    (rf"{_NOT_ORDINAL}(?P<m>{_D}{{1,2}})\s*月(?:份)?{_PART}?{_MONTH_FOLLOWS}", _month),
    (rf"{_IN_YEAR}?{_NOT_ORDINAL}(?P<m>{_D}{{1,2}})月?{_TO}(?P<m2>{_D}{{1,2}})\s*月(?!{_D})(?:份)?", _months),
    (rf"(?<![\d.])(?P<y>(?:19|20)\d\d)\s*年?{_TO}(?P<y2>(?:19|20)\d\d)\s*年(?!代)", _years),
    (rf"{_IN_YEAR}(?:第\s*)?(?P<q>[一二三四1-4])\s*个?季度?(?!节)", _quarter),
    (rf"{_IN_YEAR}q(?P<q>[1-4])(?![\da-z])", _quarter),
    (r"第(?P<q>[一二三四1-4])\s*个?季度", _quarter),
    (r"(?<![每前])(?P<q>[一二三四])季度", _quarter),
    (r"(?<![\w./-])q(?P<q>[1-4])(?=[一-鿿])(?!是|的?(?:问|题|表示|答|卡))", _quarter),
    (rf"{_IN_YEAR}(?:最后|末)一?个?季度", _last_quarter),
    (rf"{_IN_YEAR}?(?<!前)(?P<half>[上下前后])半年(?!后|前|来|内)", _half),
    (rf"{_IN_YEAR}第\s*(?P<w>{_D}{{1,3}})\s*个?{_WEEK}(?!年)", _week),
    (rf"第\s*(?P<w>{_D}{{1,3}})\s*个?{_WEEK}(?!年|的?(?:课|训|作|练|考|产|教|计))", _week),
    (rf"{_IN_YEAR}(?P<season>[春夏秋冬])(?:天|季|日)?(?!节|联|晚|运|招|笋|令|款|装|季?赛)", _season),
    (r"(?<![晚早马])(?P<rel>[上这今])个?(?P<season>[春夏秋冬])(?:天|季)", _season),
    (rf"{_YEAR}的?年?{_PART}(?!期|级|[一二三四])", _end_of_year),
    (rf"(?<!{_D})(?<![每半几整多去前今本学])年{_PART}(?!期|级|[一二三四])", _end_of_year),
    (
        rf"{_YEAR}(?![级轻龄纪版代款产型满]|多大|[一二三四1-4]班|.{{0,3}}岁|高[一二三]|[初小大][一二三四五六])",
        _year_alone,
    ),
    (rf"{_NOT_ON}(?P<back>上{{1,4}})(?:一|个|一个)?{_WEEK}(?P<day>[一二三四五六日天末])?{_NOT_WEEK}", _relative_week),
    (rf"{_NOT_BOOK}(?:这|本|这个|这一)(?P<back>){_WEEK}(?P<day>[一二三四五六日天末])?{_NOT_WEEK}", _relative_week),
    (rf"{_NOT_ON}(?P<back>上{{1,4}})(?:一|个|一个)?(?P<unit>月|季度)(?:份)?{_PART}?{_NOT_MONTH}", _relative),
    (rf"{_NOT_BOOK}(?:这个?|本)(?P<back>)(?P<unit>月|季度)(?:份)?{_PART}?{_NOT_MONTH}", _relative),
    (
        rf"(?<![到至和与、-]){_WEEK}(?P<day>[一二三四五六日天])(?![到至-]|[、和]{_WEEK}?[一二三四五六日天]|周|次|回|本)",
        _weekday,
    ),
    (r"大前天|(?<![以之年月周天日大])前天(?![天气上下空生])|昨[天日晚夜]", _near),
    (r"(?<![如当每至到现])今(?:天|日|早|晚|晨)(?!头条|的?[世社年时中科互])", _near),
    (
        rf"(?:最近|过去|(?<![附将接临远邻最])近|这(?=[两二三四五六七八九十\d][^年]{{0,2}}[^年]))的?(?P<n>半|{_D}{{1,2}})个?"
        rf"(?P<unit>天|日|周(?!年|期)|星期|礼拜|月|季度|年(?![级轻代]))",
        _rolling,
    ),
    (
        rf"(?<!提)(?<!{_D})(?P<n>半|{_D}{{1,3}})个?(?P<unit>天|周|星期|礼拜|月|年)(?:以|之)?前(?![端台后置提]|[^，,。？?]{{0,4}}[要应该需得])",
        _ago,
    ),
    (r"(?P<y>去年|前年)(?:的)?(?P<what>今|同|这)(?:天|日|期|个?时候)", _same),
)
COMPILED = calendar.compiled(FORMS)


def mentions(text: str, today: dt.date) -> Iterator[Mention]:
    """Whatever may be a time in a text, overlapping ones too."""
    yield from calendar.found(COMPILED, text, today)
