"""A server of the MCP SDK before it supported 2026-07-28."""

from mcp.server.fastmcp import FastMCP

server = FastMCP("adder")


@server.tool()
def add(a: int, b: int) -> int:
    return a + b


server.run()
