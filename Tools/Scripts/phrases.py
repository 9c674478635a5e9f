#!/usr/bin/env python3
"""Finds phrases that read like a translation, in code and in documents.

Usage: phrases.py

phrases.txt lists the phrases and what to write instead. The check covers every text file of the
repository except the list itself, licenses, and recorded data. A line that must quote a phrase ends with
a comment that contains `phrase: allowed`.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path("Tools/Scripts/phrases.txt")
ENDINGS = {".swift", ".md", ".py", ".sh", ".ts", ".c", ".h", ".cpp", ".lua", ".el", ".txt", ""}


def rules():
    """The patterns of the list, each with its advice."""
    for line in (ROOT / LIST).read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, advice = re.split(r"\s{2,}", line, maxsplit=1)
            yield re.compile(pattern, re.IGNORECASE), advice


def documents():
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    for path in map(Path, filter(None, names)):
        if path.suffix in ENDINGS and path != LIST and path.name != "LICENSE":
            yield path


def matches():
    known = list(rules())
    for path in documents():
        try:
            lines = (ROOT / path).read_text().splitlines()
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        for number, line in enumerate(lines, 1):
            for pattern, advice in known:
                found = pattern.search(line)
                if found and "phrase: allowed" not in line:
                    yield f'{path}:{number}: "{found[0]}": write: {advice}'


def main():
    found = list(matches())
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
