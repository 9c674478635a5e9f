"""How long orjson takes for a payload: FILE ROUNDS."""

import json
import statistics
import sys
import time
from pathlib import Path

import orjson

payload = Path(sys.argv[1]).read_bytes()
times = []
for _ in range(int(sys.argv[2])):
    began = time.perf_counter()
    value = orjson.loads(payload)
    times.append(time.perf_counter() - began)
    del value
print(json.dumps({"seconds": statistics.median(times)}))
