"""A program that uses the generated client. mypy checks it against the generated types."""

import asyncio
import datetime
import json
import sys

from jsonrpcobjects.errors import JSONRPCError
from novablend_http_client.client import NovablendClient
from stdio_transport import StdioTransport


async def main(command: list[str], names: list[str]) -> None:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    client = NovablendClient(headers={})
    client.transport = StdioTransport(process, names)
    salon = (await client.salons_list(query="Atelier Nova", limit=1)).salons[0]
    tomorrow = datetime.date.today() + datetime.timedelta(days=1)
    availability = await client.salons_availability(
        str(salon.id), start=tomorrow.isoformat(), end=tomorrow.isoformat(), only_free=True
    )
    day = availability.days[0]
    assert day.free
    booked = await client.appointments_book(
        str(salon.id), f"{day.date}T{day.free[0]}", "+49 30 1234567", dry_run=False
    )
    listed = await client.appointments_list()
    try:
        await client.appointments_cancel("no-such-appointment")
        raise AssertionError("the unknown appointment was cancelled")
    except JSONRPCError as error:
        code = error.rpc_error.code
    print(
        json.dumps(
            {
                "salon": salon.name,
                "times": len(day.free),
                "booked": booked.appointment.appointment_time,
                "listed": [appointment.appointment_time for appointment in listed.appointments],
                "error": code,
            }
        )
    )
    assert process.stdin
    process.stdin.close()
    await process.wait()


asyncio.run(main(json.loads(sys.argv[1]), json.loads(sys.argv[2])))
