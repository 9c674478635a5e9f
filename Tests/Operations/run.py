#!/usr/bin/env python3
"""Runs `customers erase`, `prune`, and `backup` on a large file while a server uses it.

Run it with `make operations-test`. It generates a database, puts a server under load, and measures how long
others have to wait for the lock of the writer. It fails if they wait longer than the limit, if a request is
answered with 5xx, if the log becomes longer than documented, or if erased data can still be found."""

import argparse
import http.client
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

# What docs/Backend.md says about the size of the log.
MAXIMUM_LOG = 200_000_000
SALON = "0be7a700-0000-4000-8000-000000000001"
CUSTOMERS = 20_000
# A customer who comes every week, for 20 years.
REGULAR = "+49 30 7654321"
REGULAR_APPOINTMENTS = 1_000
REGULAR_TEXTS = [REGULAR, "regular@example.com", "always the chair at the window"]
DAY = 86_400
DEADLINE = 60


def main(options):
    with tempfile.TemporaryDirectory(prefix="operations-") as directory:
        database = Path(options.database or Path(directory) / "db.sqlite")
        program = options.binaries.absolute() / "novablend-backend"
        if not database.exists():
            generate(program, database, options.megabytes)
        print(f"database: {database.stat().st_size / 1e6:.0f} MB")
        with served(program, database) as address:
            problems = measure(program, database, address, Path(directory), options)
    for problem in problems:
        print(f"FAILED: {problem}")
    return 1 if problems else 0


def measure(program, database, address, directory, options):
    before = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 400 * DAY))
    commands = {
        "erase": ["customers", "erase", REGULAR, "--cancel", "--yes"],
        "erase, unknown": ["customers", "erase", "+49 30 9999999", "--yes"],
        "prune": ["prune", "--before", before],
        "backup": ["backup", directory / "copy.sqlite"],
    }
    load = Load(address, options.rate)
    results = [observe("nothing", lambda: time.sleep(options.seconds), database, load)]
    for name, words in commands.items():
        words = [program, *words, "--database", database]
        results.append(observe(name, lambda: run(words), database, load))
        if name == "erase":
            results[-1].problems += [f"{text} remains" for text in remains(database)]
    load.stop()
    show(results)
    limit = options.limit / 1_000
    problems = []
    for result in results:
        found = list(result.problems)
        # Without a command, it shows what the machine and the server cost.
        if result.name != "nothing" and result.lock > limit:
            found.append(f"a lock lasted {result.lock * 1_000:.0f} ms")
        if result.log > MAXIMUM_LOG:
            found.append(f"the log had {result.log / 1e6:.0f} MB")
        if result.errors:
            found.append(f"{len(result.errors)} requests failed, such as {result.errors[0]}")
        problems += [f"{result.name}: {problem}" for problem in found]
    return problems


# The database


def generate(program, database, megabytes):
    """Fills a database with appointments of many years, in the order in which they were booked."""
    salon = {
        "id": SALON, "name": "Large", "location": "Berlin", "open_time": 0, "close_time": 0,
        "slot_minutes": 30, "seats": 80, "time_zone": "UTC",
    }
    salons = database.with_suffix(".json")
    salons.write_text(json.dumps({"salons": [salon]}))
    subprocess.run(
        [program, "salons", "import", salons, "--database", database], check=True,
        stdout=subprocess.DEVNULL,
    )
    connection = sqlite3.connect(database, isolation_level=None)
    for pragma in ["synchronous=OFF", "cache_size=-400000", "wal_autocheckpoint=20000"]:
        connection.execute(f"PRAGMA {pragma}")
    source = random.Random(1)
    number = 0
    while connection.execute("PRAGMA page_count").fetchone()[0] * 4_096 < megabytes * 1e6:
        connection.execute("BEGIN")
        for _ in range(5_000):
            insert(connection, source, number)
            number += 1
        connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    print(f"generated {number} appointments")


def insert(connection, source, number):
    """Half of the appointments ended more than 400 days ago."""
    spacing = 150
    is_regular = number % 300 == 0 and number < 300 * REGULAR_APPOINTMENTS
    customer = source.randrange(CUSTOMERS)
    phone = REGULAR if is_regular else f"+49 30 {1_000_000 + customer}"
    email = REGULAR_TEXTS[1] if is_regular else f"customer{customer}@example.com"
    notes = REGULAR_TEXTS[2] if is_regular else "x" * source.randrange(200)
    now = int(time.time())
    instant = now // 1_800 * 1_800 - 800 * DAY + number * spacing
    identifier = f"{instant:012x}"[:8] + f"-{source.getrandbits(16):04x}-7000-8000-{number:012x}"
    key = f"{source.getrandbits(128):032x}"
    ended = instant < now
    connection.execute(
        """INSERT INTO appointments (salon_id, id, instant, offset_minutes, minutes, status, version, phone,
            email, notes, idempotency_key, seats, change)
        VALUES (?, ?, ?, 60, 30, ?, 1, ?, ?, ?, ?, 1, ?)""",
        (SALON, identifier, instant, "booked" if ended else "cancelled", phone, email, notes, key,
            1_000 + number),
    )
    result = {
        "salonId": SALON, "id": identifier, "phone": phone, "email": email, "notes": notes,
        "appointmentTime": time.strftime("%Y-%m-%dT%H:%M:%S+0000", time.gmtime(instant)),
    }
    connection.execute(
        """INSERT INTO idempotency_keys (key, caller, salon_id, created_at, method, path, body_fingerprint,
            result) VALUES (?, '', ?, ?, 'POST', '/appointments', 1, ?)""",
        (key, SALON, now - 30 * DAY, json.dumps(result, separators=(",", ":"))),
    )


def remains(database):
    """Which of the texts of the erased customer the files contain."""
    contents = [Path(f"{database}{suffix}").read_bytes() for suffix in ["", "-wal"]]
    return [text for text in REGULAR_TEXTS if any(text.encode() in content for content in contents)]


# The server and its load


@contextmanager
def served(program, database):
    """The address of a server."""
    process = subprocess.Popen(
        [program, "serve", "--port", "0", "--database", database, "--exit-with-input"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )
    try:
        yield process.stdout.readline().strip().rsplit("/", 1)[-1]
    finally:
        process.stdin.close()
        process.wait(DEADLINE)


class Load:
    """Clients that together send a number of requests per second: one in five books."""

    def __init__(self, address, rate, clients=6):
        self._address = address
        self._interval = clients / rate
        self._is_stopping = False
        self._lock = threading.Lock()
        self._latencies = []
        self._errors = []
        self._threads = [
            threading.Thread(target=self._run, args=[number]) for number in range(clients)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self):
        self._is_stopping = True
        for thread in self._threads:
            thread.join()

    def take(self):
        """The latencies of bookings and the errors since the last call."""
        with self._lock:
            taken = (self._latencies, self._errors)
            self._latencies, self._errors = [], []
        return taken

    def _run(self, number):
        source = random.Random(number)
        connection = http.client.HTTPConnection(self._address, timeout=DEADLINE)
        next_time = time.monotonic()
        while not self._is_stopping:
            next_time = max(next_time + self._interval, time.monotonic() - 1)
            time.sleep(max(0, next_time - time.monotonic()))
            self._send(connection, source)

    def _send(self, connection, source):
        is_booking = source.random() < 0.2
        start = time.monotonic()
        try:
            if is_booking:
                instant = int(time.time()) // DAY * DAY + source.randrange(2 * 48, 200 * 48) * 1_800
                body = {
                    "salonId": SALON, "phone": f"+49 31 {source.randrange(10**6, 10**7)}",
                    "appointmentTime": time.strftime("%Y-%m-%dT%H:%M:%S+0000", time.gmtime(instant)),
                }
                headers = {"Content-Type": "application/json"}
                connection.request("POST", "/appointments", json.dumps(body), headers)
            else:
                path = source.choice(["/salons", "/appointments?limit=20", f"/salons/{SALON}"])
                connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            error = f"{response.status}" if response.status >= 500 else None
        except (OSError, http.client.HTTPException) as failure:
            connection.close()
            error = repr(failure)
        with self._lock:
            if is_booking:
                self._latencies.append(time.monotonic() - start)
            if error:
                self._errors.append(error)


# What is measured


@dataclass
class Result:
    name: str
    seconds: float
    cpu: float
    lock: float
    log: int
    latencies: list
    errors: list
    problems: list = field(default_factory=list)


class Probe(threading.Thread):
    """Takes the lock of the writer again and again, and measures how long that takes."""

    def __init__(self, database):
        super().__init__()
        self._database = database
        self._is_stopping = False
        self.longest = 0
        self.largest_log = 0

    def run(self):
        # Without a timeout, because SQLite would try again only after up to 100 ms.
        connection = sqlite3.connect(self._database, timeout=0, isolation_level=None)
        while not self._is_stopping:
            start = time.monotonic()
            while not self._has_lock(connection):
                time.sleep(0.0005)
            self.longest = max(self.longest, time.monotonic() - start)
            connection.execute("ROLLBACK")
            self.largest_log = max(self.largest_log, Path(f"{self._database}-wal").stat().st_size)
            time.sleep(0.003)
        connection.close()

    @staticmethod
    def _has_lock(connection):
        try:
            connection.execute("BEGIN IMMEDIATE")
            return True
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            return False

    def stop(self):
        self._is_stopping = True
        self.join()


def observe(name, body, database, load):
    load.take()
    probe = Probe(database)
    probe.start()
    start, before = time.monotonic(), os.times()
    problems = body() or []
    seconds, after = time.monotonic() - start, os.times()
    probe.stop()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    latencies, errors = load.take()
    return Result(name, seconds, cpu, probe.longest, probe.largest_log, latencies, errors, problems)


def run(words):
    """What went wrong with a command."""
    result = subprocess.run(words, capture_output=True, text=True)
    print((result.stdout + result.stderr).strip().split("\n")[-1])
    return [f"exit code {result.returncode}"] if result.returncode else []


def show(results):
    print(f"{'':16} {'s':>7} {'CPU s':>7} {'lock ms':>8} {'log MB':>7} {'bookings':>8} {'p50 ms':>7} {'max ms':>7}")
    for result in results:
        sorted_latencies = sorted(result.latencies) or [0]
        median, longest = sorted_latencies[len(sorted_latencies) // 2], sorted_latencies[-1]
        print(
            f"{result.name:16} {result.seconds:7.1f} {result.cpu:7.2f} {result.lock * 1e3:8.1f} "
            f"{result.log / 1e6:7.1f} {len(result.latencies):8} {median * 1e3:7.1f} {longest * 1e3:7.1f}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binaries", type=Path, default=Path("bin"))
    parser.add_argument("--database", type=Path, help="a file to use and keep; generated if it is missing")
    parser.add_argument("--megabytes", type=int, default=500)
    parser.add_argument("--rate", type=float, default=75, help="requests per second")
    parser.add_argument("--seconds", type=float, default=15, help="how long to measure without a command")
    parser.add_argument("--limit", type=float, default=50, help="the longest lock, in milliseconds")
    sys.exit(main(parser.parse_args()))
