"""Runs the backend as systemd runs it: with the unit's options, and with a socket for its reports."""

import os
import re
import shlex
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path

from environment import BINARIES, DEADLINE

SOURCES = Path(__file__).parents[3] / "Tools/novablend-backend"
UNIT = SOURCES / "systemd/novablend-backend.service"
BACKUP = SOURCES / "systemd/novablend-backup.service"
TIMER = SOURCES / "systemd/novablend-backup.timer"
CONFIGURATION = SOURCES / "systemd/backend.conf"
INSTALLED = "/usr/local/bin/novablend-backend"


def settings(name, unit=UNIT):
    """The values of a setting of a unit."""
    text = unit.read_text().replace("\\\n", " ")
    return re.findall(f"(?m)^{name}=(.*)$", text)


def command(directory):
    """The command of the unit, with files in a directory and with free ports."""
    text = CONFIGURATION.read_text()
    for old, new in [
        ("/var/lib/novablend/backend.sqlite", str(directory / "db.sqlite")),
        ("port = 8080", "port = 0"),
        ("127.0.0.1:9464", "127.0.0.1:0"),
        ("shutdown-delay = 5", "shutdown-delay = 0"),
    ]:
        assert old in text
        text = text.replace(old, new)
    file = directory / "backend.conf"
    file.write_text(text)
    (line,) = settings("ExecStart")
    program, *options = shlex.split(line)
    assert program == INSTALLED and "/etc/novablend/backend.conf" in options
    options = [str(file) if o == "/etc/novablend/backend.conf" else o for o in options]
    return [BINARIES / "novablend-backend", *options]


def backup_command(directory, database):
    """The command of the unit that makes backups, with files in a directory."""
    (line,) = settings("ExecStart", BACKUP)
    program, *options = shlex.split(line)
    assert program == INSTALLED and "/etc/novablend/backend.conf" in options
    file = directory / "backup.conf"
    file.write_text(f"database = {database}\n")
    paths = {
        "/etc/novablend/backend.conf": str(file),
        "/var/lib/novablend-backups": str(directory / "backups"),
    }
    assert set(paths) <= set(options)
    return [BINARIES / "novablend-backend", *(paths.get(option, option) for option in options)]


class Reports:
    """What a process reports to its service manager."""

    def __init__(self, path):
        path = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.settimeout(DEADLINE)
        self._socket.bind(path.replace("@", "\0", 1) if path.startswith("@") else path)

    def next(self):
        """The variables of the next report."""
        lines = self._socket.recv(65536).decode().split("\n")
        return dict(line.split("=", 1) for line in lines)

    def is_empty(self):
        self._socket.setblocking(False)
        try:
            return not self._socket.recv(1)
        except BlockingIOError:
            return True

    def close(self):
        self._socket.close()


@contextmanager
def reports(path):
    reports = Reports(path)
    try:
        yield reports
    finally:
        reports.close()


@contextmanager
def running(words, socket_path):
    """A backend that reports to a socket. It ends with its input, and must then exit with 0."""
    process = subprocess.Popen(
        [*words, "--exit-with-input"],
        env=os.environ | {"NOTIFY_SOCKET": str(socket_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.stdin.close()
        assert process.wait(DEADLINE) == 0
