"""All messages from the server, in every MCP revision, match the official schemas."""

import pytest

from environment import SALON
from lines import Client
from traffic import VERSION, check

HANDSHAKES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
STATELESS = "2026-07-28"
CAPABILITIES = {
    "elicitation": {"form": {}},
    "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}},
}
INFO = {"name": "lines", "version": "1"}


@pytest.mark.parametrize("revision", HANDSHAKES)
def test_requests_after_a_handshake(revision, server, booking, official):
    with Client(server.command) as client:
        response = client.call(
            "initialize", protocolVersion=revision, capabilities=CAPABILITIES, clientInfo=INFO
        )
        assert response["result"]["protocolVersion"] == revision
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
        elicitation = client.call("tools/call", **call)["result"]
        assert elicitation["resultType"] == "input_required"
        accepted = {"action": "accept", "content": {"confirm": True}}
        responses = {key: accepted for key in elicitation["inputRequests"]}
        state = {key: elicitation[key] for key in ["requestState"] if key in elicitation}
        booked = client.call("tools/call", **call, **state, inputResponses=responses)["result"]
        assert booked["resultType"] == "complete" and not booked.get("isError")
        use_everything(client)
        error = client.call("tools/list", _meta=meta("2999-01-01"))["error"]
        assert error["code"] == -32022 and STATELESS in error["data"]["supported"]
    expect_no_violations(server.trace, official, at_least=25)


def test_the_traffic_of_all_other_tests(traces, official):
    recorded = {trace.parent.name: trace.read_text() for trace in traces if trace.exists()}
    violations = {name: check(text, official).violations for name, text in recorded.items()}
    assert {name: found for name, found in violations.items() if found} == {}


def meta(revision):
    return {
        VERSION: revision,
        "io.modelcontextprotocol/clientInfo": INFO,
        "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
    }


def use_everything(client):
    for method in "tools/list", "resources/list", "resources/templates/list", "prompts/list":
        assert "result" in client.call(method), method
    for tool in "salons_list", "appointments_list", "cache_validate":
        assert not client.call("tools/call", name=tool)["result"].get("isError"), tool
    salon, unknown = SALON, SALON.replace("5a1", "fff")
    assert client.call("tools/call", name="salons_get", arguments={"id": unknown})["result"][
        "isError"
    ]
    for uri in "novablend://appointments", f"novablend://salons/{salon}", "ui://novablend/week":
        assert client.call("resources/read", uri=uri)["result"]["contents"], uri
    assert "error" in client.call("resources/read", uri=f"novablend://salons/{unknown}")
    client.call("prompts/get", name="book_appointment", arguments={})
    assert "error" in client.call("tools/call", name="no_such_tool")
    assert client.call("no/such/method")["error"]["code"] == -32601


def expect_no_violations(trace, official, at_least):
    checker = check(trace.read_text(), official)
    assert checker.violations == []
    assert checker.checked >= at_least
