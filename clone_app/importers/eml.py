"""Single mails as files: .eml, Apple's .emlx, and any file that begins with a mail's header."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clone_app.importers.claims import claim_those
from clone_app.importers.mailfile import folder_of, in_maildir, read_file
from clone_app.importers.message import looks_like_mail
from clone_app.protocols import Claim, Found, Member, Reading

_ENDINGS = (".eml", ".emlx")
# Saved web pages carry a mail's header and are none.
_NO_MAIL = (".mht", ".mhtml")


@dataclass(frozen=True, slots=True)
class Eml:
    """Read files that are one mail each, wherever they lie."""

    name: str = "eml"
    title: str = "Mail (.eml files)"
    help: str = (
        "Most mail programs save a message as .eml: select messages, then File, Save As. Apple "
        "Mail keeps .emlx files in its Mail folder."
    )
    endings: tuple[str, ...] = _ENDINGS

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Return the files with a fitting ending, and those whose head is a mail's.

        A file that begins with a line `From ` may hold many mails and is left to the mbox reader.
        """
        return claim_those(members, _is_eml, 0.9)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield the mail of each file."""
        for member in members:
            yield from read_file(member, reading)


def _is_eml(member: Member) -> bool:
    path = member.path.lower()
    if path.endswith(_ENDINGS):
        return True
    if path.endswith(_NO_MAIL) or in_maildir(member) or folder_of(member) == "tmp":
        return False
    head = member.head()
    return looks_like_mail(head) and not head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(
        b"From "
    )


EML = Eml()
