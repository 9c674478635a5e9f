"""What users do with the installed programs. Each `root` is a fresh installation of Debian; see root.py."""

import json
from contextlib import contextmanager
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import services

SALON, ZONE = "Atelier Nova", "Europe/Paris"


@contextmanager
def serving(root, *words, address="127.0.0.1"):
    """Runs a backend that listens on an address, and ends it."""
    process = root.start(*words, "--exit-with-input", environment={"PGPASSWORD": services.PASSWORD})
    try:
        line = process.stdout.readline()
        if f"http://{address}:8080" not in line:
            raise AssertionError(f"the backend did not start: {line} {process.communicate()}")
        yield
    finally:
        process.communicate()


def book(root, novablend, *options):
    """Books the first free time of a salon over HTTPS. It must be a time of the salon's zone."""
    base = [novablend, "--base-url", services.HTTPS, *options]
    today = datetime.now(ZoneInfo(ZONE)).date()
    week = ["--start", str(today + timedelta(days=1)), "--end", str(today + timedelta(days=8))]
    slots = json.loads(root.output(*base, "slots", SALON, *week, "--json"))
    assert slots["source"] == "server"
    day = next(day for day in slots["days"] if day["free"])
    start = f"{day['date']}T{day['free'][0]}"
    booking = json.loads(root.output(*base, "book", SALON, start, "--phone", "+33 1 1234567", "--json"))
    assert datetime.fromisoformat(start).replace(tzinfo=ZoneInfo(ZONE)).isoformat() in json.dumps(booking)
    assert services.stored(root) == 1


def sandbox(root, *words, **options):
    """Lists the sample salons with the command that the words start."""
    listed = json.loads(root.output(*words, "salons", "--sandbox", "--json", **options))
    assert SALON in [salon["name"] for salon in listed["salons"]]
