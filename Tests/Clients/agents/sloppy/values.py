"""Values of the wrong type, or out of range."""

from samples import NOVA, OWL, SOL, visit
from sloppy.call import BOOK, BOOKED, either, fails, succeeds

CALLS = [
    either(
        "a policy that no schema lists",
        "salons_list",
        {"policy": "ServerFirst"},
        r"serverFirst|unknown|\"total\"",
    ),
    fails(
        "an unknown status",
        "appointments_list",
        {"status": "confirmed"},
        "booked",
        "cancelled",
        r"\ball\b",
    ),
    either(
        "a status with a capital letter",
        "appointments_list",
        {"status": "Booked"},
        r'"total": ?1|\bbooked\b.*cancelled',
        before=(BOOKED,),
    ),
    succeeds(
        "blank values",
        "appointments_list",
        {"status": "", "salonId": None, "cursor": "", "fields": [], "limit": None},
        '"total": ?0',
    ),
    fails(
        "unknown fields",
        "salons_list",
        {"fields": ["Name", "adress"]},
        "Name",
        "adress",
        r"\bname\b",
        r"\blocation\b",
    ),
    fails("limit 0", "salons_list", {"limit": 0}, "limit", r"\b1\b"),
    fails("a limit in words", "salons_list", {"limit": "five"}, "limit", "integer|whole number"),
    succeeds("a huge limit", "salons_list", {"limit": 1_000_000_000}, '"total": ?6', "Æther & Øl"),
    fails(
        "seats in words",
        BOOK,
        visit(OWL, "{day}T20:00", seats="two"),
        "seats",
        "integer|whole number",
    ),
    either(
        "seats as text",
        BOOK,
        visit(OWL, "{day}T20:00", seats="2"),
        r'"seats": ?2|integer|whole number',
    ),
    fails("more seats than there are", BOOK, visit(OWL, "{day}T20:00", seats=4), "seats", r"\b3\b"),
    fails(
        "seats where people work",
        BOOK,
        visit(SOL, "{day}T11:00", serviceId="cut", seats=2),
        "seats",
        "staff",
    ),
    fails("no phone number", BOOK, visit(NOVA, "{day}T11:30", phone="ask me"), "phone", r"\+\d"),
    either(
        "a phone number as a number",
        BOOK,
        visit(NOVA, "{day}T11:30", phone=33155501999),
        r"33155501999|string",
    ),
    fails("a relative path", "appointments_export", {"file": "calendar.ics"}, "absolute"),
    fails(
        "a directory that does not exist",
        "appointments_export",
        {"file": "{directory}/missing/calendar.ics"},
        "directory",
    ),
    fails(
        "a file that exists",
        "appointments_export",
        {"file": "{directory}/calendar.ics"},
        "overwrite",
        before=(("appointments_export", {"file": "{directory}/calendar.ics"}),),
    ),
]
