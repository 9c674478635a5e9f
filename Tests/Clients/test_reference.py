"""Tools/Scripts/reference.py generates docs/Methods.md from the program, including the example replies."""

import subprocess
import sys
from pathlib import Path

from environment import BINARIES, DEADLINE

SCRIPT = Path(__file__).parents[2] / "Tools" / "Scripts" / "reference.py"


def test_the_method_reference_is_current():
    command = [sys.executable, SCRIPT, "--check", BINARIES / "novablend"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=4 * DEADLINE)
    assert run.returncode == 0, run.stdout + run.stderr
