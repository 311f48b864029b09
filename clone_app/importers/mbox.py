"""mbox: many mails in one file, as Takeout, Thunderbird, Apple Mail and list archives keep them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from clone_app.entries import ImportProblem, Skipped
from clone_app.errors import CloneAppError
from clone_app.importers.claims import claim_those
from clone_app.importers.left_out import counted
from clone_app.importers.mailfile import folder_of, in_maildir
from clone_app.importers.message import MESSAGE_LIMIT, Origin, posted_in, read_message
from clone_app.protocols import Claim, Found, Member, Reading

_ENDINGS = (".mbox", ".mbx")
_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 20
# How much of what follows a line "From …" is looked at to tell whether a message starts there.
_AHEAD = 4096
# What reading a damaged file or archive raises.
_BREAKS = (CloneAppError, OSError, EOFError, zlib.error)
_DATED = re.compile(
    rb"From .{0,400}?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,?[ ]+"
    rb"(?:[A-Z][a-z]{2}[ ]+\d{1,2}|\d{1,2}[ ]+[A-Z][a-z]{2})[ ]+(?:\d{4}[ ]+)?"
    rb"\d{1,2}:\d{2}(?::\d{2})?(?:[ ]+[A-Za-z0-9+-]{1,8}){0,3}(?: remote from .*)?[ ]*\r?$"
)
_HEADER = re.compile(rb"[!-9;-~]{1,80}[ \t]*:")
_MAIL_HEADER = re.compile(
    rb"(?:From|To|Cc|Subject|Date|Message-ID|Received|MIME-Version|Content-Type|Return-Path|Status"
    rb"|X-Status|Delivered-To|Reply-To|Sender|X-[A-Za-z-]{1,60}|Path|Newsgroups|DKIM-Signature)"
    rb"[ \t]*:",
    re.IGNORECASE,
)
_STUFFED = re.compile(rb"^>(>*From )", re.MULTILINE)
_BOUNDARY = re.compile(
    rb"^Content-Type:[ \t]*multipart/[^\n]*(?:\n[ \t][^\n]*)*?"
    rb"boundary[ \t]*=[ \t]*(?:\"([^\"\n]+)\"|([^\s;\"]+))",
    re.MULTILINE | re.IGNORECASE,
)
_STATUS = b"X-Mozilla-Status:"
_DELETED = re.compile(b"^" + _STATUS + rb"[ \t]*([0-9A-Fa-f]{4})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    """Hold one message of an mbox: its place in bytes, its line `From `, its content."""

    offset: int
    from_line: bytes
    data: bytes


def split(stream: BinaryIO) -> Iterator[Piece]:
    """Yield an mbox's messages one by one, byte for byte, never holding more than one and a bit.

    A message starts at a line `From ` at the file's start or after an empty line, if that line
    holds a date and header lines follow, or header lines of mail follow at once; elsewhere at a line
    with a date, or `From -`, that headers of mail follow. So a body's own line "From Paris we take
    the train." splits nothing. What a message has above `MESSAGE_LIMIT` is
    dropped. Where reading fails, all that came before is yielded before the error is raised.
    """
    window, broken = _read(stream)
    ended = broken is not None or not window
    while not ended and len(window) < _AHEAD:  # an archive's stream gives little at a time
        more, broken = _read(stream)
        window, ended = window + more, not more
    at = len(window) - len(window.removeprefix(_BOM).lstrip(b"\r\n"))
    if _starts_message(window[at : at + _AHEAD]):
        base = 0  # where in the file the window begins
        offset, message = at, bytearray()  # the current message: its start, what left the window
        search = at + 5
        while True:
            found = _next_start(window, search, ended=ended)
            if found >= 0:
                _add(message, window[at:found])
                yield _piece(offset, message)
                offset, message = base + found, bytearray()
                at, search = found, found + 5
                continue
            if ended:
                break
            # Keep enough to judge a start that the window's end cuts off, and the line before it.
            keep = max(len(window) - _AHEAD, at)
            _add(message, window[at:keep])
            cut = max(keep - 8, 0)
            base, at, search = base + cut, keep - cut, max(search - cut, keep - cut)
            more, broken = _read(stream)
            window, ended = window[cut:] + more, not more
        _add(message, window[at:])
        yield _piece(offset, message)
    if broken is not None:
        raise broken


def _read(stream: BinaryIO) -> tuple[bytes, Exception | None]:
    """Return the next bytes, or none and what is wrong with the file."""
    try:
        return stream.read(_CHUNK), None
    except _BREAKS as error:
        return b"", error


def _next_start(window: bytes, search: int, *, ended: bool) -> int:
    """Return where the next message starts in the window; -1 for nowhere, or not yet to be told."""
    place = search
    while (place := window.find(b"\nFrom ", place - 1) + 1) > 0:
        if not ended and len(window) - place < _AHEAD:
            return -1
        blank = window[place - 2 : place] == b"\n\n" or window[place - 3 : place] == b"\n\r\n"
        if _starts_message(window[place : place + _AHEAD], after_blank=blank):
            return place
        place += 5
    return -1


def _starts_message(ahead: bytes, *, after_blank: bool = True) -> bool:
    """Tell whether a line `From …` and what follows it start a message.

    Netscape and others forget the empty line before it: then only their own kind of line counts, and
    only with two headers of mail right below.
    """
    if not ahead.startswith(b"From "):
        return False
    line, newline, rest = ahead.partition(b"\n")
    following = [one.rstrip(b"\r") for one in rest.split(b"\n", 3)[:2]]
    dated = len(line) <= 1000 and bool(_DATED.match(line))
    if not after_blank and not (dated or line.rstrip() == b"From -"):
        return False
    if dated and after_blank:
        first = following[0] if following else b""
        return not newline or not first or first.startswith(b">From ") or bool(_HEADER.match(first))
    if following and following[0].startswith(b">From "):
        following = following[1:]
    return (
        len(following) == 2
        and bool(_MAIL_HEADER.match(following[0]))
        and (following[1][:1] in {b" ", b"\t"} or bool(_HEADER.match(following[1])))
    )


def _add(message: bytearray, more: bytes) -> None:
    room = MESSAGE_LIMIT - len(message)
    if room > 0:
        message += more[:room]


def _piece(offset: int, message: bytearray) -> Piece:
    line, _, data = bytes(message).partition(b"\n")
    # mboxrd: each line "From " of a body was given one ">" more when the message was filed.
    return Piece(offset, line, _STUFFED.sub(rb"\1", data) if b">From " in data else data)


@dataclass(frozen=True, slots=True)
class Mbox:
    """Read mbox files, whatever they are called."""

    name: str = "mbox"
    title: str = "Mail (mbox)"
    help: str = (
        "Gmail: take out your data at Google Takeout, Mail. Thunderbird: the files Inbox and Sent "
        "in your profile's Mail folder. Apple Mail: Mailbox, Export Mailbox."
    )
    endings: tuple[str, ...] = _ENDINGS

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Return the files that start like an mbox, and those whose name says that they are one."""
        return claim_those(members, _is_mbox, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield the mails of each file in its order; the locator is `file#offset` in bytes."""
        for member in members:
            yield from _read_file(member, reading)


def _is_mbox(member: Member) -> bool:
    path = member.path.lower()
    if path.endswith((".eml", ".emlx")) or in_maildir(member) or folder_of(member) == "tmp":
        return False
    return _starts_message(member.head().removeprefix(_BOM).lstrip(b"\r\n")) or path.endswith(
        _ENDINGS
    )


def _read_file(member: Member, reading: Reading) -> Iterator[Found]:
    """Yield what one file holds, then a line about what was left out of it."""
    seen = deleted = 0
    last = b""
    try:
        with member.open() as stream:
            for piece in split(stream):
                seen += 1
                last = piece.data
                if _deleted(piece.data):
                    deleted += 1
                    continue
                locator = f"{member.locator}#{piece.offset}"
                origin = Origin(locator, member.path, posted_in(piece.from_line))
                yield read_message(piece.data, origin, reading=reading)
    except _BREAKS as error:
        yield ImportProblem(
            member.locator,
            f"Reading stopped after {counted(seen, 'message', 'messages')}: {str(error).rstrip('.')}. "
            "Get the file again and import it once more; what is here already is not added twice.",
        )
        return
    if deleted:
        yield Skipped(
            member.locator,
            counted(deleted, "message in it was", "messages in it were")
            + " deleted in Thunderbird and left out.",
        )
    if seen:
        if _cut_short(last):
            yield Skipped(
                member.locator,
                "It ends in the middle of its last message, of which was kept what is there. Copy or "
                "export the file again and import it once more; nothing is added twice.",
            )
        return
    if member.size == 0 or not member.head().strip():
        yield Skipped(member.locator, "It is empty: there is no message in it.")
        return
    yield ImportProblem(
        member.locator,
        "This is no mbox: no line starting with `From ` begins a message. Export the mailbox "
        "again.",
    )


def _deleted(message: bytes) -> bool:
    """Tell whether Thunderbird marked a message as deleted; it stays in the file until compacted."""
    if message.find(_STATUS, 0, 16_384) < 0:
        return False
    status = _DELETED.search(message, 0, 16_384)
    return bool(status and int(status[1], 16) & 8)


def _cut_short(message: bytes) -> bool:
    """Tell whether a message surely lacks its end: its header's, or its last part's boundary."""
    header, blank, body = message.replace(b"\r\n", b"\n").partition(b"\n\n")
    if not blank:
        return not message.endswith(b"\n")
    boundary = _BOUNDARY.search(header)
    return boundary is not None and b"--" + (boundary[1] or boundary[2]) + b"--" not in body


MBOX = Mbox()
