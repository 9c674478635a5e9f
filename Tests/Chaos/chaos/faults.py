"""Kills instances and database servers while the load runs."""

import asyncio
import random

from .backends import Instance
from .commands import wait_until
from .database import Pair
from .ledger import Ledger

# Seconds in which clients act on what a skipped replication has shown them.
SKIPPED_SECONDS = 2


class Faults:
    """Injects one fault after the other. After each fault, requests must be confirmed again.

    The last fault is a failover, so that the data that is checked afterward has survived one."""

    def __init__(
        self, seed: int, pair: Pair, instances: list[Instance], ledger: Ledger, clients: int
    ):
        self._generator = random.Random(f"{seed} faults")
        self._pair = pair
        self._instances = instances
        self._ledger = ledger
        # Requests that an instance had when the fault ended can be confirmed before the proxy
        # accepts new ones. Each client has one at most, so one more confirmation is of a new one.
        self._recovered_confirmations = clients + 1
        self._start = 0.0
        self._is_in_progress = False
        self._count_of_faults = 0

    @property
    def quiet_period(self) -> int | None:
        """The number of the time between two faults; None while there is a fault."""
        return None if self._is_in_progress else self._count_of_faults

    async def inject(self, seconds: float):
        self._start = asyncio.get_running_loop().time()
        end = self._start + seconds
        # Even a short run has a failover in each direction.
        kinds = [self.kill_instances, self.fail_over, self.skip_replication]
        while True:
            for kind in kinds:
                await self._recover(self._generator.randint(50, 800))
                self._log(kind.__name__.replace("_", " "))
                await self._run(kind)
            if asyncio.get_running_loop().time() > end:
                break
            kinds = self._generator.choices(
                [self.kill_instances, self.fail_over, self.kill_standby, self.skip_replication,
                 self.fail_over_to_late_standby],
                [6, 4, 2, 1, 1],
            )
        await self._recover(200)
        self._log("fail over at the end")
        await self._run(self.fail_over)

    async def _recover(self, confirmations: int):
        """Waits until the fault has passed, and then for the given number of confirmations."""
        await self._ledger.wait_for_confirmations(self._recovered_confirmations)
        self._is_in_progress = False
        await self._ledger.wait_for_confirmations(confirmations)

    async def _run(self, kind):
        self._count_of_faults += 1
        self._is_in_progress = True
        await kind()

    async def kill_instances(self):
        """Kills one instance or more, and starts them again after the others have worked alone."""
        count = self._generator.choice([1, 1, 1, 2, 3])
        killed = self._generator.sample(self._instances, count)
        await asyncio.gather(*(instance.kill() for instance in killed))
        self._count("instance killed", count)
        if count < len(self._instances):
            await self._ledger.wait_for_confirmations(self._generator.randint(1, 300))
        await asyncio.gather(*(instance.start() for instance in killed))

    async def fail_over(self):
        """Kills the primary, promotes the standby, and rebuilds the old primary as the standby.
        Sometimes an instance is killed at the same moment."""
        instance = self._generator.choice([None, None, *self._instances])
        if instance:
            await asyncio.gather(self._pair.primary.kill(), instance.kill())
            self._count("instance killed")
        else:
            await self._pair.primary.kill()
        self._count("primary killed")
        await self._promote()
        if instance:
            await instance.start()

    async def kill_standby(self):
        """Kills the standby, so that no change can be committed, and starts it again."""
        await self._lose_standby()
        await self._pair.restart_standby()

    async def fail_over_to_late_standby(self):
        """Kills the standby, and then the primary, whose last transactions the standby lacks. None
        of them may have been confirmed."""
        await self._lose_standby()
        await self._replace_primary()

    async def skip_replication(self):
        """Kills the standby, cancels the commits that wait for it, and then kills the primary.
        After the cancellation, other clients see transactions that will be lost."""
        await self._lose_standby()
        self._count("commits without replication", await self._pair.skip_replication())
        await asyncio.sleep(SKIPPED_SECONDS)
        await self._replace_primary()

    async def _replace_primary(self):
        """Kills the primary, and starts and promotes the standby."""
        await self._pair.primary.kill()
        self._count("primary killed")
        await self._pair.standby.start()
        await self._promote()

    async def _promote(self):
        await self._pair.promote_standby()
        self._count(f"promoted {self._pair.primary.name}")
        await self._pair.rebuild_standby()

    async def _lose_standby(self):
        """Kills the standby, and waits until a commit waits for it."""
        await self._pair.standby.kill()
        self._count("standby killed")

        async def waits():
            return await self._pair.primary.query(
                "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' LIMIT 1"
            )

        await wait_until(waits, "a commit that waits for the standby")

    def _count(self, what: str, count: int = 1):
        self._ledger.counts[f"fault: {what}"] += count

    def _log(self, what: str):
        seconds = asyncio.get_running_loop().time() - self._start
        count = self._ledger.confirmations
        print(f"  {seconds:6.1f} s, {count:,} confirmations: {what}", flush=True)
