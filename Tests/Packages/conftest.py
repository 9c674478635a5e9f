"""The artifacts, and installations of Debian for them."""

import os
from pathlib import Path

import pytest
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
        build = Path(os.environ.get("BUILD", ROOT / ".build"))
        base = debootstrapped(release, build / "packages-roots")
        roots.append(Root(with_packages(base, packages) if packages else base))
        return roots[-1]

    yield start
    for root in roots:
        root.stop()
