"""Measures single components: transport, snapshot store, and the backend."""

from pathlib import Path

from .measure import OURS, Comparison, Metric
from .payloads import bookings
from .programs import Programs, RunningServer

SALON = "5a100000-0000-4000-8000-000000000001"
AVAILABILITY = f"/salons/{SALON}/availability?start=2040-01-01T00:00:00Z&end=2040-01-01T23:00:00Z"


def get_requests(programs: Programs, server: RunningServer, concurrency: int) -> Comparison:
    """Keep-alive GET requests for one kilobyte each. The server must run during the comparison."""
    url = f"{server.url}/salons"

    def client(*command, count):
        count = max(concurrency * 4, programs.choose(count, count // 10))
        return lambda: programs.run_json(*command, url, concurrency, count)

    task = f"GET requests, concurrency {concurrency}"
    rates = {"C on curl_multi": 0.85, "URLSession": 8}
    costs = {peer: 1 / rate for peer, rate in rates.items()}
    return Comparison(
        {
            OURS: client(programs.swift / "bench-novablend", "get", count=20_000),
            "C on curl_multi": client(programs.built / "curl_get", "get", count=20_000),
            "pycurl": client(*programs.script("http_get.py", "pycurl"), count=10_000),
            "httpx": client(*programs.script("http_get.py", "httpx"), count=500),
            "URLSession": client(programs.swift / "bench-foundation", "get", count=3_000),
        },
        [
            Metric("rate", f"{task}, rate", "/s", rates, more_is_better=True),
            Metric("cpu", f"{task}, client CPU time each", "s", costs),
        ],
    )


def replace_file(programs: Programs, size: int, size_name: str) -> Comparison:
    count = programs.choose(200 if size < 1 << 20 else 12, 20 if size < 1 << 20 else 4)
    store = programs.empty_directory(f"store-{size}")
    plain = programs.empty_directory(f"plain-{size}")
    return Comparison(
        {
            OURS: lambda: programs.run_json(
                programs.swift / "bench-novablend", "replace", store, size, count
            ),
            "system calls": lambda: programs.drive("replace", plain, size, count),
        },
        [Metric("p50", f"durable file replacement, {size_name}", "s", {"system calls": 1.1})],
    )


def backend(programs: Programs) -> Comparison:
    """Our backend, and the same statements on SQLite. The backend and the load share the cores."""
    seconds = programs.choose(2, 1)
    bodies = bookings(200_000, programs.scratch)

    def ours():
        database = programs.empty_directory("backend") / "backend.sqlite"
        command = [programs.binaries / "novablend-backend", "--port", "0", "--exit-with-input"]
        with RunningServer(programs, *command, "--database", database) as server:
            booked = load(programs, server, "/appointments", seconds, bodies)
            return {
                "bookings": booked["rate"],
                "p99": booked["p99"],
                "reads": load(programs, server, AVAILABILITY, seconds)["rate"],
                "salons": load(programs, server, "/salons", seconds)["rate"],
            }

    def sqlite_alone():
        database = programs.empty_directory("limit") / "limit.sqlite"
        return programs.run_json(programs.built / "sqlite_limit", database, seconds)

    return Comparison(
        {OURS: ours, "SQLite alone": sqlite_alone},
        [
            Metric("bookings", "backend, durable bookings", "/s", more_is_better=True),
            Metric("p99", "backend, one booking, p99", "s"),
            Metric("reads", "backend, availability of one day", "/s", more_is_better=True),
            Metric("salons", "backend, list of salons", "/s", more_is_better=True),
        ],
    )


def load(
    programs: Programs, server: RunningServer, path: str, seconds: int, bodies: Path | None = None
) -> dict[str, float]:
    """Puts load on a server. Each line of `bodies` is sent in a POST request."""
    options = [bodies] if bodies else []
    result = programs.drive("load", server.port, 16, seconds, path, *options)
    if result["failures"]:
        raise RuntimeError(f"{path}: {result['failures']} requests failed")
    return result
