"""An HTTP server between NovaBlend and the backend that can hold responses back."""

import select
import socket
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class StallingServer:
    """Forwards requests about salons to a backend. After `hold`, it holds every response back until `release`
    is called or the client closes the connection. A cancellation must close the connection.

    `reached` is set when a request is held, and `closed` when its client closes the connection."""

    def __init__(self, backend: str):
        self.reached = threading.Event()
        self.closed = threading.Event()
        self._release_waiter = None
        stalling_server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                waiter = stalling_server._release_waiter
                if waiter and stalling_server._closed_while_held(self.connection, waiter):
                    self.close_connection = True
                    return
                with self.backend_response() as response:
                    body = response.read()
                self.send_response(response.status)
                for name in "Content-Type", "ETag":
                    if response.headers[name]:
                        self.send_header(name, response.headers[name])
                if response.status != 204:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_PUT = do_DELETE = do_GET

            def backend_response(self):
                names = "Content-Type", "If-Match", "If-None-Match"
                headers = {name: self.headers[name] for name in names if self.headers[name]}
                body = self.rfile.read(int(self.headers["Content-Length"] or 0)) or None
                request = urllib.request.Request(
                    backend + self.path, body, headers, method=self.command
                )
                try:
                    return urllib.request.urlopen(request, timeout=30)
                except urllib.error.HTTPError as error:
                    return error

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/salons"
        threading.Thread(target=self._server.serve_forever, args=[0.05], daemon=True).start()

    def hold(self):
        self.reached.clear()
        self.closed.clear()
        self._release_waiter, self._release_signal = socket.socketpair()

    def release(self):
        """Forwards the requests that are held, and all later requests."""
        if self._release_waiter:
            self._release_waiter = None
            self._release_signal.close()

    def stop(self):
        self.release()
        self._server.shutdown()
        self._server.server_close()

    def _closed_while_held(self, connection: socket.socket, waiter: socket.socket) -> bool:
        """Waits until the client closes the connection or `release` is called."""
        self.reached.set()
        readable, _, _ = select.select([connection, waiter], [], [])
        # The client sends nothing while it waits, so a readable connection has been closed.
        if connection in readable:
            self.closed.set()
        return connection in readable
