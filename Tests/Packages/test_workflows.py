"""The workflows have no known weaknesses, and a release gets the notes of its version."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "Tools/Packaging"))
from notes import notes

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
CHANGELOG = """# Changelog

## [Unreleased]

- later

## [1.2.0] - 2026-12-01

### Added

- this

## [1.1.0]

- earlier

[1.2.0]: https://example.com
"""


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def installed(program):
    """A program of this environment."""
    return Path(sys.executable).with_name(program)


# The package of actionlint on PyPI downloads it from a different host, so it is not a requirement.
@pytest.mark.skipif(not shutil.which("actionlint"), reason="actionlint is not installed")
def test_actionlint_finds_nothing():
    result = run("actionlint", *WORKFLOWS)
    assert (result.returncode, result.stdout) == (0, "")


def test_the_workflows_match_their_schema():
    command = [installed("check-jsonschema"), "--builtin-schema", "vendor.github-workflows"]
    result = run(*command, *WORKFLOWS)
    assert result.returncode == 0, result.stdout


def test_zizmor_finds_nothing():
    result = run(installed("zizmor"), "--offline", *WORKFLOWS)
    assert result.returncode == 0, result.stdout


def test_the_notes_are_those_of_the_version():
    assert notes("v1.2.0", "1.2.0", CHANGELOG) == "### Added\n\n- this"


@pytest.mark.parametrize("tag, version", [("v1.3.0", "1.3.0"), ("v1.2.0", "1.2.1"), ("1.2.0", "1.2.0")])
def test_a_tag_without_notes_or_of_a_different_version_is_not_released(tag, version):
    with pytest.raises(SystemExit, match=tag if tag != f"v{version}" else "no section"):
        notes(tag, version, CHANGELOG)
