"""The BeeAI framework, which makes a model of Pydantic from each schema."""

import pytest
from beeai_framework.tools.mcp import MCPTool

from session import connected

pytestmark = pytest.mark.anyio


async def test_books(server, listed, steps):
    async with connected(server) as session:
        tools = {tool.name: tool for tool in await MCPTool.from_session(session)}
        assert tools.keys() == listed
        for tool in tools.values():
            assert tool.input_schema.model_fields is not None
        for name, arguments, check in steps:
            check((await tools[name].run(arguments)).result)
