"""Prometheus can read the metrics of the backend, and they say what happened."""

import json
import re
import subprocess
import urllib.request
from contextlib import contextmanager, nullcontext
from pathlib import Path
from urllib.error import HTTPError

import pytest

from backend import running_backend_with_metrics


SCRIPTS = Path(__file__).parents[3] / "Tools" / "Scripts"

# Prints the directory of a server, which runs until the standard input ends.
SERVER = 'echo "$NOVABLEND_POSTGRES"; cat'


@contextmanager
def running_postgres():
    """The URL of an empty PostgreSQL database."""
    if not Path("/usr/lib/postgresql").exists():
        pytest.skip("PostgreSQL is not installed")
    server = subprocess.Popen(
        [SCRIPTS / "with-postgres.sh", "sh", "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        directory = server.stdout.readline().strip()
        yield f"postgresql:///postgres?host={directory}/main&user=novablend"
    finally:
        server.communicate()


@pytest.fixture(params=["sqlite", "postgresql"])
def urls(request, tmp_path):
    """The URLs of a backend without appointments, and of its metrics."""
    server = running_postgres() if request.param == "postgresql" else nullcontext()
    with server as url, running_backend_with_metrics(url or tmp_path / "backend.sqlite") as urls:
        yield urls


def send(url, method="GET", body=None):
    """The status of the response."""
    data = body and json.dumps(body).encode()
    try:
        return urllib.request.urlopen(urllib.request.Request(url, data, method=method)).status
    except HTTPError as error:
        return error.code


def metrics(url):
    with urllib.request.urlopen(url) as response:
        assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        return response.read().decode()


def samples(text):
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    pairs = [line.rsplit(" ", 1) for line in lines]
    assert len(dict(pairs)) == len(pairs), "a sample occurs twice"
    return {name: float(value) for name, value in pairs}


def use(url, booking):
    """Sends requests that succeed and fail in different ways."""
    assert send(f"{url}/salons") == 200
    assert send(f"{url}/none") == 404
    json_body = booking | {"phone": "+49 30 7654321"}
    request = urllib.request.Request(
        f"{url}/appointments", json.dumps(booking).encode(), {"Content-Type": "application/json"}
    )
    assert urllib.request.urlopen(request).status == 201
    request.data = json.dumps(json_body).encode()
    with pytest.raises(HTTPError) as error:
        urllib.request.urlopen(request)
    assert error.value.code == 409


@pytest.mark.parametrize("is_used", [False, True])
def test_promtool_has_no_complaint(urls, booking, is_used):
    if is_used:
        use(urls[0], booking)
    check = subprocess.run(
        ["promtool", "check", "metrics"],
        input=metrics(urls[1]),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert (check.returncode, check.stdout) == (0, "")


def test_the_metrics_count_what_happened(urls, booking):
    url, metrics_url = urls
    before = samples(metrics(metrics_url))
    use(url, booking)
    after = samples(metrics(metrics_url))
    changes = {name: value - before[name] for name, value in after.items()}
    requests = "novablend_http_requests_total"
    book = 'route="bookAppointment",method="POST"'
    assert changes[f'{requests}{{route="listSalons",method="GET",status="2xx"}}'] == 1
    assert changes[f'{requests}{{{book},status="2xx"}}'] == 1
    assert changes[f'{requests}{{{book},status="4xx"}}'] == 1
    assert changes[f'{requests}{{route="none",method="other",status="4xx"}}'] == 1
    assert changes['novablend_bookings_total{result="booked"}'] == 1
    assert changes['novablend_bookings_total{result="slotUnavailable"}'] == 1
    assert changes[f"novablend_http_request_duration_seconds_count{{{book}}}"] == 2
    assert changes[f"novablend_http_request_duration_seconds_sum{{{book}}}"] > 0
    if "novablend_database_connections" in after:
        # The transaction of the rejected booking is rolled back.
        assert changes["novablend_database_commit_duration_seconds_count"] == 1
        assert after["novablend_database_connections"] >= 1
        assert after["novablend_database_unknown_commits_total"] == 0
    else:
        # The rejected booking is undone in its own part of a transaction, which is committed, too.
        assert changes["novablend_database_batch_size_count"] >= 1
        assert changes["novablend_database_batch_size_sum"] == 2
    assert changes["novablend_http_connections_accepted_total"] == 4
    assert after["novablend_active_holds"] == 0
    assert after["process_open_fds"] > 0


def test_holds_are_counted_while_they_are_active(urls, booking):
    url, metrics_url = urls
    request = urllib.request.Request(
        f"{url}/holds", json.dumps(booking).encode(), {"Content-Type": "application/json"}
    )
    hold = json.load(urllib.request.urlopen(request))["id"]
    assert samples(metrics(metrics_url))["novablend_active_holds"] == 1
    assert send(f"{url}/holds/{hold}", "DELETE") == 204
    assert samples(metrics(metrics_url))["novablend_active_holds"] == 0


def test_the_metrics_contain_nothing_about_a_customer(urls, booking):
    use(urls[0], booking)
    text = metrics(urls[1])
    assert not re.search("1234567|7654321", text)


def test_only_the_listener_of_the_metrics_has_them(urls):
    assert send(f"{urls[0]}/metrics") == 404
    assert send(urls[1].replace("/metrics", "/salons")) == 404
    assert send(urls[1], "DELETE") == 405
