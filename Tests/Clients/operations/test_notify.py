"""The backend reports to systemd when it serves requests, and when it stops (sd_notify(3))."""

import subprocess
import urllib.request
import uuid

import pytest

from environment import BINARIES, DEADLINE
from service import command, reports, running


@pytest.mark.parametrize("kind", ["file", "abstract"])
def test_the_backend_reports_that_it_serves_and_that_it_stops(tmp_path, kind):
    path = tmp_path / "notify" if kind == "file" else f"@novablend-{uuid.uuid4()}"
    with reports(path) as received:
        with running(command(tmp_path), path):
            ready = received.next()
            assert ready["READY"] == "1"
            url, metrics = [part.split()[-1] for part in ready["STATUS"].split(", ")]
            for page in [f"{url}/health/ready", metrics]:
                assert urllib.request.urlopen(page, timeout=DEADLINE).status == 200
        stopping = received.next()
        assert stopping["STOPPING"] == "1"
        # The shutdown delay is 0 here; requests in progress may take ten seconds.
        assert int(stopping["EXTEND_TIMEOUT_USEC"]) > 10_000_000
        assert received.is_empty()


def test_a_backend_that_cannot_start_does_not_report_that_it_serves(tmp_path):
    path = tmp_path / "notify"
    with reports(path) as received:
        result = subprocess.run(
            [BINARIES / "novablend-backend", "serve", "--port", "0", "--database", tmp_path],
            env={"NOTIFY_SOCKET": str(path)},
            capture_output=True,
            timeout=DEADLINE,
        )
        assert result.returncode == 1 and received.is_empty()


@pytest.mark.parametrize("path", ["", "@", "relative", "/" + "x" * 200])
def test_a_socket_that_does_not_exist_changes_nothing(tmp_path, path):
    with running(command(tmp_path), path):
        pass
