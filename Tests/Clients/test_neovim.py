"""Neovim's vim.lsp.rpc, the library under its language client."""

from pathlib import Path

from editor import converse

SCRIPT = Path(__file__).parent / "neovim/client.lua"


def test_neovim(server, stalling_server, booking):
    command = ["nvim", "--headless", "--clean", "-c", f"luafile {SCRIPT}"]
    seen = converse(command, server, stalling_server, booking)
    assert seen == {"salons": 6, "listed": 1, "cancelled": True, "exit": 0}
