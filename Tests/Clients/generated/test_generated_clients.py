"""Clients that openrpcclientgenerator makes of the OpenRPC document compile and book."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from openrpc import OpenRPC
from openrpcclientgenerator import Language, generate

from conftest import DEADLINE
from lines import Client

HERE = Path(__file__).parent


@pytest.fixture
def document(server):
    with Client(server.command) as client:
        return client.call("rpc.discover")["result"]


def generated(document, language, folder):
    name = generate(OpenRPC.model_validate(document), language, "http://localhost", folder)
    return folder / language.name.lower() / name


def output(command, folder, **environment):
    run = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=4 * DEADLINE,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def check(text, document):
    said = json.loads(text)
    assert said["salon"] == "Atelier Nova" and said["times"] > 1
    assert said["listed"] == [said["booked"]]
    (cancel,) = [method for method in document["methods"] if method["name"].endswith("/cancel")]
    names = {error["code"]: error["data"]["name"] for error in cancel["errors"]}
    assert names[said["error"]] == "appointmentNotFound"


def test_python(document, server, tmp_path):
    folder = generated(document, Language.PYTHON, tmp_path)
    for file in (HERE / "python").glob("*.py"):
        shutil.copy(file, folder)
    mypy = [sys.executable, "-m", "mypy", "--config-file", HERE / "mypy.ini"]
    assert "no issues found" in output([*mypy, "session.py"], folder)
    names = [param["name"] for method in document["methods"] for param in method["params"]]
    session = [sys.executable, "session.py", json.dumps(server.command), json.dumps(names)]
    check(output(session, folder), document)


def test_typescript(document, server, tmp_path):
    folder = generated(document, Language.TYPESCRIPT, tmp_path)
    for package in "jsonrpc2-tsclient", "axios":
        shutil.copytree(HERE / "typescript" / package, folder / "node_modules" / package)
    shutil.copy(HERE / "typescript" / "session.ts", folder / "src")
    output(["tsc", "--strict", "--project", "."], folder)
    session = ["node", "dist/session.js"]
    check(output(session, folder, NOVABLEND_COMMAND=json.dumps(server.command)), document)
