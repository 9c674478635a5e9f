"""Debian packages of both programs, and of their debug symbols."""

import os
import re
import shutil
import subprocess
from email.utils import formatdate
from pathlib import Path

from licenses import license_text
from release import ROOT

HERE = Path(__file__).parent / "debian"
PROGRAMS = ["novablend", "novablend-backend"]
# Where Debian has the completions of zsh that come with packages.
ZSH = "usr/share/zsh/vendor-completions"
# Debian's packages refer to common licenses instead of repeating them.
APACHE = "/usr/share/common-licenses/Apache-2.0"
SERVICE_FILES = [
    *(
        (f"usr/lib/systemd/system/{unit}", "lib/systemd/system")
        for unit in ["novablend-backend.service", "novablend-backup.service", "novablend-backup.timer"]
    ),
    ("etc/novablend/backend.conf", "etc/novablend"),
]
STEPS = [
    "dh_installdebconf", "dh_installsystemd", "dh_lintian", "dh_compress", "dh_fixperms", "dh_shlibdeps",
    "dh_installdeb", "dh_gencontrol", "dh_md5sums",
]


def make(release, work, dist):
    """Writes the packages of what is in work/installed, with the symbols in bin, to `dist`."""
    source = work / "debian-source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(HERE, source / "debian")
    (source / "debian/changelog").write_text(changelog(release))
    for program in PROGRAMS:
        root = source / "debian" / program
        copy(work / "installed", root, program)
        documents(root, program, release)
        symbols = source / "debian" / f"{program}-dbgsym"
        copy_symbols(ROOT / "bin" / program, symbols)
        documents(symbols, symbols.name, release)
    for step in STEPS:
        subprocess.run([step], cwd=source, check=True)
    # dpkg-deb only replaces later times, and files from the repository have the time of the
    # checkout.
    for path in source.rglob("*"):
        os.utime(path, (release.time, release.time), follow_symlinks=False)
    subprocess.run(["dh_builddeb", f"--destdir={dist}"], cwd=source, check=True, stdout=subprocess.DEVNULL)


def changelog(release):
    maintainer = re.search("^Maintainer: (.*)$", (HERE / "control").read_text(), re.MULTILINE)[1]
    return (
        f"novablend ({version(release)}) unstable; urgency=medium\n\n"
        f"  * Commit {release.commit[:12]}. The file NEWS lists the changes.\n\n"
        f" -- {maintainer}  {formatdate(release.time)}\n"
    )


def version(release):
    """The version, in which a version before a release is lower than the release."""
    return release.version.replace("-", "~")


def copy(installed, root, program):
    """Copies what `make install` installed for a program."""
    (root / "usr/bin").mkdir(parents=True)
    shutil.copy(installed / "usr/bin" / program, root / "usr/bin")
    share = "usr/share"
    for source, target in [
        (f"{share}/man/man1/{program}.1", f"{share}/man/man1"),
        (f"{share}/bash-completion/completions/{program}", f"{share}/bash-completion/completions"),
        (f"{share}/fish/vendor_completions.d/{program}.fish", f"{share}/fish/vendor_completions.d"),
        (f"{share}/zsh/site-functions/_{program}", ZSH),
        *(SERVICE_FILES if program == "novablend-backend" else []),
    ]:
        if (installed / source).exists():
            (root / target).mkdir(parents=True, exist_ok=True)
            shutil.copy(installed / source, root / target)
    if program == "novablend":
        library = root / "usr/lib/novablend"
        library.mkdir(parents=True)
        # `novablend doctor` shows it.
        (library / "installation").write_text("Debian package\n")


def copy_symbols(program, root):
    """Copies the debug information of a program to where debuggers look for it."""
    notes = subprocess.run(["readelf", "--notes", program], check=True, capture_output=True, text=True).stdout
    build = re.search("Build ID: ([0-9a-f]+)", notes)[1]
    file = root / f"usr/lib/debug/.build-id/{build[:2]}/{build[2:]}.debug"
    file.parent.mkdir(parents=True)
    debug = program.with_name(f"{program.name}.debug")
    subprocess.run(["objcopy", "--compress-debug-sections", debug, file], check=True)


def documents(root, package, release):
    directory = root / "usr/share/doc" / package
    directory.mkdir(parents=True)
    shutil.copy(root.parent / "changelog", directory)
    (directory / "copyright").write_text(license_text(APACHE))
    if not package.endswith("-dbgsym"):
        shutil.copy(ROOT / "CHANGELOG.md", directory / "NEWS")
