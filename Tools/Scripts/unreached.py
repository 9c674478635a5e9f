#!/usr/bin/env python3
"""Checks that each public declaration of a library has a user: a program, a document, or an example.

Usage: unreached.py LIBRARY STORE

STORE is the index store of debug builds of both programs, and LIBRARY the `libIndexStore.so` of the toolchain. A
program reaches what its own modules declare, and what something that it reaches uses. What a type needs for a protocol is
reached with the type, and what a document or an example names is reached, too. A document is a README or an article of the package, but not the list of its topics. An example is
in Examples or Tests/Consumers. In documents and examples, names are compared as text. Initializers are not checked, nor
are the libraries for tests.

Without an index store, or if it is older than a source file, nothing is checked.
"""

import re
import sys
from pathlib import Path

from index_store import Graph, IndexStore

ROOT = Path(__file__).resolve().parents[2]
WORD = re.compile(r"[A-Za-z_]\w*")
# Kinds of symbols in indexstore.h: constructors, parameters, constants of enumerations.
UNCHECKED = {17, 22, 25}


def read(store, root):
    """The graph of all sources, or the path of a source that is newer than its record."""
    graph = Graph()
    for path, (record, time) in store.records().items():
        path = Path(path)
        if not path.is_relative_to(root) or not path.exists() or not is_source(path.relative_to(root)):
            continue
        if path.stat().st_mtime > time:
            return None, path
        graph.add(path.relative_to(root), store.occurrences(record))
    return graph, None


def is_source(path):
    parts = path.parts
    return (
        parts[0] in ("Packages", "Tools") and len(parts) > 3 and parts[2] == "Sources"
        and not any("TestSupport" in part for part in parts)
    )


def unused(graph, root):
    """The public declarations without a user: path, line, and name."""
    roots, public = [], []
    for path, declared in sorted(graph.declared.items()):
        if path.parts[0] == "Tools":
            roots += [path, *(symbol.identifier for symbol, _ in declared)]
        else:
            public += public_declarations(path, declared, root)
    used = {package: words_of_users(root, package) for package in {Path(*each[0].parts[:2]) for each in public}}
    # What a document names is there for the reader, with everything that it uses.
    roots += [symbol.identifier for path, _, name, symbol in public if name in used[Path(*path.parts[:2])]]
    reached = graph.reached(roots)
    for path, line, name, symbol in public:
        if symbol.identifier not in reached and symbol.kind not in UNCHECKED:
            yield path, line, name


def public_declarations(path, declared, root):
    """The path, the line, the name, and the symbol of each."""
    lines = (root / path).read_text().split("\n")
    for symbol, line in declared:
        name = symbol.name.partition("(")[0]
        if WORD.fullmatch(name) and "public" in WORD.findall(lines[line - 1]):
            yield path, line, name, symbol


def words_of_users(root, package):
    """The words in the documents of a package, without the lists of topics, and in the examples."""
    files = [path for path in (root / package).glob("**/*.md") if path.parent.name != f"{path.stem}.docc"]
    for folder in ("Examples/Sources", "Tests/Consumers/Sources"):
        files += (root / folder).glob("**/*.swift")
    return {word for path in files if ".build" not in path.parts for word in WORD.findall(path.read_text())}


def main(library, store):
    if not Path(store).exists():
        return
    graph, outdated = read(IndexStore(library, store), ROOT)
    if outdated:
        print(f"unreached.py: {outdated} is newer than the index, so public declarations are not checked")
        return
    errors = [
        f"{path}:{line}: no program, document, or example uses the public declaration {name}"
        for path, line, name in unused(graph, ROOT)
    ]
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main(*sys.argv[1:])
