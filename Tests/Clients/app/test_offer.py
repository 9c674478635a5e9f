"""What clients with and without MCP Apps get from the server."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from environment import BINARIES, DEADLINE
from host import CAPABILITIES, EXTENSION, MEDIA_TYPE, TIMES, Server

COMMAND = StdioServerParameters(command=str(BINARIES / "novablend"), args=["serve", "--sandbox"])


def test_the_app_is_one_small_file_without_network_access():
    with Server() as server:
        assert server.started["capabilities"]["extensions"] == {EXTENSION: {}}
        app = server.app()
    assert app["uri"] == "ui://novablend/week"
    assert app["mimeType"] == MEDIA_TYPE
    assert app["_meta"]["ui"]["csp"] == {}
    assert len(app["text"].encode()) <= 46_000
    assert app["text"].startswith("<!DOCTYPE html>") and app["text"].endswith("</html>\n")
    assert not re.search(r"https?:|@import|url\(|innerHTML", app["text"])


def test_apps_may_call_exactly_the_tools_that_the_page_names():
    with Server() as server:
        names = set(re.findall(r'"(\w+)"', server.app()["text"].split("const TOOLS")[1].split("}")[0]))
        visibility = {
            name: tool["_meta"]["ui"]["visibility"] for name, tool in server.tools().items()
        }
    assert {name for name, who in visibility.items() if "app" in who} == names
    assert all("model" in who for who in visibility.values())


@pytest.mark.parametrize(
    "capabilities",
    [
        {},
        {"extensions": {EXTENSION: {}}},
        {"extensions": {EXTENSION: {"mimeTypes": ["text/html"]}}},
    ],
)
def test_other_clients_see_nothing_of_it(capabilities):
    with Server(CAPABILITIES) as server:
        uri = server.app()["uri"]
        with_apps = server.tools()
    with Server(capabilities) as server:
        assert "extensions" not in server.started["capabilities"]
        assert "_meta" not in json.dumps(server.call("tools/list"))
        assert uri not in json.dumps(server.call("resources/list"))
        assert server.call("resources/read", uri=uri)["error"]["data"] == {"uri": uri}
        without = server.tools()
    for tool in with_apps.values():
        del tool["_meta"]
    assert with_apps == without


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_sdk_finds_the_app(mode):
    async def find():
        extensions = [advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})]
        with anyio.fail_after(2 * DEADLINE):
            async with Client(COMMAND, mode=mode, extensions=extensions) as client:
                tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                uri = tools[TIMES].meta["ui"]["resourceUri"]
                assert uri in {str(each.uri) for each in (await client.list_resources()).resources}
                (contents,) = (await client.read_resource(uri)).contents
                assert contents.mime_type == APP_MIME_TYPE
                assert "<html" in contents.text

    # The browser's event loop is in this thread.
    with ThreadPoolExecutor() as pool:
        pool.submit(anyio.run, find).result()
