"""What was dropped, as one list of readable files: a file, a folder, a zip or a tar, opened in place."""

from __future__ import annotations

import os
import stat
import threading
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, BinaryIO, Self

from clone_app.entries import ImportProblem, Skipped
from clone_app.errors import ArchiveError, CloneAppError
from clone_app.importers.member import (
    Base,
    FileMember,
    Heads,
    Limits,
    TreeMember,
    Window,
    same_folder,
    set_aside,
    shown,
)
from clone_app.importers.tarred import Tar, TarMember, looks_like_tar
from clone_app.importers.zipped import Refused, ZipMember, damaged, open_zip, sift

_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_TAR_ENDINGS = (".tar", ".tar.gz", ".tgz")
# Archives under other names: notebooks of Bear and Joplin, notes with their pictures (TextBundle).
_ENDINGS = (".zip", *_TAR_ENDINGS, ".bear2bk", ".bearbk", ".textpack", ".jex")
_PACKED_STARTS = (b"\x1f\x8b", b"BZh", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\xfd7zXZ\x00")
_PAGE = (b"<!", b"<html", b"<HTML")
# What browsers and this program's own downloads are called until they are complete.
UNFINISHED = (".crdownload", ".part", ".partial", ".download", ".opdownload")
_HALF = "a download that is not finished; wait until it is, or download it again, and choose that"
_UNREADABLE = "can't be read ({why}). Check that you may read it, or copy it somewhere else first."


class Tree:
    """Hold the readable files below what was dropped, in a stable order, and what was refused.

    Files within archives are streamed from where they lie. Use it as a context, or close it, since
    an archive stays open while its members are read.
    """

    def __init__(self, root: Path, *, limits: Limits, leaving_out: Path | None = None) -> None:
        self.root = root
        self._leaving_out = leaving_out
        self.name = shown(root.name or str(root))
        self.is_folder = False
        self._limits = limits
        self._heads = Heads(limits.heads_bytes)
        self._members: dict[str, TreeMember] = {}
        self._problems: list[ImportProblem] = []
        self._skipped: list[Skipped] = []
        self._aside: set[str] = set()
        self._total = self._listed = 0
        self._held = limits.held_bytes
        self._archives: list[zipfile.ZipFile] = []
        self._files: list[BinaryIO] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the archives; their members can't be opened afterwards."""
        for archive in reversed(self._archives):
            archive.close()
        for file in self._files:
            file.close()

    def members(self) -> tuple[TreeMember, ...]:
        """Return the readable files, sorted by path."""
        return tuple(self._members[path] for path in sorted(self._members))

    @property
    def problems(self) -> tuple[ImportProblem, ...]:
        """Return what was refused, in the order it was met."""
        return tuple(self._problems)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Return what nobody would import, in the order it was met."""
        return tuple(self._skipped)

    def gather(self) -> None:
        """List what lies below the root; raise `CloneAppError` where that can't be read at all."""
        if self._leaving_out is not None and _within(self.root, self._leaving_out):
            raise CloneAppError(
                f"“{self.name}” belongs to this program's own memory. Choose what you wrote instead."
            )
        try:
            mode = self.root.stat().st_mode
        except (FileNotFoundError, NotADirectoryError) as fault:
            raise CloneAppError(
                f"There is nothing at “{shown(str(self.root))}”. Check the name and choose again."
            ) from fault
        except (OSError, ValueError) as fault:
            raise self._unreadable(fault) from fault
        if stat.S_ISDIR(mode):
            self.is_folder = True
            self._folder()
        elif stat.S_ISREG(mode):
            self._lone_file()
        else:
            raise CloneAppError(
                f"“{self.name}” is neither a file nor a folder. Choose one of these instead."
            )

    def _unreadable(self, fault: OSError | ValueError) -> CloneAppError:
        why = getattr(fault, "strerror", None) or str(fault)
        return CloneAppError(f"“{self.name}” {_UNREADABLE.format(why=why)}")

    def _lone_file(self) -> None:
        try:
            size = self.root.stat().st_size
            with self.root.open("rb") as stream:
                start = stream.read(1024)
        except OSError as fault:
            raise self._unreadable(fault) from fault
        ending = self.root.name.lower()
        if ending.endswith(UNFINISHED):
            raise CloneAppError(f"“{self.name}” is {_HALF}.")
        if _is_archive(start) or ending.endswith(".zip"):
            if not size:
                raise CloneAppError(f"“{self.name}” is empty. Download or export it again.")
            base = self._open_base(self.root)
            self._archive(base, size, prefix="", locator=self.name, depth=1)
        elif start.startswith(_PACKED_STARTS) or ending.endswith(_TAR_ENDINGS):
            raise ArchiveError(
                f"“{self.name}” is packed in a way this program does not open. "
                "Unpack it and choose the folder."
            )
        else:
            self._add(FileMember(self.root, self.name, size=size, heads=self._heads))

    def _open_base(self, file: Path) -> Base:
        stream = file.open("rb")
        self._files.append(stream)
        return Base(stream, threading.Lock(), 0)

    def _folder(self) -> None:
        top = self.root.resolve()
        waiting: list[tuple[Path, tuple[str, ...]]] = [(self.root, ())]
        while waiting:
            folder, parts = waiting.pop()
            try:
                with os.scandir(folder) as scan:
                    entries = sorted(scan, key=lambda entry: entry.name)
            except OSError as fault:
                if not parts:
                    raise self._unreadable(fault) from fault
                self._problem("/".join(parts), f"can't be read ({fault.strerror})")
                continue
            for entry in entries:
                self._entry(entry, (*parts, shown(entry.name)), top=top, waiting=waiting)

    def _entry(
        self,
        entry: os.DirEntry[str],
        parts: tuple[str, ...],
        *,
        top: Path,
        waiting: list[tuple[Path, tuple[str, ...]]],
    ) -> None:
        path = "/".join(parts)
        below = path[: len(path) - len(parts[-1])]
        try:
            if entry.is_symlink():
                self._link(Path(entry.path), path, top)
                return
            if entry.is_dir():
                if same_folder(entry.path, self._leaving_out):
                    self._skipped.append(Skipped(path, "this program's own memory"))
                    return
                # A Maildir++ folder is hidden by its name alone: what it holds decides.
                within = "cur" if _is_maildir(entry) else ""
                if self._kept((parts[-1], within), below=below):
                    waiting.append((Path(entry.path), parts))
                return
            about = entry.stat()
        except OSError as fault:
            self._problem(path, f"can't be read ({fault.strerror})")
            return
        if not self._kept(parts[-1:], below=below):
            return
        if not stat.S_ISREG(about.st_mode):
            self._skipped.append(Skipped(path, "no ordinary file"))
            return
        file = Path(entry.path)
        member = FileMember(file, path, size=about.st_size, heads=self._heads)
        if path.lower().endswith(UNFINISHED):
            self._problem(path, f"is {_HALF}")
        elif path.lower().endswith(_ENDINGS) and _is_archive(member.head()):
            if len(self._files) >= self._limits.archives:
                self._problem(path, "is one archive too many for one import; choose it by itself")
                return
            try:
                base = self._open_base(file)
                self._archive(base, about.st_size, prefix=f"{path}/", locator=path, depth=1)
            except ArchiveError as fault:
                self._problem(path, str(fault))
            except OSError as fault:
                self._problem(path, f"can't be read ({fault.strerror})")
        else:
            self._add(member)

    def _link(self, link: Path, path: str, top: Path) -> None:
        try:
            target = link.resolve(strict=True)
        except (OSError, RuntimeError):  # gone, or a circle
            self._problem(path, "is a link that leads nowhere")
            return
        if target.is_relative_to(top):
            self._skipped.append(Skipped(path, "a link to something that is read in its own place"))
        else:
            self._problem(path, "is a link that leads outside what was chosen; put a copy there")

    def _archive(self, base: Base, length: int, *, prefix: str, locator: str, depth: int) -> None:
        """List an archive; whatever is wrong with one member never stops the others."""
        found_in, make = self._listing(base, length, locator)
        for found in found_in:
            self._listed += 1
            if self._listed > self._limits.count:
                self._problem(locator, f"lists more than {self._limits.count:,} files; unpack it")
                return
            if isinstance(found, Refused):
                self._problem(f"{locator}!{found.name}".removesuffix("!"), found.reason)
                continue
            name, entry = found
            if not self._kept(PurePosixPath(name).parts, below=prefix):
                continue
            member = make(entry, path=prefix + name, locator=f"{locator}!{name}", heads=self._heads)
            if self._total + member.size > self._limits.total_bytes:
                self._problem(member.locator, "would be too much together with the files before it")
            elif name.lower().endswith(_ENDINGS):
                self._inner(member, depth=depth)
            else:
                self._total += member.size
                self._add(member)

    def _listing(
        self, base: Base, length: int, locator: str
    ) -> tuple[Iterator[tuple[str, Any] | Refused], Callable[..., ZipMember | TarMember]]:
        """Return the files of a zip or tar as they are listed, and what makes members of them."""
        window = Window(base.file, base.lock, start=base.start, length=length)
        start = window.read(512)
        if start.startswith(_PAGE):
            raise ArchiveError(
                f"“{locator}” is a web page and no archive: the download had failed. Sign in and "
                "download it again."
            )
        if looks_like_tar(start):
            tar = Tar(base, length, name=locator, limits=self._limits)
            return tar.sift(self._heads), partial(TarMember, base=tar.base, packed=tar.packed)
        archive = open_zip(base, length, name=locator, limits=self._limits)
        self._archives.append(archive)
        return sift(archive, self._limits), partial(ZipMember, archive, base=base)

    def _inner(self, member: ZipMember | TarMember, *, depth: int) -> None:
        if depth >= self._limits.depth:
            self._problem(member.locator, "lies in too many archives within archives; unpack them")
            return
        try:
            base, held = member.inner(room=self._held)
            self._held -= held
            self._archive(
                base, member.size, prefix=f"{member.path}/",
                locator=member.locator, depth=depth + 1,
            )  # fmt: skip
        except ArchiveError as fault:
            self._problem(member.locator, str(fault))
        except RecursionError as fault:
            self._problem(member.locator, str(damaged(member.locator, fault)))

    def _kept(self, parts: tuple[str, ...], *, below: str = "") -> bool:
        aside = set_aside(parts)
        if aside is None:
            return True
        path, reason = below + aside[0], aside[1]
        if reason and path not in self._aside:
            self._aside.add(path)
            self._skipped.append(Skipped(path, reason))
        return False

    def _add(self, member: TreeMember) -> None:
        if member.path in self._members:
            self._problem(member.locator, "has the same name as another file")
        else:
            self._members[member.path] = member

    def _problem(self, locator: str, reason: str) -> None:
        self._problems.append(ImportProblem(locator, reason))


def _is_archive(start: bytes) -> bool:
    return start.startswith(_ZIP_STARTS) or looks_like_tar(start)


def _within(path: Path, folder: Path) -> bool:
    try:
        return folder.is_dir() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # what can't be looked at is refused by its reason
        return False


def _is_maildir(entry: os.DirEntry[str]) -> bool:
    return entry.name.startswith(".") and Path(entry.path, "cur").is_dir()


def open_tree(path: Path, *, limits: Limits | None = None, leaving_out: Path | None = None) -> Tree:
    """List a file, a folder, a zip or a tar; raise `CloneAppError` with a next step where that can't be.

    Archives within a folder or an archive are opened too, to a small depth, and nothing is ever unpacked to
    disk. What is refused (links that lead out, names that climb, bombs, encrypted members) is in
    the tree's `problems`. A folder `leaving_out`, the profile, is one skipped entry.
    """
    tree = Tree(path, limits=limits or Limits(), leaving_out=leaving_out)
    try:
        tree.gather()
    except BaseException:
        tree.close()
        raise
    return tree
