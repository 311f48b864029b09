"""The messages of a Discord data package: one's own only, a folder a channel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.csvrows import CsvFault, header, rows
from clone_app.importers.jsonstream import (
    JsonFault,
    branches,
    dict_of,
    dicts_of,
    elements,
    list_of,
    text_of,
)
from clone_app.importers.left_out import counted
from clone_app.importers.stamps import iso_moment, made_key
from clone_app.protocols import Claim, Found, Member, Reading

# Newer packages name their folders in the owner's language, so only the channel's number is known.
_CHANNEL = re.compile(
    r"(?P<root>(?:.*/)?)c?(?P<number>\d{5,22})/(?P<name>messages|channel)\.(?:json|csv)"
)
_SHAPE = re.compile(rb'\s*\[\s*(?:\]|\{\s*"(?:ID|Timestamp)"\s*:)')
_COLUMNS = ("id", "timestamp", "contents")
_DIRECT = re.compile(r"Direct Message with (.+?)(?:#0)?")
_EMOJI = re.compile(r"<a?(:\w{2,40}:)\d{5,22}>")
_MENTION = re.compile(r"<@!?(\d{5,22})>")
_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Discord:
    """Read what the owner of a package wrote: Discord puts nobody else's words into it."""

    name: str = "discord"
    title: str = "Discord data package"
    help: str = (
        "In Discord: User Settings, Data & Privacy, Request all of my data. Choose that zip."
    )
    endings: tuple[str, ...] = (".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim the channels' messages, and what says how channels and people are called."""
        kinds = _kinds(members)
        return Claim(0.95, frozenset(kinds)) if "messages" in kinds.values() else None

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each message with words, the newest first as they lie in the package."""
        kinds = _kinds(members)
        package = _Package()
        for kind in ("user", "index", "channel"):
            for member in members:
                if kinds.get(member.path) == kind:
                    yield from package.learn(member, kind)
        for member in members:
            if kinds.get(member.path, "messages") == "messages":
                yield from _messages(member, package)


DISCORD = Discord()


def _kinds(members: Sequence[Member]) -> dict[str, str]:
    """Return what the files of a package are; none where no channel is in it."""
    kinds: dict[str, str] = {}
    roots: set[str] = set()
    for member in members:
        found = _CHANNEL.fullmatch(member.path)
        if found and found["name"] == "channel" and b'"id"' in member.head():
            kinds[member.path] = "channel"
        elif found and found["name"] == "messages" and _holds_messages(member):
            kinds[member.path] = "messages"
            roots.add(found["root"])
    for member in members:
        pure = PurePosixPath(member.path)
        if pure.name == "index.json" and member.path.removesuffix("index.json") in roots:
            kinds[member.path] = "index"
        elif pure.name == "user.json" and roots and b'"username"' in member.head():
            kinds[member.path] = "user"
    return kinds if roots else {}


def _holds_messages(member: Member) -> bool:
    if member.path.endswith(".csv"):
        return bool(header(member, *_COLUMNS))
    return _SHAPE.match(member.head()) is not None


@dataclass(slots=True)
class _Package:
    """Know how channels and people are called."""

    owner: str = ""
    owner_id: str = ""
    people: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    recipients: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def learn(self, member: Member, kind: str) -> Iterator[Found]:
        try:
            with member.open() as stream:
                said = {str(way[0]): value for way, value in branches(stream, {()}) if way}
        except (JsonFault, ArchiveError) as fault:
            yield ImportProblem(member.locator, str(fault))
            return
        if kind == "user":
            self._user(said)
        elif kind == "index":
            self.titles |= {key: text_of(value) for key, value in said.items() if text_of(value)}
        else:
            self._channel(said)
        yield Skipped(member.locator, "names of channels and people, no messages")

    def _user(self, said: dict[str, Any]) -> None:
        self.owner = text_of(said.get("global_name")) or text_of(said.get("username"))
        self.owner_id = text_of(said.get("id"))
        for relation in dicts_of(said.get("relationships")):
            person = dict_of(relation.get("user"))
            number = text_of(person.get("id")) or text_of(relation.get("id"))
            self.people[number] = text_of(person.get("global_name")) or text_of(
                person.get("username")
            )

    def _channel(self, said: dict[str, Any]) -> None:
        number = text_of(said.get("id"))
        name, guild = text_of(said.get("name")), text_of(dict_of(said.get("guild")).get("name"))
        if name and number not in self.titles:
            self.titles[number] = f"{name} in {guild}" if guild else name
        others = (text_of(each) for each in list_of(said.get("recipients")))
        names = (self.people.get(each, "") for each in others if each != self.owner_id)
        self.recipients[number] = tuple(name for name in names if name)

    def named(self, text: str) -> str:
        """Return a text with emojis and people as they were typed, not as numbers."""
        text = _EMOJI.sub(r"\1", text)
        return _MENTION.sub(
            lambda found: f"@{name}" if (name := self.people.get(found[1])) else found[0], text
        )


def _messages(member: Member, package: _Package) -> Iterator[Found]:
    found = _CHANNEL.fullmatch(member.path)
    channel = found["number"] if found else ""
    number, wordless = -1, 0
    try:
        for number, row in enumerate(_rows(member)):
            locator = f"{member.locator}#{number}"
            if row is None:
                yield ImportProblem(locator, "is no message")
                continue
            item = _item(row, locator, channel, package)
            wordless += item is None
            if item is not None:
                yield item
    except (JsonFault, CsvFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{number + 1}", str(fault))
        return
    if wordless:
        yield Skipped(
            f"{member.locator}#wordless",
            counted(wordless, "picture or file without words", "pictures and files without words"),
        )
    if number < 0:
        yield Skipped(member.locator, "no messages in it")


def _rows(member: Member) -> Iterator[dict[str, str] | None]:
    if member.path.lower().endswith(".csv"):
        for row in rows(member, *_COLUMNS):
            yield {name: row[name] for name in (*_COLUMNS, "attachments")}
        return
    for value in elements(member):
        message = dict_of(value)
        small = {key.casefold(): text_of(each) for key, each in message.items()}
        yield small if "contents" in small or "id" in small else None


def _item(row: dict[str, str], locator: str, channel: str, package: _Package) -> Item | None:
    text = clean_text(package.named(row.get("contents", ""))).strip()
    if not text:
        return None
    number = row.get("id", "")
    moment = _moment(row.get("timestamp", ""), number)
    title = package.titles.get(channel, "")
    direct = _DIRECT.fullmatch(title)
    to = package.recipients.get(channel) or ((direct[1] if direct else title),)
    return Item(
        key=f"discord:{number}"
        if number
        else made_key("discord", moment, moment.iso() or "", text),
        medium="chat",
        moment=moment,
        text=text,
        mine=True,
        locator=locator,
        author=package.owner,
        title=title,
        recipients=tuple(name for name in to if name),
        thread=f"discord:{channel}",
        labels=("attachment",) if row.get("attachments") else (),
    )


def _moment(stamp: str, number: str) -> Moment:
    """Return when a message was written: its stamp, in UTC, or the time its number was given out."""
    moment = iso_moment(stamp)
    if moment is not None and moment.local is not None:
        offset = timedelta(0) if moment.offset is None else moment.offset
        return Moment(moment.local, moment.precision, offset)
    if number.isdecimal() and 16 <= len(number) <= 20:
        when = _EPOCH + timedelta(seconds=(int(number) >> 22) // 1000)
        return Moment.of(when)
    return Moment.unknown()
