"""Hosted clients reach `novablend serve` over Streamable HTTP: with the commands and the configuration in
docs/Agents.md, except for TLS."""

import os
import re
import select
import shlex
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import httpx
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from environment import BINARIES, DEADLINE

DOCUMENT = (Path(__file__).parents[3] / "docs" / "Agents.md").read_text()
TOKEN = "0123456789abcdef" * 4


def block(language, beginning):
    """The block of code in docs/Agents.md that begins with a text."""
    (found,) = re.findall(rf"^```{language}\n({re.escape(beginning)}.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)
    return found


def line_with(process, pattern):
    """The first match in the standard error of a process."""
    text = b""
    while not (match := re.search(pattern, text.decode(errors="replace"))):
        assert select.select([process.stderr], [], [], DEADLINE)[0], text
        part = os.read(process.stderr.fileno(), 4096)
        assert part, text
        text += part
    return match[1]


@pytest.fixture
def bridge(backend, tmp_path):
    """The port of the bridge."""
    command = shlex.split(block("sh", "mcp-proxy "))
    assert command[0] == "mcp-proxy" and command[-2:] == ["--base-url", "https://salons.example"]
    command[0] = str(Path(sys.executable).parent / "mcp-proxy")
    command[command.index("--port") + 1] = "0"
    command[command.index("novablend")] = str(BINARIES / "novablend")
    command[-1] = backend
    directories = ["--cache-dir", tmp_path / "cache", "--state-dir", tmp_path / "state"]
    process = subprocess.Popen([*command, *directories], stderr=subprocess.PIPE)
    try:
        yield line_with(process, r"Uvicorn running on http://127\.0\.0\.1:(\d+)")
    finally:
        process.terminate()
        process.communicate(timeout=DEADLINE)


@pytest.fixture
def url(bridge, tmp_path):
    """The URL of the bridge behind nginx."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    token = tmp_path / "token"
    token.write_text(block("nginx", '"~^Bearer ').replace("TOKEN", TOKEN))
    server = block("nginx", "map ")
    server = re.sub(r"^ *(ssl_\w+|server_name) .*\n", "", server, flags=re.MULTILINE)
    server = server.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    server = server.replace("/etc/nginx/novablend-token", str(token))
    server = server.replace("127.0.0.1:8096", f"127.0.0.1:{bridge}")
    paths = "".join(
        f"{name}_temp_path {tmp_path / name};\n"
        for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    )
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(
        f"daemon off;\nmaster_process off;\npid {tmp_path}/pid;\nerror_log stderr notice;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{server}}}\n"
    )
    process = subprocess.Popen(
        ["nginx", "-p", tmp_path, "-e", "stderr", "-c", configuration], stderr=subprocess.PIPE
    )
    try:
        line_with(process, r"(start worker|using the \"epoll\")")
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.communicate(timeout=DEADLINE)


def status(url, **headers):
    request = urllib.request.Request(
        url, b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers, method="POST"
    )
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(request, timeout=DEADLINE)
    return raised.value.code, raised.value.headers["WWW-Authenticate"]


def test_a_request_without_the_token_is_rejected(url):
    for value in [
        None, "", "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN.upper()}", f"Bearer {TOKEN}0",
        f"Bearer {TOKEN[:-1]}", f"x Bearer {TOKEN}", TOKEN,
    ]:
        headers = {} if value is None else {"Authorization": value}
        assert status(url, **headers) == (401, "Bearer"), value


def test_nothing_but_the_endpoint_is_served(url):
    for path in ["/", "/sse", "/messages/", "/status", "/mcp/", "/servers/x/mcp", "/MCP"]:
        code, _ = status(url.removesuffix("/mcp") + path, Authorization=f"Bearer {TOKEN}")
        assert code == 404, path


def test_a_request_with_the_token_lists_and_calls_tools(url, booking):
    async def main():
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(headers=headers) as http, AsyncExitStack() as stack:
            read, write, _ = await stack.enter_async_context(
                streamable_http_client(url, http_client=http)
            )
            async with ClientSession(read, write) as session:
                await session.initialize()
                listed = await session.list_tools()
                # The bridge does not pass a question on, so the program asks none.
                booked = await session.call_tool("appointments_book", booking)
                return {tool.name for tool in listed.tools}, booked

    names, booked = anyio.run(main)
    assert {"salons_list", "appointments_book"} <= names
    assert not booked.isError and booking["salonId"] in booked.content[0].text
