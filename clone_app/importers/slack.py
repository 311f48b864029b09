"""The channels and messages of a Slack workspace export: a folder a channel, a file a day."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.jsonstream import JsonFault, dict_of, dicts_of, elements, list_of, text_of
from clone_app.importers.left_out import left_out
from clone_app.importers.stamps import epoch_moment, made_key
from clone_app.importers.zones import in_zone
from clone_app.protocols import Claim, Found, Member, Reading

_DAY = re.compile(r"(?P<root>(?:.*/)?)(?P<channel>[^/]+)/\d{4}-\d{2}-\d{2}\.json")
_SHAPE = re.compile(rb'"ts"\s*:\s*"\d{9,10}\.\d{6}"|"client_msg_id"\s*:')
_LISTS = ("users.json", "channels.json", "groups.json", "dms.json", "mpims.json")
_SPOKEN = {"", "me_message", "thread_broadcast", "file_share", "file_comment", "bot_message"}
_MARK = re.compile(r"<([@#!]?)([^<>|\n]{1,2000})(?:\|([^<>\n]{0,2000}))?>")
_ALONE = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
_TOLD = {
    "program": (
        "note of the program on members, names and pins",
        "notes of the program on members, names and pins",
    ),
    "wordless": ("picture or file without words", "pictures and files without words"),
}


@dataclass(frozen=True, slots=True)
class Slack:
    """Read what was written in a workspace; mine is what is signed with the user's name or address."""

    name: str = "slack"
    title: str = "Slack export"
    help: str = (
        "In Slack: Workspace settings, Import/Export Data, Export; the workspace's owner can. Choose "
        "that zip."
    )
    endings: tuple[str, ...] = (".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim the days of channels, and the lists of people and channels above them."""
        days = {
            member.path: found["root"]
            for member in members
            if (found := _DAY.fullmatch(member.path)) and _SHAPE.search(member.head())
        }
        lists = {f"{root}{name}" for root in set(days.values()) for name in _LISTS}
        known = lists.intersection(member.path for member in members)
        alone = {
            member.path
            for member in members
            if _ALONE.fullmatch(member.path) and _SHAPE.search(member.head())
        }
        if not days and not alone:
            return None
        return Claim(0.95 if known else 0.85, frozenset(days) | alone | known)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each message with words, then what had none, counted by file."""
        space = _Workspace()
        days = []
        for member in members:
            if PurePosixPath(member.path).name in _LISTS:
                yield from space.learn(member)
            else:
                days.append(member)
        for member in days:
            if _ALONE.fullmatch(member.path):
                yield ImportProblem(
                    member.locator,
                    "is a day without its channel; choose the folder above, in which users.json lies",
                )
            else:
                yield from _day(member, space, reading)


SLACK = Slack()


@dataclass(frozen=True, slots=True)
class _Person:
    """Hold what the list of users says of one."""

    shown: str
    names: tuple[str, ...] = ()
    zone: str = ""


@dataclass(slots=True)
class _Workspace:
    """Know the people and channels of a workspace by their ids."""

    people: dict[str, _Person] = field(default_factory=dict)
    channels: dict[str, str] = field(default_factory=dict)
    members: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def learn(self, member: Member) -> Iterator[Found]:
        try:
            for value in elements(member):
                said = dict_of(value)
                if PurePosixPath(member.path).name == "users.json":
                    self.people[text_of(said.get("id"))] = _person(said)
                else:
                    self._channel(said)
        except (JsonFault, ArchiveError) as fault:
            yield ImportProblem(member.locator, str(fault))
            return
        yield Skipped(member.locator, "names of channels and people, no messages")

    def _channel(self, said: dict[str, Any]) -> None:
        number = text_of(said.get("id"))
        name = text_of(said.get("name")) or number
        self.channels[name] = number
        self.members[name] = tuple(text_of(each) for each in list_of(said.get("members")))

    def person(self, message: dict[str, Any]) -> _Person:
        """Return who wrote a message, as the list or else the message itself says."""
        number = text_of(message.get("user"))
        if number in self.people:
            return self.people[number]
        profile = dict_of(message.get("user_profile"))
        if profile:
            return _person({"id": number, "profile": profile})
        name = text_of(message.get("username")) or text_of(
            dict_of(message.get("bot_profile")).get("name")
        )
        return _Person(name or number)

    def is_direct(self, channel: str) -> bool:
        """Tell whether a folder holds a talk of two or a few, which has no name of its own."""
        return channel == self.channels.get(channel) or channel.startswith("mpdm-")

    def others(self, channel: str, author: str) -> tuple[str, ...]:
        names = (
            self.people[each].shown for each in self.members.get(channel, ()) if each in self.people
        )
        return tuple(name for name in names if name and name != author)

    def plain(self, text: str) -> str:
        """Return text with the names of people and channels in place of their ids."""
        return html.unescape(_MARK.sub(self._mark, text))

    def _mark(self, found: re.Match[str]) -> str:
        sign, target, label = found[1], found[2], found[3]
        if sign == "@":
            person = self.people.get(target)
            return f"@{label or (person.shown if person else target)}"
        if sign == "#":
            names = (name for name, number in self.channels.items() if number == target)
            return f"#{label or next(names, target)}"
        if sign == "!":
            return label or f"@{target.partition('^')[0]}"
        return label or target.removeprefix("mailto:")


def _person(said: dict[str, Any]) -> _Person:
    profile = dict_of(said.get("profile"))
    keys = ("real_name", "display_name", "name", "email")
    names = [text_of(source.get(key)).strip() for key in keys for source in (profile, said)]
    names = [name for name in dict.fromkeys(names) if name]
    number = text_of(said.get("id"))
    return _Person(names[0] if names else number, (*names, number), text_of(said.get("tz")))


def _day(member: Member, space: _Workspace, reading: Reading) -> Iterator[Found]:
    found = _DAY.fullmatch(member.path)
    channel = found["channel"] if found else ""
    told: Counter[str] = Counter()
    index = -1
    try:
        for index, value in enumerate(elements(member)):
            locator = f"{member.locator}#{index}"
            message = dict_of(value)
            if not message:
                yield ImportProblem(locator, "is no message")
                continue
            if text_of(message.get("subtype")) not in _SPOKEN:
                told["program"] += 1
                continue
            item = _item(message, locator, channel, space, reading)
            if item is None:
                told["wordless"] += 1
            else:
                yield item
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
    yield from left_out(member, told, _TOLD)
    if index < 0:
        yield Skipped(member.locator, "no messages in it")


def _item(
    message: dict[str, Any], locator: str, channel: str, space: _Workspace, reading: Reading
) -> Item | None:
    text = clean_text(space.plain(text_of(message.get("text")))).strip()
    shared = "\n\n".join(
        words
        for each in dicts_of(message.get("attachments"))
        if (words := clean_text(space.plain(text_of(each.get("text")))).strip())
    )
    if not text and not shared:
        return None
    stamp = text_of(message.get("ts"))
    person = space.person(message)
    moment = in_zone(epoch_moment(stamp) or Moment.unknown(), person.zone)
    number = space.channels.get(channel) or channel
    direct = space.is_direct(channel)
    others = space.others(channel, person.shown)
    return Item(
        key=f"slack:{number}:{stamp}"
        if stamp
        else made_key("slack", moment, number, person.shown, text, shared),
        medium="chat",
        moment=moment,
        text=text,
        mine=bool(text) and reading.is_me(person.shown, *person.names),
        locator=locator,
        author=person.shown,
        title=", ".join(space.others(channel, "")) if direct and others else f"#{channel}",
        recipients=others if direct and others else (f"#{channel}",),
        thread=f"slack:{number}",
        context=shared,
        labels=("attachment",) if message.get("files") else (),
    )
