#!/usr/bin/env python3
"""Builds the documentation of libraries as a static site, with the docc of the toolchain.

Usage: docs.py [--base PATH] SWIFT BUILD LIBRARY...

Each library is built in BUILD/LIBRARY, where its tests build it too. The site is BUILD/docs. Warnings
are errors. PATH is where the site is below its host (/NovaBlend); the default is the root.
"""

import argparse
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
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


class Documentation:
    def __init__(self, swift, build, base):
        self.swift, self.build, self.base = swift, Path(build), base
        self.tools = Path(shutil.which(swift)).resolve().parent
        self.triple = json.loads(run(swift, "-print-target-info"))["target"]["unversionedTriple"]

    def make(self, library):
        """Writes the archive of one library, and returns its path."""
        symbols = self.build / "docs-symbols" / library
        archive = self.build / "docs-archives" / f"{library}.doccarchive"
        shutil.rmtree(symbols, ignore_errors=True)
        shutil.rmtree(archive, ignore_errors=True)
        symbols.mkdir(parents=True)
        # The extractor loads the modules of C targets. The build writes maps for those without one.
        maps = [*ROOT.glob("Packages/*/Sources/*/**/module.modulemap")]
        maps += (self.build / library / "debug").glob("*.build/module.modulemap")
        archive.parent.mkdir(parents=True, exist_ok=True)
        run(
            self.tools / "swift-symbolgraph-extract", "-module-name", library,
            "-I", self.build / library / "debug" / "Modules", "-target", self.triple,
            "-minimum-access-level", "public", "-skip-synthesized-members",
            "-emit-extension-block-symbols", "-output-dir", symbols,
            *(word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")),
        )
        catalog = ROOT / f"Packages/{library}/Sources/{library}/{library}.docc"
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
            if section.get("generated") and section["title"] != "Extended Modules"
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
        return site


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
