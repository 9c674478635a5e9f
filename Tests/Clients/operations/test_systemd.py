"""The unit for systemd is valid, and its sandbox permits what the backend does.

systemd itself need not run: the system calls of the backend are compared with the sandbox."""

import json
import os
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path

import pytest

from environment import BINARIES
from backend import running_backend_with_metrics
from service import BACKUP, INSTALLED, TIMER, UNIT, backup_command, command, reports, running, settings

SCRIPTS = Path(__file__).parents[3] / "Tools" / "Scripts"
# The highest exposure that `systemd-analyze security` may find, in tenths. The scale ends at 10.
MAXIMUM_EXPOSURE = 15

pytestmark = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="systemd is not installed"
)


def analyze(*arguments):
    return subprocess.run(
        ["systemd-analyze", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


@pytest.fixture
def units(tmp_path):
    """The units, with the program that is tested. The manual page need not be installed."""
    files = {}
    for unit in [UNIT, BACKUP, TIMER]:
        text = unit.read_text().replace(INSTALLED, str(BINARIES / "novablend-backend"))
        files[unit] = tmp_path / unit.name
        files[unit].write_text(re.sub("(?m)^Documentation=.*\n", "", text))
    return files


@pytest.mark.parametrize("unit", [UNIT, BACKUP, TIMER], ids=lambda unit: unit.name)
def test_the_units_are_valid(units, unit):
    result = analyze("verify", str(units[unit]))
    assert (result.returncode, result.stdout) == (0, "")


@pytest.mark.parametrize("unit", [UNIT, BACKUP], ids=lambda unit: unit.name)
def test_the_services_are_exposed_to_little(units, unit):
    limit = f"--threshold={MAXIMUM_EXPOSURE}"
    result = analyze("security", "--offline=yes", limit, str(units[unit]))
    assert result.returncode == 0, result.stdout


def test_the_backups_are_made_by_the_owner_of_the_database():
    for name in ["StateDirectory", "DynamicUser"]:
        (value,), (own,) = settings(name, BACKUP), settings(name)
        assert value.split()[0] == own
    # The name of the user of a dynamic unit is that of the unit.
    assert settings("User", BACKUP) == [UNIT.stem] and not settings("User")


def test_the_timer_makes_a_backup_each_day():
    (calendar,) = settings("OnCalendar", TIMER)
    result = analyze("calendar", "--iterations=3", calendar)
    assert result.returncode == 0, result.stdout
    days = re.findall(r"(\d{4}-\d\d-\d\d) 03:00:00", result.stdout)
    assert len(set(days)) == 3
    assert settings("Persistent", TIMER) == ["true"]
    assert TIMER.stem == BACKUP.stem


def test_the_newest_14_backups_of_a_server_are_kept_and_reported(tmp_path):
    database = tmp_path / "db.sqlite"
    with running_backend_with_metrics(database) as (url, metrics):
        words = backup_command(tmp_path, database)
        backups = tmp_path / "backups"
        backups.mkdir()
        for number in range(10, 30):
            (backups / f"backend-20200101T0000{number}Z.sqlite").touch()
        assert subprocess.run(words, capture_output=True).returncode == 0
        kept = sorted(path.name for path in backups.iterdir())
        assert len(kept) == 14 and kept[0] == "backend-20200101T000017Z.sqlite"
        body = json.load(urllib.request.urlopen(f"{url}/health/ready"))
        assert body["status"] == "ok" and 0 <= body["backupAgeSeconds"] < 3600
        text = urllib.request.urlopen(metrics).read().decode()
        assert re.search(r"(?m)^novablend_backup_age_seconds \d+\.0$", text)
    # The newest one can be used.
    with running_backend_with_metrics(backups / kept[-1]) as (url, _):
        assert urllib.request.urlopen(f"{url}/salons").status == 200


# Creates a database on the PostgreSQL server of the tests, and runs a backend with it.
WITH_POSTGRES = """
host=$NOVABLEND_POSTGRES/main
"$NOVABLEND_POSTGRES/bin/createdb" --host "$host" --username novablend salons
exec "$@" --database "postgresql:///salons?host=$host&user=novablend"
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def trace(request, tmp_path, booking):
    """The system calls of a backend that starts with the options of the unit, books, and stops."""
    trace = tmp_path / "trace"
    words = ["strace", "-f", "-o", trace, *command(tmp_path)]
    if request.param == "postgresql":
        if not Path("/usr/lib/postgresql").exists():
            pytest.skip("PostgreSQL is not installed")
        words = [SCRIPTS / "with-postgres.sh", "sh", "-euc", WITH_POSTGRES, "sh", *words]
    path = tmp_path / "notify"
    with reports(path) as received, running(words, path):
        url, metrics = [part.split()[-1] for part in received.next()["STATUS"].split(", ")]
        request = urllib.request.Request(
            f"{url}/appointments",
            json.dumps(booking).encode(),
            {"Content-Type": "application/json"},
        )
        assert urllib.request.urlopen(request).status == 201
        for page in [f"{url}/salons", f"{url}/health/ready", metrics]:
            assert urllib.request.urlopen(page).status == 200
    return trace.read_text()


def filtered(names):
    """The system calls with these names. A name such as @system-service stands for a group of system calls."""
    calls = set()
    for name in names:
        if not name.startswith("@"):
            calls.add(name)
            continue
        result = analyze("syscall-filter", name)
        assert result.returncode == 0, result.stdout
        members = [line.strip() for line in result.stdout.split("\n")[1:]]
        calls |= filtered(member for member in members if member and not member.startswith("#"))
    return calls


def test_the_sandbox_permits_what_the_backend_does(trace):
    calls = set(re.findall(r"(?m)^\d+ +(\w+)\(", trace))
    assert {"execve", "accept4", "sendto"} <= calls
    if os.geteuid() == 0:
        # SQLite gives its files to the owner of the database, but only as root.
        calls.discard("fchown")
    values = settings("SystemCallFilter")
    permitted = filtered(v for v in values if not v.startswith("~"))
    permitted -= filtered(v[1:] for v in values if v.startswith("~"))
    assert calls <= permitted
    families = set(re.findall(r" socket\((AF_\w+)", trace))
    assert "AF_UNIX" in families and families <= set(settings("RestrictAddressFamilies")[0].split())
    # MemoryDenyWriteExecute forbids memory that can be written and executed, at once or in turn.
    assert "PROT_WRITE|PROT_EXEC" not in trace
    assert not re.search(r" mprotect\(.*PROT_EXEC", trace)
