"""What the release is called, and where it comes from."""

import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Release:
    version: str
    # The id of the commit.
    commit: str
    # The time of the commit in seconds since 1970, which is the time of all files in the packages.
    time: int

    @property
    def date(self):
        """The time of the commit, such as 2026-11-26T18:00:00Z."""
        return datetime.fromtimestamp(self.time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    @staticmethod
    def current():
        return Release(
            version=(ROOT / "VERSION").read_text().strip(),
            commit=git("rev-parse", "HEAD"),
            time=int(os.environ["SOURCE_DATE_EPOCH"]),
        )


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def readme(file, **values):
    """The text of a README in this directory, with values and with what the programs need."""
    directory = ROOT / "Tools/Packaging"
    requirements = (directory / "requirements.md").read_text()
    return (directory / file).read_text().format(requirements=requirements, **values)
