"""The salons of a run, and random times in them."""

import random
from dataclasses import dataclass

from .appointment import format_time

DAYS = 10
DAY, HOUR, MINUTE = 86_400, 3_600, 60
HOURS = [["09:00", "13:00"], ["14:00", "18:00"]]
# Every service fits between these starts, in minutes of the day, and the next break.
STARTS = [*range(9 * 60, 12 * 60 + 1, 30), *range(14 * 60, 17 * 60 + 1, 30)]
SERVICES = [
    {"id": "cut", "name": "Cut", "minutes": 30},
    {"id": "color", "name": "Color", "minutes": 60, "buffer_before": 10, "buffer_after": 15},
]
STAFF = ["ana", "bea", "cem", "dov"]
SEATS = 3


@dataclass(frozen=True)
class Place:
    """A salon, a time, and options that can be booked together."""

    salon: str
    instant: int
    service: str | None = None
    staff: str | None = None
    seats: int = 1

    def body(self, phone: str) -> dict:
        options = {"serviceId": self.service, "staffId": self.staff}
        return {
            "salonId": self.salon,
            "appointmentTime": format_time(self.instant),
            "phone": phone,
            "seats": self.seats,
        } | {name: value for name, value in options.items() if value}


def salons() -> list[dict]:
    """Salons with staff, with seats, and with neither and without a grid."""
    with_staff = [
        salon(number, slot_minutes=30, services=SERVICES, staff=[member(id) for id in STAFF])
        for number in range(3)
    ]
    with_seats = [salon(number, slot_minutes=30, seats=SEATS) for number in range(3, 6)]
    return with_staff + with_seats + [salon(6), salon(7)]


def salon(number: int, **rules) -> dict:
    weekly = {day: HOURS for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}
    return {
        "id": f"c4a05000-0000-4000-8000-{number:012x}",
        "name": f"Salon {number}",
        "location": "Lisbon",
        "open_time": 9,
        "close_time": 18,
        "time_zone": "UTC",
        "weekly": weekly,
    } | rules


def member(id: str) -> dict:
    return {"id": id, "name": id.title(), "services": ["cut", "color"]}


class Places:
    """Random places in the days after a time."""

    def __init__(self, salons: list[dict], now: int):
        self._salons = salons
        self._first_day = now // DAY * DAY + 2 * DAY

    def any(self, generator: random.Random) -> Place:
        return self.within(generator.choice(self._salons), generator)

    def move(self, place: Place, generator: random.Random) -> Place:
        """A place with the options of `place` at a different time."""
        salon = next(salon for salon in self._salons if salon["id"] == place.salon)
        instant = self.within(salon, generator).instant
        return Place(place.salon, instant, place.service, place.staff, place.seats)

    def outside_opening_hours(self, generator: random.Random) -> Place:
        salon = generator.choice(self._salons)
        service = "cut" if "services" in salon else None
        return Place(salon["id"], self._day(generator) + 22 * HOUR, service)

    def within(self, salon: dict, generator: random.Random) -> Place:
        instant = self._day(generator) + generator.choice(STARTS) * MINUTE
        if "staff" in salon:
            staff = generator.choice(STAFF) if generator.random() < 0.3 else None
            return Place(salon["id"], instant, generator.choice(SERVICES)["id"], staff)
        if "seats" in salon:
            return Place(salon["id"], instant, seats=generator.choice([1, 1, 1, 2]))
        return Place(salon["id"], instant + generator.randrange(30 * MINUTE))

    def _day(self, generator: random.Random) -> int:
        # Many want the first days, so they are often full.
        return self._first_day + int(generator.random() ** 2 * DAYS) * DAY
