"""pygls' client. It uses asyncio, headers, UUIDs as ids, and `null` for missing `params`."""

import asyncio

import pytest
from pygls.client import JsonRPCClient
from pygls.exceptions import JsonRpcException

from environment import DEADLINE


def test_pygls(server, stalling_server, booking):
    asyncio.run(asyncio.wait_for(converse(server, stalling_server, booking), 4 * DEADLINE))


async def converse(server, stalling_server, booking):
    client = JsonRPCClient()
    await client.start_io(*server.command)
    call = client.protocol.send_request_async

    await call("initialize", {"capabilities": {}})
    client.protocol.notify("initialized", {})
    salons = await call("salons/list", {"limit": 2})
    assert salons.total == 6 and len(salons.salons) == 2
    booked = await call("appointments/book", booking)
    listed = await call("appointments/list")
    assert [each.id for each in listed.appointments] == [booked.appointment.id]

    stalling_server.hold()
    stalled = call("salons/list", {}, msg_id="stalled")
    assert await asyncio.to_thread(stalling_server.reached.wait, DEADLINE)
    client.protocol.notify("$/cancelRequest", {"id": "stalled"})
    with pytest.raises(JsonRpcException) as cancelled:
        await stalled
    assert cancelled.value.code == -32800
    assert await asyncio.to_thread(stalling_server.closed.wait, DEADLINE)

    assert await call("shutdown") is None
    client.protocol.notify("exit")
    await client.stop()
    assert client._server.returncode == 0
