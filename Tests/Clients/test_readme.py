"""The README's blocks that connect an editor, a script, or an agent list the salons of a server."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from environment import BINARIES, DEADLINE, NODE_24

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
SALON = "Night Owl Barbers"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture
def environment(tmp_path):
    """A PATH with the program, and directories that belong to this test."""
    return os.environ | {
        "PATH": f"{BINARIES}:{os.environ['PATH']}",
        "PYTHONPATH": str(README.parent / "Tools" / "clients" / "python"),
        **{f"XDG_{name}_HOME": str(tmp_path / name) for name in ["CONFIG", "CACHE", "STATE"]},
    }


@pytest.fixture
def run(backend, tmp_path, environment):
    """Runs a block with the backend in place of the README's server; returns its output."""

    def run(language: str, command: list[str], ending: str = "") -> str:
        [block] = blocks(language)
        assert "https://salons.example" in block
        script = tmp_path / f"block.{language}"
        block = block.replace("/path/to/NovaBlend", str(README.parent))
        script.write_text(block.replace("https://salons.example", backend) + ending)
        result = subprocess.run(
            [word.replace("SCRIPT", str(script)) for word in command], env=environment,
            capture_output=True, text=True, timeout=DEADLINE)
        assert result.returncode == 0, result.stderr
        return result.stdout + result.stderr

    return run


def test_python(run):
    assert SALON in run("python", ["python3", "SCRIPT"])


@pytest.mark.parametrize("node", ["node", NODE_24])
def test_node(run, node):
    assert SALON in run("js", [node, "SCRIPT"])


def test_emacs(run):
    # The list arrives later; a script has to wait for it.
    wait = f"""
        (with-timeout ({DEADLINE})
          (while (not (string-match-p "{SALON}" (buffer-string)))
            (accept-process-output nil 0.05)))
        (princ (buffer-string))
    """
    plugin = str(ROOT / "Tools/editors/emacs")
    assert SALON in run("elisp", ["emacs", "--batch", "-Q", "-L", plugin, "-l", "SCRIPT"], wait)


def test_neovim(run):
    # Neovim runs the files in plugin/ after init.lua.
    ending = f"""
        vim.cmd('runtime plugin/novablend.lua')
        vim.cmd('NovaBlend salons')
        local function shown() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n') end
        vim.wait(30000, function() return shown():find('{SALON}') end, 5)
        print(shown())
        vim.cmd('qall!')
    """
    assert SALON in run("lua", ["nvim", "--headless", "--clean", "-c", "luafile SCRIPT"], ending)


@pytest.mark.anyio
@pytest.mark.parametrize("index, key", [(0, "mcpServers"), (1, "servers")])
async def test_agent(backend, environment, index, key):
    settings = json.loads(blocks("json")[index].replace("https://salons.example", backend))
    parameters = StdioServerParameters(**settings[key]["novablend"], env=environment)
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        reply = await session.call_tool("salons_list", {})
        assert any(SALON in content.text for content in reply.content)
