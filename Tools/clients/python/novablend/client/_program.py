"""Finds `novablend`, and starts it again when it has ended."""

from __future__ import annotations

import asyncio
import os
import shutil
import sysconfig
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ._decode import decode
from ._errors import ClientClosedError, NovaBlendError, ProgramEndedError, ProgramMissingError
from ._process import Message, Process, Response
from .types import Change, Event, Outage

# The program is started at most five times within 30 s, after pauses: the first start again is immediate.
SECONDS_OF_STARTS = 30
PAUSES = (0, 0, 0.5, 1, 2)


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


class Subscriber:
    """What a subscription receives. It gets changes once the running program has accepted it."""

    def __init__(self, resource: str) -> None:
        self.resource = resource
        self.received: asyncio.Queue[Event | NovaBlendError] = asyncio.Queue()
        self.is_subscribed = False


class Program:
    """The program, with subscriptions that survive a restart."""

    def __init__(self, path: str | os.PathLike[str] | None, arguments: tuple[str, ...]) -> None:
        self._path = path
        self._arguments = arguments
        self._is_stopped = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._begin()

    def _begin(self) -> None:
        """Forgets everything that belongs to the process."""
        self._process: Process | None = None
        self._starting = asyncio.Lock()
        self._starts: deque[float] = deque()
        self._subscribers: list[Subscriber] = []
        self._restarting: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Lets the program run in this event loop, also after it was stopped."""
        self._enter_loop()
        self._is_stopped = False

    async def running(self) -> Process:
        """The running program. Starts it if it has not been started, or has ended."""
        self._enter_loop()
        async with self._starting:
            if self._process and not self._process.has_ended:
                return self._process
            await self._pause()
            if self._is_stopped:
                raise ClientClosedError("the client is closed")
            program = find_program(self._path)
            process = await Process.start(program, self._arguments, self._receive, self._on_end)
            self._starts.append(asyncio.get_running_loop().time())
            self._process = process
            self._subscribe_again(process)
            return process

    async def stop(self) -> None:
        self._enter_loop()
        self._is_stopped = True
        if self._restarting:
            self._restarting.cancel()
        self._fail_subscribers(ClientClosedError("the client is closed"))
        # If the program is being started, wait for it.
        async with self._starting:
            process = self._process
        if process:
            await process.stop()
        self._begin()

    @contextmanager
    def subscriber(self, resource: str) -> Iterator[Subscriber]:
        """A subscriber, which the caller has to subscribe to the resource."""
        self._enter_loop()
        entry = Subscriber(resource)
        self._subscribers.append(entry)
        try:
            yield entry
        finally:
            if entry in self._subscribers:
                self._subscribers.remove(entry)
                if self._process and not any(resource == each.resource for each in self._subscribers):
                    self._process.send("resource/unsubscribe", {"resource": resource})

    def _enter_loop(self) -> None:
        """Starts anew in a new event loop: nothing of a process outlives the loop that started it."""
        loop = asyncio.get_running_loop()
        if self._loop is loop:
            return
        if self._process and self._loop and not self._loop.is_closed():
            raise RuntimeError("a client can be used only in one event loop until that is closed")
        self._loop = loop
        self._begin()

    async def _pause(self) -> None:
        """Waits before the program is started again. Raises if it keeps ending."""
        now = asyncio.get_running_loop().time()
        while self._starts and self._starts[0] < now - SECONDS_OF_STARTS:
            self._starts.popleft()
        if len(self._starts) == len(PAUSES):
            problem = f": {self._process.problem}" if self._process else ""
            raise ProgramEndedError(
                f"novablend was started {len(PAUSES)} times within {SECONDS_OF_STARTS} s, and ended each "
                f"time, so it is not started again at present{problem}"
            )
        await asyncio.sleep(PAUSES[len(self._starts)])

    def _subscribe_again(self, process: Process) -> None:
        """Subscribes those whose subscription has ended with the earlier process."""
        lost = [each for each in self._subscribers if each.is_subscribed]
        for resource in {each.resource for each in lost}:
            _, response = process.send("resource/subscribe", {"resource": resource})
            response.add_done_callback(partial(self._note_subscription, resource))

    def _note_subscription(self, resource: str, response: Response) -> None:
        message = None if response.cancelled() else response.result()
        if message and "error" in message:
            self._fail_subscribers(ProgramEndedError(
                f"novablend was started again, but not the subscription: {message['error']['message']}"
            ), resource)
        elif message:
            # They may have missed changes while no program was running.
            self._publish(Change(resource=resource, changed=(), deleted=(), all=True))

    def _publish(self, event: Event) -> None:
        for subscriber in self._subscribers:
            if subscriber.resource == event.resource and subscriber.is_subscribed:
                subscriber.received.put_nowait(event)

    def _fail_subscribers(self, error: NovaBlendError, resource: str | None = None) -> None:
        for subscriber in self._subscribers:
            if resource in (None, subscriber.resource):
                subscriber.received.put_nowait(error)

    def _receive(self, notification: Message) -> None:
        if notification["method"] == "resource/didChange":
            params = notification["params"]
            self._publish(decode(Outage, params) if "offline" in params else decode(Change, params))

    def _on_end(self, process: Process) -> None:
        """Starts the program again if there are subscribers, unless it ended before its first response."""
        if any(each.is_subscribed for each in self._subscribers) and not self._is_stopped:
            self._restarting = asyncio.create_task(self._restart(process))

    async def _restart(self, process: Process) -> None:
        try:
            if not process.has_responded:
                raise ProgramEndedError(f"novablend does not respond: {process.problem}")
            await self.running()
        except NovaBlendError as error:
            self._fail_subscribers(error)
