"""Hold a time, book a time that is held, and release a hold."""

from samples import NOVA, visit
from tasks.task import BOOK, HOLD, RELEASE, Task, except_for


def hold(facts):
    yield HOLD, visit(NOVA, f"{facts['day']}T12:30")
    return "12:30 is held for five minutes."


def book_held(facts):
    yield BOOK, visit(NOVA, f"{facts['day']}T12:30", holdId=facts["hold"])
    return "It is booked."


def release(facts):
    yield RELEASE, {"holdId": facts["hold"]}
    return "The time is free again."


HELD = (visit(NOVA, "{day}T12:30"),)

TASKS = [
    Task(
        "hold without booking",
        "Reserve Atelier Nova on Wednesday, {day}, at 12:30 for a few minutes while I think about "
        "it. Do not book it.",
        hold,
        holds=1,
        forbidden=except_for(HOLD),
    ),
    Task(
        "book what is held",
        "You hold Wednesday, {day}, at 12:30 at Atelier Nova for me, with the holdId {hold}. Book "
        "it.",
        book_held,
        appointments=HELD,
        forbidden=except_for(BOOK),
        held=HELD,
    ),
    Task(
        "release a hold",
        "You hold a time at Atelier Nova for me, with the holdId {hold}. I do not want it anymore.",
        release,
        forbidden=except_for(RELEASE),
        held=HELD,
    ),
]
