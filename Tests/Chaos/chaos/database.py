"""A primary and a standby of PostgreSQL that replicate synchronously."""

import os
import shutil
import signal
from pathlib import Path

from .commands import as_owner, is_running, run, state, wait_until

NAMES = ["a", "b"]
# Both servers have the same settings, so that the commits of a promoted standby wait, too, until
# the other server has been rebuilt and has them. Each server has one of these names as cluster_name.
# pg_basebackup has a different one, so no commit takes a backup in progress for a standby.
SETTINGS = f"""
synchronous_commit = on
synchronous_standby_names = 'ANY 1 ({", ".join(NAMES)})'
wal_retrieve_retry_interval = 500ms
dynamic_shared_memory_type = mmap
"""


class Server:
    """A server in a directory of its own, which also contains its socket."""

    def __init__(self, name: str, parent: Path):
        self.name = name
        self.directory = parent / name
        self._socket_lock = self.directory / ".s.PGSQL.5432.lock"
        self._bin = parent / "bin"
        self._template = parent / "template"
        self.url = f"postgresql:///postgres?host={self.directory}&user=novablend"

    async def create(self, settings: str = SETTINGS):
        """Creates an empty cluster and starts it."""
        await run(*as_owner("cp", "-a", self._template, self.directory))
        with (self.directory / "postgresql.conf").open("a") as file:
            file.write(settings)
        await self.start()

    async def start(self):
        """Starts the server, after a crash too, and waits until it accepts connections."""
        options = f"-k {self.directory} -c cluster_name={self.name}"
        log = self.directory / "log"
        try:
            await self._control("start", "--log", log, "--options", options)
        except RuntimeError as error:
            raise RuntimeError(f"{error}\n{log.read_text()[-2_000:]}") from None

    async def promote(self):
        """Promotes the standby to a primary."""
        await self._control("promote")

    async def rebuild(self, primary: "Server"):
        """Deletes the cluster, and creates it again as a standby."""
        shutil.rmtree(self.directory, ignore_errors=True)
        await run(
            *as_owner(self._bin / "pg_basebackup", "--pgdata", self.directory),
            *("--dbname", primary.url, "--write-recovery-conf", "--checkpoint", "fast"),
            *("--create-slot", "--slot", f"standby_{self.name}"),
        )
        # The backup contains the lock of the primary's socket.
        self._socket_lock.unlink(missing_ok=True)
        await self.start()

    async def kill(self):
        """Kills all processes of the server at once, as the loss of its machine does."""
        lock = self.directory / "postmaster.pid"
        lines = lock.read_text().split("\n")
        main = int(lines[0])
        # A stopped process starts no further processes.
        os.kill(main, signal.SIGSTOP)
        await wait_until(lambda: state(main) == "T", f"the pause of server {self.name}")
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        processes = [main, *map(int, children)]
        for process in processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

        await wait_until(lambda: not any(map(is_running, processes)), f"the end of {self.name}")
        # As long as the parent of the killed server has not noticed its end, a new server would
        # conclude from the lock that the old one still runs.
        lock.unlink()
        self._socket_lock.unlink()
        # The kernel retains a segment of shared memory; its id is the last number of line 7.
        await run(*as_owner("ipcrm", "--shmem-id", lines[6].split()[-1]), check=False)

    async def stop(self):
        """Stops the server if it runs."""
        if (self.directory / "postmaster.pid").exists():
            await run(
                *as_owner(self._bin / "pg_ctl", "stop", "--pgdata", self.directory),
                *("--mode", "immediate", "--silent"),
                check=False,
            )

    async def query(self, *statements: str) -> list[str]:
        """Runs statements on one connection, and returns the rows of all."""
        words = [word for statement in statements for word in ("--command", statement)]
        psql = [self._bin / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align"]
        variables = ("--set", "ON_ERROR_STOP=1")
        output = await run(*psql, *variables, "--dbname", self.url, *words)
        return output.splitlines()

    async def _control(self, *words):
        program = self._bin / "pg_ctl"
        await run(*as_owner(program, *words, "--pgdata", self.directory, "--wait", "--silent"))


class Pair:
    """The two servers. One is the primary."""

    def __init__(self, parent: Path):
        self.primary, self.standby = (Server(name, parent) for name in NAMES)
        hosts = ",".join(str(server.directory) for server in (self.primary, self.standby))
        self.url = (
            f"postgresql:///postgres?host={hosts}&user=novablend&target_session_attrs=read-write"
        )

    async def create(self):
        await self.primary.create()
        await self.rebuild_standby()

    async def rebuild_standby(self):
        await self.standby.rebuild(self.primary)
        await self.wait_for_standby()

    async def restart_standby(self):
        await self.standby.start()
        await self.wait_for_standby()

    async def wait_for_standby(self):
        """Waits until the standby has everything, so that commits wait for it and succeed."""

        async def is_in_sync():
            return await self.primary.query(
                "SELECT 1 FROM pg_stat_replication"
                " WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')"
            )

        await wait_until(is_in_sync, f"synchronous replication to {self.standby.name}")

    async def promote_standby(self):
        """Makes the standby the primary. The old primary, which must not run, is then the standby,
        and must be rebuilt."""
        await self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    async def skip_replication(self) -> int:
        """Cancels the commits that wait for the standby. They remain on the primary, and their
        clients get a warning. Returns their number."""
        rows = await self.primary.query(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        )
        return len(rows)

    async def stop(self):
        await self.primary.stop()
        await self.standby.stop()
