"""Outlook's mailboxes (.pst, .ost), which libpff opens where they lie."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clone_app.entries import ImportProblem, Skipped
from clone_app.errors import CloneAppError
from clone_app.importers.claims import claim_by_sureness
from clone_app.importers.left_out import counted
from clone_app.importers.mapi import (
    ATTACHED,
    BINARY,
    FILE_NAME,
    MISSING,
    SHORT_NAME,
    OutlookMessage,
    Properties,
    read_outlook,
)
from clone_app.importers.message import Origin
from clone_app.protocols import Claim, Found, Member, Reading

_START = b"!BDN"
_ENDINGS = (".pst", ".ost")
_PASSWORD, _NAME = 0x67FF, 0x3001
# Where the header says how the file is encrypted, before and since it holds Unicode.
_OLD, _NEW, _FIRST_NEW, _BY_WINDOWS = 461, 513, 23, 0x10
_FIELD_LIMIT, _ATTACHED_LIMIT, _HELD_LIMIT = 32_000_000, 200_000, 64_000_000


@dataclass(frozen=True, slots=True)
class Pst:
    """Read the mail in all folders of a mailbox."""

    name: str = "pst"
    title: str = "Outlook mailbox (.pst)"
    help: str = (
        "In Outlook: File, Open & Export, Import/Export, Export to a file, Data File (.pst)."
    )
    endings: tuple[str, ...] = _ENDINGS

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim files that begin as Outlook's do, or are only called so."""
        return claim_by_sureness(members, _sureness)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield the mails of each mailbox, folder by folder."""
        for member in members:
            if fault := _closed(member.head()):
                yield ImportProblem(member.locator, fault)
                continue
            try:
                import pypff
            except ImportError:
                yield ImportProblem(member.locator, MISSING)
                continue
            try:
                yield from _mailbox(pypff.file(), member, reading)
            except CloneAppError as fault_of_ours:
                yield ImportProblem(member.locator, str(fault_of_ours))
            except (OSError, ValueError, RuntimeError, MemoryError, OverflowError, SystemError):
                yield ImportProblem(
                    member.locator,
                    "is damaged; repair it with Outlook's scanpst or copy it again, then import again",
                )


PST = Pst()


def _sureness(member: Member) -> float:
    if not member.path.lower().endswith(_ENDINGS):
        return 0.0
    return 0.95 if member.head().startswith(_START) else 0.4


def _closed(head: bytes) -> str:
    """Return why a file can't be opened at all, by its first bytes; nothing if it might be."""
    if not head.startswith(_START):
        return "is no mailbox of Outlook, whatever its name says; export it again"
    at = _NEW if int.from_bytes(head[10:12], "little") >= _FIRST_NEW else _OLD
    if head[at : at + 1] == bytes([_BY_WINDOWS]):
        return (
            "is encrypted by Windows for the company it belongs to; export the mailbox again without "
            "that protection"
        )
    return ""


def _mailbox(mailbox: Any, member: Member, reading: Reading) -> Iterator[Found]:
    packed = member.locator != member.path  # libpff leaps about, which a packed file makes slow
    if packed and member.size > _HELD_LIMIT:
        yield ImportProblem(
            member.locator, "lies packed in an archive; unpack it and choose the .pst file"
        )
        return
    with member.open() as file:
        stream = io.BytesIO(file.read(_HELD_LIMIT)) if packed else file
        mailbox.open_file_object(stream)
        try:
            if _properties(mailbox.get_message_store()).number(_PASSWORD):
                yield ImportProblem(
                    member.locator,
                    "is protected by a password; in Outlook remove it (File, Account Settings, Data "
                    "Files, Settings, Change Password) and import it again",
                )
                return
            yield from _folders(mailbox.get_root_folder(), member, reading)
        finally:
            mailbox.close()


def _folders(root: Any, member: Member, reading: Reading) -> Iterator[Found]:
    waiting: list[tuple[Any, tuple[str, ...]]] = [(root, ())]
    seen: set[int] = set()
    others: Counter[str] = Counter()
    count = 0
    while waiting:
        folder, path = waiting.pop()
        number = folder.identifier
        if number in seen:  # a damaged file may hold a folder within itself
            continue
        seen.add(number)
        place = "/".join(path)
        for at in range(folder.number_of_sub_messages):
            count += 1
            locator = f"{member.locator}#{place}/{at + 1}"
            found = _message(folder, at, Origin(locator, f"{member.path}/{place}/"), reading)
            if isinstance(found, Skipped):
                others[found.reason] += 1
            else:
                yield found
        below = [folder.get_sub_folder(at) for at in range(folder.number_of_sub_folders)]
        waiting += [(one, (*path, _name(one))) for one in reversed(below)]
    for reason, number in sorted(others.items()):
        yield Skipped(f"{member.locator}#others", f"{counted(number, 'time', 'times')} {reason}")
    if not count:
        yield Skipped(member.locator, "no messages in it")


def _name(folder: Any) -> str:
    name = folder.name or _properties(folder).line(_NAME)
    return str(name).replace("/", "_")[:200]


def _message(folder: Any, at: int, origin: Origin, reading: Reading) -> Found:
    """Return what one message holds; a damaged one never stops the others."""
    try:
        message = folder.get_sub_message(at)
        outlook = OutlookMessage(
            _properties(message), _recipients(message), [*_attachments(message)]
        )
    except (OSError, ValueError, RuntimeError, MemoryError, OverflowError, SystemError):
        return ImportProblem(
            origin.locator, "is damaged; repair the file with Outlook's scanpst and import again"
        )
    return read_outlook(outlook, origin, reading)


def _properties(item: Any) -> Properties:
    """Return the properties of an item's first set: the others repeat it for parts of it."""
    if item is None or not item.number_of_record_sets:
        return Properties()
    return _of_set(item.get_record_set(0))


def _of_set(record_set: Any) -> Properties:
    found = Properties()
    for at in range(record_set.number_of_entries):
        entry = record_set.get_entry(at)
        number, kind = entry.entry_type, entry.value_type
        if number is None or number == ATTACHED:
            continue
        try:
            data = entry.data
        except OSError:  # one property that can't be read is no loss beside the others
            continue
        if data and len(data) <= _FIELD_LIMIT:
            found.values.setdefault(number, (kind or BINARY, data))
    return found


def _recipients(message: Any) -> list[Properties]:
    """Return the recipients, of whom each is a set of properties of its own."""
    everyone = message.recipients
    if everyone is None:
        return []
    return [_of_set(everyone.get_record_set(at)) for at in range(everyone.number_of_record_sets)]


def _attachments(message: Any) -> Iterator[Properties]:
    for at in range(message.number_of_attachments):
        attachment = message.get_attachment(at)
        about = _properties(attachment)
        small = 0 < (attachment.size or 0) <= _ATTACHED_LIMIT
        if small and about.line(FILE_NAME, SHORT_NAME).lower().endswith((".txt", ".ics", ".md")):
            about.values[ATTACHED] = (BINARY, attachment.read_buffer(attachment.size))
        yield about
