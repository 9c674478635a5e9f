"""The archive with the programs, for users who install them without a package manager."""

import hashlib
import shutil
import subprocess

import registry
from licenses import license_text
from release import ROOT, readme


def make(release, programs, work, dist):
    """Writes the archive. It is one directory, with the files as in the directory that they are installed to."""
    name = f"novablend-{release.version}-linux-x86_64"
    top = work / "archive" / name
    shutil.rmtree(top.parent, ignore_errors=True)
    fill(top, release, programs, work)
    paths = sorted(path for path in top.rglob("*") if path.is_file())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(top)}\n" for path in paths]
    (top / "SHA256SUMS").write_text("".join(sums))
    pack(release, top, dist / f"{name}.tar.zst")


def fill(top, release, programs, work):
    shutil.copytree(programs.path, top)
    shutil.copytree(work / "installed/usr/share", top / "share", dirs_exist_ok=True)
    (top / "lib/novablend/installation").write_text("archive\n")
    licenses = top / "share/doc/novablend/licenses"
    licenses.mkdir(parents=True)
    for component in programs.components:
        (licenses / component.package).write_bytes(component.notice)
    (top / "LICENSE").write_text(license_text())
    shutil.copy(top / "LICENSE", licenses / "novablend")
    shutil.copy(ROOT / "Tools/Packaging/archive/install.sh", top / "install.sh")
    text = readme("archive/README.md", version=release.version, home=registry.HOME)
    (top / "README.md").write_text(text)


def pack(release, top, file):
    tar = [
        "tar", "--create", f"--directory={top.parent}", "--format=gnu", "--sort=name", f"--mtime=@{release.time}",
        "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rw,go+r-w,a+X", top.name,
    ]
    zstd = ["zstd", "--quiet", "-19", "--single-thread", "-o", file]
    with subprocess.Popen(tar, stdout=subprocess.PIPE) as writer:
        subprocess.run(zstd, stdin=writer.stdout, check=True)
    if writer.returncode != 0:
        raise SystemExit("tar failed")
