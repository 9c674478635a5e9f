"""Payloads that are the same on every machine."""

import json
import random
from pathlib import Path

STREETS = ["Torstraße", "Rue des Martyrs", "Exmouth Market", "Calle Mayor", "Jægersborggade"]
CITIES = ["Berlin", "Paris", "London", "Madrid", "København"]
NAMES = ["Scherenschnitt", "Atelier Nova", "Fringe Benefits", "Peluquería Sol", "Æther & Øl"]


def salons(count: int, folder: Path) -> Path:
    """A file of `count` salons as a server would send them, about 170 bytes each."""
    path = folder / f"salons-{count}.json"
    if not path.exists():
        chance = random.Random(count)
        listed = ",".join(salon(number, chance) for number in range(count))
        path.write_text(f'{{"salons":[{listed}]}}', encoding="utf-8")
    return path


def salon(number: int, chance: random.Random) -> str:
    city = chance.randrange(len(CITIES))
    # By hand, since hours have two decimals on the wire.
    return (
        f'{{"id":"5a100000-0000-4000-8000-{number:012x}",'
        f'"name":"{chance.choice(NAMES)} {number}",'
        f'"location":"{STREETS[city]} {chance.randrange(1, 200)}, {CITIES[city]}",'
        f'"phone":"+49 30 {chance.randrange(1_000_000, 10_000_000)}",'
        f'"open_time":{chance.randrange(7, 12)}.{chance.choice(["00", "15", "30", "45"])},'
        f'"close_time":{chance.randrange(16, 23)}.{chance.choice(["00", "30"])}}}'
    )


def bookings(count: int, folder: Path) -> Path:
    """A file of `count` bookings, one a line, none of which is in another's way."""
    path = folder / f"bookings-{count}.txt"
    if not path.exists():
        path.write_text("".join(booking(number) + "\n" for number in range(count)))
    return path


def booking(number: int) -> str:
    # The first salon is open from 12:00 to 20:00 at least, which is 16 slots of half an hour.
    day, slot = divmod(number, 16)
    hour, minute = 12 + slot // 2, slot % 2 * 30
    year, day = divmod(day, 336)
    month, day = divmod(day, 28)
    time = f"{2040 + year}-{month + 1:02}-{day + 1:02}T{hour}:{minute:02}:00+0000"
    salon = "5a100000-0000-4000-8000-000000000001"
    return json.dumps({"salonId": salon, "appointmentTime": time, "phone": "+49 30 1234567"})
