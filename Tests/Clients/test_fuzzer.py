"""mcp-fuzzer tests tools, resources, prompts, and the protocol for a limited time."""

import json
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from environment import DEADLINE
from traffic import is_about_unreadable

FUZZER = Path(sys.executable).parent / "mcp-fuzzer"

# mcp-fuzzer calls all its messages malformed, even a ping, and reports those that are accepted.
# Its time limits depend on the machine. The test checks that every request got a response. Errors quote an
# unknown name, so that a model can correct it; they are JSON, so markup in it has no effect.
IGNORED_CATEGORIES = {"accepted_malformed", "hang", "injection_reflection", "performance_outlier"}


@pytest.mark.parametrize("phase", ["realistic", "aggressive"])
def test_fuzzer(server, backend, tmp_path, phase):
    run = subprocess.run(
        [
            FUZZER,
            *("--protocol", "stdio", "--endpoint", shlex.join(server.command)),
            *("--mode", "all", "--phase", "both", "--protocol-phase", phase, "--stateful"),
            *("--runs", "5", "--runs-per-type", "5", "--seed", "1", "--no-corpus"),
            *("--spec-prompt-name", "book_appointment"),
            *("--spec-prompt-args", '{"salon": "Scherenschnitt"}'),
            *("--spec-resource-uri", "novablend://appointments"),
            # The fuzzer waits until this timeout for a response.
            *("--fail-if-no-tools", "--timeout", "5", "--log-level", "ERROR"),
            *("--output-dir", tmp_path / "report", "--fs-root", tmp_path / "files"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=10 * DEADLINE,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    findings = json.loads((tmp_path / "report/findings.json").read_text())["findings"]
    assert [f for f in findings if f["category"] not in IGNORED_CATEGORIES] == []
    (results,) = (tmp_path / "report/sessions").glob("*/*_fuzzing_results.json")
    specification = json.loads(results.read_text())["data"]["spec_summary"]["by_spec_id"]
    # The checks under MCP-Protocol concern the fuzzer's own notifications.
    checked = {name: spec for name, spec in specification.items() if name != "MCP-Protocol"}
    assert checked and [name for name, spec in checked.items() if spec["failed"]] == []

    requests = {str(m["id"]) for m in server.received() if "method" in m and "id" in m}
    responses = {str(m["id"]): m for m in server.sent() if "method" not in m and m["id"] is not None}
    assert requests and requests <= responses.keys()
    assert all(is_about_unreadable(responses[id]) for id in responses.keys() - requests)
    # The fuzzer may have created salons. The directories that it leaves must still be usable.
    with urllib.request.urlopen(f"{backend}/salons", timeout=DEADLINE) as response:
        expected = {salon["name"] for salon in json.load(response)["salons"]}
    assert "Scherenschnitt" in expected
    assert salons_of_new_server(server) == expected


def salons_of_new_server(server):
    """Starts a new server with the directories of the fuzzed server, and lists the salons' names."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "salons/list"}
    run = subprocess.run(
        server.command,
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    return {salon["name"] for salon in json.loads(run.stdout)["result"]["salons"]}
