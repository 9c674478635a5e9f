"""Atomic Agents, which leaves out every tool whose schema it cannot read."""

import shlex

from atomic_agents.lib.factories.mcp_tool_factory import fetch_mcp_tools


def test_books(server, listed, steps):
    tools = fetch_mcp_tools(shlex.join(server.command), use_stdio=True)
    tools = {tool.mcp_tool_name: tool for tool in tools}
    assert tools.keys() == listed
    for name, arguments, check in steps:
        tool = tools[name]()
        result = tool.run(tool.input_schema(tool_name=name, **arguments)).result
        check(result[0].text)
