"""Measures how a change reaches a client: by the feed of changes, by a full load, and by a 304; and what
the bookings of others cost."""

import json
import multiprocessing
import resource
import selectors
import shutil
import socket
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from urllib.parse import urlsplit

from .backend import backend
from .measure import OURS, Comparison, Metric
from .payloads import booking_body, salons
from .programs import Programs, RunningProgram, RunningServer

# Changes that come sooner after each other are reported together.
PAUSE = 0.3
SUBSCRIBERS = 1, 100, 1_000
# How many clients wait for changes that do not concern them.
WAITING = 10, 1_000, 4_000
# How many bookings others make in a second.
BOOKINGS = 440
SALONS = 100


def comparisons(programs: Programs) -> list[Comparison]:
    return [
        one_change(programs),
        *(notification(programs, count) for count in SUBSCRIBERS),
        busy_list(programs),
        busy_requests(programs),
        busy_notification(programs),
        busy_bookings(programs),
        *(waiting_clients(programs, count) for count in WAITING[1:]),
    ]


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


def busy_list(programs: Programs) -> Comparison:
    """The time of a call while others book at the same backend, or at a different one, which takes up
    as much of the processors."""
    database = imported(programs, SALONS)

    def call(is_same: bool):
        def measure():
            with (
                running(programs, database) as server,
                running(programs, database, "live-other") as other,
                Client(programs, server.url) as client,
                Bookings((server if is_same else other).port),
            ):
                times = []
                for _ in range(programs.choose(200, 50)):
                    start = time.monotonic()
                    client.call("salons/list", limit=1)
                    times.append(time.monotonic() - start)
                return {"time": median(times)}

        return measure

    title = f"salons/list while others make {BOOKINGS} bookings a second"
    contenders = {OURS: call(True), "at a different backend": call(False)}
    return Comparison(contenders, [Metric("time", title, "s", {"at a different backend": 1.2})])


def busy_requests(programs: Programs) -> Comparison:
    """The requests that a call sends while others book, at most."""
    database = imported(programs, SALONS)

    def ours():
        with (
            running(programs, database) as server,
            counting(server) as (url, requests),
            Client(programs, url) as client,
        ):
            client.call("salons/list", limit=1)
            most = 0
            with Bookings(server.port):
                for _ in range(programs.choose(50, 10)):
                    requests.clear()
                    client.call("salons/list", limit=1)
                    most = max(most, len(requests))
            return {"requests": most}

    title = f"requests of salons/list while others make {BOOKINGS} bookings a second"
    return Comparison(
        {OURS: ours, "2 requests": lambda: {"requests": 2}},
        [Metric("requests", title, "", {"2 requests": 1})],
    )


def busy_notification(programs: Programs) -> Comparison:
    """The time from the response to a change of a salon until a subscriber is notified, while others
    book."""
    database = imported(programs, SALONS)

    def ours():
        with (
            running(programs, database) as server,
            Client(programs, server.url) as subscriber,
            Bookings(server.port),
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
            return {"longest": max(times)}

    title = f"from a change of a salon to its notification, {BOOKINGS} bookings a second, longest"
    return Comparison.with_limit(ours, "longest", title, 1, "1 s")


def busy_bookings(programs: Programs) -> Comparison:
    """The time from the response to a booking until a subscriber is notified of it."""
    database = imported(programs, SALONS)

    def ours():
        with (
            running(programs, database) as server,
            Client(programs, server.url) as subscriber,
        ):
            subscriber.call("appointments/list")
            subscriber.call("resource/subscribe", resource="appointments")
            notified = {}
            with Bookings(server.port) as bookings:
                start = time.monotonic()
                while time.monotonic() < start + programs.choose(5, 2):
                    notified |= subscriber.changed_ids()
            # The load has ended, so all answers are known.
            while not bookings.times.keys() <= notified.keys():
                notified |= subscriber.changed_ids()
            return {"longest": max(notified[id] - bookings.times[id] for id in bookings.times)}

    title = f"from one of {BOOKINGS} bookings a second to its notification, longest"
    return Comparison.with_limit(ours, "longest", title, 1, "1 s")


def waiting_clients(programs: Programs, count: int) -> Comparison:
    """The CPU time of the backend for a booking while `count` clients wait for changes of salons, and
    while few do."""
    database = imported(programs, SALONS)

    def bookings(waiting: int):
        def measure():
            with (
                running(programs, database) as server,
                others(server.url, waiting, kinds="salons"),
                Bookings(server.port) as made,
            ):
                # The first bookings find the last clients still connecting.
                time.sleep(1)
                start, first = server.cpu_seconds(), len(made.times)
                time.sleep(programs.choose(5, 2))
                return {"cpu": (server.cpu_seconds() - start) / (len(made.times) - first)}

        return measure

    few = f"{WAITING[0]} clients"
    title = f"backend, CPU time of a booking, {count:,} clients wait for other changes"
    return Comparison(
        {OURS: bookings(count), few: bookings(WAITING[0])},
        [Metric("cpu", title, "s", {few: 1.3})],
    )


def imported(programs: Programs, count: int) -> Path:
    """A database with `count` salons. It is created once."""
    database = programs.scratch / f"salons-{count}.sqlite"
    if not database.exists():
        programs.import_salons(salons(count, programs.scratch), database)
    return database


def running(programs: Programs, database: Path, directory: str = "live"):
    """A backend with a copy of the database."""
    copy = programs.empty_directory(directory) / "backend.sqlite"
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

    def changed_ids(self) -> dict[str, float]:
        """Waits for a notification, and returns the ids that have changed, with the time."""
        params = json.loads(self._process.stdout.readline())["params"]
        return dict.fromkeys(params["changed"], time.monotonic())

    def cpu_seconds(self) -> float:
        """The CPU time of its threads, more exactly than in /proc/PID/stat."""
        threads = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text().split()[0]) for each in threads) / 1e9


class Bookings:
    """Others who make bookings at a constant rate, each at a time of its own."""

    THREADS = 8

    def __init__(self, port: str):
        self._port = int(port)
        self._is_over = False
        self.times: dict[str, float] = {}
        """When the response to each booking arrived, by the id."""

    def __enter__(self) -> "Bookings":
        self._threads = [Thread(target=self._book, args=[each]) for each in range(self.THREADS)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._is_over = True
        for thread in self._threads:
            thread.join()

    def _book(self, number: int):
        connection = HTTPConnection("127.0.0.1", self._port)
        due = time.monotonic()
        while not self._is_over:
            body = json.dumps(self._booking(number))
            connection.request(
                "POST", "/appointments", body, {"Content-Type": "application/json"}
            )
            response = connection.getresponse()
            content = response.read()
            if response.status != 201:
                raise RuntimeError(f"{response.status} {content!r}")
            self.times[json.loads(content)["id"]] = time.monotonic()
            number += self.THREADS
            due += self.THREADS / BOOKINGS
            time.sleep(max(0, due - time.monotonic()))

    @staticmethod
    def _booking(number: int) -> dict:
        # Every salon is open from 12:00 to 16:00.
        number, salon = divmod(number, SALONS)
        day, slot = divmod(number, 8)
        month, day = divmod(day, 28)
        start = f"{12 + slot // 2}:{slot % 2 * 30:02}"
        time = f"{2040 + month // 12}-{month % 12 + 1:02}-{day + 1:02}T{start}:00+0000"
        return booking_body(f"5a100000-0000-4000-8000-{salon:012x}", time)


@contextmanager
def counting(server: RunningServer):
    """A proxy of a server, and the paths that are requested."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            requests.append(self.path)
            connection = HTTPConnection("127.0.0.1", int(server.port))
            connection.request("GET", self.path, headers=dict(self.headers))
            response = connection.getresponse()
            body = response.read()
            self.send_response(response.status)
            for name, value in response.getheaders():
                if name.lower() not in ("connection", "content-length", "transfer-encoding"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=proxy.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{proxy.server_port}", requests
    finally:
        proxy.shutdown()
        proxy.server_close()


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
def others(url: str, count: int, kinds: str = "salons,appointments"):
    """`count` clients that wait at the feed, in a process of their own."""
    started = multiprocessing.Event()
    arguments = urlsplit(url).netloc, count, kinds, started
    process = multiprocessing.Process(target=wait_for_changes, args=arguments, daemon=True)
    process.start()
    started.wait()
    try:
        yield
    finally:
        process.kill()
        process.join()


def wait_for_changes(address: str, count: int, kinds: str, started):
    """Requests the next change on each connection as soon as the previous one has arrived."""
    host, port = address.split(":")
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    selector = selectors.DefaultSelector()

    def request(connection: socket.socket, cursor: str):
        path = f"/changes?since={cursor}&wait=25&kinds={kinds}"
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
