"""Instances of the backend, and haproxy in front of them."""

import asyncio
import socket
from pathlib import Path

from .commands import DEADLINE, wait_until

HERE = Path(__file__).parent


class Program:
    """A process that can be killed and started again."""

    def __init__(self, name: str, log: Path, *command):
        self.name = name
        self.log = log
        self._command = list(map(str, command))
        self._process: asyncio.subprocess.Process | None = None

    async def spawn(self) -> asyncio.subprocess.Process:
        with self.log.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        return self._process

    async def kill(self):
        """Ends the process with SIGKILL, if it runs."""
        if self._process and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()


class Instance(Program):
    """An instance of the backend. It ends when this process ends."""

    def __init__(self, program: Path, port: int, url: str, log: Path):
        self.port = port
        command = (program, "serve", "--port", port, "--database", url, "--exit-with-input")
        super().__init__(f"instance {port}", log, *command)

    async def start(self):
        """Starts the instance, and starts it again if it exits, until it serves requests. An
        instance exits if it finds no primary for some seconds."""
        try:
            async with asyncio.timeout(DEADLINE):
                while not await (await self.spawn()).stdout.readline():
                    await self._process.wait()
        except TimeoutError:
            log = self.log.read_text()[-2_000:]
            raise RuntimeError(f"{self.name} did not start: {log}") from None


class Proxy(Program):
    """haproxy, which distributes requests to the instances that are ready."""

    def __init__(self, port: int, instances: list[Instance], directory: Path):
        self.port = port
        servers = [f"    server {each.port} 127.0.0.1:{each.port}" for each in instances]
        configuration = directory / "haproxy.cfg"
        template = (HERE / "haproxy.cfg").read_text().replace("@PORT", str(port))
        configuration.write_text(template + "\n".join(servers) + "\n")
        log = directory / "haproxy.log"
        super().__init__("haproxy", log, "haproxy", "-db", "-f", configuration)

    async def start(self):
        process = await self.spawn()

        async def accepts_connections():
            if process.returncode is not None:
                raise RuntimeError(f"haproxy: {self.log.read_text()}")
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                return False
            writer.close()
            return True

        await wait_until(accepts_connections, "haproxy")


def free_ports(count: int) -> list[int]:
    """Ports on which nothing listens."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
