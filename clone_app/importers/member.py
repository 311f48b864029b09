"""One file of what was dropped, and the limits under which it is read."""

from __future__ import annotations

import io
import re
import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from clone_app.errors import ArchiveError

HEAD_BYTES = 4096
MIB = 1024**2
GIB = 1024**3

_LITTER = frozenset({".ds_store", "__macosx", "thumbs.db", "desktop.ini", ".localized", "icon\r"})
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Say how much of an archive is believed, so that none can fill the memory or the day.

    Text packs to a fifth or a tenth, a monotonous log to a fiftieth; `ratio` is far beyond and
    counts from `ratio_from` bytes on, since below that nothing can hurt. `archives` are
    open together, since each takes a file handle. `depth` counts archives within archives; those
    that are themselves packed are held in memory, `held_bytes` in all.
    """

    member_bytes: int = 16 * GIB
    total_bytes: int = 64 * GIB
    ratio: int = 200
    ratio_from: int = MIB
    count: int = 100_000
    archives: int = 200
    depth: int = 3
    held_bytes: int = 128 * MIB
    heads_bytes: int = 32 * MIB


class Heads:
    """Allow keeping heads until their budget is spent: a million files stay flat in memory."""

    __slots__ = ("_left",)

    def __init__(self, budget: int) -> None:
        self._left = budget

    def keeps(self, size: int) -> bool:
        """Tell whether a head of this size may be kept, and count it."""
        if size > self._left:
            return False
        self._left -= size
        return True


@dataclass(frozen=True, slots=True)
class Base:
    """Hold the seekable bytes an archive lies in, and from where on in the outermost file."""

    file: BinaryIO
    lock: threading.Lock
    start: int


class TreeMember(ABC):
    """Hold what files on disk and in archives have in common: names, size and the kept head."""

    __slots__ = ("_head", "_heads", "locator", "path", "size")

    def __init__(self, path: str, locator: str, *, size: int, heads: Heads) -> None:
        self.path = path
        self.locator = locator
        self.size = size
        self._heads = heads
        self._head: bytes | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.locator}>"

    def head(self) -> bytes:
        """Return the first 4 kB at most; nothing where the member can't be read at all."""
        if self._head is not None:
            return self._head
        try:
            with self.open() as stream:
                head = stream.read(HEAD_BYTES)
        except ArchiveError:
            head = b""
        if self._heads.keeps(len(head)):
            self._head = head
        return head

    @abstractmethod
    def open(self) -> BinaryIO:
        """Open for reading as a stream; raise `ArchiveError` for what can't be read safely."""

    def held(self, room: int) -> tuple[Base, int]:
        """Return this member's bytes in memory, to seek in, and how many they are.

        Raises `ArchiveError` where they don't fit into what is left of the `room`.
        """
        if self.size > room:
            raise ArchiveError(
                f"“{self.locator}” is packed within another archive and too large to look into. "
                "Unpack the outer one and choose the folder."
            )
        with self.open() as stream:
            data = stream.read(room + 1)
        return Base(io.BytesIO(data), threading.Lock(), 0), len(data)


class FileMember(TreeMember):
    """Read a file on disk."""

    __slots__ = ("_file",)

    def __init__(self, file: Path, path: str, *, size: int, heads: Heads) -> None:
        super().__init__(path, path, size=size, heads=heads)
        self._file = file

    def open(self) -> BinaryIO:
        """Open the file; one that vanished or is locked away raises `ArchiveError`."""
        try:
            return self._file.open("rb")
        except OSError as fault:
            raise ArchiveError(
                f"“{self.path}” can't be opened ({fault.strerror}). "
                "Check that you may read it, then import again."
            ) from fault


class Window(io.RawIOBase):
    """Read a stretch of a seekable file as a file of its own, beside other readers of it."""

    def __init__(self, base: BinaryIO, lock: threading.Lock, *, start: int, length: int) -> None:
        super().__init__()
        self._base, self._lock = base, lock
        self._start, self._length, self._at = start, length, 0

    def readable(self) -> bool:
        """Tell that this is for reading."""
        return True

    def seekable(self) -> bool:
        """Tell that positions can be set."""
        return True

    def tell(self) -> int:
        """Return the position within the stretch."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Set the position within the stretch."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._length}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer from the stretch and return how many bytes came."""
        wanted = min(len(buffer), max(0, self._length - self._at))
        with self._lock:
            self._base.seek(self._start + self._at)
            data = self._base.read(wanted)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def shown(name: str) -> str:
    """Return a file's name as it can be stored and shown: no control signs, no lone surrogates."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raw = name.encode("utf-8", "surrogateescape")
        try:
            name = raw.decode("cp1252")
        except UnicodeDecodeError:
            name = raw.decode("utf-8", "replace")
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", name)


def same_folder(path: str, folder: Path | None) -> bool:
    """Tell whether a path leads to the folder, however its name is written."""
    try:
        return folder is not None and folder.samefile(path)
    except OSError:  # the folder isn't there yet, or one of them can't be looked at
        return False


def set_aside(parts: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the path set aside and why, None for a path to be read; no reason where nobody asks.

    Litter of the operating system and hidden files go without a word, hidden folders with one. A
    Maildir++ folder is called `.Sent` and is no hidden one: it holds `cur` or `new`.
    """
    for depth, part in enumerate(parts):
        if part.casefold() in _LITTER or part.startswith("._"):
            return "/".join(parts[: depth + 1]), ""
        if part.startswith("."):
            last = depth == len(parts) - 1
            if not last and parts[depth + 1] in {"cur", "new", "tmp"}:
                continue
            return "/".join(parts[: depth + 1]), "" if last else "a hidden folder"
    return None
