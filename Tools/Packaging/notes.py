#!/usr/bin/env python3
"""Prints the section of CHANGELOG.md for the version of a tag such as v0.1.0, which must be that of the file VERSION."""

import re
import sys

from release import ROOT


def notes(tag, version, changelog):
    if tag != f"v{version}":
        sys.exit(f"the tag {tag} does not fit VERSION, which is {version}")
    section = re.search(rf"(?ms)^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## |^\[|\Z)", changelog)
    if not section or not section[1].strip():
        sys.exit(f"CHANGELOG.md has no section for {version}")
    return section[1].strip()


if __name__ == "__main__":
    print(notes(sys.argv[1], (ROOT / "VERSION").read_text().strip(), (ROOT / "CHANGELOG.md").read_text()))
