"""What is kept, with diskcache: save DIRECTORY FILE, or load DIRECTORY to standard output."""

import sys
from pathlib import Path

import diskcache

with diskcache.Cache(sys.argv[2]) as cache:
    if sys.argv[1] == "save":
        cache["salons"] = Path(sys.argv[3]).read_bytes()
    else:
        sys.stdout.buffer.write(cache["salons"])
