"""The Emacs plugin in Tools/editors/emacs."""

import fcntl
import os
import pty
import shutil
import signal
import struct
import subprocess
import termios
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from environment import BINARIES, DEADLINE

PLUGIN = Path(__file__).parents[2] / "Tools/editors/emacs"
ENVIRONMENT = os.environ | {"NOVABLEND_BIN": str(BINARIES), "LC_ALL": "C.UTF-8"}
# The tests of this file need a frame.
FRAME_TESTS = PLUGIN / "test/novablend-frame-tests.el"
# A file without tests would succeed, too.
SUCCESS = " results as expected, 0 unexpected"


def run_emacs(*arguments):
    """The output of Emacs with the plugin and its tests in the load path."""
    return run_emacs_alone("-L", PLUGIN, "-L", PLUGIN / "test", *arguments)


def run_emacs_alone(*arguments):
    result = subprocess.run(
        ["emacs", "--batch", "-Q", *arguments],
        env=ENVIRONMENT, capture_output=True, text=True, timeout=8 * DEADLINE)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


@pytest.mark.parametrize(
    "file", sorted(file.name for file in PLUGIN.glob("test/*-tests.el") if file != FRAME_TESTS))
def test_plugin(file):
    assert SUCCESS in run_emacs(
        "-l", PLUGIN / "test" / file, "-f", "ert-run-tests-batch-and-exit")


def test_plugin_in_a_terminal(tmp_path):
    output = tmp_path / "output"
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
        os.execvpe("emacs", frame_command("-nw"), frame_environment(output, TERM="xterm"))
    deadline = threading.Timer(8 * DEADLINE, os.kill, [process, signal.SIGKILL])
    deadline.start()
    # Emacs waits when its terminal is full, so the test reads what Emacs writes.
    screen = []
    threading.Thread(target=drain, args=[terminal, screen], daemon=True).start()
    # Emacs stops if a program that it runs takes the terminal.
    while os.WIFSTOPPED(status := os.waitpid(process, os.WUNTRACED)[1]):
        os.kill(process, signal.SIGCONT)
    deadline.cancel()
    text = output.read_text() if output.exists() else b"".join(screen).decode(errors="replace")
    assert os.waitstatus_to_exitcode(status) == 0 and SUCCESS in text, text


def test_plugin_in_a_graphical_frame(tmp_path):
    if not shutil.which("Xvfb") or "x-create-frame" not in run_emacs_alone(
            "--eval", "(when (fboundp 'x-create-frame) (princ 'x-create-frame))"):
        pytest.skip("Xvfb or an Emacs for X is missing")
    output = tmp_path / "output"
    with x_server() as display:
        result = subprocess.run(
            frame_command(), env=frame_environment(output, DISPLAY=display),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=8 * DEADLINE)
    text = output.read_text() if output.exists() else result.stderr
    assert result.returncode == 0 and SUCCESS in text, text


def frame_command(*options):
    """Runs the tests that need a frame."""
    return ["emacs", *options, "-Q", "-L", PLUGIN, "-L", PLUGIN / "test", "-l", FRAME_TESTS,
            "--eval", "(run-at-time 0.1 nil #'novablend-test-run-in-frame)"]


def frame_environment(output, **variables):
    return ENVIRONMENT | {"NOVABLEND_TEST_OUTPUT": str(output)} | variables


def drain(terminal, screen):
    """Append what programs write to their terminal to a list."""
    try:
        while part := os.read(terminal, 65536):
            screen.append(part)
    except OSError:  # All of them have ended.
        os.close(terminal)


@contextmanager
def x_server():
    """The name of a display without a screen."""
    reader, writer = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-noreset", "-screen", "0", "1600x1200x24"],
        pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as lines:
            yield ":" + lines.readline().strip()
    finally:
        process.terminate()
        process.wait(DEADLINE)


def test_lint():
    run_emacs("-l", PLUGIN / "test/lint.el", PLUGIN)


def test_install(tmp_path):
    def with_package(*forms):
        settings = f'(setq package-user-dir "{tmp_path}" package-archives nil)'
        calls = [argument for form in [settings, "(package-initialize)", *forms]
                 for argument in ["--eval", form]]
        return run_emacs_alone(*calls)

    with_package(f'(package-install-file "{PLUGIN}")')
    commands = ["novablend-salons", "novablend-week", "novablend-day", "novablend-book",
                "novablend-appointments"]
    found = with_package(f"(princ (mapcar #'commandp '({' '.join(commands)})))")
    assert found.endswith("(t t t t t)")
