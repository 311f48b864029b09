"""Tar archives, plain or packed with gzip, read in place: listed once, streamed, never unpacked to disk."""

from __future__ import annotations

import io
import tarfile
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from clone_app.errors import ArchiveError
from clone_app.importers.member import (
    HEAD_BYTES,
    MIB,
    Base,
    Heads,
    Limits,
    TreeMember,
    Window,
    shown,
)
from clone_app.importers.zipped import FAULTS, Refused, Unpacking, clean_name, damaged, leads

GZIP = b"\x1f\x8b"
_BLOCK = 128 * 1024
# A name or an extended header longer than this was made to fill the memory.
_FIELD_LIMIT = MIB
_MARKS, _APART = 256, 8 * MIB
_MAGIC = slice(257, 262)
_FAULTS = (*FAULTS, tarfile.TarError)


def looks_like_tar(head: bytes) -> bool:
    """Tell whether these first bytes, unpacked if they are gzip's, begin a tar archive."""
    if head.startswith(GZIP):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, 1024)
        except zlib.error:
            return False
    return head[_MAGIC] == b"ustar"


class Gunzipped(io.RawIOBase):
    """Be what a gzip file holds, to seek in: marks are kept on the way, from which to go on.

    A mark is the state of the unpacking (some 50 kB). When there are many, every other one is
    dropped, so memory stays flat and going back costs a few megabytes of unpacking.
    """

    def __init__(self, packed: BinaryIO, *, most: int) -> None:
        super().__init__()
        self._packed, self._most = packed, most
        self._apart = _APART
        self._unpacker: Any = zlib.decompressobj(wbits=31)
        self._waiting, self._at = b"", 0
        self._marks: list[tuple[int, int, bytes, Any]] = [(0, 0, b"", self._unpacker.copy())]

    def readable(self) -> bool:
        """Tell that this is for reading."""
        return True

    def seekable(self) -> bool:
        """Tell that positions can be set."""
        return True

    def tell(self) -> int:
        """Return the position in the unpacked bytes."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Set the position, by unpacking up to it from the nearest mark before it."""
        if whence == io.SEEK_END:
            raise io.UnsupportedOperation("the end of a packed file is not known")
        offset += self._at if whence == io.SEEK_CUR else 0
        best = max(mark[0] for mark in self._marks if mark[0] <= offset)
        if offset < self._at or best > self._at:
            at, place, waiting, unpacker = next(mark for mark in self._marks if mark[0] == best)
            self._packed.seek(place)
            self._at, self._waiting, self._unpacker = at, waiting, unpacker.copy()
        while self._at < offset:
            if not self._unpack(min(_BLOCK, offset - self._at)):
                break
        return self._at

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer and return how many bytes came."""
        data = self._unpack(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _unpack(self, size: int) -> bytes:
        """Return the next bytes, at most so many; none at the end."""
        while size:
            if self._unpacker.eof:  # another packed piece may follow, which counts as one file
                left = self._unpacker.unused_data or self._packed.read(_BLOCK)
                if not left.startswith(GZIP):
                    return b""
                self._unpacker, self._waiting = zlib.decompressobj(wbits=31), left
            if not self._waiting:
                self._waiting = self._packed.read(_BLOCK)
            ended = not self._waiting
            data: bytes = self._unpacker.decompress(self._waiting, size)
            self._waiting = self._unpacker.unconsumed_tail
            if data:
                self._at += len(data)
                if self._at > self._most:
                    raise ArchiveError(
                        "would grow far beyond its packed size, and is not read from there on; "
                        "unpack it yourself and choose the folder"
                    )
                self._mark()
                return data
            if ended and not self._unpacker.eof:
                raise EOFError("it breaks off in the middle")
        return b""

    def _mark(self) -> None:
        if self._at - self._marks[-1][0] < self._apart or self._unpacker.eof:
            return
        here = (self._at, self._packed.tell(), self._waiting, self._unpacker.copy())
        self._marks.append(here)
        if len(self._marks) > _MARKS:
            self._marks = self._marks[::2]
            self._apart *= 2


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold where a file lies in the unpacked bytes, with its first bytes if they could be kept."""

    start: int
    size: int
    head: bytes | None


class TarMember(TreeMember):
    """Read a file of a tar archive as a stream."""

    __slots__ = ("_base", "_entry", "_packed")

    def __init__(
        self, entry: Entry, *, base: Base, packed: bool, path: str, locator: str, heads: Heads
    ) -> None:
        super().__init__(path, locator, size=entry.size, heads=heads)
        self._entry, self._base, self._packed = entry, base, packed
        self._head = entry.head

    def open(self) -> BinaryIO:
        """Open the file."""
        stretch = Window(
            self._base.file, self._base.lock,
            start=self._base.start + self._entry.start, length=self.size,
        )  # fmt: skip
        return io.BufferedReader(Unpacking(stretch, self.locator, length=self.size), _BLOCK)

    def inner(self, *, room: int) -> tuple[Base, int]:
        """Return the bytes of this file, an archive itself, to seek in, and how many are held."""
        if not self._packed:
            start = self._base.start + self._entry.start
            return Base(self._base.file, self._base.lock, start), 0
        return self.held(room)


class _Listing(io.RawIOBase):
    """Pass on what is read while an archive is listed, and refuse headers without measure."""

    def __init__(self, stream: Window | Gunzipped) -> None:
        super().__init__()
        self.stream = stream

    def tell(self) -> int:
        return self.stream.tell()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self.stream.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _FIELD_LIMIT:
            raise tarfile.ReadError("a header in it is larger than any")
        parts: list[bytes] = []
        while size and (data := self.stream.read(size)):
            parts.append(data)
            size -= len(data)
        return b"".join(parts)


class Tar:
    """List the files of a tar archive and make members of them."""

    def __init__(self, base: Base, length: int, *, name: str, limits: Limits) -> None:
        self._name, self._length, self._limits = name, length, limits
        window = Window(base.file, base.lock, start=base.start, length=length)
        start = window.read(512)
        window.seek(0)
        self.packed = start.startswith(GZIP)
        self._stream: Window | Gunzipped = window
        self.base = base
        if self.packed:
            most = min(limits.total_bytes, max(limits.ratio_from, length * limits.ratio))
            self._stream = Gunzipped(io.BufferedReader(window, _BLOCK), most=most)
            self.base = Base(cast("BinaryIO", self._stream), threading.Lock(), 0)

    def sift(self, heads: Heads) -> Iterator[tuple[str, Entry] | Refused]:
        """Yield each file under its clean name, or why it is refused, in stored order.

        Of files with one name the last counts, as it does for tar. What breaks off is told last,
        as a refusal of the whole.
        """
        files: dict[str, Entry] = {}
        broken = ""
        count = 0
        try:
            for info in self._infos():
                count += 1
                name = shown(info.name.replace("\\", "/"))
                if reason := _danger(info, name, self._limits):
                    yield Refused(shown(info.name), reason)
                    continue
                head = None
                if heads.keeps(min(info.size, HEAD_BYTES)):
                    self._stream.seek(info.offset_data)
                    head = _Listing(self._stream).read(min(info.size, HEAD_BYTES))
                if clean_name(name) in files:
                    yield Refused(name, "stands twice in the archive; the last one is read")
                files[clean_name(name)] = Entry(info.offset_data, info.size, head)
                if count > self._limits.count:
                    broken = f"lists more than {self._limits.count:,} files; unpack it"
                    break
        except (ArchiveError, *_FAULTS) as fault:
            said = fault if isinstance(fault, ArchiveError) else damaged(self._name, fault)
            broken = str(said)
            there = self._stream.tell() if self.packed else self._length
            if files:  # the last file met may lack its end
                name, entry = files.popitem()
                if there >= entry.start + entry.size:
                    files[name] = entry
        if broken and not files:
            raise ArchiveError(broken)
        yield from files.items()
        if broken:
            yield Refused("", broken)

    def _infos(self) -> Iterator[tarfile.TarInfo]:
        with tarfile.open(fileobj=_Listing(self._stream), mode="r:") as archive:
            while (info := archive.next()) is not None:
                archive.members = []  # type: ignore[attr-defined]  # each is kept otherwise
                if not info.isdir():
                    yield info
            # A damaged header ends the list without a word, as the zeros at the end do.
            self._stream.seek(archive.offset)
            if _Listing(self._stream).read(512).strip(b"\0"):
                raise tarfile.ReadError("a header in it is damaged")
            while self.packed and self._stream.read(_BLOCK):
                pass  # to the packed file's own checksum


def _danger(info: tarfile.TarInfo, name: str, limits: Limits) -> str:
    """Return why a file must not be read, nothing if it may."""
    if reason := leads(name):
        return reason
    if info.issym() or info.islnk():
        return "is a link"
    if not info.isreg() or info.issparse():
        return "is no ordinary file"
    if info.size > limits.member_bytes:
        return "is too large: unpack the archive and choose the folder"
    return ""
