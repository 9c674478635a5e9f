"""Measures single components of the client: transport and snapshot store."""

from pathlib import Path

from .measure import OURS, Comparison, Metric
from .programs import Programs, RunningServer


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


def download(programs: Programs, server: RunningServer, size: str) -> Comparison:
    """Downloads that are read in chunks. The server must run during the comparison."""
    url, count = f"{server.url}/body", 4
    return streams(
        programs,
        f"download of {count} x {size} as a stream",
        {
            OURS: [programs.swift / "bench-novablend", "download", url, count],
            "curl": ["curl", "--fail", "--silent", "--output", "/dev/null", f"{url}?[1-{count}]"],
            "httpx": programs.script("http_stream.py", "download", url, count),
            "URLSession": [programs.swift / "bench-foundation", "download", url, count],
        },
        {"curl": 1.3, "URLSession": 0.4},
    )


def upload(programs: Programs, server: RunningServer, size: str, file: Path) -> Comparison:
    """Uploads from a file. The server must run during the comparison."""
    url, count = f"{server.url}/upload", 4
    return streams(
        programs,
        f"upload of {count} x {size} from a file",
        {
            OURS: [programs.swift / "bench-novablend", "upload", file, url, count],
            "curl": ["curl", "--fail", "--silent", "--header", "Expect:"]
            + ["--upload-file", file, f"{url}?[1-{count}]"],
            "httpx": programs.script("http_stream.py", "upload", file, url, count),
            "URLSession": [programs.swift / "bench-foundation", "upload", file, url, count],
        },
        {"curl": 1.5, "URLSession": 0.5},
    )


def streams(
    programs: Programs, task: str, commands: dict[str, list], goals: dict[str, float]
) -> Comparison:
    """Whole processes, so that their peak memory can be compared."""

    def client(command):
        return lambda: programs.drive("run", *command)

    return Comparison(
        {name: client(command) for name, command in commands.items()},
        [
            Metric("seconds", task, "s", goals),
            Metric("peak_kib", f"{task}, peak memory", "KiB", {"curl": 2}),
        ],
    )


def replace_file(programs: Programs, size: int, size_name: str) -> Comparison:
    count = programs.choose(200 if size < 1 << 20 else 12, 20 if size < 1 << 20 else 4)
    store = programs.empty_directory(f"store-{size}")
    plain = programs.empty_directory(f"plain-{size}")
    foundation = programs.empty_directory(f"foundation-{size}")
    disk_cache = programs.empty_directory(f"diskcache-{size}")
    return Comparison(
        {
            OURS: lambda: programs.run_json(
                programs.swift / "bench-novablend", "replace", store, size, count
            ),
            "system calls": lambda: programs.drive("replace", plain, size, count),
            "Data.write(.atomic), not durable": lambda: programs.run_json(
                programs.swift / "bench-foundation", "replace", foundation, size, count
            ),
            "diskcache, not durable": lambda: programs.run_json(
                *programs.script("disk_cache.py", "replace", disk_cache, size, count)
            ),
        },
        [Metric("p50", f"durable file replacement, {size_name}", "s", {"system calls": 1.1})],
    )
