"""Fixtures: a proxy in front of a relay in front of a backend, and clients of the proxy."""

import json
import subprocess
import urllib.request
from contextlib import ExitStack
from itertools import count

import pytest

from environment import BINARIES, DEADLINE
from lines import Client
from proxy import KINDS, Proxy
from relay import Relay

# faketime names a semaphore after its process, and fails if an earlier process with the same id was
# killed and left its semaphore. Timers wait on the monotonic clock, which must not be faked.
CLOCK_AHEAD = [
    "sh",
    "-c",
    "rm -f /dev/shm/sem.faketime_sem_$$ /dev/shm/faketime_shm_$$; "
    'FAKETIME_DONT_FAKE_MONOTONIC=1 exec faketime -f +10m "$@"',
    "faketime",
]


@pytest.fixture
def relay(backend):
    relay = Relay(backend)
    yield relay
    relay.stop()


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def start(kind, tmp_path):
    """Starts a proxy of this kind."""
    with ExitStack() as stack:
        numbers = count()

        def start(backend, *features, **options):
            directory = tmp_path / f"{kind}{next(numbers)}"
            proxy = Proxy(kind, backend, directory, *features, **options)
            stack.callback(proxy.kill)
            return proxy

        yield start


def options(url, directory):
    """The options of a client of a server. Clients with the same directory share their state."""
    directories = ("--cache-dir", directory / "cache", "--state-dir", directory / "state")
    return ["--base-url", url, *map(str, directories)]


@pytest.fixture
def connect(tmp_path):
    """Starts `novablend serve`."""
    with ExitStack() as stack:

        def connect(url, *others, name="client"):
            command = [str(BINARIES / "novablend"), "serve", *options(url, tmp_path / name)]
            return stack.enter_context(Client([*command, *others]))

        yield connect


@pytest.fixture
def run(tmp_path):
    """Runs a command of `novablend`, and returns its result."""

    def run(url, *arguments, after=()):
        command = [BINARIES / "novablend", *arguments, "--json", *options(url, tmp_path / "client")]
        result = subprocess.run(
            [*after, *command], capture_output=True, text=True, timeout=DEADLINE
        )
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)

    return run


@pytest.fixture
def outcomes(run):
    """Resolves what is in doubt, and returns the outcomes by key.

    `is_later` sets the clock to a time after the grace period."""

    def outcomes(url, is_later=False):
        result = run(url, "resolve", after=CLOCK_AHEAD if is_later else ())
        return {r["idempotencyKey"]: r["outcome"] for r in result["resolutions"]}

    return outcomes


@pytest.fixture
def stored(backend):
    """Returns the appointments that the backend stores, without a proxy or relay."""

    def stored():
        with urllib.request.urlopen(f"{backend}/appointments") as response:
            return json.load(response)["appointments"]

    return stored
