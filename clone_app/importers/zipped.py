"""Zip archives read in place: members are listed, judged and streamed, never unpacked to disk."""

from __future__ import annotations

import io
import itertools
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from clone_app.errors import ArchiveError
from clone_app.importers.member import Base, Heads, Limits, TreeMember, Window, shown

_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x07"
_BUFFER = 128 * 1024
_DRIVE = re.compile(r"^[A-Za-z]:")
_UTF8_FLAG, _ENCRYPTED = 0x800, 0x41
FAULTS = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, NotImplementedError, OSError,
    OverflowError, RuntimeError, ValueError, struct.error,
)  # fmt: skip


class Unpacking(io.RawIOBase):
    """Turn whatever goes wrong while unpacking into one sentence that names the member."""

    def __init__(self, packed: zipfile.ZipExtFile | Window, locator: str, *, length: int) -> None:
        super().__init__()
        self._packed, self._locator, self._length = packed, locator, length

    def readable(self) -> bool:
        """Tell that this is for reading."""
        return True

    def seekable(self) -> bool:
        """Tell whether positions can be set."""
        return self._packed.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Set the position."""
        try:
            return self._packed.seek(offset, whence)
        except FAULTS as fault:
            raise damaged(self._locator, fault) from fault

    def tell(self) -> int:
        """Return the position."""
        return self._packed.tell()

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer and return how many bytes came; too few in all are a fault."""
        try:
            data = self._packed.read(len(buffer)) or b""
            if not data and len(buffer) and self._packed.tell() < self._length:
                raise EOFError("it breaks off in the middle")
        except FAULTS as fault:
            raise damaged(self._locator, fault) from fault
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close what is unpacked."""
        self._packed.close()
        super().close()


class ZipMember(TreeMember):
    """Read a member of a zip as a stream."""

    __slots__ = ("_archive", "_base", "_info")

    def __init__(
        self,
        archive: zipfile.ZipFile,
        info: zipfile.ZipInfo,
        *,
        base: Base,
        path: str,
        locator: str,
        heads: Heads,
    ) -> None:
        super().__init__(path, locator, size=info.file_size, heads=heads)
        self._archive, self._info, self._base = archive, info, base

    def open(self) -> BinaryIO:
        """Open the member; its checksum is compared when its end is read."""
        try:
            packed = self._archive.open(self._info)
        except FAULTS as fault:
            raise damaged(self.locator, fault) from fault
        assert isinstance(packed, zipfile.ZipExtFile)
        return io.BufferedReader(Unpacking(packed, self.locator, length=self.size), _BUFFER)

    def inner(self, *, room: int) -> tuple[Base, int]:
        """Return the bytes of this member, an archive itself, to seek in, and how many are held.

        A stored one is read where it lies; a packed one has to be held, so it must be small.
        """
        if self._info.compress_type == zipfile.ZIP_STORED:
            return Base(self._base.file, self._base.lock, self._base.start + self._data_start()), 0
        return self.held(room)

    def _data_start(self) -> int:
        with self._base.lock:
            self._base.file.seek(self._base.start + self._info.header_offset)
            header = self._base.file.read(30)
        if len(header) < 30 or not header.startswith(b"PK\x03\x04"):
            raise damaged(self.locator, zipfile.BadZipFile("its header is missing"))
        name, extra = struct.unpack("<HH", header[26:30])
        return int(self._info.header_offset) + 30 + int(name) + int(extra)


@dataclass(frozen=True, slots=True)
class Refused:
    """Name a member that is not read, and why."""

    name: str
    reason: str


def damaged(name: str, fault: BaseException) -> ArchiveError:
    """Return the error for bytes that are not what they should be."""
    text = str(fault).rstrip(".")
    if "password" in text:
        return ArchiveError(
            f"“{name}” is encrypted. Unpack the archive with its password and choose the folder."
        )
    if "Bad CRC" in text:
        text = "its checksum is wrong"
    return ArchiveError(
        f"“{name}” is damaged or incomplete ({text or type(fault).__name__}). "
        "Download or copy it again."
    )


def open_zip(base: Base, length: int, *, name: str, limits: Limits) -> zipfile.ZipFile:
    """Open the archive in a stretch of bytes; raise `ArchiveError` where there is none."""
    window = io.BufferedReader(
        Window(base.file, base.lock, start=base.start, length=length), _BUFFER
    )
    try:
        count, directory = _declared(window, length)
        if count > limits.count or directory > limits.count * 512:
            raise ArchiveError(
                f"“{name}” lists more than {limits.count:,} files. Unpack it and choose the folder."
            )
        return zipfile.ZipFile(window)
    except FAULTS as fault:
        raise damaged(name, fault) from fault


def _declared(stream: BinaryIO, length: int) -> tuple[int, int]:
    """Return how many members, and how many bytes of directory, the archive's end declares.

    Looked at before the standard library reads the whole directory into memory.
    """
    tail_start = max(0, length - 65_557)
    stream.seek(tail_start)
    tail = stream.read(65_557)
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        raise zipfile.BadZipFile("its end is missing")
    count, directory = struct.unpack("<HI", tail[at + 10 : at + 16])
    locator = tail[at - 20 : at] if at >= 20 else b""
    if locator.startswith(_END_64):
        stream.seek(struct.unpack("<Q", locator[8:16])[0])
        record = stream.read(56)
        if len(record) == 56:
            count, directory = struct.unpack("<QQ", record[32:48])
    return int(count), int(directory)


def sift(
    archive: zipfile.ZipFile, limits: Limits
) -> Iterator[tuple[str, zipfile.ZipInfo] | Refused]:
    """Yield each file of an archive under its clean name, or why it is refused, in stored order."""
    infos = [info for info in archive.infolist() if not info.is_dir()]
    copies = Counter(_name(info) for info in infos)
    overlapping = _overlapping(infos)
    for info in infos:
        name = _name(info)
        copies[name] -= 1
        reason = _danger(info, limits)
        if not reason and copies[name]:
            reason = "stands twice in the archive; the last one is read"
        if not reason and info.header_offset in overlapping:
            reason = "shares its bytes with another file, as only an archive made to harm does"
        if reason:
            yield Refused(shown(info.orig_filename), reason)
        else:
            yield clean_name(name), info


def _name(info: zipfile.ZipInfo) -> str:
    name = info.filename
    if not info.flag_bits & _UTF8_FLAG:
        try:  # many programs write UTF-8 and forget to say so
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = info.filename
    return shown(name.replace("\\", "/"))


def clean_name(name: str) -> str:
    """Return a name of parts with one `/` between them."""
    return "/".join(part for part in name.split("/") if part not in {"", "."})


def leads(name: str) -> str:
    """Return where a name within an archive leads that it must not, nothing for a right one."""
    if name.startswith("//"):
        return "names a place on another computer"
    if name.startswith("/"):
        return "names an absolute place"
    if _DRIVE.match(name):
        return "names a place on a drive"
    if ".." in name.split("/"):
        return "leads outside the archive"
    if "\x00" in name or not name.strip("/. "):
        return "has a name no file can have"
    return ""


def _danger(info: zipfile.ZipInfo, limits: Limits) -> str:
    """Return why a member must not be read, nothing if it may."""
    name = info.orig_filename.replace("\\", "/")
    kind = stat.S_IFMT(info.external_attr >> 16)
    reason = leads(name)
    if reason:
        return reason
    if kind == stat.S_IFLNK:
        reason = "is a link"
    elif kind not in {0, stat.S_IFREG}:
        reason = "is no ordinary file"
    elif info.flag_bits & _ENCRYPTED:
        reason = "is encrypted: unpack the archive with its password and choose the folder"
    elif info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        reason = "is packed in an unusual way: unpack the archive and choose the folder"
    elif info.file_size > limits.member_bytes:
        reason = "is too large: unpack the archive and choose the folder"
    elif info.file_size > max(limits.ratio_from, info.compress_size * limits.ratio):
        reason = (
            f"would grow to {info.file_size // max(1, info.compress_size)} times its packed size"
        )
    return reason


def _overlapping(infos: list[zipfile.ZipInfo]) -> frozenset[int]:
    """Return where members start that reach into the next one: the trick of the densest bombs."""
    ordered = sorted(infos, key=lambda info: info.header_offset)
    found: set[int] = set()
    for one, following in itertools.pairwise(ordered):
        if one.header_offset + 30 + one.compress_size > following.header_offset:
            found.update((one.header_offset, following.header_offset))
    return frozenset(found)
