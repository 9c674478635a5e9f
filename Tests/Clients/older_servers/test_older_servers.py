"""The example mcp-client with a server that requires a handshake."""

import sys
from pathlib import Path

import pytest

from example_client import run

ADDER = [sys.executable, str(Path(__file__).with_name("adder.py"))]


@pytest.mark.parametrize("revision", [None, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_uses_the_revision_or_else_the_newest(revision):
    lines = run(ADDER, "tools", 'call add {"a": 1, "b": 2}', revision=revision)
    assert lines[0].endswith(f", MCP {revision or '2025-11-25'}")
    assert lines[1:3] == ["add", "3"]
