"""What the clients do if the program, the server, or the connection fails."""

import signal

from backend import running_backend
from environment import DEADLINE
from relay import Fault


def started_booking(connect, relay, booking, fault):
    """A driver, and the number of its call that books; the relay holds the request or the response."""
    driver = connect("--base-url", relay.url)
    relay.inject(fault, "POST")
    number = driver.start("appointments_book", **booking)
    assert relay.held.wait(DEADLINE)
    return driver, number


def test_a_missing_program_is_reported_with_what_to_do(connect):
    error = connect(program="/nowhere/novablend").error("salons_list")
    assert error["name"] == "ProgramMissingError"
    assert "/nowhere/novablend is not a program; install novablend" in error["message"]
    assert "NOVABLEND" in error["message"]


def test_a_program_that_lacks_a_method_is_too_old(connect, backend):
    error = connect("--base-url", backend).error("salons/rate")
    assert error["name"] == "ProgramTooOldError"
    assert "no method salons/rate, so it is older than this client; update novablend" in error["message"]


def test_a_program_that_lacks_a_parameter_is_too_old(connect, backend):
    error = connect("--base-url", backend).error("salons/list", near="Paris")
    assert error["name"] == "ProgramTooOldError"
    assert "no parameter near of salons/list" in error["message"]


def test_a_program_that_lacks_a_member_of_a_list_is_too_old(connect, backend):
    error = connect("--base-url", backend).error("salons/list", fields=["rating"])
    assert error["name"] == "ProgramTooOldError"
    assert "no member rating in the parameter fields of salons/list" in error["message"]


def test_a_program_that_ends_at_once_is_reported_with_its_own_words(connect):
    error = connect("--no-such-option").error("salons_list")
    assert error["name"] == "ProgramEndedError"
    assert "exit code 64: novablend: unknown option --no-such-option" in error["message"]


def test_a_call_that_changes_nothing_is_repeated_if_the_program_is_killed(
    connect, backend, stalling_server
):
    driver = connect("--base-url", backend, "--salons-url", stalling_server.url)
    stalling_server.hold()
    number = driver.start("salons_list")
    assert stalling_server.reached.wait(DEADLINE)
    stalling_server.release()
    driver.kill_program()
    assert driver.outcome(number)["result"]["salons"]


def test_a_booking_during_which_the_program_is_killed_is_resolved(
    connect, relay, booking, stored
):
    driver, number = started_booking(connect, relay, booking, Fault.HOLD_RESPONSE)
    driver.kill_program()
    booked = driver.outcome(number)["result"]
    assert [appointment["id"] for appointment in stored()] == [booked["appointment"]["id"]]
    assert booked["idempotency_key"]
    assert relay.count("POST") == 1


def test_a_booking_that_may_still_arrive_is_in_doubt_and_is_not_repeated(
    connect, relay, booking, stored
):
    driver, number = started_booking(connect, relay, booking, Fault.HOLD_REQUEST)
    driver.kill_program()
    error = driver.outcome(number)["error"]
    assert error["name"] == "BookingInDoubtError" and error["retryable"] and error["key"]
    relay.release.set()
    assert relay.forwarded.wait(DEADLINE)
    # Repeating the request continues the booking, because its outcome is not known.
    booked = driver.result("appointments_book", **booking)
    assert booked["idempotency_key"] == error["key"]
    assert len(stored()) == relay.count("POST") == 1


def test_a_booking_in_doubt_can_be_resolved(connect, relay, booking):
    driver, number = started_booking(connect, relay, booking, Fault.HOLD_REQUEST)
    driver.kill_program()
    key = driver.outcome(number)["error"]["key"]
    (resolution,) = driver.result("appointments_resolve")["resolutions"]
    assert (resolution["idempotency_key"], resolution["outcome"]) == (key, "inDoubt")
    # The resolution says what was in doubt.
    requested = resolution["appointment"]
    assert requested["salon_id"] == booking["salonId"] and requested["phone"] == booking["phone"]
    assert requested["appointment_time"] == booking["appointmentTime"]
    relay.release.set()
    assert relay.forwarded.wait(DEADLINE)
    (resolution,) = driver.result("appointments_resolve")["resolutions"]
    assert (resolution["idempotency_key"], resolution["outcome"]) == (key, "booked")
    # The outcome of the first booking is known, so the same request is a new booking.
    error = driver.error("appointments_book", **booking)
    assert error["name"] == "SlotUnavailableError" and error["key"] != key


def test_a_booking_that_the_program_never_read_is_made_once(connect, relay, booking, stored):
    driver = connect("--base-url", relay.url)
    driver.result("salons_list")
    driver.kill_program(signal.SIGSTOP)
    number = driver.start("appointments_book", **booking)
    driver.kill_program()
    booked = driver.outcome(number)["result"]
    assert [appointment["id"] for appointment in stored()] == [booked["appointment"]["id"]]


def test_lists_come_from_the_cache_with_their_age_while_the_server_is_down(
    connect, tmp_path, booking
):
    with running_backend(tmp_path / "stopped.sqlite") as url:
        driver = connect("--base-url", url)
        listed = driver.result("salons_list")
    cached = driver.result("salons_list")
    assert cached["salons"] == listed["salons"]
    assert cached["provenance"]["source"] == "cache"
    assert cached["provenance"]["age_seconds"] >= 0 and cached["provenance"]["server_error"]
    error = driver.error("appointments_book", **booking)
    assert error["name"] == "BookingRequiresConnectionError" and error["retryable"]
    assert error["key"]


def test_a_cancelled_call_is_cancelled_at_the_server(connect, backend, stalling_server):
    driver = connect("--base-url", backend, "--salons-url", stalling_server.url)
    stalling_server.hold()
    number = driver.start("salons_list")
    assert stalling_server.reached.wait(DEADLINE)
    driver.cancel(number)
    assert driver.outcome(number)["error"]["name"] == "cancelled"
    assert stalling_server.closed.wait(DEADLINE)


def test_a_cancelled_booking_that_was_sent_is_in_doubt(connect, relay, booking):
    driver, number = started_booking(connect, relay, booking, Fault.HOLD_REQUEST)
    driver.cancel(number)
    error = driver.outcome(number)["error"]
    assert error["name"] == "BookingInDoubtError" and error["key"]


def test_a_subscription_survives_a_restart_of_the_program(connect, backend, booking):
    driver = connect("--base-url", backend)
    driver.result("appointments_list")
    driver.result("changes", resource="appointments")
    driver.kill_program()
    assert driver.change()["all"]
    booked = driver.result("appointments_book", **booking)["appointment"]
    while booked["id"] not in (change := driver.change()).get("changed", []):
        assert change["resource"] == "appointments"


def test_an_error_has_the_data_of_the_program(connect, backend, booking):
    driver = connect("--base-url", backend)
    driver.result("appointments_book", **booking)
    error = driver.error("appointments_book", **booking)
    assert error["name"] == "SlotUnavailableError" and not error["retryable"]
    assert error["data"]["alternatives"] and error["data"]["own_booking"]
    error = driver.error("salons_get", id="nowhere")
    assert error["name"] == "InvalidParamsError" and error["data"]["parameter"] == "id"
