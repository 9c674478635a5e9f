#!/usr/bin/env python3
"""Checks that each Swift snippet in a Markdown file is an excerpt of a file that the tests compile.

Usage: snippets.py

The lines of a snippet must follow one another in a Swift file of this repository. Their common
indentation does not matter. A snippet with `.package(` belongs in a manifest: each of its products of
NovaBlend must be a product of the root Package.swift.
"""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SNIPPET = re.compile(r"^( *)```swift\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PRODUCT = re.compile(r'\.product\(name: "(\w+)", package: "NovaBlend"\)')


def files(pattern):
    """The files of the repository, including new ones."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", pattern]
    names = subprocess.check_output(command, cwd=ROOT, text=True).split("\0")
    return [Path(name) for name in names if name and (ROOT / name).exists()]


def snippets(path):
    """The snippets of a file, each with the number of its first line."""
    text = (ROOT / path).read_text()
    for match in SNIPPET.finditer(text):
        yield text.count("\n", 0, match.start(2)) + 1, textwrap.dedent(match[2])


def normalized(lines):
    return textwrap.dedent("\n".join(lines)).split("\n")


def contains(lines, wanted):
    """Whether the lines contain the wanted ones, apart from indentation."""
    first = wanted[0].strip()
    return any(
        line.strip() == first and normalized(lines[index:index + len(wanted)]) == wanted
        for index, line in enumerate(lines)
    )


def check(path, number, snippet, sources, products):
    if ".package(" in snippet:
        for name in sorted(set(PRODUCT.findall(snippet)) - products):
            yield f"{path}:{number}: the root Package.swift has no product {name}"
    elif not any(contains(lines, normalized(snippet.rstrip().split("\n"))) for lines in sources):
        yield f"{path}:{number}: no Swift file contains this snippet"


def main():
    manifest = (ROOT / "Package.swift").read_text()
    products = set(re.findall(r'\.library\(name: "(\w+)"', manifest))
    sources = [(ROOT / path).read_text().split("\n") for path in files("*.swift")]
    errors = [
        error
        for path in files("*.md")
        for number, snippet in snippets(path)
        for error in check(path, number, snippet, sources, products)
    ]
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main()
