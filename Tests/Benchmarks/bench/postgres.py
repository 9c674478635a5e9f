"""Measures the backend with PostgreSQL, and compares it with pgbench."""

from pathlib import Path

from . import scheduling
from .backend import CLIENTS, backend, load
from .measure import OURS, Comparison, Metric
from .payloads import booking_body, lines_file
from .postgres_cluster import Cluster
from .programs import Programs

PGBENCH = "pgbench, the same inserts"
# Connections to the database: the default of the backend.
CONNECTIONS = 8
# The load is spread over these salons, so that no single salon limits it.
SALONS = 200
SIZES = [10_000, 500_000, 5_000_000]
# The number of future bookings of each salon except the first one. Its other bookings are in the
# past, as in a database that has been used for years, where past bookings no longer occupy grains.
FUTURE = scheduling.BOOKINGS // 10
FIRST_PAST_DAY = 1_262_304_000  # 2010
TITLE = "PostgreSQL with "


def comparisons(programs: Programs) -> list[Comparison]:
    cluster = Cluster(programs)
    return [durable_bookings(programs, cluster), growth(programs, cluster)]


def durable_bookings(programs: Programs, cluster: Cluster) -> Comparison:
    """Bookings with idempotency keys, and the same inserts without HTTP, rules, and reads. The load
    and the database share the cores, and so does the backend."""
    seconds = programs.choose(3, 1)
    bodies = chain_bookings(programs, 100_000)
    script = programs.scratch / "pgbench-booking.sql"
    script.write_text(BOOKING)

    def salons():
        cluster.filled("chain", [chain_salon(number) for number in range(SALONS)], lambda _: None)
        return cluster.copy("chain")

    def ours():
        with salons() as database, backend(programs, cluster.url(database)) as server:
            return {"rate": load(programs, server, "/appointments", seconds, bodies)["rate"]}

    def inserts():
        with salons() as database:
            return {"rate": cluster.pgbench(database, script, CONNECTIONS, seconds)}

    title = f"PostgreSQL, {CLIENTS} connections, durable bookings"
    return Comparison(
        {OURS: ours, PGBENCH: inserts},
        [Metric("rate", title, "/s", {PGBENCH: 0.8}, more_is_better=True)],
    )


def growth(programs: Programs, cluster: Cluster) -> Comparison:
    """The p99 of answers about a week and of bookings, with the most bookings and with fewer."""
    sizes = SIZES[: programs.choose(3, 2)]

    def measure(size: int):
        def run():
            database = stored(cluster, size)
            delete_load(cluster, database)
            with backend(programs, cluster.url(database)) as server:
                return scheduling.measure_load(programs, server)

        return run

    return scheduling.compare_sizes(TITLE, sizes, measure)


# The bookings of a chain


def chain_id(number: int) -> str:
    return f"6b7e0000-0000-4000-8000-{number:012x}"


def chain_salon(number: int) -> dict:
    return {
        "id": chain_id(number),
        "name": f"Salon {number}",
        "location": "Lisbon",
        "open_time": 9,
        "close_time": 21,
        "slot_minutes": 30,
        "time_zone": "UTC",
    }


def chain_bookings(programs: Programs, count: int) -> Path:
    """A file with bookings without conflicts, one per line, each at a different salon than the one
    before."""

    def body(index: int) -> dict:
        slot, salon = divmod(index, SALONS)
        day, place = divmod(slot, 24)
        time = f"{9 + place // 2:02}:{place % 2 * 30:02}:00+0000"
        month, day = divmod(day, 28)
        date = f"{2040 + month // 12}-{month % 12 + 1:02}-{day + 1:02}"
        return booking_body(chain_id(salon), f"{date}T{time}")

    return lines_file(programs.scratch / f"chain-bookings-{count}.txt", map(body, range(count)))


def id_at(milliseconds: str) -> str:
    """SQL for an id as the backend makes it: a time, and random bits."""
    return (
        f"lpad(to_hex({milliseconds} >> 16), 8, '0') || '-'"
        f" || lpad(to_hex({milliseconds} & 65535), 4, '0')"
        " || '-7' || substr(gen_random_uuid()::text, 16)"
    )


# The statements are those of the backend. Each client has its own salons and counts its bookings with
# `i`. Half an hour has six grains.
SALON = f"{chain_id(0)[:-12]}' || lpad(to_hex(:salon::int), 12, '0')"
KEY = ":client_id::text || '-' || :i::text"
RESULT = (
    '{"id":"0b1f0000-0000-4000-8000-000000000000","version":1,"salonId":"%s",'
    '"appointmentTime":"2040-01-01T09:00:00+0000","phone":"+49 30 1234567",'
    '"endTime":"2040-01-01T09:30:00+0000","minutes":30,"idempotencyKey":"123456-123456"}'
) % chain_id(0)
BOOKING = f"""
\\set i :i + 1
\\set salon :i % ({SALONS} / {CONNECTIONS}) * {CONNECTIONS} + :client_id
\\set grain 7364064 + :i / ({SALONS} / {CONNECTIONS}) * 6
BEGIN;
INSERT INTO idempotency_keys (key, caller, salon_id, created_at, method, path, body_fingerprint,
    result)
VALUES ({KEY}, '', '{SALON}, 1800000000, 'POST', '/appointments', 1234567890123456789, '{RESULT}')
ON CONFLICT (key, caller, salon_id) DO UPDATE SET
    (created_at, method, path, body_fingerprint, result) = ROW (excluded.created_at,
        excluded.method, excluded.path, excluded.body_fingerprint, excluded.result)
WHERE idempotency_keys.created_at < 0;
INSERT INTO occupancy (salon_id, grain, resource, owner, expires_at)
SELECT '{SALON}, :grain::bigint + n, 'seat 1', '0b1f0000-0000-4000-8000-000000000000', NULL
FROM unnest('{{0,1,2,3,4,5}}'::bigint[]) AS n ORDER BY n
ON CONFLICT (salon_id, grain, resource)
DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
WHERE occupancy.expires_at <= 1800000000;
INSERT INTO appointments (salon_id, id, instant, offset_minutes, minutes, buffer_before,
    buffer_after, busy_start, busy_end, status, version, phone, idempotency_key, staff_assigned,
    seats)
VALUES ('{SALON}, {id_at("floor(extract(epoch FROM now()) * 1000)::bigint")},
    :grain::bigint * 300, 0, 30, 0, 0, :grain::bigint * 300,
    :grain::bigint * 300 + 1800, 'booked', 1, '+49 30 1234567', {KEY}, false, 1);
COMMIT;
"""


# Many bookings


def stored(cluster: Cluster, count: int) -> str:
    """The name of a database with `count` bookings. The first salon has as many as the smallest one
    has in all; the others have `BOOKINGS` each."""
    others = count // scheduling.BOOKINGS - 1
    salons = [scheduling.salon(number) for number in range(others + 1)]

    def fill(database: str):
        first_salon = fill_salons(0, 0, scheduling.BOOKINGS)
        cluster.run(
            database,
            "SET synchronous_commit = off",
            "SET maintenance_work_mem = '512MB'",
            first_salon,
            fill_salons(1, others, FUTURE),
            OCCUPY,
            "VACUUM ANALYZE",
        )

    return cluster.filled(f"bookings_{count}", salons, fill)


def fill_salons(first: int, last: int, future: int) -> str:
    """Adds `BOOKINGS` bookings to each salon, of which `future` are in the future. Each staff member
    has one after the other, from the first day on."""
    hours = ",".join(map(str, scheduling.BOOKED_HOURS))
    per_member, members = len(scheduling.BOOKED_HOURS), scheduling.STAFF
    return f"""
    INSERT INTO appointments (salon_id, id, instant, offset_minutes, minutes, buffer_before,
        buffer_after, busy_start, busy_end, status, version, phone, service_id, staff_id,
        staff_assigned, seats)
    SELECT salon_id, {id_at("created")}, instant, 60, 30, 0, 0, instant, instant + 1800, 'booked', 1,
        '+49 30 1234567', 'service-0', 'staff-' || member, true, 1
    FROM (
        SELECT
            '6a7e0000-0000-4000-8000-' || lpad(to_hex(salon), 12, '0') AS salon_id,
            {scheduling.FIRST_CREATED} + salon * {scheduling.BOOKINGS} + n AS created,
            n / {per_member} % {members} AS member,
            CASE WHEN n < {future} THEN {int(scheduling.FIRST_DAY.timestamp())}
                ELSE {FIRST_PAST_DAY} END
            + n / {per_member * members} * 86400
            + (ARRAY[{hours}])[n % {per_member} + 1] * 3600
            + n / {per_member} % 2 * 1800 AS instant
        FROM generate_series({first}, {last}) AS salon,
            generate_series(0, {scheduling.BOOKINGS - 1}) AS n
    ) AS bookings
    """


OCCUPY = f"""
    INSERT INTO occupancy (salon_id, grain, resource, owner)
    SELECT salon_id, instant / 300 + grain, 'staff ' || staff_id, id
    FROM appointments, generate_series(0, 5) AS grain
    WHERE instant >= {int(scheduling.FIRST_DAY.timestamp())} ORDER BY 1, 2, 3
"""


def delete_load(cluster: Cluster, database: str):
    """Deletes what earlier loads have booked."""
    first = int(scheduling.LOAD_DAY.timestamp())
    salon = f"salon_id = '{scheduling.salon_id(0)}'"
    cluster.run(
        database,
        f"DELETE FROM appointments WHERE {salon} AND status = 'booked' AND busy_start >= {first}",
        f"DELETE FROM occupancy WHERE {salon} AND grain >= {first // 300}",
        "TRUNCATE idempotency_keys",
        # What is still to be written to the disk must not slow down the measurement.
        "CHECKPOINT",
    )
