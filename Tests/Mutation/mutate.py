#!/usr/bin/env python3
"""Changes single lines of the source and reports which changes the tests detect.

See README.md. The changes are made in a copy below the build directory.
"""

import argparse
import csv
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from mutants import mutants_of

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = [
    "SystemSupport", "JSON", "JSONRPC", "MCP", "Networking", "Persistence", "CivilTime", "Domain",
    "Contract", "Zones", "CommandLineKit", "ICalendar",
]
FAILURE = re.compile(r"✘(?:\x1b\[0m)? Test (.+?) (?:recorded an issue|failed)|Fatal error|unexpected signal")
BUILD_SECONDS = 900
VERDICTS = ["killed", "survived", "equivalent", "not compilable"]


class Workspace:
    """A copy of the repository, and one build directory for each package."""

    def __init__(self, directory, swift):
        self.directory, self.swift = directory, swift
        self.tree = directory / "tree"
        self.allowed_seconds = {}

    def refresh(self):
        """Copies changed files, which also undoes the mutation of an interrupted run."""
        listed = subprocess.check_output(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT)
        names = {name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()}
        for name in names:
            source, copy = ROOT / name, self.tree / name
            if not copy.is_file() or source.read_bytes() != copy.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copy)
        for copy in self.tree.rglob("*"):
            if copy.is_file() and str(copy.relative_to(self.tree)) not in names:
                copy.unlink()

    def build(self, package):
        """Whether the package and its tests compile."""
        # A cached build plan does not detect added or moved files.
        command = [self.swift, "build", "--build-tests", "--disable-build-manifest-caching",
                   "--package-path", str(self.tree / "Packages" / package),
                   "--scratch-path", str(self.directory / package),
                   "-Xswiftc", "-gnone", "-Xswiftc", "-suppress-warnings"]
        return run(command, BUILD_SECONDS)[0] == "passed"

    def test(self, package):
        """The result of the tests, and the first test that failed."""
        # Without `swift test`, which would leave the tests running when it is killed.
        program = self.directory / package / "debug" / f"{package}PackageTests.xctest"
        command = [str(program), "--testing-library", "swift-testing"]
        return run(command, self.allowed_seconds.get(package, BUILD_SECONDS), stops_early=True)

    def measure(self, package):
        """Measures the tests of the unchanged package. Exits if they fail."""
        if not self.build(package):
            sys.exit(f"{package} does not compile without a mutation")
        start = time.monotonic()
        verdict, reason = self.test(package)
        if verdict != "passed":
            sys.exit(f"{package} fails without a mutation: {reason}")
        self.allowed_seconds[package] = 30 + 3 * (time.monotonic() - start)

    def judge(self, mutant):
        """The verdict on one mutant, and the test that killed it."""
        path = self.tree / mutant.path
        original, times = path.read_bytes(), path.stat()
        lines = original.decode().split("\n")
        lines[mutant.line - 1] = mutant.after
        try:
            path.write_text("\n".join(lines))
            if not self.build(mutant.package):
                return "not compilable", ""
            verdict, reason = self.test(mutant.package)
            return ("survived", "") if verdict == "passed" else ("killed", reason)
        finally:
            path.write_bytes(original)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def run(command, seconds, stops_early=False):
    """Runs a command in a new process group and kills the group at the end."""
    deadline = time.monotonic() + seconds
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    os.set_blocking(process.stdout.fileno(), False)
    output = b""
    try:
        while process.poll() is None:
            time.sleep(0.05)
            output += process.stdout.read() or b""
            failure = FAILURE.search(output.decode(errors="replace")) if stops_early else None
            if failure:
                return "failed", failure[1] or failure[0]
            if time.monotonic() > deadline:
                return "timed out", f"after {seconds:.0f} s"
        return ("passed", "") if process.returncode == 0 else ("failed", "the exit code")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        process.stdout.close()


def all_mutants(library):
    mutants = []
    (sources,) = ROOT.glob(f"Packages/*/Sources/{library}")
    for path in sorted(sources.rglob("*.swift")):
        mutants += mutants_of(str(path.relative_to(ROOT)), path.read_text())
    return mutants


def equivalents():
    """The mutants in equivalents.txt, which no test can kill, with the reasons."""
    lines = (Path(__file__).parent / "equivalents.txt").read_text().splitlines()
    fields = [line.split(" ⟶ ") for line in lines if line and not line.startswith("#")]
    return {(path, before, after.strip()): reason for path, before, after, reason in fields}


def check_equivalents(known):
    """Exits if equivalents.txt has a mutant that no longer exists."""
    current = {mutant.key for library in LIBRARIES for mutant in all_mutants(library)}
    stale = sorted(known.keys() - current)
    if stale:
        sys.exit("equivalents.txt has mutants that do not exist:\n"
                 + "\n".join(" ⟶ ".join(key) for key in stale))


def read_results(path):
    if not path.is_file():
        return {}
    with path.open(newline="") as file:
        return {tuple(row[1:4]): (row[0], row[4]) for row in csv.reader(file, delimiter="\t")}


def report(samples, results, known):
    print(f"\n{'library':12} {'killed':>7} {'survived':>9} {'equivalent':>11} "
          f"{'not compilable':>15} {'score':>6}")
    total = Counter()
    for library, sample in samples.items():
        counts = Counter()
        for mutant in sample:
            verdict = results.get(mutant.key, ("",))[0]
            is_equivalent = verdict == "survived" and mutant.key in known
            counts["equivalent" if is_equivalent else verdict] += 1
        total += counts
        print_row(library, counts)
    print_row("all", total)
    for mutant in (mutant for sample in samples.values() for mutant in sample):
        if results.get(mutant.key, ("",))[0] == "survived" and mutant.key not in known:
            print(f"\n{mutant.path}:{mutant.line}\n- {mutant.before.strip()}\n+ {mutant.after.strip()}")


def print_row(name, counts):
    judged = counts["killed"] + counts["survived"]
    score = f"{100 * counts['killed'] / judged:.0f} %" if judged else "-"
    columns = [counts[verdict] for verdict in VERDICTS]
    print(f"{name:12} {columns[0]:7} {columns[1]:9} {columns[2]:11} {columns[3]:15} {score:>6}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=40, help="mutants for each library")
    parser.add_argument("--libraries", default=" ".join(LIBRARIES))
    parser.add_argument("--build", type=Path, default=ROOT / ".build")
    parser.add_argument("--swift", default="swift")
    parser.add_argument("--again", action="store_true", help="test the survivors again")
    parser.add_argument("--report", action="store_true", help="only report earlier results")
    parser.add_argument("--check", action="store_true", help="only check equivalents.txt")
    options = parser.parse_args()

    known = equivalents()
    check_equivalents(known)
    if options.check:
        return
    # A normal exit restores the mutated line.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    directory = options.build / "mutation"
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "results.tsv"
    results = read_results(path)
    samples = {}
    for library in options.libraries.split():
        mutants = all_mutants(library)
        random.Random(f"{options.seed} {library}").shuffle(mutants)
        samples[library] = mutants[:options.count]
    workspace = Workspace(directory, options.swift)
    if not options.report:
        workspace.refresh()
        judge_all(workspace, samples, results, known, path, options.again)
    report(samples, results, known)


def judge_all(workspace, samples, results, known, path, again):
    with path.open("a", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        for sample in samples.values():
            for mutant in sample:
                before = results.get(mutant.key, ("",))[0]
                if before and not (again and before == "survived" and mutant.key not in known):
                    continue
                if mutant.package not in workspace.allowed_seconds:
                    workspace.measure(mutant.package)
                verdict, reason = workspace.judge(mutant)
                results[mutant.key] = (verdict, reason)
                writer.writerow([verdict, *mutant.key, reason])
                file.flush()
                print(f"{verdict:14} {mutant.path}:{mutant.line} {mutant.after.strip()}", flush=True)


if __name__ == "__main__":
    main()
