"""Bookings with the MCP SDK. The user confirms them if the client supports elicitation."""

import json
import urllib.request
from functools import partial

import pytest
from mcp.types import ElicitResult

from sdk import MODES, connected

pytestmark = pytest.mark.anyio


@pytest.fixture(params=MODES)
def connect(request, server, tmp_path):
    return partial(connected, request.param, server, tmp_path / "exit")


async def respond(params, action, content=None):
    assert list(params.requested_schema["properties"]) == ["confirm"]
    return ElicitResult(action=action, content=content)


async def accept(_, params):
    return await respond(params, "accept", {"confirm": True})


async def untick(_, params):
    return await respond(params, "accept", {"confirm": False})


async def decline(_, params):
    return await respond(params, "decline")


async def cancel(_, params):
    return await respond(params, "cancel")


def appointments(backend):
    with urllib.request.urlopen(f"{backend}/appointments") as response:
        return json.load(response)["appointments"]


@pytest.mark.parametrize(
    "options", [{}, {"elicitation_callback": accept}], ids=["no elicitation", "elicitation"]
)
async def test_books(connect, booking, backend, server, options):
    async with connect(**options) as client:
        result = await client.call_tool("appointments_book", booking)
        assert not result.is_error, result
        listed = await client.call_tool("appointments_list")
        assert len(listed.structured_content["appointments"]) == 1
    assert len(appointments(backend)) == 1
    assert booking["phone"] not in server.trace.read_text()


@pytest.mark.parametrize("callback", [decline, cancel, untick])
async def test_books_nothing_if_the_user_declines(connect, booking, backend, callback):
    async with connect(elicitation_callback=callback) as client:
        result = await client.call_tool("appointments_book", booking)
        assert result.is_error
        assert "declined" in result.model_dump_json()
        listed = await client.call_tool("appointments_list")
        assert listed.structured_content["appointments"] == []
    assert appointments(backend) == []
