"""Compares what the programs write with golden files, or records new ones.

Usage: golden.py DIRECTORY [--accept REASON]

DIRECTORY contains both programs. They run at a fixed time (libfaketime), unless they have to wait. What differs between
runs is replaced by constants: identifiers, ports, directories, and the version.
"""

import argparse
import datetime
import difflib
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import backend_requests
import scenarios
import scripted_server

HERE = Path(__file__).resolve().parent
FILES = HERE / "files"
TIME = "2027-03-01 08:00:00"
# The longest line of JSON before it is broken.
WIDTH = 110
# Seconds that a program may run.
DEADLINE = 60

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
UUID = re.compile(r"(?!5a100000)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
ACCOUNT = re.compile(r"default-127\.0\.0\.1-\d+-[0-9a-f]{16}")
# The number is replaced by 0.
NUMBER = re.compile(r"(127\.0\.0\.1:|127\.0\.0\.1 port |after )\d+")


def laid_out(text):
    """JSON with line breaks and indentation, and otherwise unchanged; any other text as it is."""
    tokens = TOKEN.findall(text)
    if text[:1] not in ("{", "[") or "".join(tokens) != text:
        return text
    return "".join(value_lines(tokens, [0], ""))


def value_lines(tokens, position, indentation):
    """The parts of the value at the position, which is moved behind it."""
    start = position[0]
    if tokens[start] not in ("{", "["):
        position[0] += 1
        return [tokens[start]]
    deeper = indentation + "  "
    parts = []
    position[0] += 1
    while tokens[position[0]] not in ("}", "]"):
        if tokens[position[0]] == ",":
            position[0] += 1
        parts.append(["\n", deeper])
        if tokens[position[0] + 1] == ":":
            parts[-1] += [tokens[position[0]], ": "]
            position[0] += 2
        parts[-1] += value_lines(tokens, position, deeper)
        if tokens[position[0]] == ",":
            parts[-1].append(",")
    position[0] += 1
    whole = "".join(tokens[start:position[0]])
    if len(indentation) + len(whole) < WIDTH:
        return [whole]
    closing = ["\n", indentation, tokens[position[0] - 1]]
    return [tokens[start], *(part for each in parts for part in each), *closing]


class Normalizer:
    """Replaces what differs between runs, the same value by the same constant."""

    def __init__(self, directory, version):
        self._constants = {directory: "/home", version: "VERSION"}
        self._identifiers = {}

    def __call__(self, text):
        for value, constant in self._constants.items():
            text = text.replace(value, constant)
        text = UUID.sub(self._identifier, text)
        text = ACCOUNT.sub("default-127.0.0.1-0-0", text)
        return NUMBER.sub(r"\g<1>0", text)

    def _identifier(self, match):
        number = self._identifiers.setdefault(match[0], len(self._identifiers) + 1)
        return f"<identifier {number}>"


class Programs:
    """Both programs with the fixed clock, and a home directory."""

    def __init__(self, directory, home):
        self.directory, self.home = directory, home
        self.version = self.run(["--version"]).stdout.split()[1]
        self.salon_file = f"{home}/salon.json"
        Path(self.salon_file).write_text(scenarios.NEW_SALON)

    def _environment(self, has_real_time):
        clock = {
            "LD_PRELOAD": glob.glob("/usr/lib/*/faketime/libfaketime.so.1")[0],
            "FAKETIME": TIME,
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        path = f"{self.directory}:/usr/bin:/bin"
        environment = {"HOME": self.home, "PATH": path, "LANG": "C.UTF-8", "TZ": "UTC"}
        return environment | ({} if has_real_time else clock)

    def normalizer(self, home=None):
        return Normalizer(home or self.home, self.version)

    def run(self, words, home=None, has_real_time=False):
        """Runs a command. With libfaketime, a pause, such as the one before a retry, does not end."""
        environment = self._environment(has_real_time) | {"HOME": home or self.home}
        return subprocess.run(
            [self.directory / "novablend", *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE,
        )

    def start(self, name, *words, has_real_time=False):
        """Starts a program, which can be given input."""
        return subprocess.Popen(
            [self.directory / name, *words], env=self._environment(has_real_time),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )

    def start_backend(self):
        """A new backend in memory, and its URL."""
        process = self.start(
            "novablend-backend", "--port", "0", "--database", ":memory:", "--exit-with-input"
        )
        return process, process.stdout.readline().split()[-1]


def transcript(run, words, normalized):
    """A command with its output, as a person would see it."""
    lines = [f"$ novablend {' '.join(words)}"]
    lines += [laid_out(normalized(line)) for line in run.stdout.splitlines()]
    lines += [f"! {laid_out(normalized(line))}" for line in run.stderr.splitlines()]
    return "\n".join([*lines, f"exit {run.returncode}", ""])


def record_commands(programs):
    """The output of every command with `--json`, in one order, with one backend."""
    backend, url = programs.start_backend()
    normalized, parts, values = programs.normalizer(), [], {"SALON-FILE": programs.salon_file}
    commands = [[*words, "--json"] for words in scenarios.COMMANDS]
    for words in commands:
        run = programs.run([*(values.get(word, word) for word in words), "--base-url", url])
        parts.append(transcript(run, words, normalized))
        values |= scenarios.values(run.stdout)
    backend.communicate()
    run = programs.run([*commands[0], "--base-url", url], has_real_time=True)
    return "\n".join([*parts, "# without a connection", transcript(run, commands[0], normalized)])


def record_usage(programs):
    """What the program writes about command lines that are wrong."""
    normalized = programs.normalizer()
    return "\n".join(
        transcript(programs.run(words), words, normalized) for words in scenarios.WRONG_COMMANDS
    )


def record_documents(programs):
    """The results of `rpc.discover` and `tools/list`, and the OpenAPI document."""
    backend, url = programs.start_backend()
    with programs.start("novablend", "serve", "--base-url", url) as process:
        document = scenarios.call(process, "rpc.discover", {})
        tools = scenarios.call(process, "tools/list", scenarios.STATELESS)
        process.communicate()
    openapi = backend_requests.get(f"{url}/openapi.json")
    backend.communicate()
    normalized = programs.normalizer()
    return [laid_out(normalized(text)) + "\n" for text in (document, tools, openapi)]


def record_parameters(programs, document):
    """The errors of all methods for parameters that are missing, unknown, or wrong."""
    backend, url = programs.start_backend()
    normalized, lines = programs.normalizer(), []
    with programs.start("novablend", "serve", "--base-url", url) as process:
        for method, params in scenarios.wrong_params(document, url):
            if error := scenarios.error(scenarios.call(process, method, params)):
                arguments = normalized(json.dumps(params, ensure_ascii=False))
                lines += [f"{method} {arguments}", normalized(error), ""]
        process.communicate()
    backend.communicate()
    return "\n".join(lines)


def record_failures(programs, document):
    """What commands write about each error that a server can send."""

    def record(case):
        number, (name, words) = case
        home = f"{programs.home}/{number}"
        os.mkdir(home)
        server = ["--base-url", f"{base}/{name}", "--timeout", "4"]
        actual = [programs.salon_file if word == "SALON-FILE" else word for word in words]
        run = programs.run([*actual, *server], home, has_real_time=True)
        text = transcript(run, words, programs.normalizer(home))
        return f"# {name}\n{now.sub('NOW', text)}"

    today = datetime.datetime.now(datetime.UTC).date()
    days = f"{today}|{today + datetime.timedelta(days=1)}"
    now = re.compile(rf"(?:{days})T\d\d:\d\d:\d\d(?:Z|\+00:00)")
    with scripted_server.start() as base, ThreadPoolExecutor(8) as pool:
        return "\n".join(pool.map(record, enumerate(scenarios.failures(document))))


def record_watch(programs):
    """The first line of `novablend watch`."""
    with scripted_server.start() as base:
        words = ["watch", "--json", "--base-url", f"{base}/feed/none-200"]
        process = programs.start("novablend", *words, has_real_time=True)
        line = process.stdout.readline().rstrip("\n")
        process.terminate()
        process.communicate()
    return f"$ novablend watch --json\n{laid_out(programs.normalizer()(line))}\nexit {process.returncode}\n"


def record_doctor(programs):
    """The checks of `novablend doctor`, with their members. What they find depends on the machine."""
    run = programs.run(["doctor", "--json", "--sandbox"])
    checks = json.loads(run.stdout)["checks"]
    lines = [f"{check['check']}: {', '.join(check)}" for check in checks]
    return "\n".join(["$ novablend doctor --json", *lines, f"exit {run.returncode}", ""])


def record_backend(programs):
    """The backend's answers to requests that it rejects."""
    backend, url = programs.start_backend()
    normalized, lines = programs.normalizer(), []
    for request in backend_requests.WRONG:
        status, body = backend_requests.send(url, *request)
        lines += [backend_requests.line(*request), f"{status} {laid_out(normalized(body))}".rstrip(), ""]
    backend.communicate()
    return "\n".join(lines)


def record(directory):
    """The text of each golden file, by its name."""
    with tempfile.TemporaryDirectory() as home:
        programs = Programs(directory, home)
        discovered, tools, openapi = record_documents(programs)
        return {
            "commands.txt": "\n".join(
                [record_commands(programs), record_watch(programs), record_doctor(programs)]
            ),
            "usage.txt": record_usage(programs),
            "discover.json": discovered,
            "tools.json": tools,
            "openapi.json": openapi,
            "params.txt": record_parameters(programs, json.loads(discovered)),
            "failures.txt": record_failures(programs, json.loads(openapi)),
            "backend.txt": record_backend(programs),
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path, help="the directory of both programs")
    parser.add_argument("--accept", metavar="REASON", help="record new files, and why they changed")
    options = parser.parse_args()
    recorded = record(options.directory.resolve())
    if options.accept:
        FILES.mkdir(exist_ok=True)
        for name, text in recorded.items():
            (FILES / name).write_text(text)
        (HERE / "reason.txt").write_text(options.accept + "\n")
        return
    differences = []
    for name, text in recorded.items():
        differences += difflib.unified_diff(
            (FILES / name).read_text().splitlines(), text.splitlines(), name, "written now", lineterm="",
        )
    if differences:
        sys.exit(
            "\n".join(differences)
            + '\nThe programs write something else. If that is right: make golden-accept REASON="..."'
        )


if __name__ == "__main__":
    main()
