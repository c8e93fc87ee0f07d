"""Which day it is where the asker is."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from cortex.errors import Invalid


def asked_on(tz: str | None, now: dt.datetime | None = None) -> dt.date:
    """The calendar day in a zone (IANA name), else in the zone of `now`, else on this machine.

    Raises:
        Invalid: there is no such zone.
    """
    if tz is None:
        return (now or dt.datetime.now().astimezone()).date()
    try:
        zone = ZoneInfo(tz)
    except (KeyError, ValueError, OSError) as error:
        raise Invalid(
            f"the time zone {tz!r} is not known; use an IANA name such as Asia/Shanghai", field="tz"
        ) from error
    return (now or dt.datetime.now(dt.UTC)).astimezone(zone).date()
