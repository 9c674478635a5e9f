"""Emacs' jsonrpc.el, the library under Eglot."""

from pathlib import Path

from editor import converse

SCRIPT = Path(__file__).parent / "emacs/client.el"


def test_emacs(server, stalling_server, booking):
    seen = converse(["emacs", "--batch", "-Q", "-l", SCRIPT], server, stalling_server, booking)
    assert seen == {"salons": 6, "listed": 1, "cancelled": -32800, "exit": 0}
