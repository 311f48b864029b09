"""The folders of a mail account: what each holds, what it is for, which are read unasked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from clone_app.entries import clean_text
from clone_app.importers import mailfolder
from clone_app.importers.mailbox.wire import Client, atoms, number
from clone_app.importers.member import shown

_UNREADABLE = frozenset({b"\\noselect", b"\\nonexistent"})
# Special uses (RFC 6154) and what the program calls them; of the rest, only ALL and FLAGGED matter,
# since they repeat what lies in other folders.
_USES = {
    b"\\sent": mailfolder.SENT,
    b"\\drafts": mailfolder.DRAFTS,
    b"\\junk": mailfolder.SPAM,
    b"\\trash": mailfolder.TRASH,
    b"\\all": "All",
    b"\\allmail": "All",
    b"\\flagged": "Flagged",
    b"\\starred": "Flagged",
    b"\\important": "Flagged",
    b"\\archive": "Archive",
}
_LEFT_OUT = frozenset({mailfolder.DRAFTS, mailfolder.SPAM, mailfolder.TRASH, "Flagged"})
_NO_LABEL = frozenset({"All", "Archive", "Flagged"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """Hold one folder: `name` as the server knows it, `path` with `/` between its levels.

    `use` is what it is for (Sent, Drafts, Spam, Trash, All, Flagged, Archive), empty for none.
    `validity` is UIDVALIDITY: while it stays the same, a number always means the same message.
    """

    name: str
    path: str
    use: str
    messages: int
    validity: int
    next_uid: int
    usual: bool = True

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels that lying here gives to a message."""
        if self.use in _NO_LABEL or self.path.upper() == "INBOX":
            return ()
        return (self.use,) if self.use else (self.path,)


def list_folders(client: Client) -> tuple[Folder, ...]:
    """Return the folders that can be read, those that only repeat others last.

    `usual` are those read where the user names none: all but drafts, spam, trash and what repeats
    other folders. Gmail's "All Mail" holds everything, its labels say where, so it alone is usual.
    """
    found: list[Folder] = []
    for flags, delimiter, name in client.list_folders():
        lower = {flag.lower() for flag in atoms(flags)}
        if lower & _UNREADABLE:
            continue
        try:
            status = client.folder_status(name, ["MESSAGES", "UIDVALIDITY", "UIDNEXT"])
        except IMAPClientAbortError:
            raise
        except IMAPClientError:  # listed, but not ours to read
            continue
        path = _path(name, delimiter)
        found.append(
            Folder(
                name=name,
                path=path,
                use=_use(lower, path),
                messages=number(status.get(b"MESSAGES")),
                validity=number(status.get(b"UIDVALIDITY")),
                next_uid=number(status.get(b"UIDNEXT")),
            )
        )
    found.sort(
        key=lambda folder: (
            folder.use in {"All", "Flagged"},
            folder.path.upper() != "INBOX",
            folder.path.casefold(),
        )
    )
    return _with_usual(found, labelled=client.has_capability("X-GM-EXT-1"))


def _with_usual(folders: Sequence[Folder], *, labelled: bool) -> tuple[Folder, ...]:
    alone = labelled and any(folder.use == "All" for folder in folders)
    return tuple(
        replace(folder, usual=folder.use == "All" if alone else folder.use not in _LEFT_OUT)
        for folder in folders
    )


def _path(name: str, delimiter: object) -> str:
    parting = delimiter.decode("ascii", "replace") if isinstance(delimiter, bytes) else ""
    return shown(name.replace(parting, "/") if parting else name)


def _use(flags: set[bytes], path: str) -> str:
    """Return what a folder is for: as the server says, else as its name says in any language."""
    for flag, use in _USES.items():
        if flag in flags:
            return use
    named = mailfolder.of_path(path)
    return named[-1] if named else ""


def gmail_labels(raw: object) -> tuple[str, ...]:
    """Return Gmail's labels of a message, the known ones in English, its own without backslash."""
    listed = raw if isinstance(raw, tuple | list) else ()
    names = [
        part.decode("utf-8", "replace") if isinstance(part, bytes) else str(part) for part in listed
    ]
    return mailfolder.distinct(
        mailfolder.known(name.lstrip("\\"))
        or shown(clean_text(mailfolder.from_imap(name.lstrip("\\"))))
        for name in names
    )
