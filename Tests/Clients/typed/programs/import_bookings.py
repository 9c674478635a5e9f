"""Books the appointments of a table: import_bookings.py FILE ARGUMENTS... Each line of the table has a salon, a local
time, a service or nothing, and a phone number. The import can be repeated: each line has its own key."""

import csv
import hashlib
import sys
from datetime import datetime

from novablend.client import (
    BookingInDoubtError, CallError, ConfirmedAppointment, InvalidParamsError, NotBookableError,
    OutsideOpeningHoursError, SlotUnavailableError,
)
from novablend.client.sync import NovaBlend


def book(client: NovaBlend, salon: str, time: str, service: str, phone: str) -> ConfirmedAppointment:
    key = hashlib.sha256(f"{salon}\n{time}\n{service}\n{phone}".encode()).hexdigest()
    return client.appointments_book(
        salon_id=salon,
        appointment_time=datetime.fromisoformat(time),
        phone=phone,
        service_id=service or None,
        idempotency_key=key,
    )


def result(client: NovaBlend, row: list[str]) -> str:
    try:
        appointment = book(client, *row).appointment
    except (SlotUnavailableError, OutsideOpeningHoursError, NotBookableError) as error:
        return "not booked; free: " + ", ".join(f"{time:%d %H:%M}" for time in error.alternatives[:2])
    except InvalidParamsError as error:
        meant = [*(time.text for time in error.candidates), *(salon.name for salon in error.salons)]
        return f"{error.parameter} is wrong; meant: {', '.join(meant) or 'unknown'}"
    except BookingInDoubtError as error:
        return f"in doubt; its key is {error.idempotency_key}"
    except CallError as error:
        return f"failed: {error.reason}"
    return f"{appointment.status} until {appointment.end:%H:%M}" if appointment.end else appointment.status


def main(file: str, *arguments: str) -> None:
    with NovaBlend(*arguments, change_timeout=120) as client, open(file, newline="") as table:
        for row in csv.reader(table):
            print(row[0], row[1], result(client, row))


main(*sys.argv[1:])
