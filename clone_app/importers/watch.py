"""Members that tell how far they have been read, so that progress is known from outside."""

from __future__ import annotations

import io
from typing import BinaryIO

from clone_app.protocols import Member

_BUFFER = 128 * 1024


class Watch:
    """Know which members were opened, which one last, and how many bytes are behind."""

    def __init__(self) -> None:
        self.opened: set[str] = set()
        self.last: Member | None = None
        self._before = self._at = 0

    def begin(self, member: Member) -> None:
        """Note that a member is opened; opening it again begins nothing new."""
        if member.path in self.opened:
            return
        if self.last is not None:
            self._before += self.last.size
        self.opened.add(member.path)
        self.last, self._at = member, 0

    def reached(self, member: Member, position: int) -> None:
        """Note a position within a member."""
        if self.last is not None and member.path == self.last.path:
            self._at = max(self._at, min(position, member.size))

    @property
    def done(self) -> int:
        """Return how many bytes have been read, each counted once."""
        return self._before + self._at


class Watched:
    """Be a member whose reading is watched."""

    __slots__ = ("_member", "_watch")

    def __init__(self, member: Member, watch: Watch) -> None:
        self._member, self._watch = member, watch

    @property
    def path(self) -> str:
        """Return the member's path."""
        return self._member.path

    @property
    def locator(self) -> str:
        """Return the member's locator."""
        return self._member.locator

    @property
    def size(self) -> int:
        """Return the member's size."""
        return self._member.size

    def head(self) -> bytes:
        """Return the member's head."""
        return self._member.head()

    def open(self) -> BinaryIO:
        """Open the member, and note that it is."""
        self._watch.begin(self._member)
        return io.BufferedReader(_Counted(self._member, self._watch), _BUFFER)


class _Counted(io.RawIOBase):
    """Pass on a stream and note how far it has come."""

    def __init__(self, member: Member, watch: Watch) -> None:
        super().__init__()
        self._member, self._watch = member, watch
        self._stream = member.open()
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = self._stream.seek(offset, whence)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self._at += len(data)
        self._watch.reached(self._member, self._at)
        return len(data)

    def close(self) -> None:
        if not self.closed and hasattr(self, "_stream"):
            self._stream.close()
        super().close()
