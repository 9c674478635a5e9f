"""Fixtures: each test has its own backend, a server command, and an HTTP server that can stall."""

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from backend import running_backend
from environment import BINARIES, SALON
from stalling_server import StallingServer


@dataclass
class Server:
    """The command of a server, and the trace file where it records all messages."""

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

    def command_with_exit_code(self, file: Path) -> list[str]:
        """The command in a shell that writes the exit code to a file."""
        return ["sh", "-c", '"$@"; echo $? >"$0"', str(file), *self.command]


@pytest.fixture
def backend(tmp_path):
    """The URL of a running backend without appointments."""
    with running_backend(tmp_path / "backend.sqlite") as url:
        yield url


@pytest.fixture
def stalling_server(backend):
    stalling_server = StallingServer(backend)
    yield stalling_server
    stalling_server.stop()


@pytest.fixture(scope="session")
def traces():
    """The trace files of all tests so far."""
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
            *("--trace", str(trace), "--tools", "all"),
        ],
        trace,
    )


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def booking():
    """Parameters for an appointment tomorrow at noon, when the salon is open."""
    noon = datetime.now(UTC).replace(hour=12) + timedelta(days=1)
    return {
        "salonId": SALON,
        "appointmentTime": noon.strftime("%Y-%m-%dT%H:00:00+0000"),
        "phone": "+49 30 1234567",
    }


@pytest.fixture(scope="session")
def official():
    """The official MCP schemas."""
    # Not all environments have the packages that this module needs.
    import schemas

    folder = Path(os.environ.get("NOVABLEND_FIXTURES") or "/nowhere") / "mcp-schema"
    if not folder.is_dir():
        pytest.skip("NOVABLEND_FIXTURES does not name a folder with mcp-schema")
    return schemas.load(folder)
