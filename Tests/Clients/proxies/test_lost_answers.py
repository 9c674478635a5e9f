"""Requests and responses that are lost behind a proxy."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from calls import CHANGES, DONE, METHODS, book, change, doubt, is_changed
from environment import DEADLINE
from relay import Fault

LOSE, TRUNCATE = Fault.LOSE_RESPONSE, Fault.TRUNCATE_RESPONSE
losing = pytest.mark.parametrize("fault, times", [(LOSE, 1), (LOSE, 1_000), (TRUNCATE, 1_000)])


@pytest.fixture
def proxy(start, relay):
    return start(relay.url)


@pytest.fixture
def client(connect, proxy):
    return connect(proxy.url)


@pytest.fixture
def repeating_client(connect, start, relay):
    """A client of a proxy that sends a request again if the response is lost."""
    return connect(start(relay.url, "repeats").url)


def test_a_booking_that_the_proxy_repeats_is_made_once(repeating_client, relay, booking, stored):
    relay.inject(Fault.LOSE_RESPONSE, "POST", count=1)
    booked = book(repeating_client, booking)
    assert [r for r in relay.requests if "/appointments" in r] == ["POST /appointments"] * 2
    assert [a["id"] for a in stored()] == [booked["id"]]


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_that_the_proxy_repeats_is_made_once(
    repeating_client, relay, booking, stored, name
):
    book(repeating_client, booking)
    (before,) = stored()
    relay.inject(Fault.LOSE_RESPONSE, METHODS[name], count=1)
    assert "result" in change(repeating_client, name, before)
    assert relay.count(METHODS[name]) == 2
    (after,) = stored()
    assert is_changed(name, after, before)


@losing
def test_a_booking_whose_response_is_lost_is_made_once(
    client, relay, booking, stored, fault, times
):
    relay.inject(fault, "POST", count=times)
    booked = book(client, booking)
    assert [a["id"] for a in stored()] == [booked["id"]]


@losing
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_whose_response_is_lost_is_made_once(
    client, relay, booking, stored, name, fault, times
):
    book(client, booking)
    (before,) = stored()
    relay.inject(fault, METHODS[name], count=times)
    assert "result" in change(client, name, before)
    (after,) = stored()
    assert is_changed(name, after, before)


def test_a_booking_is_in_doubt_until_the_backend_can_be_asked(
    client, proxy, relay, booking, stored, outcomes
):
    relay.inject(Fault.CUT, "POST")
    key = doubt(client.call("appointments/book", **booking))
    assert outcomes(proxy.url) == {key: "inDoubt"}
    relay.recover()
    assert outcomes(proxy.url) == {key: "booked"}
    assert len(stored()) == 1


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_in_doubt_until_the_backend_can_be_asked(
    client, proxy, relay, booking, stored, outcomes, name
):
    appointment = book(client, booking)
    (before,) = stored()
    relay.inject(Fault.CUT, METHODS[name])
    key = doubt(change(client, name, appointment))
    relay.recover()
    assert outcomes(proxy.url) == {key: DONE[name]}
    (after,) = stored()
    assert is_changed(name, after, before)


def test_a_booking_that_never_arrived_is_made_once_when_it_is_repeated(
    client, relay, booking, stored
):
    relay.inject(Fault.LOSE_REQUEST, "POST")
    key = doubt(client.call("appointments/book", **booking))
    assert stored() == []
    relay.recover()
    booked = book(client, booking | {"idempotencyKey": key})
    assert [a["id"] for a in stored()] == [booked["id"]]


def test_a_discarded_booking_is_not_made_later(repeating_client, relay, booking, stored):
    client = repeating_client
    relay.inject(Fault.LOSE_REQUEST, "POST")
    key = doubt(client.call("appointments/book", **booking))
    relay.recover()
    relay.inject(Fault.LOSE_RESPONSE, "DELETE", count=1)
    discarded = client.call("appointments/resolve", discard=key)["result"]["resolutions"]
    assert [resolution["outcome"] for resolution in discarded] == ["notBooked"]
    assert "error" in client.call("appointments/book", **booking, idempotencyKey=key)
    assert stored() == []


def test_a_proxy_that_is_killed_during_a_booking(client, proxy, relay, booking, stored):
    relay.inject(Fault.HOLD_RESPONSE, "POST", count=1)
    with ThreadPoolExecutor() as threads:
        response = threads.submit(client.call, "appointments/book", **booking)
        assert relay.held.wait(DEADLINE)
        proxy.kill()
        key = doubt(response.result())
    proxy.start()
    relay.release.set()
    booked = book(client, booking | {"idempotencyKey": key})
    assert [a["id"] for a in stored()] == [booked["id"]]


@pytest.mark.parametrize("name", CHANGES)
def test_a_proxy_that_is_killed_during_a_change(
    client, proxy, relay, booking, stored, outcomes, name
):
    appointment = book(client, booking)
    (before,) = stored()
    relay.inject(Fault.HOLD_RESPONSE, METHODS[name])
    with ThreadPoolExecutor() as threads:
        response = threads.submit(change, client, name, appointment)
        assert relay.held.wait(DEADLINE)
        proxy.kill()
        key = doubt(response.result())
    proxy.start()
    relay.release.set()
    assert outcomes(proxy.url) == {key: DONE[name]}
    (after,) = stored()
    assert is_changed(name, after, before)
