"""Move, cancel, and export appointments."""

from samples import AETHER, NOVA, OWL, PHONE, visit
from tasks.task import CANCEL, EXPORT, MOVE, OTHER_PHONE, Task, except_for

OTHERS = visit(NOVA, "{day}T12:30", OTHER_PHONE)


def move(facts):
    appointments = yield "appointments_list", {"salonId": NOVA}
    (mine,) = (each for each in appointments["appointments"] if each["phone"] == PHONE)
    arguments = {"id": mine["id"], "version": mine["version"]}
    yield MOVE, arguments | {"appointmentTime": f"{facts['next_day']}T11:30"}
    return "It is moved to Thursday."


def cancel_later(facts):
    appointments = yield "appointments_list", {"start": facts["next_day"]}
    (later,) = appointments["appointments"]
    yield CANCEL, {"id": later["id"]}
    return "The later one is cancelled."


def cancel_mine(facts):
    appointments = yield "appointments_list", {"fields": ["phone"]}
    for appointment in appointments["appointments"]:
        if appointment["phone"] == PHONE:
            yield CANCEL, {"id": appointment["id"]}
    return "Both are cancelled."


def export(facts):
    file = f"{facts['directory']}/calendar.ics"
    yield EXPORT, {"salonId": "Atelier Nova", "file": file}
    return f"The appointment is in {file}."


TASKS = [
    Task(
        "move an appointment",
        "Move my appointment at Atelier Nova to Thursday, {next_day}, at the same time of day.",
        move,
        appointments=(visit(NOVA, "{next_day}T11:30", version=2), OTHERS | {"version": 1}),
        forbidden=except_for(MOVE),
        existing=(visit(NOVA, "{day}T11:30"), OTHERS),
    ),
    Task(
        "cancel one of two appointments",
        "I have two appointments at Atelier Nova. Cancel the later one.",
        cancel_later,
        appointments=(visit(NOVA, "{day}T14:30", version=1),),
        cancelled=1,
        forbidden=except_for(CANCEL),
        existing=(visit(NOVA, "{day}T14:30"), visit(NOVA, "{next_day}T11:30")),
    ),
    Task(
        "cancel the customer's appointments only",
        "Cancel all of my appointments. The list may also show those of other customers.",
        cancel_mine,
        appointments=(OTHERS | {"version": 1},),
        cancelled=2,
        forbidden=except_for(CANCEL),
        existing=(visit(OWL, "{day}T20:00"), OTHERS, visit(AETHER, "{day}T09:00")),
    ),
    Task(
        "export appointments",
        "Write my appointment at Atelier Nova to the calendar file {directory}/calendar.ics, and "
        "no other one.",
        export,
        appointments=(visit(NOVA, "{day}T11:30"), visit(OWL, "{day}T20:00")),
        file=r"((?!VEVENT).)*BEGIN:VEVENT((?!VEVENT).)*Atelier Nova((?!BEGIN:VEVENT).)*",
        forbidden=except_for(EXPORT),
        existing=(visit(NOVA, "{day}T11:30"), visit(OWL, "{day}T20:00")),
    ),
]
