"""The programs that are started: ours, the peers, and the driver that measures both."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parents[1]
# Nothing that is measured takes longer than this, in seconds.
PATIENCE = 400


@dataclass
class Programs:
    """Where everything is, and how much is done."""

    binaries: Path  # novablend and novablend-backend
    built: Path  # the driver and the peers in C
    swift: Path  # the peers in Swift
    python: Path  # an interpreter that has the peers' packages
    scratch: Path
    quick: bool

    def drive(self, *arguments) -> dict[str, float]:
        """What the driver measured."""
        return self.tell(self.built / "drive", *arguments)

    def tell(self, *command) -> dict[str, float]:
        """What a program that measures itself printed."""
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.scratch,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip()[-600:]}")
        return json.loads(done.stdout)

    @property
    def environment(self) -> dict[str, str]:
        scratch = str(self.scratch)
        mine = {"HOME": scratch, "XDG_CACHE_HOME": scratch, "XDG_STATE_HOME": scratch}
        return {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")} | mine

    SERVER_URL = "server-url"
    """The file that names the server of a cache."""

    def novablend(self, cache: Path, *options) -> list:
        state = self.scratch / "state"
        directories = ["--cache-dir", cache, "--state-dir", state]
        url = cache / self.SERVER_URL
        if "--base-url" not in options and url.exists():
            directories += ["--base-url", url.read_text()]
        return [self.binaries / "novablend", "serve", *directories, *options]

    def script(self, name: str, *arguments) -> list:
        return [self.python, HERE / "peers" / "python" / name, *arguments]

    def fresh(self, name: str) -> Path:
        """An empty directory of this name."""
        directory = self.scratch / name
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(mode=0o700)
        return directory

    def choose(self, full: int, quick: int) -> int:
        """How much is done in the full run, and in the quick one."""
        return quick if self.quick else full


class Running:
    """A server for as long as the block lasts; its first line names its port."""

    def __init__(self, programs: Programs, *command):
        self._programs = programs
        self._command = [str(word) for word in command]

    def __enter__(self) -> "Running":
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._programs.environment,
            text=True,
        )
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._command[0]} did not start")
        self.port = line.strip().rsplit(":", 1)[-1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


def file_server(programs: Programs, **files: Path) -> Running:
    """A server that answers /NAME with the bytes of a file."""
    answers = [f"/{name}={file}" for name, file in files.items()]
    return Running(programs, programs.built / "drive", "serve", *answers)
