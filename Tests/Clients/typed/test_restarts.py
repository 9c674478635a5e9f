"""A program that is missing, or that keeps ending, and clients that are closed or used again."""

import subprocess
import sys
from contextlib import closing

import pytest

from conftest import HERE, PYTHON, Driver
from environment import BINARIES, DEADLINE

SUBSCRIBED = [{"result": {}, "exit": True}]


def test_a_program_that_keeps_ending_is_started_five_times(script):
    driver = script(resource_subscribe=SUBSCRIBED)
    driver.result("changes", resource="appointments")
    error = driver.change_error()
    assert error["name"] == "ProgramEndedError" and error["retryable"]
    assert "was started 5 times within 30 s, and ended each time" in error["message"]
    assert "it ended with exit code 0" in error["message"]
    assert driver.starts() == 5
    # No call starts it a sixth time.
    error = driver.error("salons_list")
    assert error["name"] == "ProgramEndedError" and "started 5 times" in error["message"]
    assert driver.starts() == 5


def test_calls_to_a_program_that_keeps_ending_start_it_five_times(script):
    driver = script(salons_list=[{"exit": True}])
    errors = [driver.error("salons_list")["message"] for _ in range(4)]
    assert "does not respond to salons/list: it ended with exit code 0" in errors[0]
    assert "started 5 times" in errors[-1]
    assert driver.starts() == 5


def test_a_booking_during_which_the_program_keeps_ending_is_in_doubt(script, booking):
    driver = script(appointments_book=[{"exit": True}], appointments_resolve=[{"exit": True}])
    error = driver.error("appointments_book", **booking)
    assert error["name"] == "BookingInDoubtError"
    (request,) = driver.requests("appointments/book")
    assert error["key"] == request["idempotencyKey"]


def test_a_program_that_is_missing_at_first_is_started_by_a_later_call(command, backend, tmp_path):
    link = tmp_path / "novablend"
    arguments = ["--base-url", backend, "--state-dir", tmp_path / "s", "--cache-dir", tmp_path / "c"]
    with typed_driver(command, link, arguments) as driver:
        for _ in range(2):
            assert driver.error("salons_list")["name"] == "ProgramMissingError"
        link.symlink_to(BINARIES / "novablend")
        assert driver.result("salons_list")["salons"]


def test_a_program_that_cannot_be_started_is_not_one_that_keeps_ending(command, tmp_path):
    program = tmp_path / "novablend"
    program.write_text("#!/nowhere/python3\n")
    program.chmod(0o755)
    with typed_driver(command, program, []) as driver:
        for _ in range(6):
            error = driver.error("salons_list")
            assert error["name"] == "ProgramMissingError" and "cannot be started" in error["message"]


def test_a_closed_client_is_not_retryable(connect, backend):
    driver = connect("--base-url", backend)
    driver.result("salons_list")
    driver.result("close")
    driver.result("close")
    for method in ["salons_list", "changes"]:
        error = driver.error(method, **({"resource": "salons"} if method == "changes" else {}))
        assert error["name"] == "ClientClosedError" and not error["retryable"]


def test_a_client_whose_program_is_missing_can_be_closed(command, tmp_path):
    with typed_driver(command, tmp_path / "missing", []) as driver:
        assert driver.error("salons_list")["name"] == "ProgramMissingError"
        driver.result("close")


def typed_driver(command, program, arguments):
    return closing(Driver([*command, program, *map(str, arguments)], PYTHON))


# Event loops of Python.


def python(code, *arguments):
    """Runs a program in Python that must end, and returns its output."""
    run = subprocess.run(
        [sys.executable, "-W", "default", "-c", code, *map(str, arguments)],
        env=PYTHON, capture_output=True, text=True, timeout=2 * DEADLINE,
    )
    assert run.returncode == 0 and not run.stderr, run.stdout + run.stderr
    return run.stdout


def test_a_client_can_be_used_in_several_event_loops():
    output = python("""
import asyncio, sys
from novablend.client import NovaBlend
client = NovaBlend("--sandbox", program=sys.argv[1])
for _ in range(2):
    print(len(asyncio.run(client.salons_list()).salons) > 0)
async def main():
    async with client:
        return len((await client.salons_list()).salons) > 0
for _ in range(2):
    print(asyncio.run(main()))
""", BINARIES / "novablend")
    assert output == "True\n" * 4


def test_a_doubt_survives_the_event_loop(script_folder):
    folder = script_folder(
        '{"appointments/book": [{"error": {"code": 1206, "message": "m", "data": {"retryable": true}}}],'
        ' "appointments/resolve": [{"error": {"code": 1105, "message": "no journal"}}]}'
    )
    output = python("""
import asyncio, sys
from novablend.client import BookingInDoubtError, NovaBlend
client = NovaBlend(sys.argv[2], program=sys.argv[1])
async def book():
    try:
        await client.appointments_book(salon_id="s", appointment_time="2030-01-02T12:00:00+0000", phone="030")
    except BookingInDoubtError as error:
        return error.idempotency_key
print(asyncio.run(book()) == asyncio.run(book()))
""", HERE / "scripted_program.py", folder)
    assert output == "True\n"


def test_a_client_in_two_event_loops_at_the_same_time_is_an_error():
    output = python("""
import asyncio, sys
from novablend.client import NovaBlend
client = NovaBlend("--sandbox", program=sys.argv[1])
async def main():
    async with client:
        try:
            await asyncio.to_thread(lambda: asyncio.run(client.salons_list()))
        except RuntimeError as error:
            print(error)
        print(len((await client.salons_list()).salons) > 0)
asyncio.run(main())
""", BINARIES / "novablend")
    assert output == "a client can be used only in one event loop until that is closed\nTrue\n"


@pytest.mark.parametrize("ending", ["return", "raise SystemExit(0)"])
def test_an_event_loop_ends_although_the_program_keeps_ending(script_folder, ending):
    folder = script_folder('{"resource/subscribe": [{"result": {}, "exit": true}]}')
    python(f"""
import asyncio, sys
from novablend.client import NovaBlend
client = NovaBlend(sys.argv[2], program=sys.argv[1])
async def follow():
    async with client.changes("salons") as changes:
        async for change in changes:
            pass
async def main():
    following = asyncio.create_task(follow())
    async with client.changes("salons") as changes:
        async for change in changes:
            {ending}
asyncio.run(main())
""", HERE / "scripted_program.py", folder)


def test_a_program_that_ignores_the_end_of_its_input_is_killed(tmp_path):
    program = tmp_path / "novablend"
    program.write_text("#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 1000; done\n")
    program.chmod(0o755)
    output = python("""
import asyncio, os, sys
import novablend.client._process as process
process.SECONDS_TO_END = 0.1
from novablend.client import DeadlineExceededError, NovaBlend
async def main():
    async with NovaBlend(program=sys.argv[1]) as client:
        try:
            await client.salons_list(timeout=0.1)
        except DeadlineExceededError as error:
            print(error, error.retryable)
asyncio.run(main())
""", program)
    assert output == "novablend did not respond to salons/list within 0.1 s True\n"
