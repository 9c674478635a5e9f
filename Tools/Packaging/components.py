"""Debian's packages whose files a release contains: their versions, licenses, and notices."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

# The licenses as SPDX expressions. Most of the packages state theirs only as text.
LICENSES = {
    "ca-certificates": "MPL-2.0",
    "libc6": "LGPL-2.1-or-later",
    "libcom-err2": "MIT",
    "libffi8": "MIT",
    "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgmp10": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libgnutls30": "LGPL-2.1-or-later",
    "libgssapi-krb5-2": "MIT",
    "libhogweed6": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libidn2-0": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libk5crypto3": "MIT",
    "libkeyutils1": "LGPL-2.1-or-later",
    "libkrb5-3": "MIT",
    "libkrb5support0": "MIT",
    "libldap-2.5-0": "OLDAP-2.8",
    "libmicrohttpd12": "LGPL-2.1-or-later",
    "libnettle8": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libp11-kit0": "BSD-3-Clause",
    "libpq5": "PostgreSQL",
    "libsasl2-2": "BSD-3-Clause-Attribution",
    "libsimdjson14": "Apache-2.0",
    "libsodium-dev": "ISC",
    "libsqlite3-0": "blessing",
    "libssl3": "Apache-2.0",
    "libstdc++6": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libtasn1-6": "LGPL-2.1-or-later",
    "libunistring2": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libxxhash-dev": "BSD-2-Clause",
    "tzdata": "LicenseRef-public-domain",
}


@dataclass(frozen=True, order=True)
class Component:
    package: str
    version: str

    @staticmethod
    def named(package):
        return Component(package, query("dpkg-query", "--show", "--showformat=${Version}", f"{package}"))

    @staticmethod
    def owning(path):
        """The package that installed a file."""
        path = path.resolve()
        # A package can name a file in /lib that is now in /usr/lib.
        for name in [path, Path("/") / path.relative_to("/usr")]:
            result = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
            if result.returncode == 0:
                return Component.named(result.stdout.split(":")[0])
        raise SystemExit(f"{path} is not part of a Debian package")

    @property
    def license(self):
        if self.package not in LICENSES:
            raise SystemExit(f"state the license of {self.package} in {__file__}")
        return LICENSES[self.package]

    @property
    def notice(self):
        """The text with the copyright and the license."""
        return Path(f"/usr/share/doc/{self.package}/copyright").read_bytes()


def query(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
