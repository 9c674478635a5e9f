"""Runs `novablend-backend`."""

import os
import select
import subprocess
from contextlib import contextmanager

from environment import BINARIES, DEADLINE


class _Lines:
    """Lines of a pipe, each of which must arrive in time."""

    def __init__(self, pipe):
        self._pipe = pipe
        self._bytes = b""

    def next(self):
        while b"\n" not in self._bytes:
            assert select.select([self._pipe], [], [], DEADLINE)[0], "the backend printed nothing"
            part = os.read(self._pipe.fileno(), 4096)
            assert part, "the backend did not start"
            self._bytes += part
        line, self._bytes = self._bytes.split(b"\n", 1)
        return line.decode()


@contextmanager
def running_backend(database, *options, port=0, errors=None):
    """The URL of a backend that stores appointments in a file. Port 0 is any free port. Its standard
    error is `errors`, or that of this process."""
    with _backend_lines(database, *options, port=port, errors=errors) as line:
        yield line().split()[-1]


@contextmanager
def running_backend_with_metrics(database):
    """The URLs of a backend and of its metrics."""
    with _backend_lines(database, "--metrics", "127.0.0.1:0") as line:
        yield [line().split()[-1] for _ in range(2)]


@contextmanager
def _backend_lines(database, *options, port=0, errors=None):
    """A function that returns the next line of the output of a backend."""
    process = subprocess.Popen(
        [
            BINARIES / "novablend-backend",
            *("--port", str(port), "--database", database, "--exit-with-input", *options),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
    )
    lines = _Lines(process.stdout)
    try:
        yield lines.next
    finally:
        process.stdin.close()
        process.wait(DEADLINE)
        process.stdout.close()
