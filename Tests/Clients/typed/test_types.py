"""The clients, and the programs in their READMEs, have no type errors. Their generated parts are current."""

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import CLIENTS, HERE, PYTHON, ROOT, TSC, example
from environment import BINARIES, DEADLINE


def check(command, folder, environment=None):
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=4 * DEADLINE
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_generated_parts_are_current(tmp_path):
    script = ROOT / "Tools" / "Scripts" / "clients.py"
    check([sys.executable, "-B", script, "--check", BINARIES / "novablend"], tmp_path)


def test_the_python_client_has_no_type_errors(tmp_path):
    (tmp_path / "book.py").write_text(example("python"))
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11"]
    environment = PYTHON | {"MYPYPATH": str(CLIENTS / "python")}
    check([*mypy, "book.py", HERE / "driver.py"], tmp_path, environment)


@pytest.mark.skipif(
    not Path("/usr/share/nodejs/@types/node").exists(),
    reason="the types of Node.js are missing; Debian's package nodejs has them",
)
def test_the_typescript_client_has_no_type_errors(compiled):
    check([*TSC, "--noEmit", "driver.ts", "book.ts"], compiled)
