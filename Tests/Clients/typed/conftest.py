"""Fixtures: each test runs with the Python client and with the TypeScript client."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest

from environment import BINARIES, DEADLINE
from relay import Relay

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CLIENTS = ROOT / "Tools" / "clients"
PYTHON = os.environ | {"PYTHONPATH": str(CLIENTS / "python")}
TSC = [
    "tsc", "--strict", "--noUnusedLocals", "--target", "ES2022", "--module", "ES2022",
    "--moduleResolution", "node", "--types", "node", "--typeRoots", "/usr/share/nodejs/@types",
    # The types of Node.js in Debian 12 refer to a package that it does not have.
    "--skipLibCheck",
]


class Driver:
    """A process that makes calls with a client: driver.py or driver.ts."""

    def __init__(self, command, environment):
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._deadline = threading.Timer(2 * DEADLINE, self._process.kill)
        self._deadline.start()
        self._count = 0
        self._messages = []

    def call(self, method, **params):
        return self.outcome(self.start(method, **params))

    def result(self, method, **params):
        outcome = self.call(method, **params)
        assert "result" in outcome, outcome
        return outcome["result"]

    def error(self, method, **params):
        return self.call(method, **params)["error"]

    def start(self, method, **params):
        """Starts a call, and returns its number."""
        self._count += 1
        self._write(id=self._count, method=method, params=params)
        return self._count

    def cancel(self, number):
        self._write(cancelled=number)

    def outcome(self, number):
        return self._next(lambda message: message.get("id") == number)

    def change(self):
        return self._next(lambda message: "change" in message)["change"]

    def kill_program(self, number=signal.SIGKILL):
        """Sends a signal to the program."""
        kill_child(self._process, number)

    def close(self):
        self._process.stdin.close()
        self._process.wait(DEADLINE)
        self._process.stdout.close()
        self._deadline.cancel()

    def _write(self, **message):
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _next(self, matches):
        while not (found := [message for message in self._messages if matches(message)]):
            line = self._process.stdout.readline()
            assert line, "the driver has ended"
            self._messages.append(snake_case(json.loads(line)))
        self._messages.remove(found[0])
        return found[0]


def kill_child(process, number=signal.SIGKILL):
    """Sends a signal to the only child of a process."""
    (child,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(child), number)


def snake_case(value):
    """A message with the names of the Python client."""
    if isinstance(value, list):
        return [snake_case(element) for element in value]
    if isinstance(value, dict):
        return {re.sub("(?=[A-Z])", "_", key).lower(): snake_case(value[key]) for key in value}
    return value


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """A folder with the TypeScript client and the programs that use it, as JavaScript."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "package.json").write_text('{"type": "module"}')
    shutil.copy(CLIENTS / "typescript" / "novablend.ts", folder)
    shutil.copy(HERE / "driver.ts", folder)
    (folder / "book.ts").write_text(example("typescript"))
    # tsc writes JavaScript although there are errors; test_types.py reports them.
    run = subprocess.run([*TSC, "driver.ts", "book.ts"], cwd=folder, capture_output=True, text=True)
    assert (folder / "driver.js").exists(), run.stdout + run.stderr
    return folder


def example(language):
    """The program in the README of a client."""
    text = (CLIENTS / language / "README.md").read_text()
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return block


@pytest.fixture(params=["python", "typescript"])
def language(request):
    return request.param


@pytest.fixture
def command(language, compiled):
    """The beginning of the command of a driver."""
    if language == "python":
        return [sys.executable, str(HERE / "driver.py")]
    return ["node", str(compiled / "driver.js")]


@pytest.fixture
def relay(backend):
    relay = Relay(backend)
    yield relay
    relay.stop()


@pytest.fixture
def connect(command, tmp_path):
    """Starts a driver with arguments of `novablend serve`. All of them share one state directory."""
    directories = ["--cache-dir", tmp_path / "cache", "--state-dir", tmp_path / "state"]
    with ExitStack() as stack:

        def connect(*arguments, program=BINARIES / "novablend"):
            driver = Driver([*command, program, *map(str, [*arguments, *directories])], PYTHON)
            stack.callback(driver.close)
            return driver

        yield connect


@pytest.fixture
def stored(backend):
    """The appointments of the backend."""

    def stored():
        with urllib.request.urlopen(f"{backend}/appointments") as response:
            return json.loads(response.read())["appointments"]

    return stored
