"""A client that follows /changes, and has a copy of all appointments at the end."""

import random

from .appointment import Appointment
from .lists import read_pages
from .requester import Request, Requester
from .salons import salon

LAST_CHANGE = salon(99)
"""A salon that is created after all other changes."""


class Follower:
    """A client whose copy must equal the list at the end, whatever happens in between."""

    def __init__(self, seed: int, requester: Requester):
        self._generator = random.Random(f"{seed} follower")
        self._requester = requester
        self._copy: dict[str, Appointment] = {}
        self._is_complete = False

    async def run(self) -> dict[str, Appointment]:
        """Follows the changes up to the last one, and returns the copy."""
        cursor = await self._start()
        while True:
            response = await self._get(f"/changes?since={cursor}&wait=5")
            if response.status == 410:
                is_complete = self._is_complete
                cursor = await self._start()
                if is_complete:
                    return self._copy
                continue
            page = response.json()
            cursor = page["cursor"]
            self._store(page["appointments"])
            if any(each["id"] == LAST_CHANGE["id"] for each in page["salons"]):
                return self._copy

    async def finish(self):
        """Makes the last change, after which nothing else may be changed. An empty page does not show
        that there are no changes: transactions that run delay them."""
        request = Request(
            "PUT",
            f"/salons/{LAST_CHANGE['id']}",
            LAST_CHANGE,
            headers={"If-None-Match": "*"},
        )
        if not await self._requester.perform(request, self._generator):
            raise RuntimeError("the last change: no answer")
        self._is_complete = True

    async def _start(self) -> str:
        """Reads the whole list, after the cursor."""
        response = await self._get("/changes")
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
