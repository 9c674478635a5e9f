"""Every call ends, whatever becomes of its response, and every response is read as it was written."""

import pytest

from test_keys import BOOKED, BOOKING

# Some libraries end a line at these, too.
SEPARATORS = "a\u2028b\u2029c\u0085d\u000be\u000cf\U0001f600"


def test_a_call_whose_response_is_lost_ends(script):
    driver = script(salons_list=[{}])
    error = driver.error("salons_list", timeout=0.1)
    assert error["name"] == "DeadlineExceededError" and error["retryable"]
    assert "did not respond to salons/list within" in error["message"]


def test_a_subscription_whose_response_is_lost_ends(script):
    driver = script(resource_subscribe=[{}])
    error = driver.error("changes", timeout=0.1, resource="salons")
    assert error["name"] == "DeadlineExceededError"


def test_a_booking_whose_response_is_lost_is_in_doubt(script):
    driver = script(appointments_book=[{}])
    error = driver.error("appointments_book", timeout=0.1, **BOOKING)
    (request,) = driver.requests("appointments/book")
    assert (error["name"], error["key"]) == ("BookingInDoubtError", request["idempotencyKey"])


def test_a_booking_that_was_not_sent_in_time_is_not_in_doubt(
    connect, backend, stalling_server, booking, stored
):
    driver = connect("--base-url", backend, "--salons-url", stalling_server.url)
    stalling_server.hold()
    error = driver.error("appointments_book", timeout=2, **booking)
    assert error["name"] == "DeadlineExceededError" and error["retryable"]
    assert "nothing was" in error["message"]
    assert stored() == []


@pytest.mark.parametrize("timeout", [0, -1])
@pytest.mark.parametrize("method", ["salons_list", "appointments_book"])
def test_a_timeout_is_positive(script, method, timeout):
    driver = script(appointments_book=[BOOKED])
    params = BOOKING if method == "appointments_book" else {}
    error = driver.error(method, timeout=timeout, **params)
    assert error["name"] in ("ValueError", "RangeError")
    assert "a timeout is a positive number" in error["message"]
    assert not (driver.folder / "requests").exists()


def test_a_request_begins_with_its_id(script):
    driver = script(appointments_book=[BOOKED])
    driver.result("appointments_book", **BOOKING)
    (line,) = (driver.folder / "requests").read_text().splitlines()
    assert line.replace(" ", "").startswith('{"id":1,"jsonrpc":"2.0","method":"appointments/book"')


def test_only_a_line_feed_ends_a_message(script):
    driver = script(salons_get=[{"result": {"name": SEPARATORS}}])
    assert driver.result("salons/get")["name"] == SEPARATORS


def test_a_booking_can_have_line_separators_in_its_notes(connect, backend, booking, stored):
    driver = connect("--base-url", backend)
    booked = driver.result("appointments_book", **booking, notes="a\u2028b\u2029c")
    assert [each["id"] for each in stored()] == [booked["appointment"]["id"]]
    (listed,) = driver.result("appointments_list")["appointments"]
    assert listed["notes"] == booked["appointment"]["notes"]


@pytest.mark.parametrize("answer", [{"error": "no"}, {"error": {}}, {"error": None}])
def test_a_response_without_a_result_confirms_nothing(script, answer):
    driver = script(appointments_book=[answer])
    error = driver.error("appointments_book", **BOOKING)
    assert error["name"] == "BookingInDoubtError"


def test_an_outage_is_not_a_change(script):
    outage = {"resource": "salons", "changed": [], "deleted": [], "offline": True,
              "since": "2030-01-01T00:00:00Z", "reason": "no route"}
    driver = script(resource_subscribe=[{"result": {}}], salons_list=[{"notify": outage}])
    driver.result("changes", resource="salons")
    driver.start("salons_list")
    event = driver.change()
    assert event["offline"] is True and event["since"] == "2030-01-01T00:00:00Z"
    assert event["reason"] == "no route" and "all" not in event


def test_a_subscription_begins_without_a_change(script):
    change = {"resource": "salons", "changed": ["s"], "deleted": []}
    driver = script(salons_list=[{"notify": change, "result": {
        "salons": [], "total": 0,
        "provenance": {"source": "server", "fetchedAt": "2030-01-01T00:00:00Z", "ageSeconds": 0},
    }}])
    driver.result("changes", resource="salons")
    driver.result("salons_list")
    change = driver.change()
    assert change["changed"] == ["s"] and not change.get("all")
    assert driver.starts() == 1
    assert len(driver.requests("resource/subscribe")) == 1


def test_two_subscriptions_get_the_same_changes(connect, backend, booking):
    driver = connect("--base-url", backend)
    driver.result("appointments_list")
    driver.result("changes", resource="appointments")
    driver.result("changes", resource="appointments")
    booked = driver.result("appointments_book", **booking)["appointment"]["id"]
    for _ in range(2):
        while booked not in (driver.change().get("changed") or []):
            pass


def test_many_calls_at_once_get_their_own_responses(connect, backend):
    driver = connect("--base-url", backend)
    numbers = [driver.start("salons_list", limit=1 + index % 3) for index in range(60)]
    for index, number in enumerate(numbers):
        assert len(driver.outcome(number)["result"]["salons"]) <= 1 + index % 3


def test_text_that_is_cut_in_a_character_is_answered(connect, backend, booking):
    driver = connect("--base-url", backend)
    error = driver.error("salons_get", id="\ud83d")
    assert error["name"] == "InvalidParamsError" and error["message"]
    booked = driver.result("appointments_book", **booking, notes="hair \ud83d")
    assert booked["appointment"]["notes"] == "hair \ufffd"


def test_a_number_that_is_too_large_is_answered(connect, backend):
    driver = connect("--base-url", backend)
    error = driver.error("salons_list", limit=2**70)
    assert error["name"] == "InvalidParamsError" and "limit" in error["message"]
