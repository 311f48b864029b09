"""Read a folder's new messages: a few at a time, one by one through the parser of all mail.

Folders are opened with EXAMINE and bodies fetched with PEEK, so that no message is ever marked as
read. A batch carries the mark up to which its folder is read then; whoever keeps the batch keeps the
mark with it, and a later run goes on there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from clone_app.entries import ImportProblem, Skipped
from clone_app.importers import mailfolder
from clone_app.importers.mailbox.account import Account
from clone_app.importers.mailbox.folders import Folder, gmail_labels
from clone_app.importers.mailbox.wire import Client, atoms, number
from clone_app.importers.message import MESSAGE_LIMIT, Origin, read_message
from clone_app.progress import Progress
from clone_app.protocols import Found, Reading

AT_ONCE = 50
BYTES_AT_ONCE = 2 * 1024 * 1024
_IDENTITY = "BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]"
_FLAGS = {b"\\draft": mailfolder.DRAFTS, b"\\deleted": mailfolder.TRASH}


@dataclass(frozen=True, slots=True)
class Mark:
    """Say how far a folder was read: the highest number of a message, valid under `validity`."""

    validity: int = 0
    uid: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Hold what a few messages gave, the mark behind them, how many were copies not fetched again."""

    found: tuple[Found, ...]
    mark: Mark
    copies: int = 0


@dataclass(frozen=True, slots=True)
class _Letter:
    """Hold what is known of a message before its body is fetched."""

    uid: int
    size: int
    labels: tuple[str, ...]
    copy: bool


class Mail:
    """Read folders of one account over one connection.

    Keeps a short hash of each message met, so that a copy in "All Mail" is not fetched twice: one
    Message-ID with one size is one message within an account.
    """

    def __init__(self, client: Client, account: Account, reading: Reading) -> None:
        self._client, self._account, self._reading = client, account, reading
        self._labelled = client.has_capability("X-GM-EXT-1")
        self._met: set[bytes] = set()

    def new(self, folder: Folder, mark: Mark) -> tuple[Folder, list[int]]:
        """Open a folder for reading only; return it as it is now, and its numbers behind the mark.

        Where the server gave new numbers to all messages (another UIDVALIDITY), all are new; what is
        kept already is recognised by its Message-ID.
        """
        opened = self._client.select_folder(folder.name, readonly=True)
        validity = number(opened.get(b"UIDVALIDITY")) or folder.validity
        since = mark.uid if mark.validity == validity else 0
        # "n:*" always names the last message, even where its number is below n.
        found = self._client.search(["UID", f"{since + 1}:*"])
        return replace(folder, validity=validity), sorted(uid for uid in found if uid > since)

    def read(self, folder: Folder, uids: list[int], progress: Progress) -> Iterator[Batch]:
        """Yield the messages of the opened folder; raise `Cancelled` between two batches if asked."""
        for start in range(0, len(uids), AT_ONCE):
            progress.check()
            letters = self._letters(folder, uids[start : start + AT_ONCE])
            for group in _groups(letters):
                progress.check()
                yield self._batch(folder, group)

    def _letters(self, folder: Folder, uids: list[int]) -> list[_Letter]:
        asked = ["RFC822.SIZE", "FLAGS", _IDENTITY]
        if self._labelled:
            asked.append("X-GM-LABELS")
        answers = self._client.fetch(uids, asked)
        return [self._letter(folder, uid, answers.get(uid, {})) for uid in uids]

    def _letter(self, folder: Folder, uid: int, answer: dict[bytes, Any]) -> _Letter:
        size = number(answer.get(b"RFC822.SIZE"))
        flags = (_FLAGS.get(flag.lower(), "") for flag in atoms(answer.get(b"FLAGS")))
        identity = b"".join(_body(answer).split())
        key = hashlib.sha256(b"%d %s" % (size, identity)).digest()[:12]
        copy = bool(identity) and size > 0 and key in self._met
        if identity and folder.use != "Flagged":
            self._met.add(key)
        labels = (*folder.labels, *gmail_labels(answer.get(b"X-GM-LABELS")), *flags)
        # A copy in a folder that says something of it is read again for that label alone.
        return _Letter(uid, size, mailfolder.distinct(labels), copy and not labels)

    def _batch(self, folder: Folder, letters: list[_Letter]) -> Batch:
        wanted = [letter for letter in letters if not letter.copy]
        bodies = self._bodies([letter for letter in wanted if letter.size <= MESSAGE_LIMIT])
        found: list[Found] = []
        for letter in wanted:
            if letter.size > MESSAGE_LIMIT:
                bodies |= self._bodies([letter], part=f"<0.{MESSAGE_LIMIT}>")
            found.append(self._found(folder, letter, bodies.pop(letter.uid, b"")))
        mark = Mark(folder.validity, letters[-1].uid)
        return Batch(tuple(found), mark, len(letters) - len(wanted))

    def _bodies(self, letters: list[_Letter], *, part: str = "") -> dict[int, bytes | None]:
        """Return the messages by number; None for one that the server would not give."""
        if not letters:
            return {}
        try:
            answers = self._client.fetch([letter.uid for letter in letters], [f"BODY.PEEK[]{part}"])
        except IMAPClientAbortError:
            raise
        except IMAPClientError:
            if len(letters) == 1:
                return {letters[0].uid: None}
            return {  # one of them is at fault: it must not take the others with it
                uid: body for one in letters for uid, body in self._bodies([one]).items()
            }
        return {uid: _body(answer) for uid, answer in answers.items()}

    def _found(self, folder: Folder, letter: _Letter, body: bytes | None) -> Found:
        locator = locator_of(self._account, folder, letter.uid)
        if body is None:
            return ImportProblem(
                locator, "The server would not hand over this message. Open it in a mail program."
            )
        if not body.strip():
            return Skipped(locator, "It is empty, or was deleted meanwhile.")
        origin = Origin(locator, f"{folder.path}/;UID={letter.uid}", labels=letter.labels)
        return read_message(body, origin, reading=self._reading)


def locator_of(account: Account, folder: Folder, uid: int) -> str:
    """Return a message's own address (RFC 5092), which mail programs can open."""
    return f"{place_of(account, folder)}UIDVALIDITY={folder.validity}/;UID={uid}"


def place_of(account: Account, folder: Folder) -> str:
    """Return what the addresses of all messages of a folder begin with, however often it is made anew."""
    return f"{account.url}/{quote(folder.name)};"


def _groups(letters: list[_Letter]) -> Iterator[list[_Letter]]:
    """Yield letters in order, as many together as fit in memory lightly."""
    group: list[_Letter] = []
    size = 0
    for letter in letters:
        if group and size + letter.size > BYTES_AT_ONCE:
            yield group
            group, size = [], 0
        group.append(letter)
        size += letter.size
    if group:
        yield group


def _body(answer: dict[bytes, Any]) -> bytes:
    """Return the bytes of a fetched part, whatever name the server gives it in its answer."""
    for name, value in answer.items():
        if name.startswith(b"BODY[") and isinstance(value, bytes):
            return value
    return b""
