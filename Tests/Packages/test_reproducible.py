import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_packages_of_the_same_programs_are_identical_wherever_they_are_written(dist, tmp_path):
    build = Path(os.environ.get("BUILD", ROOT / ".build")) / "packages"
    work = tmp_path / "different directory"
    shutil.copytree(build / "installed", work / "installed", symlinks=True)
    # The files of a new clone have different times.
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    shutil.copytree(ROOT / "bin", clone / "bin")
    time = subprocess.run(
        ["git", "-C", ROOT, "log", "-1", "--format=%ct"], check=True, capture_output=True, text=True
    ).stdout.strip()
    variables = os.environ | {"SOURCE_DATE_EPOCH": time, "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    subprocess.run(
        [sys.executable, "-B", clone / "Tools/Packaging/packages.py", work, tmp_path / "dist"],
        check=True, capture_output=True, env=variables, umask=0o077,
    )
    names = sorted(path.name for path in dist.iterdir())
    assert sorted(path.name for path in (tmp_path / "dist").iterdir()) == names
    different = [name for name in names if (dist / name).read_bytes() != (tmp_path / "dist" / name).read_bytes()]
    assert different == []
