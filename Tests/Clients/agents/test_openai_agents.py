"""The OpenAI Agents SDK in strict mode, with a script in place of a model."""

import json

import pytest
from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.mcp import MCPServerStdio
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from environment import DEADLINE
from script import EMPTY, Script

pytestmark = pytest.mark.anyio
set_tracing_disabled(True)


class ScriptedModel(Model):
    def __init__(self, script):
        self._script = script
        self.schemas = {}

    async def get_response(self, system_instructions, input, model_settings, tools, *_, **__):
        self.schemas = {tool.name: tool.params_json_schema for tool in tools}
        assert all(tool.strict_json_schema for tool in tools)
        results = [item["output"] for item in input if item.get("type") == "function_call_output"]
        call = self._script.next(self.schemas, *results[-1:])
        if call:
            name, arguments = call[0], json.dumps(call[1])
            output = ResponseFunctionToolCall(
                type="function_call", call_id=name, name=name, arguments=arguments
            )
        else:
            text = ResponseOutputText(type="output_text", text="Booked.", annotations=[])
            output = ResponseOutputMessage(
                type="message", id="1", role="assistant", status="completed", content=[text]
            )
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *_, **__):
        raise NotImplementedError


@pytest.mark.parametrize("empty", EMPTY)
async def test_books(server, empty):
    script = Script(empty)
    model = ScriptedModel(script)
    command, *arguments = server.command
    async with MCPServerStdio(
        {"command": command, "args": arguments},
        use_structured_content=True,
        client_session_timeout_seconds=DEADLINE,
    ) as connection:
        agent = Agent(
            "booker",
            model=model,
            mcp_servers=[connection],
            mcp_config={"convert_schemas_to_strict": True},
        )
        assert (await Runner.run(agent, "Book an appointment.")).final_output == "Booked."
    assert script.is_done
    for name, schema in model.schemas.items():
        assert set(schema["required"]) == set(schema["properties"]), name
