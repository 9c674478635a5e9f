"""Dates that the calls refer to. All salons that they concern have almost the same clock."""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

PARIS = ZoneInfo("Europe/Paris")
# Days on which a sample salon or its staff has different hours, in every year.
UNUSUAL = {(12, 24), (12, 25), (12, 28), (12, 29), (12, 31), (1, 1), (1, 5)}


def facts():
    today = datetime.now(PARIS).date()
    wednesday, sunday = usual(today, 2), usual(today, 6)
    last = after(today, 90)
    return {
        "today": today.isoformat(),
        "weekday_in_utc": f"{datetime.now(UTC):%A}",
        "other_weekday": f"{after(today, 3):%A}",
        "tomorrow": after(today, 1).isoformat(),
        "yesterday": after(today, -1).isoformat(),
        "day": wednesday.isoformat(),
        "next_day": after(wednesday, 1).isoformat(),
        "offset": datetime.combine(wednesday, time(12), PARIS).isoformat()[-6:],
        "american_day": f"{wednesday:%m/%d/%Y}",
        "sunday": sunday.isoformat(),
        "monday": after(sunday, 1).isoformat(),
        "last": last.isoformat(),
        "day_after_last": after(last, 1).isoformat(),
        "half_a_year": after(today, 180).isoformat(),
        "next_year": str(today.year + 1),
    }


def usual(today: date, weekday: int) -> date:
    """The first day with this weekday that is at least a week ahead and is followed by two days
    that, like the day itself, have usual hours."""
    days = (after(today, count) for count in range(7, 60))
    return next(
        day
        for day in days
        if day.weekday() == weekday
        and not any((d.month, d.day) in UNUSUAL for d in (after(day, n) for n in range(3)))
    )


def after(day: date, count: int) -> date:
    return day + timedelta(days=count)


def minutes_now():
    """The present minute and the ones around it, on every clock that an answer may use."""
    now = datetime.now(UTC)
    zones = UTC, PARIS, ZoneInfo("Europe/London"), None
    return {
        f"{(now + timedelta(minutes=minute)).astimezone(zone):%Y-%m-%dT%H:%M}"
        for minute in (-1, 0, 1)
        for zone in zones
    }


def filled(value, values):
    """Replaces `{names}` in all texts of a value."""
    if isinstance(value, dict):
        return {key: filled(item, values) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, values) for item in value]
    if isinstance(value, str):
        return re.sub(r"\{([a-z_]+)\}", lambda match: values[match[1]], value)
    return value
