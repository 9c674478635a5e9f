"""Prints every transition of every zone from 2020 to 2035, according to Python's zoneinfo.

Each line has the name, the seconds since 1970, the offset before, and the offset after. A zone without
transitions has one line with the beginning of 2020 and its offset twice.
"""

import sys
from datetime import datetime, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

ROOT = Path("/usr/share/zoneinfo")
OTHERS = ("localtime", "posixrules", "Factory")
START = int(datetime(2020, 1, 1, tzinfo=timezone.utc).timestamp())
END = int(datetime(2036, 1, 1, tzinfo=timezone.utc).timestamp())
# The distance of samples, in seconds. No zone changes its clock twice in that time.
STEP = 12 * 3600


def names():
    for path in sorted(ROOT.rglob("*")):
        name = str(path.relative_to(ROOT))
        if name.startswith(("posix/", "right/")) or name in OTHERS or not path.is_file():
            continue
        with path.open("rb") as file:
            if file.read(4) == b"TZif":
                yield name, path.read_bytes()


def offset(zone, seconds):
    return int(datetime.fromtimestamp(seconds, zone).utcoffset().total_seconds())


def transitions(zone):
    at, before = START, offset(zone, START)
    while at < END:
        later = min(at + STEP, END)
        if (after := offset(zone, later)) != before:
            low, high = at, later
            while high - low > 1:
                middle = (low + high) // 2
                if offset(zone, middle) == before:
                    low = middle
                else:
                    high = middle
            yield high, before, after
            before = after
        at = later


known = {}
for name, content in names():
    if content not in known:
        zone = ZoneInfo(name)
        first = offset(zone, START)
        known[content] = list(transitions(zone)) or [(START, first, first)]
    for at, before, after in known[content]:
        sys.stdout.write(f"{name} {at} {before} {after}\n")
