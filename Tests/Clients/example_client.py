"""Runs the example mcp-client."""

import subprocess

from environment import DEADLINE, EXAMPLES


def run(server, *commands, revision=None):
    """The lines that the client prints. The commands are the lines of its standard input."""
    options = ["--revision", revision] if revision else []
    finished = subprocess.run(
        [EXAMPLES / "mcp-client", *options, *server],
        input="\n".join(commands) + "\n",
        stdout=subprocess.PIPE,
        text=True,
        timeout=2 * DEADLINE,
    )
    assert finished.returncode == 0, finished.stdout
    return finished.stdout.split("\n")
