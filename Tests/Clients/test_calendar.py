"""An iCalendar library reads the result of appointments/export."""

import json
import urllib.request
from datetime import UTC, datetime, timedelta

import icalendar
import pytest

from lines import Client

NOTES = [
    "short; please, and no \\n razor",
    "two\nlines\r\nand a third\rand\u2028a fourth",
    "\nEND:VEVENT\r\nBEGIN:VEVENT\nSUMMARY:forged",
    "København, Torstraße — 💇 " * 30,
    "bell \a and escape \x1b and nothing \x7f",
]


@pytest.fixture
def client(server):
    with Client(server.command) as client:
        assert client.call("salons/list")["result"]["total"] == 6
        yield client


@pytest.fixture
def booked(client, booking):
    """Books one appointment for each of the notes, one hour apart."""
    first = datetime.strptime(booking["appointmentTime"], "%Y-%m-%dT%H:%M:%S%z")
    appointments = []
    for hours, notes in enumerate(NOTES):
        time = (first + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%S%z")
        details = {"appointmentTime": time, "notes": notes, "email": "ada@example.com"}
        response = client.call("appointments/book", **booking | details)
        appointments.append(response["result"]["appointment"])
    return appointments


def change(backend, appointment, method, body=None):
    """Changes an appointment on the backend, as a different client would."""
    request = urllib.request.Request(
        f"{backend}/appointments/{appointment['id']}",
        method=method,
        data=body and json.dumps(body).encode(),
        headers={
            "Content-Type": "application/json",
            "If-Match": f'"{appointment["version"]}"',
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def parse_events(calendar):
    parsed = icalendar.Calendar.from_ical(calendar)
    assert parsed["VERSION"] == "2.0" and parsed["PRODID"]
    assert not parsed.errors and not any(event.errors for event in parsed.events)
    return parsed.events


def exported(notes):
    """Notes as the calendar contains them: with line feeds and without control characters."""
    for end in "\r\n", "\r", "\u2028":
        notes = notes.replace(end, "\n")
    return "".join(c for c in notes if c == "\n" or c.isprintable() or ord(c) > 0x9F)


def test_a_calendar_contains_what_was_booked(client, booked):
    result = client.call("appointments/export")["result"]
    events = parse_events(result["calendar"])
    assert len(events) == result["count"] == len(booked)
    for event, appointment in zip(events, booked, strict=True):
        start = datetime.strptime(appointment["appointmentTime"], "%Y-%m-%dT%H:%M:%S%z")
        assert event.start == start and event.start.utcoffset() == timedelta(0)
        # The salon states no length.
        assert "DTEND" not in event
        assert event["UID"] == f"{appointment['id']}@{appointment['salonId']}"
        assert event["DESCRIPTION"] == exported(appointment["notes"])
        assert event["SUMMARY"] == "Scherenschnitt"
        assert event["LOCATION"] == "Torstraße 12, Berlin"
        assert (event["STATUS"], event["SEQUENCE"]) == ("CONFIRMED", 0)
        assert event.DTSTAMP <= datetime.now(UTC)
    assert "1234567" not in result["calendar"] and "ada@" not in result["calendar"]


def test_lines_have_at_most_75_bytes_and_end_with_crlf(client, booked):
    calendar = client.call("appointments/export")["result"]["calendar"].encode()
    *lines, last = calendar.split(b"\r\n")
    assert last == b"" and len(lines) > 15 * len(booked) - 10
    for line in lines:
        assert len(line) <= 75 and b"\n" not in line and b"\r" not in line
        assert line.decode()


def test_changed_and_cancelled_appointments_are_exported(client, booked, backend):
    moved = change(backend, booked[0], "PATCH", {"appointmentTime": later(booked[0])})
    cancelled = change(backend, booked[1], "DELETE")
    result = client.call("appointments/export", status="all")["result"]
    events = {event["UID"].split("@")[0]: event for event in parse_events(result["calendar"])}
    assert len(events) == len(booked)
    changes = [(events[a["id"]]["STATUS"], events[a["id"]]["SEQUENCE"]) for a in (moved, cancelled)]
    assert changes == [("CONFIRMED", 1), ("CANCELLED", 1)]
    assert events[moved["id"]].start.strftime("%Y-%m-%dT%H:%M:%S%z") == moved["appointmentTime"]
    only = client.call("appointments/export", status="cancelled")["result"]
    (event,) = parse_events(only["calendar"])
    assert event["UID"].split("@")[0] == cancelled["id"]


def test_a_later_export_cancels_what_an_earlier_one_contained(client, booked, backend):
    before = {event["UID"]: event for event in exported_events(client)}
    cancelled = change(backend, booked[1], "DELETE")
    after = {event["UID"]: event for event in exported_events(client)}
    assert before.keys() == after.keys()
    for uid, event in after.items():
        is_cancelled = uid.startswith(cancelled["id"])
        assert event["STATUS"] == ("CANCELLED" if is_cancelled else "CONFIRMED")
        assert event["SEQUENCE"] - before[uid]["SEQUENCE"] == is_cancelled
    assert len(exported_events(client, status="booked")) == len(booked) - 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30m", timedelta(minutes=30)),
        ("2h", timedelta(hours=2)),
        ("1d", timedelta(days=1)),
        ("90m", timedelta(minutes=90)),
    ],
)
def test_reminders_are_before_the_start(client, booked, backend, text, expected):
    change(backend, booked[1], "DELETE")
    for event in exported_events(client, remind=text):
        alarms = event.walk("VALARM")
        if event["STATUS"] == "CANCELLED":
            assert not alarms
            continue
        (alarm,) = alarms
        assert alarm["ACTION"] == "DISPLAY" and alarm["DESCRIPTION"] == event["SUMMARY"]
        assert alarm["TRIGGER"].dt == -expected


def exported_events(client, **parameters):
    return parse_events(client.call("appointments/export", **parameters)["result"]["calendar"])


def test_a_file_has_the_same_calendar(client, booked, tmp_path):
    file = tmp_path / "calendar.ics"
    written = client.call("appointments/export", file=str(file))["result"]
    assert written["count"] == len(booked) and "calendar" not in written
    assert [event["UID"] for event in parse_events(file.read_bytes())] == [
        f"{appointment['id']}@{appointment['salonId']}" for appointment in booked
    ]


def test_without_appointments_the_calendar_has_no_events(client):
    calendar = client.call("appointments/export")["result"]["calendar"]
    assert parse_events(calendar) == []
    # RFC 5545, 3.6: a calendar has at least one component.
    components = icalendar.Calendar.from_ical(calendar).subcomponents
    assert [component.name for component in components] == ["VTIMEZONE"]


def later(appointment):
    """A time six hours later."""
    start = datetime.strptime(appointment["appointmentTime"], "%Y-%m-%dT%H:%M:%S%z")
    return (start + timedelta(hours=6)).strftime("%Y-%m-%dT%H:%M:%S%z")
