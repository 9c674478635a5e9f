"""A client that follows /changes, and has a copy of all appointments at the end."""

import random

from .appointment import Appointment
from .lists import read_pages
from .requester import Request, Requester


class Follower:
    """Its copy must be equal to the list, whatever happens in between."""

    def __init__(self, seed: int, requester: Requester):
        self._generator = random.Random(f"{seed} follower")
        self._requester = requester
        self._copy: dict[str, Appointment] = {}

    async def run(self) -> dict[str, Appointment] | None:
        """Follows the changes until the load has ended and no change is left. Returns None if the
        backend has no changes for this database."""
        cursor = await self._start()
        while cursor:
            is_last = self._requester.is_stopping
            wait = 0 if is_last else 5
            response = await self._get(f"/changes?since={cursor}&wait={wait}")
            if response.status == 410:
                cursor = await self._start()
                continue
            page = response.json()
            cursor = page["cursor"]
            self._store(page["appointments"])
            if is_last and not page["appointments"] and not page["salons"]:
                return self._copy
        return None

    async def _start(self) -> str | None:
        """Reads the whole list, after the cursor. Returns None without changes."""
        response = await self._get("/changes")
        if response.status == 501:
            return None
        self._copy = {}
        self._store(await read_pages("/appointments", "appointments", self._get))
        return response.json()["cursor"]

    def _store(self, appointments: list[dict]):
        for json in appointments:
            appointment = Appointment.from_json(json)
            self._copy[appointment.id] = appointment

    async def _get(self, path: str):
        response = await self._requester.perform(Request("GET", path), self._generator)
        if response is None:
            raise RuntimeError(f"{path}: no answer")
        return response
