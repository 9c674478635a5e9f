"""A running `novablend serve`."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from asyncio.subprocess import PIPE
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ._errors import NovaBlendError, ProgramMissingError

Message = dict[str, Any]

LOG = logging.getLogger("novablend")
LONGEST_LINE = 1 << 30
# Calls in progress have 1.5 s to finish after the input has ended.
SECONDS_TO_END = 10


class Process:
    """The pipes of the program, and the calls that wait for responses: one JSON message per line."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        on_notification: Callable[[Message], None],
        on_end: Callable[[Process], None],
    ) -> None:
        assert process.stdin and process.stdout and process.stderr
        self._process = process
        self._input, self._output, self._errors = process.stdin, process.stdout, process.stderr
        self._on_notification = on_notification
        self._on_end = on_end
        self._calls: dict[int, asyncio.Future[Message | None]] = {}
        self._ids = itertools.count(1)
        self._last_errors: deque[str] = deque(maxlen=3)
        self.has_responded = False
        self.has_ended = False
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(
        cls,
        program: Path,
        arguments: tuple[str, ...],
        on_notification: Callable[[Message], None],
        on_end: Callable[[Process], None],
    ) -> Process:
        """Starts the program. It does not get the Ctrl-C of a terminal, because this process ends it."""
        try:
            process = await asyncio.create_subprocess_exec(
                program, "serve", *arguments,
                stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=LONGEST_LINE, start_new_session=True,
            )
        except OSError as error:
            raise ProgramMissingError(f"{program} cannot be started: {error}") from error
        return cls(process, on_notification, on_end)

    def send(self, method: str, params: Message) -> tuple[int, asyncio.Future[Message | None]]:
        """Sends a request. Returns its id and its future response: None if the program ends first."""
        number = next(self._ids)
        response = asyncio.get_running_loop().create_future()
        if self.has_ended:
            response.set_result(None)
        else:
            self._calls[number] = response
            self._write({"id": number, "method": method, "params": params})
        return number, response

    def cancel(self, number: int) -> None:
        """Cancels a request. A cancelled request still gets a response."""
        if not self.has_ended:
            self._write({"method": "$/cancelRequest", "params": {"id": number}})

    async def stop(self) -> None:
        """Closes the input, so that the program ends."""
        self._input.close()
        try:
            await asyncio.wait_for(asyncio.shield(self._reading), SECONDS_TO_END)
        except TimeoutError:
            self._process.kill()
            await self._reading

    @property
    def problem(self) -> str:
        """How the program has ended."""
        status = self._process.returncode
        how = f"signal {-status}" if status and status < 0 else f"exit code {status}"
        return ": ".join([f"it ended with {how}", *self._last_errors])

    def _write(self, message: Message) -> None:
        self._input.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")

    async def _read(self) -> None:
        logging_errors = asyncio.create_task(self._log_errors())
        try:
            while line := await self._output.readline():
                self._receive(json.loads(line))
        except (ValueError, TypeError, LookupError, NovaBlendError):
            self._last_errors.append("it wrote something that is not JSON-RPC")
            self._process.kill()
        await self._process.wait()
        # A program that novablend has started may still have its standard error open.
        await asyncio.wait([logging_errors], timeout=1)
        logging_errors.cancel()
        self.has_ended = True
        for waiting in self._calls.values():
            waiting.set_result(None)
        self._on_end(self)

    def _receive(self, message: Message) -> None:
        if "method" in message:
            self._on_notification(message)
        elif waiting := self._calls.pop(message["id"], None):
            self.has_responded = True
            waiting.set_result(message)

    async def _log_errors(self) -> None:
        while line := await self._errors.readline():
            if text := line.decode(errors="replace").strip():
                LOG.info("%s", text)
                self._last_errors.append(text)
