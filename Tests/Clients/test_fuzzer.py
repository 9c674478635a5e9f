"""mcp-fuzzer against tools, resources, prompts and the protocol itself, for a bounded run."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import DEADLINE

FUZZER = Path(sys.executable).parent / "mcp-fuzzer"

# It calls all that it made malformed, a ping included, and so all that is not refused a finding.
# How fast a machine is says nothing about the server; that all was answered is looked at below.
NO_FAULTS = {"accepted_malformed", "hang", "performance_outlier"}


@pytest.mark.parametrize("phase", ["realistic", "aggressive"])
def test_fuzzer(server, tmp_path, phase):
    run = subprocess.run(
        [
            FUZZER,
            *("--protocol", "stdio", "--endpoint", shlex.join(server.command)),
            *("--mode", "all", "--phase", "both", "--protocol-phase", phase, "--stateful"),
            *("--runs", "5", "--runs-per-type", "5", "--seed", "1", "--no-corpus"),
            # It waits this long for an answer to -Infinity, which is no JSON and so has no id.
            *("--spec-prompt-name", "book_appointment"),
            *("--spec-prompt-args", '{"salon": "Scherenschnitt"}'),
            *("--spec-resource-uri", "novablend://appointments"),
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
    assert [f for f in findings if f["category"] not in NO_FAULTS] == []
    (results,) = (tmp_path / "report/sessions").glob("*/*_fuzzing_results.json")
    specification = json.loads(results.read_text())["data"]["spec_summary"]["by_spec_id"]
    # What it checks under MCP-Protocol are notifications of its own.
    checked = {name: spec for name, spec in specification.items() if name != "MCP-Protocol"}
    assert checked and [name for name, spec in checked.items() if spec["failed"]] == []

    asked = {str(m["id"]) for m in server.received() if "method" in m and "id" in m}
    answered = {str(m["id"]) for m in server.sent() if "method" not in m}
    assert asked and asked == answered - {"None"}
    assert salons_of_a_new_server(server) == 6


def salons_of_a_new_server(server):
    """How many salons a server lists that finds the directories as the fuzzer left them."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "salons/list"}
    run = subprocess.run(
        server.command,
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    return json.loads(run.stdout)["result"]["total"]
