"""Find a salon and a time."""

from samples import AETHER, OWL, SCHERENSCHNITT, SOL, visit
from tasks.task import BOOK, OTHER_PHONE, Task, except_for

NOVA_OPERA = {
    "id": "5a100000-0000-4000-8000-000000000009",
    "name": "Atelier Nova Opéra",
    "location": "5 Rue de la Paix, Paris",
    "open_time": 10.3,
    "close_time": 20.3,
    "slot_minutes": 60,
    "time_zone": "Europe/Paris",
}


def by_place(facts):
    salons = yield "salons_list", {"query": "Dublin"}
    (salon,) = salons["salons"]
    yield BOOK, visit(salon["id"], f"{facts['day']}T20:00", seats=2)
    return "Two seats are booked."


def by_hours(facts):
    time = f"{facts['day']}T23:00"
    salons = yield "salons_list", {"openAt": time, "fields": ["name"]}
    (salon,) = salons["salons"]
    yield BOOK, visit(salon["id"], time)
    return f"It is booked at {salon['name']}."


def by_address(facts):
    salons = yield "salons_list", {"query": "atelier nova"}
    (salon,) = (each for each in salons["salons"] if "Paix" in each["location"])
    yield BOOK, visit(salon["id"], f"{facts['day']}T11:30")
    return "It is booked in Rue de la Paix."


def by_clock(facts):
    time = f"{facts['day']}T10:00"
    missing = yield BOOK, visit("Scherenschnitt", time)
    assert "offset" in missing["error"]["message"], missing
    yield BOOK, visit("Scherenschnitt", time + facts["offset"])
    return "It is booked for 10:00."


def next_after_taken(facts):
    taken = yield BOOK, visit(AETHER, f"{facts['day']}T09:00")
    yield BOOK, visit(AETHER, taken["error"]["data"]["alternatives"][0])
    return "09:00 was taken, so 09:45 is booked."


def next_after_closed(facts):
    days = {"salonId": SOL, "start": facts["sunday"], "end": facts["monday"], "serviceId": "cut"}
    availability = yield "salons_availability", days
    open_day = next(day for day in availability["days"] if day.get("free"))
    time = f"{open_day['date']}T{open_day['free'][0]}"
    yield BOOK, visit(SOL, time, serviceId="cut")
    return "It is closed on Sunday, so Monday at 10:00 is booked."


TASKS = [
    Task(
        "find a salon by its place",
        "Book two seats at the salon in Dublin for Wednesday, {day}, at 20:00.",
        by_place,
        appointments=(visit(OWL, "{day}T20:00", seats=2),),
        forbidden=except_for(BOOK),
    ),
    Task(
        "find a salon by its hours",
        "Book any salon that is still open at 23:00 on Wednesday, {day}, for that time.",
        by_hours,
        appointments=(visit(OWL, "{day}T23:00"),),
        forbidden=except_for(BOOK),
    ),
    Task(
        "distinguish similar names",
        "Book the Atelier Nova in Rue de la Paix for Wednesday, {day}, at 11:30.",
        by_address,
        appointments=(visit(NOVA_OPERA["id"], "{day}T11:30"),),
        forbidden=except_for(BOOK),
        salons=(NOVA_OPERA,),
    ),
    Task(
        "book where no time zone is known",
        "Book Scherenschnitt in Berlin for Wednesday, {day}, at 10:00 in Berlin.",
        by_clock,
        appointments=(visit(SCHERENSCHNITT, "{day}T10:00{offset}"),),
        forbidden=except_for(BOOK),
    ),
    Task(
        "take the next time if one is taken",
        "Book Æther & Øl for Wednesday, {day}, at 09:00. If that is taken, take the next "
        "free time.",
        next_after_taken,
        appointments=(visit(AETHER, "{day}T09:00", OTHER_PHONE), visit(AETHER, "{day}T09:45")),
        forbidden=except_for(BOOK),
        existing=(visit(AETHER, "{day}T09:00", OTHER_PHONE),),
    ),
    Task(
        "take the next day if a salon is closed",
        "Book a cut at Peluquería Sol for Sunday, {sunday}, at 10:00. If it is closed then, take "
        "the first free time on the day after.",
        next_after_closed,
        appointments=(visit(SOL, "{monday}T10:00", serviceId="cut"),),
        forbidden=except_for(BOOK),
    ),
]
