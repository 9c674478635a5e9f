"""The log says what happened, and contains nothing that clients have sent but valid ids."""

import http.client
import json
import re
import subprocess
from contextlib import contextmanager
from urllib.parse import quote, urlsplit

import pytest

from backend import running_backend
from environment import BINARIES, DEADLINE, SALON

# Occurs in everything that the clients send.
SECRET = "5550177"
METHODS = ["get", "put", "post", "patch", "delete"]


@contextmanager
def logging_backend(database, log, *options):
    """The URL of a backend, whose log is a file."""
    with log.open("w") as file:
        with running_backend(database, "--log-requests", *options, errors=file) as url:
            yield url


def send(url, method, target, fields=(), body=None):
    """The response, with its body as `content`."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=DEADLINE)
    connection.request(method.upper(), target, body, dict(fields))
    response = connection.getresponse()
    response.content = response.read()
    connection.close()
    return response


def personal(booking):
    """Bodies with the secret in different members."""
    valid = booking | {
        "phone": f"+49 30 {SECRET}",
        "email": f"{SECRET}@customers.example",
        "notes": f"note {SECRET}",
    }
    members = ["salonId", "appointmentTime", "phone", "email", "holdId", "serviceId", "staffId"]
    invalid = [valid | {member: SECRET} for member in members] + [{SECRET: SECRET}, SECRET]
    return [json.dumps(body) for body in [valid, valid, *invalid]] + [f'{{"{SECRET}":', SECRET]


def targets(operation, path):
    """Targets with the secret, or a known id, in the path and with the secret in each parameter."""
    names = [p["name"] for p in operation.get("parameters", []) if p["in"] == "query"]
    query = "&".join(f"{quote(name)}={SECRET}" for name in [*names, "other", SECRET])
    for value in [SECRET, SALON] if "{" in path else [SECRET]:
        for parameter in ["{id}", "{key}", "{file}"]:
            path = path.replace(parameter, value)
        assert "{" not in path
        yield f"{path}?{query}"
        yield path


FIELDS = {
    "Content-Type": "application/json",
    "Idempotency-Key": f"key-{SECRET}",
    "If-Match": f'"{SECRET}"',
    "If-None-Match": f'"{SECRET}"',
    "X-Request-Id": f"{SECRET} {SECRET}",
    "User-Agent": SECRET,
    "Cookie": f"a={SECRET}",
    "Referer": f"http://other.example/{SECRET}",
    "X-Forwarded-For": SECRET,
    "Forwarded": f"for={SECRET}",
    "Traceparent": f"00-{SECRET}-{SECRET}-01",
    "Tracestate": f"a={SECRET}",
    SECRET: SECRET,
}


def use_everything(url, booking, authorization):
    """Sends the secret with every route. Returns the number of requests that have a route."""
    fields = FIELDS | {"Authorization": authorization}
    document = json.loads(send(url, "GET", "/openapi.json").content)
    bodies = personal(booking)
    count = 1
    for path, operations in document["paths"].items():
        for method in METHODS:
            operation = operations.get(method, {})
            for target in targets(operation, path):
                for body in bodies if "requestBody" in operation else [None]:
                    send(url, method, target, fields, body)
                    send(url, method, target, fields | {"If-Match": "*"}, body)
                    count += 2
    for method in [SECRET, "GET"]:
        send(url, method, f"/{SECRET}", fields)
        count += 1
    # These are rejected before they have a route.
    send(url, "POST", f"/appointments?{SECRET}%00", fields, bodies[0])
    send(url, "POST", "/appointments", fields | {"Content-Type": SECRET}, bodies[0])
    return count


def administrator_token(database):
    options = ["--role", "administrator", "--database", database]
    command = [BINARIES / "novablend-backend", "tokens", "create", *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("format", ["text", "json"])
def test_nothing_that_clients_send_is_logged(tmp_path, booking, format):
    database, log = tmp_path / "db.sqlite", tmp_path / "log"
    token = administrator_token(database)
    headers = [f"Bearer {token}", f"Bearer {SECRET}", SECRET]
    with logging_backend(database, log, "--log", format, "--rate-limit", "0") as url:
        count = sum(use_everything(url, booking, header) for header in headers)
        # Now each request that needs the database fails.
        for file in tmp_path.glob("db.sqlite*"):
            file.unlink()
        count += use_everything(url, booking, headers[0])
    text = log.read_text()
    assert SECRET not in text
    assert not any(part in text for part in re.split("[._]", token) if len(part) > 3)
    lines = text.splitlines()
    if format == "text":
        assert all(line.startswith("novablend-backend: ") for line in lines)
        requests = [line for line in lines if line.startswith("novablend-backend: request ")]
        failures = [line for line in lines if "database: " in line]
    else:
        entries = [json.loads(line) for line in lines]
        requests = [entry for entry in entries if "route" in entry]
        failures = [entry for entry in entries if "database: " in entry.get("message", "")]
        assert {entry["route"] for entry in requests} >= {"bookAppointment", "none", "voidIdempotencyKey"}
        ids = {entry["requestId"] for entry in requests}
        assert len(ids) == count and failures[0]["requestId"] in ids
    assert len(requests) == count and failures


def test_an_id_of_a_proxy_is_logged_and_returned(tmp_path):
    log = tmp_path / "log"
    with logging_backend(tmp_path / "db.sqlite", log, "--log", "json") as url:
        response = send(url, "GET", "/salons", {"X-Request-Id": "proxy-1"})
    assert (response.status, response.headers["X-Request-Id"]) == (200, "proxy-1")
    (entry,) = [json.loads(line) for line in log.read_text().splitlines()]
    assert entry["requestId"] == "proxy-1" and entry["route"] == "listSalons"
    assert entry["status"] == 200 and entry["level"] == "info" and entry["microseconds"] >= 0


def test_a_backend_without_log_requests_logs_nothing(tmp_path, booking):
    log = tmp_path / "log"
    with log.open("w") as file:
        with running_backend(tmp_path / "db.sqlite", errors=file) as url:
            assert send(url, "GET", "/salons").status == 200
            fields = {"Content-Type": "application/json"}
            for status in [201, 409]:
                response = send(url, "POST", "/appointments", fields, json.dumps(booking))
                assert response.status == status
                booking = booking | {"phone": "+49 30 7654321"}
    assert log.read_text() == ""
