"""Measures how a change reaches a client: by the feed of changes, by a full load, and by a 304."""

import json
import multiprocessing
import selectors
import shutil
import socket
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import quantiles
from threading import Thread
from urllib.parse import urlsplit

from .backend import backend
from .measure import OURS, Comparison, Metric
from .payloads import salons
from .programs import Programs, RunningProgram, RunningServer

# Changes that come sooner after each other are reported together.
PAUSE = 0.3
SUBSCRIBERS = 1, 100, 1_000


def comparisons(programs: Programs) -> list[Comparison]:
    return [one_change(programs), *(notification(programs, count) for count in SUBSCRIBERS)]


def one_change(programs: Programs) -> Comparison:
    """The CPU time of the client until its copy of a long list is current again."""
    count = programs.choose(100_000, 10_000)
    payload = salons(count, programs.scratch)
    database = imported(programs, count)

    def ours():
        with running(programs, database) as server, Client(programs, server.url) as subscriber:
            subscriber.call("salons/list", limit=1)
            subscriber.call("resource/subscribe", resource="salons")
            change(server, 0)
            subscriber.wait()
            start = subscriber.cpu_seconds()
            for number in range(1, 11):
                time.sleep(PAUSE)
                change(server, number)
                subscriber.wait()
            return {"cpu": (subscriber.cpu_seconds() - start) / 10}

    def full_load():
        with running(programs, database) as server, Client(programs, server.url) as subscriber:
            start = subscriber.cpu_seconds()
            subscriber.call("salons/list", limit=1)
            return {"cpu": subscriber.cpu_seconds() - start}

    def not_modified():
        with unchanging(payload) as url, Client(programs, url) as subscriber:
            subscriber.call("salons/list", limit=1)
            start = subscriber.cpu_seconds()
            answer = subscriber.call("salons/list", limit=1)
            assert answer["provenance"]["source"] == "revalidated"
            return {"cpu": subscriber.cpu_seconds() - start}

    title = f"one of {count:,} salons has changed, CPU time of the client"
    return Comparison(
        {
            OURS: ours,
            "full load": full_load,
            "304": not_modified,
            "10 ms": lambda: {"cpu": 0.01},
        },
        [Metric("cpu", title, "s", {"10 ms": 1})],
    )


def notification(programs: Programs, count: int) -> Comparison:
    """The time from the response to a change until a subscriber is notified, while `count` clients
    wait."""
    database = imported(programs, 100)

    def ours():
        with (
            running(programs, database) as server,
            others(server.url, count - 1),
            Client(programs, server.url) as subscriber,
        ):
            subscriber.call("salons/list", limit=1)
            subscriber.call("resource/subscribe", resource="salons")
            times = []
            for number in range(programs.choose(20, 5)):
                time.sleep(PAUSE)
                change(server, number)
                start = time.monotonic()
                subscriber.wait()
                times.append(time.monotonic() - start)
            percentiles = quantiles(times, n=100, method="inclusive")
            return {"p50": percentiles[49], "p99": percentiles[98]}

    title = f"from a change to its notification, {count:,} subscribers"
    return Comparison(
        {OURS: ours, "1 s": lambda: {"p50": 1, "p99": 1}},
        [Metric(key, f"{title}, {key}", "s", {"1 s": 1}) for key in ("p50", "p99")],
    )


def imported(programs: Programs, count: int) -> Path:
    """A database with `count` salons. It is created once."""
    database = programs.scratch / f"salons-{count}.sqlite"
    if not database.exists():
        programs.import_salons(salons(count, programs.scratch), database)
    return database


def running(programs: Programs, database: Path):
    """A backend with a copy of the database."""
    copy = programs.empty_directory("live") / "backend.sqlite"
    shutil.copyfile(database, copy)
    return backend(programs, copy)


def change(server: RunningServer, number: int):
    """Gives a salon a new name."""
    path = f"/salons/5a100000-0000-4000-8000-{number:012x}"
    salon = json.loads(server.request("GET", path)[1]) | {"name": f"Salon {time.monotonic()}"}
    server.request("PUT", path, json.dumps(salon), {"If-Match": "*"})


class Client(RunningProgram):
    """A process of `novablend serve`."""

    def __init__(self, programs: Programs, url: str):
        cache = programs.empty_directory("live-cache")
        super().__init__(programs, *programs.novablend(cache, "--base-url", url), errors=None)

    def call(self, method: str, **params) -> dict:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        while "result" not in (answer := json.loads(self._process.stdout.readline())):
            assert "error" not in answer, answer
        return answer["result"]

    def wait(self):
        """Waits for a notification."""
        assert "resource/didChange" in self._process.stdout.readline()

    def cpu_seconds(self) -> float:
        """The CPU time of its threads, more exactly than in /proc/PID/stat."""
        threads = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text().split()[0]) for each in threads) / 1e9


@contextmanager
def unchanging(file: Path):
    """A server whose list never changes."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            is_known = self.headers["If-None-Match"] == '"1"'
            body = b"" if is_known else file.read_bytes()
            self.send_response(304 if is_known else 200)
            self.send_header("ETag", '"1"')
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def others(url: str, count: int):
    """`count` clients that wait at the feed, in a process of their own."""
    started = multiprocessing.Event()
    arguments = urlsplit(url).netloc, count, started
    process = multiprocessing.Process(target=wait_for_changes, args=arguments, daemon=True)
    process.start()
    started.wait()
    try:
        yield
    finally:
        process.kill()
        process.join()


def wait_for_changes(address: str, count: int, started):
    """Requests the next change on each connection as soon as the previous one has arrived."""
    host, port = address.split(":")
    selector = selectors.DefaultSelector()

    def request(connection: socket.socket, cursor: str):
        path = f"/changes?since={cursor}&wait=25"
        connection.send(f"GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())

    http = HTTPConnection(address)
    http.request("GET", "/changes")
    cursor = json.load(http.getresponse())["cursor"]
    for _ in range(count):
        connection = socket.create_connection((host, int(port)))
        request(connection, cursor)
        selector.register(connection, selectors.EVENT_READ)
    started.set()
    while True:
        for key, _ in selector.select():
            # Every answer is short.
            body = key.fileobj.recv(1 << 16).partition(b'{"cursor":"')[2]
            request(key.fileobj, body.partition(b'"')[0].decode())
