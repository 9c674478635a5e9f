"""What the server says, in every revision of MCP, against the official schemas."""

import pytest

from conftest import SALON
from lines import Client
from traffic import VERSION, check

HANDSHAKES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
STATELESS = "2026-07-28"
ASKABLE = {"elicitation": {"form": {}}}
INFO = {"name": "lines", "version": "1"}


@pytest.mark.parametrize("revision", HANDSHAKES)
def test_a_connection_with_a_handshake(revision, server, booking, official):
    with Client(server.command) as client:
        answer = client.call(
            "initialize", protocolVersion=revision, capabilities=ASKABLE, clientInfo=INFO
        )
        assert answer["result"]["protocolVersion"] == revision
        client.notify("notifications/initialized")
        assert client.call("ping")["result"] == {}
        use_everything(client)
        booked = client.call("tools/call", name="appointments_book", arguments=booking)
        assert not booked["result"].get("isError")
        use_everything(client)
    expect_no_violations(server.trace, official, at_least=25)


def test_stateless_requests(server, booking, official):
    with Client(server.command, meta(STATELESS)) as client:
        assert STATELESS in client.call("server/discover")["result"]["supportedVersions"]
        use_everything(client)
        call = {"name": "appointments_book", "arguments": booking}
        question = client.call("tools/call", **call)["result"]
        assert question["resultType"] == "input_required"
        accepted = {"action": "accept", "content": {"confirm": True}}
        responses = {key: accepted for key in question["inputRequests"]}
        state = {key: question[key] for key in ["requestState"] if key in question}
        booked = client.call("tools/call", **call, **state, inputResponses=responses)["result"]
        assert booked["resultType"] == "complete" and not booked.get("isError")
        use_everything(client)
        refused = client.call("tools/list", _meta=meta("2999-01-01"))["error"]
        assert refused["code"] == -32022 and STATELESS in refused["data"]["supported"]
    expect_no_violations(server.trace, official, at_least=25)


def test_everything_that_other_tests_recorded(traces, official):
    recorded = {trace.parent.name: trace.read_text() for trace in traces if trace.exists()}
    violations = {name: check(text, official).violations for name, text in recorded.items()}
    assert {name: found for name, found in violations.items() if found} == {}


def meta(revision):
    return {
        VERSION: revision,
        "io.modelcontextprotocol/clientInfo": INFO,
        "io.modelcontextprotocol/clientCapabilities": ASKABLE,
    }


def use_everything(client):
    for method in "tools/list", "resources/list", "resources/templates/list", "prompts/list":
        assert "result" in client.call(method), method
    for tool in "salons_list", "appointments_list", "cache_validate":
        assert not client.call("tools/call", name=tool)["result"].get("isError"), tool
    salon, nobody = SALON, SALON.replace("5a1", "fff")
    assert client.call("tools/call", name="salons_get", arguments={"id": nobody})["result"][
        "isError"
    ]
    for uri in "novablend://appointments", f"novablend://salons/{salon}":
        assert client.call("resources/read", uri=uri)["result"]["contents"], uri
    assert "error" in client.call("resources/read", uri=f"novablend://salons/{nobody}")
    client.call("prompts/get", name="book_appointment", arguments={})
    assert "error" in client.call("tools/call", name="no_such_tool")
    assert client.call("no/such/method")["error"]["code"] == -32601


def expect_no_violations(trace, official, at_least):
    conversation = check(trace.read_text(), official)
    assert conversation.violations == []
    assert conversation.checked >= at_least
