"""Measures availability and bookings at a salon with many staff members, services, and bookings."""

import json
import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

from .backend import backend, load
from .measure import OURS, Comparison, Metric
from .payloads import TIME, booking_body, lines_file
from .programs import Programs, RunningServer

STAFF, SERVICES = 20, 30
# The hours at which each staff member has bookings of half an hour, on each day. The bookings of
# every second staff member begin half an hour later.
BOOKED_HOURS = [9, 10, 11, 12, 14, 15, 16, 17, 18, 19]
BOOKINGS = 5_000
SIZES = [10_000, 100_000, 500_000, 2_000_000]
TITLE = "backend with "
BERLIN_IN_WINTER = timezone(timedelta(hours=1))
# A Monday.
FIRST_DAY = datetime(2040, 1, 2, tzinfo=BERLIN_IN_WINTER)
# When the first booking was made, in milliseconds. The next one follows a millisecond later.
FIRST_CREATED = 1_735_689_600_000
# The bookings of the load begin on this day, which is later than all stored bookings.
LOAD_DAY = datetime(2060, 1, 5, tzinfo=BERLIN_IN_WINTER)
# About as many as the load can send in a second. Two loads end before the clocks go forward in March.
LOAD_BOOKINGS = 8_000
WARM_UP_SECONDS = 0.5
# There are few clients, so that the p99 of a request contains little waiting for other requests.
CLIENTS = 8


def comparisons(programs: Programs) -> list[Comparison]:
    return [client_week(programs), backend_week(programs), growth(programs)]


def client_week(programs: Programs) -> Comparison:
    """The CPU time in which the client computes the slots of a week from the appointments."""
    salons = programs.scratch / "large-salon.json"
    salons.write_text(json.dumps({"salons": [salon(0)]}))
    listed = programs.scratch / "large-salon-appointments.json"
    listed.write_text(json.dumps({"appointments": appointments(BOOKINGS)}))
    rounds = programs.choose(500, 50)
    start = int((FIRST_DAY + timedelta(days=7)).timestamp())

    def ours():
        command = [programs.swift / "bench-novablend", "slots", salons, listed, start, rounds]
        return {"cpu": programs.run_json(*command)["cpu"]}

    title = f"client, slots of a week, {description(BOOKINGS)}, CPU time"
    return Comparison.with_limit(ours, "cpu", title, 0.001, "1 ms")


def backend_week(programs: Programs) -> Comparison:
    """The CPU time of the backend for an answer about a week."""
    database = stored(programs, BOOKINGS)

    def ours():
        with backend(programs, database) as server:
            load(programs, server, week(), WARM_UP_SECONDS, clients=CLIENTS)
            before = server.cpu_seconds()
            result = load(programs, server, week(), programs.choose(2, 1), clients=CLIENTS)
            return {"cpu": (server.cpu_seconds() - before) / result["responses"]}

    title = f"backend, availability of a week, {description(BOOKINGS)}, CPU time"
    return Comparison.with_limit(ours, "cpu", title, 0.002, "2 ms")


def growth(programs: Programs) -> Comparison:
    """The p99 of answers about a week and of bookings, with the most bookings and with fewer."""
    sizes = SIZES[: programs.choose(4, 2)]

    def measure(size: int):
        database = stored(programs, size)

        def run():
            delete_load(database)
            with backend(programs, database) as server:
                return measure_load(programs, server)

        return run

    return compare_sizes(TITLE, sizes, measure)


def compare_sizes(
    title: str, sizes: list[int], measure: Callable[[int], Callable[[], dict[str, float]]]
) -> Comparison:
    """Compares the largest size with the others. `measure` makes what runs ``measure_load``."""
    largest, peers = sizes[-1], {f"{size:,} bookings": measure(size) for size in sizes[:-1]}
    goals = {next(iter(peers)): 1.5}
    task = f"{title}{largest:,} bookings, p99"
    return Comparison(
        {OURS: measure(largest)} | peers,
        [
            Metric("week", f"{task} of availability of a week", "s", goals),
            Metric("book", f"{task} of a booking", "s", goals),
        ],
    )


def measure_load(programs: Programs, server: RunningServer) -> dict[str, float]:
    """The p99 of answers about a week, and of bookings."""
    # The first load of each kind warms up.
    for seconds in WARM_UP_SECONDS, 1:
        weeks = load(programs, server, week(), seconds, clients=CLIENTS)
    for number, seconds in enumerate((WARM_UP_SECONDS, 1)):
        bodies = load_bookings(programs, number)
        booked = load(programs, server, "/appointments", seconds, bodies, clients=CLIENTS)
    return {"week": weeks["p99"], "book": booked["p99"]}


def growth_lines(rows: list[dict], title: str) -> dict[str, list[tuple[float, float]]]:
    """The values of ``growth`` in milliseconds by the number of bookings, for a plot. The rows are
    those whose title begins with `title`."""
    lines = {}
    for row in rows:
        if not row["id"].startswith(title):
            continue
        task, metric = row["id"].split(", p99 of ")
        names = row["values"].items()
        lines[metric] = sorted(
            (stored_count(task if name == OURS else name), value["median"] * 1e3)
            for name, value in names
        )
    return lines


def stored_count(text: str) -> int:
    return int(next(word for word in text.split() if word[0].isdigit()).replace(",", ""))


def description(bookings: int) -> str:
    return f"{STAFF} staff, {SERVICES} services, {bookings:,} bookings"


def salon_id(number: int) -> str:
    return f"6a7e0000-0000-4000-8000-{number:012x}"


def salon(number: int) -> dict:
    """A salon with a break at noon. Each staff member offers the first service and half of the
    others."""
    hours = [["09:00", "13:00"], ["14:00", "20:00"]]
    weekly = {day: hours for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}
    services = [
        {"id": f"service-{n}", "name": f"Service {n}", "minutes": 30 + n % 4 * 15}
        | ({"buffer_before": 5, "buffer_after": 10} if n % 3 == 2 else {})
        for n in range(SERVICES)
    ]
    staff = [
        {"id": f"staff-{n}", "name": f"Staff {n}", "weekly": weekly}
        | {"services": [f"service-{s}" for s in range(SERVICES) if s == 0 or (s + n) % 2 == 0]}
        for n in range(STAFF)
    ]
    return {
        "id": salon_id(number),
        "name": f"Salon {number}",
        "location": "Berlin",
        "open_time": 9,
        "close_time": 20,
        "weekly": weekly,
        "slot_minutes": 30,
        "time_zone": "Europe/Berlin",
        "services": services,
        "staff": staff,
    }


def appointments(count: int) -> list[dict]:
    """The appointments of the first salon, as the backend lists them."""
    result = []
    for number in range(count):
        day, place = divmod(number, STAFF * len(BOOKED_HOURS))
        member, hour = divmod(place, len(BOOKED_HOURS))
        start = FIRST_DAY + timedelta(days=day, hours=BOOKED_HOURS[hour], minutes=member % 2 * 30)
        options = {"serviceId": "service-0", "staffId": f"staff-{member}"}
        result.append(
            booking_body(salon_id(0), text(start), **options)
            | {
                "endTime": text(start + timedelta(minutes=30)),
                "id": f"b0000000-0000-4000-8000-{number:012x}",
                "version": 1,
                "status": "booked",
            }
        )
    return result


def text(time: datetime) -> str:
    return time.strftime(TIME)


def week() -> str:
    start = FIRST_DAY + timedelta(days=7)
    end = start + timedelta(days=7)
    span = f"start={text(start)}&end={text(end)}".replace("+", "%2B")
    return f"/salons/{salon_id(0)}/availability?{span}&serviceId=service-0"


def stored(programs: Programs, count: int) -> Path:
    """A database with `count` bookings, of which half are at the first salon, and the others at
    salons with `BOOKINGS` each. It is created once."""
    directory = programs.built / f"scheduling-{count}"
    database = directory / "backend.sqlite"
    if database.exists():
        return database
    first = max(count // 2, BOOKINGS)
    others = (count - first) // BOOKINGS
    directory.mkdir(exist_ok=True)
    unfinished = directory / "unfinished.sqlite"
    unfinished.unlink(missing_ok=True)
    salons = directory / "salons.json"
    salons.write_text(json.dumps({"salons": [salon(number) for number in range(others + 1)]}))
    programs.import_salons(salons, unfinished)
    fill(unfinished, 0, first)
    for number in range(1, others + 1):
        fill(unfinished, number, BOOKINGS)
    unfinished.rename(database)
    return database


# Each staff member has one booking after the other, from the first day on. Ids begin with a time, as
# those of the backend.
FILL = """
    WITH RECURSIVE numbers (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :count)
    INSERT INTO appointments (id, salon_id, instant, offset_minutes, phone, version, minutes, status,
        service_id, staff_id, staff_assigned)
    SELECT lower(printf('%08x-%04x-7%s-8%s-%s', :created + n >> 16, :created + n & 0xFFFF,
            substr(hex(randomblob(2)), 2), substr(hex(randomblob(2)), 2), hex(randomblob(6)))),
        :salon, :first + n / (:staff * :hours) * 86400 + hour.value * 3600 + n / :hours % 2 * 1800, 60,
        '+49 30 1234567', 1, 30, 'booked', 'service-0', 'staff-' || (n / :hours % :staff), 1
    FROM numbers JOIN json_each(:booked_hours) AS hour ON hour.key = n % :hours
"""
OCCUPY = """
    WITH grains (value) AS (VALUES (0), (1), (2), (3), (4), (5))
    INSERT INTO occupancy
    SELECT salons.number, instant / 300 + value, staff_id, appointments.number, NULL
    FROM appointments JOIN salons ON salons.id = salon_id JOIN grains
    WHERE salon_id = ? ORDER BY 2, 3
"""


def fill(database: Path, number: int, count: int):
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA cache_size=-1000000")
    parameters = {
        "count": count,
        "salon": salon_id(number),
        "first": int(FIRST_DAY.timestamp()),
        "created": FIRST_CREATED,
        "staff": STAFF,
        "hours": len(BOOKED_HOURS),
        "booked_hours": json.dumps(BOOKED_HOURS),
    }
    with connection:
        connection.execute(FILL, parameters)
        connection.execute(OCCUPY, [salon_id(number)])
    connection.close()


def load_bookings(programs: Programs, number: int) -> Path:
    """A file with bookings at the first salon, one per line. Their times are free in each database,
    and different numbers have different times."""

    def body(index: int) -> dict:
        day, place = divmod(index, STAFF * len(BOOKED_HOURS))
        time = LOAD_DAY + timedelta(days=day, hours=BOOKED_HOURS[place % len(BOOKED_HOURS)])
        return booking_body(salon_id(0), text(time), serviceId="service-0")

    indexes = range(number * LOAD_BOOKINGS, (number + 1) * LOAD_BOOKINGS)
    return lines_file(programs.scratch / f"load-bookings-{number}.txt", map(body, indexes))


def delete_load(database: Path):
    """Deletes what earlier loads have booked."""
    first = int(LOAD_DAY.timestamp())
    connection = sqlite3.connect(database)
    with connection:
        for rows, time in (
            ("appointments WHERE status = 'booked' AND salon_id = ? AND instant >= ?", first),
            (
                "occupancy WHERE salon = (SELECT number FROM salons WHERE id = ?) AND grain >= ?",
                first // 300,
            ),
        ):
            connection.execute(f"DELETE FROM {rows}", [salon_id(0), time])
        connection.execute("DELETE FROM idempotency_keys")
    connection.close()
