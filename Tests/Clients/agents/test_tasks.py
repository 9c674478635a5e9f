"""Every task can be solved, and its check finds what a model did wrong."""

import pytest

from samples import NOVA, OWL, SOL, visit
from tasks import TASKS
from tasks.check import problems
from tasks.play import play
from tasks.task import BOOK, CANCEL, EXPORT, HOLD, MOVE
from tasks.world import running_world


def nothing(facts):
    yield from ()
    return "Done."


def twice(facts):
    for key in "first", "second":
        yield BOOK, visit(OWL, f"{facts['day']}T23:00", idempotencyKey=key)
    return "It is booked."


def another_salon(facts):
    yield BOOK, visit(NOVA, f"{facts['day']}T11:30")
    return "It is booked."


def another_hour(facts):
    yield BOOK, visit("Scherenschnitt", f"{facts['day']}T10:00Z")
    return "It is booked."


def another_person(facts):
    yield BOOK, visit(SOL, f"{facts['day']}T16:30", serviceId="cut", staffId="ana")
    return "It is booked."


def another_time_than_held(facts):
    yield BOOK, visit(NOVA, f"{facts['day']}T13:30")
    return "It is booked."


def book_and_hold(facts):
    yield HOLD, visit(NOVA, f"{facts['day']}T12:30")
    yield BOOK, visit(NOVA, f"{facts['day']}T13:30")
    return "It is held."


def cancel_all(facts):
    found = yield "appointments_list", {}
    for appointment in found["appointments"]:
        yield CANCEL, {"id": appointment["id"]}
    return "They are cancelled."


def book_again_instead_of_moving(facts):
    found = yield "appointments_list", {"salonId": NOVA}
    mine = min(found["appointments"], key=lambda each: each["appointmentTime"])
    yield CANCEL, {"id": mine["id"]}
    yield BOOK, visit(NOVA, f"{facts['next_day']}T11:30")
    return "It is moved."


def move_twice(facts):
    found = yield "appointments_list", {"salonId": NOVA}
    (mine,) = found["appointments"]
    for hour in 14, 15, 15:
        time = f"{facts['day']}T{hour}:30"
        yield MOVE, {"id": mine["id"], "appointmentTime": time}
    return "It is moved to 15:30."


def book_the_next_time_in_doubt(facts):
    yield BOOK, visit(NOVA, f"{facts['day']}T12:30")
    yield "appointments_resolve", {}
    yield BOOK, visit(NOVA, f"{facts['day']}T13:30")
    return "It is booked."


def export_everything(facts):
    yield EXPORT, {"file": f"{facts['directory']}/calendar.ics"}
    return "It is written."


def dry_run_and_hold(facts):
    yield BOOK, visit(NOVA, f"{facts['day']}T12:30", dryRun=True)
    yield HOLD, visit(NOVA, f"{facts['day']}T12:30")
    return "It is held."


MISTAKES = [
    ("find a salon by its hours", twice, "unexpected appointment"),
    ("distinguish similar names", another_salon, "unexpected appointment"),
    ("book where no time zone is known", another_hour, "there is no appointment"),
    ("book a person", another_person, "unexpected appointment"),
    ("book what is held", another_time_than_held, "1 times are held instead of 0"),
    ("hold without booking", book_and_hold, "appointments_book was called"),
    ("cancel the customer's appointments only", cancel_all, "3 appointments were cancelled"),
    ("cancel one of two appointments", cancel_all, "2 appointments were cancelled"),
    ("move an appointment", book_again_instead_of_moving, "appointments_cancel was called"),
    ("move once although the response is lost", move_twice, "there is no appointment"),
    ("book once although the response is lost", book_the_next_time_in_doubt, "unexpected"),
    ("export appointments", export_everything, "the file has a different content"),
    ("export appointments", nothing, "the file was not written"),
    ("know an appointment without a connection", nothing, "the answer is 'Done.'"),
]


@pytest.mark.parametrize("name", TASKS)
def test_can_be_solved(name, tmp_path, record_size):
    task = TASKS[name]
    with running_world(task, tmp_path) as world:
        played = play(task.script, world)
        assert problems(task, world, played.answer) == []
    record_size(name, played)


@pytest.mark.parametrize("name", TASKS)
def test_is_not_solved_by_doing_nothing(name, tmp_path):
    with running_world(TASKS[name], tmp_path) as world:
        assert problems(TASKS[name], world, play(nothing, world).answer) != []


@pytest.mark.parametrize("name, script, problem", MISTAKES)
def test_finds_a_mistake(name, script, problem, tmp_path):
    with running_world(TASKS[name], tmp_path) as world:
        found = problems(TASKS[name], world, play(script, world).answer)
    assert any(problem in each for each in found), found


def test_permits_a_dry_run(tmp_path):
    task = TASKS["hold without booking"]
    with running_world(task, tmp_path) as world:
        assert problems(task, world, play(dry_run_and_hold, world).answer) == []
