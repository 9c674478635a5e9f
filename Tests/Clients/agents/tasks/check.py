"""What is wrong at the end of a task."""

import re
from pathlib import Path

from facts import filled
from tasks.world import instant


def problems(task, world, answer):
    """Sentences about the final state, the calls, and the answer; none if the task was solved."""
    return [
        *wrong_appointments(task, world),
        *wrong_holds(task, world),
        *wrong_file(task, world),
        *forbidden_calls(task, world),
        *wrong_answer(task, world, answer),
    ]


def wrong_appointments(task, world):
    found = world.appointments()
    remaining = [each for each in found if each.get("status") != "cancelled"]
    cancelled = len(found) - len(remaining)
    if cancelled != task.cancelled:
        yield f"{cancelled} appointments were cancelled instead of {task.cancelled}"
    for expected in filled(list(task.appointments), world.facts):
        match = next((each for each in remaining if agrees(each, expected)), None)
        if match:
            remaining.remove(match)
        else:
            yield f"there is no appointment {expected}"
    yield from (f"there is an unexpected appointment {each}" for each in remaining)


def agrees(appointment, expected):
    return all(
        instant(appointment) == instant(expected)
        if name == "appointmentTime"
        else appointment.get(name) == value
        for name, value in expected.items()
    )


def wrong_holds(task, world):
    if world.holds() != task.holds:
        yield f"{world.holds()} times are held instead of {task.holds}"


def wrong_file(task, world):
    file = Path(filled("{directory}/calendar.ics", world.facts))
    if task.file and not file.exists():
        yield "the file was not written"
    elif task.file and not re.fullmatch(task.file, file.read_text(), re.DOTALL):
        yield "the file has a different content"


def forbidden_calls(task, world):
    for tool, arguments in world.calls():
        if tool in task.forbidden and not arguments.get("dryRun"):
            yield f"{tool} was called"


def wrong_answer(task, world, answer):
    if not re.search(filled(task.answer, world.facts), answer):
        yield f"the answer is {answer!r}"
