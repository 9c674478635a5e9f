"""Pydantic AI, with a function in place of a model."""

import pytest
from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from script import EMPTY, Script

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("empty", EMPTY)
async def test_books(server, empty):
    script = Script(empty)

    def model(messages, info):
        schemas = {tool.name: tool.parameters_json_schema for tool in info.function_tools}
        results = [part.content for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        assert len(results) == (len(messages) > 1), messages[-1]
        call = script.next(schemas, *results)
        return ModelResponse(parts=[ToolCallPart(*call) if call else TextPart("Booked.")])

    command, *arguments = server.command
    toolset = MCPToolset(StdioTransport(command, arguments, keep_alive=False))
    async with Agent(FunctionModel(model), toolsets=[toolset]) as agent:
        assert (await agent.run("Book an appointment.")).output == "Booked."
    assert script.is_done
