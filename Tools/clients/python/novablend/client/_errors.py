"""What all exceptions share. `errors.py` has one for each error of the program."""

from __future__ import annotations

from typing import Any

from ._time import Time
from .types import NamedSalon


class NovaBlendError(Exception):
    """A call failed. `retryable` means that the same call may succeed later."""

    retryable: bool = False
    idempotency_key: str | None = None
    """The key of the change that failed. With this key, a repeated call takes effect only once."""


class ProgramMissingError(NovaBlendError):
    """The program was not found, or it cannot be started."""


class ProgramTooOldError(NovaBlendError):
    """The program is older than this client."""


class ProgramEndedError(NovaBlendError):
    """The program ended before it responded. The next call starts it again."""

    retryable = True


class CallError(NovaBlendError):
    """The program responded with an error. `data` has the members that docs/Errors.md lists."""

    code: int = 0

    def __init__(
        self, message: str, data: dict[str, Any] | None = None, code: int | None = None
    ) -> None:
        super().__init__(message)
        if code:
            self.code = code
        self.message = message
        self.data = data or {}
        self.reason: str = self.data.get("reason", message)
        """What is wrong, for a person: the message without advice for programs."""
        self.retryable = self.data.get("retryable") is True
        self.retry_after_seconds: int | None = self.data.get("retryAfterSeconds")
        self.idempotency_key = self.data.get("idempotencyKey")


class InvalidParamsError(CallError):
    """A parameter is invalid."""

    code = -32602

    @property
    def parameter(self) -> str | None:
        """The name of the parameter."""
        return self.data.get("parameter")

    @property
    def candidates(self) -> tuple[Time, ...]:
        """The times that the parameter could mean."""
        return tuple(map(Time.parse, self.data.get("candidates", ())))

    @property
    def salons(self) -> tuple[NamedSalon, ...]:
        """The salons that the parameter could mean."""
        salons = self.data.get("salons", ())
        return tuple(NamedSalon(id=each["id"], name=each["name"]) for each in salons)


class OverloadedError(CallError):
    """Too many calls are in progress."""

    code = -32000


class InputEndedError(CallError):
    """The client was closed before the call finished. If the error is retryable, nothing was changed."""

    code = -32001


class CallCancelledError(CallError):
    """The call was cancelled."""

    code = -32800

    @property
    def may_be_done(self) -> bool:
        """Whether the call was a change that did not stop in time."""
        return self.data.get("retryable") is False


class CancelledTooLateError(NovaBlendError):
    """The task was cancelled, but the change had been made. `result` is its result as JSON."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__("the task was cancelled, but the change had been made")
        self.result = result


class DeadlineExceededError(NovaBlendError):
    """The program did not answer in time. Unless the message says otherwise, nothing was changed."""

    retryable = True


class ClientClosedError(NovaBlendError):
    """The client is closed."""
