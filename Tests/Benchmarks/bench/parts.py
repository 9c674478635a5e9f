"""The parts alone: transport, store, and the backend."""

from pathlib import Path

from .measure import OURS, Figure, Work
from .payloads import bookings
from .programs import Programs, Running

SALON = "5a100000-0000-4000-8000-000000000001"
SLOTS = f"/salons/{SALON}/availability?start=2040-01-01T00:00:00Z&end=2040-01-01T23:00:00Z"


def getting(programs: Programs, server: Running, at_once: int) -> Work:
    """Keep-alive GETs of a kilobyte from a server that runs as long as the work is done."""
    url = f"{server.url}/salons"

    def told(*command, count):
        count = max(at_once * 4, programs.choose(count, count // 10))
        return lambda: programs.tell(*command, url, at_once, count)

    what = f"GETs, {at_once} at once"
    rates = {"C on curl_multi": 0.85, "URLSession": 8}
    costs = {peer: 1 / rate for peer, rate in rates.items()}
    return Work(
        {
            OURS: told(programs.swift / "bench-ours", "get", count=20_000),
            "C on curl_multi": told(programs.built / "curl_get", "get", count=20_000),
            "pycurl": told(*programs.script("getting.py", "pycurl"), count=10_000),
            "httpx": told(*programs.script("getting.py", "httpx"), count=500),
            "URLSession": told(programs.swift / "bench-foundation", "get", count=3_000),
        },
        [
            Figure("rate", f"{what}, rate", "/s", rates, more_is_better=True),
            Figure("cpu", f"{what}, client CPU each", "s", costs),
        ],
    )


def replacing(programs: Programs, size: int, name: str) -> Work:
    count = programs.choose(200 if size < 1 << 20 else 12, 20 if size < 1 << 20 else 4)
    ours, bare = programs.fresh(f"store-{size}"), programs.fresh(f"bare-{size}")
    return Work(
        {
            OURS: lambda: programs.tell(
                programs.swift / "bench-ours", "replace", ours, size, count
            ),
            "system calls": lambda: programs.drive("replace", bare, size, count),
        },
        [Figure("p50", f"durable replace of {name}", "s", {"system calls": 1.1})],
    )


def serving(programs: Programs) -> Work:
    """The backend beside what SQLite does with the same statements. Both cores are shared with the
    load."""
    seconds = programs.choose(2, 1)
    asked = bookings(200_000, programs.scratch)

    def backend():
        database = programs.fresh("backend") / "backend.sqlite"
        command = [programs.binaries / "novablend-backend", "--port", "0", "--exit-with-input"]
        with Running(programs, *command, "--database", database) as server:
            booked = load(programs, server, "/appointments", seconds, asked)
            return {
                "bookings": booked["rate"],
                "p99": booked["p99"],
                "reads": load(programs, server, SLOTS, seconds)["rate"],
                "salons": load(programs, server, "/salons", seconds)["rate"],
            }

    def alone():
        database = programs.fresh("limit") / "limit.sqlite"
        return programs.tell(programs.built / "sqlite_limit", database, seconds)

    return Work(
        {OURS: backend, "SQLite alone": alone},
        [
            Figure("bookings", "backend, durable bookings", "/s", more_is_better=True),
            Figure("p99", "backend, a booking, p99", "s"),
            Figure("reads", "backend, availability of a day", "/s", more_is_better=True),
            Figure("salons", "backend, salons", "/s", more_is_better=True),
        ],
    )


def load(
    programs: Programs, server: Running, path: str, seconds: int, bodies: Path | None = None
) -> dict[str, float]:
    extra = [bodies] if bodies else []
    result = programs.drive("load", server.port, 16, seconds, path, *extra)
    if result["refused"]:
        raise RuntimeError(f"{path}: {result['refused']} refused")
    return result
