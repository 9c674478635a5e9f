"""Writes the booked appointments to a calendar file: calendar_file.py FILE ARGUMENTS..."""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from novablend.client import ListedAppointment
from novablend.client.sync import NovaBlend

FORMAT = "%Y%m%dT%H%M%SZ"


def event(appointment: ListedAppointment) -> list[str]:
    # The calendar needs an end, and a salon may not say how long an appointment takes.
    end: datetime = appointment.end or appointment.start + timedelta(minutes=30)
    title = appointment.service or "Appointment"
    return [
        "BEGIN:VEVENT",
        f"UID:{appointment.id or appointment.appointment_time}",
        f"DTSTART:{appointment.start.astimezone(UTC):{FORMAT}}",
        f"DTEND:{end.astimezone(UTC):{FORMAT}}",
        f"SUMMARY:{title} at {appointment.salon_name or appointment.salon_id}",
        "END:VEVENT",
    ]


def main(file: str, *arguments: str) -> None:
    with NovaBlend(*arguments) as client:
        listed = client.appointments_list()
        lines = [line for appointment in listed.appointments for line in event(appointment)]
        if not listed.provenance.complete:
            print("The list has gaps.", file=sys.stderr)
    calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//calendar", *lines, "END:VCALENDAR", ""]
    Path(file).write_text("\r\n".join(calendar), newline="")
    print(f"{listed.total} appointments, as of {listed.provenance.fetched_at or 'unknown'}")


main(*sys.argv[1:])
