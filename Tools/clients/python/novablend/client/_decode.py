"""Creates dataclasses from JSON."""

from __future__ import annotations

import dataclasses
import functools
import keyword
import re
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ._errors import ProgramTooOldError
from ._time import Time

T = TypeVar("T")
Decoder = Callable[[Any], Any]


def decode(kind: type[T], value: Any) -> T:
    """A `kind` with the members of a JSON object. Unknown members are ignored."""
    hashable: Any = kind
    decoded: T = _decoder(hashable)(value)
    return decoded


@functools.cache
def _decoder(kind: Any) -> Decoder:
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        (present,) = (part for part in typing.get_args(kind) if part is not types.NoneType)
        return _decoder(present)
    if kind is Time:
        return Time.parse
    if typing.get_origin(kind) in (tuple, Sequence):
        element = _decoder(typing.get_args(kind)[0])
        return lambda value: tuple(map(element, value))
    return _object_decoder(kind) if dataclasses.is_dataclass(kind) else lambda value: value


def _object_decoder(kind: Any) -> Decoder:
    fields = {name: _decoder(type) for name, type in typing.get_type_hints(kind).items()}

    def decoded(value: dict[str, Any]) -> Any:
        members = {}
        try:
            for key, member in value.items():
                field = fields.get(name := snake_case(key))
                if field and member is not None:
                    members[name] = field(member)
            return kind(**members)
        except (TypeError, ValueError) as error:
            raise ProgramTooOldError(
                f"novablend returned an incomplete {kind.__name__} ({error}); update novablend"
            ) from error

    return decoded


@functools.cache
def snake_case(name: str) -> str:
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return snake + "_" if keyword.iskeyword(snake) else snake
