"""Parts that come from the distribution, and what the programs say if one is missing."""

import subprocess

import pytest
import services
import sessions

LIBRARIES = "/usr/lib/x86_64-linux-gnu"

# A library that is too old.
OLD = """
#include <curl/curl.h>
curl_version_info_data *curl_version_info(CURLversion now) {
    static curl_version_info_data data = {.age = CURLVERSION_NOW, .version = "7.68.0", .version_num = 0x074400};
    return &data;
}
"""


@pytest.fixture
def programs(dist, version, tmp_path):
    """Returns a function that copies the archive's programs to a root, and returns their directory there."""
    name = f"novablend-{version}-linux-x86_64"
    subprocess.run(["tar", "--zstd", "-C", tmp_path, "-xf", dist / f"{name}.tar.zst"], check=True)

    def copied(root):
        root.copy(tmp_path / name, "/opt/programs")
        return "/opt/programs/bin"

    return copied


def failing(root, *words, **options):
    """The error message of a command that must fail."""
    result = root.run(*words, **options)
    assert result.returncode != 0, result.stdout
    return result.stderr


def test_without_libcurl_requests_name_its_package(debian, programs):
    root = debian()
    novablend = f"{programs(root)}/novablend"
    message = failing(root, novablend, "salons", "--sandbox")
    assert "libcurl.so.4" in message
    assert "libcurl4" in message
    # What needs no request works.
    assert root.output(novablend, "--version").startswith("novablend ")


def test_an_old_libcurl_is_named_with_the_version_that_is_needed(debian, programs, tmp_path):
    root = debian()
    novablend = f"{programs(root)}/novablend"
    names = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--format=just-symbols", "--without-symbol-versions",
         f"{LIBRARIES}/libcurl.so.4"],
        check=True, capture_output=True, text=True,
    ).stdout.split()
    others = [name for name in names if name.startswith("curl_") and name != "curl_version_info"]
    functions = [f"void {name}(void) {{}}" for name in others]
    (tmp_path / "functions.c").write_text("\n".join(functions))
    (tmp_path / "version.c").write_text(OLD)
    command = ["gcc", "-shared", "-fPIC", "-w", "-o", "libcurl.so.4", "functions.c", "version.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    root.copy(tmp_path / "libcurl.so.4", f"{LIBRARIES}/libcurl.so.4")
    message = failing(root, novablend, "salons", "--sandbox")
    assert "7.68.0 is older than 7.87" in message


def test_without_libpq_the_backend_names_its_package(debian, programs):
    root = debian()
    backend = f"{programs(root)}/novablend-backend"
    message = failing(root, backend, "serve", "--port", "0", "--database", services.DATABASE)
    assert "libpq.so.5" in message
    assert "libpq5" in message


def test_without_ca_certificates_https_says_that_they_are_missing(served, programs):
    root = served()
    directory = programs(root)
    with sessions.serving(root, f"{directory}/novablend-backend", "serve", "--database", services.DATABASE):
        hidden = "mount -t tmpfs tmpfs /etc/ssl/certs; exec \"$@\""
        command = ["unshare", "--mount", "sh", "-ec", hidden, "sh", f"{directory}/novablend"]
        message = failing(root, *command, "salons", "--base-url", services.HTTPS, "--cache-dir=/tmp/missing")
    assert "certificate" in message
    assert "ca-certificates" in message


def test_without_zones_both_programs_say_what_to_install(debian, programs):
    root = debian()
    root.install("libcurl4")
    novablend = f"{programs(root)}/novablend"
    root.output("rm", "-r", "/usr/share/zoneinfo")
    reason = "this machine does not know Europe/Paris, the time zone of Atelier Nova; install tzdata"
    result = root.run(novablend, "doctor", "--sandbox")
    assert reason in result.stderr
    assert result.returncode != 0
    zones = next(line for line in result.stdout.splitlines() if line.split()[:2] == ["fail", "zones"])
    assert "tzdata" in zones
