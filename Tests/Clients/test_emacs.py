"""Emacs' jsonrpc.el, the library that Eglot uses."""

from pathlib import Path

from editor import run_client

SCRIPT = Path(__file__).parent / "emacs/client.el"


def test_emacs(server, stalling_server, booking):
    results = run_client(["emacs", "--batch", "-Q", "-l", SCRIPT], server, stalling_server, booking)
    assert results == {"salons": 6, "listed": 1, "cancelled": -32800, "exit": 0}
