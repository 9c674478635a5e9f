"""Prints a salon's appointments of a day, as paper for the counter: morning_list.py SALON DAY ARGUMENTS..."""

import sys
from datetime import date

from novablend.client import ListedAppointment
from novablend.client.sync import NovaBlend


def line(appointment: ListedAppointment) -> str:
    until = f"-{appointment.end:%H:%M}" if appointment.end else ""
    parts = [
        f"{appointment.start:%H:%M}{until}", appointment.service, appointment.staff, appointment.price,
        appointment.phone, "own" if appointment.own else None,
        appointment.status if appointment.status != "booked" else None,
    ]
    return "  ".join(part for part in parts if part)


def main(salon: str, day: str, *arguments: str) -> None:
    today = date.fromisoformat(day)
    with NovaBlend(*arguments) as client:
        print(client.salons_get(salon).salon.name, f"{today:%A}")
        listed = client.appointments_list_all(
            salon_id=salon, start=today, end=today, status="all", limit=2, timeout=30
        )
        for appointment in listed:
            print(line(appointment))


main(*sys.argv[1:])
