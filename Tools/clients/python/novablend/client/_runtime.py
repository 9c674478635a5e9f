"""Calls the program. `methods.py` adds the methods."""

from __future__ import annotations

import asyncio
import json
import os
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

from ._decode import decode
from ._errors import CallCancelledError, CallError, CancelledTooLateError, NovaBlendError
from ._errors import ProgramEndedError, ProgramTooOldError
from ._process import Message
from ._program import Change, Program, Subscriber
from .errors import ERRORS, BookingInDoubtError
from .types import AppointmentsResolveResult, Resource

METHOD_NOT_FOUND = -32601
RESOLVE = "appointments/resolve"
# The outcomes of changes that may still take effect.
OPEN = ("inDoubt", "notFound")


class Runtime:
    """The program `novablend serve`, from the beginning of `async with` to its end."""

    def __init__(self, *arguments: str, program: str | os.PathLike[str] | None = None) -> None:
        """`arguments` are those of `novablend serve`, such as "--base-url" and a URL. `program` is its
        path; see `find_program`."""
        self._program = Program(program, arguments)
        # The keys of changes whose outcome is not known, by the request.
        self._open_keys: dict[str, str] = {}

    async def __aenter__(self) -> Self:
        await self._program.running()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._program.stop()

    @asynccontextmanager
    async def changes(self, resource: Resource) -> AsyncIterator[AsyncIterator[Change]]:
        """Subscribes to a resource until the end of `async with`.

        If the program ends, it is started again. The next change then has `all`, because some may have
        been missed."""
        with self._program.subscriber(resource) as subscriber:
            await self.call("resource/subscribe", {"resource": resource})
            yield _elements(subscriber)

    async def call(self, method: str, params: Message | None = None) -> Any:
        """Calls a method that changes nothing at the server, and returns its result as JSON.

        If the program ends before it responds, the call is repeated once. If the task is cancelled, so
        is the call."""
        for _ in range(2):
            process = await self._program.running()
            number, response = process.send(method, params or {})
            try:
                message = await asyncio.shield(response)
            except asyncio.CancelledError:
                process.cancel(number)
                raise
            if message:
                result = _result(message, method)
                if method == RESOLVE:
                    self._close_keys(decode(AppointmentsResolveResult, result))
                return result
        raise ProgramEndedError(f"novablend does not respond to {method}: {process.problem}")

    async def change(self, method: str, params: Message, *, is_journaled: bool = False) -> Any:
        """Calls a method that changes something at the server, and returns its result as JSON.

        `params` has an `idempotencyKey` if the method accepts one; None is replaced by a key. If the
        program ends before it responds, the call is not repeated; if the change is journaled, its outcome
        is resolved. If the task is cancelled, this waits until the program says how far the call got; unless
        nothing was changed, the `__cause__` of the `CancelledError` is an error that says what happened."""
        if params.get("dryRun"):
            return await self.call(method, params)
        request = json.dumps([method, params], sort_keys=True)
        if "idempotencyKey" in params and not params["idempotencyKey"]:
            # A repeated request has the key of the earlier one if its outcome is not known, so that
            # nothing is booked twice.
            key = self._open_keys.setdefault(request, str(uuid.uuid4()))
            params = params | {"idempotencyKey": key}
        try:
            message = await self._send(method, params)
            if not message and is_journaled:
                await self._resolve(params["idempotencyKey"])
                message = await self._send(method, params)
            result = _result(message, method, params)
        except NovaBlendError as error:
            if not error.retryable:
                self._open_keys.pop(request, None)
            raise
        self._open_keys.pop(request, None)
        return result

    async def _send(self, method: str, params: Message) -> Message | None:
        """Sends a change. Returns the response, or None if the program ended before it responded."""
        process = await self._program.running()
        number, response = process.send(method, params)
        try:
            return await asyncio.shield(response)
        except asyncio.CancelledError as cancelled:
            process.cancel(number)
            message = await asyncio.shield(response)
            raise cancelled from _outcome(message, method, params)

    async def _resolve(self, key: str) -> None:
        """Resolves the change with `key`, during which the program ended. Raises if it is in doubt.

        The program writes a change to its journal before it sends it. So if `appointments/resolve` does
        not report the key as in doubt, either the journal has the outcome, which a repeated call with the
        key returns, or the change was never sent."""
        try:
            resolved = await self.call(RESOLVE)
        except NovaBlendError as error:
            raise _in_doubt(key, f"the program ended, and then: {error}") from error
        except asyncio.CancelledError as cancelled:
            raise cancelled from _in_doubt(key, "the program ended")
        for resolution in decode(AppointmentsResolveResult, resolved).resolutions:
            if resolution.idempotency_key == key and resolution.outcome in OPEN:
                raise _in_doubt(key, resolution.reason or resolution.outcome)

    def _close_keys(self, resolved: AppointmentsResolveResult) -> None:
        known = {each.idempotency_key for each in resolved.resolutions if each.outcome not in OPEN}
        self._open_keys = {
            request: key for request, key in self._open_keys.items() if key not in known
        }


async def _elements(subscriber: Subscriber) -> AsyncIterator[Change]:
    while True:
        change = await subscriber.get()
        if isinstance(change, NovaBlendError):
            raise change
        yield change


def _result(message: Message | None, method: str, params: Message | None = None) -> Any:
    """The result in a response. Raises the error in it."""
    if message and "result" in message:
        return message["result"]
    error: NovaBlendError
    if not message:
        error = ProgramEndedError(f"novablend ended during {method}, which may have been done")
    elif missing := _missing(details := message["error"], method):
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


def _outcome(message: Message | None, method: str, params: Message) -> NovaBlendError | None:
    """The error that says what happened to a cancelled change; None if nothing was changed."""
    try:
        late = CancelledTooLateError(_result(message, method, params))
        late.idempotency_key = params.get("idempotencyKey")
        return late
    except CallCancelledError as error:
        return error if error.may_be_done else None
    except NovaBlendError as error:
        return error


def _in_doubt(key: str, reason: str) -> BookingInDoubtError:
    return BookingInDoubtError(
        f"The request may have been carried out; call appointments_resolve to find out: {reason}",
        {
            "retryable": True,
            "reason": f"The request may have been carried out: {reason}",
            "idempotencyKey": key,
        },
    )
