"""Compares the ratios of a full run with thresholds.json: RESULTS. A threshold is the worst ratio
that is let pass; where more is better, the least."""

import json
import sys
from pathlib import Path

results = json.loads(Path(sys.argv[1]).read_text())
thresholds = json.loads((Path(__file__).parent / "thresholds.json").read_text())
if results["quick"]:
    sys.exit("these are results of a quick run; the thresholds are for a full one")
rows = {row["id"]: row for row in results["rows"]}
faults = []
for title, peers in thresholds.items():
    for peer, threshold in peers.items():
        row = rows.get(title)
        ratio = row and row["ratios"].get(peer)
        if not ratio:
            faults.append(f"{title}: not measured beside {peer}")
            continue
        value = ratio["median"]
        passes = value >= threshold if row["more_is_better"] else value <= threshold
        if not passes:
            faults.append(f"{title}: {value:.3g} x {peer}, the threshold is {threshold:g}")
print("\n".join(faults) or f"all {sum(map(len, thresholds.values()))} ratios are within bounds")
sys.exit(1 if faults else 0)
