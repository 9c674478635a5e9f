"""Neovim's vim.lsp.rpc, the library that its language client uses."""

from pathlib import Path

from editor import run_client

SCRIPT = Path(__file__).parent / "neovim/client.lua"


def test_neovim(server, stalling_server, booking):
    command = ["nvim", "--headless", "--clean", "-c", f"luafile {SCRIPT}"]
    results = run_client(command, server, stalling_server, booking)
    assert results == {"salons": 6, "listed": 1, "cancelled": True, "exit": 0}
