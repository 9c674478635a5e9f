"""Salons whose hours are in the wrong form."""

from sloppy.call import closest, fails, salon, succeeds

CALLS = [
    succeeds("8.5 is ten to nine", "salons_put", salon(open_time=8.5), "08:50-17:00"),
    succeeds(
        "the answer to a change shows the hours",
        "salons_put",
        salon(dry_run=False, open_time=8.5),
        "08:50-17:00",
    ),
    succeeds(
        "hours as text", "salons_put", salon(open_time="08:30", close_time="17:15"), "08:30-17:15"
    ),
    succeeds("hours as text with one digit", "salons_put", salon(open_time="8:30"), "08:30-17:00"),
    fails("8.30am", "salons_put", salon(open_time="8.30am"), "open_time", r"\b08:30\b"),
    fails(
        "three quarters of an hour",
        "salons_put",
        salon(open_time=8.75),
        "open_time",
        r"\b0?8[.:]45\b",
    ),
    fails(
        "hour 24.5",
        "salons_put",
        salon(close_time=24.5),
        "close_time",
        r"\b0?0[.:]50\b|\b23[.:]59\b",
    ),
    fails(
        "names of weekdays",
        "salons_put",
        salon(weekly={"Monday": [["09:00", "17:00"]]}),
        "Monday",
        r"\bmon\b",
    ),
    fails(
        "one interval without its list",
        "salons_put",
        salon(weekly={"mon": ["09:00", "17:00"]}),
        "mon",
        r'\[\[\\?"09:00',
    ),
    fails(
        "hours in camel case",
        "salons_put",
        salon(open_time=None, close_time=None, openTime=9, closeTime=17),
        closest("openTime", "open_time"),
        closest("closeTime", "close_time"),
    ),
    fails(
        "an empty salon",
        "salons_put",
        {"salon": {}},
        r"\bid\b",
        r"\bname\b",
        "location",
        "open_time",
        "close_time",
    ),
]
