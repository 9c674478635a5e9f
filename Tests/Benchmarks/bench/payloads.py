"""Generates payloads that are the same on every machine."""

import json
import random
from collections.abc import Iterable
from pathlib import Path

TIME = "%Y-%m-%dT%H:%M:%S%z"
STREETS = ["Torstraße", "Rue des Martyrs", "Exmouth Market", "Calle Mayor", "Jægersborggade"]
CITIES = ["Berlin", "Paris", "London", "Madrid", "København"]
NAMES = ["Scherenschnitt", "Atelier Nova", "Fringe Benefits", "Peluquería Sol", "Æther & Øl"]


def salons(count: int, folder: Path) -> Path:
    """Writes a file of `count` salons as a server would send them, about 170 bytes each."""
    path = folder / f"salons-{count}.json"
    if not path.exists():
        generator = random.Random(count)
        listed = ",".join(salon(number, generator) for number in range(count))
        path.write_text(f'{{"salons":[{listed}]}}', encoding="utf-8")
    return path


def body(size: int, folder: Path) -> Path:
    """Writes a file of `size` bytes, a multiple of 1 MiB."""
    path = folder / f"body-{size}"
    if not path.exists():
        path.write_bytes(random.Random(size).randbytes(1 << 20) * (size >> 20))
    return path


def salon(number: int, generator: random.Random) -> str:
    city = generator.randrange(len(CITIES))
    # Not with json.dumps, because the server writes hours with two decimals.
    return (
        f'{{"id":"5a100000-0000-4000-8000-{number:012x}",'
        f'"name":"{generator.choice(NAMES)} {number}",'
        f'"location":"{STREETS[city]} {generator.randrange(1, 200)}, {CITIES[city]}",'
        f'"phone":"+49 30 {generator.randrange(1_000_000, 10_000_000)}",'
        f'"open_time":{generator.randrange(7, 12)}.{generator.choice(["00", "15", "30", "45"])},'
        f'"close_time":{generator.randrange(16, 23)}.{generator.choice(["00", "30"])}}}'
    )


def bookings(count: int, folder: Path) -> Path:
    """Writes a file of `count` bookings without conflicts, one per line."""
    return lines_file(folder / f"bookings-{count}.txt", map(first_salon_booking, range(count)))


def lines_file(path: Path, values: Iterable[dict]) -> Path:
    """A file with one JSON value per line. It is written once."""
    if not path.exists():
        path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path


def booking_body(salon: str, time: str, **options) -> dict:
    return {"salonId": salon, "appointmentTime": time, "phone": "+49 30 1234567"} | options


def booking(number: int) -> str:
    return json.dumps(first_salon_booking(number))


def first_salon_booking(number: int) -> dict:
    # The first salon is open at least from 12:00 to 20:00, which is 16 slots of half an hour.
    day, slot = divmod(number, 16)
    hour, minute = 12 + slot // 2, slot % 2 * 30
    year, day = divmod(day, 336)
    month, day = divmod(day, 28)
    time = f"{2040 + year}-{month + 1:02}-{day + 1:02}T{hour}:{minute:02}:00+0000"
    return booking_body("5a100000-0000-4000-8000-000000000001", time)
