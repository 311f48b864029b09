"""JSON made invalid by control characters, mended while it is read and counted."""

from __future__ import annotations

import io
import re
from typing import BinaryIO

_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r")) + b"\x7f"
# Telegram writes `\x0B`, which JSON does not know. Pairs of backslashes are passed over whole.
_ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|.)", re.DOTALL)
_TAIL = re.compile(rb"x[0-9A-Fa-f]?")
_LINE_ENDS = {b"0B": b"\\n", b"0C": b"\\n"}
_BLOCK = 1 << 16


class Mended(io.RawIOBase):
    """Be a stream without control characters, raw or escaped as only C knows it.

    `count` says how many were taken out (vertical tabs and form feeds become line ends).
    """

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream
        self._held = b""
        self.count = 0

    def readable(self) -> bool:
        """Tell that this is for reading."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return about so many bytes; none at the end only."""
        out = b""
        while not out:
            data = self._stream.read(max(size, _BLOCK))
            whole = self._held + data
            end = len(whole) - _unfinished(whole) if data else len(whole)
            out, self._held = self._mend(whole[:end]), whole[end:]
            if not data:
                break
        return out

    def _mend(self, data: bytes) -> bytes:
        clean = data.translate(None, _CONTROLS)
        self.count += len(data) - len(clean)
        return _ESCAPE.sub(self._escape, clean) if b"\\x" in clean else clean

    def _escape(self, found: re.Match[bytes]) -> bytes:
        if found[1] is None:
            return found[0]
        self.count += 1
        return _LINE_ENDS.get(found[1].upper(), b"")

    def close(self) -> None:
        """Close the stream that is mended."""
        self._stream.close()
        super().close()


def _unfinished(data: bytes) -> int:
    """Return how many of the last bytes begin an escape that the next block may finish."""
    for length in range(3):
        start = len(data) - length
        if start > 0 and data[start - 1 : start] == b"\\":
            run = start - len(data[:start].rstrip(b"\\"))
            open_escape = run % 2 == 1 and (not length or _TAIL.fullmatch(data, start))
            return length + 1 if open_escape else 0
    return 0
