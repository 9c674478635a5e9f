"""The plugin for Neovim. Its tests are in Lua, in `Tools/editors/neovim/test`; each one runs in its own editor."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from environment import BINARIES, DEADLINE

PLUGIN = Path(__file__).parents[2] / "Tools/editors/neovim"


def names():
    for file in sorted((PLUGIN / "test").glob("*_test.lua")):
        for name in re.findall(r"^test\('(.*)', function", file.read_text(), re.MULTILINE):
            yield f"{file.name}:{name}"


@pytest.mark.parametrize("test", list(names()))
def test_plugin(test, tmp_path):
    environment = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ["CONFIG", "CACHE", "STATE", "DATA"]}
    result = subprocess.run(
        ["nvim", "--headless", "--clean", "-c", f"luafile {PLUGIN}/test/run.lua"],
        env=os.environ | environment | {"TEST": test, "NOVABLEND_BIN": str(BINARIES)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=3 * DEADLINE)
    assert result.returncode == 0, result.stderr


def test_luacheck_finds_nothing():
    result = subprocess.run(["luacheck", "--quiet", "--no-color", "."], cwd=PLUGIN,
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
