#!/usr/bin/env python3
"""Generates the parts of the clients in Tools/clients that describe methods, or checks that they are current.

Usage: clients.py [--check] NOVABLEND

The methods, their types, and their errors come from `rpc.discover`.
"""

import json
import subprocess
import sys
from pathlib import Path

import clients_document
import clients_python
import clients_typescript

CLIENTS = Path(__file__).resolve().parents[1] / "clients"


def discover(binary):
    """The OpenRPC document of the program."""
    request = '{"jsonrpc": "2.0", "id": 1, "method": "rpc.discover"}\n'
    command = [binary, "serve", "--sandbox"]
    run = subprocess.run(command, input=request, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["result"]


def main():
    *options, binary = sys.argv[1:]
    document = discover(Path(binary).absolute())
    choices = clients_document.name_choices(document)
    files = clients_python.files(document, choices)
    files |= clients_typescript.files(document, choices, CLIENTS)
    outdated = [name for name, text in files.items() if text != current(CLIENTS / name)]
    if "--check" in options and outdated:
        sys.exit(f"not current: {', '.join(outdated)}; run `make clients`")
    for name in outdated:
        (CLIENTS / name).write_text(files[name])


def current(path):
    return path.read_text() if path.exists() else None


if __name__ == "__main__":
    main()
