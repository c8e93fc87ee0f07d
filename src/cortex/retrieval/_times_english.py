"""Times as English questions name them, and dates in figures. Finds; what counts is decided in `times`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from re import Match

from cortex.retrieval import _times_calendar as calendar
from cortex.retrieval._times_calendar import Mention, Part, Place, Reader, Reading, Unit

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
_NUMBERS = {
    word: n
    for n, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
}
_NUMBERS |= {"a": 1, "an": 1, "a couple of": 2}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_PARTS: dict[str, Part] = {"early": "early", "beginning": "early", "start": "early", "mid": "mid", "middle": "mid"}

_B = r"(?<![a-z0-9_.\-/#@$€£:+])"
_E = r"(?![a-z0-9_@%]|[-/.:,]\d|-[a-z])"
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z0-9_])\.?"
)
_YEAR = (
    r"(?:19|20)\d\d|last year|this year|the (?:previous|current) year|the year before last|"
    r"(?:two|three|four|five) years ago"
)
_OF_YEAR = rf"(?:(?:,? (?:of |in |from )?|[-/])(?P<year>{_YEAR}){_E}(?!['’]s [a-z]*born))"
_PART = r"(?:(?:the )?(?P<part>early|late|mid|beginning of|start of|middle of|end of)[ -](?:in )?)?"
_N = r"(?P<n>\d{1,3}|a couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_IN = r"(?:in|during|since|before|after|until|till|from|between|throughout|around)(?: early| late)?"
_ON = r"(?:on|since|before|after|until|till|from|between)"
_COUNTED = (
    r"(?! (?:words?|characters?|people|persons?|users?|ms|seconds?|minutes?|hours?|days|weeks|months|years|steps?|lines?|pages?|m|km|"
    r"metres?|meters?|miles?|kcal|calories|dollars|euros|yuan|rmb|rows?|files?|notes|bits?|bytes?|tokens?|copies|pieces)\b)"
)


def _year(text: str, today: dt.date) -> int:
    if text.isdigit():
        return int(text)
    if text.endswith("ago"):
        return today.year - _NUMBERS[text.split()[0]]
    return today.year - {"last year": 1, "the previous year": 1, "the year before last": 2}.get(text, 0)


def _placed(found: Match[str], today: dt.date, place: Place, needs: str) -> Reading:
    """In the year that is named; the latest one where none is."""
    groups = found.groupdict()
    name = (groups.get("part") or "").split(" ")[0]
    which: Part | None = _PARTS.get(name, "late") if name else None
    placed = (lambda year: calendar.part(place(year), which)) if which else place
    if groups.get("year"):
        return placed(_year(groups["year"], today)), None, ""
    return calendar.latest(placed, today), placed, "" if which else needs


def _month_number(found: Match[str]) -> int:
    return _MONTHS.index(found["month"][:3]) + 1


def _figures(found: Match[str], today: dt.date) -> Reading:
    return calendar.day(int(found["y"]), int(found["m"]), int(found["d"])), None, ""


def _figures_month(found: Match[str], today: dt.date) -> Reading:
    if not 1 <= int(found["m"]) <= 12:
        raise ValueError(found["m"])
    return calendar.month(int(found["y"]), int(found["m"])), None, ""


def _day(found: Match[str], today: dt.date) -> Reading:
    month, number = _month_number(found), int(found["d"])
    return _placed(found, today, lambda year: calendar.day(year, month, number), "" if found["th"] else _ON)


def _month(found: Match[str], today: dt.date) -> Reading:
    number = _month_number(found)
    return _placed(found, today, lambda year: calendar.month(year, number), _IN)


def _named_month(found: Match[str], today: dt.date) -> Reading:
    number = _month_number(found)
    if found["rel"] == "this":
        return calendar.month(today.year, number), None, ""
    return calendar.latest(lambda year: calendar.month(year, number), today, ended=True), None, ""


def _quarter(found: Match[str], today: dt.date) -> Reading:
    groups = found.groupdict()
    number = _ORDINALS[groups["ordinal"]] if groups.get("ordinal") else int(found["q"])
    needs = r"(?:in|during|since|before|after|until|from|between|throughout|for)" + (
        " the" if groups.get("ordinal") else ""
    )
    return _placed(found, today, lambda year: calendar.quarter(year, number), needs)


def _half(found: Match[str], today: dt.date) -> Reading:
    groups = found.groupdict()
    number = _ORDINALS[groups["ordinal"]] if groups.get("ordinal") else int(found["h"])
    return _placed(found, today, lambda year: calendar.half(year, number), "never")


def _week(found: Match[str], today: dt.date) -> Reading:
    number = int(found["w"])
    return _placed(
        found, today, lambda year: calendar.week(year, number), r"(?:in|during|since|before|after|for|from|of)"
    )


def _week_of(found: Match[str], today: dt.date) -> Reading:
    last = found["rel"] == "last"
    if found["month"] is None:
        return calendar.seven_days(calendar.year(_year(found["whole"], today)), last=last), None, ""
    number = _month_number(found)
    days, place, _ = _placed(
        found, today, lambda year: calendar.seven_days(calendar.month(year, number), last=last), ""
    )
    return days, place, ""


def _week_around(found: Match[str], today: dt.date) -> Reading:
    month, number = _month_number(found), int(found["d"])
    return _placed(found, today, lambda year: calendar.week_around(dt.date(year, month, number)), "")


def _season(found: Match[str], today: dt.date) -> Reading:
    number = _SEASONS[found["season"]]
    if found.groupdict().get("rel"):
        ended = found["rel"] == "last"
        return calendar.latest(lambda year: calendar.season(year, number), today, ended=ended), None, ""
    return _placed(found, today, lambda year: calendar.season(year, number), "")


def _relative(found: Match[str], today: dt.date) -> Reading:
    back = 0 if found["rel"] in ("this", "the current") else 1
    if found["unit"] == "weekend":
        monday, sunday = calendar.week_around(today - dt.timedelta(days=7 * back))
        return (sunday - dt.timedelta(days=1), sunday), None, ""
    days = calendar.around(_unit(found["unit"]), today, back)
    name = (found["part"] or "").split(" ")[0]
    return (calendar.part(days, _PARTS.get(name, "late")) if name else days), None, ""


def _unit(word: str) -> Unit:
    units: tuple[Unit, ...] = ("day", "week", "month", "quarter", "year")
    return next(unit for unit in units if word.startswith(unit))


def _number(word: str | None) -> int:
    return int(word) if word and word.isdigit() else _NUMBERS[word or "one"]


def _ago(found: Match[str], today: dt.date) -> Reading:
    return calendar.around(_unit(found["unit"]), today, _number(found["n"])), None, ""


def _rolling(found: Match[str], today: dt.date) -> Reading:
    return calendar.rolling(_unit(found["unit"]), today, _number(found.groupdict().get("n"))), None, ""


def _weekday(found: Match[str], today: dt.date) -> Reading:
    number = _WEEKDAYS.index(found["day"])
    if found["rel"] == "this":
        return (calendar.week_around(today)[0] + dt.timedelta(days=number),) * 2, None, ""
    return calendar.weekday(number, today, strictly=bool(found["rel"])), None, "" if found["rel"] else _ON


def _year_alone(found: Match[str], today: dt.date) -> Reading:
    days = calendar.year(_year(found["y"], today))
    if found["part"]:
        return calendar.part(days, _PARTS.get(found["part"].split(" ")[0], "late")), None, ""
    return days, None, _IN


def _back(days: int) -> Reader:
    return lambda _, today: (calendar.around("day", today, days), None, "")


def _same_month(found: Match[str], today: dt.date) -> Reading:
    return calendar.month(today.year - 1, today.month), None, ""


_UNITS = r"(?P<unit>days?|weeks?|months?|quarters?|years?)(?![a-z])"
_OTHER_OF = r"(?! of (?!last|this|the (?:previous|current) year|(?:19|20)\d\d))"

FORMS: tuple[tuple[str, Reader], ...] = (
    (rf"{_B}(?P<y>(?:19|20)\d\d)(?P<s>[-/.])(?P<m>\d\d?)(?P=s)(?P<d>\d\d?){_E}", _figures),
    (rf"{_B}(?P<y>(?:19|20)\d\d)[-/](?P<m>\d\d){_E}", _figures_month),
    (rf"{_B}(?P<year>(?:19|20)\d\d)(?:[- ]?w| week )(?P<w>\d\d?){_E}", _week),
    (rf"{_B}(?P<year>(?:19|20)\d\d)[- ]?q(?P<q>[1-4]){_E}", _quarter),
    (rf"{_B}{_MONTH} (?P<d>\d\d?)(?P<th>st|nd|rd|th)?{_OF_YEAR}?{_E}", _day),
    (rf"{_B}(?:the )?(?P<d>\d\d?)(?P<th>st|nd|rd|th)? (?:of )?{_MONTH}{_OF_YEAR}?{_E}", _day),
    (rf"{_B}{_PART}{_MONTH}{_OF_YEAR}?{_E}{_OTHER_OF}(?! madness)", _month),
    (rf"{_B}(?<!the )(?P<rel>last|this|this past|past) {_MONTH}{_E}{_OTHER_OF}(?! madness)", _named_month),
    (rf"{_B}q(?P<q>[1-4]){_OF_YEAR}?{_E}{_OTHER_OF}", _quarter),
    (rf"{_B}(?:the )?(?P<ordinal>first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) quarter{_OF_YEAR}{_E}", _quarter),
    (rf"{_B}(?P<ordinal>first|second|third|fourth) quarter{_E}(?! of| moon| final|-)", _quarter),
    (rf"{_B}(?:the )?(?P<ordinal>first|second) half{_OF_YEAR}{_E}", _half),
    (rf"{_B}h(?P<h>[12]){_OF_YEAR}{_E}", _half),
    (rf"{_B}(?:week|wk) (?P<w>\d\d?){_OF_YEAR}?{_E}{_OTHER_OF}", _week),
    (rf"{_B}w(?P<w>\d\d?){_OF_YEAR}{_E}", _week),
    (rf"{_B}(?:the )?(?P<rel>first|last) week (?:of|in) (?:{_MONTH}{_OF_YEAR}?|(?P<whole>{_YEAR})){_E}", _week_of),
    (rf"{_B}the week of {_MONTH} (?P<d>\d\d?)(?:st|nd|rd|th)?{_OF_YEAR}?{_E}", _week_around),
    (
        rf"{_B}(?<!the )(?P<rel>last|this|this past) (?P<season>spring|summer|autumn|fall|winter)(?! school| camp){_E}",
        _season,
    ),
    (rf"{_B}(?:the )?(?P<season>spring|summer|autumn|fall|winter){_OF_YEAR}{_E}", _season),
    (
        rf"{_B}(?<!the ){_PART}(?P<rel>last|this|this past|the previous|the current) (?P<unit>weekend|week|month|quarter|year){_E}"
        rf"(?! of|[- ](?:after|moon|by|over|end)\b)",
        _relative,
    ),
    (
        rf"{_B}the (?P<unit>week|month|quarter|year) before last{_E}",
        lambda f, t: (calendar.around(_unit(f["unit"]), t, 2), None, ""),
    ),
    (rf"{_B}(?<!than )(?<!over ){_N} {_UNITS} ago(?![a-z])", _ago),
    (
        rf"{_B}(?:in|over|during|within|for|from|across|throughout) (?:the|these|this|my) (?:last|past) (?:{_N} )?{_UNITS}{_OTHER_OF}",
        _rolling,
    ),
    (rf"{_B}the (?:last|past) {_N} {_UNITS}{_OTHER_OF}", _rolling),
    (rf"{_B}the past {_UNITS}{_OTHER_OF}", _rolling),
    (
        rf"{_B}(?:(?P<rel>last|this|this past) )?(?P<day>monday|tuesday|wednesday|thursday|friday|saturday|sunday){_E}"
        rf"(?! (?:to|through|until|till) [a-z]+day)",
        _weekday,
    ),
    (
        rf"{_B}{_PART}(?P<y>{_YEAR}){_E}{_COUNTED}(?!\s*(?:to|-|–|and|or)\s*(?!(?:19|20)\d\d(?!\d))\d)(?! of )",
        _year_alone,
    ),
    (rf"{_B}the day before yesterday(?![a-z])", _back(2)),
    (rf"{_B}yesterday(?![a-z])(?! once more)", _back(1)),
    (rf"{_B}last night(?![a-z])", _back(1)),
    (rf"{_B}(?:today|this (?:morning|afternoon|evening))(?![a-z])", _back(0)),
    (rf"{_B}this time last year(?![a-z])", _same_month),
)


def mentions(text: str, today: dt.date) -> Iterator[Mention]:
    """Whatever may be a time in a text in lower case, overlapping ones too."""
    yield from calendar.found(COMPILED, text, today)


COMPILED = calendar.compiled(FORMS)
