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
from service import INSTALLED, UNIT, command, reports, running, settings

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
def unit(tmp_path):
    """The unit, with the program that is tested. The manual page need not be installed."""
    text = UNIT.read_text().replace(INSTALLED, str(BINARIES / "novablend-backend"))
    file = tmp_path / UNIT.name
    file.write_text(re.sub("(?m)^Documentation=.*\n", "", text))
    return file


def test_the_unit_is_valid(unit):
    result = analyze("verify", str(unit))
    assert (result.returncode, result.stdout) == (0, "")


def test_the_service_is_exposed_to_little(unit):
    limit = f"--threshold={MAXIMUM_EXPOSURE}"
    result = analyze("security", "--offline=yes", limit, str(unit))
    assert result.returncode == 0, result.stdout


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
