"""A call with a mistake, and what its answer must contain so that the next attempt succeeds.

An expectation is a regular expression, or a check of `expectations.py`. Arguments and expressions
can contain facts of `facts.py` and values of earlier calls, such as `{day}`."""

from dataclasses import dataclass
from enum import Enum, auto

from samples import AETHER, visit

# The id of nothing, or of a salon that a call adds.
NOWHERE = "99999999-0000-4000-8000-000000000009"
BOOK, HOLD, AVAILABILITY = "appointments_book", "appointments_hold", "salons_availability"


class Outcome(Enum):
    FAILS = auto()
    SUCCEEDS = auto()
    EITHER = auto()


@dataclass(frozen=True)
class Call:
    """A call with a mistake. The calls in `before` are made first and must succeed. If
    `is_in_doubt`, there is also a booking in doubt."""

    name: str
    tool: str
    arguments: object
    outcome: Outcome
    expectations: tuple
    before: tuple = ()
    is_in_doubt: bool = False


def fails(name, tool, arguments, *expectations, **options):
    return Call(name, tool, arguments, Outcome.FAILS, expectations, **options)


def succeeds(name, tool, arguments, *expectations, **options):
    return Call(name, tool, arguments, Outcome.SUCCEEDS, expectations, **options)


def either(name, tool, arguments, *expectations, **options):
    """A call that may succeed or fail. Its answer must meet the expectations in either case."""
    return Call(name, tool, arguments, Outcome.EITHER, expectations, **options)


def days(salon, start, end, **others):
    return {"salonId": salon, "start": start, "end": end} | others


def salon(dry_run=True, **members):
    """The arguments to add a salon. A member that is None is left out."""
    usual = {
        "id": NOWHERE,
        "name": "Salon Rive Gauche",
        "location": "4 Rue de Seine, Paris",
        "open_time": 9.0,
        "close_time": 17.0,
        "time_zone": "Europe/Paris",
    }
    kept = {name: value for name, value in (usual | members).items() if value is not None}
    return {"salon": kept, "dryRun": dry_run}


def closest(wrong, right):
    """An expression for an answer that suggests a name."""
    return rf"\b{wrong}\b.{{1,25}}\b{right}\b"


BOOKED = (BOOK, visit(AETHER, "{day}T09:00"))
CANCELLED = ("appointments_cancel", {"id": "{id}"})
OTHER_ATELIER = ("salons_put", salon(dry_run=False, name="Atelier Rive Gauche"))
NO_FEBRUARY_30 = "does not exist|has (only )?2[89] days"
END_AFTER_START = r"\bend\b.*\bafter\b.*\bstart\b"
WITH_OFFSET = r"{day}T10:00(:00)?(Z|[+-]\d\d:?\d\d)"
