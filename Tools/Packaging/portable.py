"""The programs with the libraries that not every distribution has, for those who do not use Debian's packages."""

import re
import shutil
import subprocess

# Libraries that each distribution has in a compatible version. The programs load the last two by themselves.
SHARED = {
    "linux-vdso.so.1", "ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6",
}


def make(programs, portable):
    """Copies the programs to portable/bin and their libraries to portable/lib/novablend, and returns `portable`."""
    shutil.rmtree(portable, ignore_errors=True)
    libraries = portable / "lib/novablend"
    libraries.mkdir(parents=True)
    (portable / "bin").mkdir()
    for program in sorted(programs.iterdir()):
        copy = portable / "bin" / program.name
        shutil.copy(program, copy)
        for name, path in needed(program):
            if name not in SHARED:
                shutil.copy(path, libraries / name)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN/../lib/novablend", copy], check=True)
    for library in libraries.iterdir():
        library.chmod(0o644)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", library], check=True)
    return portable


def needed(program):
    """The names and the paths of the libraries that a program needs directly or indirectly."""
    output = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^\s*(\S+) => (\S+)", output, re.MULTILINE)
