"""DSPy, which checks arguments against the schemas itself."""

import dspy
import pytest

from session import connected

pytestmark = pytest.mark.anyio


async def test_books(server, listed, steps):
    async with connected(server) as session:
        found = (await session.list_tools()).tools
        tools = {tool.name: dspy.Tool.from_mcp_tool(session, tool) for tool in found}
        assert tools.keys() == listed
        for name, arguments, check in steps:
            check(await tools[name].acall(**arguments))
