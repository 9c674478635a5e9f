"""What every framework does here: it lists the tools, looks up a salon, and books.

Each framework has an environment of its own, because their libraries conflict."""

import json

import pytest

from lines import Client

SALONS = {"query": "Scherenschnitt", "limit": 1}


@pytest.fixture
def listed(server):
    """The names of all tools that the server lists."""
    with Client(server.command) as client:
        tools = client.call("tools/list")["result"]["tools"]
    return {tool["name"] for tool in tools}


@pytest.fixture
def steps(booking):
    """The calls in order: a tool, its arguments, and a check of the result, an object or its JSON text."""

    def found(result):
        assert parsed(result)["salons"][0]["id"] == booking["salonId"]

    def booked(result):
        assert parsed(result)["appointment"]["notes"] == "by the window"

    arguments = booking | {"notes": "by the window"}
    return [("salons_list", SALONS, found), ("appointments_book", arguments, booked)]


def parsed(result):
    return json.loads(result) if isinstance(result, str) else result
