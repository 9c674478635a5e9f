"""A task for a model: a request, the world in which it starts, and what must be true at the end."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from samples import PHONE

OTHER_PHONE = "+33 6 55509876"
ROLE = (
    "You make appointments for a customer with the tools that you have. The customer's phone "
    f"number is {PHONE}. The customer cannot answer questions: do exactly what the request says, "
    "and then report the result in one sentence."
)

BOOK, HOLD, RELEASE = "appointments_book", "appointments_hold", "appointments_release"
MOVE, CANCEL, EXPORT = "appointments_reschedule", "appointments_cancel", "appointments_export"
CHANGES = BOOK, HOLD, RELEASE, MOVE, CANCEL, EXPORT


class Network(Enum):
    WORKS = auto()
    IS_DOWN = auto()
    """The program has cached the lists, and then there is no connection."""
    LOSES_RESPONSES = auto()
    """The server carries the first change out, but its response and the next ones do not arrive."""


@dataclass(frozen=True)
class Task:
    """Texts can contain facts of `facts.py`, and ids: `{appointment}`, `{hold}`, and `{directory}`.

    An appointment is described by some members that the server must show. `script` generates calls,
    receives their results, and returns an answer. It shows that the task can be solved."""

    name: str
    request: str
    script: Callable
    appointments: tuple = ()
    """All appointments that are booked at the end."""
    cancelled: int = 0
    holds: int = 0
    file: str = ""
    """An expression for all of `{directory}/calendar.ics`."""
    answer: str = ""
    """An expression that the model's last message must contain."""
    forbidden: tuple = ()
    """Tools that must not be called, except for a dry run."""
    existing: tuple = ()
    held: tuple = ()
    salons: tuple = ()
    network: Network = Network.WORKS


def except_for(*tools):
    return tuple(tool for tool in CHANGES if tool not in tools)
