"""The URLs in responses are the ones that clients of the proxy can use."""

import json
import re
import ssl
import subprocess
import urllib.error
import urllib.request

import pytest

from backend import running_backend
from calls import book, later
from proxy import KINDS, PREFIX, free_port

# Varnish has no TLS.
SETUPS = [
    *((kind, features) for kind in KINDS for features in ("", "prefix")),
    *((kind, features) for kind in ("nginx", "haproxy") for features in ("tls", "prefix tls")),
]
TRUST = ("--trusted-proxy", "127.0.0.1/32")


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """The certificate of an authority, and a certificate that it signed, with its key."""
    folder = tmp_path_factory.mktemp("certificates")
    authority, server = folder / "ca.pem", folder / "server.pem"
    new = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2".split()
    key = folder / "ca.key"
    create(*new, "-subj", "/CN=Authority", "-keyout", key, "-out", authority)
    signed = ("-CA", authority, "-CAkey", key, "-addext", "subjectAltName=IP:127.0.0.1")
    key = folder / "server.key"
    create(*new, *signed, "-subj", "/CN=Server", "-keyout", key, "-out", server)
    server.write_text(server.read_text() + key.read_text())
    return authority, server


def create(*command):
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(params=SETUPS, ids="-".join)
def setup(request):
    return request.param


@pytest.fixture
def kind(setup):
    return setup[0]


@pytest.fixture
def features(setup):
    return setup[1].split()


@pytest.fixture(params=["forwarded", "public-url"])
def proxy(request, features, start, certificates, tmp_path):
    """A proxy whose backend knows the public URL from the proxy or from its own command line."""
    port = free_port()
    url = f"{'https' if 'tls' in features else 'http'}://127.0.0.1:{port}"
    url += PREFIX if "prefix" in features else ""
    is_forwarded = request.param == "forwarded"
    options = TRUST if is_forwarded else ("--public-url", url)
    with running_backend(tmp_path / "public.sqlite", *options) as backend:
        features = [*features, *(["forwards"] if is_forwarded else [])]
        proxy = start(backend, *features, port=port, certificate=certificates[1])
        assert proxy.url == url
        yield proxy


@pytest.fixture
def load(certificates):
    """Returns the JSON at a URL, and the URL of the next page."""
    context = ssl.create_default_context(cafile=certificates[0])

    def load(url, **headers):
        request = urllib.request.Request(url, headers=headers)
        is_secure = url.startswith("https:")
        with urllib.request.urlopen(request, context=context if is_secure else None) as response:
            link = re.search(r'<([^>]*)>; rel="next"', response.headers["Link"] or "")
            return json.load(response), link and urllib.parse.urljoin(url, link[1])

    return load


def test_images_are_at_the_public_url(proxy, load, connect, certificates):
    for item in load(f"{proxy.url}/feed")[0]["items"]:
        assert item["image"].startswith(f"{proxy.url}/images/")
    client = connect(proxy.url, "--ca-file", str(certificates[0]))
    items = client.call("feed/list")["result"]["items"]
    assert client.call("feed/image", url=items[0]["image"])["result"]["mediaType"] == "image/png"


def test_pages_are_at_the_public_url(proxy, load, connect, booking, certificates):
    trust = ("--ca-file", str(certificates[0]))
    client = connect(proxy.url, *trust)
    times = [later(booking, hours) for hours in range(3)]
    ids = [book(client, booking | {"appointmentTime": time})["id"] for time in times]
    found, url = [], f"{proxy.url}/appointments?limit=1"
    while url:
        assert url.startswith(f"{proxy.url}/appointments?")
        page, url = load(url)
        found += [appointment["id"] for appointment in page["appointments"]]
    assert len(found) == 3 and set(found) == set(ids)
    short_pages = ("--appointments-url", f"{proxy.url}/appointments?limit=1")
    other = connect(proxy.url, *short_pages, *trust, name="other")
    listed = other.call("appointments/list")["result"]["appointments"]
    assert {appointment["id"] for appointment in listed} == set(ids)


@pytest.mark.parametrize("setup", [(kind, "") for kind in KINDS], indirect=True)
def test_clients_cannot_choose_the_public_url(proxy, load):
    forged = {
        "Forwarded": "host=forged.example;proto=https",
        "X-Forwarded-Host": "forged.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Prefix": "/forged",
        "X-Forwarded-For": "127.0.0.1",
    }
    for name, value in forged.items():
        try:
            text = json.dumps(load(f"{proxy.url}/feed", **{name: value}))
        except urllib.error.HTTPError as error:
            # If the backend believes the proxy, and there are both kinds of fields, the client is not
            # known. Without tokens, it is not served.
            assert error.code == 401 and name == "Forwarded"
            continue
        assert "forged" not in text and "https" not in text, name
