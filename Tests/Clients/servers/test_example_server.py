"""Clients from PyPI, and the official schemas, with the example mcp-server."""

from contextlib import AsyncExitStack
from functools import partial

import anyio
import pytest
from mcp.types import ResourceUpdatedNotification

from conftest import Server
from environment import EXAMPLES
from lines import Client
from sdk import MODES, connected
from traffic import VERSION, ConnectionChecker

pytestmark = pytest.mark.anyio

COMMAND = [str(EXAMPLES / "mcp-server")]
URI = "notes://all"
HANDSHAKES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
STATELESS = "2026-07-28"


@pytest.fixture(params=MODES)
def mode(request):
    return request.param


@pytest.fixture
def connect(mode, tmp_path):
    return partial(connected, mode, Server(COMMAND, tmp_path / "trace"), tmp_path / "exit")


async def test_results_are_objects(connect):
    async with connect() as client:
        tools = (await client.list_tools()).tools
        assert [tool.output_schema["type"] for tool in tools] == ["object"] * 2
        # The SDK checks the result against the schema.
        added = await client.call_tool("add_note", {"text": "Buy milk"})
        assert not added.is_error and added.structured_content == {"count": 1}
        (note,) = (await client.read_resource(URI)).contents
        assert (note.mime_type, note.text) == ("text/plain", "Buy milk")


async def test_announces_only_what_it_offers(connect, mode):
    async with connect() as client:
        capabilities = client.server_capabilities
        if mode != STATELESS:
            assert capabilities.tools is not None and capabilities.resources.subscribe
        for other in "prompts", "completions", "logging":
            assert getattr(capabilities, other, None) is None


@pytest.mark.filterwarnings("ignore:resources/subscribe is removed")
async def test_notifies_of_a_change(connect, mode):
    send, receive = anyio.create_memory_object_stream(10)
    async with connect(message_handler=send.send) as client, AsyncExitStack() as stack:
        if mode == "legacy":
            await client.session.subscribe_resource(URI)
        else:
            await stack.enter_async_context(client.listen(resource_subscriptions=[URI]))
        await client.call_tool("add_note", {"text": "Buy milk"})
        assert isinstance(update := await receive.receive(), ResourceUpdatedNotification)
        assert update.params.uri == URI


@pytest.mark.parametrize("revision", [*HANDSHAKES, STATELESS])
def test_results_match_the_official_schemas(revision, official):
    info = {"name": "lines", "version": "1"}
    meta = {
        VERSION: revision,
        "io.modelcontextprotocol/clientInfo": info,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    start = {"protocolVersion": revision, "capabilities": {}, "clientInfo": info}
    requests = [
        ("tools/list", {}),
        ("tools/call", {"name": "add_note", "arguments": {"text": "Buy milk"}}),
        ("tools/call", {"name": "add_note", "arguments": {}}),
        ("tools/call", {"name": "clear_notes"}),
        ("tools/call", {"name": "no_such_tool"}),
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("resources/read", {"uri": URI}),
        ("resources/read", {"uri": "notes://none"}),
        ("prompts/list", {}),
    ]
    if revision == STATELESS:
        requests.insert(0, ("server/discover", {}))
    else:
        requests = [("initialize", start), ("resources/subscribe", {"uri": URI}), *requests]
        meta = None
    checker = ConnectionChecker(official)
    with Client(COMMAND, meta) as client:
        for method, params in requests:
            response = client.call(method, **params)
            if meta:
                params = params | {"_meta": meta}
            checker.received({"id": response["id"], "method": method, "params": params})
            checker.sent(response)
    assert checker.violations == []
    assert checker.checked >= len(requests)
