"""mcp-conform checks the handshake, the tools, and an unknown method."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

from environment import DEADLINE


def test_conform(server):
    tester = Path(sys.executable).parent / "mcp-conform"
    arguments = ["server", "--format", "json", "--command", shlex.join(server.command)]
    run = subprocess.run([tester, *arguments], capture_output=True, text=True, timeout=4 * DEADLINE)
    report = json.loads(run.stdout)
    failed = [check for check in report["checks"] if not check["passed"]]
    assert run.returncode == 0 and report["fatal_error"] is None and failed == [], report
    # mcp-conform skips the checks of tools if the server declares none.
    assert any(
        check["name"].endswith("(appointments_book)_input_schema") for check in report["checks"]
    )
