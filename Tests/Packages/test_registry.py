import json
import re
import zipfile
from email import message_from_bytes
from importlib.resources import files

import jsonschema
import pytest


@pytest.fixture
def server(dist):
    return json.loads((dist / "server.json").read_text())


@pytest.fixture
def description(dist):
    """The metadata of the wheel."""
    [wheel] = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(name))


def test_the_entry_is_valid_against_the_published_schema(server):
    # The package skillsaw contains the schemas.
    version = re.search(r"/schemas/([\d-]+)/", server["$schema"])[1].replace("-", "_")
    schema = json.loads((files(f"skillsaw.schemas.mcp_registry.v{version}") / "server.schema.json").read_text())
    assert schema["$id"] == server["$schema"]
    jsonschema.validate(server, schema)


def test_the_entry_names_the_wheel(server, description, version):
    [package] = server["packages"]
    assert server["version"] == package["version"] == description["Version"] == version
    assert package["identifier"] == description["Name"]
    assert package["registryType"] == "pypi"


def test_the_wheel_has_the_marker_by_which_the_registry_knows_its_owner(server, description):
    # A space, the end of a line, or the end of a comment must follow the name.
    assert re.search(rf"mcp-name: {re.escape(server['name'])}(\s|$|-->)", description.get_payload())


def test_the_arguments_of_the_entry_start_a_server(server, served, dist):
    root = served()
    [wheel] = dist.glob("*.whl")
    root.copy(wheel, f"/opt/{wheel.name}")
    root.output("python3", "-m", "venv", "/opt/registry")
    root.output("/opt/registry/bin/pip", "install", "--quiet", "--no-index", f"/opt/{wheel.name}")
    [package] = server["packages"]
    words = []
    for argument in package["packageArguments"]:
        named = argument["type"] == "named"
        words.append(f"{argument['name']}={argument['placeholder']}" if named else argument["value"])
    call = {"jsonrpc": "2.0", "id": 1, "method": "rpc.discover"}
    output = root.output("/opt/registry/bin/novablend", *words, input=json.dumps(call) + "\n")
    assert json.loads(output)["result"]["openrpc"]
