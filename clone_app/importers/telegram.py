"""Chats exported from Telegram Desktop as JSON: one chat, or everything."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_kinds
from clone_app.importers.jsonstream import JsonFault, branches, dict_of, dicts_of, text_of
from clone_app.importers.left_out import counted, left_out
from clone_app.importers.mended import Mended
from clone_app.importers.stamps import made_key, wall_with_instant
from clone_app.protocols import Claim, Found, Member, Reading

_WHOLE = re.compile(rb'"about"\s*:\s*"Here is the data you requested')
_STAMPED = re.compile(rb'"date_unixtime"\s*:|"from_id"\s*:\s*"?(?:user|channel)?\d')
_CHAT = re.compile(
    rb'"type"\s*:\s*"(?:saved_messages|replies|personal_chat|bot_chat'
    rb'|(?:private|public)_(?:group|supergroup|channel))"'
)
_MESSAGES = re.compile(rb'"messages"\s*:\s*\[|"chats"\s*:\s*\{')
_PAGE = re.compile(rb'<div class="page_wrap(?: list_page)?"|class="history"')
_LISTS = ("chats", "left_chats")
_OPENED = frozenset(
    {(), ("messages",)}
    | {
        (name, *more)
        for name in _LISTS
        for more in ((), ("list",), ("list", "*"), ("list", "*", "messages"))
    }
)
_TOLD = {
    "service": (
        "note of the program on calls, members and pins",
        "notes of the program on calls, members and pins",
    ),
    "wordless": (
        "picture, sound, sticker or file without words",
        "pictures, sounds, stickers and files without words",
    ),
}


@dataclass(frozen=True, slots=True)
class Telegram:
    """Read the messages of all chats; a forwarded one is kept as others' words."""

    name: str = "telegram"
    title: str = "Telegram export (JSON)"
    help: str = (
        "In Telegram Desktop: Settings, Advanced, Export Telegram data, or in one chat Export chat "
        "history; choose Machine-readable JSON. Choose the file result.json."
    )
    endings: tuple[str, ...] = (".json", ".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim JSON with Telegram's chats, and its pages to say that they can't be read."""
        return claim_kinds(members, _kind, {"json": 0.95, "page": 0.8})

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each message with words, then what had none, counted."""
        for member in members:
            if _kind(member) == "page":
                yield ImportProblem(
                    member.locator,
                    "is Telegram's export for reading; export again, as Machine-readable JSON",
                )
            else:
                yield from _file(member, reading)


TELEGRAM = Telegram()


def _kind(member: Member) -> str:
    name = PurePosixPath(member.path).name.lower()
    if name.endswith(".json"):
        head = member.head()
        if _WHOLE.search(head):
            return "json"
        known = _STAMPED.search(head) or _CHAT.search(head)
        return "json" if known and _MESSAGES.search(head) else ""
    if re.fullmatch(r"messages\d*\.html", name) and _PAGE.search(member.head()):
        return "page"
    return ""


@dataclass(slots=True)
class _Chat:
    """Hold what is known of the chat whose messages come."""

    name: str = ""
    kind: str = ""
    number: str = ""

    def learn(self, key: str, value: object) -> None:
        match key:
            case "name":
                self.name = text_of(value)
            case "type":
                self.kind = text_of(value)
            case "id":
                self.number = text_of(value)

    @property
    def thread(self) -> str:
        return f"telegram:{self.number or self.name}"


@dataclass(slots=True)
class _Owner:
    """Hold whose export it is, where it says so: a full one does."""

    number: str = ""
    names: frozenset[str] = frozenset()
    shown: str = ""

    def learn(self, about: dict[str, Any]) -> None:
        self.number = text_of(about.get("user_id"))
        self.shown = " ".join(
            part for key in ("first_name", "last_name") if (part := text_of(about.get(key)).strip())
        )
        self.names = frozenset({self.shown.casefold()} - {""})

    def wrote(self, message: dict[str, Any], author: str) -> bool:
        by = text_of(message.get("from_id"))
        if by and self.number:
            return by.removeprefix("user") == self.number
        return author.casefold() in self.names


@dataclass(slots=True)
class _Export:
    """Gather what is told about a whole file while it is read."""

    member: Member
    reading: Reading
    owner: _Owner = field(default_factory=_Owner)
    told: Counter[str] = field(default_factory=Counter)
    seen: bool = False


def _file(member: Member, reading: Reading) -> Iterator[Found]:
    export = _Export(member, reading)
    chat, base = _Chat(), None
    way: tuple[str | int, ...] = ()
    try:
        with member.open() as stream, Mended(stream) as mended:
            for way, value in branches(cast("BinaryIO", mended), _OPENED):
                at = way.index("messages") if "messages" in way else len(way) - 1
                if way[:at] != base:
                    chat, base = _Chat(), way[:at]
                if len(way) > at + 1:
                    yield from _message(export, chat, value, _place(chat, value, way))
                elif way == ("personal_information",):
                    export.owner.learn(dict_of(value))
                elif at in {0, 3}:
                    chat.learn(str(way[-1]), value)
            mends = mended.count
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{'/'.join(map(str, way))}", str(fault))
        mends = 0
    if mends:
        yield Skipped(
            f"{member.locator}#mended",
            counted(
                mends,
                "control character that is no JSON, taken out",
                "control characters that are no JSON, taken out",
            ),
        )
    yield from left_out(member, export.told, _TOLD)
    if not export.seen:
        yield Skipped(member.locator, "no messages in it")


def _place(chat: _Chat, value: object, way: tuple[str | int, ...]) -> str:
    """Return where a message stands: its own numbers if it has them, else the way to it."""
    number = text_of(dict_of(value).get("id"))
    return f"{chat.number}/{number}" if chat.number and number else "/".join(map(str, way))


def _message(export: _Export, chat: _Chat, value: object, place: str) -> Iterator[Found]:
    export.seen = True
    locator = f"{export.member.locator}#{place}"
    message = dict_of(value)
    if not message:
        yield ImportProblem(locator, "is no message")
        return
    if text_of(message.get("type")) not in {"message", ""}:
        export.told["service"] += 1
        return
    text = _text(message)
    if not text:
        export.told["wordless"] += 1
        return
    # `date` is the wall clock where it was exported, `date_unixtime` the instant.
    moment = (
        wall_with_instant(message.get("date"), message.get("date_unixtime")) or Moment.unknown()
    )
    author = text_of(message.get("from")).strip()
    source = text_of(message.get("forwarded_from")).strip()
    mine = (
        chat.kind == "saved_messages"
        or export.owner.wrote(message, author)
        or export.reading.is_me(author, text_of(message.get("from_id")))
    )
    others = "forwarded_from" in message and not (
        source and (export.reading.is_me(source) or source.casefold() in export.owner.names)
    )
    number = text_of(message.get("id"))
    yield Item(
        key=f"{chat.thread}:{number}"
        if chat.number and number
        else made_key("telegram", moment, moment.iso() or "", author, text),
        medium="chat",
        moment=moment,
        text="" if others else text,
        mine=mine and not others,
        locator=locator,
        author=author,
        title=chat.name,
        recipients=_recipients(export, chat, author, mine=mine),
        thread=chat.thread,
        context=f"{source}: {text}" if others and source else text if others else "",
        labels=_labels(message, forwarded=others),
    )


def _text(message: dict[str, Any]) -> str:
    """Return the words of a message: its text or parts of text, and those of a poll."""
    text = message.get("text")
    parts = text if isinstance(text, list) else [text]
    words = "".join(
        text_of(part.get("text")) if isinstance(part, dict) else text_of(part) for part in parts
    )
    poll = dict_of(message.get("poll"))
    lines = [words, text_of(poll.get("question"))]
    lines += [f"- {text_of(answer.get('text'))}" for answer in dicts_of(poll.get("answers"))]
    return clean_text("\n".join(line for line in lines if line)).strip()


def _recipients(export: _Export, chat: _Chat, author: str, *, mine: bool) -> tuple[str, ...]:
    if chat.name and chat.name != author:
        return (chat.name,)
    return (export.owner.shown,) if export.owner.shown and not mine else ()


def _labels(message: dict[str, Any], *, forwarded: bool) -> tuple[str, ...]:
    attached = any(key in message for key in ("photo", "file", "media_type"))
    known = ((forwarded, "forwarded"), (attached, "attachment"), ("edited" in message, "edited"))
    return tuple(label for holds, label in known if holds)
