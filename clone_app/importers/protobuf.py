"""The wire format of Protocol Buffers, as much as reading a message by its fields' numbers takes."""

from __future__ import annotations

from collections.abc import Iterator

Value = int | bytes
_MOST = 500_000
_WIDTHS = {1: 8, 5: 4}


class WireFault(ValueError):  # noqa: N818 - becomes a listed problem; nobody sees it as an error
    """Say that bytes are no message."""


def fields(data: bytes) -> Iterator[tuple[int, Value]]:
    """Yield number and value of each field in turn: whole numbers, or bytes of any other kind.

    Raises `WireFault` where the bytes stop being a message.
    """
    at, end, count = 0, len(data), 0
    while at < end:
        tag, at = _varint(data, at)
        number, kind = tag >> 3, tag & 7
        count += 1
        if not number or count > _MOST:
            raise WireFault("no field, or more of them than any message has")
        if kind == 0:
            value, at = _varint(data, at)
            yield number, value
            continue
        if kind == 2:
            length, at = _varint(data, at)
        elif kind in _WIDTHS:
            length = _WIDTHS[kind]
        else:
            raise WireFault("a field of an unknown kind")
        if length > end - at:
            raise WireFault("a field that goes on behind the end")
        yield number, data[at : at + length]
        at += length


def first(data: bytes, *way: int) -> bytes:
    """Return the bytes at the end of a way of field numbers, the first of each; none where it ends."""
    for wanted in way:
        data = next(
            (
                value
                for number, value in fields(data)
                if number == wanted and isinstance(value, bytes)
            ),
            b"",
        )
    return data


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise WireFault("a number without end")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise WireFault("a number without end")
