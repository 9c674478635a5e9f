"""Finds `novablend`, and starts it again when it has ended."""

from __future__ import annotations

import asyncio
import os
import shutil
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ._decode import decode
from ._errors import NovaBlendError, ProgramEndedError, ProgramMissingError
from ._process import Message, Process
from .types import Change

Subscriber = asyncio.Queue[Change | NovaBlendError]


def find_program(path: str | os.PathLike[str] | None = None) -> Path:
    """The path of `novablend`: `path`, or else the environment variable NOVABLEND, the programs of this
    environment of Python, where the wheel installs it, or PATH. Raises `ProgramMissingError`."""
    named = path or os.environ.get("NOVABLEND")
    packaged = Path(sysconfig.get_path("scripts")) / "novablend"
    found = shutil.which(named) if named else shutil.which(packaged) or shutil.which("novablend")
    if found:
        return Path(found)
    problem = f"{named} is not a program" if named else "novablend is not in PATH"
    raise ProgramMissingError(
        f"{problem}; install novablend, or state its path: with program=..., or in the environment "
        "variable NOVABLEND"
    )


class Program:
    """The program, with subscriptions that survive a restart."""

    def __init__(self, path: str | os.PathLike[str] | None, arguments: tuple[str, ...]) -> None:
        self._path = path
        self._arguments = arguments
        self._process: Process | None = None
        self._starting = asyncio.Lock()
        self._is_stopped = False
        self._subscribers: list[tuple[str, Subscriber]] = []
        self._restarting: asyncio.Task[None] | None = None

    async def running(self) -> Process:
        """The running program. Starts it if it has not been started, or has ended."""
        async with self._starting:
            if self._is_stopped:
                raise ProgramEndedError("the client is closed")
            if not self._process or self._process.has_ended:
                self._process = await Process.start(
                    find_program(self._path), self._arguments, self._receive, self._on_end
                )
                # The subscribers may have missed changes while no program was running.
                for resource in {resource for resource, _ in self._subscribers}:
                    self._process.send("resource/subscribe", {"resource": resource})
                    self._publish(Change(resource=resource, changed=(), deleted=(), all=True))
            return self._process

    async def stop(self) -> None:
        self._is_stopped = True
        if self._process:
            await self._process.stop()

    @contextmanager
    def subscriber(self, resource: str) -> Iterator[Subscriber]:
        """A queue that gets the changes of a resource, once the caller has subscribed to the resource."""
        entry = resource, Subscriber()
        self._subscribers.append(entry)
        try:
            yield entry[1]
        finally:
            self._subscribers.remove(entry)
            if self._process and not any(resource == other for other, _ in self._subscribers):
                self._process.send("resource/unsubscribe", {"resource": resource})

    def _publish(self, change: Change) -> None:
        for resource, subscriber in self._subscribers:
            if resource == change.resource:
                subscriber.put_nowait(change)

    def _receive(self, notification: Message) -> None:
        if notification["method"] == "resource/didChange":
            self._publish(decode(Change, notification["params"]))

    def _on_end(self, process: Process) -> None:
        """Starts the program again if there are subscribers, unless it ended before its first response."""
        if self._subscribers and not self._is_stopped:
            self._restarting = asyncio.create_task(self._restart(process))

    async def _restart(self, process: Process) -> None:
        try:
            if not process.has_responded:
                raise ProgramEndedError(f"novablend does not respond: {process.problem}")
            await self.running()
        except NovaBlendError as error:
            for _, subscriber in self._subscribers:
                subscriber.put_nowait(error)
