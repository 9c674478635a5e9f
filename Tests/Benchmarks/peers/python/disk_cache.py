"""Stores a file with diskcache, or prints what is stored.

Usage: disk_cache.py save DIRECTORY FILE, or disk_cache.py load DIRECTORY
"""

import sys
from pathlib import Path

import diskcache

with diskcache.Cache(sys.argv[2]) as cache:
    if sys.argv[1] == "save":
        cache["salons"] = Path(sys.argv[3]).read_bytes()
    else:
        sys.stdout.buffer.write(cache["salons"])
