"""Stores a file with diskcache, prints what is stored, or measures how long a replacement takes.

Usage: disk_cache.py save DIRECTORY FILE, disk_cache.py load DIRECTORY, or
disk_cache.py replace DIRECTORY BYTES COUNT
"""

import json
import statistics
import sys
import time
from pathlib import Path

import diskcache


def measure_replacements(cache, size, count):
    value = bytes(index % 256 for index in range(size))
    times = []
    for _ in range(count):
        start = time.perf_counter()
        cache["value"] = value
        times.append(time.perf_counter() - start)
    print(json.dumps({"p50": statistics.median(times)}))


with diskcache.Cache(sys.argv[2]) as cache:
    if sys.argv[1] == "save":
        cache["salons"] = Path(sys.argv[3]).read_bytes()
    elif sys.argv[1] == "replace":
        measure_replacements(cache, int(sys.argv[3]), int(sys.argv[4]))
    else:
        sys.stdout.buffer.write(cache["salons"])
