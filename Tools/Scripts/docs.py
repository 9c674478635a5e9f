#!/usr/bin/env python3
"""Builds the documentation of libraries as a static site, with the docc of the toolchain.

Usage: docs.py [--base PATH] SWIFT BUILD LIBRARY...

Each library must have been built in BUILD/tests. The site is BUILD/docs. Warnings are errors. PATH is where the site
is below its host (/NovaBlend); the default is the root.
"""

import argparse
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REDIRECT = """\
<!DOCTYPE html>
<meta charset="utf-8">
<title>NovaBlend</title>
<meta http-equiv="refresh" content="0; url=documentation/">
<a href="documentation/">Documentation</a>
"""


def run(*command):
    """Runs a command, and fails with its output if it fails."""
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{command[0]} failed\n{result.stdout}{result.stderr}")
    return result.stdout


# What the first page says above the list of libraries.
ABSTRACT = "Swift libraries for Linux. Each one is a product of the package NovaBlend and can be used without the rest."
OTHERS = (
    "The other products of the package are parts of its two programs and of their tests. The file "
    "docs/Modules.md in the repository describes them."
)
# docc-render shows a template with this id at the top of each page.
HEADER = """\
<template id="custom-header"><style>
a { display: block; padding: 12px 20px; font: 600 17px system-ui, sans-serif; text-decoration: none;
color: CanvasText; background: light-dark(#f5f5f7, #1d1d1f); color-scheme: light dark }
</style><a href="BASE/documentation/">NovaBlend: all libraries</a></template>"""


class Documentation:
    def __init__(self, swift, build, base):
        self.swift, self.build, self.base = swift, Path(build), base
        self.tools = Path(shutil.which(swift)).resolve().parent
        self.triple = json.loads(run(swift, "-print-target-info"))["target"]["unversionedTriple"]

    def make(self, library):
        """Writes the archive of one library, and returns its path."""
        (sources,) = ROOT.glob(f"Packages/*/Sources/{library}")
        products = self.build / "tests" / "debug"
        symbols = self.build / "docs-symbols" / library
        archive = self.build / "docs-archives" / f"{library}.doccarchive"
        shutil.rmtree(symbols, ignore_errors=True)
        shutil.rmtree(archive, ignore_errors=True)
        symbols.mkdir(parents=True)
        # The extractor loads the modules of C targets. The build writes a module map for each C
        # target that has none.
        maps = [*ROOT.glob("Packages/*/Sources/*/**/module.modulemap")]
        maps += products.glob("*.build/module.modulemap")
        archive.parent.mkdir(parents=True, exist_ok=True)
        run(
            self.tools / "swift-symbolgraph-extract", "-module-name", library,
            "-I", products / "Modules", "-target", self.triple,
            "-minimum-access-level", "public", "-skip-synthesized-members",
            "-emit-extension-block-symbols", "-output-dir", symbols,
            *(word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")),
        )
        catalog = sources / f"{library}.docc"
        run(
            self.tools / "docc", "convert", *filter(Path.exists, [catalog]), "--additional-symbol-graph-dir", symbols,
            "--output-path", archive,
            "--fallback-display-name", library, "--fallback-bundle-identifier", f"novablend.{library}",
            "--fallback-default-module-kind", "Library", "--warnings-as-errors",
            *(["--hosting-base-path", self.base] if self.base else []),
        )
        self.check_topics(library, archive)
        return archive

    def check_topics(self, library, archive):
        """Fails if a public declaration is in no topic of the overview: docc sorts it by kind."""
        page = json.loads((archive / f"data/documentation/{library.lower()}.json").read_text())
        missing = [
            identifier.rpartition("/")[2]
            for section in page.get("topicSections", [])
            if section.get("generated")
            for identifier in section["identifiers"]
        ]
        if missing:
            raise RuntimeError(f"{library}.md has no topic for {', '.join(missing)}")

    def merge(self, archives):
        """Writes the site, whose first page links each library."""
        site = self.build / "docs"
        shutil.rmtree(site, ignore_errors=True)
        run(
            self.tools / "docc", "merge", *archives, "--output-path", site,
            "--synthesized-landing-page-name", "NovaBlend",
            "--synthesized-landing-page-kind", "Packages",
            "--synthesized-landing-page-topics-style", "list",
        )
        (site / "index.html").write_text(REDIRECT)
        self.describe(site / "data/documentation.json")
        header = HEADER.replace("BASE", self.base)
        for page in site.glob("documentation/**/*.html"):
            page.write_text(page.read_text().replace('<div id="app">', header + '<div id="app">'))
        return site

    @staticmethod
    def describe(path):
        """Adds a text to the first page."""
        page = json.loads(path.read_text())
        page["abstract"] = [{"type": "text", "text": ABSTRACT}]
        paragraph = {"type": "paragraph", "inlineContent": [{"type": "text", "text": OTHERS}]}
        page["primaryContentSections"] = [{"kind": "content", "content": [paragraph]}]
        path.write_text(json.dumps(page))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", default="")
    parser.add_argument("swift")
    parser.add_argument("build")
    parser.add_argument("libraries", nargs="+")
    arguments = parser.parse_args()
    documentation = Documentation(arguments.swift, arguments.build, arguments.base)
    with ThreadPoolExecutor(2) as pool:
        try:
            print(documentation.merge(list(pool.map(documentation.make, sorted(arguments.libraries)))))
        except RuntimeError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
