"""Compare salons, services, people, and seats."""

from samples import NOVA, OWL, SOL, visit
from tasks.task import BOOK, OTHER_PHONE, Task, except_for


def by_price(facts):
    prices = {}
    for salon in NOVA, SOL:
        services = yield "services_list", {"salonId": salon}
        (color,) = (each for each in services["services"] if each["id"] == "color")
        prices[salon] = color["price"]["amount"]
    salon = min(prices, key=prices.get)
    yield BOOK, visit(salon, f"{facts['day']}T16:30", serviceId="color")
    return "The cheaper one is booked."


def by_time(facts):
    first = {}
    for salon in NOVA, SOL:
        days = {"start": facts["day"], "end": facts["day"], "serviceId": "cut", "onlyFree": True}
        availability = yield "salons_availability", {"salonId": salon} | days
        first[salon] = availability["days"][0]["free"][0]
    salon = min(first, key=first.get)
    yield BOOK, visit(salon, f"{facts['day']}T{first[salon]}", serviceId="cut")
    return f"{first[salon]} is booked."


def by_person(facts):
    staff = yield "staff_list", {"salonId": "Peluquería Sol", "serviceId": "cut"}
    (bruno,) = (each["id"] for each in staff["staff"] if each["name"] == "Bruno")
    choice = {"salonId": SOL, "serviceId": "cut", "staffId": bruno}
    days = {"start": facts["day"], "end": facts["day"], "limit": 1}
    availability = yield "salons_availability", choice | days
    (day,) = availability["days"]
    time = f"{day['date']}T{day['free'][0]}"
    yield BOOK, visit(SOL, time, serviceId="cut", staffId=bruno)
    return "Bruno is booked."


def by_seats(facts):
    days = {"start": f"{facts['day']}T21:00", "end": f"{facts['day']}T23:00", "seats": 3}
    availability = yield "salons_availability", {"salonId": OWL, "onlyFree": True} | days
    (day,) = availability["days"]
    yield BOOK, visit(OWL, f"{day['date']}T{day['free'][0]}", seats=3)
    return "Three seats are booked."


# Both people who work in the morning.
COLORED = tuple(
    visit(SOL, "{day}T10:00", OTHER_PHONE, serviceId="color", staffId=person)
    for person in ("ana", "carmen")
)

TASKS = [
    Task(
        "compare prices",
        "Atelier Nova and Peluquería Sol both color hair. Book the cheaper one of them for that on "
        "Wednesday, {day}, at 16:30.",
        by_price,
        appointments=(visit(SOL, "{day}T16:30", serviceId="color"),),
        forbidden=except_for(BOOK),
    ),
    Task(
        "compare free times",
        "Book a cut on Wednesday, {day}, at Atelier Nova or at Peluquería Sol, whichever has an "
        "earlier free time. Take its first one.",
        by_time,
        appointments=(*COLORED, visit(NOVA, "{day}T10:30", serviceId="cut")),
        forbidden=except_for(BOOK),
        existing=COLORED,
    ),
    Task(
        "book a person",
        "Book a cut with Bruno at Peluquería Sol on Wednesday, {day}, at his first free time.",
        by_person,
        appointments=(visit(SOL, "{day}T16:30", serviceId="cut", staffId="bruno"),),
        forbidden=except_for(BOOK),
    ),
    Task(
        "book several seats",
        "Book three seats at Night Owl Barbers for Wednesday, {day}, at the first time from 21:00 "
        "on at which three are free.",
        by_seats,
        appointments=(visit(OWL, "{day}T21:00", OTHER_PHONE), visit(OWL, "{day}T21:30", seats=3)),
        forbidden=except_for(BOOK),
        existing=(visit(OWL, "{day}T21:00", OTHER_PHONE),),
    ),
]
