"""Calls the program. `methods.py` adds the methods."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Any

from ._decode import decode
from ._errors import CallCancelledError, CallError, CancelledTooLateError, ClientClosedError
from ._errors import DeadlineExceededError
from ._errors import NovaBlendError, ProgramEndedError, ProgramTooOldError
from ._keys import OpenKey, OpenKeys, is_open
from ._process import Message, Process, Response
from ._program import Program, Subscriber
from ._time import plain
from .errors import ERRORS, BookingInDoubtError
from .types import Appointment, AppointmentsListResult, AppointmentsResolveResult, Event
from .types import ListedAppointment, Resolution, Resource

METHOD_NOT_FOUND = -32601
RESOLVE = "appointments/resolve"
# A cancelled change responds within 2 s.
SECONDS_TO_CANCEL = 5


class Runtime:
    """The program `novablend serve`, from the beginning of `async with` to its end."""

    def __init__(
        self,
        *arguments: str,
        program: str | os.PathLike[str] | None = None,
        timeout: float = 60,
        change_timeout: float = 300,
    ) -> None:
        """`arguments` are those of `novablend serve`, such as "--base-url" and a URL. `program` is its
        path; see `find_program`. `timeout` is the time of a call in seconds, and `change_timeout` that
        of a booking or a change; each call can have its own. `math.inf` is no limit."""
        self._timeout = _seconds(timeout)
        self._change_timeout = _seconds(change_timeout)
        self._program = Program(program, arguments)
        self._keys = OpenKeys()

    async def open(self) -> None:
        """Starts the program, like the beginning of `async with`."""
        self._program.open()
        await self._program.running()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the program, like the end of `async with`. Calls in progress have a moment to finish."""
        await self._program.stop()

    @asynccontextmanager
    async def changes(
        self, resource: Resource, *, timeout: float | None = None
    ) -> AsyncIterator[AsyncIterator[Event]]:
        """Subscribes to a resource until the end of `async with`. An `Outage` says that the server has
        stopped answering, or answers again; everything else is a `Change`.

        If the program ends, it is started again. The next change then has `all`, because some may have
        been missed."""
        with self._program.subscriber(resource) as subscriber:
            await self.call("resource/subscribe", {"resource": resource}, timeout=timeout)
            subscriber.is_subscribed = True
            yield _elements(subscriber)

    async def call(
        self, method: str, params: Message | None = None, *, timeout: float | None = None
    ) -> Any:
        """Calls a method that changes nothing at the server, and returns its result as JSON.

        If the program ends before it responds, the call is repeated once. If the task is cancelled, so
        is the call. If there is no response within `timeout` seconds, `DeadlineExceededError` is raised."""
        seconds = self._timeout if timeout is None else _seconds(timeout)
        try:
            async with asyncio.timeout(_finite(seconds)):
                return await self._call(method, plain(params or {}))
        except TimeoutError:
            raise DeadlineExceededError(
                f"novablend did not respond to {method} within {seconds:g} s"
            ) from None

    async def _call(self, method: str, params: Message) -> Any:
        for _ in range(2):
            process = await self._program.running()
            number, response = process.send(method, params)
            if method == RESOLVE and not params.get("dryRun"):
                response.add_done_callback(partial(self._note_resolutions, params))
            try:
                message = await asyncio.shield(response)
            except asyncio.CancelledError:
                process.cancel(number)
                raise
            if message:
                return _result(message, method)
        raise ProgramEndedError(f"novablend does not respond to {method}: {process.problem}")

    def _note_resolutions(self, params: Message, response: Response) -> None:
        message = response.result()
        if message and "result" in message:
            self._keys.note_resolutions(params, message["result"])

    async def change(
        self,
        method: str,
        params: Message,
        *,
        in_doubt: type[CallError] | None = None,
        timeout: float | None = None,
    ) -> Any:
        """Calls a method that changes something at the server, and returns its result as JSON.

        `params` has an `idempotencyKey` if the method accepts one; None is replaced by a key. `in_doubt` is
        the error if no response says whether the change was made. If the program ends before it responds,
        the call is not repeated; if that error is `BookingInDoubtError`, the outcome is resolved.

        If the task is cancelled, or `timeout` seconds are over, this cancels the call, and waits until the
        program says how far it got. Unless nothing was changed, the `__cause__` of the `CancelledError` is
        an error that says what happened."""
        if params.get("dryRun"):
            return await self.call(method, params, timeout=timeout)
        params = plain(params)
        seconds = self._change_timeout if timeout is None else _seconds(timeout)
        change = _Change(self._program, self._keys, method, params, in_doubt, seconds)
        if "idempotencyKey" not in params or params["idempotencyKey"]:
            return await self._make(change)
        with self._keys.use(method, params) as entry:
            change.params = params | {"idempotencyKey": entry.key}
            if entry.is_in_doubt and change.is_journaled:
                change.may_be_done = await self._is_continued(entry, change)
                change.params = params | {"idempotencyKey": entry.key}
            return await self._make(change)

    async def _make(self, change: _Change) -> Any:
        message = await change.send()
        if not message and change.is_journaled:
            await self._resolve(change)
            message = await change.send()
        if not message:
            raise change.doubt("the program ended")
        return _result(message, change.method, change.params)

    async def _resolve(self, change: _Change) -> None:
        """Resolves the change during which the program ended. Raises if it is in doubt.

        The program writes a change to its journal before it sends it. So if `appointments/resolve` does
        not report the key as in doubt, either the journal has the outcome, which a repeated call with the
        key returns, or the change was never sent."""
        try:
            resolutions = await self._resolutions({}, change)
        except NovaBlendError as error:
            raise change.doubt(f"the program ended, and then: {error}") from error
        except asyncio.CancelledError as cancelled:
            raise cancelled from change.doubt("the program ended")
        for resolution in resolutions:
            if resolution.idempotency_key == change.key and is_open(resolution.outcome):
                raise change.doubt(resolution.reason or resolution.outcome)

    async def _resolutions(self, params: Message, change: _Change) -> Sequence[Resolution]:
        resolved = await self.call(RESOLVE, params, timeout=change.seconds_left)
        return decode(AppointmentsResolveResult, resolved).resolutions

    async def _is_continued(self, entry: OpenKey, change: _Change) -> bool:
        """Whether a repeated request continues the change that an earlier call has left in doubt.

        It does not if the outcome is known by now: the change was not made, or its appointment was
        cancelled or moved since, here or elsewhere. Then it is a new request with a new key."""
        key = entry.key
        try:
            resolutions = await self._resolutions({"idempotencyKey": key}, change)
            found = next((each for each in resolutions if each.idempotency_key == key), None)
            if found and (is_open(found.outcome) or await self._stands(found, change)):
                self._keys.continue_(entry)
                return True
        except ClientClosedError:
            raise
        except NovaBlendError as error:
            self._keys.continue_(entry)
            raise change.doubt(f"an earlier call is in doubt, and then: {error}") from error
        self._keys.replace(entry, key)
        return False

    async def _stands(self, resolution: Resolution, change: _Change) -> bool:
        """Whether the server still shows what a change with this outcome has made."""
        if resolution.outcome not in ("booked", "rescheduled"):
            return resolution.outcome == "cancelled"
        made = resolution.appointment
        params = {"salonId": made.salon_id, "status": "booked", "policy": "serverOnly"}
        result = await self.call("appointments/list", params, timeout=change.seconds_left)
        listed = decode(AppointmentsListResult, result).appointments
        return any(_shows(appointment, made) for appointment in listed)


class _Change:
    """A call of a method that changes something."""

    def __init__(
        self, program: Program, keys: OpenKeys, method: str, params: Message,
        in_doubt: type[CallError] | None, seconds: float,
    ) -> None:
        self.method = method
        self.params = params
        self.is_journaled = in_doubt is BookingInDoubtError
        self._program = program
        self._keys = keys
        self._in_doubt = in_doubt
        self._seconds = seconds
        self._end = asyncio.get_running_loop().time() + seconds
        # Whether an earlier request may have made the change.
        self.may_be_done = False

    @property
    def key(self) -> str | None:
        return self.params.get("idempotencyKey")

    @property
    def seconds_left(self) -> float:
        return max(self._end - asyncio.get_running_loop().time(), 0.001)

    async def send(self) -> Message | None:
        """Sends the change. Returns the response, or None if the program ended before it responded."""
        process = await self._running()
        number, response = process.send(self.method, self.params)
        response.add_done_callback(lambda response: self._keys.note(self.key, response.result()))
        cancelled = await _wait(response, self.seconds_left)
        is_late = not response.done()
        if is_late:
            process.cancel(number)
            cancelled = await _wait(response, SECONDS_TO_CANCEL) or cancelled
        if not response.done():
            self._keys.note(self.key, None)
        if cancelled:
            raise cancelled from self._outcome(response)
        if not response.done():
            raise self.doubt(f"no response within {self._seconds:g} s")
        message = response.result()
        if is_late and message and _is_cancelled(message):
            raise self._too_late("nothing was changed")
        self.may_be_done = True
        return message

    async def _running(self) -> Process:
        try:
            async with asyncio.timeout(_finite(self.seconds_left)):
                return await self._program.running()
        except TimeoutError:
            raise self._too_late("nothing was sent") from None
        except asyncio.CancelledError as cancelled:
            raise cancelled from (self.doubt("the program ended") if self.may_be_done else None)
        except NovaBlendError as error:
            if self.may_be_done:
                raise self.doubt(f"the program ended, and then: {error}") from error
            raise

    def doubt(self, reason: str) -> NovaBlendError:
        """The error if no response says whether the change was made."""
        error: NovaBlendError
        if self._in_doubt:
            advice = "call appointments_resolve to find out: " if self.is_journaled else ""
            text = "The request may have been carried out"
            data = {"retryable": True, "reason": f"{text}: {reason}"}
            data |= {n: self.params[n] for n in ("holdId", "salonId") if self.params.get(n)}
            error = self._in_doubt(f"{text}; {advice}{reason}", data)
        else:
            error = ProgramEndedError(f"{self.method} may have been carried out: {reason}")
        error.idempotency_key = self.key
        return error

    def _too_late(self, what: str) -> NovaBlendError:
        if self.may_be_done:
            return self.doubt(f"no response within {self._seconds:g} s")
        error = DeadlineExceededError(
            f"novablend did not respond to {self.method} within {self._seconds:g} s; {what}"
        )
        error.idempotency_key = self.key
        return error

    def _outcome(self, response: Response) -> NovaBlendError | None:
        """The error that says what happened to a cancelled change; None if nothing was changed."""
        message = response.result() if response.done() else None
        if not message:
            return self.doubt("the program ended" if response.done() else "it does not respond")
        try:
            late = CancelledTooLateError(_result(message, self.method, self.params))
            late.idempotency_key = self.key
            return late
        except CallCancelledError as error:
            return error if error.may_be_done or self.may_be_done else None
        except NovaBlendError as error:
            return error


async def _wait(response: Response, seconds: float) -> asyncio.CancelledError | None:
    """Waits for a response, at most this long. Returns the cancellation of the task."""
    try:
        await asyncio.wait([response], timeout=_finite(seconds))
        return None
    except asyncio.CancelledError as cancelled:
        return cancelled


async def _elements(subscriber: Subscriber) -> AsyncIterator[Event]:
    while True:
        event = await subscriber.received.get()
        if isinstance(event, NovaBlendError):
            raise event
        yield event


def _seconds(value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise ValueError(f"a timeout is a positive number of seconds, or math.inf: {value!r}")
    return value


def _finite(seconds: float) -> float | None:
    return None if math.isinf(seconds) else seconds


def _shows(listed: ListedAppointment, made: Appointment) -> bool:
    """Whether an appointment of the server is still as a change has made it."""
    has_ids = made.id and listed.id
    is_same = made.id == listed.id if has_ids else made.phone == listed.phone
    return is_same and _instant(listed.appointment_time) == _instant(made.appointment_time)


def _instant(time: str) -> datetime | str:
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        return time


def _is_cancelled(message: Message) -> bool:
    """Whether a response says that the call was cancelled before it changed anything."""
    error = message.get("error") or {}
    return error.get("code") == CallCancelledError.code and (
        (error.get("data") or {}).get("retryable") is not False
    )


def _result(message: Message, method: str, params: Message | None = None) -> Any:
    """The result in a response. Raises the error in it."""
    if "result" in message:
        return message["result"]
    error: NovaBlendError
    if missing := _missing(details := message["error"], method):
        error = ProgramTooOldError(
            f"novablend has no {missing}, so it is older than this client; update novablend"
        )
    else:
        kind = ERRORS.get(details["code"], CallError)
        error = kind(details["message"], details.get("data"), details["code"])
    error.idempotency_key = error.idempotency_key or (params or {}).get("idempotencyKey")
    raise error


def _missing(error: Message, method: str) -> str | None:
    """What this client knows, but the program does not, according to an error."""
    if error["code"] == METHOD_NOT_FOUND:
        return f"method {method}"
    data = error.get("data") or {}
    if not (unknown := data.get("unknown")):
        return None
    if (parameter := data.get("parameter")) in unknown:
        return f"parameter {parameter} of {method}"
    return f"member {unknown[0]} in the parameter {parameter} of {method}"
