"""What kind of thing an answer to a question would hold: a number, a time, a phone number, an address. Pure functions."""

from __future__ import annotations

import re

_PHONE = re.compile(
    r"\b(?:phone|telephone|mobile|call)\b.*\?|\b(?:phone|telephone|mobile) number|电话|手机|号码", re.IGNORECASE
)
_EMAIL = re.compile(r"\be-?mail\b|邮箱|电子邮件|邮件地址", re.IGNORECASE)
_NUMBER = re.compile(
    r"\bhow (?:many|much|long|old|far|often|big|large|tall|high|wide|deep|heavy|fast|late|early|soon|hot|cold)\b"
    r"|\bwhen\b|\bwhat (?:time|year|date|day|month|price|percentage|share|size|number|temperature|age)\b"
    r"|\bwhich (?:year|date|day|month|week)\b|\b(?:cost|price|percent)\b"
    r"|多少|多久|多长|多大|多高|多远|多重|几|什么时候|何时|哪[天年月日一]|价|时间|比例|温度|年龄|岁数|度数",
    re.IGNORECASE,
)

_HAS_PHONE = re.compile(r"\d[\d\s()-]{5,}\d")
_HAS_EMAIL = re.compile(r"\S@\S")
_HAS_NUMBER = re.compile(
    r"\d|[一二两三四五六七八九十百千万半几][十百千万]?[个天年月日号点分秒岁斤克公块元只次遍张本间章页小周星层倍度成升人]"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred|thousand|half|"
    r"twice|once|january|february|march|april|june|july|august|september|october|november|december|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    re.IGNORECASE,
)


def expected(question: str) -> re.Pattern[str] | None:
    """A pattern that a sentence which answers the question would match; None where nothing can be expected."""
    if _EMAIL.search(question):
        return _HAS_EMAIL
    if _PHONE.search(question):
        return _HAS_PHONE
    return _HAS_NUMBER if _NUMBER.search(question) else None
