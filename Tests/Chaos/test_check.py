"""The check detects every kind of wrong data. Run with `python3 -m unittest`."""

import json
import unittest
from dataclasses import replace

from chaos.appointment import Appointment
from chaos.check import check
from chaos.ledger import Ledger
from chaos.tables import Tables

NOW = 1_800_000_000
NOON = NOW // 86_400 * 86_400 + 2 * 86_400 + 12 * 3_600
SALONS = [{"id": "staffed", "staff": []}, {"id": "seats", "seats": 2}, {"id": "plain"}]


class World:
    """What clients know, what is stored, and what is listed. At first, all agree."""

    def __init__(self):
        self.ledger = Ledger()
        self.tables = Tables(NOW)
        self.listed: list[Appointment] = []
        self.followed: dict[str, Appointment] | None = None
        """The copy of the follower; None if it equals what is stored."""
        self.subscribed: list[dict[str, Appointment]] = []

    def book(self, number: int, instant: int = NOON, salon: str = "staffed", **changes) -> dict:
        """Adds a booking of half an hour that its client knows, and returns its row."""
        row = {
            "id": f"id-{number}",
            "idempotency_key": f"key-{number}",
            "salon_id": salon,
            "instant": instant,
            "minutes": 30,
            "buffer_before": 0,
            "buffer_after": 0,
            "phone": f"{number}",
            "service_id": None,
            "staff_id": "ana" if salon == "staffed" else None,
            "seats": 1,
            "status": "booked",
            "version": 1,
        } | changes
        self.tables.appointments.append(row)
        appointment = Appointment.from_row(row)
        self.ledger.confirm(appointment)
        self.listed.append(appointment)
        if row["status"] == "booked":
            self.occupy(row)
        self.store_key(row["idempotency_key"], row["id"])
        return row

    def hold(self, number: int, instant: int = NOON, expires_at: int = NOW + 60) -> dict:
        """Adds a hold of the staff member that its client knows."""
        row = {
            "id": f"hold-{number}",
            "salon_id": "staffed",
            "instant": instant,
            "minutes": 30,
            "buffer_before": 0,
            "buffer_after": 0,
            "staff_id": "ana",
            "seats": 1,
            "expires_at": expires_at,
        }
        self.tables.holds.append(row)
        self.ledger.holds[row["id"]] = expires_at
        self.occupy(row, expires_at)
        return row

    def occupy(self, row: dict, expires_at: int | None = None):
        start = row["instant"] - row["buffer_before"] * 60
        end = row["instant"] + (row["minutes"] + row["buffer_after"]) * 60
        seats = [f"seat {number + 1}" for number in range(row["seats"])]
        for grain in range(start // 300, (end + 299) // 300):
            for resource in [f"staff {row['staff_id']}"] if row["staff_id"] else seats:
                self.tables.occupancy.append(
                    {
                        "salon_id": row["salon_id"],
                        "grain": grain,
                        "resource": resource,
                        "owner": row["id"],
                        "expires_at": expires_at,
                    }
                )

    def reject(self, number: int):
        self.ledger.rejected[f"key-{number}"] = "409 slotUnavailable"

    def store_key(self, key: str, id: str):
        self.tables.idempotency_keys.append({"key": key, "result": json.dumps({"id": id})})

    def violations(self) -> set[str]:
        """The kinds of violations."""
        followed = self.followed
        if followed is None:
            stored = [Appointment.from_row(row) for row in self.tables.appointments]
            followed = {each.id: each for each in stored}
        found = check(self.ledger, self.tables, SALONS, self.listed, followed, self.subscribed)
        return {violation.partition(":")[0] for violation in found}


class CheckTests(unittest.TestCase):
    def setUp(self):
        self.world = World()

    def expect(self, *kinds: str):
        self.assertEqual(self.world.violations(), set(kinds))

    # Nothing is wrong

    def test_adjacent_appointments_and_buffers_do_not_overlap(self):
        self.world.book(1)
        self.world.book(2, NOON + 50 * 60, buffer_before=20, buffer_after=10)
        self.world.book(3, NOON + 90 * 60, staff_id="bea")
        self.world.book(4, NOON, staff_id="bea")
        self.expect()

    def test_seats_can_be_taken_until_all_are(self):
        self.world.book(1, salon="seats")
        row = self.world.book(2, salon="seats")
        self.rename_seats(row, {"seat 1": "seat 2"})
        self.world.book(3, NOON + 1_800, salon="seats", seats=2)
        self.expect()

    def test_an_expired_hold_takes_nothing(self):
        self.world.hold(1, expires_at=NOW)
        self.world.book(1)
        self.expect()

    def test_a_cancelled_appointment_takes_nothing(self):
        self.world.book(1, status="cancelled", version=2)
        self.world.book(2)
        self.expect()

    def test_a_rejected_booking_does_not_exist(self):
        self.world.reject(1)
        self.expect()

    # Bookings

    def test_a_lost_booking(self):
        row = self.world.book(1)
        self.remove(row)
        self.world.tables.idempotency_keys.clear()
        self.expect("lost", "key")

    def test_a_booking_at_a_different_time(self):
        row = self.world.book(1)
        self.replace_everywhere(row, instant=NOON + 3_600)
        self.expect("different")

    def test_a_lost_move(self):
        row = self.world.book(1)
        moved = replace(Appointment.from_row(row), instant=NOON + 3_600, version=2)
        self.world.ledger.confirm(moved, change="move")
        self.expect("different", "key")

    def test_a_move_that_was_made_twice(self):
        row = self.world.book(1)
        self.replace_everywhere(row, version=2)
        self.expect("different")

    def test_a_lost_cancellation(self):
        row = self.world.book(1)
        cancelled = replace(Appointment.from_row(row), status="cancelled", version=2)
        self.world.ledger.confirm(cancelled)
        self.expect("different")

    def test_a_resurrected_rejection(self):
        self.world.book(1)
        del self.world.ledger.confirmed["key-1"]
        self.world.reject(1)
        self.expect("resurrected", "key")

    def test_a_rejected_change_that_was_made(self):
        self.world.book(1)
        self.world.reject(2)
        self.world.store_key("key-2", "id-1")
        self.expect("key")

    def test_a_key_that_has_booked_twice(self):
        self.world.book(1)
        self.world.book(2, NOON + 3_600, idempotency_key="key-1")
        del self.world.tables.idempotency_keys[1]
        self.world.ledger.confirmed["key-1"] = self.world.listed[0]
        self.expect("repeated")

    def test_a_booking_that_no_client_knows(self):
        self.world.book(1)
        self.world.ledger.confirmed.clear()
        self.expect("unknown")

    def test_a_request_without_a_certain_outcome(self):
        self.world.ledger.uncertain["key-1"] = "booking"
        self.expect("key-1 (booking) has no certain outcome")

    def test_contradictory_answers(self):
        self.world.ledger.problems.append("contradiction: two answers")
        self.expect("contradiction")

    # Resources

    def test_a_staff_member_who_is_taken_twice(self):
        self.world.book(1)
        self.world.book(2, NOON + 29 * 60)
        self.expect("overlap")

    def test_buffers_that_overlap(self):
        self.world.book(1, buffer_after=10)
        self.world.book(2, NOON + 35 * 60)
        self.expect("overlap")

    def test_a_hold_of_a_time_that_is_taken(self):
        self.world.book(1)
        self.world.hold(1)
        self.expect("overlap")

    def test_too_many_seats(self):
        self.world.book(1, salon="seats")
        self.world.book(2, NOON + 60, salon="seats", seats=2)
        self.expect("overlap")

    def test_two_appointments_at_a_salon_with_one_place(self):
        self.world.book(1, salon="plain")
        self.world.book(2, salon="plain")
        self.expect("overlap")

    def test_a_salon_with_staff_where_no_one_is_assigned(self):
        self.world.book(1, staff_id=None)
        self.expect("staff")

    # Occupied grains

    def test_a_grain_that_is_not_occupied(self):
        self.world.book(1)
        del self.world.tables.occupancy[-1]
        self.expect("occupancy")

    def test_a_grain_that_is_occupied_without_an_appointment(self):
        row = self.world.book(1, status="cancelled", version=2)
        self.world.occupy(row)
        self.expect("occupancy")

    def test_a_grain_of_a_different_staff_member(self):
        self.world.book(1)
        self.world.tables.occupancy[0]["resource"] = "staff bea"
        self.expect("occupancy")

    def test_a_seat_that_does_not_exist(self):
        row = self.world.book(1, salon="seats")
        self.rename_seats(row, {"seat 1": "seat 3"})
        self.expect("occupancy")

    def test_an_appointment_whose_grains_expire(self):
        self.world.book(1)
        self.world.tables.occupancy[0]["expires_at"] = NOW + 60
        self.expect("occupancy")

    # Holds

    def test_a_lost_hold(self):
        self.world.hold(1)
        self.world.tables.holds.clear()
        self.world.tables.occupancy.clear()
        self.expect("hold")

    def test_a_hold_that_ends_too_early(self):
        self.world.hold(1)
        self.world.tables.holds[0]["expires_at"] = NOW
        self.world.tables.occupancy.clear()
        self.expect("hold")

    # What clients see

    def test_an_appointment_that_is_not_listed(self):
        self.world.book(1)
        self.world.listed.clear()
        self.expect("not seen")

    def test_an_appointment_that_is_listed_twice(self):
        self.world.book(1)
        self.world.listed *= 2
        self.expect("not stored")

    def test_a_follower_who_has_missed_a_change(self):
        row = self.world.book(1, version=2)
        old = replace(Appointment.from_row(row), version=1)
        self.world.followed = {old.id: old}
        self.expect("not seen", "not stored")

    def test_a_subscriber_who_has_missed_a_change(self):
        row = self.world.book(1, version=2)
        current = Appointment.from_row(row).without_key
        self.world.subscribed = [{current.id: current}]
        self.expect()
        self.world.subscribed += [{current.id: replace(current, version=1)}]
        self.expect("not seen", "not stored")

    # Steps

    def remove(self, row: dict):
        self.world.tables.appointments.remove(row)
        self.world.listed.clear()
        self.world.tables.occupancy.clear()

    def replace_everywhere(self, row: dict, **changes):
        """Changes what is stored, and the list, but not what the client knows."""
        row.update(changes)
        self.world.listed[:] = [Appointment.from_row(row)]
        self.world.tables.occupancy.clear()
        self.world.occupy(row)

    def rename_seats(self, row: dict, names: dict[str, str]):
        for grain in self.world.tables.occupancy:
            if grain["owner"] == row["id"]:
                grain["resource"] = names[grain["resource"]]


if __name__ == "__main__":
    unittest.main()
