"""Runs the asynchronous client in a thread of its own. `sync.py` adds the methods."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from .methods import NovaBlend as AsyncNovaBlend
from .types import Event, Resource

T = TypeVar("T")


class SyncRuntime:
    """The program `novablend serve`, from the beginning of `with` to its end.

    A client can be used by several threads, and where an event loop runs, such as in a notebook."""

    def __init__(
        self,
        *arguments: str,
        program: str | os.PathLike[str] | None = None,
        timeout: float = 60,
        change_timeout: float = 300,
    ) -> None:
        """The arguments are those of the asynchronous client."""
        self._client = AsyncNovaBlend(
            *arguments, program=program, timeout=timeout, change_timeout=change_timeout
        )
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Starts the program, like the beginning of `with`."""
        self._run(self._client.open())

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program, like the end of `with`. Calls in progress have a moment to finish."""
        self._run(self._client.close())
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop and thread:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()

    @contextmanager
    def changes(
        self, resource: Resource, *, timeout: float | None = None
    ) -> Iterator[Iterator[Event]]:
        """Subscribes to a resource until the end of `with`. An `Outage` says that the server has stopped
        answering, or answers again; everything else is a `Change`. `timeout` is that of the subscription;
        the loop over the changes waits as long as there are none."""
        subscription = self._client.changes(resource, timeout=timeout)
        events = self._run(subscription.__aenter__())
        try:
            yield self._iterate(events)
        finally:
            self._run(subscription.__aexit__(None, None, None))

    def call(
        self, method: str, params: dict[str, Any] | None = None, *, timeout: float | None = None
    ) -> Any:
        """Calls a method that changes nothing at the server, and returns its result as JSON."""
        return self._run(self._client.call(method, params, timeout=timeout))

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Waits for the result of a call, which Ctrl-C cancels."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._running_loop())
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def _iterate(self, elements: AsyncIterator[T]) -> Iterator[T]:
        end: Any = object()
        while (element := self._run(_next(elements, end))) is not end:
            yield element

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if not self._loop:
                self._loop = asyncio.new_event_loop()
                # Nothing waits for the thread if the client is not closed: the program ends with this process.
                self._thread = threading.Thread(
                    target=_run_loop, args=(self._loop,), name="novablend", daemon=True
                )
                self._thread.start()
            return self._loop


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


async def _next(elements: AsyncIterator[T], end: T) -> T:
    return await anext(elements, end)
