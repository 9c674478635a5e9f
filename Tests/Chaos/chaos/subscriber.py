"""Two processes of `novablend serve` with one cache, which follow the feed."""

import asyncio
import json
from pathlib import Path

from .appointment import Appointment
from .backends import Program
from .commands import DEADLINE


class Subscriber(Program):
    """A client that has subscribed to appointments."""

    def __init__(self, number: int, program: Path, port: int, directory: Path):
        url = f"http://127.0.0.1:{port}"
        log = directory / f"subscriber-{number}.log"
        directories = ("--cache-dir", directory / "cache", "--state-dir", directory / "state")
        super().__init__(
            f"subscriber {number}", log, program, "serve", "--base-url", url, *directories
        )
        self.notifications = 0
        self._results: dict[int, asyncio.Future] = {}
        self._reader: asyncio.Task | None = None
        self._next_id = 0

    async def start(self):
        """Starts the program, loads the list, and subscribes. A list that has not been loaded
        cannot follow the changes."""
        process = await self.spawn()
        self._reader = asyncio.create_task(self._read(process.stdout))
        while "error" in await self._call("appointments/list", limit=1):
            await asyncio.sleep(0.5)
        await self._call("resource/subscribe", resource="appointments")

    async def copy(self) -> dict[str, Appointment]:
        """The cached appointments of the program, by id. The program does not list their keys."""
        answer = await self._call("appointments/list", policy="cacheOnly", status="all")
        listed = answer["result"]["appointments"]
        return {each["id"]: Appointment.from_json(each).without_key for each in listed}

    async def wait_for(self, listed: list[Appointment]) -> dict[str, Appointment]:
        """Waits until the cached appointments equal `listed`, and returns the cached ones. Returns
        them even if they still differ after a timeout. After an outage, a subscriber asks the
        server again within a minute."""
        expected = {each.id: each.without_key for each in listed}
        end = asyncio.get_running_loop().time() + 2 * DEADLINE
        while (copy := await self.copy()) != expected:
            if asyncio.get_running_loop().time() > end:
                break
            await asyncio.sleep(0.25)
        return copy

    async def _call(self, method: str, **params) -> dict:
        self._next_id += 1
        request = {"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params}
        future = self._results[self._next_id] = asyncio.get_running_loop().create_future()
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        async with asyncio.timeout(DEADLINE):
            return await future

    async def _read(self, output: asyncio.StreamReader):
        buffer = b""
        # A list can be longer than the limit of readline().
        while chunk := await output.read(1 << 20):
            *lines, buffer = (buffer + chunk).split(b"\n")
            for message in map(json.loads, lines):
                if "id" in message:
                    self._results.pop(message["id"]).set_result(message)
                else:
                    self.notifications += 1
