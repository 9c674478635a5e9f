#!/usr/bin/env python3
"""Checks that each library has only the dependencies that its users should get, and that all are used.

Usage: architecture.py SCRATCH PACKAGE...

SwiftPM itself rejects cycles and, with the options of the Makefile, imports that no manifest declares.
"""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from manifest import ROOT, dependency_names, evaluate

# The Swift modules that each library depends on, directly or indirectly.
ALLOWED = {
    "JSON": set(),
    "CivilTime": set(),
    "SystemSupport": set(),
    "CommandLineKit": {"SystemSupport"},
    "WebPrimitives": {"CivilTime"},
    "Networking": {"CivilTime", "SystemSupport", "WebPrimitives"},
    "Persistence": {"CivilTime", "SystemSupport"},
    "JSONRPC": {"JSON", "SystemSupport"},
    "MCP": {"JSON", "JSONRPC", "SystemSupport"},
    "Domain": {"CivilTime"},
    "Contract": {"CivilTime", "Domain", "JSON"},
}
IMPORT = re.compile(
    r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)",
    re.MULTILINE,
)


class Target:
    def __init__(self, package, description, products):
        self.name = description["name"]
        self.is_executable = description["type"] == "executable"
        parent = "Tests" if description["type"] == "test" else "Sources"
        path = ROOT / package / (description.get("path") or f"{parent}/{self.name}")
        self.files = sorted(path.rglob("*.swift"))
        self.dependencies = set(dependency_names(self.name, description["dependencies"], products))

    def imports(self):
        return set().union(*(IMPORT.findall(file.read_text()) for file in self.files))


def check(packages):
    """All errors of the packages. Each package is a pair of its path and its manifest."""
    products = {
        each["name"]: each["targets"] for _, manifest in packages for each in manifest["products"]
    }
    targets = {
        each["name"]: Target(package, each, products)
        for package, manifest in packages for each in manifest["targets"]
    }
    executables = {name for name, target in targets.items() if target.is_executable}

    def reachable(name):
        return {name}.union(*map(reachable, targets[name].dependencies))

    for name, target in targets.items():
        if target.files:
            for unused in sorted(target.dependencies - executables - target.imports()):
                yield f"{name} depends on {unused}, but no file imports it"
    for name, allowed in ALLOWED.items():
        modules = {each for each in reachable(name) if targets[each].files}
        for wrong in sorted(modules - allowed - {name}):
            yield f"{name} must not depend on {wrong}"


def main(arguments):
    scratch, *names = arguments
    with ThreadPoolExecutor() as pool:
        manifests = list(pool.map(lambda name: evaluate(scratch, name), names))
    if errors := list(check(list(zip(names, manifests)))):
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main(sys.argv[1:])
