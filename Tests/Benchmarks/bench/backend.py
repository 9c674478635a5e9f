"""Measures the backend under load, and compares it with SQLite alone."""

import json
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from .measure import OURS, Comparison, Metric
from .payloads import TIME, booking, booking_body, bookings, lines_file
from .programs import Programs, RunningServer, file_server, on_core

SALON = "5a100000-0000-4000-8000-000000000001"
AVAILABILITY = f"/salons/{SALON}/availability?start=2040-01-10T00:00:00Z&end=2040-01-10T23:00:00Z"
CLIENTS = 64
ONE_INSERT = "SQLite, one insert per transaction"
# The p99 of a booking at commit b2c596e, divided by the p99 of ONE_INSERT. README.md describes the
# measurement.
P99_OF_B2C596E = 3


def comparisons(programs: Programs) -> list[Comparison]:
    makers = (
        durable_bookings,
        large_salon,
        availability,
        idle_connections,
        idle_memory,
        slow_readers,
    )
    return [make(programs) for make in makers]


def durable_bookings(programs: Programs) -> Comparison:
    """Bookings with idempotency keys, and plain inserts into the same table. The backend and the
    load share the cores; SQLite has them alone."""
    seconds = programs.choose(2, 1)
    bodies = bookings(200_000, programs.scratch)

    def ours():
        with backend(programs, new_database(programs, "booked")) as server:
            result = load(programs, server, "/appointments", seconds, bodies)
        return {"bookings": result["rate"], "p99": result["p99"]}

    def one_insert():
        database = copy(database_with_bookings(programs, 0), programs.empty_directory("inserted"))
        return programs.run_json(programs.built / "sqlite_alone", "book", database, seconds)

    task = f"backend, {CLIENTS} connections"
    return Comparison(
        {OURS: ours, ONE_INSERT: one_insert},
        [
            Metric(
                "bookings",
                f"{task}, durable bookings",
                "/s",
                {ONE_INSERT: 1.5},
                more_is_better=True,
            ),
            Metric("p99", f"{task}, p99 of a booking", "s", {ONE_INSERT: P99_OF_B2C596E / 3}),
        ],
    )


def large_salon(programs: Programs) -> Comparison:
    """Bookings of a usual salon while others take as many grains as a booking can."""
    seconds, clients = programs.choose(3, 1), 8
    usual, large = bookings(200_000, programs.scratch), large_bookings(programs, 5_000)

    def ours():
        with backend(programs, new_database(programs, "large")) as server:
            path = f"/salons/{LARGE_SALON['id']}"
            server.request("PUT", path, json.dumps(LARGE_SALON), {"If-None-Match": "*"})
            with ThreadPoolExecutor(1) as thread:
                # The load of large bookings ends a little later than the measured one.
                during = seconds + 0.5, large, None, clients
                other = thread.submit(load, programs, server, "/appointments", *during)
                result = load(programs, server, "/appointments", seconds, usual, clients=clients)
                other.result()
            return {"p99": result["p99"]}

    title = f"backend, p99 of a booking while {clients} clients book at the largest salon"
    return Comparison.with_limit(ours, "p99", title, 0.05, "50 ms")


def availability(programs: Programs) -> Comparison:
    """Answers for a day with bookings, and their SQL statement on SQLite. First the backend and the
    load share all cores, then each has one. The statement always has one."""
    seconds = programs.choose(2, 1)
    database = database_with_bookings(programs, 20_000)

    def ours():
        with backend(programs, database) as server:
            all_cores = load(programs, server, AVAILABILITY, seconds)["rate"]
        with backend(programs, database, core=0) as server:
            one_core = load(programs, server, AVAILABILITY, seconds, core=1)["rate"]
        return {"all": all_cores, "one": one_core}

    def query():
        result = programs.run_json(
            *on_core(0), programs.built / "sqlite_alone", "query", database, seconds
        )
        return {"all": result["reads"], "one": result["reads"]}

    goals = {"its statement alone": 0.4}
    task = "backend, availability of one day"
    return Comparison(
        {OURS: ours, "its statement alone": query},
        [
            Metric("all", f"{task}, {CLIENTS} connections", "/s", goals, more_is_better=True),
            Metric("one", f"{task}, one core", "/s", goals, more_is_better=True),
        ],
    )


def idle_connections(programs: Programs) -> Comparison:
    """Measures a load with and without many idle connections."""
    seconds = programs.choose(2, 1)
    count = programs.choose(10_000, 1_000)
    database = database_with_bookings(programs, 20_000)

    def rate(idle: int):
        def measure():
            with backend(programs, database) as server, held(programs, server, idle, "/salons"):
                return {"rate": load(programs, server, AVAILABILITY, seconds)["rate"]}

        return measure

    peer = "without idle ones"
    title = f"backend, {CLIENTS} connections with {count:,} idle ones, availability"
    return Comparison(
        {OURS: rate(count), peer: rate(0)},
        [Metric("rate", title, "/s", {peer: 0.9}, more_is_better=True)],
    )


def idle_memory(programs: Programs) -> Comparison:
    """The memory of a connection that has sent a request and received the response."""
    count = programs.choose(10_000, 1_000)

    def growth(server: RunningServer) -> dict[str, float]:
        with server, held(programs, server, 1, "/salons"):
            before = server.memory_kib("VmRSS")
            with held(programs, server, count, "/salons"):
                return {"kib": max(server.memory_kib("VmRSS") - before, 1) / count}

    def ours():
        return growth(backend(programs, new_database(programs, "idle")))

    salons = programs.scratch / "no-salons.json"
    salons.write_text('{"salons":[]}')
    peer = "C on epoll"
    return Comparison(
        {OURS: ours, peer: lambda: growth(file_server(programs, salons=salons))},
        [Metric("kib", "backend, memory of an idle connection", "KiB", {peer: 4})],
    )


def slow_readers(programs: Programs) -> Comparison:
    """The growth of peak memory when clients that read slowly request a long list."""
    count = programs.choose(200_000, 20_000)
    readers = 20
    database = database_with_bookings(programs, count)

    def ours():
        with backend(programs, database) as server, held(programs, server, 1, "/salons"):
            before = server.memory_kib("VmHWM")
            with held(programs, server, readers, "/appointments", "slowly"):
                return {"kib": max(server.memory_kib("VmHWM") - before, 1)}

    def payload():
        with backend(programs, database) as server:
            return {"kib": list_size(server, "/appointments") / 1024}

    title = f"backend, {readers} slow readers of {count:,} appointments, growth of peak memory"
    return Comparison(
        {OURS: ours, "payload": payload}, [Metric("kib", title, "KiB", {"payload": 1})]
    )


def backend(programs: Programs, database: Path, core: int | None = None) -> RunningServer:
    program = programs.binaries / "novablend-backend"
    options = ["--port", "0", "--exit-with-input", "--database", database]
    return RunningServer(programs, *on_core(core), program, *options)


def new_database(programs: Programs, directory: str) -> Path:
    return programs.empty_directory(directory) / "backend.sqlite"


def database_with_bookings(programs: Programs, count: int) -> Path:
    """A database that the backend created, with one booking that the backend made and `count` copies
    of it at other times. It is created once."""
    directory = programs.scratch / f"bookings-{count}"
    if not directory.exists():
        unfinished = new_database(programs, f"{directory.name}-unfinished")
        with backend(programs, unfinished) as server:
            server.request("POST", "/appointments", booking(0), {"Idempotency-Key": "copied"})
        programs.run_json(programs.built / "sqlite_alone", "fill", unfinished, count)
        unfinished.parent.rename(directory)
    return directory / "backend.sqlite"


def copy(database: Path, directory: Path) -> Path:
    return Path(shutil.copytree(database.parent, directory, dirs_exist_ok=True)) / database.name


# A salon where one booking can take 2,000 grains.
LARGE_SALON = {
    "id": "1a46e000-0000-4000-8000-000000000001",
    "name": "Large",
    "location": "Berlin",
    "open_time": 0,
    "close_time": 0,
    "seats": 80,
    "services": [{"id": "all", "name": "All", "minutes": 120}],
}


def large_bookings(programs: Programs, count: int) -> Path:
    """A file with bookings of all seats of LARGE_SALON, one per line. Each booking takes 25 grains,
    because it begins in the middle of a grain."""
    first = datetime(2040, 1, 1, 0, 2, tzinfo=timezone.utc)
    options = {"serviceId": "all", "seats": LARGE_SALON["seats"]}
    times = ((first + timedelta(hours=3 * number)).strftime(TIME) for number in range(count))
    bodies = (booking_body(LARGE_SALON["id"], time, **options) for time in times)
    return lines_file(programs.scratch / "large-bookings.txt", bodies)


def list_size(server: RunningServer, path: str) -> int:
    """The bytes of all pages of a list."""
    size = 0
    while path:
        response, body = server.request("GET", path)
        size += len(body)
        path = next_page(response.getheader("Link", ""), path)
    return size


def next_page(link: str, path: str) -> str | None:
    """The path and query of the page after `path`, in a Link field (RFC 8288)."""
    if 'rel="next"' not in link:
        return None
    target = urlsplit(urljoin(path, link[link.index("<") + 1 : link.index(">")]))
    return f"{target.path}?{target.query}"


@contextmanager
def held(programs: Programs, server: RunningServer, count: int, *request):
    """Holds `count` connections open on which a request was answered. None of them may be closed by
    the server. With "slowly", each client has read only the first byte of its response."""
    command = [programs.built / "drive", "hold", server.port, count, *request]
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        process.stdout.readline()
        yield
    finally:
        _, errors = process.communicate(timeout=60)
        if process.returncode != 0:
            raise RuntimeError(f"{count} connections to {request[0]}: {errors.strip()}")


def load(
    programs: Programs,
    server: RunningServer,
    path: str,
    seconds: float,
    bodies: Path | None = None,
    core: int | None = None,
    clients: int = CLIENTS,
) -> dict[str, float]:
    """Puts load on a server. Each line of `bodies` is sent in a POST request."""
    options = [bodies] if bodies else []
    result = programs.drive("load", server.port, clients, seconds, path, *options, core=core)
    if result["failures"]:
        raise RuntimeError(f"{path}: {result['failures']} requests failed")
    return result
