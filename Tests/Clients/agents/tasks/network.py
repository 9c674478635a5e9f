"""Bookings and changes whose response is lost, and lists without a connection."""

from samples import NOVA, visit
from tasks.task import BOOK, MOVE, Network, Task, except_for


def resolved(doubt, outcome):
    """Asks until the outcome of a call in doubt is known."""
    assert doubt["error"]["data"]["name"] == "bookingInDoubt", doubt
    resolution = {"outcome": "inDoubt"}
    while resolution["outcome"] == "inDoubt":
        result = yield "appointments_resolve", {}
        (resolution,) = result["resolutions"]
    assert resolution["outcome"] == outcome, resolution


def book(facts):
    doubt = yield BOOK, visit(NOVA, f"{facts['day']}T12:30")
    yield from resolved(doubt, "booked")
    return "It is booked."


def appointment():
    appointments = yield "appointments_list", {"salonId": "Atelier Nova"}
    (appointment,) = appointments["appointments"]
    return appointment


def move(facts):
    arguments = {"id": (yield from appointment())["id"]}
    doubt = yield MOVE, arguments | {"appointmentTime": f"{facts['day']}T15:30"}
    yield from resolved(doubt, "rescheduled")
    return "It is moved to 15:30."


def move_without_connection(facts):
    found = yield from appointment()
    time = f"{facts['day']}T12:30"
    refused = yield MOVE, {"id": found["id"], "appointmentTime": time}
    assert refused["error"]["data"]["name"] == "bookingRequiresConnection", refused
    return f"It is still at {found['start']}, because there is no connection."


TASKS = [
    Task(
        "book once although the response is lost",
        "Book Atelier Nova for Wednesday, {day}, at 12:30. Make sure that it is booked exactly "
        "once.",
        book,
        appointments=(visit(NOVA, "{day}T12:30"),),
        answer="(?i)book",
        forbidden=except_for(BOOK),
        network=Network.LOSES_RESPONSES,
    ),
    Task(
        "move once although the response is lost",
        "Move my appointment at Atelier Nova to 15:30 on the same day.",
        move,
        appointments=(visit(NOVA, "{day}T15:30", version=2),),
        answer="15:30|3:30",
        forbidden=except_for(MOVE),
        existing=(visit(NOVA, "{day}T11:30"),),
        network=Network.LOSES_RESPONSES,
    ),
    Task(
        "know an appointment without a connection",
        "Move my appointment at Atelier Nova to one hour later. If that is not possible at the "
        "moment, tell me at what time it is now.",
        move_without_connection,
        appointments=(visit(NOVA, "{day}T11:30", version=1),),
        answer="11:30",
        forbidden=except_for(MOVE),
        existing=(visit(NOVA, "{day}T11:30"),),
        network=Network.IS_DOWN,
    ),
]
