"""The license of the programs, and the licenses of the libraries that are linked into them
statically."""

import os
import shutil
from pathlib import Path

from components import Component
from release import ROOT

# The libraries, by the Debian package that has their license.
STATIC = {"libsodium": "libsodium-dev", "xxHash": "libxxhash-dev"}


def license_text(apache=None):
    """The texts. `apache` is the path of the Apache License on a system that has it."""
    parts = {"NovaBlend": (ROOT / "LICENSE").read_text(), "Swift runtime and standard library": swift(apache)}
    parts |= {name: Component.named(package).notice.decode() for name, package in STATIC.items()}
    return "\n\n".join(f"== {name}\n\n{text.strip()}" for name, text in parts.items()) + "\n"


def swift(apache):
    compiler = Path(os.path.realpath(shutil.which(os.environ.get("SWIFT", "swift"))))
    text = (compiler.parents[1] / "share/swift/LICENSE.txt").read_text()
    if not apache:
        return text
    exception = text.partition("## Runtime Library Exception")[2]
    return (
        "Copyright Apple Inc. and the Swift project authors. Licensed under the Apache License 2.0,\n"
        f"which is in {apache}, with this Runtime Library Exception{exception}"
    )
