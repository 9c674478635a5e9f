"""Books a time for a customer as soon as it is free: waiting_list.py SALON TIME SERVICE PHONE ARGUMENTS..."""

import asyncio
import sys
from datetime import datetime

from novablend.client import NovaBlend, Outage, SlotUnavailableError


async def is_booked(client: NovaBlend, salon: str, time: datetime, service: str, phone: str) -> bool:
    try:
        booked = await client.appointments_book(
            salon_id=salon, appointment_time=time, phone=phone, service_id=service
        )
    except SlotUnavailableError as error:
        others = ", ".join(f"{other:%H:%M}" for other in error.alternatives)
        print(f"Taken; others are {others or 'not known'}.", flush=True)
        return False
    print(f"Booked {booked.appointment.start:%A %H:%M} for {booked.appointment.phone}.")
    return True


async def main(salon: str, time: str, service: str, phone: str, *arguments: str) -> None:
    wanted = datetime.fromisoformat(time)
    async with NovaBlend(*arguments) as client, client.changes("appointments") as events:
        if await is_booked(client, salon, wanted, service, phone):
            return
        async for event in events:
            if isinstance(event, Outage):
                print(f"No server since {event.since:%H:%M}." if event.since else "The server is back.")
            elif event.changed or event.deleted or event.all:
                if await is_booked(client, salon, wanted, service, phone):
                    return


asyncio.run(main(*sys.argv[1:]))
