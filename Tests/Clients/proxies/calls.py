"""Calls that book and change, and their outcomes."""

from datetime import datetime, timedelta

CHANGES = ["reschedule", "cancel"]
METHODS = {"reschedule": "PATCH", "cancel": "DELETE"}
DONE = {"reschedule": "rescheduled", "cancel": "cancelled"}


def later(booking, hours=1, key="appointmentTime"):
    """The start of a booking, or the time at another key, some hours later."""
    time = datetime.strptime(booking[key], "%Y-%m-%dT%H:%M:%S%z") + timedelta(hours=hours)
    return time.strftime("%Y-%m-%dT%H:%M:%S%z") if key == "appointmentTime" else time.isoformat()


def book(client, booking):
    response = client.call("appointments/book", **booking)
    assert "result" in response, response
    return response["result"]["appointment"]


def change(client, name, appointment):
    """Moves an appointment by an hour, or cancels it."""
    details = {"appointmentTime": later(appointment)} if name == "reschedule" else {}
    return client.call(f"appointments/{name}", id=appointment["id"], **details)


def is_changed(name, appointment, before):
    """Whether the appointment shows the change, made once."""
    keys = [key for key in ("appointmentTime", "start", "end") if key in before]
    times = {key: later(before, key=key) for key in keys}
    changed = times if name == "reschedule" else {"status": "cancelled"}
    return appointment == before | changed | {"version": before["version"] + 1}


def doubt(response):
    """The key of the booking or change in doubt."""
    data = response["error"]["data"]
    assert data["name"] == "bookingInDoubt", response
    return data["idempotencyKey"]
