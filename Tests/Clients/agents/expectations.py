"""What an answer must contain, apart from text."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from facts import PARIS, minutes_now

TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?")


@dataclass(frozen=True)
class Never:
    """An expression that the answer must not contain."""

    expression: str


@dataclass(frozen=True)
class Works:
    """At least one of the times in the answer makes the call succeed if `argument` is that time."""

    argument: str

    def holds(self, attempt):
        arguments = attempt.arguments | ({"dryRun": True} if attempt.has_dry_run else {})
        return any(
            attempt.call(arguments | {self.argument: time}).succeeded for time in new_times(attempt)
        )


def works(argument):
    return Works(argument)


@dataclass(frozen=True)
class Now:
    """The answer states the present time, to the minute, on the clock of the salon or in UTC."""

    def holds(self, attempt):
        return any(time[:16] in minutes_now() for time in times(attempt))


@dataclass(frozen=True)
class Example:
    """The answer contains a time in the near future that was not in the arguments."""

    def holds(self, attempt):
        now = datetime.now(UTC)
        soon = (instant(time) for time in new_times(attempt) if "T" in time)
        return any(now + timedelta(minutes=3) < time < now + timedelta(days=35) for time in soon)


NOW, EXAMPLE = Now(), Example()


def times(attempt):
    return list(dict.fromkeys(TIME.findall(attempt.text)))


def new_times(attempt):
    return [time for time in times(attempt) if time not in str(attempt.arguments)]


def instant(time):
    parsed = datetime.fromisoformat(time)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=PARIS)
