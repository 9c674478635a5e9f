"""The backend's description of itself is valid, and the backend does what it says."""

import json
import os
import subprocess
import urllib.request
from pathlib import Path
from sys import executable

import openapi_spec_validator

FOLDER = Path(__file__).parent


def test_the_document_is_valid(backend):
    with urllib.request.urlopen(f"{backend}/openapi.json") as response:
        document = json.load(response)
    assert document["openapi"].startswith("3.1.")
    openapi_spec_validator.validate(document)


def test_schemathesis_finds_no_error(backend, tmp_path):
    program = Path(executable).with_name("schemathesis")
    configuration = ("--config-file", FOLDER / "schemathesis.toml")
    result = subprocess.run(
        [program, *configuration, "run", f"{backend}/openapi.json"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(FOLDER)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert result.returncode == 0, result.stdout
