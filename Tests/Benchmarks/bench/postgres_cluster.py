"""A cluster of PostgreSQL, whose databases are filled once."""

import atexit
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from .programs import Programs

# Autovacuum would run during some measurements and not during others. Commits wait for the disk.
SETTINGS = """
listen_addresses = ''
max_connections = 50
shared_buffers = 1GB
max_wal_size = 4GB
autovacuum = off
"""
TIMEOUT = 1_800


class Cluster:
    """Starts when it is needed first, and stops when this process exits. It belongs to a user other
    than root, because PostgreSQL rejects root."""

    def __init__(self, programs: Programs):
        self._directory = programs.built / "postgres"
        self._programs = programs
        self._socket: str | None = None

    def url(self, database: str) -> str:
        self._start()
        return f"postgresql:///{database}?host={self._socket}&user=novablend"

    def run(self, database: str, *statements: str) -> str:
        """Runs statements on one connection, and returns the rows."""
        words = [word for statement in statements for word in ("--command", statement)]
        options = ["--no-psqlrc", "--quiet", "--tuples-only", "--set", "ON_ERROR_STOP=1"]
        command = [self._program("psql"), *options, "--dbname", self.url(database), *words]
        return execute(*command)

    def filled(self, name: str, salons: list[dict], fill: Callable[[str], None]) -> str:
        """The name of a database with these salons. `fill` adds the rest, once."""
        if self._exists(name):
            return name
        unfinished = f"{name}_unfinished"
        self.run("postgres", f"DROP DATABASE IF EXISTS {unfinished}")
        self.run("postgres", f"CREATE DATABASE {unfinished}")
        file = self._programs.scratch / f"{name}.json"
        file.write_text(json.dumps({"salons": salons}))
        self._programs.import_salons(file, self.url(unfinished))
        fill(unfinished)
        self.run("postgres", f"ALTER DATABASE {unfinished} RENAME TO {name}")
        return name

    @contextmanager
    def copy(self, database: str):
        """A database with the same contents that exists for one measurement."""
        name = f"{database}_copy"
        self.run("postgres", f"DROP DATABASE IF EXISTS {name}")
        self.run("postgres", f"CREATE DATABASE {name} TEMPLATE {database}")
        yield name
        self.run("postgres", f"DROP DATABASE {name}")

    def pgbench(self, database: str, script: Path, connections: int, seconds: int) -> float:
        """Transactions per second."""
        output = execute(
            *(self._program("pgbench"), "--no-vacuum", "--protocol", "prepared"),
            *("--define", "i=0", "--file", script, "--time", seconds),
            *("--client", connections, "--jobs", 2, self.url(database)),
        )
        line = next(line for line in output.splitlines() if line.startswith("tps = "))
        return float(line.split()[2])

    def _exists(self, database: str) -> bool:
        query = f"SELECT 1 FROM pg_database WHERE datname = '{database}'"
        return bool(self.run("postgres", query).strip())

    def _start(self):
        if self._socket:
            return
        if not (self._directory / "postgresql.conf").exists():
            self._create()
        self._socket = tempfile.mkdtemp(prefix="novablend-bench-")
        give_to_owner(self._socket)
        # A server of an earlier run may still be there, if that was killed.
        self._control("stop", "--mode", "immediate", check=False)
        log = self._directory / "log"
        self._control("start", "--log", log, "--options", f"-k {self._socket}", "--wait")
        atexit.register(self._stop)

    def _create(self):
        shutil.rmtree(self._directory, ignore_errors=True)
        self._directory.mkdir(mode=0o700)
        give_to_owner(self._directory)
        options = ("--username", "novablend", "--auth", "trust", "--encoding", "UTF8")
        command = [self._program("initdb"), "--pgdata", self._directory, *options, "--no-locale"]
        execute(*as_owner(*command))
        with (self._directory / "postgresql.conf").open("a") as file:
            file.write(SETTINGS)

    def _stop(self):
        self._control("stop", "--mode", "fast")
        shutil.rmtree(self._socket)

    def _control(self, *words, check: bool = True):
        command = [self._program("pg_ctl"), *words, "--pgdata", self._directory, "--silent"]
        execute(*as_owner(*command), check=check)

    def _program(self, name: str) -> Path:
        versions = Path("/usr/lib/postgresql").glob(f"*/bin/{name}")
        return max(versions, key=lambda path: int(path.parts[-3]))


def execute(*command, check: bool = True) -> str:
    # A server that the command starts inherits its output. A pipe would not end before that server does.
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.run(
            [str(word) for word in command],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT,
        )
        output.seek(0)
        text = output.read()
    if check and process.returncode != 0:
        raise RuntimeError(f"{command[0]}: {text.strip()[-600:]}")
    return text


def as_owner(*command) -> list:
    if os.geteuid() != 0:
        return list(command)
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]


def give_to_owner(directory: str | Path):
    if os.geteuid() == 0:
        shutil.chown(directory, "postgres", "postgres")
