"""The artifacts, and installations of Debian for them."""

import os
from pathlib import Path

import pytest
import services
from root import Root, debootstrapped, with_packages

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def dist():
    """The directory of the artifacts."""
    return ROOT / "dist"


@pytest.fixture(scope="session")
def version():
    """The version of the artifacts."""
    return (ROOT / "VERSION").read_text().strip()


@pytest.fixture
def debian():
    """Returns a function that starts a root of a release: `debian()` for Debian 12, `debian("trixie")` for 13.

    With `packages`, these packages of Debian are installed in it."""
    roots = []

    def start(release="bookworm", packages=()):
        roots.append(started(release, packages))
        return roots[-1]

    yield start
    for root in roots:
        root.stop()


@pytest.fixture(scope="session")
def shared_roots():
    roots = {}
    yield roots
    for root in roots.values():
        root.stop()


@pytest.fixture
def served(shared_roots, tmp_path):
    """Returns a function that returns a root with PostgreSQL, which is empty, and a proxy that adds TLS.

    All tests of a release share the root, because installing these takes long."""

    def root(release="bookworm"):
        if release not in shared_roots:
            shared_roots[release] = started(release)
            services.start(shared_roots[release], tmp_path)
        services.forget(shared_roots[release])
        return shared_roots[release]

    return root


def started(release, packages=()):
    build = Path(os.environ.get("BUILD", ROOT / ".build"))
    base = debootstrapped(release, build / "packages-roots")
    return Root(with_packages(base, packages) if packages else base)
