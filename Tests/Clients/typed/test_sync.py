"""The Python client without asyncio, and completion in editors."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from datetime import date, datetime

import jedi
import pytest

from conftest import CLIENTS, PYTHON
from environment import BINARIES, DEADLINE

sys.path.insert(0, str(CLIENTS / "python"))
from novablend.client import ClientClosedError, InvalidParamsError, Outage, Time  # noqa: E402
from novablend.client.sync import NovaBlend  # noqa: E402

SOL = "5a100000-0000-4000-8000-000000000004"


@pytest.fixture
def client():
    with NovaBlend("--sandbox", program=BINARIES / "novablend") as client:
        yield client


def test_it_iterates_over_all_pages(client):
    names = [salon.name for salon in client.salons_list_all(limit=2)]
    assert names == [salon.name for salon in client.salons_list().salons] and len(names) == 6
    (selected, *_) = client.salons_list_all(limit=2, fields=["name"])
    assert (selected.name, selected.location) == ("Scherenschnitt", None)


def test_it_works_where_an_event_loop_runs(client):
    async def cell():
        return client.salons_get(SOL).salon.name

    assert asyncio.run(cell()) == "Peluquería Sol"


def test_threads_share_it(client):
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(client.salons_list().total)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE)
    assert found == [6] * 8


def test_it_can_be_used_again_after_it_was_closed(client):
    client.close()
    with pytest.raises(ClientClosedError):
        client.salons_list()
    with client:
        assert client.salons_list().total == 6


def test_times_are_values_in_results_and_arguments(client):
    day = date(2027, 3, 3)
    found = client.salons_availability(SOL, start=day, end=day, service_id="cut", limit=1, fields=["slots"])
    (slot,) = found.days[0].slots or ()
    assert slot.appointment_time == datetime.fromisoformat("2027-03-03T10:00:00+01:00")
    local = datetime(2027, 3, 3, 10, 0, 0, 250_000)
    booked = client.appointments_book(
        salon_id=SOL, appointment_time=local, phone="+34 600123456", service_id="cut"
    ).appointment
    assert isinstance(booked.start, Time) and booked.start.text == str(booked.start)
    assert (str(booked.start), str(booked.end)) == ("2027-03-03T10:00:00+01:00", "2027-03-03T10:30:00+01:00")
    assert (booked.status, booked.seats, booked.price) == ("booked", 1, "18.00 EUR")
    (listed,) = client.appointments_list(start=slot.appointment_time).appointments
    assert listed.own and listed.start == booked.start
    with pytest.raises(InvalidParamsError) as failure:
        client.appointments_book(
            salon_id=SOL, appointment_time=datetime(2027, 3, 28, 2, 30), phone="+34 600123456", service_id="cut"
        )
    assert failure.value.parameter == "appointmentTime"
    assert list(map(str, failure.value.candidates)) == ["2027-03-28T01:30:00+01:00", "2027-03-28T03:30:00+02:00"]


def test_changes_arrive(client):
    with client.changes("appointments") as events:
        booked = client.appointments_book(
            salon_id=SOL, appointment_time=datetime(2027, 3, 4, 10), phone="+34 600123456", service_id="cut"
        )
        for event in events:
            assert not isinstance(event, Outage)
            if event.all or booked.appointment.id in event.changed:
                break


WAITING = """
import sys
from novablend.client.sync import NovaBlend

with NovaBlend("--sandbox", program=sys.argv[1]) as client:
    with client.changes("salons") as events:
        try:
            print("waits", flush=True)
            next(events)
        except KeyboardInterrupt:
            print("interrupted")
        print(client.salons_list().total)
"""


def test_ctrl_c_interrupts_a_call_and_leaves_the_client_usable():
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, BINARIES / "novablend"], env=PYTHON, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "waits\n"
    os.kill(process.pid, signal.SIGINT)
    assert process.communicate(timeout=DEADLINE)[0] == "interrupted\n6\n" and process.returncode == 0


ASYNC = "async def main():\n    async with NovaBlend() as client:\n        "
SYNC = "with NovaBlend() as client:\n    "


@pytest.mark.parametrize("code, name", [
    (ASYNC + "client.", "appointments_list_all"),
    (ASYNC + "(await client.salons_list()).salons[0].", "location"),
    (ASYNC + "async for each in client.appointments_list_all():\n            each.", "own"),
    (ASYNC + "(await client.appointments_book()).appointment.start.", "astimezone"),
    (SYNC + "client.", "appointments_list_all"),
    (SYNC + "for salon in client.salons_list().salons:\n        salon.", "location"),
    (SYNC + "client.services_list().services[0].", "minutes"),
])
def test_jedi_completes(code, name):
    module = "novablend.client" if code.startswith("async") else "novablend.client.sync"
    script = jedi.Script(f"from {module} import NovaBlend\n{code}", project=jedi.Project(CLIENTS / "python"))
    assert name in {completion.name for completion in script.complete()}
