"""The Emacs plugin in Tools/editors/emacs."""

import os
import subprocess
from pathlib import Path

import pytest

from environment import BINARIES, DEADLINE

PLUGIN = Path(__file__).parents[2] / "Tools/editors/emacs"


def run_emacs(*arguments):
    """The output of Emacs with the plugin and its tests in the load path."""
    return run_emacs_alone("-L", PLUGIN, "-L", PLUGIN / "test", *arguments)


def run_emacs_alone(*arguments):
    result = subprocess.run(
        ["emacs", "--batch", "-Q", *arguments],
        env=os.environ | {"NOVABLEND_BIN": str(BINARIES)},
        capture_output=True, text=True, timeout=8 * DEADLINE)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


@pytest.mark.parametrize("file", sorted(file.name for file in PLUGIN.glob("test/*-tests.el")))
def test_plugin(file):
    # A file without tests would succeed, too.
    assert " results as expected, 0 unexpected" in run_emacs(
        "-l", PLUGIN / "test" / file, "-f", "ert-run-tests-batch-and-exit")


def test_lint():
    run_emacs("-l", PLUGIN / "test/lint.el", PLUGIN)


def test_install(tmp_path):
    def with_package(*forms):
        settings = f'(setq package-user-dir "{tmp_path}" package-archives nil)'
        calls = [argument for form in [settings, "(package-initialize)", *forms]
                 for argument in ["--eval", form]]
        return run_emacs_alone(*calls)

    with_package(f'(package-install-file "{PLUGIN}")')
    commands = ["novablend-salons", "novablend-week", "novablend-book", "novablend-appointments"]
    found = with_package(f"(princ (mapcar #'commandp '({' '.join(commands)})))")
    assert found.endswith("(t t t t)")
