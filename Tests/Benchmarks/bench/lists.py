"""Lists of many salons: from the cache, from a server, into models, and how all that grows."""

import shutil
import subprocess
from pathlib import Path

from .measure import OURS, Figure, Spread, Work
from .payloads import salons
from .programs import Programs, Running, file_server
from .talk import LSP, OFFLINE, ONLINE, cached, has_salons


def works(programs: Programs) -> list[Work]:
    many = programs.choose(100_000, 10_000)
    return [offline(programs, many), reading(programs, many)]


def offline(programs: Programs, many: int) -> Work:
    payload = salons(many, programs.scratch)
    ours = programs.novablend(cached(programs, many))
    shelf = programs.scratch / "diskcache"
    database = programs.scratch / "cache.sqlite"
    subprocess.run(programs.script("caching.py", "save", shelf, payload), check=True)
    database.unlink(missing_ok=True)
    fill = (
        "CREATE TABLE cache (name TEXT PRIMARY KEY, payload TEXT);"
        f"INSERT INTO cache VALUES ('salons', CAST(readfile('{payload}') AS TEXT));"
    )
    subprocess.run(["sqlite3", database, fill], check=True)

    def served():
        result = programs.drive("ask", *OFFLINE, "--count", 6, "--", *ours)
        assert result["bytes"] > payload.stat().st_size
        return {"first": result["first"], "repeated": result["p50"], "peak_kib": result["peak_kib"]}

    def piped(*command):
        def run():
            result = programs.drive("run", *command)
            assert result["bytes"] >= payload.stat().st_size
            return {"first": result["seconds"], "repeated": result["seconds"]}

        return run

    what = f"offline list of {many:,}"
    return Work(
        {
            OURS: served,
            "cat": piped("cat", payload),
            "diskcache": piped(*programs.script("caching.py", "load", shelf)),
            "SQLite": piped("sqlite3", database, "SELECT payload FROM cache"),
            "payload": lambda: {"peak_kib": payload.stat().st_size / 1024},
        },
        [
            Figure("first", f"{what}, from spawn", "s", {"cat": 2}),
            Figure("repeated", f"{what}, repeated", "s", {"cat": 2}),
            Figure("peak_kib", f"{what}, peak memory", "KiB", {"payload": 3}),
        ],
    )


def loading(programs: Programs, many: int, server: Running) -> Work:
    """From a server that runs as long as the work is done."""
    payload = salons(many, programs.scratch)
    what = f"online load of {many:,}"
    return Work(
        {
            OURS: lambda: load(programs, server.url),
            "curl + simdjson": lambda: {
                "one": programs.tell(
                    programs.built / "fetch", f"{server.url}/salons", programs.scratch / "fetched"
                )["seconds"]
            },
            "payload": lambda: {"peak_kib": payload.stat().st_size / 1024},
        },
        [
            Figure("one", what, "s", {"curl + simdjson": 1.5}),
            Figure("peak_kib", f"{what}, peak memory", "KiB", {"payload": 3}),
        ],
    )


def load(programs: Programs, url: str) -> dict[str, float]:
    cache = programs.fresh("load-cache")
    command = programs.novablend(cache, "--base-url", url, "--max-response", 1 << 30)
    result = programs.drive("ask", *LSP, *ONLINE, "--", *command)
    if not has_salons(cache):
        raise RuntimeError("what was loaded was not cached")
    return result


def reading(programs: Programs, many: int) -> Work:
    payload = salons(many, programs.scratch)
    rounds = programs.choose(3, 1)

    def swift(name):
        return lambda: {"p50": programs.tell(programs.swift / name, "read", payload, rounds)["p50"]}

    return Work(
        {
            OURS: swift("bench-ours"),
            "orjson": lambda: {
                "p50": programs.tell(*programs.script("reading.py", payload, rounds))["seconds"]
            },
            "JSONDecoder": swift("bench-foundation"),
        },
        [
            Figure(
                "p50",
                f"reading {many:,} salons into models",
                "s",
                {"orjson": 1, "JSONDecoder": 1 / 8},
            )
        ],
    )


def growth(programs: Programs) -> dict[str, list[dict]]:
    """Time and peak memory by the number of salons; what failed is told with its reason."""
    sizes = [1_000, 10_000, 100_000, 300_000, 1_000_000][: programs.choose(5, 2)]
    return {
        "online load": [grown(programs, size, online) for size in sizes],
        "offline list": [grown(programs, size, offline_once) for size in sizes],
        "reading alone": [grown(programs, size, read_alone) for size in sizes],
    }


def grown(programs: Programs, size: int, one) -> dict:
    payload = salons(size, programs.scratch)
    try:
        results = [one(programs, size, payload) for _ in range(programs.choose(3, 1))]
    except RuntimeError as refusal:
        return {"salons": size, "refused": str(refusal)[-300:]}
    return {
        "salons": size,
        "payload_kib": payload.stat().st_size / 1024,
        "seconds": vars(Spread.of([each["seconds"] for each in results])),
        "peak_kib": max(each.get("peak_kib", 0) for each in results),
    }


def online(programs: Programs, size: int, payload: Path) -> dict[str, float]:
    with file_server(programs, salons=payload) as server:
        result = load(programs, server.url)
    # The list offline is of the same size.
    keep = programs.scratch / f"cache-{size}"
    shutil.rmtree(keep, ignore_errors=True)
    (programs.scratch / "load-cache").rename(keep)
    (keep / programs.SERVER_URL).write_text(server.url)
    return {"seconds": result["one"], "peak_kib": result["peak_kib"]}


def offline_once(programs: Programs, size: int, _: Path) -> dict[str, float]:
    command = programs.novablend(cached(programs, size))
    result = programs.drive("ask", *LSP, *OFFLINE, "--", *command)
    return {"seconds": result["one"], "peak_kib": result["peak_kib"]}


def read_alone(programs: Programs, _: int, payload: Path) -> dict[str, float]:
    run = programs.drive("run", programs.swift / "bench-ours", "read", payload, 1)
    told = programs.tell(programs.swift / "bench-ours", "read", payload, 3)
    return {"seconds": told["p50"], "peak_kib": run["peak_kib"]}
