"""What the clients know for certain at the end of a run."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from .appointment import Appointment

# Seconds in which something must be confirmed again after a fault.
DEADLINE = 90


@dataclass
class Ledger:
    """The certain outcomes of requests, by their idempotency keys."""

    confirmed: dict[str, Appointment] = field(default_factory=dict)
    """Bookings that were confirmed, as their last confirmed change has left them."""
    changed: dict[str, str] = field(default_factory=dict)
    """The ids of appointments that were changed, by the key of the change."""
    rejected: dict[str, str] = field(default_factory=dict)
    """Bookings and changes that were rejected, with the reason."""
    uncertain: dict[str, str] = field(default_factory=dict)
    """Bookings and changes that had no certain outcome when the run ended."""
    holds: dict[str, int] = field(default_factory=dict)
    """When the holds expire that were confirmed and neither booked nor released, by id."""
    problems: list[str] = field(default_factory=list)
    """Answers that contradict each other or the rules."""
    salon_changes: list[float] = field(default_factory=list)
    """How many seconds each change of a salon took while there was no fault."""
    counts: Counter = field(default_factory=Counter)
    confirmations: int = 0
    _progress: asyncio.Event = field(default_factory=asyncio.Event)

    def confirm(self, appointment: Appointment, change: str | None = None):
        """Records a booking, or a change of one with the key of the change."""
        self.confirmed[appointment.key] = appointment
        if change is not None:
            self.changed[change] = appointment.id
        self.note_progress()

    def note_progress(self):
        self.confirmations += 1
        self._progress.set()

    async def wait_for_confirmations(self, count: int):
        """Waits until `count` more requests are confirmed."""
        target = self.confirmations + count
        async with asyncio.timeout(DEADLINE):
            while self.confirmations < target:
                self._progress.clear()
                await self._progress.wait()
