"""The idempotency keys of changes whose outcome is not known."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Message = dict[str, Any]

BOOKING_IN_DOUBT = 1206
HOLD_IN_DOUBT = 1217
INTERNAL_ERROR = -32603
INPUT_ENDED = -32001
CANCELLED = -32800
# A server grants a hold for at most this time. After it, no key can continue the hold.
LONGEST_HOLD_SECONDS = 15 * 60


class OpenKey:
    """The key of a request, while calls use it, and afterward as long as their outcome is not known."""

    def __init__(self, request: str) -> None:
        self.request = request
        self.key = str(uuid.uuid4())
        self.calls = 0
        self.doubted_at: float | None = None

    @property
    def is_in_doubt(self) -> bool:
        return self.doubted_at is not None


class OpenKeys:
    """A repeated request has the key of the earlier one while the outcome of that is not known, so that
    nothing is booked twice. As soon as it is known, whoever learns it, the same request gets a new key."""

    def __init__(self) -> None:
        self._entries: dict[str, OpenKey] = {}

    @contextmanager
    def use(self, method: str, params: Message) -> Iterator[OpenKey]:
        """The key for a call, which lasts until the end of `with`. It is in doubt if an earlier call has
        left it so; concurrent calls of the same request share it."""
        request = identity(method, params)
        entry = self._entries.get(request)
        if not entry or method == "appointments/hold" and _has_expired(entry):
            entry = self._entries[request] = OpenKey(request)
        entry.calls += 1
        try:
            yield entry
        finally:
            entry.calls -= 1
            if not entry.calls and not entry.is_in_doubt:
                self._remove(entry.key)

    def continue_(self, entry: OpenKey) -> None:
        """Continues the change that is in doubt: its next call has the same key."""
        self._entries.setdefault(entry.request, entry)

    def replace(self, entry: OpenKey, key: str) -> None:
        """Gives a request a new key, because the outcome of the change with `key` is known. Does nothing
        if a concurrent call has done so."""
        if entry.key == key:
            entry.key = str(uuid.uuid4())
            entry.doubted_at = None
            self._entries.setdefault(entry.request, entry)

    def note(self, key: str | None, message: Message | None) -> None:
        """Draws the conclusion from the response to a change with `key`, whoever still waits for it.
        None: the program has ended, or does not respond."""
        if message and "result" in message:
            self._remove(key)
        elif not message or may_be_done(message["error"]):
            for entry in self._entries.values():
                if entry.key == key:
                    entry.doubted_at = time.monotonic()

    def note_resolutions(self, params: Message, result: Message) -> None:
        """Draws the conclusions from a result of appointments/resolve."""
        listed = result.get("resolutions") or []
        for resolution in listed:
            if not is_open(resolution["outcome"]):
                self._remove(resolution["idempotencyKey"])
        # No entry of the key that was asked for: nothing was sent, or it was rejected.
        asked = params.get("idempotencyKey")
        if asked and not any(each["idempotencyKey"] == asked for each in listed):
            self._remove(asked, if_unused=True)

    def _remove(self, key: str | None, if_unused: bool = False) -> None:
        self._entries = {
            request: entry
            for request, entry in self._entries.items()
            if entry.key != key or (if_unused and entry.calls)
        }


def identity(method: str, params: Message) -> str:
    """What makes two calls the same request. None is the same as no value."""
    given = {
        name: value
        for name, value in params.items()
        if value is not None and name not in ("idempotencyKey", "dryRun")
    }
    return json.dumps([method, given], sort_keys=True, allow_nan=False)


def may_be_done(error: Message) -> bool:
    """Whether a change that failed with this error may have been made, or may still be."""
    code, retryable = error["code"], (error.get("data") or {}).get("retryable")
    if code in (BOOKING_IN_DOUBT, HOLD_IN_DOUBT):
        return True
    if code == CANCELLED:
        return retryable is False
    return code in (INTERNAL_ERROR, INPUT_ENDED) and retryable is not True


def is_open(outcome: str) -> bool:
    """Whether a change with this outcome may still take effect."""
    return outcome in ("inDoubt", "notFound")


def _has_expired(entry: OpenKey) -> bool:
    since = entry.doubted_at
    return since is not None and not entry.calls and time.monotonic() - since > LONGEST_HOLD_SECONDS
