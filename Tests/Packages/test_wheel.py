import base64
import csv
import hashlib
import importlib.metadata
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import services
import sessions
from packaging.requirements import Requirement

RELEASES = ["bookworm", "trixie"]


@pytest.fixture
def wheel(dist):
    [wheel] = dist.glob("*.whl")
    return wheel


@pytest.fixture
def copied(served, wheel):
    """Returns a function that copies the wheel to a root of a release, and returns both."""

    def copy(release):
        root = served(release)
        root.copy(wheel, f"/opt/{wheel.name}")
        return root, f"/opt/{wheel.name}"

    return copy


def test_the_record_names_every_file_with_its_digest(wheel):
    with zipfile.ZipFile(wheel) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    [record] = [name for name in contents if name.endswith(".dist-info/RECORD")]
    rows = {name: (digest, size) for name, digest, size in csv.reader(contents[record].decode().splitlines())}
    assert rows.pop(record) == ("", "")
    assert rows == {
        name: (f"sha256={encoded(content)}", str(len(content))) for name, content in contents.items() if name != record
    }


def encoded(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def test_what_it_does_not_contain_is_permitted_by_its_tag(wheel, tmp_path):
    # auditwheel does not know where installers put data, so it gets a wheel in which the files are at those places.
    installed = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(installed, "w") as target:
        rows = []
        for entry in source.infolist():
            name = re.sub("^[^/]*[.]data/data/", "novablend/", entry.filename)
            name = re.sub("^[^/]*[.]data/scripts/", "novablend/bin/", name)
            if not name.endswith("/RECORD"):
                content = source.read(entry)
                target.writestr(name, content)
                rows.append(f"{name},sha256={encoded(content)},{len(content)}\n")
            else:
                record = name
        target.writestr(record, "".join([*rows, f"{record},,\n"]))
    command = [sys.executable, "-m", "auditwheel", "show", installed]
    verdict = " ".join(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())
    assert 'consistent with the following platform tag: "manylinux_2_36_x86_64"' in verdict


# The client finds the program of its environment.
CLIENT = """
import asyncio
from novablend.client import NovaBlend

async def main():
    async with NovaBlend("--sandbox") as client:
        print(len((await client.salons_list()).salons))

asyncio.run(main())
"""


@pytest.mark.parametrize("release", RELEASES)
def test_programs_that_pip_installs_book_over_https_in_postgresql(copied, release):
    root, wheel = copied(release)
    root.output("python3", "-m", "venv", "/opt/pip")
    root.output("/opt/pip/bin/pip", "install", "--quiet", "--no-index", wheel)
    assert (root.path / "opt/pip/lib/novablend/installation").read_text() == "wheel\n"
    # No launcher of Python starts the programs.
    assert (root.path / "opt/pip/bin/novablend").read_bytes().startswith(b"\x7fELF")
    with sessions.serving(root, "/opt/pip/bin/novablend-backend", "serve", "--database", services.DATABASE):
        sessions.book(root, "/opt/pip/bin/novablend", "--cache-dir=/tmp/pip", "--state-dir=/tmp/pip")
    sessions.sandbox(root, "/opt/pip/bin/novablend")
    assert root.output("/opt/pip/bin/python", "-c", CLIENT) == "6\n"


@pytest.mark.parametrize("release", RELEASES)
def test_uvx_runs_the_sandbox(copied, release):
    root, wheel = copied(release)
    programs = Path(sys.executable).parent
    for name in ["uv", "uvx"]:
        root.copy(programs / name, f"/opt/uv/{name}")
    sessions.sandbox(root, "/opt/uv/uvx", "--quiet", "--offline", "--no-python-downloads", "--from", wheel, "novablend")


@pytest.mark.parametrize("release", RELEASES)
def test_pipx_runs_the_sandbox(copied, release, tmp_path):
    root, wheel = copied(release)
    # pipx installs packages with the latest pip.
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "pip"], cwd=tmp_path, check=True)
    root.copy(tmp_path, "/opt/index")
    for name in required("pipx"):
        distribution = importlib.metadata.distribution(name)
        for file in distribution.files:
            if not file.is_absolute() and file.parts[0] != ".." and "__pycache__" not in file.parts:
                root.copy(Path(distribution.locate_file(file)), f"/opt/pipx/{file}")
    variables = {"PYTHONPATH": "/opt/pipx", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/opt/index"}
    command = ["python3", "-m", "pipx", "run", "--spec", wheel, "novablend"]
    sessions.sandbox(root, *command, environment=variables)


def required(name):
    """The names of a package and of all packages that it needs."""
    names = [name]
    for found in names:
        for line in importlib.metadata.requires(found) or []:
            requirement = Requirement(line)
            needed = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if needed and requirement.name not in names:
                names.append(requirement.name)
    return names


def test_a_full_disk_leaves_the_earlier_version_as_it_was(copied):
    root, wheel = copied("bookworm")
    root.output("mkdir", "/srv/wheel")
    root.output("mount", "-t", "tmpfs", "-o", "size=90M", "tmpfs", "/srv/wheel")
    root.output("python3", "-m", "venv", "/srv/wheel/venv")
    command = ["/srv/wheel/venv/bin/pip", "install", "--quiet", "--no-index", "--force-reinstall", wheel]
    root.output(*command)
    root.output("sh", "-ec", "mkdir /srv/wheel/tmp; head -c 20M /dev/zero > /srv/wheel/other")
    result = root.run(*command, environment={"TMPDIR": "/srv/wheel/tmp"})
    assert result.returncode != 0
    assert "No space left on device" in result.stderr
    sessions.sandbox(root, "/srv/wheel/venv/bin/novablend")
