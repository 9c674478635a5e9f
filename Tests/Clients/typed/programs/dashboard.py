"""Shows for each salon how many appointments there are, and their prices, after each change: dashboard.py ARGUMENTS...
Ctrl-C ends it."""

import asyncio
import sys
from collections import Counter, defaultdict
from decimal import Decimal

from novablend.client import NovaBlend, Outage


async def show(client: NovaBlend) -> None:
    counts: Counter[str] = Counter()
    sums: defaultdict[tuple[str, str], Decimal] = defaultdict(Decimal)
    async for appointment in client.appointments_list_all(policy="serverFirst"):
        salon = appointment.salon_name or appointment.salon_id
        counts[salon] += appointment.seats
        if appointment.price:
            amount, currency = appointment.price.split()
            sums[salon, currency] += Decimal(amount)
    for salon, count in counts.items():
        prices = [f"{total} {currency}" for (name, currency), total in sums.items() if name == salon]
        print(f"{salon}: {count}", *prices, flush=True)


async def main(*arguments: str) -> None:
    async with NovaBlend(*arguments) as client, client.changes("appointments") as events:
        await show(client)
        async for event in events:
            if isinstance(event, Outage):
                print(f"offline: {event.reason}" if event.offline else "online", flush=True)
            else:
                await show(client)


asyncio.run(main(*sys.argv[1:]))
