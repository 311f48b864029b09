"""Maildir: a folder a mailbox, a file a mail, as Dovecot, mutt, notmuch and mbsync keep them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clone_app.entries import Skipped
from clone_app.importers.mailfile import folder_of, in_maildir, read_file
from clone_app.importers.message import looks_like_mail
from clone_app.protocols import Claim, Found, Member, Reading


@dataclass(frozen=True, slots=True)
class Maildir:
    """Read Maildir folders, nested ones too, and folders of files named like a Maildir's."""

    name: str = "maildir"
    title: str = "Mail (Maildir)"
    help: str = (
        "The folder your mail server or mbsync, OfflineIMAP, mutt or notmuch keeps: it holds "
        "folders named cur and new."
    )
    endings: tuple[str, ...] = ("/",)

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Return the files in `cur` and `new`, those named like `51:2,S`, and unfinished ones."""
        paths = {member.path for member in members if in_maildir(member)}
        boxes = {_box(path) for path in paths if "/" in path}
        unfinished = {
            member.path
            for member in members
            if folder_of(member) == "tmp"
            and _box(member.path) in boxes
            and looks_like_mail(member.head())
        }
        return Claim(0.95, frozenset(paths | unfinished)) if paths else None

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield the mail of each file; what lies in `tmp` was never delivered whole."""
        for member in members:
            if folder_of(member) == "tmp":
                yield Skipped(member.locator, "It lies in tmp: its delivery was never finished.")
            else:
                yield from read_file(member, reading)


def _box(path: str) -> str:
    """Return the Maildir that a file lies in, by its path without folder and name."""
    return path.rpartition("/")[0].rpartition("/")[0]


MAILDIR = Maildir()
