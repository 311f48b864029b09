"""Outlook's .msg files: one message each, in Microsoft's container, which olefile opens."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clone_app.entries import ImportProblem
from clone_app.errors import CloneAppError
from clone_app.importers.claims import claim_those
from clone_app.importers.mapi import (
    ATTACHED,
    LONG,
    MISSING,
    TIME,
    OutlookMessage,
    Properties,
    read_outlook,
)
from clone_app.importers.message import MESSAGE_LIMIT, Origin
from clone_app.protocols import Claim, Found, Member, Reading

START = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENDINGS = (".msg", ".oft")
_STREAM = re.compile(r"__substg1\.0_([0-9A-F]{4})([0-9A-F]{4})", re.IGNORECASE)
_PARTS = {"recipients": "__recip_version1.0_", "attachments": "__attach_version1.0_"}
_FIXED = "__properties_version1.0"
_MANY, _FIELD_LIMIT = 2_000, 32_000_000


@dataclass(frozen=True, slots=True)
class Msg:
    """Read messages that were dragged out of Outlook or saved by it."""

    name: str = "msg"
    title: str = "Outlook messages (.msg)"
    help: str = "In Outlook: drag messages into a folder, or File, Save As, Outlook Message Format."
    endings: tuple[str, ...] = _ENDINGS

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim containers of that name; other programs call plain mails .msg too."""
        return claim_those(
            members,
            lambda one: one.path.lower().endswith(_ENDINGS) and one.head().startswith(START),
            0.95,
        )

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield the mail of each file."""
        for member in members:
            yield _file(member, reading)


MSG = Msg()


def _file(member: Member, reading: Reading) -> Found:
    try:
        import olefile
    except ImportError:
        return ImportProblem(member.locator, MISSING)
    try:
        with member.open() as stream:
            data = stream.read(MESSAGE_LIMIT)
        with olefile.OleFileIO(io.BytesIO(data)) as container:
            message = _message(container)
    except CloneAppError as fault:
        return ImportProblem(member.locator, str(fault))
    except Exception:  # olefile raises whatever a damaged container brings up
        return ImportProblem(
            member.locator, "is damaged or no message of Outlook; save it again and import that"
        )
    if not message.about.values:
        return ImportProblem(member.locator, "holds no message of Outlook; save it again")
    return read_outlook(message, Origin(member.locator, member.path), reading)


def _message(container: Any) -> OutlookMessage:
    """Gather the properties of the message itself, and of the storages one level below it."""
    about, parts = Properties(), dict[str, Properties]()
    for path in container.listdir(streams=True, storages=False):
        if len(path) == 1:
            _take(container, path, about, above=32)
        elif len(path) == 2 and path[0].lower().startswith(tuple(_PARTS.values())):
            if path[0] not in parts and len(parts) >= _MANY:
                continue
            _take(container, path, parts.setdefault(path[0], Properties()), above=8)
    names = sorted(parts)
    return OutlookMessage(
        about,
        *(
            [parts[name] for name in names if name.lower().startswith(start)]
            for start in _PARTS.values()
        ),
    )


def _take(container: Any, path: list[str], into: Properties, *, above: int) -> None:
    """Take one stream: a long property, or the table of those that are a number or a moment."""
    name = path[-1]
    if found := _STREAM.fullmatch(name):
        number, kind = int(found[1], 16), int(found[2], 16)
        limit = _FIELD_LIMIT if number != ATTACHED else 1_000_000
        with container.openstream(path) as stream:
            into.values[number] = (kind, stream.read(limit))
    elif name.lower() == _FIXED:
        with container.openstream(path) as stream:
            table = stream.read(1_000_000)
        for at in range(above, len(table) - 15, 16):
            kind, number = (int.from_bytes(table[at + i : at + i + 2], "little") for i in (0, 2))
            if kind in {LONG, TIME}:  # of a text the table has the length alone
                into.values[number] = (kind, table[at + 8 : at + 16])
