"""Clients that openrpcclientgenerator generates from the OpenRPC document compile and book."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from openrpc import OpenRPC
from openrpcclientgenerator import Language, generate

from environment import DEADLINE
from lines import Client

HERE = Path(__file__).parent


@pytest.fixture
def document(server):
    with Client(server.command) as client:
        return client.call("rpc.discover")["result"]


def generate_client(document, language, folder):
    name = generate(OpenRPC.model_validate(document), language, "http://localhost", folder)
    return folder / language.name.lower() / name


def run(command, folder, **environment):
    process = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=4 * DEADLINE,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def check(text, document):
    result = json.loads(text)
    assert result["salon"] == "Atelier Nova" and result["times"] > 1
    assert result["listed"] == [result["booked"]]
    (cancel,) = [method for method in document["methods"] if method["name"].endswith("/cancel")]
    names = {error["code"]: error["data"]["name"] for error in cancel["errors"]}
    assert names[result["error"]] == "appointmentNotFound"


def test_python(document, server, tmp_path):
    folder = generate_client(document, Language.PYTHON, tmp_path)
    for file in (HERE / "python").glob("*.py"):
        shutil.copy(file, folder)
    mypy = [sys.executable, "-m", "mypy", "--config-file", HERE / "mypy.ini"]
    assert "no issues found" in run([*mypy, "session.py"], folder)
    names = [param["name"] for method in document["methods"] for param in method["params"]]
    session = [sys.executable, "session.py", json.dumps(server.command), json.dumps(names)]
    check(run(session, folder), document)


def test_typescript(document, server, tmp_path):
    folder = generate_client(document, Language.TYPESCRIPT, tmp_path)
    for package in "jsonrpc2-tsclient", "axios":
        shutil.copytree(HERE / "typescript" / package, folder / "node_modules" / package)
    shutil.copy(HERE / "typescript" / "session.ts", folder / "src")
    run(["tsc", "--strict", "--project", "."], folder)
    session = ["node", "dist/session.js"]
    check(run(session, folder, NOVABLEND_COMMAND=json.dumps(server.command)), document)
