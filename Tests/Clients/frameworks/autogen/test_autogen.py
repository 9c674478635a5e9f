"""AutoGen, which makes a model of Pydantic from each schema, and starts a server for each call."""

import pytest
from autogen_core import CancellationToken
from autogen_ext.tools.mcp import StdioServerParams, mcp_server_tools

from environment import DEADLINE

pytestmark = pytest.mark.anyio


async def test_books(server, listed, steps):
    command, *arguments = server.command
    parameters = StdioServerParams(
        command=command, args=arguments, read_timeout_seconds=DEADLINE
    )
    tools = {tool.name: tool for tool in await mcp_server_tools(parameters)}
    assert tools.keys() == listed
    for name, arguments, check in steps:
        content = await tools[name].run_json(arguments, CancellationToken())
        check(content[0].text)
