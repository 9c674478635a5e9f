"""A server whose answers are in the URL: below /change/KIND-STATUS all changes fail with this error.

Below /read all lists fail, below /slots the free times, and below /feed nothing. The lists have a salon and an
appointment."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SALON = {
    "id": "5a100000-0000-4000-8000-000000000001", "name": "Nova", "location": "Berlin", "open_time": 9.3,
    "close_time": 20,
}
APPOINTMENT = {
    "id": "a1", "salonId": SALON["id"], "phone": "12345", "appointmentTime": "2030-01-01T10:00:00+0000",
}
# Errors in other forms than the contract's.
OTHERS = {
    "html": "<html><h1>Bad gateway</h1></html>",
    "text": "that did not work",
    "oauth": json.dumps({"error": "invalid_token", "error_description": "The token has expired."}),
    "other": json.dumps({"detail": "There is something else at that time."}),
    "empty": "",
    "invalid": '{"id": 7}',
}


def error_body(kind):
    body = {"error": kind, "message": "the words"}
    if kind in ("slotUnavailable", "notBookable", "outsideOpeningHours"):
        body |= {"rule": "leadTime", "alternatives": ["2027-03-02T12:30:00+0000"]}
    return json.dumps(body)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path, _, query = self.path.partition("?")
        _, failing, error, *rest = path.split("/")
        if self.is_part(failing, rest):
            kind, _, status = error.partition("-")
            self.reply(int(status), OTHERS.get(kind) or error_body(kind))
        elif rest == ["changes"] and failing == "feed":
            self.reply_with_change(query)
        elif rest in (["salons"], ["appointments"]):
            appointments = [] if failing == "feed" else [APPOINTMENT]
            self.reply(200, json.dumps({"salons": [SALON], "appointments": appointments}))
        else:
            self.reply(404, "")

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer

    def is_part(self, failing, path):
        """Whether the request belongs to the part that fails."""
        is_change = self.command != "GET"
        return {"read": not is_change, "change": is_change, "slots": "availability" in path}.get(failing)

    def reply_with_change(self, query):
        """Sends a change at once, and nothing after it."""
        if "since=0" not in query:
            self.server.end.wait()
            self.close_connection = True
            return
        body = {"cursor": "1", "salons": [], "appointments": [APPOINTMENT], "deleted": []}
        self.reply(200, json.dumps(body))

    def reply(self, status, body):
        content = body.encode()
        self.send_response_only(status)
        kind = "text/html" if body.startswith("<") else "text/plain" if body[:1] not in "{" else "application/json"
        self.send_header("Content-Type", kind)
        self.send_header("Changes-Cursor", "0")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def start():
    """Yields the base URL of a new server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.end = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.end.set()
    server.shutdown()
    server.server_close()
