#!/usr/bin/env python3
"""Prints how large the code is: files, lines, lines of code, modules, protocols, and types of errors.

Usage: size.py [--walks DIRECTORY]

With --walks, it also prints how many functions some calls enter, and in how many files (Tests/Benchmarks/hops.py).
DIRECTORY contains debug builds of both programs.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = {".py", ".sh", ".lua", ".el", ".ts"}
COMMENT = re.compile(r"^\s*(?://|/\*|\*|#(?!if|else|endif))")
PROTOCOL = re.compile(r"^\s*(?:\w+ )*protocol \w+", re.MULTILINE)
# A type, or an extension, that conforms to Error.
ERROR = re.compile(
    r"^\s*(?:\w+ )*(?:struct|enum|class|extension) ([\w.]+)[^:{]*:[^{]*?(?<![.\w])Error\b(?!\.)", re.MULTILINE
)


def kind(path):
    """The row of a file; None if it does not count."""
    parts = path.parts
    if path.suffix in SCRIPTS:
        return "scripts"
    if path.suffix != ".swift" or path.name == "Package.swift":
        return None
    if parts[0] == "Examples" or "Consumers" in parts:
        return "examples"
    if parts[0] == "Tests" or "Tests" in parts or any(part.endswith("TestSupport") for part in parts):
        return "tests"
    return "sources"


def module(path):
    """The folder of the module that a Swift file belongs to."""
    for folder in ("Sources", "Tests"):
        if folder in path.parts[:-2]:
            end = path.parts.index(folder, 1 if path.parts[0] == "Tests" else 0) + 2
            return path.parts[:end]
    return path.parts[:-1]


class Size:
    """What is counted in the files of a kind."""

    def __init__(self):
        self.files = self.lines = self.code = self.protocols = 0
        self.modules, self.errors = set(), set()

    def add(self, path, text):
        lines = text.splitlines()
        self.files += 1
        self.lines += len(lines)
        self.code += sum(1 for line in lines if line.strip() and not COMMENT.match(line))
        if path.suffix == ".swift":
            self.modules.add(module(path))
            self.protocols += len(PROTOCOL.findall(text))
            self.errors |= {(module(path), name) for name in ERROR.findall(text)}

    def row(self):
        counts = [self.files, self.lines, self.code, len(self.modules), self.protocols, len(self.errors)]
        return "".join(f"{count:>10,}" for count in counts)


def sizes():
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    found = {name: Size() for name in ("sources", "tests", "examples", "scripts")}
    for name in filter(None, listed.split("\0")):
        path = Path(name)
        if (counted := kind(path)) and (ROOT / path).exists():
            found[counted].add(path, (ROOT / path).read_text())
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--walks", metavar="DIRECTORY", help="the directory of debug builds")
    options = parser.parse_args()
    titles = ["files", "lines", "code", "modules", "protocols", "errors"]
    print(" " * 10 + "".join(f"{title:>10}" for title in titles))
    for name, size in sizes().items():
        print(f"{name:<10}{size.row()}")
    sys.stdout.flush()
    if options.walks:
        hops = ROOT / "Tests/Benchmarks/hops.py"
        subprocess.run([sys.executable, "-B", hops, options.walks], check=True)


if __name__ == "__main__":
    main()
