"""Measures long lists: from the cache, from a server, decoded into models, and by size."""

import shutil
import subprocess
from pathlib import Path

from .measure import OURS, Comparison, Metric, Spread
from .messages import LSP, OFFLINE, ONLINE, cache_directory, has_salons
from .payloads import salons
from .programs import Programs, RunningServer, file_server


def comparisons(programs: Programs) -> list[Comparison]:
    count = programs.choose(100_000, 10_000)
    return [
        cached_list(programs, count),
        decode(programs, count),
        codable(programs, count, "decode", "decoding {} Codable salons", "JSONDecoder"),
        codable(programs, count, "encode", "encoding {} Codable salons", "JSONEncoder"),
    ]


def cached_list(programs: Programs, count: int) -> Comparison:
    payload = salons(count, programs.scratch)
    novablend = programs.novablend(cache_directory(programs, count))
    disk_cache = programs.scratch / "diskcache"
    database = programs.scratch / "cache.sqlite"
    subprocess.run(programs.script("disk_cache.py", "save", disk_cache, payload), check=True)
    database.unlink(missing_ok=True)
    insert = (
        "CREATE TABLE cache (name TEXT PRIMARY KEY, payload TEXT);"
        f"INSERT INTO cache VALUES ('salons', CAST(readfile('{payload}') AS TEXT));"
    )
    subprocess.run(["sqlite3", database, insert], check=True)

    def ours():
        result = programs.drive("rpc", *OFFLINE, "--count", 6, "--", *novablend)
        assert result["bytes"] > payload.stat().st_size
        return {
            "startup": result["startup"],
            "repeated": result["p50"],
            "peak_kib": result["peak_kib"],
        }

    def output_of(*command):
        def run():
            result = programs.drive("run", *command)
            assert result["bytes"] >= payload.stat().st_size
            return {"startup": result["seconds"], "repeated": result["seconds"]}

        return run

    task = f"cached list of {count:,} salons"
    return Comparison(
        {
            OURS: ours,
            "cat": output_of("cat", payload),
            "diskcache": output_of(*programs.script("disk_cache.py", "load", disk_cache)),
            "SQLite": output_of("sqlite3", database, "SELECT payload FROM cache"),
            "payload": lambda: {"peak_kib": payload.stat().st_size / 1024},
        },
        [
            Metric("startup", f"{task}, including startup", "s", {"cat": 2}),
            Metric("repeated", f"{task}, repeated", "s", {"cat": 2}),
            Metric("peak_kib", f"{task}, peak memory", "KiB", {"payload": 2}),
        ],
    )


def load_from_server(programs: Programs, count: int, server: RunningServer) -> Comparison:
    """Loads a list from `server`, which must run during the comparison."""
    payload = salons(count, programs.scratch)
    task = f"list of {count:,} salons from a server"
    return Comparison(
        {
            OURS: lambda: load(programs, server.url),
            "curl + simdjson": lambda: {
                "first_call": programs.run_json(
                    programs.built / "fetch", f"{server.url}/salons", programs.scratch / "fetched"
                )["seconds"]
            },
            "payload": lambda: {"peak_kib": payload.stat().st_size / 1024},
        },
        [
            Metric("first_call", task, "s", {"curl + simdjson": 1.5}),
            Metric("peak_kib", f"{task}, peak memory", "KiB", {"payload": 3}),
        ],
    )


def load(programs: Programs, url: str) -> dict[str, float]:
    cache = programs.empty_directory("load-cache")
    command = programs.novablend(cache, "--base-url", url, "--max-response", 1 << 30)
    result = programs.drive("rpc", *LSP, *ONLINE, "--", *command)
    if not has_salons(cache):
        raise RuntimeError("the list was not cached")
    return result


def decode(programs: Programs, count: int) -> Comparison:
    payload = salons(count, programs.scratch)
    rounds = programs.choose(3, 1)

    def swift(name):
        command = [programs.swift / name, "decode", payload, rounds]
        return lambda: {"p50": programs.run_json(*command)["p50"]}

    def orjson():
        command = programs.script("json_decode.py", payload, rounds)
        return {"p50": programs.run_json(*command)["seconds"]}

    return Comparison(
        {
            OURS: swift("bench-novablend"),
            "orjson": orjson,
            "JSONDecoder": swift("bench-foundation"),
        },
        [
            Metric(
                "p50",
                f"decoding {count:,} salons into models",
                "s",
                {"orjson": 1, "JSONDecoder": 1 / 8},
            )
        ],
    )


def codable(programs: Programs, count: int, operation: str, task: str, peer: str) -> Comparison:
    """Compares NovaBlend with Foundation in one program, with the same types."""
    payload = salons(count, programs.scratch)
    rounds = programs.choose(3, 1)

    def swift(operation):
        command = [programs.swift / "bench-codable", operation, payload, rounds]
        return lambda: {"p50": programs.run_json(*command)["p50"]}

    return Comparison(
        {OURS: swift(operation), peer: swift(peer)},
        [Metric("p50", task.format(f"{count:,}"), "s", {peer: 1 / 3})],
    )


def growth(programs: Programs) -> dict[str, list[dict]]:
    """Measures time and peak memory for different numbers of salons."""
    sizes = [1_000, 10_000, 100_000, 300_000, 1_000_000][: programs.choose(5, 2)]
    return {
        "from a server": [growth_point(programs, size, load_once) for size in sizes],
        "from the cache": [growth_point(programs, size, list_once) for size in sizes],
        "decoding only": [growth_point(programs, size, decode_once) for size in sizes],
    }


def growth_point(programs: Programs, size: int, measure) -> dict:
    """The measurements for one size, or the error."""
    payload = salons(size, programs.scratch)
    try:
        results = [measure(programs, size, payload) for _ in range(programs.choose(3, 1))]
    except RuntimeError as error:
        return {"salons": size, "error": str(error)[-300:]}
    return {
        "salons": size,
        "payload_kib": payload.stat().st_size / 1024,
        "seconds": vars(Spread.of([result["seconds"] for result in results])),
        "peak_kib": max(result["peak_kib"] for result in results),
    }


def load_once(programs: Programs, size: int, payload: Path) -> dict[str, float]:
    with file_server(programs, salons=payload) as server:
        result = load(programs, server.url)
    # list_once measures this cache.
    cache = programs.scratch / f"cache-{size}"
    shutil.rmtree(cache, ignore_errors=True)
    (programs.scratch / "load-cache").rename(cache)
    (cache / programs.SERVER_URL).write_text(server.url)
    return {"seconds": result["first_call"], "peak_kib": result["peak_kib"]}


def list_once(programs: Programs, size: int, _: Path) -> dict[str, float]:
    command = programs.novablend(cache_directory(programs, size))
    result = programs.drive("rpc", *LSP, *OFFLINE, "--", *command)
    return {"seconds": result["first_call"], "peak_kib": result["peak_kib"]}


def decode_once(programs: Programs, _: int, payload: Path) -> dict[str, float]:
    command = [programs.swift / "bench-novablend", "decode", payload]
    return {
        "seconds": programs.run_json(*command, 3)["p50"],
        "peak_kib": programs.drive("run", *command, 1)["peak_kib"],
    }
