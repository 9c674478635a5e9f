"""Runs `novablend-backend`."""

import select
import subprocess
from contextlib import contextmanager

from environment import BINARIES, DEADLINE


@contextmanager
def running_backend(database, *options, port=0):
    """The URL of a backend that stores appointments in a file. Port 0 is any free port."""
    process = subprocess.Popen(
        [
            BINARIES / "novablend-backend",
            *("--port", str(port), "--database", database, "--exit-with-input", *options),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert select.select([process.stdout], [], [], DEADLINE)[0], "the backend printed nothing"
        line = process.stdout.readline()
        assert line, "the backend did not start"
        yield line.split()[-1]
    finally:
        process.stdin.close()
        process.wait(DEADLINE)
        process.stdout.close()
