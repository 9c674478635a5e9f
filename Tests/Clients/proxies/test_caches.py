"""Proxies that store responses, with and without respect for Cache-Control."""

import json
import urllib.request

import pytest

from calls import CHANGES, DONE, METHODS, book, change, doubt, is_changed
from relay import Fault


@pytest.fixture
def cache(start, relay):
    """A proxy that stores salons, but nothing that must not be stored."""
    return start(relay.url, "caches")


@pytest.fixture
def careless_cache(start, relay):
    """A proxy that stores all lists, even if they must not be stored.

    haproxy is not one of them: it asks the backend if a request contains `no-cache`."""
    return start(relay.url, "ignores-no-store")


careless = pytest.mark.parametrize("kind", ["nginx", "varnish"])


def get(url):
    with urllib.request.urlopen(url) as response:
        return json.load(response)


def test_salons_are_served_from_the_cache(cache, relay):
    assert len(get(f"{cache.url}/salons")["salons"]) == 6
    assert len(get(f"{cache.url}/salons?again")["salons"]) == 6
    assert relay.count("GET /salons") == 1


def test_appointments_are_not_served_from_the_cache(cache, connect, relay, booking):
    for path in "/appointments", "/appointments?again":
        assert get(f"{cache.url}{path}")["appointments"] == []
    booked = book(connect(cache.url), booking)
    other = connect(cache.url, name="other")
    for _ in range(2):
        (listed,) = other.call("appointments/list")["result"]["appointments"]
        assert listed["id"] == booked["id"]
    before = get(f"{cache.url}/appointments/{booked['id']}")
    assert "result" in change(other, "cancel", listed)
    assert is_changed("cancel", get(f"{cache.url}/appointments/{booked['id']}"), before)


def test_a_lookup_is_not_answered_from_the_cache(cache, connect, relay, booking, stored):
    client = connect(cache.url)
    assert client.call("appointments/list")["result"]["appointments"] == []
    relay.inject(Fault.LOSE_RESPONSE, "POST")
    booked = book(client, booking)
    assert [a["id"] for a in stored()] == [booked["id"]]


@careless
def test_a_careless_cache_serves_old_appointments(careless_cache, relay, connect, booking, stored):
    assert get(f"{careless_cache.url}/appointments")["appointments"] == []
    book(connect(careless_cache.url), booking)
    assert get(f"{careless_cache.url}/appointments?again")["appointments"] == []
    assert len(stored()) == 1


@careless
def test_a_booking_behind_a_careless_cache_is_made_once(
    careless_cache, connect, relay, booking, stored
):
    client = connect(careless_cache.url)
    assert client.call("appointments/list")["result"]["appointments"] == []
    relay.inject(Fault.LOSE_RESPONSE, "POST", count=1)
    response = client.call("appointments/book", **booking)
    assert "result" in response or doubt(response)
    assert len(stored()) == 1


@careless
def test_a_booking_that_only_an_old_list_lacks_is_not_reported_as_not_booked(
    careless_cache, connect, relay, booking, stored, outcomes
):
    client = connect(careless_cache.url)
    assert client.call("appointments/list")["result"]["appointments"] == []
    relay.inject(Fault.LOSE_RESPONSE, "POST")
    key = doubt(client.call("appointments/book", **booking))
    assert outcomes(careless_cache.url) == {key: "inDoubt"}
    assert outcomes(careless_cache.url, is_later=True)[key] in ("inDoubt", "notFound")
    careless_cache.forget()
    assert outcomes(careless_cache.url) == {key: "booked"}
    assert len(stored()) == 1


@careless
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_that_only_an_old_list_lacks_is_not_reported_as_not_done(
    careless_cache, connect, relay, booking, stored, outcomes, name
):
    client = connect(careless_cache.url)
    book(client, booking)
    (before,) = stored()
    assert len(client.call("appointments/list")["result"]["appointments"]) == 1
    relay.inject(Fault.LOSE_RESPONSE, METHODS[name])
    key = doubt(change(client, name, before))
    assert outcomes(careless_cache.url) == {key: "inDoubt"}
    assert outcomes(careless_cache.url, is_later=True)[key] in ("inDoubt", "notFound")
    careless_cache.forget()
    assert outcomes(careless_cache.url) == {key: DONE[name]}
    (after,) = stored()
    assert is_changed(name, after, before)


@careless
def test_an_appointment_that_an_old_list_lacks_is_not_reported_as_cancelled(
    careless_cache, connect, relay, booking, stored
):
    client = connect(careless_cache.url)
    assert client.call("appointments/list")["result"]["appointments"] == []
    appointment = book(client, booking)
    relay.inject(Fault.LOSE_REQUEST, "DELETE")
    response = client.call("appointments/cancel", id=appointment["id"], version=1)
    assert "result" not in response, response
    assert ["status" in a for a in stored()] == [False]
