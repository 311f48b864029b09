"""The connection's own protocol, with a measure on what a server may send and how it may say it.

A server is somebody else's program: it may announce a literal of a terabyte, number its folders in
words, or name them in letters there are none of. Here that ends as a fault of the server's.
"""

from __future__ import annotations

import imaplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from imapclient import IMAPClient
from imapclient.exceptions import ProtocolError
from imapclient.imap4 import IMAP4WithTimeout
from imapclient.imap_utf7 import decode
from imapclient.tls import IMAP4_TLS

from clone_app.importers.message import MESSAGE_LIMIT

# What may come in answer to one command: the largest message there is room for, or the numbers of
# millions of messages.
ANSWER_LIMIT = 2 * MESSAGE_LIMIT
# A folder's list of numbers is one line of the protocol; the library's own limit (1 MB) is reached by
# some 120,000 messages.
LINE_LIMIT = 50_000_000
_MOST = 2**32  # all numbers of the protocol but sizes have 32 bits
# What the library stumbles over where an answer isn't formed as it must be.
_STUMBLES = (
    ValueError, TypeError, LookupError, AttributeError, AssertionError, OverflowError, RecursionError,
)  # fmt: skip


class TooMuchError(Exception):
    """Say that a server sent more than anybody asked for; none of the library's, which it rewords."""


def number(value: object) -> int:
    """Return a number as the protocol has them, 0 for anything else that stands in its place."""
    return value if isinstance(value, int) and 0 <= value < _MOST else 0


def atoms(value: object) -> tuple[bytes, ...]:
    """Return the words of a list such as a message's flags; none where there is no list."""
    if not isinstance(value, tuple | list):
        return ()
    return tuple(each for each in value if isinstance(each, bytes))


class _Measured(imaplib.IMAP4):
    """Count what comes in answer to a command, and stop where it is too much."""

    _come = 0

    def send(self, data: Any) -> None:
        self._come = 0
        super().send(data)

    def read(self, size: int) -> bytes:
        self._count(size)  # before a single byte is read, or room for them made
        return super().read(size)

    def readline(self) -> bytes:
        line = super().readline()
        self._count(len(line))
        return line

    def _count(self, size: int) -> None:
        self._come += size
        if self._come > ANSWER_LIMIT:
            raise TooMuchError("more than was asked for")


class _Encrypted(_Measured, IMAP4_TLS):  # type: ignore[misc]
    pass


class _Open(_Measured, IMAP4WithTimeout):  # type: ignore[misc]
    pass


class Client(IMAPClient):  # type: ignore[misc]  # the library has no types
    """Be the library's client over a measured connection; what is badly formed is `ProtocolError`."""

    def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802
        # The limit is the module's: it has no other place, and lines are read long after.
        imaplib._MAXLINE = max(imaplib._MAXLINE, LINE_LIMIT)  # type: ignore[attr-defined]
        with _well_formed():
            if self.ssl:
                safe: Any = _Encrypted
                made: imaplib.IMAP4 = safe(
                    self.host, self.port, self.ssl_context, self._timeout.connect
                )
                return made
            return _Open(self.host, self.port, self._timeout.connect)

    def list_folders(self) -> list[tuple[Any, Any, str]]:
        """Return the folders; one whose name can't be written could not be opened and is left out."""
        self.folder_encode = False
        try:
            with _well_formed():
                raw = super().list_folders()
        finally:
            self.folder_encode = True
        found = []
        for flags, delimiter, name in raw:
            with suppress(UnicodeError):
                text = decode(name)
                text.encode()  # half of a letter beyond the first 65,536 is none
                found.append((flags, delimiter, text))
        return found

    def folder_status(self, name: str, what: Sequence[str]) -> dict[bytes, Any]:
        """Return what a folder holds."""
        with _well_formed():
            return dict(super().folder_status(name, what))

    def select_folder(self, name: str, *, readonly: bool) -> dict[bytes, Any]:
        """Open a folder."""
        with _well_formed():
            return dict(super().select_folder(name, readonly=readonly))

    def search(self, criteria: Sequence[str]) -> list[int]:
        """Return the numbers of the messages that fit."""
        with _well_formed():
            return [found for found in super().search(criteria) if number(found)]

    def fetch(self, messages: Sequence[int], what: Sequence[str]) -> dict[int, dict[bytes, Any]]:
        """Return what is asked of messages, by their numbers."""
        with _well_formed():
            return dict(super().fetch(messages, what))


@contextmanager
def _well_formed() -> Iterator[None]:
    try:
        yield
    except (OSError, UnicodeEncodeError):  # the network's, and that of what was asked
        raise
    except _STUMBLES as fault:
        raise ProtocolError("an answer that is not formed as it must be") from fault
