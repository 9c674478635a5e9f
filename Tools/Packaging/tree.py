"""A tree of files in a tar archive."""

import io
import tarfile
from pathlib import Path


class Tree:
    """Adds entries to an archive, all with the same time, and with the directories that they are
    in."""

    def __init__(self, archive, time):
        self._archive, self._time, self._directories = archive, time, {"."}

    def file(self, name, content, mode=0o644):
        entry = self._entry(name, tarfile.REGTYPE, mode)
        entry.size = len(content)
        self._archive.addfile(entry, io.BytesIO(content))

    def link(self, name, target):
        entry = self._entry(name, tarfile.SYMTYPE, 0o777)
        entry.linkname = target
        self._archive.addfile(entry)

    def directory(self, name, mode=0o755, owner=0):
        if name not in self._directories:
            entry = self._entry(name, tarfile.DIRTYPE, mode)
            entry.uid = entry.gid = owner
            self._archive.addfile(entry)
            self._directories.add(name)

    def copy(self, directory, without):
        """Adds a directory of this machine under its own name, without some of the names in it."""
        for path in sorted(directory.rglob("*")):
            name = path.relative_to("/").as_posix()
            if path.relative_to(directory).parts[0] in without:
                continue
            if path.is_symlink():
                self.link(name, str(path.readlink()))
            elif path.is_file():
                self.file(name, path.read_bytes())

    def _entry(self, name, kind, mode):
        self.directory(Path(name).parent.as_posix())
        entry = tarfile.TarInfo(name)
        entry.type, entry.mode, entry.mtime = kind, mode, self._time
        return entry
