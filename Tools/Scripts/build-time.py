#!/usr/bin/env python3
"""Builds the programs from nothing, and prints the seconds of processor time that each module takes.

Usage: build-time.py SCRATCH OPTION...

The options are those of `swift build`. "everything else" is the linker, C modules, and SwiftPM itself.
"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

PROGRAMS = ["novablend", "novablend-backend"]
# stats-1763880000000000-swift-frontend-Domain-all-x86_64-...-O-1234.json
NAME = re.compile(r"swift-frontend-(.+?)-(?:all|[^-]+\.swift)-")
COMPILER = re.compile(r"time\.swift-frontend\..*\.(?:user|sys)$")


def modules(directory):
    """The seconds of each module, from what the compiler recorded about each of its runs."""
    seconds = Counter()
    for path in directory.glob("stats-*.json"):
        if match := NAME.search(path.name):
            record = json.loads(path.read_text())
            seconds[match[1]] += sum(value for key, value in record.items() if COMPILER.match(key))
    return seconds


def main(arguments):
    scratch, *options = arguments
    statistics = Path(scratch) / "statistics"
    shutil.rmtree(scratch, ignore_errors=True)
    statistics.mkdir(parents=True)
    start = time.monotonic()
    for program in PROGRAMS:
        subprocess.run(
            [
                os.environ.get("SWIFT", "swift"), "build", *options, "--quiet", "--scratch-path", scratch,
                "--product", program, "-Xswiftc", "-stats-output-dir", "-Xswiftc", statistics,
            ],
            check=True,
        )
    elapsed = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = usage.ru_utime + usage.ru_stime
    found = modules(statistics)
    for name, seconds in found.most_common():
        print(f"{seconds:7.1f} s  {name}")
    print(f"{total - found.total():7.1f} s  everything else")
    print(f"{total:7.1f} s of processor time in {elapsed:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
