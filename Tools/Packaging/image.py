"""The image of the backend: the program, what it needs, and nothing else.

It is written without a container tool, because such tools put a random id into each image.
"""

import hashlib
import io
import json
import tarfile
from pathlib import Path

import portable
import registry
from components import Component
from licenses import license_text
from release import ROOT
from tree import Tree

PROGRAM = "novablend-backend"
LIBRARIES = "usr/lib/x86_64-linux-gnu"
# The program loads libpq when a PostgreSQL database is opened.
POSTGRES = Path("/") / LIBRARIES / "libpq.so.5"
LOADER = Path("/lib64/ld-linux-x86-64.so.2")
CERTIFICATES = Path("/usr/share/ca-certificates/mozilla")
ZONES = Path("/usr/share/zoneinfo")
# A number that no other account is likely to have. Kubernetes can only check numbers.
USER = 65532
STATE = "var/lib/novablend"
SETTINGS = ROOT / "Tools/Packaging/image"


def make(release, work, dist):
    """Writes the image, which `docker load` reads, and returns the packages whose files are in it."""
    layer, components = filesystem(release, work)
    config = json.dumps(description(release, layer), sort_keys=True).encode()
    name = f"{hashlib.sha256(config).hexdigest()}.json"
    manifest = [{"Config": name, "RepoTags": [f"{PROGRAM}:{release.version}"], "Layers": ["layer.tar"]}]
    with tarfile.open(dist / f"{PROGRAM}-{release.version}-image.tar", "w", format=tarfile.GNU_FORMAT) as image:
        tree = Tree(image, release.time)
        tree.file("layer.tar", layer)
        tree.file(name, config)
        tree.file("manifest.json", json.dumps(manifest).encode())
    return components


def filesystem(release, work):
    """The files as a tar archive, and the packages that they come from."""
    libraries = dict(portable.needed(work / "installed/usr/bin" / PROGRAM) + portable.needed(POSTGRES))
    libraries |= {POSTGRES.name: POSTGRES, LOADER.name: LOADER}
    sources = [*libraries.values(), CERTIFICATES / "ISRG_Root_X1.crt", ZONES / "UTC"]
    components = sorted({Component.owning(path) for path in sources})
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        tree = Tree(archive, release.time)
        for name in ["lib", "lib64"]:
            tree.link(name, f"usr/{name}")
        tree.file(f"usr/bin/{PROGRAM}", (work / "installed/usr/bin" / PROGRAM).read_bytes(), 0o755)
        for name, path in sorted(libraries.items()):
            directory = "usr/lib64" if name == LOADER.name else LIBRARIES
            tree.file(f"{directory}/{name}", path.read_bytes(), 0o755)
        tree.file("usr/lib/novablend/installation", b"image\n")
        certificates = [path.read_bytes() for path in sorted(CERTIFICATES.iterdir())]
        tree.file("etc/ssl/certs/ca-certificates.crt", b"".join(certificates))
        tree.copy(ZONES, without=["posix", "right"])
        for path in sorted(path for path in SETTINGS.rglob("*") if path.is_file()):
            tree.file(path.relative_to(SETTINGS).as_posix(), path.read_bytes())
        for component in components:
            tree.file(f"usr/share/doc/{component.package}/copyright", component.notice)
        tree.file("usr/share/doc/novablend/copyright", license_text().encode())
        tree.directory(STATE, 0o700, USER)
        tree.directory("tmp", 0o1777)
    return layer.getvalue(), components


def description(release, layer):
    """How a container starts the program. The health check is not part of OCI's format, but of Docker's."""
    return {
        "architecture": "amd64",
        "os": "linux",
        "created": release.date,
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
        "history": [{"created": release.date, "created_by": "make packages"}],
        "config": {
            "User": f"{USER}:{USER}",
            "Env": ["PATH=/usr/bin", "LANG=C.UTF-8"],
            # The program uses the configuration file.
            "Entrypoint": [PROGRAM],
            "Cmd": ["serve"],
            "ExposedPorts": {"8080/tcp": {}},
            "Volumes": {f"/{STATE}": {}},
            "WorkingDir": f"/{STATE}",
            "Healthcheck": {"Test": ["CMD", PROGRAM, "health"]},
            "Labels": {
                "org.opencontainers.image.title": PROGRAM,
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.revision": release.commit,
                "org.opencontainers.image.created": release.date,
                "org.opencontainers.image.licenses": "MIT",
                "org.opencontainers.image.url": registry.HOME,
            },
        },
    }
