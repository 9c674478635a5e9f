"""Six programs as users write them, in both languages, work with a backend, and have no type errors.

Their types are checked strictly, and they contain neither assertions nor casts."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import urllib.request
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from conftest import CLIENTS, HERE, NODE, PYTHON
from environment import BINARIES, DEADLINE

PROGRAMS = HERE / "programs"
PARIS = ZoneInfo("Europe/Paris")
NOVA = "5a100000-0000-4000-8000-000000000002"
DAY = (datetime.now(PARIS) + timedelta(days=10)).date()
NEXT = DAY + timedelta(days=1)


def at(time, day=DAY):
    return datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=PARIS)


@pytest.fixture
def start(language, compiled, tmp_path, backend):
    """Starts a program with its own arguments and those of the backend."""
    processes = []
    for program in PROGRAMS.glob("*.ts"):
        shutil.copy(program, compiled)

    def start(name, *arguments):
        folder, command = (PROGRAMS, [sys.executable]) if language == "python" else (compiled, [NODE])
        suffix = {"python": ".py", "typescript": ".ts"}[language]
        directories = ["--cache-dir", tmp_path / "cache", "--state-dir", tmp_path / "state"]
        processes.append(subprocess.Popen(
            [*command, folder / f"{name}{suffix}", *map(str, arguments), "--base-url", backend, *directories],
            env=PYTHON | {"NOVABLEND": str(BINARIES / "novablend")},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def run(start):
    """The lines that a program writes."""

    def run(*arguments):
        return finished(start(*arguments))

    return run


def finished(process):
    output, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0, errors
    return output.splitlines()


def wait_for(line, process):
    """Reads lines until one is `line`. The program is killed if that takes too long."""
    deadline = threading.Timer(DEADLINE, process.kill)
    deadline.start()
    assert line in map(str.rstrip, process.stdout)
    deadline.cancel()


@pytest.fixture
def send(backend):
    """Sends a request to the backend, as another client does."""

    def send(method, path, headers={}, **body):
        request = urllib.request.Request(
            backend + path, json.dumps(body).encode() if body else None,
            {"Content-Type": "application/json"} | headers, method=method,
        )
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read())

    return send


@pytest.fixture
def cancel(send):
    def cancel(appointment):
        send("DELETE", f"/appointments/{appointment['id']}", {"If-Match": f'"{appointment["version"]}"'})

    return cancel


@pytest.fixture
def book(send):
    def book(time, phone, **more):
        appointment = {"salonId": NOVA, "appointmentTime": at(time).isoformat(), "phone": phone}
        return send("POST", "/appointments", **appointment, **more)

    return book


def test_a_morning_list(run, book, cancel):
    book("11:30", "+33 611111111", serviceId="cut")
    cancel(book("13:30", "+33 622222222"))
    book("14:30", "+33 633333333", serviceId="color")
    assert run("morning_list", NOVA, DAY) == [
        f"Atelier Nova {DAY:%A}",
        "11:30-12:15  Cut  45.00 EUR  +33 611111111",
        "13:30-14:30  +33 622222222  cancelled",
        "14:30-16:30  Color  110.00 EUR  +33 633333333",
    ]


def test_a_calendar_file(run, book, tmp_path):
    booked = book("11:30", "+33 611111111", serviceId="cut")
    (line,) = run("calendar_file", tmp_path / "salon.ics")
    assert line.startswith("1 appointments, as of 20")
    start = at("11:30").astimezone(ZoneInfo("UTC"))
    assert (tmp_path / "salon.ics").read_bytes().decode().split("\r\n")[3:-2] == [
        "BEGIN:VEVENT", f"UID:{booked['id']}", f"DTSTART:{start:%Y%m%dT%H%M%SZ}",
        f"DTEND:{start + timedelta(minutes=45):%Y%m%dT%H%M%SZ}", "SUMMARY:Cut at Atelier Nova", "END:VEVENT",
    ]


def test_a_waiting_list(start, book, cancel, stored):
    booked = book("11:30", "+33 611111111", serviceId="cut")
    process = start("waiting_list", NOVA, at("11:30").isoformat(), "cut", "+33 644444444")
    assert re.fullmatch(r"Taken; others are \d\d:\d\d.*\.\n", process.stdout.readline())
    cancel(booked)
    assert finished(process)[-1] == f"Booked {DAY:%A} 11:30 for +33 644444444."
    assert [each["phone"] for each in stored() if each.get("status") != "cancelled"] == ["+33 644444444"]


def test_a_bot_that_moves_appointments(run, book, stored):
    book("11:30", "+33 611111111", serviceId="cut")
    book("14:30", "+33 633333333", serviceId="color")
    assert run("moving_bot", NOVA, DAY, NEXT) == [
        f"+33 611111111 {DAY:%d} 11:30 -> {NEXT:%d} 10:30",
        f"+33 633333333 {DAY:%d} 14:30 -> {NEXT:%d} 12:30",
    ]
    assert sorted(each["appointmentTime"][:16] for each in stored()) == [f"{NEXT}T10:30", f"{NEXT}T12:30"]


def test_a_dashboard(start, book):
    book("11:30", "+33 611111111", serviceId="cut")
    process = start("dashboard")
    wait_for("Atelier Nova: 1 45.00 EUR", process)
    book("14:30", "+33 633333333", serviceId="color")
    wait_for("Atelier Nova: 2 155.00 EUR", process)


def test_an_import(run, stored, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("".join(f"{line}\n" for line in [
        f"Atelier Nova,{DAY}T11:30,cut,+33 611111111",
        f"Atelier Nova,{DAY}T11:30,color,+33 622222222",
        "Atelier Nova,2027-03-28T02:30,cut,+33 633333333",
        f"Atelier Nov,{DAY}T13:30,,+33 644444444",
        f"r,{DAY}T11:30,,+33 655555555",
    ]))
    lines = run("import_bookings", table)
    assert lines[0] == f"Atelier Nova {DAY}T11:30 booked until 12:15"
    assert re.fullmatch(rf"Atelier Nova {DAY}T11:30 not booked; free: \d\d \d\d:\d\d, \d\d \d\d:\d\d", lines[1])
    assert lines[2] == (
        "Atelier Nova 2027-03-28T02:30 appointmentTime is wrong; "
        "meant: 2027-03-28T01:30:00+01:00, 2027-03-28T03:30:00+02:00"
    )
    assert lines[3] == f"Atelier Nov {DAY}T13:30 booked until 14:30"
    assert re.fullmatch(rf"r {DAY}T11:30 salonId is wrong; meant: \w.*, \w.*", lines[4])
    # Each line has its own key, so the import can be repeated.
    again = run("import_bookings", table)
    assert (again[0], again[3]) == (lines[0], lines[3]) and len(stored()) == 2


@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.py")), ids=lambda path: path.stem)
def test_the_python_programs_have_no_type_errors(program, tmp_path):
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11", program]
    environment = PYTHON | {"MYPYPATH": str(CLIENTS / "python")}
    run = subprocess.run(mypy, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_typescript_programs_have_no_type_errors(tmp_path):
    for source in [CLIENTS / "typescript" / "novablend.ts", *PROGRAMS.glob("*.ts")]:
        shutil.copy(source, tmp_path)
    options = {
        "strict": True, "erasableSyntaxOnly": True, "noUnusedLocals": True, "noUncheckedIndexedAccess": True,
        "exactOptionalPropertyTypes": True,
    }
    (tmp_path / "deno.json").write_text(json.dumps({"compilerOptions": options}))
    deno = Path(sys.executable).parent / "deno"
    environment = os.environ | {"DENO_NO_UPDATE_CHECK": "1", "DENO_DIR": str(tmp_path / "cache")}
    sources = [program.name for program in PROGRAMS.glob("*.ts")]
    command = [deno, "check", "--no-remote", "--no-npm", *sources]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.*")), ids=lambda path: path.name)
def test_the_programs_contain_no_assertions(program):
    if program.suffix == ".py":
        assert not re.search(r"\bassert\b|\bcast\(|type: *ignore|\bAny\b", program.read_text())
        return
    code = re.sub(r'//(?! @ts).*|"[^"]*"|`[^`]*`', "", program.read_text())
    assert not re.search(r"\bas\b|[\w)\]]!(?!=)|@ts-|\bany\b", code)
