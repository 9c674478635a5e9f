"""A simulated customer: books, holds, moves, cancels, and looks at what it has booked."""

import random
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from .appointment import Appointment, parse_time
from .http_client import Response
from .ledger import Ledger
from .requester import Request, Requester
from .salons import Place, Places

MAXIMUM_BOOKINGS = 8
# The backend allows three. One may exist although its answer was lost.
MAXIMUM_HOLDS = 2
SECONDS_BEFORE_EXPIRY = 3


@dataclass(frozen=True)
class Hold:
    id: str
    place: Place
    expires_at: int


class Customer:
    """The only client that uses its phone number, so it knows what must be stored."""

    def __init__(
        self, number: int, seed: int, requester: Requester, ledger: Ledger, places: Places
    ):
        self._generator = random.Random(f"{seed} {number}")
        self._requester = requester
        self._ledger = ledger
        self._places = places
        self._phone = f"+49 30 {7_000_000 + number}"
        self._prefix = f"{seed}-{number}-"
        self._key_count = 0
        self._bookings: dict[str, Place] = {}
        """The places of active appointments, by the keys that booked them."""
        self._holds: list[Hold] = []

    async def run(self):
        while not self._requester.is_stopping:
            await self._generator.choices(
                [self._book, self._hold, self._use_hold, self._move, self._cancel, self._look,
                 self._ask_for_slots, self._book_nonsense],
                [30, 14, 14, 16, 14, 8, 3, 2],
            )[0]()

    # Bookings

    async def _book(self):
        if len(self._bookings) < MAXIMUM_BOOKINGS:
            await self._request_booking(self._places.any(self._generator))

    async def _request_booking(self, place: Place, hold: Hold | None = None) -> Response | None:
        key = self._next_key()
        body = place.body(self._phone) | ({"holdId": hold.id} if hold else {})
        request = Request("POST", "/appointments", body, key, place.salon)
        response = await self._perform(request)
        if response is None:
            self._ledger.uncertain[key] = "booking"
        elif response.is_success:
            appointment = Appointment.from_json(response.json(), key)
            self._check_echo(appointment, place, version=1)
            self._bookings[key] = place
            self._ledger.confirm(appointment)
        else:
            self._reject(request, response, "slotUnavailable")
        return response

    async def _book_nonsense(self):
        """A request that must be rejected."""
        place = self._places.any(self._generator)
        body, error = self._generator.choice(
            [
                (place.body("12"), "invalidBooking"),
                (self._places.outside_opening_hours(self._generator).body(self._phone),
                 "outsideOpeningHours"),
                (place.body(self._phone) | {"salonId": "c4a05000-0000-4000-8000-ffffffffffff"},
                 "salonNotFound"),
            ]
        )
        request = Request("POST", "/appointments", body, self._next_key(), place.salon)
        response = await self._perform(request)
        if response is None:
            self._ledger.uncertain[request.key] = "booking"
        elif response.is_success:
            self._ledger.problems.append(f"{request.key} was booked, but is invalid: {body}")
        else:
            self._reject(request, response, error)

    # Holds

    async def _hold(self):
        if len(self._holds) >= MAXIMUM_HOLDS:
            return
        place = self._places.any(self._generator)
        minutes = self._generator.choice([1, 1, 5, 15])
        body = place.body(self._phone) | {"minutes": minutes}
        request = Request("POST", "/holds", body, self._next_key())
        response = await self._perform(request)
        if response and response.is_success:
            json = response.json()
            hold = Hold(json["id"], place, parse_time(json["expiresAt"]))
            self._holds.append(hold)
            self._ledger.holds[hold.id] = hold.expires_at
            self._ledger.note_progress()
        elif response and response.error not in ("slotUnavailable", "tooManyHolds"):
            self._report(request, response)

    async def _use_hold(self):
        if not self._holds:
            return
        hold = self._holds.pop(self._generator.randrange(len(self._holds)))
        # From now on the hold may have ended.
        del self._ledger.holds[hold.id]
        if self._generator.random() < 0.3:
            await self._release(hold)
            return
        response = await self._request_booking(hold.place, hold)
        if response and response.is_rejection and "date" in response.headers:
            time = parsedate_to_datetime(response.headers["date"]).timestamp()
            if time < hold.expires_at - SECONDS_BEFORE_EXPIRY:
                self._ledger.problems.append(
                    f"hold {hold.id} until {hold.expires_at} has not held its time: at {time:.0f}, "
                    f"the booking was rejected with {response.error}"
                )

    async def _release(self, hold: Hold):
        request = Request("DELETE", f"/holds/{hold.id}")
        response = await self._perform(request)
        if response and not response.is_success:
            self._report(request, response)

    # Changes

    async def _move(self):
        if not self._bookings:
            return
        key = self._generator.choice(list(self._bookings))
        before = self._ledger.confirmed[key]
        place = self._places.move(self._bookings[key], self._generator)
        body = {"appointmentTime": place.body(self._phone)["appointmentTime"]}
        after = await self._change("PATCH", before, body, "slotUnavailable")
        if after:
            self._check_echo(after, place, before.version + 1)
            self._bookings[key] = place

    async def _cancel(self):
        if not self._bookings:
            return
        key = self._generator.choice(list(self._bookings))
        before = self._ledger.confirmed[key]
        after = await self._change("DELETE", before)
        if after:
            if (after.status, after.version) != ("cancelled", before.version + 1):
                self._ledger.problems.append(f"{before} was cancelled, but is {after}")
            del self._bookings[key]

    async def _change(
        self, method: str, before: Appointment, body: dict | None = None, *errors: str
    ) -> Appointment | None:
        """Changes an appointment, and returns it if it was changed."""
        request = Request(
            method,
            f"/appointments/{before.id}",
            body,
            self._next_key(),
            before.salon,
            {"If-Match": f'"{before.version}"'},
        )
        response = await self._perform(request)
        if response is None:
            self._ledger.uncertain[request.key] = f"{method} of the booking {before.key}"
            # What is stored now is no longer certain.
            self._ledger.uncertain[before.key] = "booking"
            self._bookings.pop(before.key)
        elif response.is_success:
            after = Appointment.from_json(response.json(), before.key)
            self._ledger.confirm(after, change=request.key)
            return after
        else:
            self._reject(request, response, *errors)
        return None

    # Reads

    async def _look(self):
        """Reads an appointment, which must be as its last confirmed change has left it."""
        if not self._bookings:
            return
        expected = self._ledger.confirmed[self._generator.choice(list(self._bookings))]
        request = Request("GET", f"/appointments/{expected.id}")
        response = await self._perform(request)
        if response and response.is_rejection:
            self._report(request, response)
        elif response:
            found = Appointment.from_json(response.json())
            if found != expected:
                self._ledger.problems.append(f"{expected} was confirmed, but read as {found}")

    async def _ask_for_slots(self):
        place = self._places.any(self._generator)
        start = place.body(self._phone)["appointmentTime"].replace("+", "%2B")
        service = f"&serviceId={place.service}" if place.service else ""
        end = start.replace(start[11:19], "23:00:00")
        request = Request(
            "GET", f"/salons/{place.salon}/availability?start={start}&end={end}{service}"
        )
        response = await self._perform(request)
        if response and response.is_rejection:
            self._report(request, response)

    # Steps

    async def _perform(self, request: Request) -> Response | None:
        # Some send each request twice, to two instances.
        is_doubled = request.key is not None and self._generator.random() < 0.1
        return await self._requester.perform(request, self._generator, is_doubled)

    def _next_key(self) -> str:
        self._key_count += 1
        return f"{self._prefix}{self._key_count}"

    def _check_echo(self, appointment: Appointment, place: Place, version: int):
        echoed = (
            appointment.salon,
            appointment.instant,
            appointment.phone,
            appointment.service,
            appointment.seats,
            appointment.status,
            appointment.version,
        )
        requested = (place.salon, place.instant, self._phone, place.service, place.seats)
        if echoed != (*requested, "booked", version):
            self._ledger.problems.append(f"{place} was requested, but {appointment} was confirmed")
        if place.staff not in (None, appointment.staff):
            self._ledger.problems.append(f"{place} was requested, but {appointment} was confirmed")

    def _reject(self, request: Request, response: Response, *expected: str):
        self._ledger.rejected[request.key] = f"{response.status} {response.error}"
        if response.error not in expected:
            self._report(request, response)

    def _report(self, request: Request, response: Response):
        self._ledger.problems.append(
            f"{request} of {self._phone} must not be answered with "
            f"{response.status} {response.body.decode(errors='replace')}"
        )
