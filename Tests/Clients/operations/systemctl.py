#!/usr/bin/python3
"""`systemctl enable --now`, `start`, `stop`, and `restart` where systemd does not run. Timers never elapse.

It also answers what the scripts of Debian packages ask."""

import os
import re
import select
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

DIRECTORIES = [
    "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"
]
DEADLINE = 60


def unit(name):
    for directory in DIRECTORIES:
        file = Path(directory, f"{name}.service")
        if file.exists():
            return file.read_text().replace("\\\n", " ")
    sys.exit(f"Unit {name}.service not found")


def values(text, setting):
    return re.findall(f"(?m)^{setting}=(.*)$", text)


def run(name, text):
    """Runs the command of a unit that ends."""
    for directory in " ".join(values(text, "StateDirectory")).split():
        Path("/var/lib", directory).mkdir(mode=0o700, exist_ok=True)
    (line,) = values(text, "ExecStart")
    code = subprocess.run(shlex.split(line), stdin=subprocess.DEVNULL).returncode
    if code:
        sys.exit(f"{name} has failed with the code {code}")


def start(name):
    text = unit(name)
    if values(text, "Type") == ["oneshot"]:
        return run(name, text)
    assert values(text, "Type") == ["notify"] and values(text, "WantedBy"), text
    variables = dict(v.split("=", 1) for line in values(text, "Environment") for v in shlex.split(line))
    (line,) = values(text, "ExecStart")
    words = []
    for word in shlex.split(line):
        words += shlex.split(variables[word[1:]]) if word.startswith("$") else [word]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as reports:
        reports.settimeout(DEADLINE)
        path = f"/run/{name}.notify"
        Path(path).unlink(missing_ok=True)
        reports.bind(path)
        with open(f"/var/log/{name}.log", "a") as log:
            process = subprocess.Popen(
                words,
                env=os.environ | variables | {"NOTIFY_SOCKET": path},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        Path(f"/run/{name}.started").write_text(str(process.pid))
        while "READY=1" not in reports.recv(65536).decode().split("\n"):
            pass


def stop(name):
    file = Path(f"/run/{name}.started")
    if not file.exists():
        return
    process = int(file.read_text())
    file.unlink()
    # Unlike /proc, the descriptor stays valid when the process ends.
    descriptor = os.pidfd_open(process)
    signal.pidfd_send_signal(descriptor, signal.SIGTERM)
    ended, _, _ = select.select([descriptor], [], [], DEADLINE)
    assert ended, f"{name} did not stop"
    os.close(descriptor)


command, *names = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
for name in [name.removesuffix(".service") for name in names]:
    if name.endswith(".timer"):
        assert any(Path(directory, name).exists() for directory in DIRECTORIES), f"{name} not found"
    elif command == "preset":
        pass
    elif command == "enable" and "--now" in sys.argv:
        start(name)
    elif command == "is-enabled":
        print("enabled")
    elif command == "is-active":
        sys.exit(0 if Path(f"/run/{name}.started").exists() else 3)
    elif command in ("start", "stop", "restart"):
        if command != "start":
            stop(name)
        if command != "stop":
            start(name)
    else:
        sys.exit(f"systemctl {command} is not supported")
