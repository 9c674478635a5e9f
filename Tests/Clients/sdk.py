"""Connects the MCP SDK's client to a server."""

from contextlib import asynccontextmanager

import anyio
from mcp import Client, StdioServerParameters

from environment import DEADLINE

# The client uses a handshake, probes for the stateless revision, or uses that revision immediately.
MODES = ["legacy", "auto", "2026-07-28"]


@asynccontextmanager
async def connected(mode, server, exit_code, **options):
    """Yields a client. The server must exit with 0 when the client disconnects."""
    command, *arguments = server.command_with_exit_code(exit_code)
    parameters = StdioServerParameters(command=command, args=arguments)
    with anyio.fail_after(2 * DEADLINE):
        async with Client(parameters, mode=mode, **options) as client:
            yield client
    assert exit_code.read_text() == "0\n"
