"""A FastMCP server that lists salons. It reads the file once, and each call returns a slice."""

import json
import sys
from pathlib import Path

from fastmcp import FastMCP

SALONS = json.loads(Path(sys.argv[1]).read_text())["salons"]
server = FastMCP("salons")


@server.tool
def salons_list(limit: int = 20) -> dict:
    """Lists salons."""
    return {"salons": SALONS[:limit], "total": len(SALONS)}


server.run(show_banner=False)
