"""Names of tools and of arguments."""

from expectations import EXAMPLE, Never
from samples import NOVA, PHONE, visit
from sloppy.call import AVAILABILITY, BOOK, NOWHERE, closest, days, either, fails

CALLS = [
    fails("no arguments", BOOK, {}, "salonId", "appointmentTime", "phone"),
    fails(
        "only the salon",
        BOOK,
        {"salonId": NOVA},
        "appointmentTime",
        "phone",
        EXAMPLE,
        Never("salonId.{1,3} is missing"),
    ),
    fails(
        "nothing to move",
        "appointments_reschedule",
        {},
        r"\bid\b",
        "appointmentTime",
        "appointments_list",
    ),
    fails(
        "names in snake case",
        BOOK,
        {"salon_id": NOVA, "appointment_time": "{day}T11:30", "phone_number": PHONE},
        closest("salon_id", "salonId"),
        closest("appointment_time", "appointmentTime"),
        closest("phone_number", "phone"),
    ),
    fails(
        "names of other systems",
        AVAILABILITY,
        {"salon": NOVA, "startDate": "{day}", "endDate": "{day}", "service": "cut"},
        closest("salon", "salonId"),
        closest("startDate", "start"),
        closest("endDate", "end"),
        closest("service", "serviceId"),
    ),
    fails(
        "a misspelled name",
        BOOK,
        visit(NOVA, "{day}T11:30", notse="window"),
        closest("notse", "notes"),
    ),
    fails("a name that has another name", "salons_list", {"search": "Nova"}, "search", "query"),
    fails(
        "a long name for the id",
        "appointments_cancel",
        {"appointmentId": NOWHERE},
        closest("appointmentId", "id"),
    ),
    fails(
        "the customer's name",
        BOOK,
        visit(NOVA, "{day}T11:30", customerName="Ada"),
        "customerName",
        r"\bnotes\b",
    ),
    fails("arguments as text", "salons_list", '{"query": "Nova"}', "object"),
    either("the name of the method", "salons/list", {}, "salons_list|Atelier Nova"),
    either(
        "the name of the method to book",
        "appointments/book",
        visit(NOVA, "{day}T11:30"),
        "appointments_book|{day}T11:30",
    ),
    fails("words in the wrong order", "book_appointment", visit(NOVA, "{day}T11:30"), BOOK),
    either(
        "the server as a prefix",
        "novablend_salons_list",
        {},
        "(?<!novablend_)salons_list|Atelier Nova",
    ),
    fails("a tool without its prefix", "availability", days(NOVA, "{day}", "{day}"), AVAILABILITY),
]
