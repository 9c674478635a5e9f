"""What Schemathesis cannot know from a schema: valid times and ids, and rules that reject requests."""

import re
from datetime import UTC, datetime, timedelta
from itertools import count

import schemathesis

# Some numbers are not read (see docs/JSON.md), and some dates and times do not exist.
NUMBER = "a number is too large for 64 bits"
DATE = r"(staff\[\d+\]\.)?exceptions\[\d+\]\.(date|from|to) must"
TIME = r"(exceptions\[\d+\]\.)?(open|close)_time must be a time"

# A salon offers only its own services and staff, and as many seats as it has.
OPTION = "(serviceId|staffId) (cannot be chosen|must be one of|is )|seats must be (at most|1,)"
HOLD = "holdId is a hold for a different"
GRAINS = r".* (must be a multiple|must have hours in multiples) of|staff\[\d+\]\.services\[\d+\] must be"

# The errors that a valid request can get, and the beginnings of their messages, unless all of them
# state a rule. Schemathesis replaces braces in keys with a character that keys cannot contain.
RULES = {
    "malformedRequest": "the target contains an encoded control character",
    "invalidPage": "cursor must be|after must be|since must be",
    "invalidBooking": f"{NUMBER}|the appointment is in the past|{OPTION}|{HOLD}",
    "invalidSalon": f"{NUMBER}|{DATE}|{TIME}|{GRAINS}|the backend does not know the time zone",
    "invalidKey": "",
    "outsideOpeningHours": "",
    "notBookable": "",
    "notYourHold": "",
    "idempotencyConflict": "",
    "versionConflict": "",
    "preconditionRequired": "",
}

tomorrow = datetime.now(UTC).replace(hour=13) + timedelta(days=1)
numbers = count()


@schemathesis.check
def only_rules_reject_valid_requests(_, response, case):
    if is_valid(case) and response.status_code in (400, 403, 412, 422, 428):
        problem = response.json()
        message = RULES.get(problem["error"])
        assert message is not None and re.match(message, problem["message"]), problem


@schemathesis.hook
def before_call(_, case, kwargs):
    """Uses free times, the ids of salons in their paths, and, in every second request, any version."""
    if not is_valid(case):
        return
    number = next(numbers)
    time = tomorrow + timedelta(days=number % 80)
    if case.method in ("POST", "PATCH"):
        case.body["appointmentTime"] = written(time)
        if number % 4:
            drop_options(case.body)
    elif case.method == "PUT":
        case.body["id"] = case.path_parameters["id"]
    elif case.path.endswith("/availability"):
        case.query |= {"start": written(time), "end": written(time + timedelta(days=2))}
        if number % 4:
            drop_options(case.query)
    elif "wait" in case.query:
        # The client would give up before a longer wait for a change ends.
        case.query["wait"] = 1
    if "If-Match" in case.headers and number % 2:
        case.headers["If-Match"] = "*"


def drop_options(members):
    """Removes what most salons do not offer."""
    for name in "serviceId", "staffId", "seats":
        members.pop(name, None)


def written(time):
    return time.strftime("%Y-%m-%dT%H:00:00Z")


def is_valid(case):
    return case.meta.generation.mode.is_positive
