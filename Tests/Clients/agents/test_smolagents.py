"""smolagents. The test validates the arguments in the same way as its agents: each must be present and
have the type in the schema."""

from mcp import StdioServerParameters
from smolagents import MCPClient
from smolagents.tools import validate_tool_arguments

from script import TYPED, Script


def test_books(server):
    script = Script(TYPED)
    command, *arguments = server.command
    parameters = StdioServerParameters(command=command, args=arguments)
    with MCPClient(parameters, structured_output=True) as loaded:
        tools = {tool.name: tool for tool in loaded}
        schemas = {name: {"properties": tool.inputs} for name, tool in tools.items()}
        call = script.next(schemas)
        while call:
            name, args = call
            validate_tool_arguments(tools[name], args)
            call = script.next(schemas, tools[name](**args))
    assert script.is_done
