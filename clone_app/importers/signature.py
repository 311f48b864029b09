"""Tell cheaply whether files have changed: by their paths, sizes and times, without opening one."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from clone_app.errors import CloneAppError
from clone_app.importers.member import same_folder, set_aside


def signature(path: Path, *, leaving_out: Path | None = None) -> str:
    """Return what stays the same while nothing below a path is written, added, renamed or deleted.

    Files that an import would set aside (hidden ones, the system's litter) don't count: editors keep
    their state in them. Nor does the folder `leaving_out`, the profile. Raises `CloneAppError` where
    the path itself isn't there.
    """
    try:
        mode = path.stat().st_mode
        digest = hashlib.sha256()
        lines = (
            _below(path, (), leaving_out) if stat.S_ISDIR(mode) else [_line(path.name, path.stat())]
        )
        for line in sorted(lines):
            digest.update(line.encode("utf-8", "surrogateescape"))
    except OSError as fault:
        raise CloneAppError(
            f"{path} can't be looked at ({fault.strerror}). Put it back where it was, connect its "
            "disk, or stop watching it; nothing was removed from your memory."
        ) from fault
    return digest.hexdigest()[:32]


def _below(folder: Path, parts: tuple[str, ...], leaving_out: Path | None) -> Iterator[str]:
    with os.scandir(folder) as scan:
        for entry in scan:
            here = (*parts, entry.name)
            try:
                if entry.is_dir(follow_symlinks=False):
                    if same_folder(entry.path, leaving_out):
                        continue
                    # A Maildir++ folder is hidden by its name alone.
                    inside = "cur" if Path(entry.path, "cur").is_dir() else "x"
                    if set_aside((entry.name, inside)) is None:
                        yield from _below(Path(entry.path), here, leaving_out)
                elif set_aside((entry.name,)) is None:
                    yield _line("/".join(here), entry.stat(follow_symlinks=False))
            except OSError:  # gone while we looked, or not ours to read: the import will say so
                continue


def _line(name: str, about: os.stat_result) -> str:
    return f"{name}\0{about.st_size}\0{about.st_mtime_ns}\n"
