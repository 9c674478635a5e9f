"""The programs with the libraries that not every distribution has, for users who do not use
Debian's packages."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from components import Component

# Libraries that every distribution has in a compatible version. The programs find libcurl and libpq by themselves when
# they need them; these, too, come from the distribution.
SHARED = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6"}


@dataclass(frozen=True)
class Portable:
    # Contains bin and lib/novablend.
    path: Path
    # The packages of the libraries.
    components: list[Component]


def make(programs, path):
    """Copies the programs to path/bin and their libraries to path/lib/novablend."""
    shutil.rmtree(path, ignore_errors=True)
    libraries = path / "lib/novablend"
    libraries.mkdir(parents=True)
    (path / "bin").mkdir()
    components = set()
    for program in sorted(programs.iterdir()):
        copy = path / "bin" / program.name
        shutil.copy(program, copy)
        for name, library in needed(program):
            if name not in SHARED:
                shutil.copy(library, libraries / name)
                components.add(Component.owning(library))
        search(copy, "$ORIGIN/../lib/novablend")
    for library in libraries.iterdir():
        library.chmod(0o644)
        search(library, "$ORIGIN")
    return Portable(path, sorted(components))


def search(file, directory):
    """Makes the loader look for the libraries of a program or library in a directory first."""
    subprocess.run(["patchelf", "--set-rpath", directory, file], check=True)


def needed(program):
    """The names and the paths of the libraries that a program needs directly or indirectly."""
    output = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    return [(name, Path(path)) for name, path in re.findall(r"^\s*(\S+) => (/\S+)", output, re.MULTILINE)]
