"""The MCP SDK's client, as several tests use it."""

from contextlib import asynccontextmanager

import anyio
from mcp import Client, StdioServerParameters

from conftest import DEADLINE

# With a handshake, with a probe for the stateless revision, and with that revision at once.
MODES = ["legacy", "auto", "2026-07-28"]


@asynccontextmanager
async def connected(mode, server, exit_code, **options):
    """A client of a server that must end with 0 when the client leaves."""
    command, *arguments = server.leaving(exit_code)
    parameters = StdioServerParameters(command=command, args=arguments)
    with anyio.fail_after(2 * DEADLINE):
        async with Client(parameters, mode=mode, **options) as client:
            yield client
    assert exit_code.read_text() == "0\n"
