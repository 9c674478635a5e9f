"""The example mcp-client with servers from PyPI."""

import subprocess
import sys
from pathlib import Path

import pytest

from example_client import run

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
SCRIPTS = Path(sys.executable).parent
FAST = [sys.executable, str(Path(__file__).with_name("fast.py"))]


@pytest.mark.parametrize("revision", REVISIONS)
def test_mcp_server_time(revision):
    lines = run(
        [SCRIPTS / "mcp-server-time"],
        "tools",
        'call get_current_time {"timezone": "Europe/Berlin"}',
        'call get_current_time {"timezone": "Nowhere"}',
        "call no_such_tool {}",
        revision=revision,
    )
    assert lines[0].startswith("mcp-time ") and lines[0].endswith(f", MCP {revision}")
    assert {"get_current_time", "convert_time"} <= set(lines)
    assert '  "timezone": "Europe/Berlin",' in lines
    assert any(line.startswith("failed: ") and "Nowhere" in line for line in lines)
    assert any(line.startswith("error -32602: ") for line in lines)


def test_mcp_server_git(tmp_path):
    author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    git = ["git", "-C", tmp_path]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run(
        [*git, *author, "commit", "--quiet", "--allow-empty", "--message", "First"], check=True
    )
    lines = run(
        [SCRIPTS / "mcp-server-git", "--repository", tmp_path],
        f'call git_log {{"repo_path": "{tmp_path}"}}',
    )
    assert lines[0].endswith(", MCP 2026-07-28")
    assert any("First" in line for line in lines)


@pytest.mark.parametrize("revision", REVISIONS)
def test_fastmcp(revision):
    lines = run(
        FAST,
        'call add {"a": 1, "b": 2}',
        "resources",
        "read data://text",
        "read data://Ada/text",
        "prompts",
        'prompt greet {"who": "Ada"}',
        "describe add",
        revision=revision,
    )
    assert lines[:3] == [f"fast 3.1, MCP {revision}", "3", "data://text"]
    assert lines[3:7] == ["data://{name}/text", "Hello", "Hello Ada", "greet"]
    assert lines[7:9] == ["user: Greet Ada", "Adds two numbers."]
    assert '    "a": {' in lines


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25"])
@pytest.mark.parametrize("answer", ["y", "n"])
def test_fastmcp_asks_the_user(revision, answer):
    lines = run(FAST, "call ask {}", answer, revision=revision)
    assert lines[1] == "Really?"
    assert lines[2].endswith(f"accept {answer == 'y'}")
