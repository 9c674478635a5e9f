"""An OpenRPC library reads the result of rpc.discover, and methods are checked against it."""

import json
import re

import jsonschema
import openrpc
import pytest

from environment import SALON
from lines import Client


@pytest.fixture
def client(server):
    with Client(server.command) as client:
        yield client


@pytest.fixture
def document(client):
    return client.call("rpc.discover")["result"]


def test_is_an_openrpc_document(document):
    parsed = openrpc.OpenRPC.model_validate(document)
    names = [method.name for method in parsed.methods]
    assert len(set(names)) == len(names) >= 8
    for name in "salons/list", "appointments/book", "rpc.discover":
        assert name in names


def test_required_parameters_come_first(document):
    # Otherwise a call with positional parameters could not omit the optional ones.
    for method in document["methods"]:
        required = [parameter.get("required", False) for parameter in method["params"]]
        assert required == sorted(required, reverse=True), method["name"]


def test_every_schema_is_valid(document):
    schemas = [*document["components"]["schemas"].values()]
    for method in document["methods"]:
        schemas += [descriptor["schema"] for descriptor in [*method["params"], method["result"]]]
    for schema in schemas:
        jsonschema.Draft202012Validator.check_schema(schema)


def test_every_component_is_referenced(document):
    references = re.findall(r'"\$ref": "#/components/schemas/(\w+)"', json.dumps(document))
    assert set(references) == set(document["components"]["schemas"])
    assert {"Salon", "Appointment", "Provenance", "SalonsListResult"} <= set(references)


def test_errors_are_declared(client, document):
    errors = {method["name"]: method["errors"] for method in document["methods"]}
    unknown = client.call("salons/get", id=SALON.replace("5a1", "fff"))["error"]
    declared = {error["code"]: error for error in errors["salons/get"]}
    assert declared[unknown["code"]]["data"]["name"] == unknown["data"]["name"]
    assert all(error["message"].endswith(".") for error in sum(errors.values(), []))


def sample_calls(client, booking, backend):
    """The params of methods that need more than their example, or values of this backend."""
    # For appointments/reschedule and appointments/cancel. appointments/book makes a second one.
    other = booking | {"appointmentTime": at(booking, 13)}
    booked = client.call("appointments/book", **other)["result"]["appointment"]
    free = {key: booking[key] for key in ("salonId", "phone")}
    held = client.call("appointments/hold", **free, appointmentTime=at(booking, 16))["result"]
    image = {"url": f"{backend}/images/copper.png"}
    salon = {
        "id": SALON.replace("5a1", "5a2"), "name": "New", "location": "Here", "open_time": 9.3,
        "close_time": 18, "exceptions": [{"date": "2026-12-24", "closed": True}],
    }
    return {
        "salons/list": {"limit": 1, "query": "a"},
        "salons/availability": {
            "salonId": booking["salonId"],
            "start": booking["appointmentTime"],
            "end": at(booking, 15),
            "explain": booking["appointmentTime"],
        },
        "salons/put": {"salon": salon},
        "salons/delete": {"salonId": salon["id"], "version": 1},
        "appointments/book": booking,
        "appointments/hold": free | {"appointmentTime": at(booking, 17), "minutes": 1},
        "appointments/release": {"holdId": held["holdId"]},
        "appointments/reschedule": {
            "id": booked["id"],
            "appointmentTime": at(booking, 15),
            "version": 1,
        },
        "appointments/cancel": {"id": booked["id"], "dryRun": True},
        "appointments/list": {"status": "all", "limit": 1},
        "appointments/export": {"start": booking["appointmentTime"]},
        "feed/image": image,
        "movies/list": {"query": "curl", "fields": ["title"]},
        "menu/image": image,
    }


def test_parameters_and_results_match_their_schemas(client, document, booking, backend):
    calls = sample_calls(client, booking, backend)
    assert set(calls) <= {method["name"] for method in document["methods"]}
    for method in document["methods"]:
        params = calls.get(method["name"], example(method))
        by_name = {parameter["name"]: parameter["schema"] for parameter in method["params"]}
        for name, value in params.items():
            jsonschema.Draft202012Validator(by_name[name]).validate(value)
        result = client.call(method["name"], **params)["result"]
        schema = method["result"]["schema"] | {"components": document["components"]}
        jsonschema.Draft202012Validator(schema).validate(result)


def test_results_of_tools_match_their_schemas(client, document, booking, backend, server):
    calls = sample_calls(client, booking, backend)
    methods = {method["name"].replace("/", "_"): method for method in document["methods"]}
    with Client([*server.command, "--result-schemas"]) as agent:
        tools = agent.call("tools/list")["result"]["tools"]
        assert len(tools) > 20
        for tool in tools:
            name, schema = tool["name"], tool["outputSchema"]
            jsonschema.Draft202012Validator.check_schema(schema)
            uri = f"novablend://schemas/{name}"
            [content] = agent.call("resources/read", uri=uri)["result"]["contents"]
            assert json.loads(content["text"]) == schema
            params = calls.get(methods[name]["name"], example(methods[name]))
            result = agent.call("tools/call", name=name, arguments=params)["result"]
            assert "isError" not in result, result
            jsonschema.Draft202012Validator(schema).validate(result["structuredContent"])


def example(method):
    """The params of a method's example."""
    return {param["name"]: param["value"] for param in method["examples"][0]["params"]}


def at(booking, hour):
    """The time of a booking, at a different hour of its day."""
    return booking["appointmentTime"].replace("T12:", f"T{hour}:")


def test_an_invalid_openrpc_document_is_rejected(document):
    del document["methods"][0]["name"]
    with pytest.raises(ValueError):
        openrpc.OpenRPC.model_validate(document)
