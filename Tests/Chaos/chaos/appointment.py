"""An appointment, as clients, lists, and tables describe it."""

from dataclasses import dataclass, replace
from datetime import datetime, timezone


@dataclass(frozen=True)
class Appointment:
    """What must be equal wherever an appointment is found. Times are in seconds since 1970."""

    id: str
    key: str | None
    salon: str
    instant: int
    phone: str
    service: str | None
    staff: str | None
    seats: int
    status: str
    version: int

    @property
    def without_key(self) -> "Appointment":
        return replace(self, key=None)

    @staticmethod
    def from_json(json: dict, key: str | None = None) -> "Appointment":
        """An appointment in a response. An answer about a key may leave out the key itself."""
        return Appointment(
            id=json["id"],
            key=json.get("idempotencyKey", key),
            salon=json["salonId"],
            instant=parse_time(json["appointmentTime"]),
            phone=json["phone"],
            service=json.get("serviceId"),
            staff=json.get("staffId"),
            seats=json.get("seats", 1),
            status=json.get("status", "booked"),
            version=json["version"],
        )

    @staticmethod
    def from_row(row: dict) -> "Appointment":
        return Appointment(
            id=row["id"],
            key=row["idempotency_key"],
            salon=row["salon_id"],
            instant=row["instant"],
            phone=row["phone"],
            service=row["service_id"],
            staff=row["staff_id"],
            seats=row["seats"],
            status=row["status"],
            version=row["version"],
        )


def parse_time(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


def format_time(instant: int) -> str:
    return datetime.fromtimestamp(instant, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S+0000")
