"""Proxies that respond with errors, and proxies and backends that stop and come back."""

import time
import urllib.request
from contextlib import ExitStack
from urllib.error import HTTPError

import pytest

from backend import running_backend
from calls import book, doubt
from environment import DEADLINE
from proxy import free_port
from relay import Fault


class RestartingBackend:
    """A backend that keeps its port and its database when it stops and comes back."""

    def __init__(self, database):
        self._database = database
        self._port = free_port()
        self._running = ExitStack()
        self.start()

    def start(self):
        backend = running_backend(self._database, port=self._port)
        self.url = self._running.enter_context(backend)

    def stop(self):
        self._running.close()


@pytest.fixture
def restarting_backend(tmp_path):
    backend = RestartingBackend(tmp_path / "restarting.sqlite")
    yield backend
    backend.stop()


def test_a_backend_that_stops_and_comes_back(connect, start, restarting_backend, booking):
    proxy = start(restarting_backend.url)
    client = connect(proxy.url)
    assert client.call("salons/list")["result"]["provenance"]["source"] == "server"
    restarting_backend.stop()
    salons = client.call("salons/list")["result"]
    assert salons["total"] == 6 and salons["provenance"]["source"] == "cache"
    # No list of appointments is cached, and an error page is not an empty list.
    assert client.call("appointments/list")["error"]["data"]["name"] == "unavailable"
    key = doubt(client.call("appointments/book", **booking))
    restarting_backend.start()
    await_health(proxy)
    booked = book(client, booking | {"idempotencyKey": key})
    listed = client.call("appointments/list")["result"]
    assert [a["id"] for a in listed["appointments"]] == [booked["id"]]
    assert listed["provenance"]["source"] == "server"


def await_health(proxy):
    """Waits until the proxy has noticed that the backend is back. varnish pauses after an error."""
    end = time.monotonic() + DEADLINE
    while True:
        try:
            return urllib.request.urlopen(f"{proxy.url}/health").close()
        except HTTPError as error:
            assert time.monotonic() < end, error
            time.sleep(0.02)


def test_a_proxy_that_stops_and_comes_back(connect, start, backend, booking, stored):
    proxy = start(backend)
    client = connect(proxy.url)
    assert client.call("salons/list")["result"]["provenance"]["source"] == "server"
    proxy.kill()
    assert client.call("salons/list")["result"]["provenance"]["source"] == "cache"
    error = client.call("appointments/book", **booking)["error"]
    assert error["data"]["name"] == "bookingRequiresConnection" and stored() == []
    proxy.start()
    assert client.call("salons/list")["result"]["provenance"]["source"] == "revalidated"
    book(client, booking)
    assert len(stored()) == 1


def test_a_list_that_the_proxy_gives_up_on(connect, start, relay):
    client = connect(start(relay.url, "gives-up").url)
    relay.inject(Fault.HOLD_RESPONSE, "GET")
    assert client.call("salons/list")["error"]["data"]["name"] == "unavailable"


def test_a_list_that_is_cut_off(connect, start, relay, booking):
    proxy = start(relay.url)
    book(connect(proxy.url), booking)
    relay.inject(Fault.TRUNCATE_RESPONSE, "GET")
    response = connect(proxy.url, name="other").call("appointments/list")
    # If varnish notices in time that the list is cut off, it sends an error instead.
    if "error" in response:
        assert response["error"]["data"]["name"] == "unavailable"
    else:
        assert "warning" in response["result"]["provenance"]


def test_a_booking_that_the_proxy_gives_up_on(connect, start, relay, booking, stored):
    client = connect(start(relay.url, "gives-up").url)
    relay.inject(Fault.HOLD_RESPONSE, "POST")
    booked = book(client, booking)
    assert [a["id"] for a in stored()] == [booked["id"]]


def test_a_booking_that_arrives_after_the_proxy_gave_up(
    connect, start, relay, booking, stored, outcomes
):
    proxy = start(relay.url, "gives-up")
    client = connect(proxy.url)
    relay.inject(Fault.HOLD_REQUEST, "POST")
    key = doubt(client.call("appointments/book", **booking))
    assert stored() == []
    relay.release.set()
    assert relay.forwarded.wait(DEADLINE)
    assert outcomes(proxy.url) == {key: "booked"}
    assert len(stored()) == 1
