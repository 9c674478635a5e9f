"""The Python wheel. Installers put its programs into bin, where they run without Python."""

import base64
import hashlib
import time
import zipfile

import registry
from licenses import license_text
from release import ROOT, readme

TAG = "py3-none-manylinux_2_36_x86_64"
CLIENT = ROOT / "Tools/clients/python/novablend"


def make(release, programs, work, dist):
    """Writes the wheel with the programs, their libraries, their manual pages, and the Python client."""
    stem = f"novablend-{release.version}"
    files = data(f"{stem}.data", programs.path, work) | client() | metadata(f"{stem}.dist-info", release, programs)
    record = f"{stem}.dist-info/RECORD"
    rows = [f"{name},sha256={digest(content)},{len(content)}\n" for name, (content, _) in sorted(files.items())]
    files[record] = ("".join([*rows, f"{record},,\n"]).encode(), 0o644)
    with zipfile.ZipFile(dist / f"{stem}-{TAG}.whl", "w") as archive:
        # The files about the package are last, as the specification recommends.
        for name in sorted(files, key=lambda name: (".dist-info/" in name, name)):
            add(archive, name, *files[name], release.time)


def data(directory, programs, work):
    """What installers copy to an environment as it is: the content and the mode by name."""
    sources = {f"scripts/{path.name}": path for path in (programs / "bin").iterdir()}
    sources |= {f"data/lib/novablend/{path.name}": path for path in (programs / "lib/novablend").iterdir()}
    pages = work / "installed/usr/share/man/man1"
    sources |= {f"data/share/man/man1/{path.name}": path for path in pages.iterdir()}
    files = {
        f"{directory}/{name}": (path.read_bytes(), 0o755 if name.startswith("scripts/") else 0o644)
        for name, path in sources.items()
    }
    return files | {f"{directory}/data/lib/novablend/installation": (b"wheel\n", 0o644)}


def client():
    """The importable package."""
    paths = [*CLIENT.rglob("*.py"), *CLIENT.rglob("py.typed")]
    return {path.relative_to(CLIENT.parent).as_posix(): (path.read_bytes(), 0o644) for path in paths}


def metadata(directory, release, programs):
    """The description of the package, and the licenses of everything in it."""
    licenses = {"LICENSE": license_text().encode()}
    licenses |= {component.package: component.notice for component in programs.components}
    description = readme("wheel.md", name=registry.NAME, version=release.version, home=registry.HOME)
    head = [
        "Metadata-Version: 2.4",
        "Name: novablend",
        f"Version: {release.version}",
        f"Summary: {registry.SUMMARY}",
        f"Project-URL: Homepage, {registry.HOME}",
        "License-Expression: MIT",
        *(f"License-File: {name}" for name in sorted(licenses)),
        "Requires-Python: >=3.11",
        "Description-Content-Type: text/markdown",
    ]
    wheel = f"Wheel-Version: 1.0\nGenerator: novablend\nRoot-Is-Purelib: false\nTag: {TAG}\n"
    files = {f"licenses/{name}": text for name, text in licenses.items()}
    files |= {"METADATA": "\n".join([*head, "", description]).encode(), "WHEEL": wheel.encode()}
    return {f"{directory}/{name}": (content, 0o644) for name, content in files.items()}


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def add(archive, name, content, mode, seconds):
    entry = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
    # A regular file of Unix with these permissions.
    entry.create_system, entry.external_attr = 3, (0o100000 | mode) << 16
    archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
