"""The tables of the database, as they are at one moment."""

import json
from dataclasses import dataclass, field

from .database import Server

NAMES = ["appointments", "holds", "occupancy", "idempotency_keys"]


@dataclass
class Tables:
    """The rows of each table, and the clock of the database in seconds since 1970."""

    now: int
    appointments: list[dict] = field(default_factory=list)
    holds: list[dict] = field(default_factory=list)
    occupancy: list[dict] = field(default_factory=list)
    idempotency_keys: list[dict] = field(default_factory=list)


async def read_tables(server: Server) -> Tables:
    rows = await server.query(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        "SELECT json_build_object('now', extract(epoch FROM now())::bigint)",
        *(f"SELECT json_build_object('{name}', row_to_json({name})) FROM {name}" for name in NAMES),
        "COMMIT",
    )
    tables = Tables(now=0)
    for row in rows:
        [(name, value)] = json.loads(row).items()
        if name == "now":
            tables.now = value
        else:
            getattr(tables, name).append(value)
    return tables
