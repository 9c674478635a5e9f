"""When a repeated request has the key of the earlier one, and when it is a new request: a key is not used any more
as soon as the outcome of its change is known, by whatever path."""

import json
import signal
import subprocess
import sys

import pytest

from conftest import HERE, NODE, PYTHON
from environment import DEADLINE
from relay import Fault

RESULT = {
    "appointment": {"salonId": "s", "appointmentTime": "2030-01-02T12:00:00+0000", "phone": "030",
                    "start": "2030-01-02T12:00:00+00:00", "weekday": "Wednesday"},
    "idempotencyKey": "KEY",
}
BOOKED = {"result": RESULT}
BOOKING = {"salonId": "s", "appointmentTime": "2030-01-02T12:00:00+0000", "phone": "030"}


def failed(code, **data):
    return {"error": {"code": code, "message": "it failed", "data": data}}


def resolved(outcome):
    resolution = {
        "idempotencyKey": "KEY", "action": "book", "outcome": outcome,
        "appointment": RESULT["appointment"],
    }
    account = {"name": "a", "profile": "default"}
    entries = [resolution] if outcome else []
    return {"result": {"account": account, "resolutions": entries, "otherAccounts": []}}


def keys(driver):
    return [params["idempotencyKey"] for params in driver.requests("appointments/book")]


def repeated(driver):
    """Whether the second booking had the key of the first one."""
    first, second = keys(driver)
    return first == second


# What the first call gets, and what the client raises.
UNKNOWN = {
    "in doubt": (failed(1206, retryable=True, idempotencyKey="KEY"), "BookingInDoubtError"),
    "internal error": (failed(-32603), "CallError"),
    "input ended during the change": (failed(-32001, retryable=False), "InputEndedError"),
    "cancelled during the change": (failed(-32800, retryable=False), "CallCancelledError"),
}
KNOWN = {
    "taken": (failed(1202, retryable=False), "SlotUnavailableError"),
    "rejected": (failed(1003, retryable=False), "ServerRejectedError"),
    "no connection": (failed(1201, retryable=True), "BookingRequiresConnectionError"),
    "overloaded": (failed(-32000, retryable=True), "OverloadedError"),
    "invalid": (failed(-32602, retryable=False), "InvalidParamsError"),
    "input ended before the change": (failed(-32001, retryable=True), "InputEndedError"),
    "cancelled before the change": (failed(-32800), "CallCancelledError"),
}


@pytest.mark.parametrize("answer, name", UNKNOWN.values(), ids=UNKNOWN)
def test_the_key_is_used_again_if_the_change_may_have_been_made(script, answer, name):
    driver = script(appointments_book=[answer, BOOKED], appointments_resolve=[resolved("inDoubt")])
    error = driver.error("appointments_book", **BOOKING)
    assert (error["name"], error["key"]) == (name, keys(driver)[0])
    assert driver.result("appointments_book", **BOOKING)["idempotency_key"] == error["key"]


@pytest.mark.parametrize("answer, name", KNOWN.values(), ids=KNOWN)
def test_the_key_is_not_used_again_if_the_change_was_not_made(script, answer, name):
    driver = script(appointments_book=[answer, BOOKED])
    assert driver.error("appointments_book", **BOOKING)["name"] == name
    driver.result("appointments_book", **BOOKING)
    assert not repeated(driver)


def test_the_key_is_not_used_again_after_a_result(script):
    driver = script(appointments_book=[BOOKED])
    driver.result("appointments_book", **BOOKING)
    driver.result("appointments_book", **BOOKING)
    assert not repeated(driver)


@pytest.mark.parametrize("outcome", ["notBooked", "discarded", None])
def test_a_request_is_new_if_its_earlier_change_was_not_made_after_all(script, outcome):
    answers = [failed(1206, retryable=True), BOOKED]
    driver = script(appointments_book=answers, appointments_resolve=[resolved(outcome)])
    driver.error("appointments_book", **BOOKING)
    driver.result("appointments_book", **BOOKING)
    assert not repeated(driver)


def test_an_error_of_the_repeated_call_does_not_end_the_doubt_about_the_first(script):
    answers = [failed(1206, retryable=True), failed(-32000, retryable=True), BOOKED]
    driver = script(appointments_book=answers, appointments_resolve=[resolved("notFound")])
    driver.error("appointments_book", **BOOKING)
    assert driver.error("appointments_book", **BOOKING)["name"] == "OverloadedError"
    driver.result("appointments_book", **BOOKING)
    assert len(set(keys(driver))) == 1


def test_a_request_stays_in_doubt_while_the_server_cannot_be_asked(script):
    driver = script(
        appointments_book=[failed(1206, retryable=True), BOOKED],
        appointments_resolve=[resolved("booked")],
        appointments_list=[failed(1001, retryable=True)],
    )
    key = driver.error("appointments_book", **BOOKING)["key"]
    error = driver.error("appointments_book", **BOOKING)
    assert (error["name"], error["key"]) == ("BookingInDoubtError", key)
    assert keys(driver) == [key]


def test_a_late_response_ends_the_doubt(script):
    driver = script(appointments_book=[BOOKED | {"late": True}, BOOKED])
    error = driver.error("appointments_book", timeout=0.1, **BOOKING)
    assert (error["name"], error["key"]) == ("BookingInDoubtError", keys(driver)[0])
    driver.result("resource/unsubscribe")
    driver.result("appointments_book", **BOOKING)
    assert not repeated(driver)


def test_a_change_that_was_cancelled_too_late_is_reported_and_a_repeated_request_is_new(
    script, language
):
    driver = script(appointments_book=[BOOKED | {"late": True}, BOOKED])
    number = driver.start("appointments_book", **BOOKING)
    driver.requested("appointments/book")
    driver.cancel(number)
    driver.result("resource/unsubscribe")
    outcome = driver.outcome(number)
    # In Python the task is cancelled, and the error has the result.
    if language == "python":
        assert outcome["error"]["name"] == "CancelledTooLateError"
        assert outcome["error"]["key"] == outcome["error"]["result"]["idempotency_key"]
    else:
        assert outcome["result"]["idempotency_key"] == keys(driver)[0]
    driver.result("appointments_book", **BOOKING)
    assert not repeated(driver)


def test_a_change_that_is_cancelled_twice_and_ends_without_a_response_is_in_doubt(script):
    driver = script(
        appointments_book=[{}, BOOKED], appointments_resolve=[resolved("inDoubt")]
    )
    number = driver.start("appointments_book", **BOOKING)
    driver.requested("appointments/book")
    driver.cancel(number)
    driver.cancel(number)
    error = driver.outcome(number)["error"]
    assert (error["name"], error["key"]) == ("BookingInDoubtError", keys(driver)[0])
    driver.result("appointments_book", **BOOKING)
    assert repeated(driver)


def test_a_change_whose_task_is_cancelled_while_the_program_is_asked_keeps_its_key(script):
    driver = script(
        appointments_book=[failed(1206, retryable=True), BOOKED],
        appointments_resolve=[{}, resolved("inDoubt")],
    )
    driver.error("appointments_book", **BOOKING)
    number = driver.start("appointments_book", **BOOKING)
    driver.requested("appointments/resolve")
    driver.cancel(number)
    assert driver.outcome(number)["error"]["name"] in ("cancelled", "BookingInDoubtError")
    driver.result("appointments_book", **BOOKING)
    assert repeated(driver)


def test_a_change_during_which_the_program_ends_is_made_once(script):
    driver = script(
        appointments_book=[{"exit": True}, BOOKED], appointments_resolve=[resolved(None)]
    )
    driver.result("appointments_book", **BOOKING)
    driver.result("appointments_book", **BOOKING)
    first, second, third = keys(driver)
    assert first == second != third


@pytest.mark.parametrize("method, name", [
    ("appointments_book", "BookingInDoubtError"), ("appointments_hold", "HoldInDoubtError"),
    ("salons_delete", "SalonInDoubtError"),
])
def test_a_change_whose_responses_are_all_lost_is_in_doubt(script, method, name):
    driver = script(
        **{method: [{"exit": True}]}, appointments_resolve=[resolved("inDoubt")]
    )
    error = driver.error(method, **({"salonId": "s"} if method == "salons_delete" else BOOKING))
    assert error["name"] == name and error["retryable"]
    assert error["data"]["salon_id"] == "s"
    assert bool(error.get("key")) == (method != "salons_delete")


def test_no_value_is_the_same_request_as_none(script):
    answers = [failed(1206, retryable=True), BOOKED]
    driver = script(appointments_book=answers, appointments_resolve=[resolved("inDoubt")])
    driver.error("appointments_book", **BOOKING, notes=None, dryRun=False)
    driver.result("appointments_book", **BOOKING)
    assert repeated(driver)


def test_a_hold_that_is_in_doubt_is_repeated_with_its_key(script):
    driver = script(appointments_hold=[failed(1217, retryable=True), {"result": {
        "holdId": "h", "expiresAt": "2030-01-02T12:05:00Z", "secondsLeft": 300,
        "idempotencyKey": "KEY", "salonId": "s", "start": "2030-01-02T12:00:00+00:00",
        "weekday": "Wednesday",
    }}])
    key = driver.error("appointments_hold", **BOOKING)["key"]
    assert driver.result("appointments_hold", **BOOKING)["idempotency_key"] == key
    driver.result("appointments_hold", **BOOKING)
    first, second, third = driver.requests("appointments/hold")
    assert first["idempotencyKey"] == second["idempotencyKey"] != third["idempotencyKey"]


# With the program and a backend.


def doubtful(connect, relay, booking):
    """A driver, and the key of a booking that is in doubt and arrives later."""
    driver = connect("--base-url", relay.url)
    relay.inject(Fault.HOLD_REQUEST, "POST")
    number = driver.start("appointments_book", **booking)
    assert relay.held.wait(DEADLINE)
    driver.kill_program()
    error = driver.outcome(number)["error"]
    assert error["name"] == "BookingInDoubtError"
    relay.recover()
    relay.release.set()
    assert relay.forwarded.wait(DEADLINE)
    return driver, error["key"]


def statuses(stored):
    return sorted(appointment.get("status", "booked") for appointment in stored())


def book_anew(driver, booking, stored, key):
    """Repeats a booking whose appointment was cancelled. It must exist."""
    booked = driver.result("appointments_book", **booking)
    assert booked["idempotency_key"] != key
    (listed,) = driver.result("appointments_list", policy="serverOnly")["appointments"]
    assert listed["id"] == booked["appointment"]["id"]
    assert statuses(stored) == ["booked", "cancelled"]


def test_a_booking_whose_call_and_appointment_were_cancelled_can_be_made_again(
    connect, relay, booking, stored
):
    driver = connect("--base-url", relay.url)
    relay.inject(Fault.HOLD_RESPONSE, "POST")
    number = driver.start("appointments_book", **booking)
    assert relay.held.wait(DEADLINE)
    driver.cancel(number)
    error = driver.outcome(number)["error"]
    assert error["name"] == "BookingInDoubtError"
    relay.recover()
    relay.release.set()
    (listed,) = driver.result("appointments_list")["appointments"]
    driver.result("appointments_cancel", id=listed["id"])
    book_anew(driver, booking, stored, error["key"])


def test_a_booking_that_was_resolved_and_cancelled_can_be_made_again(
    connect, relay, booking, stored
):
    driver, key = doubtful(connect, relay, booking)
    (resolution,) = driver.result("appointments_resolve")["resolutions"]
    assert resolution["outcome"] == "booked"
    driver.result("appointments_cancel", id=resolution["appointment"]["id"])
    book_anew(driver, booking, stored, key)


def test_a_booking_that_was_found_in_the_list_and_cancelled_can_be_made_again(
    connect, relay, booking, stored
):
    driver, key = doubtful(connect, relay, booking)
    (listed,) = driver.result("appointments_list")["appointments"]
    driver.result("appointments_cancel", id=listed["id"])
    book_anew(driver, booking, stored, key)


def test_a_booking_that_a_different_client_resolved_and_cancelled_can_be_made_again(
    connect, relay, booking, stored
):
    driver, key = doubtful(connect, relay, booking)
    other = connect("--base-url", relay.url)
    (resolution,) = other.result("appointments_resolve", idempotencyKey=key)["resolutions"]
    other.result("appointments_cancel", id=resolution["appointment"]["id"])
    book_anew(driver, booking, stored, key)


def test_a_booking_that_was_cancelled_on_a_different_machine_can_be_made_again(
    connect, relay, booking, stored
):
    driver, key = doubtful(connect, relay, booking)
    other = connect("--base-url", relay.url, machine="other")
    (listed,) = other.result("appointments_list")["appointments"]
    other.result("appointments_cancel", id=listed["id"])
    book_anew(driver, booking, stored, key)


def test_a_booking_that_was_moved_elsewhere_can_be_made_again(
    connect, relay, booking, stored
):
    driver, key = doubtful(connect, relay, booking)
    other = connect("--base-url", relay.url)
    (listed,) = other.result("appointments_list")["appointments"]
    later = booking["appointmentTime"].replace("T12", "T14")
    other.result("appointments_reschedule", id=listed["id"], appointmentTime=later)
    booked = driver.result("appointments_book", **booking)
    assert booked["idempotency_key"] != key
    times = [appointment["appointmentTime"] for appointment in stored()]
    assert sorted(times) == [booking["appointmentTime"], later]


def test_a_booking_that_was_continued_with_its_key_and_cancelled_can_be_made_again(
    connect, relay, booking, stored
):
    driver, key = doubtful(connect, relay, booking)
    booked = driver.result("appointments_book", **booking, idempotencyKey=key)
    driver.result("appointments_cancel", id=booked["appointment"]["id"])
    book_anew(driver, booking, stored, key)


def test_a_move_that_was_undone_elsewhere_can_be_made_again(connect, relay, booking, stored):
    driver = connect("--base-url", relay.url)
    appointment = driver.result("appointments_book", **booking)["appointment"]["id"]
    later = booking["appointmentTime"].replace("T12", "T14")
    relay.inject(Fault.HOLD_REQUEST, "PATCH")
    number = driver.start("appointments_reschedule", id=appointment, appointmentTime=later)
    assert relay.held.wait(DEADLINE)
    driver.kill_program()
    key = driver.outcome(number)["error"]["key"]
    relay.recover()
    relay.release.set()
    assert relay.forwarded.wait(DEADLINE)
    other = connect("--base-url", relay.url)
    other.result("appointments_resolve")
    time = booking["appointmentTime"]
    other.result("appointments_reschedule", id=appointment, appointmentTime=time)
    moved = driver.result("appointments_reschedule", id=appointment, appointmentTime=later)
    assert moved["idempotency_key"] != key
    assert [each["appointmentTime"] for each in stored()] == [later]


def test_a_booking_that_was_cancelled_before_the_program_read_it_can_be_made(
    connect, backend, booking, stored
):
    driver = connect("--base-url", backend)
    driver.result("salons_list")
    driver.kill_program(signal.SIGSTOP)
    number = driver.start("appointments_book", **booking)
    driver.cancel(number)
    # The driver has written both messages when it responds to a call that comes later.
    later = driver.start("salons_list")
    driver.kill_program(signal.SIGCONT)
    assert driver.outcome(later)["result"]
    outcome = driver.outcome(number)
    if "error" in outcome:
        assert outcome["error"]["name"] in ("cancelled", "CancelledTooLateError")
    booked = driver.result("appointments_book", **booking) if not stored() else stored()[0]
    assert booked and statuses(stored) == ["booked"]


def test_a_booking_for_which_the_program_hangs_is_in_doubt_and_made_once(
    connect, backend, booking, stored
):
    driver = connect("--base-url", backend)
    driver.result("salons_list")
    driver.kill_program(signal.SIGSTOP)
    error = driver.error("appointments_book", timeout=0.1, **booking)
    assert error["name"] == "BookingInDoubtError" and error["key"]
    driver.kill_program(signal.SIGCONT)
    booked = driver.result("appointments_book", **booking)
    assert [appointment["id"] for appointment in stored()] == [booked["appointment"]["id"]]


def test_a_booking_during_which_the_client_is_closed_is_in_doubt(connect, relay, booking):
    driver = connect("--base-url", relay.url)
    relay.inject(Fault.HOLD_REQUEST, "POST")
    number = driver.start("appointments_book", **booking)
    assert relay.held.wait(DEADLINE)
    driver.result("close")
    error = driver.outcome(number)["error"]
    assert error["name"] == "BookingInDoubtError" and error["key"]


def test_a_booking_without_a_response_when_the_client_is_closed_is_in_doubt(script):
    driver = script(appointments_book=[{}])
    number = driver.start("appointments_book", **BOOKING)
    driver.requested("appointments/book")
    driver.result("close")
    error = driver.outcome(number)["error"]
    assert (error["name"], error["key"]) == ("BookingInDoubtError", keys(driver)[0])


def test_concurrent_calls_of_the_same_request_book_once(connect, backend, booking, stored):
    driver = connect("--base-url", backend)
    numbers = [driver.start("appointments_book", **booking) for _ in range(3)]
    ids = {driver.outcome(number)["result"]["appointment"]["id"] for number in numbers}
    assert [appointment["id"] for appointment in stored()] == list(ids)


# The clock of the client is ahead by the longest time of a hold after the first call.
LATER = {
    "python": """
import asyncio, sys, time, types
import novablend.client._keys as keys
from novablend.client import HoldInDoubtError, NovaBlend
async def main():
    async with NovaBlend(sys.argv[2], program=sys.argv[1]) as client:
        for ahead in [0, 901]:
            keys.time = types.SimpleNamespace(monotonic=lambda: time.monotonic() + ahead)
            try:
                await client.appointments_hold("s", "2030-01-02T12:00:00+0000", "030")
            except HoldInDoubtError:
                pass
asyncio.run(main())
""",
    "typescript": """
import { HoldInDoubtError, NovaBlend } from "./novablend.ts";
const now = performance.now.bind(performance);
await using client = new NovaBlend([process.argv[3]], { program: process.argv[2] });
for (const ahead of [0, 901_000]) {
  performance.now = () => now() + ahead;
  await client
    .appointmentsHold({ salonId: "s", appointmentTime: "2030-01-02T12:00:00+0000", phone: "030" })
    .catch((error) => {
      if (!(error instanceof HoldInDoubtError)) throw error;
    });
}
""",
}


def test_a_hold_that_must_have_ended_is_a_new_request(language, compiled, script_folder):
    answers = {"appointments/hold": [failed(1217, retryable=True, idempotencyKey="KEY")]}
    folder = script_folder(json.dumps(answers))
    program = compiled / f"later.{'py' if language == 'python' else 'mts'}"
    program.write_text(LATER[language])
    interpreter = sys.executable if language == "python" else NODE
    command = [interpreter, program, HERE / "scripted_program.py", folder]
    subprocess.run(command, env=PYTHON, check=True, timeout=DEADLINE)
    lines = (folder / "requests").read_text().splitlines()
    first, second = [json.loads(line)["params"]["idempotencyKey"] for line in lines]
    assert first != second
