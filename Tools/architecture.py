#!/usr/bin/env python3
"""Checks which targets depend on which, in every package, tool, and test.

Usage: architecture.py SCRATCH PACKAGE...

architecture.txt lists the allowed dependencies of each target. A target may only depend on targets that
are listed above it, so there are no cycles. The check fails if a manifest or an import adds a dependency
that is not listed, if a listed dependency is in no manifest, or if no file imports a declared dependency.
Test targets and examples are not listed. They may depend on any target, but only on those that they import.
"""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from manifest import ROOT, dependency_names, evaluate

LIST = ROOT / "Tools" / "architecture.txt"
IMPORT = re.compile(
    r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)",
    re.MULTILINE,
)


class Target:
    def __init__(self, package, description):
        self.name = description["name"]
        self.kind = description["type"]
        self.is_test = self.kind == "test" or package.startswith(("Tests/", "Examples"))
        parent = "Tests" if self.kind == "test" else "Sources"
        self.path = Path(package) / (description.get("path") or f"{parent}/{self.name}")
        self.is_support = self.path.parts[-2] == "Tests"
        self.dependencies = description["dependencies"]

    def imports(self):
        """The modules that each Swift file imports; None for a target without Swift files."""
        files = sorted((ROOT / self.path).rglob("*.swift"))
        return {file: set(IMPORT.findall(file.read_text())) for file in files} or None


def read_list(text):
    """The allowed dependencies by target, and the errors of the list itself."""
    allowed, errors = {}, []
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        name, _, names = line.partition(":")
        if name in allowed:
            errors.append(f"{LIST.name} lists {name} twice")
        allowed[name] = set(names.split())
        for lower in sorted(allowed[name] - (set(allowed) - {name})):
            errors.append(f"{LIST.name}: {name} depends on {lower}, which is not above it")
    return allowed, errors


def check_declared(target, declared, allowed):
    """Compares the manifest with the list."""
    if target.is_test or target.is_support:
        return
    if target.name not in allowed:
        yield f"{target.name} is not in {LIST.name}"
        return
    for name in sorted(declared - allowed[target.name]):
        yield f"{target.name} must not depend on {name}: {LIST.name} does not allow it"
    for name in sorted(allowed[target.name] - declared):
        yield f"{LIST.name} allows {target.name} to depend on {name}, but no manifest says so"


def check_imports(target, declared, known, executables):
    """Compares the imports with the manifest. An executable target need not be imported."""
    imports = target.imports()
    if imports is None:
        return
    for file, names in imports.items():
        for name in sorted((names & known) - declared - {target.name}):
            yield f"{file.relative_to(ROOT)} imports {name}, which {target.name} does not declare"
    for name in sorted(declared - executables - set().union(*imports.values())):
        yield f"{target.name} depends on {name}, but no file imports it"


def check(packages, text):
    """All errors of the packages, each of which is a pair of its path and its manifest."""
    products = {
        each["name"]: each["targets"] for _, manifest in packages for each in manifest["products"]
    }
    targets = [
        Target(package, each) for package, manifest in packages for each in manifest["targets"]
    ]
    known = {target.name for target in targets}
    executables = {target.name for target in targets if target.kind == "executable"}
    allowed, errors = read_list(text)
    errors += [f"{LIST.name} lists {name}, which does not exist" for name in sorted(set(allowed) - known)]
    for target in targets:
        declared = set(dependency_names(target.name, target.dependencies, products))
        errors += check_declared(target, declared, allowed)
        errors += check_imports(target, declared, known, executables)
    return errors


def main(arguments):
    scratch, *names = arguments
    with ThreadPoolExecutor() as pool:
        manifests = list(pool.map(lambda name: evaluate(scratch, name), names))
    if errors := check(list(zip(names, manifests)), LIST.read_text()):
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main(sys.argv[1:])
