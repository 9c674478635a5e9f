"""Tests of unreached.py, with the index of a small library and program.

They need the variable SWIFT, or `swift` in PATH.
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import unreached
from index_store import IndexStore

LIBRARY = """
public protocol Shape {
    func area() -> Int
}
public struct Square: Shape {
    public init() {}
    public func area() -> Int { side() }
    func side() -> Int { 2 }
    public func forgotten() {}
    public func documented() -> Unnamed { Unnamed() }
    public func inTopics() {}
    public func shown() {}
}
public struct Unnamed { public func hiddenBehind() {} }
public struct Cluster { public func next() -> Cluster { Cluster() } }
extension Square: CustomStringConvertible { public var description: String { "square" } }
public func helper() { deeper() }
public func deeper() {}
"""
PROGRAM = """
import Lib
@main enum Program { static func main() { helper(); print(Square() as any Shape) } }
"""


def toolchain():
    swift = shutil.which(os.environ.get("SWIFT", "swift"))
    return Path(os.path.realpath(swift)).parents[1]


class UnreachedTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.root = Path(cls.directory.name)
        cls.write("Packages/Lib/Sources/Lib/Lib.swift", LIBRARY)
        cls.write("Tools/tool/Sources/Tool/Program.swift", PROGRAM)
        cls.write("Packages/Lib/README.md", "Call `documented()`.")
        cls.write("Packages/Lib/Sources/Lib/Lib.docc/Lib.md", "- ``Square/inTopics()``")
        cls.write("Examples/Sources/one/main.swift", "Square().shown()")
        cls.compile("Packages/Lib/Sources/Lib/Lib.swift", "Lib", "-emit-module", "-parse-as-library")
        cls.compile("Tools/tool/Sources/Tool/Program.swift", "Tool", "-parse-as-library")

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    @classmethod
    def write(cls, name, text):
        path = cls.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    @classmethod
    def compile(cls, source, module, *options):
        command = [
            toolchain() / "bin/swiftc", "-c", cls.root / source, "-module-name", module, *options, "-I", cls.root,
            "-o", cls.root / f"{module}.o", "-index-store-path", cls.root / "index", "-index-ignore-system-modules",
        ]
        if "-emit-module" in options:
            command += ["-emit-module-path", cls.root / f"{module}.swiftmodule"]
        subprocess.run(command, check=True, cwd=cls.root)

    def found(self):
        store = IndexStore(toolchain() / "lib/libIndexStore.so", self.root / "index")
        graph, outdated = unreached.read(store, self.root)
        self.assertIsNone(outdated)
        return {name for _, _, name in unreached.unused(graph, self.root)}

    def test_finds_what_no_program_document_or_example_uses(self):
        self.assertEqual(self.found() - {"hiddenBehind"}, {"forgotten", "inTopics", "Cluster", "next"})

    def test_what_a_document_names_is_reached_with_what_it_uses(self):
        self.assertFalse({"documented", "Unnamed", "shown"} & self.found())

    def test_requirements_of_protocols_and_indirect_uses_are_reached(self):
        self.assertFalse({"area", "description", "helper", "deeper", "Shape"} & self.found())

    def test_an_outdated_index_is_not_used(self):
        source = self.root / "Packages/Lib/Sources/Lib/Lib.swift"
        times = source.stat()
        os.utime(source, (times.st_atime, times.st_mtime + 10**6))
        store = IndexStore(toolchain() / "lib/libIndexStore.so", self.root / "index")
        graph, outdated = unreached.read(store, self.root)
        os.utime(source, (times.st_atime, times.st_mtime))
        self.assertIsNone(graph)
        self.assertEqual(outdated, source)


if __name__ == "__main__":
    unittest.main()
