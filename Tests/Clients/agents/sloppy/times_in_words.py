"""Times in words, and in other forms than ISO 8601."""

from expectations import EXAMPLE, NOW, Never, works
from samples import NOVA, SCHERENSCHNITT, visit
from sloppy.call import AVAILABILITY, BOOK, HOLD, days, fails, succeeds

CALLS = [
    succeeds("tomorrow 10:30am", BOOK, visit(NOVA, "tomorrow 10:30am"), "{tomorrow}T10:30"),
    succeeds("Tomorrow at 11:30 AM", HOLD, visit(NOVA, "Tomorrow at 11:30 AM"), "{tomorrow}T11:30"),
    succeeds(
        "a range from tomorrow to tomorrow",
        AVAILABILITY,
        days(NOVA, "tomorrow", "tomorrow"),
        '"date": ?"{tomorrow}"',
        Never('"date": ?"{today}"'),
    ),
    succeeds(
        "a range from today to tomorrow",
        AVAILABILITY,
        days(NOVA, "today", "tomorrow"),
        '"date": ?"{today}"',
        '"date": ?"{tomorrow}"',
    ),
    succeeds("a space instead of T", BOOK, visit(NOVA, "{day} 11:30"), "{day}T11:30"),
    fails(
        "tomorrow 10am where the salon has no clock",
        BOOK,
        visit(SCHERENSCHNITT, "tomorrow 10am"),
        NOW,
        EXAMPLE,
        "offset",
        works("appointmentTime"),
    ),
    fails(
        "next and a weekday, which could be either of two days",
        BOOK,
        visit(NOVA, "next {other_weekday} at 11:30"),
        NOW,
        EXAMPLE,
        r"\b{weekday_in_utc}\b",
    ),
    fails("as soon as possible", HOLD, visit(NOVA, "ASAP"), NOW, EXAMPLE, AVAILABILITY),
    fails("an hour without a date", BOOK, visit(NOVA, "10:30"), NOW, EXAMPLE),
    fails("a date without an hour", BOOK, visit(NOVA, "{day}"), r"{day}T\d\d:\d\d", AVAILABILITY),
    fails("a date in American order", BOOK, visit(NOVA, "{american_day} 11:30"), NOW, EXAMPLE),
    fails("a Unix time", BOOK, visit(NOVA, 1_900_000_000), NOW, EXAMPLE, "string"),
    fails("no time at all", BOOK, visit(NOVA, ""), NOW, EXAMPLE, "appointmentTime"),
]
