"""A machine for the commands of docs/Operating.md: a copy of this one, which is thrown away.

Its files are copied when they are written, its network has only loopback addresses, and its processes
end with it. systemd does not run there: `systemctl` is a script that starts the command of a unit, without
its sandbox, and waits until the service reports that it is ready. `swift` does not compile: it copies the
programs that are tested. `apt-get` only checks that the packages are installed."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from environment import BINARIES, DEADLINE

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
DOCUMENT = ROOT / "docs/Operating.md"
# What the commands change. Everything else is shared with this machine.
COPIED = ["etc", "root", "run", "usr", "var"]

APT_GET = """#!/bin/sh
exec /usr/bin/apt-get --simulate --no-upgrade "$@"
"""
SUDO = """#!/bin/sh
if [ "$1" = -u ]; then
    user=$2
    shift 2
    set -- setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups "$@"
fi
exec "$@"
"""
SWIFT = """#!/bin/bash
# Called as: swift build --package-path Tools/NAME --scratch-path DIRECTORY ... --product NAME
product=${*: -1}
while [ "$1" != --scratch-path ]; do shift; done
mkdir -p "$2/release" && cp "$BINARIES/$product" "$2/release/"
"""


class Machine:
    """Runs commands on the machine, in a checkout of the repository."""

    def __init__(self, directory):
        self.checkout = directory / "checkout"
        for name in ["Makefile", "VERSION", "Tools/Scripts", "Tools/novablend-backend"]:
            copy(ROOT / name, self.checkout / name)
        programs = directory / "programs"
        programs.mkdir()
        for name, text in [("apt-get", APT_GET), ("sudo", SUDO), ("swift", SWIFT)]:
            (programs / name).write_text(text)
        shutil.copy(HERE / "systemctl.py", programs / "systemctl")
        for file in programs.iterdir():
            file.chmod(0o755)
        self._environment = os.environ | {
            "PATH": f"{programs}:/usr/local/bin:{os.environ['PATH']}:/usr/sbin",
            "BINARIES": str(BINARIES),
        }
        layers = directory / "layers"
        layers.mkdir()
        unshare = "unshare --mount --net --pid --fork --kill-child --mount-proc sh -euc"
        self._holder = subprocess.Popen(
            [*unshare.split(), SETUP, "sh", str(layers), *COPIED],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._holder.stdout.readline() == b"ready\n", "the machine did not start"
        children = Path(f"/proc/{self._holder.pid}/task/{self._holder.pid}/children").read_text()
        process = children.split()[0]
        # The path at which this process finds the files of the machine.
        self.root = Path(f"/proc/{process}/root")
        self._enter = ["nsenter", f"--target={process}", "--mount", "--net", "--pid"]

    def run(self, command):
        """The exit code, the output, and the errors of a command of a shell."""
        return subprocess.run(
            [*self._enter, f"--wdns={self.checkout}", "bash", "-o", "pipefail", "-c", command],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=4 * DEADLINE,
        )

    def output(self, command):
        """The output of a command that must succeed."""
        result = self.run(command)
        assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
        return result.stdout

    def stop(self):
        """Kills all processes of the machine."""
        self._holder.stdin.close()
        self._holder.stdout.close()
        self._holder.wait(DEADLINE)


# 10.1.2.3 is an address from which a client connects that is not on loopback.
SETUP = """
layers=$1; shift
mount -t tmpfs tmpfs "$layers"
for directory; do
    mkdir "$layers/$directory" "$layers/$directory.work"
    mount -t overlay overlay "/$directory" \\
        -o "lowerdir=/$directory,upperdir=$layers/$directory,workdir=$layers/$directory.work"
done
ip link set lo up
ip address add 10.1.2.3/32 dev lo
rm -rf /etc/novablend /var/lib/novablend
mkdir -p /run/haproxy
echo ready
cat
"""


def blocks(section, language):
    """The blocks of a section of the document."""
    text = re.search(rf"(?ms)^## {re.escape(section)}\n(.*?)(?=^## |\Z)", DOCUMENT.read_text())[1]
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", text)


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("Sources", "Tests", ".build"))
    else:
        shutil.copy(source, target)


def is_possible():
    """Whether this process may create such a machine."""
    test = ["unshare", "--mount", "--net", "--pid", "--fork", "ip", "link", "set", "lo", "up"]
    return os.geteuid() == 0 and subprocess.run(test, capture_output=True).returncode == 0
