"""Compares the ratios of a full run with thresholds.json.

Usage: check.py RESULTS. A threshold is the worst ratio that passes: the largest, or the smallest if
more is better. Only the thresholds of CPU time and memory are enforced: on two cores that other processes use, too,
other ratios vary, so those beyond their thresholds are printed with their spread."""

import json
import sys
from pathlib import Path

results = json.loads(Path(sys.argv[1]).read_text())
thresholds = json.loads((Path(__file__).parent / "thresholds.json").read_text())
if results["quick"]:
    sys.exit("these are the results of a quick run; run make bench without QUICK")
rows = {row["id"]: row for row in results["rows"]}
failures, warnings = [], []
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
            spread = f"{ratio['low']:.3g} to {ratio['high']:.3g}"
            line = f"{title}: {value:.3g} ({spread}) x {peer}, threshold {threshold:g}"
            (failures if "CPU time" in title or "memory" in title else warnings).append(line)
for line in warnings:
    print(f"not enforced: {line}")
count = sum(map(len, thresholds.values()))
print("\n".join(failures) or f"{count - len(warnings)} of {count} ratios are within their thresholds")
sys.exit(1 if failures else 0)
