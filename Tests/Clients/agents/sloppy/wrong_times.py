"""Times and ranges that cannot be meant."""

from expectations import NOW, works
from samples import AETHER, FRINGE, NOVA, SCHERENSCHNITT, SOL, visit
from sloppy.call import (
    AVAILABILITY,
    BOOK,
    BOOKED,
    END_AFTER_START,
    HOLD,
    NO_FEBRUARY_30,
    WITH_OFFSET,
    days,
    either,
    fails,
    succeeds,
)

CALLS = [
    fails(
        "hour 25",
        BOOK,
        visit(NOVA, "{day}T25:00"),
        NOW,
        r"\bhour|00:00 (to|-) 23:59|\b0?0 to 23\b",
    ),
    fails(
        "February 30", BOOK, visit(NOVA, "{next_year}-02-30T11:30"), NO_FEBRUARY_30, NOW
    ),
    fails(
        "February 30 as the end of a range",
        AVAILABILITY,
        days(NOVA, "{day}", "{next_year}-02-30"),
        r"\bend\b",
        NO_FEBRUARY_30,
        NOW,
    ),
    fails(
        "month 13",
        AVAILABILITY,
        days(NOVA, "{next_year}-13-05", "{next_year}-13-06"),
        "month",
        NOW,
    ),
    fails("yesterday's date", BOOK, visit(NOVA, "{yesterday}T11:30"), "past|future", NOW),
    fails(
        "a date from the model's training data",
        HOLD,
        visit(NOVA, "2024-06-03T11:30"),
        "past|future",
        NOW,
    ),
    either(
        "a range in the past", AVAILABILITY, days(NOVA, "2024-06-03", "2024-06-04"), "past", NOW
    ),
    fails("the day after the last one", BOOK, visit(NOVA, "{day_after_last}T11:30"), "{last}"),
    either(
        "a range half a year ahead",
        AVAILABILITY,
        days(NOVA, "{half_a_year}", "{half_a_year}"),
        "{last}",
    ),
    fails("a range of a quarter", AVAILABILITY, days(NOVA, "{day}", "{last}"), r"\b31 days\b"),
    fails(
        "start equal to end",
        AVAILABILITY,
        days(NOVA, "{day}T11:30", "{day}T11:30"),
        END_AFTER_START,
    ),
    fails(
        "start equal to end, for a list",
        "appointments_list",
        days(NOVA, "{day}T11:30", "{day}T11:30"),
        END_AFTER_START,
    ),
    fails("end before start", AVAILABILITY, days(NOVA, "{day}", "{yesterday}"), END_AFTER_START),
    succeeds("no end", AVAILABILITY, {"salonId": NOVA, "start": "{day}"}, r'"free":'),
    fails(
        "the offset of another country",
        BOOK,
        visit(NOVA, "{day}T11:30:00-05:00"),
        "Europe/Paris",
        works("appointmentTime"),
    ),
    fails(
        "no offset where one is needed",
        BOOK,
        visit(SCHERENSCHNITT, "{day}T10:00"),
        WITH_OFFSET,
        works("appointmentTime"),
    ),
    fails(
        "no offset for a hold",
        HOLD,
        visit(FRINGE, "{day}T10:00:00"),
        WITH_OFFSET,
        works("appointmentTime"),
    ),
    fails(
        "no offset to move to",
        "appointments_reschedule",
        {"id": "{id}", "appointmentTime": "{day}T10:00"},
        WITH_OFFSET,
        works("appointmentTime"),
        before=((BOOK, visit(FRINGE, "{day}T12:00Z")),),
    ),
    fails(
        "before the salon opens",
        BOOK,
        visit(NOVA, "{day}T08:30"),
        "10:30",
        "20:30",
        works("appointmentTime"),
    ),
    fails(
        "in the afternoon break",
        BOOK,
        visit(SOL, "{day}T15:00", serviceId="cut"),
        "16:30",
        works("appointmentTime"),
    ),
    fails(
        "on a closed day",
        BOOK,
        visit(SOL, "{sunday}T11:00", serviceId="cut"),
        "closed",
        works("appointmentTime"),
    ),
    succeeds(
        "why not on a closed day",
        AVAILABILITY,
        days(SOL, "{sunday}", "{sunday}", explain="{sunday}T11:00"),
        "closedDay",
        '"bookable": ?false',
        "{monday}T10:00",
    ),
    fails(
        "between two times of the grid",
        BOOK,
        visit(NOVA, "{day}T11:00"),
        "11:30",
        works("appointmentTime"),
    ),
    fails(
        "a time that is taken",
        BOOK,
        visit(AETHER, "{day}T09:00", phone="+45 55509999"),
        "taken",
        works("appointmentTime"),
        before=(BOOKED,),
    ),
]
