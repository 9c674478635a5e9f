"""Moves the appointments of a day to another day, because the salon is closed: moving_bot.py SALON FROM TO ..."""

import asyncio
import sys
from datetime import date

from novablend.client import (
    ListedAppointment, NotBookableError, NovaBlend, OutsideOpeningHoursError, SlotUnavailableError, Time,
    VersionConflictError,
)


async def free_times(client: NovaBlend, appointment: ListedAppointment, day: date) -> list[Time]:
    found = await client.salons_availability(
        appointment.salon_id, start=day, end=day, appointment_id=appointment.id,
        service_id=appointment.service_id, only_free=True, fields=["slots"],
    )
    return [slot.appointment_time for each in found.days for slot in each.slots or ()]


async def move(client: NovaBlend, appointment: ListedAppointment, day: date) -> str:
    if appointment.id is None:
        return "the server gave it no id"
    times = await free_times(client, appointment, day)
    while times:
        try:
            moved = await client.appointments_reschedule(
                appointment.id, times.pop(0), version=appointment.version, timeout=120
            )
        except (SlotUnavailableError, OutsideOpeningHoursError, NotBookableError) as error:
            times = [time for time in error.alternatives if time.date() == day]
        except VersionConflictError:
            return "changed in the meantime"
        else:
            return f"{appointment.start:%d %H:%M} -> {moved.appointment.start:%d %H:%M}"
    return "no free time"


async def main(salon: str, first: str, second: str, *arguments: str) -> None:
    closed, other = date.fromisoformat(first), date.fromisoformat(second)
    async with NovaBlend(*arguments) as client:
        listed = client.appointments_list_all(salon_id=salon, start=closed, end=closed)
        for appointment in [each async for each in listed]:
            print(appointment.phone, await move(client, appointment, other))


asyncio.run(main(*sys.argv[1:]))
