"""Compares the ratios of a full run with thresholds.json.

Usage: check.py RESULTS. A threshold is the worst ratio that passes: the largest, or the smallest if
more is better."""

import json
import sys
from pathlib import Path

results = json.loads(Path(sys.argv[1]).read_text())
thresholds = json.loads((Path(__file__).parent / "thresholds.json").read_text())
if results["quick"]:
    sys.exit("these are the results of a quick run; run make bench without QUICK")
rows = {row["id"]: row for row in results["rows"]}
failures = []
for title, peers in thresholds.items():
    for peer, threshold in peers.items():
        row = rows.get(title)
        ratio = row and row["ratios"].get(peer)
        if not ratio:
            failures.append(f"{title}: not compared with {peer}")
            continue
        value = ratio["median"]
        passes = value >= threshold if row["more_is_better"] else value <= threshold
        if not passes:
            failures.append(f"{title}: {value:.3g} x {peer}, threshold {threshold:g}")
count = sum(map(len, thresholds.values()))
print("\n".join(failures) or f"all {count} ratios are within their thresholds")
sys.exit(1 if failures else 0)
