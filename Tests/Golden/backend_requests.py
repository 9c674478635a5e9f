"""Requests to the backend, most of which it rejects."""

import http.client
import json
import urllib.parse
import urllib.request

SALON, MADRID = (f"5a100000-0000-4000-8000-00000000000{number}" for number in (1, 4))
UNKNOWN = "5a100000-0000-4000-8000-0000000000ff"
BOOKING = {"salonId": SALON, "appointmentTime": "2027-03-02T12:00:00Z", "phone": "+49 30 1234567"}
NEW = {"id": UNKNOWN, "name": "New", "location": "Here", "open_time": 9.3, "close_time": 18}
KEY = {"Idempotency-Key": "k1"}
JSON = {"Content-Type": "application/json"}
TAKEN = {"Idempotency-Key": "k2"}


def book(headers=JSON, **members):
    body = {name: value for name, value in (BOOKING | members).items() if value is not None}
    return "POST", "/appointments", headers, json.dumps(body)


def put(headers=JSON, **members):
    return "PUT", f"/salons/{UNKNOWN}", headers, json.dumps(NEW | members)


WRONG = [
    ("GET", "/nothing", {}, None), ("PATCH", "/salons", {}, None), ("DELETE", "/changes", {}, None),
    ("GET", "/salons?limit=0", {}, None), ("GET", "/salons?limit=x", {}, None), ("GET", "/salons?cursor=x", {}, None),
    ("GET", "/salons?limit=1&limit=2", {}, None), ("GET", "/salons?unknown=1", {}, None),
    ("GET", f"/salons/{UNKNOWN}", {}, None), ("GET", "/salons/x", {}, None),
    ("GET", f"/salons/{SALON}/availability", {}, None),
    ("GET", f"/salons/{SALON}/availability?start=x&end=y", {}, None),
    ("GET", f"/salons/{SALON}/availability?start=2027-03-02T00:00:00Z&end=2026-03-02T00:00:00Z", {}, None),
    ("GET", f"/salons/{MADRID}/availability?start=2027-03-02&end=2027-03-03&serviceId=x", {}, None),
    ("GET", f"/salons/{UNKNOWN}/availability?start=2027-03-02&end=2027-03-03", {}, None),
    ("GET", "/changes?since=x", {}, None), ("GET", "/changes?kinds=x", {}, None), ("GET", "/changes?wait=99", {}, None),
    ("GET", "/appointments?status=x", {}, None), ("GET", "/appointments?start=x", {}, None),
    ("GET", "/appointments", {"Authorization": "Bearer x"}, None), ("GET", "/salons", {"Host": "example.com"}, None),
    ("GET", "/salons", {"Origin": "http://example.com"}, None), ("GET", "/images/none.png", {}, None),
    ("POST", "/appointments", JSON, ""), ("POST", "/appointments", JSON, "{"), ("POST", "/appointments", JSON, "[]"),
    ("POST", "/appointments", {"Content-Type": "text/plain"}, "{}"), ("POST", "/appointments", JSON, "{}"),
    book(salonId="x"), book(salonId=UNKNOWN), book(appointmentTime="noon"), book(phone=""), book(phone=None),
    book(appointmentTime="2027-03-02T03:00:00Z"), book(appointmentTime="2026-03-02T12:00:00Z"),
    book(seats=0), book(seats=2), book(serviceId="x"), book(staffId="x"), book(holdId="x"), book(email="x"),
    book(notes=7), book(salonId=MADRID), book(salonId=MADRID, serviceId="color", staffId="x"),
    book(salonId=MADRID, appointmentTime="2027-03-02T12:10:00Z"), book(JSON | {"Idempotency-Key": ""}),
    book(JSON | {"Idempotency-Key": "x" * 300}), book(JSON | KEY), book(JSON | KEY), book(JSON | TAKEN),
    book(JSON | KEY, phone="+49 30 7654321"), ("DELETE", "/idempotency-keys/k1", {}, None),
    ("DELETE", f"/idempotency-keys/k1?salonId={SALON}", {}, None),
    ("DELETE", f"/idempotency-keys/k3?salonId={SALON}", {}, None), book(JSON | {"Idempotency-Key": "k3"}),
    ("PATCH", "/appointments/x", JSON, "{}"), ("DELETE", "/appointments/x", {}, None),
    ("PATCH", "/appointments/x", JSON | {"If-Match": "*"}, json.dumps({"appointmentTime": "2027-03-02T12:00:00Z"})),
    ("DELETE", "/appointments/x", {"If-Match": "*"}, None), ("DELETE", "/appointments/x", {"If-Match": "1"}, None),
    ("POST", "/holds", JSON, "{}"), ("POST", "/holds", JSON, json.dumps(BOOKING)),
    ("POST", "/holds", JSON, json.dumps(BOOKING | {"minutes": 99})), ("DELETE", "/holds/x", {}, None),
    *[
        ("POST", "/holds", JSON, json.dumps(BOOKING | {"appointmentTime": f"2027-03-02T{hour}:00:00Z"}))
        for hour in (14, 15, 16, 17)
    ],
    put(), put(JSON | {"If-None-Match": "*"}, name=""), put(JSON | {"If-None-Match": "*"}, open_time=25),
    put(JSON | {"If-None-Match": "*"}, time_zone="Nowhere/Else"), put(JSON | {"If-None-Match": "*"}, id=SALON),
    put(JSON | {"If-None-Match": "*"}, seats=0), put(JSON | {"If-None-Match": "*"}),
    put(JSON | {"If-None-Match": "*"}), put(JSON | {"If-Match": '"7"'}), put(JSON | {"If-Match": "7"}),
    ("DELETE", f"/salons/{UNKNOWN}", {}, None), ("DELETE", f"/salons/{UNKNOWN}", {"If-Match": '"7"'}, None),
    ("DELETE", f"/salons/{SALON}", {"If-Match": "*"}, None), ("DELETE", f"/salons/{UNKNOWN}", {"If-Match": "*"}, None),
    ("GET", f"/salons/{MADRID}/conflicts?unknown=1", {}, None), ("GET", "/metrics?x=1", {}, None),
]


def get(url):
    with urllib.request.urlopen(url) as response:
        return response.read().decode()


def send(url, method, path, headers, body):
    """The status and the body of the response."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    # Bodies of successes are in other files.
    return response.status, text if response.status >= 400 else ""


def line(method, path, headers, body):
    """The request as one line of a golden file."""
    fields = "".join(f" {name}: {value[:60]};" for name, value in headers.items() if name != "Content-Type")
    return f"{method} {path}{fields} {body or ''}".rstrip()
