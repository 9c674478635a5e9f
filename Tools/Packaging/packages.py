#!/usr/bin/env python3
"""Writes the packages of a release. `make packages` calls it after it built and installed the programs.

Usage: packages.py WORK DIST

WORK/installed has what `make install` installs in /usr. DIST is created again. SOURCE_DATE_EPOCH is the time of all
files.
"""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import archive
import debian
import image
import portable
import registry
import sbom
import wheel
from release import Release


def main():
    work, dist = (Path(argument).resolve() for argument in sys.argv[1:])
    release = Release.current()
    os.umask(0o022)
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    programs = portable.make(work / "installed/usr/bin", work / "portable")
    debian.make(release, work, dist)
    wheel.make(release, programs, work, dist)
    archive.make(release, programs, work, dist)
    registry.make(release, dist)
    image_components = image.make(release, work, dist)
    contents = {".whl": programs.components, ".tar.zst": programs.components, "-image.tar": image_components}
    sbom.make(release, contents, dist)
    files = sorted(path for path in dist.iterdir())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (dist / "SHA256SUMS").write_text("".join(sums))
    for path in files:
        print(f"{path.stat().st_size:>12,}  {path.name}")


if __name__ == "__main__":
    main()
