#!/usr/bin/env python3
"""Checks that the targets of make that CI and the documents name exist, and that CI lists each check.

Usage: targets.py
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = Path(".github/workflows/ci.yml")
DOCUMENTS = [".ci/run", "README.md", "CONTRIBUTING.md", ".github/pull_request_template.md"]
# In a code span, at the start of a line, or after a shell prompt.
NAMED = re.compile(r"(?:`|^\s*(?:\$ )?)make ((?:[a-z-]+(?: |$|`))+)", re.MULTILINE)


def targets():
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def jobs():
    """The targets in the matrix of the workflow."""
    text = (ROOT / WORKFLOW).read_text()
    items = re.search(r"^        target:\n((?:          - .*\n)+)", text, re.MULTILINE)
    return re.findall(r"- ([a-z-]+)", items[1]) if items else []


def main():
    known, in_ci = targets(), jobs()
    named = [(WORKFLOW, name) for name in in_ci] + [
        (path, name)
        for path in DOCUMENTS
        for names in NAMED.findall((ROOT / path).read_text())
        for name in names.rstrip("`").split()
    ]
    errors = [f"{path}: make has no target {name}" for path, name in named if name not in known]
    checks = {name for path, name in named if path == ".ci/run"}
    errors += [f"{WORKFLOW} does not run {name}, which .ci/run runs" for name in checks - set(in_ci)]
    if errors or not in_ci:
        sys.exit("\n".join(errors) or f"{WORKFLOW} has no targets")


if __name__ == "__main__":
    main()
