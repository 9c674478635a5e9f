import hashlib
import subprocess

import pytest
import services
import sessions

# One version of the files fits on this disk, and two do not.
DISK = "70M"


@pytest.fixture
def unpacked(dist, version, tmp_path):
    """The directory of the archive."""
    name = f"novablend-{version}-linux-x86_64"
    subprocess.run(["tar", "--zstd", "-C", tmp_path, "-xf", dist / f"{name}.tar.zst"], check=True)
    return tmp_path / name


@pytest.fixture
def install(unpacked):
    """Returns a function that copies the archive to a root, and runs its installer there."""

    def run(root, *words):
        root.copy(unpacked, "/opt/archive")
        return root.run("/opt/archive/install.sh", *words)

    return run


def test_the_checksums_name_every_other_file(unpacked):
    lines = (unpacked / "SHA256SUMS").read_text().splitlines()
    stated = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = [path for path in unpacked.rglob("*") if path.is_file() and path.name != "SHA256SUMS"]
    digests = {path.relative_to(unpacked).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert stated == digests


def test_an_installation_books_over_https_in_postgresql(served, install):
    root = served()
    result = install(root)
    assert result.returncode == 0, result.stderr
    assert (root.path / "root/.local/lib/novablend/installation").read_text() == "archive\n"
    assert "Installing NovaBlend in /root/.local." in result.stdout
    with sessions.serving(root, "/root/.local/bin/novablend-backend", "serve", "--database", services.DATABASE):
        sessions.book(root, "/root/.local/bin/novablend", "--cache-dir=/tmp/archive", "--state-dir=/tmp/archive")


def test_a_removal_leaves_nothing_but_other_files(served, install):
    root = served()
    root.output("mkdir", "-p", "/srv/programs/bin")
    root.output("touch", "/srv/programs/bin/other")
    install(root, "/srv/programs")
    sessions.sandbox(root, "/srv/programs/bin/novablend")
    root.output("/srv/programs/lib/novablend/install.sh", "--uninstall", "/srv/programs")
    files = root.output("find", "/srv/programs", "-mindepth", "1").split()
    assert files == ["/srv/programs/bin", "/srv/programs/bin/other"]


def test_a_new_version_removes_the_files_that_it_does_not_have(served, install, unpacked):
    root = served()
    install(root, "/srv/upgraded")
    (root.path / "opt/archive/share/man/man1/novablend.1").unlink()
    sums = "find . -type f ! -name SHA256SUMS -exec sha256sum {} + > SHA256SUMS"
    root.output("sh", "-ec", f"cd /opt/archive; {sums}")
    root.output("/opt/archive/install.sh", "/srv/upgraded")
    pages = root.output("ls", "/srv/upgraded/share/man/man1").split()
    assert pages == ["novablend-backend.1"]


def test_a_full_disk_leaves_the_earlier_version_as_it_was(served, install):
    root = served()
    root.output("mkdir", "/srv/small")
    root.output("mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", "/srv/small")
    assert install(root, "/srv/small").returncode == 0
    before = root.output("find", "/srv/small", "-printf", "%p %i %T@\n")
    result = install(root, "/srv/small")
    assert result.returncode == 1
    assert "No space left on device" in result.stderr
    assert result.stderr.endswith(
        "could not write to /srv/small: nothing was installed, and an earlier version was not changed\n"
    )
    after = root.output("find", "/srv/small", "-type", "f", "-printf", "%p %i %T@\n")
    assert set(after.splitlines()) == {line for line in before.splitlines() if line in after}
    assert not root.output("find", "/srv/small", "-name", "*new*")
    sessions.sandbox(root, "/srv/small/bin/novablend")


def test_a_full_disk_at_the_first_installation_leaves_nothing(served, install):
    root = served()
    root.output("mkdir", "/srv/full")
    root.output("mount", "-t", "tmpfs", "-o", "size=20M", "tmpfs", "/srv/full")
    assert install(root, "/srv/full").returncode == 1
    assert root.output("find", "/srv/full", "-mindepth", "1") == ""


def test_a_damaged_archive_is_not_installed(served, install, unpacked):
    root = served()
    with (unpacked / "bin/novablend-backend").open("r+b") as program:
        program.seek(1_000_000)
        program.write(b"damaged")
    result = install(root, "/srv/damaged")
    assert result.returncode == 1
    assert "bin/novablend-backend: FAILED" in result.stdout
    assert "the archive is damaged" in result.stderr
    assert root.run("ls", "/srv/damaged").returncode != 0
