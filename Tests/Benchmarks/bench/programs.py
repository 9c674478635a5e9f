"""Starts programs: ours, the peers, and the driver that measures both."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

HERE = Path(__file__).parents[1]
# Seconds that a single measurement may take.
TIMEOUT = 400


@dataclass
class Programs:
    """Paths of the programs, and whether this is a quick run."""

    binaries: Path  # novablend and novablend-backend
    built: Path  # the driver, and the peers in C
    swift: Path  # the peers in Swift
    python: Path  # an interpreter with the peers' packages
    scratch: Path
    quick: bool

    def drive(self, *arguments, core: int | None = None) -> dict[str, float]:
        """Runs the driver and returns its measurements."""
        return self.run_json(*on_core(core), self.built / "drive", *arguments)

    def run_json(self, *command) -> dict[str, float]:
        """Runs a program that prints its measurements as JSON."""
        process = subprocess.run(
            [str(word) for word in command],
            cwd=self.scratch,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {process.stderr.strip()[-600:]}")
        return json.loads(process.stdout)

    @property
    def environment(self) -> dict[str, str]:
        scratch = str(self.scratch)
        overrides = {"HOME": scratch, "XDG_CACHE_HOME": scratch, "XDG_STATE_HOME": scratch}
        return {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")} | overrides

    SERVER_URL = "server-url"
    """A file in a cache directory with the URL of the server that the cache was loaded from."""

    def novablend(self, cache: Path, *options) -> list:
        state = self.scratch / "state"
        directories = ["--cache-dir", cache, "--state-dir", state]
        url = cache / self.SERVER_URL
        if "--base-url" not in options and url.exists():
            directories += ["--base-url", url.read_text()]
        return [self.binaries / "novablend", "serve", *directories, *options]

    def import_salons(self, salons: Path, database: Path | str):
        program = self.binaries / "novablend-backend"
        command = [program, "salons", "import", salons, "--database", database]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)

    def script(self, name: str, *arguments) -> list:
        return [self.python, HERE / "peers" / "python" / name, *arguments]

    def empty_directory(self, name: str) -> Path:
        """Creates a directory in the scratch directory, and deletes an existing one."""
        directory = self.scratch / name
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(mode=0o700)
        return directory

    def choose(self, full: int, quick: int) -> int:
        """Returns the first number in a full run and the second in a quick run."""
        return quick if self.quick else full


def on_core(number: int | None) -> list[str]:
    """Words before a command that restrict it to one core; none for None. If there are not enough
    cores, the last one is used again."""
    if number is None:
        return []
    cores = sorted(os.sched_getaffinity(0))
    return ["taskset", "--cpu-list", str(cores[min(number, len(cores) - 1)])]


class RunningProgram:
    """A context manager that runs a program, which ends when its standard input is closed."""

    def __init__(self, programs: Programs, *command, errors: int | None = subprocess.DEVNULL):
        self._programs = programs
        self._command = [str(word) for word in command]
        self._errors = errors

    def __enter__(self):
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=self._programs.environment,
            text=True,
        )
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


class RunningServer(RunningProgram):
    """A server, which prints its port in its first line."""

    def __enter__(self) -> "RunningServer":
        super().__enter__()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._command[0]} did not start")
        self.port = line.strip().rsplit(":", 1)[-1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def request(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] = {}
    ) -> tuple[HTTPResponse, bytes]:
        """The response to a request, and its body."""
        connection = HTTPConnection("127.0.0.1", int(self.port))
        connection.request(method, path, body, {"Content-Type": "application/json"} | headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        if response.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {response.status} {content!r}")
        return response, content

    def memory_kib(self, name: str) -> int:
        """A field of /proc/PID/status in KiB, such as VmRSS."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name + ":"))

    def cpu_seconds(self) -> float:
        """The CPU time that the process has used so far, including time in the kernel."""
        stat = Path(f"/proc/{self._process.pid}/stat").read_text()
        fields = stat[stat.rindex(")") :].split()
        return (int(fields[12]) + int(fields[13])) / os.sysconf("SC_CLK_TCK")

    def cpu_nanoseconds(self) -> int:
        """The CPU time of the threads that the process has now."""
        files = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(file.read_text().split()[0]) for file in files)


def file_server(programs: Programs, **files: Path) -> RunningServer:
    """A server that serves each file as /NAME."""
    paths = [f"/{name}={file}" for name, file in files.items()]
    return RunningServer(programs, programs.built / "drive", "serve", *paths)
