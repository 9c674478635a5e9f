"""LangChain's MCP adapters. The test calls the tools in the same way as a graph."""

import pytest
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools

from script import EMPTY, Script

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("empty", EMPTY)
async def test_books(server, empty):
    script = Script(empty)
    command, *arguments = server.command
    connection = {"transport": "stdio", "command": command, "args": arguments}
    async with MultiServerMCPClient({"novablend": connection}).session("novablend") as session:
        tools = {tool.name: tool for tool in await load_mcp_tools(session)}
        functions = [convert_to_openai_tool(tool, strict=True) for tool in tools.values()]
        assert {function["function"]["name"] for function in functions} == set(tools)
        schemas = {name: tool.args_schema for name, tool in tools.items()}
        call = script.next(schemas)
        while call:
            name, args = call
            tool_call = {"type": "tool_call", "id": name, "name": name, "args": args}
            message = await tools[name].ainvoke(tool_call)
            assert message.status == "success", message
            call = script.next(schemas, message.artifact["structured_content"])
    assert script.is_done
