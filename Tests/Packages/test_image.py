import io
import json
import ssl
import subprocess
import tarfile
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import services
import sessions

ROOT = "/srv/image"
URL = "http://127.0.0.1:8080"
# With --database, only a configuration file that is named is read.
SETTINGS = ["--config", "/etc/novablend/backend.conf"]
# What a container's runtime does.
MOUNTS = """
mkdir $1/dev $1/proc
mount --bind $1 $1
mount --rbind /dev $1/dev
mount -t proc proc $1/proc
mount --bind $2 $2
cp $3 $2/authority.crt
mount -o remount,ro,bind $1
"""


@pytest.fixture
def archive(dist, version):
    return dist / f"novablend-backend-{version}-image.tar"


@pytest.fixture
def image(archive):
    """Returns a function that returns the content of a file in the image's archive."""

    def content(name):
        with tarfile.open(archive) as files:
            return files.extractfile(name).read()

    return content


@pytest.fixture
def manifest(image):
    [manifest] = json.loads(image("manifest.json"))
    return manifest


@pytest.fixture
def config(image, manifest):
    return json.loads(image(manifest["Config"]))["config"]


@pytest.fixture
def container(served, image, manifest, config):
    """A root, and a function that returns the words which run a command of the image as a container would: read-only
    except for its volume, and as the user of the image."""
    root = served()
    if root.run("test", "-d", ROOT).returncode != 0:
        for name in manifest["Layers"]:
            with tarfile.open(fileobj=io.BytesIO(image(name))) as layer:
                layer.extractall(root.path / ROOT.lstrip("/"), filter="fully_trusted")
        [volume] = config["Volumes"]
        root.output("sh", "-euc", MOUNTS, "sh", ROOT, f"{ROOT}{volume}", services.AUTHORITY)
    inside = ["env", "-i", *config["Env"], f"HOME={config['WorkingDir']}", f"PGPASSWORD={services.PASSWORD}"]
    # The search path is that of the image, and the program is one of the root, so its path is absolute.
    enter = ["/usr/sbin/chroot", f"--userspec={config['User']}", ROOT]
    return root, lambda *words: [*inside, *enter, *config["Entrypoint"], *words]


@pytest.fixture
def token(container):
    """The token of an administrator for the database in the volume."""
    root, command = container
    return root.output(*command("tokens", "create", "--role", "administrator", "--days", "1")).split()[0]


def test_a_container_tool_reads_the_image(archive, version, tmp_path):
    storage = ["--root", tmp_path / "storage", "--runroot", tmp_path / "run", "--storage-driver", "vfs"]
    identifier = subprocess.run(
        ["buildah", *storage, "pull", "--quiet", f"docker-archive:{archive}"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()
    output = subprocess.run(
        ["buildah", *storage, "inspect", "--type", "image", identifier], check=True, capture_output=True, text=True
    ).stdout
    image = json.loads(output)["Docker"]["config"]
    assert image["Healthcheck"]["Test"] == ["CMD", "novablend-backend", "health"]
    assert image["User"] == "65532:65532"
    assert image["Labels"]["org.opencontainers.image.version"] == version


def test_a_container_without_a_token_says_how_to_create_one(container):
    root, command = container
    result = root.run(*command("serve", *SETTINGS, "--database", "/var/lib/novablend/new.sqlite"))
    assert result.returncode != 0
    assert "create a token with novablend-backend tokens create" in result.stderr


def test_a_container_serves_its_volume_and_writes_nothing_else(container, token):
    root, command = container
    with serving(root, command):
        request = ["curl", "--silent", "--show-error", "--fail", "--oauth2-bearer", token]
        assert root.output(*request, f"{URL}/appointments") == '{"subject":"administrator","appointments":[]}'
        assert root.run("touch", f"{ROOT}/tmp/file").returncode != 0
        owned = root.output("find", f"{ROOT}/var/lib/novablend", "-name", "backend.sqlite", "-printf", "%U:%G %m")
        assert owned == "65532:65532 600"


def test_the_health_check_says_whether_the_backend_serves(container, config, token):
    root, command = container
    health = command(*config["Healthcheck"]["Test"][2:])
    with serving(root, command):
        root.output(*health)
    assert root.run(*health).returncode != 0


def test_a_container_uses_postgresql_and_zones(container):
    root, command = container
    # The runtime of a container names localhost in /etc/hosts.
    database = services.DATABASE.replace(services.AUTHORITY, "/var/lib/novablend/authority.crt&hostaddr=127.0.0.1")
    options = [*SETTINGS, "--database", database]
    rows = f"name,location,open_time,close_time,time_zone\nNova,Paris,09:00,20:00,{sessions.ZONE}\n"
    root.output(*command("salons", "import", *options, "-"), input=rows)
    token = root.output(*command("tokens", "create", "--role", "administrator", "--days", "1", *options)).split()[0]
    with serving(root, command, *options):
        [salon] = json.loads(root.output("curl", "--silent", f"{URL}/salons"))["salons"]
        assert salon["time_zone"] == sessions.ZONE
        day = datetime.now(ZoneInfo(sessions.ZONE)).date() + timedelta(days=2)
        times = f"start={day}T00:00:00Z&end={day}T23:00:00Z"
        found = json.loads(root.output("curl", "--silent", f"{URL}/salons/{salon['id']}/availability?{times}"))
        start = found["slots"][0]["start"]
        assert start == datetime.combine(day, time(9), ZoneInfo(sessions.ZONE)).strftime("%Y-%m-%dT%H:%M:%S%z")
        body = json.dumps({"salonId": salon["id"], "appointmentTime": start, "phone": "+33 1 1234567"})
        request = ["curl", "--silent", "--show-error", "--fail-with-body", "--oauth2-bearer", token, "--data", body]
        root.output(*request, "--header", "Content-Type: application/json", f"{URL}/appointments")
        assert services.stored(root) == 1


def test_the_certificates_are_those_of_the_package(image, manifest):
    [name] = manifest["Layers"]
    with tarfile.open(fileobj=io.BytesIO(image(name))) as layer:
        text = layer.extractfile("etc/ssl/certs/ca-certificates.crt").read().decode()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=text)
    assert len(context.get_ca_certs()) == len(list(Path("/usr/share/ca-certificates/mozilla").iterdir()))


def serving(root, command, *options):
    return sessions.serving(root, *command("serve", *options), address="0.0.0.0")
