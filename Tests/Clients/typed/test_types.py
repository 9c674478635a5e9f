"""The clients, and the programs in their READMEs, have no type errors. Their generated parts are current."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import CLIENTS, HERE, NODE, PYTHON, ROOT, TSC, example, stripped
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


def test_the_typescript_client_has_no_syntax_that_must_be_compiled(compiled, tmp_path):
    """Deno has a current version of TypeScript, and types of Node.js."""
    for name in ["novablend.ts", "stripped.ts"]:
        (tmp_path / name).write_text((compiled / name).read_text())
    (tmp_path / "book.ts").write_text(stripped(example("typescript")))
    (tmp_path / "using.ts").write_text(USING)
    options = {"strict": True, "erasableSyntaxOnly": True, "noUnusedLocals": True}
    (tmp_path / "deno.json").write_text(json.dumps({"compilerOptions": options}))
    deno = Path(sys.executable).parent / "deno"
    environment = os.environ | {"DENO_NO_UPDATE_CHECK": "1", "DENO_DIR": str(tmp_path / "cache")}
    sources = ["novablend.ts", "stripped.ts", "book.ts", "using.ts"]
    check([deno, "check", "--no-remote", "--no-npm", *sources], tmp_path, environment)


def test_using_closes_the_client_and_the_subscription(compiled, tmp_path):
    program = compiled / "using.mts"
    program.write_text(USING)
    run = subprocess.run(
        [NODE, program, BINARIES / "novablend"], capture_output=True, text=True, timeout=DEADLINE
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "true\n", "")


# The program ends, so both have been closed.
USING = """
import { NovaBlend } from "./novablend.ts";

await using client = new NovaBlend(["--sandbox"], { program: process.argv[2] });
await using changes = await client.changes("salons");
void changes.next();
console.log((await client.salonsList()).salons.length > 0);
"""
