"""A server between the server and the backend that can hold an answer back."""

import select
import socket
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class StallingServer:
    """Forwards GET /salons to a backend. After `hold` it keeps every answer back until `release`,
    or until the client closes its connection, which cancelling must cause."""

    def __init__(self, backend: str):
        self.reached = threading.Event()
        self.closed = threading.Event()
        self._held = None
        stalling_server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                held = stalling_server._held
                if held and stalling_server._is_gone(self.connection, held):
                    self.close_connection = True
                    return
                with urllib.request.urlopen(backend + self.path, timeout=30) as answer:
                    body = answer.read()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/salons"
        threading.Thread(target=self._server.serve_forever, args=[0.05], daemon=True).start()

    def hold(self):
        self.reached.clear()
        self.closed.clear()
        self._held, self._hand = socket.socketpair()

    def release(self):
        """Lets what is held go on, and everything after it."""
        if self._held:
            self._held = None
            self._hand.close()

    def stop(self):
        self.release()
        self._server.shutdown()
        self._server.server_close()

    def _is_gone(self, connection: socket.socket, held: socket.socket) -> bool:
        self.reached.set()
        readable, _, _ = select.select([connection, held], [], [])
        # Between requests nothing comes on the connection but its end.
        if connection in readable:
            self.closed.set()
        return connection in readable
