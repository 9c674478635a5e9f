"""Measures how the cost of requests to the backend grows with what is stored: 1, 10, 100 times."""

import json
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from threading import Event, Thread

from . import payloads
from .backend import next_page
from .measure import OURS, Comparison, Metric
from .payloads import booking_body, lines_file
from .programs import Programs, RunningServer
from .scheduling import FIRST_CREATED, FIRST_DAY, text

# The number of stored appointments; all are at one salon and in the future.
SIZES = [10_000, 100_000, 1_000_000]
SALON_SIZES = [1_000, 10_000, 100_000]
STAFF = 100
# Each staff member has this many appointments of half an hour on each day, without a pause.
PER_DAY = 20
# Each customer has this many appointments, which are spread over all that are stored.
PER_CUSTOMER = 20
SALON = "7a7e0000-0000-4000-8000-000000000000"
# A salon without staff or stored appointments, where the load books.
OTHER_SALON = "7a7e0000-0000-4000-8000-000000000001"
# Four customers who each send as many requests as the default rate limit allows.
CUSTOMERS, RATE = 4, 50
GROWTH = 1.5
# The directory of the copied database.
COPY = "growth"


def comparisons(programs: Programs) -> list[Comparison]:
    sizes = SIZES[: programs.choose(3, 2)]
    salon_sizes = SALON_SIZES[: programs.choose(3, 2)]
    return [
        compare(programs, sizes, database, "appointments", appointment_requests),
        compare(programs, sizes, database, "appointments", beside_customers),
        compare(programs, salon_sizes, salons_database, "salons", salon_requests),
    ]


def compare(
    programs: Programs,
    sizes: list[int],
    make_database: Callable[[Programs, int], Path],
    name: str,
    requests: Callable[[Programs, RunningServer], dict[str, float]],
) -> Comparison:
    """Compares the largest size with the others. `requests` measures a running server."""

    def measure(size: int):
        def run():
            stored = make_database(programs, size)
            with server(programs, stored) as running:
                return requests(programs, running)

        return run

    largest, others = sizes[-1], {f"{size:,} {name}": measure(size) for size in sizes[:-1]}
    goals = {next(iter(others)): GROWTH}
    metrics = [
        Metric(key, f"{title}, {largest:,} {name}", "s", goals)
        for key, title in TITLES[requests].items()
    ]
    return Comparison({OURS: measure(largest)} | others, metrics)


def appointment_requests(programs: Programs, running: RunningServer) -> dict[str, float]:
    count = programs.choose(400, 100)
    administrator = tokens(programs)["administrator"]
    customer = tokens(programs)["0"]
    bodies = bookings(programs).read_text().splitlines()[:count]
    return {
        "list": cpu(running, customer, [("GET", "/appointments")] * count),
        "day": cpu(running, administrator, [("GET", day())] * count),
        "conflicts": cpu(running, administrator, [("GET", f"/salons/{SALON}/conflicts")] * count),
        "book": cpu(running, administrator, [("POST", "/appointments", body) for body in bodies]),
    }


def beside_customers(programs: Programs, running: RunningServer) -> dict[str, float]:
    """The p50 of availability while customers list their appointments."""
    stop = Event()
    customers = [tokens(programs)[str(number)] for number in range(CUSTOMERS)]
    threads = [Thread(target=list_repeatedly, args=(running, token, stop)) for token in customers]
    for thread in threads:
        thread.start()
    connection = Connection(running)
    try:
        times = []
        for _ in range(programs.choose(600, 200)):
            start = time.monotonic()
            connection.send("GET", day())
            times.append(time.monotonic() - start)
        return {"p50": median(times)}
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def salon_requests(programs: Programs, running: RunningServer) -> dict[str, float]:
    """The CPU time of a page while all pages are read in turn."""
    connection, pages, path = Connection(running), [], "/salons"
    while path and len(pages) < 100:
        pages.append(("GET", path))
        path = next_page(connection.send("GET", path), path)
    count = programs.choose(400, 100)
    return {"page": cpu(running, tokens(programs)["administrator"], (pages * count)[:count])}


TITLES = {
    appointment_requests: {
        "list": "backend, the list of a customer, CPU time",
        "day": f"backend, availability of a day with {STAFF} staff, CPU time",
        "conflicts": "backend, a page of conflicts, CPU time",
        "book": "backend, a booking, CPU time",
    },
    beside_customers: {
        "p50": f"backend, availability while {CUSTOMERS} customers list their appointments, p50",
    },
    salon_requests: {"page": "backend, a page of 1,000 salons, CPU time"},
}


class Connection:
    """A connection that remains open."""

    def __init__(self, running: RunningServer):
        self._connection = HTTPConnection("127.0.0.1", int(running.port))

    def send(self, method: str, path: str, body: str | None = None, token: str = "") -> str:
        """Sends a request, and returns the `Link` of the response."""
        headers = {"Content-Type": "application/json"} if body else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        content = response.read()
        if response.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {response.status} {content[:200]!r}")
        return response.getheader("Link", "")


def cpu(running: RunningServer, token: str, requests: list[tuple]) -> float:
    """The CPU time of the backend for a request: a method, a path, and perhaps a body. The first
    requests warm up."""
    connection = Connection(running)
    warm_up = len(requests) // 10
    for number, request in enumerate(requests):
        if number == warm_up:
            before = running.cpu_nanoseconds()
        connection.send(*request, token=token)
    return (running.cpu_nanoseconds() - before) / 1e9 / (len(requests) - warm_up)


def list_repeatedly(running: RunningServer, token: str, stop: Event):
    connection = Connection(running)
    while not stop.wait(1 / RATE):
        connection.send("GET", "/appointments", token=token)


# Databases


def server(programs: Programs, stored: Path) -> RunningServer:
    program = programs.binaries / "novablend-backend"
    options = ["--port", "0", "--exit-with-input", "--rate-limit", "0", "--database", stored]
    return RunningServer(programs, program, *options)


def database(programs: Programs, count: int) -> Path:
    """A copy of a database with `count` appointments, which is created once."""
    directory = programs.built / f"growth-{count}"
    if not directory.exists():
        unfinished = programs.empty_directory(f"growth-{count}-unfinished")
        salons = unfinished / "salons.json"
        salons.write_text(json.dumps({"salons": [salon(SALON, STAFF), salon(OTHER_SALON, 0)]}))
        programs.import_salons(salons, unfinished / "backend.sqlite")
        fill(unfinished / "backend.sqlite", count)
        make_tokens(programs, unfinished)
        shutil.move(unfinished, directory)
    return copy(programs, directory)


def salons_database(programs: Programs, count: int) -> Path:
    directory = programs.built / f"growth-salons-{count}"
    if not directory.exists():
        unfinished = programs.empty_directory(f"growth-salons-{count}-unfinished")
        salons = payloads.salons(count, programs.scratch)
        programs.import_salons(salons, unfinished / "backend.sqlite")
        make_tokens(programs, unfinished)
        shutil.move(unfinished, directory)
    return copy(programs, directory)


def copy(programs: Programs, directory: Path) -> Path:
    """A copy, so that each round begins with the same database."""
    target = programs.empty_directory(COPY)
    shutil.copytree(directory, target, dirs_exist_ok=True)
    return target / "backend.sqlite"


def salon(identifier: str, staff: int) -> dict:
    members = [{"id": f"staff-{number}", "name": f"Staff {number}"} for number in range(staff)]
    return {
        "id": identifier,
        "name": f"Salon with {staff} staff",
        "location": "Berlin",
        "open_time": 9,
        "close_time": 20,
        "slot_minutes": 30,
        "time_zone": "Europe/Berlin",
    } | ({"staff": members} if staff else {})


# Ids begin with a time, as those of the backend. Each group of appointments of one day belongs to
# different customers, so the appointments of a customer are spread over all days.
FILL = """
    WITH RECURSIVE numbers (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :count)
    INSERT INTO appointments (id, salon_id, instant, offset_minutes, phone, version, minutes, status,
        staff_id, staff_assigned, change)
    SELECT lower(printf('%08x-%04x-7%s-8%s-%s', :created + n * 60000 >> 16,
            :created + n * 60000 & 0xFFFF, substr(hex(randomblob(2)), 2),
            substr(hex(randomblob(2)), 2), hex(randomblob(6)))),
        :salon, :first + n / (:staff * :per_day) * 86400 + 32400 + n / :staff % :per_day * 1800, 60,
        '+49 30 ' || (1000000 + n % (:count / :per_customer)), 1, 30, 'booked',
        'staff-' || (n % :staff), 1, n + 10
    FROM numbers
"""
OCCUPY = """
    WITH grains (value) AS (VALUES (0), (1), (2), (3), (4), (5))
    INSERT INTO occupancy
    SELECT salons.number, instant / 300 + value, staff_id, appointments.number, NULL
    FROM appointments JOIN salons ON salons.id = salon_id JOIN grains ORDER BY 2, 3
"""


def fill(stored: Path, count: int):
    connection = sqlite3.connect(stored)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA cache_size=-1000000")
    parameters = {
        "count": count,
        "salon": SALON,
        "first": int(FIRST_DAY.timestamp()),
        "created": FIRST_CREATED,
        "staff": STAFF,
        "per_day": PER_DAY,
        "per_customer": PER_CUSTOMER,
    }
    with connection:
        connection.execute(FILL, parameters)
        connection.execute(OCCUPY)
    connection.close()


def make_tokens(programs: Programs, directory: Path):
    """Tokens of an administrator and of the first customers, in a file beside the database."""
    made = {"administrator": make_token(programs, directory, "--role", "administrator")}
    for number in range(CUSTOMERS):
        options = ["--role", "customer", "--phone", f"+49 30 {1_000_000 + number}"]
        made[str(number)] = make_token(programs, directory, *options)
    (directory / "tokens.json").write_text(json.dumps(made))


def make_token(programs: Programs, directory: Path, *options: str) -> str:
    program = programs.binaries / "novablend-backend"
    stored = directory / "backend.sqlite"
    command = [program, "tokens", "create", *options, "--database", stored]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return output.strip().splitlines()[-1]


def tokens(programs: Programs) -> dict[str, str]:
    """The tokens for the database that was copied last."""
    return json.loads((programs.scratch / COPY / "tokens.json").read_text())


def day() -> str:
    """The availability of the third day."""
    date = (FIRST_DAY + timedelta(days=2)).date()
    span = f"start={date}T00:00:00Z&end={date}T23:00:00Z"
    return f"/salons/{SALON}/availability?{span}"


def bookings(programs: Programs) -> Path:
    """Bookings of different customers at a salon without staff, one per line."""

    def body(number: int) -> dict:
        day, slot = divmod(number, 20)
        time = FIRST_DAY + timedelta(days=day, hours=9, minutes=slot * 30)
        phone = f"+49 30 {1_000_000 + number * 7_919 % 400_000}"
        return booking_body(OTHER_SALON, text(time)) | {"phone": phone}

    return lines_file(programs.scratch / "growth-bookings.txt", map(body, range(800)))
