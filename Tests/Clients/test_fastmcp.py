"""FastMCP's client. It probes for the stateless revision and falls back to a handshake."""

from contextlib import asynccontextmanager

import anyio
import pytest
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import ToolError

from environment import DEADLINE, SALON

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["legacy", "auto"])
def connect(request, server, tmp_path):
    """Connects a client in each mode, and checks the exit code of the server."""

    @asynccontextmanager
    async def connect(**options):
        exit_code = tmp_path / "exit"
        command, *arguments = server.command_with_exit_code(exit_code)
        transport = StdioTransport(command, arguments, keep_alive=False)
        with anyio.fail_after(2 * DEADLINE):
            async with Client(transport, mode=request.param, **options) as client:
                revision = "2025-11-25" if request.param == "legacy" else "2026-07-28"
                assert client.session.protocol_version == revision
                yield client
        assert exit_code.read_text() == "0\n"

    return connect


async def test_lists_and_decodes_salons(connect):
    async with connect() as client:
        tools = {tool.name for tool in await client.list_tools()}
        assert {"salons_list", "appointments_book"} <= tools
        result = await client.call_tool("salons_list", {"limit": 2})
        assert result.structured_content["total"] == 6
        # FastMCP decodes the result by the tool's output schema, and sets `data` to None if it cannot.
        assert result.data is not None


@pytest.mark.parametrize("action", ["accept", "decline"])
async def test_books_only_if_the_user_confirms(connect, booking, action):
    messages = []

    async def respond(message, *_):
        messages.append(message)
        content = {"confirm": True} if action == "accept" else None
        return ElicitResult(action=action, content=content)

    async with connect(elicitation_handler=respond) as client:
        result = await client.call_tool("appointments_book", booking, raise_on_error=False)
        assert result.is_error == (action == "decline")
        listed = await client.call_tool("appointments_list")
        assert len(listed.structured_content["appointments"]) == (action == "accept")
    assert len(messages) == 1


async def test_raises_the_error_of_a_tool(connect):
    async with connect() as client:
        with pytest.raises(ToolError, match="salon"):
            await client.call_tool("salons_get", {"id": SALON.replace("5a1", "fff")})


async def test_reads_resources_and_prompts(connect):
    async with connect() as client:
        assert "novablend://appointments" in {str(r.uri) for r in await client.list_resources()}
        (salon,) = await client.read_resource(f"novablend://salons/{SALON}")
        assert "Scherenschnitt" in salon.text
        assert "book_appointment" in {prompt.name for prompt in await client.list_prompts()}
