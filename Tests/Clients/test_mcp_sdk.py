"""The MCP SDK's client, with and without a handshake."""

import json
from contextlib import AsyncExitStack
from functools import partial

import anyio
import pytest
from mcp import MCPError
from mcp.types import ResourceUpdatedNotification

from environment import DEADLINE, SALON
from sdk import MODES, connected

pytestmark = pytest.mark.anyio

TOOLS = {
    "salons_list",
    "salons_get",
    "appointments_list",
    "appointments_book",
    "cache_validate",
    "cache_clear",
}


@pytest.fixture(params=MODES)
def mode(request):
    return request.param


@pytest.fixture
def connect(mode, server, tmp_path):
    return partial(connected, mode, server, tmp_path / "exit")


async def test_negotiates_the_revision(connect, mode):
    async with connect() as client:
        assert client.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
        # A client that knows the revision sends no request for it.
        if mode != "2026-07-28":
            assert client.server_info.name == "novablend"
            assert client.server_capabilities.tools is not None


async def test_lists_tools_and_salons(connect):
    async with connect() as client:
        assert {tool.name for tool in (await client.list_tools()).tools} >= TOOLS
        result = await client.call_tool("salons_list", {"limit": 2})
        assert not result.is_error
        assert result.structured_content["total"] == 6
        assert len(result.structured_content["salons"]) == 2
        assert json.loads(result.content[0].text) == result.structured_content


async def test_reads_resources_and_lists_prompts(connect, booking):
    async with connect() as client:
        uris = {resource.uri for resource in (await client.list_resources()).resources}
        assert "novablend://appointments" in uris
        templates = (await client.list_resource_templates()).resource_templates
        assert "novablend://salons/{id}" in {template.uri_template for template in templates}
        salon = (await client.read_resource(f"novablend://salons/{SALON}")).contents[0]
        assert "Scherenschnitt" in salon.text
        before = (await client.read_resource("novablend://appointments")).contents[0].text
        await client.call_tool("appointments_book", booking)
        # The client may cache a resource for the server's ttlMs. That must not hide the booking.
        after = (await client.read_resource("novablend://appointments")).contents[0].text
        assert SALON in after and SALON not in before
        assert "book_appointment" in {
            prompt.name for prompt in (await client.list_prompts()).prompts
        }


@pytest.mark.filterwarnings("ignore:resources/subscribe is removed")
async def test_notifies_subscribers_of_a_booking(connect, mode, booking):
    uri = "novablend://appointments"
    send, receive = anyio.create_memory_object_stream(10)
    async with connect(message_handler=send.send) as client, AsyncExitStack() as stack:
        if mode == "legacy":
            await client.session.subscribe_resource(uri)
        else:
            await stack.enter_async_context(client.listen(resource_subscriptions=[uri]))
        await client.call_tool("appointments_book", booking)
        assert isinstance(update := await receive.receive(), ResourceUpdatedNotification)
        assert update.params.uri == uri


async def test_distinguishes_errors_of_a_tool_from_invalid_calls(connect):
    async with connect() as client:
        unknown = await client.call_tool("salons_get", {"id": SALON.replace("5a1", "fff")})
        assert unknown.is_error and "salonNotFound" in unknown.model_dump_json()
        for call in client.call_tool("no_such_tool"), client.read_resource("novablend://nothing"):
            with pytest.raises(MCPError) as failure:
                await call
            assert failure.value.code in (-32602, -32002)


async def test_cancelling_stops_the_transfer_and_gets_no_response(connect, stalling_server, server):
    async with connect() as client:
        await client.call_tool("salons_list")
        stalling_server.hold()
        async with anyio.create_task_group() as calls:
            calls.start_soon(client.call_tool, "salons_list")
            assert await anyio.to_thread.run_sync(stalling_server.reached.wait, DEADLINE)
            calls.cancel_scope.cancel()
        assert await anyio.to_thread.run_sync(stalling_server.closed.wait, DEADLINE)
        stalling_server.release()
        result = await client.call_tool("salons_list")
        assert result.structured_content["total"] == 6
    (cancelled,) = [m for m in server.received() if m["method"] == "notifications/cancelled"]
    assert cancelled["params"]["requestId"] not in {message.get("id") for message in server.sent()}
