"""Compares what clients know with what is stored, and reports each contradiction.

Nothing here uses the rules or the SQL of the backend."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from .appointment import Appointment
from .ledger import Ledger
from .tables import Tables

GRAIN = 300


def check(
    ledger: Ledger,
    tables: Tables,
    salons: list[dict],
    listed: list[Appointment],
    followed: dict[str, Appointment],
    subscribed: list[dict[str, Appointment]],
) -> list[str]:
    """All violations. `followed` is the copy of a client that follows the changes, and
    `subscribed` those of subscribers."""
    stored = [Appointment.from_row(row) for row in tables.appointments]
    reservations = [*active_appointments(tables), *active_holds(tables)]
    return [
        *ledger.problems,
        *(f"{key} ({what}) has no certain outcome" for key, what in ledger.uncertain.items()),
        *wrong_bookings(ledger, stored),
        *wrong_keys(ledger, tables.idempotency_keys),
        *lost_holds(ledger, tables),
        *overlaps(reservations, salons),
        *wrong_occupancy(reservations, salons, tables),
        *differences("the list", listed, stored),
        *differences("a follower", followed.values(), stored),
        *(
            problem
            for copy in subscribed
            for problem in differences(
                "a subscriber", copy.values(), [each.without_key for each in stored]
            )
        ),
    ]


def wrong_bookings(ledger: Ledger, stored: list[Appointment]) -> Iterator[str]:
    """Each confirmed booking exists once, as its last change has left it; nothing else exists."""
    by_key = defaultdict(list)
    for appointment in stored:
        by_key[appointment.key].append(appointment)
    for key, confirmed in ledger.confirmed.items():
        found = by_key.get(key, [])
        if key in ledger.uncertain:
            continue
        if not found:
            yield f"lost: {confirmed} was confirmed and does not exist"
        elif len(found) == 1 and found[0] != confirmed:
            yield f"different: {confirmed} was confirmed, and {found[0]} exists"
    for key, found in by_key.items():
        if len(found) > 1:
            yield f"repeated: key {key} has booked {found}"
        if key in ledger.rejected:
            yield f"resurrected: {found} was rejected with {ledger.rejected[key]}"
        elif key not in ledger.confirmed and key not in ledger.uncertain:
            yield f"unknown: no client has a confirmation of {found}"


def wrong_keys(ledger: Ledger, rows: list[dict]) -> Iterator[str]:
    """Each used key has the result that the client got, and the key of a rejection has none."""
    results = defaultdict(list)
    for row in rows:
        if row["result"] is not None:
            results[row["key"]].append(json.loads(row["result"])["id"])
    confirmed = {key: each.id for key, each in ledger.confirmed.items()} | ledger.changed
    for key, id in confirmed.items():
        if results.get(key) != [id]:
            yield f"key: {key} has the results {results.get(key, [])}, but {id} was confirmed"
    for key in ledger.rejected.keys() & results.keys():
        yield f"key: {key} was rejected with {ledger.rejected[key]} and has a result"


def lost_holds(ledger: Ledger, tables: Tables) -> Iterator[str]:
    """Each hold that was confirmed, and neither used nor released, exists until it expires."""
    expiries = {row["id"]: row["expires_at"] for row in tables.holds}
    for id, expiry in ledger.holds.items():
        if expiry > tables.now and expiries.get(id) != expiry:
            yield f"hold: {id} was confirmed until {expiry}, but is stored as {expiries.get(id)}"


def active_appointments(tables: Tables) -> list[dict]:
    return [
        row | {"expires_at": None} for row in tables.appointments if row["status"] == "booked"
    ]


def active_holds(tables: Tables) -> list[dict]:
    return [row for row in tables.holds if row["expires_at"] > tables.now]


def busy_time(row: dict) -> tuple[int, int]:
    """The time that an appointment or a hold takes, with its buffers."""
    start = row["instant"] - row["buffer_before"] * 60
    return start, row["instant"] + (row["minutes"] + row["buffer_after"]) * 60


def overlaps(reservations: list[dict], salons: list[dict]) -> Iterator[str]:
    """No staff member and no seat is taken twice."""
    by_resource = defaultdict(list)
    for row in reservations:
        by_resource[row["salon_id"], row["staff_id"]].append(row)
    capacities = {salon["id"]: salon.get("seats", 1) for salon in salons}
    have_staff = {salon["id"] for salon in salons if "staff" in salon}
    for (salon, staff), rows in by_resource.items():
        if (staff is not None) != (salon in have_staff):
            yield f"staff: {staff} is assigned in {salon}: {rows[0]}"
        capacity = 1 if staff else capacities[salon]
        yield from over_capacity(rows, capacity, f"{staff or 'the seats'} of {salon}")


def over_capacity(rows: list[dict], capacity: int, what: str) -> Iterator[str]:
    """The reservations at whose start more is taken than exists."""
    events = []
    for row in rows:
        start, end = busy_time(row)
        events += [(start, 1, row["seats"], row["id"]), (end, 0, -row["seats"], row["id"])]
    taken = 0
    # At the same time, ends come before starts.
    for instant, is_start, seats, id in sorted(events):
        taken += seats
        if is_start and taken > capacity:
            yield f"overlap: {taken} of {capacity} of {what} are taken at {instant} by {id}"


def wrong_occupancy(
    reservations: list[dict], salons: list[dict], tables: Tables
) -> Iterator[str]:
    """The occupied grains are exactly those of the reservations."""
    seats = {salon["id"]: salon.get("seats", 1) for salon in salons}
    expected = Counter()
    for row in reservations:
        start, end = busy_time(row)
        for grain in range(start // GRAIN, -(-end // GRAIN)):
            resource = f"staff {row['staff_id']}" if row["staff_id"] else "seat"
            place = row["salon_id"], grain, resource, row["id"], row["expires_at"]
            expected[place] += row["seats"]
    found = Counter()
    for row in tables.occupancy:
        if row["expires_at"] is not None and row["expires_at"] <= tables.now:
            continue
        salon, resource = row["salon_id"], row["resource"]
        if resource in [f"seat {number + 1}" for number in range(seats[salon])]:
            resource = "seat"
        found[salon, row["grain"], resource, row["owner"], row["expires_at"]] += 1
    for place, count in (expected - found).items():
        yield f"occupancy: {count} rows of {place} are missing"
    for place, count in (found - expected).items():
        yield f"occupancy: {count} rows of {place} are too many"


def differences(
    name: str, seen: Iterable[Appointment], stored: list[Appointment]
) -> Iterator[str]:
    """What clients see is what is stored."""
    seen, stored = Counter(seen), Counter(stored)
    for appointment in stored - seen:
        yield f"not seen: {name} lacks {appointment}"
    for appointment in seen - stored:
        yield f"not stored: {name} has {appointment}"
