"""An HTTP server between a proxy and the backend that can lose requests and responses."""

import http.client
import math
import threading
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from environment import DEADLINE


class Fault(Enum):
    """What happens to a request."""

    LOSE_REQUEST = auto()
    """The relay closes the connection; the backend gets nothing."""
    LOSE_RESPONSE = auto()
    """The backend carries the request out, and the relay closes the connection."""
    TRUNCATE_RESPONSE = auto()
    """The backend carries the request out, and the relay sends half of the response's body."""
    CUT = auto()
    """The backend carries the request out. The relay closes this connection and later ones: all of
    them, or as many as `cut_requests` states."""
    HOLD_REQUEST = auto()
    """The backend gets the request after `release` is set."""
    HOLD_RESPONSE = auto()
    """The backend carries the request out, and the relay responds after `release` is set."""


class Relay:
    """Forwards requests to a backend.

    `requests` lists the methods and paths of all requests so far. `held` is set when a request or
    response is held, and `forwarded` after a request that was held has been carried out."""

    def __init__(self, backend, cut_requests=math.inf):
        self._backend = urlsplit(backend).netloc
        self._faults = {}
        self._cut_requests = cut_requests
        self._requests_to_lose = 0
        self.requests = []
        self.held = threading.Event()
        self.release = threading.Event()
        self.forwarded = threading.Event()
        relay = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self):
                self.raw_requestline = self.rfile.readline(65_537)
                if self.raw_requestline and self.parse_request():
                    relay._handle(self)
                else:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=[0.05], daemon=True).start()

    def inject(self, fault, *methods, count=1_000):
        """Injects a fault into the next requests with one of these methods."""
        self._faults |= {method: [fault] * count for method in methods}

    def recover(self):
        self._faults = {}
        self._requests_to_lose = 0

    def count(self, method):
        return sum(request.startswith(method) for request in self.requests)

    def stop(self):
        self.release.set()
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, handler):
        self.requests.append(f"{handler.command} {handler.path}")
        faults = self._faults.get(handler.command)
        try:
            is_forwarded = self._forward(handler, faults.pop() if faults else None)
        except OSError:
            is_forwarded = False
        handler.close_connection = not is_forwarded

    def _forward(self, handler, fault):
        """Returns whether the whole response was sent."""
        if self._requests_to_lose > 0:
            self._requests_to_lose -= 1
            return False
        if fault == Fault.LOSE_REQUEST:
            return False
        if fault == Fault.HOLD_REQUEST:
            self._hold()
        status, headers, body = self._exchange(handler)
        if fault == Fault.HOLD_REQUEST:
            self.forwarded.set()
        if fault == Fault.CUT:
            self._requests_to_lose = self._cut_requests
        if fault in (Fault.LOSE_RESPONSE, Fault.CUT):
            return False
        if fault == Fault.HOLD_RESPONSE:
            self._hold()
        if fault == Fault.TRUNCATE_RESPONSE:
            body = body[: len(body) // 2]
        handler.send_response_only(status)
        for name, value in headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)
        return fault != Fault.TRUNCATE_RESPONSE

    def _hold(self):
        self.held.set()
        self.release.wait(DEADLINE)

    def _exchange(self, handler):
        """Sends a request to the backend, and returns status, headers, and body."""
        connection = http.client.HTTPConnection(self._backend, timeout=DEADLINE)
        connection.putrequest(
            handler.command, handler.path, skip_host=True, skip_accept_encoding=True
        )
        for name, value in handler.headers.items():
            if name.lower() != "connection":
                connection.putheader(name, value)
        connection.putheader("Connection", "close")
        length = int(handler.headers.get("Content-Length") or 0)
        connection.endheaders(handler.rfile.read(length) if length else None)
        response = connection.getresponse()
        headers = [(n, v) for n, v in response.getheaders() if n.lower() != "connection"]
        return response.status, headers, response.read()
