"""A running `novablend serve`."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
import signal
from asyncio.subprocess import PIPE
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ._errors import NovaBlendError, ProgramMissingError

Message = dict[str, Any]
Response = asyncio.Future[Message | None]

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
        self._calls: dict[int, Response] = {}
        self._ids = itertools.count(1)
        self._last_errors: deque[str] = deque(maxlen=3)
        self.has_responded = False
        self.has_ended = False
        self._running = asyncio.create_task(self._run())

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

    def send(self, method: str, params: Message) -> tuple[int, Response]:
        """Sends a request. Returns its id and its future response: None if the program ends first."""
        number = next(self._ids)
        # The id comes first, so that the program finds it in a message that it cannot read.
        line = _line({"id": number, "jsonrpc": "2.0", "method": method, "params": params})
        response: Response = asyncio.get_running_loop().create_future()
        if self.has_ended:
            response.set_result(None)
        else:
            self._calls[number] = response
            self._input.write(line)
        return number, response

    def cancel(self, number: int) -> None:
        """Cancels a request. A cancelled request still gets a response."""
        if not self.has_ended:
            self._input.write(
                _line({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})
            )

    async def stop(self) -> None:
        """Closes the input, so that the program ends."""
        self._input.close()
        await asyncio.wait([self._running], timeout=SECONDS_TO_END)
        if not self._running.done():
            self._kill()
            await asyncio.wait([self._running], timeout=1)
            # A program that novablend has started may still have its standard output open.
            self._output.feed_eof()
            await asyncio.wait([self._running])

    @property
    def problem(self) -> str:
        """How the program has ended."""
        status = self._process.returncode
        how = f"signal {-status}" if status and status < 0 else f"exit code {status}"
        return ": ".join([f"it ended with {how}", *self._last_errors])

    async def _run(self) -> None:
        """Receives messages until the program ends."""
        logging_errors = asyncio.create_task(self._log_errors())
        is_cancelled = False
        try:
            await self._receive_all()
        except asyncio.CancelledError:
            # The event loop ends. The program ends with it, and before that it answers the calls.
            is_cancelled = True
            await self._end()
        finally:
            # A program that novablend has started may still have its standard error open.
            await asyncio.wait([logging_errors], timeout=1)
            logging_errors.cancel()
            self.has_ended = True
            for waiting in self._calls.values():
                if not waiting.done():
                    waiting.set_result(None)
        if is_cancelled:
            raise asyncio.CancelledError
        self._on_end(self)

    async def _receive_all(self) -> None:
        try:
            # A program that is killed may leave a part of a line.
            while (line := await self._output.readline()).endswith(b"\n"):
                if line.strip():
                    self._receive(json.loads(line))
        except (ValueError, TypeError, LookupError, NovaBlendError):
            self._last_errors.append("it wrote something that is not JSON-RPC")
            self._kill()
        await self._process.wait()

    async def _end(self) -> None:
        self._input.close()
        try:
            async with asyncio.timeout(SECONDS_TO_END):
                await self._receive_all()
        except (TimeoutError, asyncio.CancelledError):
            self._kill()

    def _kill(self) -> None:
        """Kills the program, and those that it has started."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def _receive(self, message: Message) -> None:
        if "method" in message:
            self._on_notification(message)
            return
        # A response without a result says nothing about a change.
        if "result" not in message:
            message["error"]["code"], message["error"]["message"]
        if waiting := self._calls.pop(message["id"], None):
            self.has_responded = True
            if not waiting.done():
                waiting.set_result(message)

    async def _log_errors(self) -> None:
        while line := await self._errors.readline():
            if text := line.decode(errors="replace").strip():
                LOG.info("%s", text)
                self._last_errors.append(text)


def _line(message: Message) -> bytes:
    return json.dumps(message, allow_nan=False).encode() + b"\n"
