"""A file that is one mail: which files are, and how one is read."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from clone_app.entries import ImportProblem, Skipped
from clone_app.errors import CloneAppError
from clone_app.importers.message import MESSAGE_LIMIT, Origin, looks_like_mail, read_message
from clone_app.protocols import Found, Member, Reading

# Windows allows no colon in a name, so programs there write `;2,` or `!2,` instead.
_MAILDIR_NAME = re.compile(r"[:;!]2,[A-Za-z]*$")


def in_maildir(member: Member) -> bool:
    """Tell whether a file is a Maildir's message: by its name, else by its folder and its head."""
    if _MAILDIR_NAME.search(member.path):
        return True
    return folder_of(member) in {"cur", "new"} and looks_like_mail(member.head())


def folder_of(member: Member) -> str:
    """Return the name of the folder a file lies in, empty for the top."""
    return member.path.rpartition("/")[0].rpartition("/")[2]


def read_file(member: Member, reading: Reading) -> Iterator[Found]:
    """Yield the one mail a file holds, or the reason why there is none."""
    try:
        with member.open() as stream:
            data = stream.read(MESSAGE_LIMIT)
    except (CloneAppError, OSError, EOFError, zlib.error) as error:
        reason = f"It can't be read: {str(error).rstrip('.')}. Get the file again and import it."
        yield ImportProblem(member.locator, reason)
        return
    if not data.strip():
        yield Skipped(member.locator, "It is empty: there is no message in it.")
        return
    if member.path.lower().endswith(".emlx"):
        data = _without_apple_frame(data)
    yield read_message(data, Origin(member.locator, member.path), reading=reading)


def _without_apple_frame(data: bytes) -> bytes:
    """Return the mail in an .emlx: a line with its length, the mail, then Apple's notes on it."""
    length, newline, rest = data.partition(b"\n")
    if not newline or not re.fullmatch(rb"\s*\d{1,12}\s*", length):
        return data
    return rest[: int(length)]
