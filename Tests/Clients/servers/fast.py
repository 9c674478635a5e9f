"""A server of FastMCP, for the tests."""

from fastmcp import Context, FastMCP

server = FastMCP("fast", version="3.1")


@server.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool
async def ask(context: Context) -> str:
    answer = await context.elicit("Really?", response_type=bool)
    return f"{answer.action} {getattr(answer, 'data', None)}"


@server.resource("data://text")
def text() -> str:
    return "Hello"


@server.resource("data://{name}/text")
def named_text(name: str) -> str:
    return f"Hello {name}"


@server.prompt
def greet(who: str) -> str:
    return f"Greet {who}"


server.run(show_banner=False)
