"""The alerts for Prometheus are valid, and use metrics that the backend has."""

import re
import subprocess
import urllib.request
from pathlib import Path

import pytest

from backend import running_backend_with_metrics

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
ALERTS = ROOT / "Tools/novablend-backend/prometheus/alerts.yml"


@pytest.mark.parametrize(
    "check", [["check", "rules", ALERTS], ["test", "rules", HERE / "alerts_test.yml"]]
)
def test_promtool_accepts_the_alerts(check):
    result = subprocess.run(["promtool", *check], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("file", [ALERTS, ROOT / "docs/Operating.md"], ids=["alerts", "document"])
def test_their_metrics_exist(tmp_path, file):
    with running_backend_with_metrics(tmp_path / "db.sqlite") as (_, url):
        with urllib.request.urlopen(url) as response:
            metrics = response.read().decode()
    names = set(re.findall(r"\b(?:novablend|process)_[a-z_]+\b", file.read_text()))
    assert names
    for name in names:
        # A histogram has samples with suffixes.
        assert re.search(rf"(?m)^{name}(_bucket)?[ {{]", metrics), name
    labels = re.findall(r'(route|status|kind)="(\w+)"', file.read_text())
    for name, value in labels:
        assert f'{name}="{value}"' in metrics
