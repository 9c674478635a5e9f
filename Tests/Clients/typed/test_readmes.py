"""The programs in the READMEs of the clients work."""

import os
import re
import subprocess
import sys

import pytest

from conftest import PYTHON, example, kill_child
from environment import BINARIES, DEADLINE
from relay import Fault


@pytest.fixture
def start(language, compiled, tmp_path):
    """Starts the program with a server."""
    processes = []

    def start(url):
        program = tmp_path / {"python": "book.py", "typescript": "book.mjs"}[language]
        text = (compiled / "book.js").read_text() if language == "typescript" else example(language)
        text = text.replace("./novablend.js", str(compiled / "novablend.js"))
        program.write_text(text.replace("https://salons.example", url))
        homes = {f"XDG_{name}_HOME": str(tmp_path) for name in ["CONFIG", "CACHE", "STATE"]}
        processes.append(subprocess.Popen(
            [sys.executable if language == "python" else "node", program],
            env=PYTHON | homes | {"PATH": f"{BINARIES}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def output(process):
    output, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0, errors
    return output


def test_the_program_lists_salons_and_books(start, backend, stored):
    text = output(start(backend))
    assert "Night Owl Barbers 18:00-02:00" in text
    (appointment,) = stored()
    assert f"Booked: {appointment['appointmentTime'][:16]}" in text


def test_the_program_handles_doubt(start, relay):
    relay.inject(Fault.HOLD_REQUEST, "POST")
    process = start(relay.url)
    assert relay.held.wait(DEADLINE)
    kill_child(process)
    text = output(process)
    assert re.search("In doubt: .* The key is .*", text)
    assert re.search("Resolved: [0-9:T+-]+ inDoubt the server does not show it yet", text)
