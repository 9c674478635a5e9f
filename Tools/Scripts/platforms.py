#!/usr/bin/env python3
"""Checks that a library compiles only for the supported platforms, and that the error says so.

Usage: platforms.py

Each library without dependencies has a file UnsupportedPlatform.swift. All other libraries depend on
one of them.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUPPORTED = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]
UNSUPPORTED = [
    "arm64-apple-macosx15.0", "arm64-apple-ios18.0", "x86_64-unknown-windows-msvc",
    "wasm32-unknown-wasip1", "aarch64-unknown-linux-android28", "x86_64-unknown-freebsd14",
    "x86_64-swift-linux-musl", "riscv64-unknown-linux-gnu",
]


def errors(file, triple):
    """The errors of compiling a file for a platform. Its standard library need not be installed: where
    it would contain the module Glibc, an empty module of that name replaces it."""
    with tempfile.TemporaryDirectory() as directory:
        if triple.endswith("-linux-gnu"):
            (Path(directory) / "module.modulemap").write_text("module Glibc {}")
        command = [
            os.environ.get("SWIFT", "swift") + "c", "-frontend", "-typecheck", "-parse-stdlib",
            "-target", triple, "-I", directory, file,
        ]
        result = subprocess.run(command, capture_output=True, text=True)
    return [line for line in result.stderr.splitlines() if ": error: " in line]


def check(file):
    for triple in SUPPORTED:
        for error in errors(file, triple):
            yield f"{triple} is supported: {error}"
    for triple in UNSUPPORTED:
        found = errors(file, triple)
        if len(found) != 1 or "NovaBlend supports only" not in found[0]:
            yield f"{file}: {triple} must be one error, not {found}"


def main():
    files = sorted(ROOT.glob("Packages/*/Sources/*/UnsupportedPlatform.swift"))
    if len(files) != 3:
        sys.exit(f"expected a check in CivilTime, JSON, and SystemSupport: {files}")
    if problems := [problem for file in files for problem in check(file)]:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
