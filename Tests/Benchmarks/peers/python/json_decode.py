"""Measures how long orjson takes to decode a file.

Usage: json_decode.py FILE ROUNDS
"""

import json
import statistics
import sys
import time
from pathlib import Path

import orjson

payload = Path(sys.argv[1]).read_bytes()
times = []
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    value = orjson.loads(payload)
    times.append(time.perf_counter() - start)
    del value
print(json.dumps({"seconds": statistics.median(times)}))
