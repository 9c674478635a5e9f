"""A backend and a server's command line of each test's own, and a server that can stall."""

import json
import os
import select
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from stalling_server import StallingServer

BINARIES = Path(os.environ.get("NOVABLEND_BIN") or Path(__file__).parents[2] / "bin").absolute()
SALON = "5a100000-0000-4000-8000-000000000001"

# How long an event that must come may take.
DEADLINE = 30


@dataclass
class Server:
    """How to start a server, and where it mirrors what it received and sent."""

    command: list[str]
    trace: Path

    def sent(self) -> list[dict]:
        return self._messages("<--")

    def received(self) -> list[dict]:
        return self._messages("-->")

    def _messages(self, direction: str) -> list[dict]:
        lines = [line.split(" ", 2) for line in self.trace.read_text().split("\n") if line]
        messages = [json.loads(text) for _, arrow, text in lines if arrow == direction]
        return [message for message in messages if isinstance(message, dict)]

    def leaving(self, file: Path) -> list[str]:
        """The command, in a shell that writes its exit code into a file."""
        return ["sh", "-c", '"$@"; echo $? >"$0"', str(file), *self.command]


@pytest.fixture
def backend(tmp_path):
    """The address of a running backend with nothing booked yet."""
    process = subprocess.Popen(
        [
            BINARIES / "novablend-backend",
            *("--port", "0", "--database", tmp_path / "backend.sqlite", "--exit-with-input"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert select.select([process.stdout], [], [], DEADLINE)[0], "the backend said nothing"
        line = process.stdout.readline()
        assert line, "the backend did not start"
        yield line.split()[-1]
    finally:
        process.stdin.close()
        process.wait(DEADLINE)
        process.stdout.close()


@pytest.fixture
def stalling_server(backend):
    stalling_server = StallingServer(backend)
    yield stalling_server
    stalling_server.stop()


@pytest.fixture(scope="session")
def traces():
    """Where the servers of all tests so far mirrored what was said."""
    return []


@pytest.fixture
def server(backend, stalling_server, tmp_path, traces):
    trace = tmp_path / "trace"
    traces.append(trace)
    return Server(
        [
            str(BINARIES / "novablend"),
            "serve",
            *("--base-url", backend, "--salons-url", stalling_server.url),
            *("--cache-dir", str(tmp_path / "cache"), "--state-dir", str(tmp_path / "state")),
            *("--trace", str(trace)),
        ],
        trace,
    )


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def booking():
    """What books an appointment: tomorrow at noon, when the salon is open."""
    noon = datetime.now(UTC).replace(hour=12) + timedelta(days=1)
    return {
        "salonId": SALON,
        "appointmentTime": noon.strftime("%Y-%m-%dT%H:00:00+0000"),
        "phone": "+49 30 1234567",
    }


@pytest.fixture(scope="session")
def official():
    """The official schemas of MCP."""
    # The other environments of clients do not have what this imports.
    import schemas

    folder = Path(os.environ.get("NOVABLEND_FIXTURES") or "/nowhere") / "mcp-schema"
    if not folder.is_dir():
        pytest.skip("NOVABLEND_FIXTURES names no folder with mcp-schema")
    return schemas.load(folder)
