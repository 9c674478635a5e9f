"""Times in results, and the text of arguments that are times."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Self


class Time(datetime):
    """A time with its UTC offset. `text` is how the program wrote it."""

    _text: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """The time in a text (RFC 3339). Raises `ValueError` for any other text."""
        time = cls.fromisoformat(text)
        if time.tzinfo is None:
            raise ValueError(f"a time without a UTC offset: {text}")
        time._text = text
        return time

    @property
    def text(self) -> str:
        return self._text or self.isoformat()

    def __str__(self) -> str:
        return self.text

    def __reduce_ex__(self, protocol: Any) -> str | tuple[Any, ...]:
        return (type(self).parse, (self.text,)) if self._text else super().__reduce_ex__(protocol)


def plain(params: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a call as JSON: times and dates become texts, without fractions of a second. A time without
    a UTC offset is one on the salon's clock."""
    return {name: _text(value) for name, value in params.items()}


def _text(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return value.isoformat() if isinstance(value, date) else value
