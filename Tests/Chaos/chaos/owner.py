"""The owner of the salons, who changes one after the other while customers book there."""

import asyncio
import random

from .faults import Faults
from .ledger import Ledger
from .requester import Request, Requester

# Seconds that a change may take, however many customers book at the salon.
MAXIMUM_SECONDS = 2


class Owner:
    """Makes changes that affect no booking. A change takes no longer than the maximum, unless a
    fault happens in the meantime."""

    def __init__(self, seed: int, requester: Requester, ledger: Ledger, faults: Faults):
        self._generator = random.Random(f"{seed} owner")
        self._requester = requester
        self._ledger = ledger
        self._faults = faults

    async def run(self, salons: list[dict]):
        number = 0
        while not self._requester.is_stopping:
            number += 1
            salon = self._generator.choice(salons) | {"location": f"Lisbon {number}"}
            await self._change(salon)

    async def _change(self, salon: dict):
        request = Request("PUT", f"/salons/{salon['id']}", salon, headers={"If-Match": "*"})
        loop = asyncio.get_running_loop()
        start, period_before = loop.time(), self._faults.quiet_period
        response = await self._requester.send(request)
        seconds = loop.time() - start
        was_quiet = period_before is not None and period_before == self._faults.quiet_period
        if not was_quiet:
            await asyncio.sleep(0.1)
            return
        self._ledger.salon_changes.append(seconds)
        if seconds > MAXIMUM_SECONDS or not (response and response.is_success):
            answer = f"{response.status} {response.error}" if response else "no answer"
            self._ledger.problems.append(
                f"a change of salon {salon['id']} took {seconds:.1f} s: {answer}"
            )
