"""CAR files: a header and one block after the other, each named by the hash of its bytes.

Read as a stream, a block at a time; libipld reads what is in a block. Form: ipld.io/specs/transport/car.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import libipld

from clone_app.protocols import Member

DAG_CBOR = 0x71
_SHA2_256 = 0x12
# The network allows a record two megabytes; what is larger is no record.
_BLOCK_LIMIT = 8_000_000
_NO_CAR = "is no CAR file, whatever its name says; download it again"
_BROKEN_OFF = "breaks off in the middle; download or copy it again"


class CarFault(Exception):  # noqa: N818 - becomes a listed problem; nobody sees it as an error
    """Say where a file stops being a CAR; what came before it has been read."""


@dataclass(frozen=True, slots=True)
class Block:
    """Hold one block: its name (a CID, binary), its bytes, and whether the name fits the bytes."""

    cid: bytes
    codec: int
    data: bytes
    intact: bool

    def value(self) -> Any:
        """Return what the block says, None where it is damaged or of no kind known here."""
        return _decoded(self.data) if self.intact and self.codec == DAG_CBOR else None


def root(head: bytes) -> bytes | None:
    """Return the name of the block a file starts from, by its first bytes; None for no CAR."""
    try:
        length, start = _varint(head, 0)
    except CarFault:
        return None
    about = _decoded(head[start : start + length])
    if not isinstance(about, dict) or about.get("version") != 1:
        return None
    roots = about.get("roots")
    first = roots[0] if isinstance(roots, list) and roots else b""
    return first if isinstance(first, bytes) else b""


def blocks(member: Member) -> Iterator[Block]:
    """Yield the blocks of a file in their order.

    Raises `CarFault` where it breaks off or is no CAR, `ArchiveError` where it can't be read.
    """
    with member.open() as stream:
        length = _length(stream)
        if length is None or length > _BLOCK_LIMIT:
            raise CarFault(_NO_CAR)
        _take(stream, length)
        while (length := _length(stream)) is not None:
            if length > _BLOCK_LIMIT:
                raise CarFault("holds a part larger than any post; the rest was not read")
            yield _block(_take(stream, length))


def _block(data: bytes) -> Block:
    if data[:2] == b"\x12\x20":  # the older form: a bare hash
        codec, kind, size, at = 0x70, _SHA2_256, 32, 2
    else:
        _, at = _varint(data, 0)
        codec, at = _varint(data, at)
        kind, at = _varint(data, at)
        size, at = _varint(data, at)
    if at + size > len(data):
        raise CarFault("is damaged from here on; download or copy it again")
    body = data[at + size :]
    intact = kind != _SHA2_256 or hashlib.sha256(body).digest() == data[at : at + size]
    return Block(data[: at + size], codec, body, intact)


def _decoded(data: bytes) -> Any:
    try:
        return libipld.decode_dag_cbor(data)
    except (ValueError, RecursionError, OverflowError):
        return None


def _length(stream: BinaryIO) -> int | None:
    """Return the length that stands before the next block, None at the end."""
    number = shift = 0
    while byte := stream.read(1):
        number |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return number
        shift += 7
        if shift > 63:
            raise CarFault(_NO_CAR)
    if shift:
        raise CarFault(_BROKEN_OFF)
    return None


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    for place in range(at, min(at + 9, len(data))):
        number |= (data[place] & 0x7F) << shift
        if data[place] < 0x80:
            return number, place + 1
        shift += 7
    raise CarFault(_NO_CAR)


def _take(stream: BinaryIO, length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise CarFault(_BROKEN_OFF)
    return data
