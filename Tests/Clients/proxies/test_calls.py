"""All calls work through a proxy."""

import base64

import pytest

from calls import later
from environment import SALON


@pytest.fixture
def proxy(start, backend):
    return start(backend)


@pytest.fixture
def client(connect, proxy):
    return connect(proxy.url)


def test_lists_salons_and_free_times(client, booking):
    salons = client.call("salons/list")["result"]
    assert salons["total"] == 6 and salons["provenance"]["source"] == "server"
    query = {"salonId": SALON, "start": booking["appointmentTime"], "end": later(booking)}
    (day,) = client.call("salons/availability", **query)["result"]["days"]
    assert day["free"] == ["12:00", "12:30"]


def test_books_reschedules_and_cancels(client, booking, stored):
    booked = client.call("appointments/book", **booking)["result"]["appointment"]
    assert [a["id"] for a in stored()] == [booked["id"]]
    moved = client.call("appointments/reschedule", id=booked["id"], appointmentTime=later(booking))
    assert [a["appointmentTime"] for a in stored()] == [later(booking)]
    version = moved["result"]["appointment"]["version"]
    cancelled = client.call("appointments/cancel", id=booked["id"], version=version)
    assert cancelled["result"]["appointment"]["status"] == "cancelled"
    assert [a["status"] for a in stored()] == ["cancelled"]


def test_reports_that_a_time_is_taken(client, booking, stored):
    client.call("appointments/book", **booking)
    other = booking | {"phone": "+49 30 7654321"}
    error = client.call("appointments/book", **other)["error"]
    assert error["data"]["name"] == "slotUnavailable" and len(error["data"]["alternatives"]) == 3
    assert len(stored()) == 1


def test_loads_images_from_the_proxy(client, proxy):
    items = client.call("feed/list")["result"]["items"]
    assert len(items) == 7
    for item in items:
        assert item["image"].startswith(f"{proxy.url}/images/")
    image = client.call("feed/image", url=items[0]["image"])["result"]
    assert base64.b64decode(image["data"]).startswith(b"\x89PNG")


def test_commands_book_and_list(proxy, booking, stored, run):
    time = booking["appointmentTime"]
    booked = run(proxy.url, "book", SALON, time, "--phone", booking["phone"])
    listed = run(proxy.url, "appointments")
    assert [a["id"] for a in listed["appointments"]] == [booked["appointment"]["id"]]
    assert len(stored()) == 1
