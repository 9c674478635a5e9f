"""Counts the instructions of the program in fixed scenarios, with callgrind of valgrind.

Usage: instructions.py PROGRAM SWIFT [--accept REASON]

The counts are compared with instructions.json, which has them for each version of Swift and of the C library.
A scenario fails if it takes more instructions than the stored count plus three times the spread of ten runs, or
plus three percent if that is more, because other machines switch between threads more often.
With --accept, the counts of ten runs are stored, and why they changed. Only the instructions of the program
count, not those of shared libraries, which differ between processors. Calls that use sockets depend on time, so
they are only printed."""

import argparse
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

COUNTS = Path(__file__).parent / "instructions.json"
SERVER = "http://salons.example"
SALONS = 1_000
RUNS = 3
ACCEPTED_RUNS = 10


def salon(number: int) -> dict:
    return {
        "id": f"{number:08x}-0000-4000-8000-{number:012x}",
        "name": f"Étoile {number}" if number % 7 == 0 else f"Nova {number}",
        "location": f"{number} Rue des Martyrs, Paris",
        "phone": f"+33 1 {number:08}",
        "open_time": 9.3,
        "close_time": 20.0,
        "slot_minutes": 30,
        "time_zone": "Europe/Paris",
    }


class Server(http.server.BaseHTTPRequestHandler):
    """The server of the lists. It is a proxy, so that the URL of the list is always the same."""

    lists = {
        "/salons": {"salons": [salon(number) for number in range(SALONS)]},
        "/appointments": {"appointments": []},
    }

    def do_GET(self) -> None:
        path = self.path.removeprefix(SERVER).partition("?")[0]
        body = json.dumps(self.lists.get(path, {})).encode()
        self.send_response(200 if path in self.lists else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def call(method: str, **params: object) -> dict:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


INITIALIZE = call(
    "initialize",
    protocolVersion="2025-11-25",
    capabilities={},
    clientInfo={"name": "count", "version": "1"},
)
LISTS = {
    name: call(f"{name}/list", policy="serverOnly", limit=1) for name in ("salons", "appointments")
}
AVAILABILITY = call(
    "salons/availability", salonId=salon(500)["id"], start="2027-03-02", end="2027-03-03"
)
SCENARIOS = {
    "startup to the reply to `initialize`": [INITIALIZE],
    "startup and `tools/list`": [INITIALIZE, call("tools/list")],
    "startup and a cached list of 1,000 salons": [call("salons/list", policy="cacheOnly")],
    "100 calls for one of 1,000 cached salons": [
        call("salons/get", id=salon(number)["id"], policy="cacheOnly") for number in range(100)
    ],
    "20 searches in 1,000 cached salons": [
        call("salons/list", query="nova paris", limit=5, policy="cacheOnly") for _ in range(20)
    ],
    "decoding 1,000 cached salons": [
        call("salons/list", openAt="2027-03-02T10:00", limit=5, policy="cacheOnly")
    ],
    "1,000 calls of an unknown method": [call("unknown") for _ in range(1_000)],
}
# The calls of the first are sent to a server, and those of the second find none. How long they wait changes their
# counts, so these are only printed.
WITH_SERVER = {
    "a list of 1,000 salons from a server, which replaces the cached one": [LISTS["salons"]]
}
WITHOUT_SERVER = {"10 calls for free times without a connection": [AVAILABILITY] * 10}
NO_SERVER = "http://127.0.0.1:1"


class Counter:
    def __init__(self, program: Path, scratch: Path, proxy: str) -> None:
        self.scratch = scratch
        self.program = scratch / "novablend"
        # valgrind cannot read the debug information of Swift.
        subprocess.run(["strip", "-o", self.program, program], check=True)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(scratch),
            "SWIFT_DETERMINISTIC_HASHING": "1",
            "SIMDJSON_FORCE_IMPLEMENTATION": "westmere",
        }
        self.serve([LISTS["salons"], LISTS["appointments"]], proxy, [])

    def serve(self, calls: list[dict], proxy: str | None, prefix: list) -> None:
        """Runs the program with calls. Without a proxy, they come from a file, so that it waits for no
        input."""
        lines = "".join(json.dumps(message) + "\n" for message in calls).encode()
        path = self.scratch / "input"
        path.write_bytes(b"" if proxy else lines)
        command = [*prefix, self.program, "serve", "--base-url", SERVER]
        if proxy:
            command += ["--proxy", proxy]
        with path.open() as source:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE if proxy else source,
                stdout=subprocess.PIPE,
                # valgrind warns of each system call that it does not know.
                stderr=subprocess.DEVNULL,
                env=self.environment,
            )
        if proxy:
            process.stdin.write(lines)
            process.stdin.flush()
            replies = b"".join(process.stdout.readline() for _ in calls)
            process.stdin.close()
        else:
            replies = process.stdout.read()
        if process.wait() != 0:
            sys.exit(f"{command} failed")
        count = replies.count(b'"jsonrpc"')
        errors = replies.count(b'"error":{"code"') - sum(m["method"] == "unknown" for m in calls)
        if count != len(calls) or errors > 0:
            text = replies.decode(errors="replace")
            sys.exit(f"{len(calls)} calls got {count} replies, of which {errors} are errors: {text}")

    def count(self, calls: list[dict], proxy: str | None = None) -> int:
        output = self.scratch / "callgrind"
        prefix = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={output}"]
        self.serve(calls, proxy, prefix)
        return self.own_instructions(output.read_text(errors="replace"))

    def own_instructions(self, profile: str) -> int:
        """The instructions in the object file of the program."""
        total = 0
        objects = re.findall(r"^c?ob=(\(\d+\)) (.*)$", profile, re.MULTILINE)
        own = {number for number, path in objects if path == str(self.program)}
        is_own = is_inclusive = False
        for line in profile.splitlines():
            if line.startswith("ob="):
                is_own = line[3:].partition(" ")[0] in own
            elif line.startswith("calls="):
                # The next line has the cost of the called function.
                is_inclusive = True
            elif line[:1] in "0123456789+-*" and line:
                if is_own and not is_inclusive:
                    total += int(line.split()[1])
                is_inclusive = False
        return total


def versions(swift: str) -> str:
    text = subprocess.run([swift, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"version (\S+)", text)[1]
    return f"Swift {version}, {os.confstr('CS_GNU_LIBC_VERSION')}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("swift")
    parser.add_argument("--accept", metavar="REASON")
    arguments = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    proxy = f"http://127.0.0.1:{server.server_port}"
    stored = json.loads(COUNTS.read_text()) if COUNTS.exists() else {}
    key = versions(arguments.swift)
    known = stored.get(key, {}).get("counts", {})
    accepted, failures = {}, []
    scratch = Path(tempfile.mkdtemp())
    try:
        counter = Counter(arguments.program, scratch, proxy)
        for name, calls in SCENARIOS.items():
            runs = ACCEPTED_RUNS if arguments.accept else RUNS
            counts = [counter.count(calls) for _ in range(runs)]
            least = min(counts)
            threshold = max(3 * (max(counts) - least), least * 3 // 100)
            accepted[name] = {"count": least, "threshold": threshold}
            failures += compare(name, least, known.get(name))
        for url, scenarios in ((proxy, WITH_SERVER), (NO_SERVER, WITHOUT_SERVER)):
            for name, calls in scenarios.items():
                print(f"{counter.count(calls, url):>12,}  {name} (not compared)")
    finally:
        shutil.rmtree(scratch)
    if arguments.accept:
        stored[key] = {"reason": arguments.accept, "counts": accepted}
        COUNTS.write_text(json.dumps(stored, indent=2) + "\n")
        return
    if not known:
        print(f"there are no counts for {key}; store them with make instructions-accept")
    if failures:
        sys.exit("\n".join(failures))


def compare(name: str, count: int, stored: dict | None) -> list[str]:
    """Prints a count, and returns the failure if it is too high."""
    if stored is None:
        print(f"{count:>12,}  {name}")
        return []
    change = count - stored["count"]
    print(f"{count:>12,}  {name} ({change:+,}, threshold {stored['threshold']:,})")
    if change > stored["threshold"]:
        return [f"{name}: {count:,} instructions, {change:,} more than {stored['count']:,}"]
    if change < -stored["threshold"]:
        print(f"{'':>12}  record this improvement with make instructions-accept")
    return []


main()
