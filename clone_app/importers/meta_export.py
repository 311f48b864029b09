r"""What exports of Facebook and Instagram have in common: their broken letters, chats and places.

They write UTF-8 as if each byte were a letter: `caf\u00c3\u00a9`. The same chat file comes from both,
so where it lies says whose it is. Layouts of before 2022, of 2022 and of 2024 differ in folders only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.jsonstream import JsonFault, branches, dict_of, list_of, text_of
from clone_app.importers.left_out import left_out
from clone_app.importers.stamps import epoch_moment, made_key
from clone_app.protocols import Found, Member, Reading

_FAR = 1e16
FACEBOOK, INSTAGRAM = "facebook", "instagram"
_MESSAGE = re.compile(
    rb'"sender_name"\s*:|"senderName"\s*:|"thread_path"\s*:'
    rb'|"participants"\s*:\s*\[\s*\{\s*"name"\s*:|"participants"\s*:\s*\["[^]]*\],\s*"threadName"\s*:'
)
_TIMED = re.compile(rb'"timestamp_ms"\s*:|"timestamp"\s*:|"participants"\s*:')
_NUMBER = re.compile(r"(?<=_)\d+$")
_CHAT_NAME = re.compile(r"message(?:_\d+)?\.json")
# Folders only Instagram's exports have at their top (Facebook's of 2024 name Facebook itself).
_INSTAGRAM_TOPS = {"content", "personal_information", "connections", "followers_and_following"}
_NOTES = re.compile(
    r"(?:.{1,80} sent an? (?:attachment|photo|video|sticker|voice message|gif|link|location)\."
    r"|You sent an? (?:attachment|photo|video)\.|(?:.{1,80} )?[Ll]iked a message"
    r"|(?:.{1,80} )?[Rr]eacted .{1,12} to (?:your|a|their|his|her) message ?"
    r"|.{1,80} (?:missed your|started an? (?:audio|video)) ?(?:call|chat)?.*"
    r"|.{1,80} hat (?:einen Anhang|ein Foto|ein Video) gesendet\."
    r"|(?:Hat|.{1,80} hat) mit .{1,12} auf (?:deine|eine|Ihre) Nachricht reagiert ?"
    r"|.{1,80} a envoyé une pièce jointe\.|A réagi .{1,12} à votre message ?"
    r"|.{1,80} envió un archivo adjunto\.|Reaccionó con .{1,12} a tu mensaje ?)"
)
_TOLD = {
    "program": (
        "note of the program on calls, likes and members",
        "notes of the program on calls, likes and members",
    ),
    "wordless": (
        "picture, sound, link or sticker without words, or message taken back",
        "pictures, sounds, links and stickers without words, or messages taken back",
    ),
}


def as_meant(value: object) -> str:
    """Return a text whose UTF-8 was read as Latin-1 as it was meant; a right one stays.

    `naïve` read right is no UTF-8, so it is told from `naÃ¯ve` and needs no statistics.
    """
    text = text_of(value)
    if not text.isascii():
        try:
            text = text.encode("latin-1").decode("utf-8")
        except UnicodeError:
            return text
    return clean_text(text)


def instagram_tops(members: Sequence[Member]) -> frozenset[str]:
    """Return the folders in which an Instagram export lies, by what else lies there."""
    tops = set()
    for member in members:
        parts = PurePosixPath(member.path).parts
        for depth, part in enumerate(parts[:-1]):
            if part in _INSTAGRAM_TOPS:
                tops.add("/".join(parts[:depth]))
    return frozenset(tops)


def product_of(member: Member, tops: frozenset[str]) -> str:
    """Return whose export a file belongs to: as its folders or its archive are called, or lie."""
    place = member.locator.lower()
    named = {name: place.rfind(name) for name in (FACEBOOK, INSTAGRAM)}
    if max(named.values()) >= 0:
        return max(named, key=lambda name: named[name])
    parts = PurePosixPath(member.path).parts
    top = "/".join(parts[: parts.index("messages")]) if "messages" in parts else ""
    return INSTAGRAM if top in tops else FACEBOOK


def is_chat(member: Member) -> bool:
    """Tell whether a file holds messages of one of the two."""
    if not member.path.lower().endswith(".json"):
        return False
    head = member.head()
    if _MESSAGE.search(head) and _TIMED.search(head):
        return (
            b'"messages"' in head
            or _CHAT_NAME.fullmatch(PurePosixPath(member.path).name) is not None
        )
    return False


def page_problems(members: Sequence[Member], product: str) -> Iterator[Found]:
    """Name the pages of an export for reading: the first with what to do, the others listed."""
    for number, member in enumerate(members):
        if number:
            yield Skipped(member.locator, "a page for reading, as the first one")
        else:
            yield ImportProblem(
                member.locator,
                f"is {product.capitalize()}'s export for reading (HTML); request it again and choose "
                "the format JSON",
            )


@dataclass(slots=True)
class Owner:
    """Hold what an export says of the one whose it is."""

    name: str = ""
    names: set[str] = field(default_factory=set)

    def add(self, *names: str) -> None:
        """Take names, the one to be shown first."""
        known = [name.strip() for name in names if name.strip()]
        self.name = self.name or (known[0] if known else "")
        self.names.update(name.casefold() for name in known)

    def wrote(self, author: str, reading: Reading) -> bool:
        """Tell whether a name is the owner's, by the export or by what the user said."""
        return author.strip().casefold() in self.names or reading.is_me(author)


@dataclass(frozen=True, slots=True)
class _Thread:
    """Hold what stands around the messages of a file.

    `talk` tells the chat from others in every export: both names, or a group's number, else its name.
    """

    path: str
    title: str
    people: tuple[str, ...]
    talk: tuple[str, ...]


def chat_items(member: Member, source: str, owner: Owner, reading: Reading) -> Iterator[Found]:
    """Yield an item for each message with words of a `message_1.json`, then what had none, counted.

    The thread's name stands behind its messages, so the file is read twice, each time as a stream.
    """
    told: Counter[str] = Counter()
    index = -1
    try:
        thread = _thread_of(member, source)
        with member.open() as stream:
            for way, value in branches(stream, {(), ("messages",)}):
                if len(way) == 2 and isinstance(way[1], int):
                    index = way[1]
                    locator = f"{member.locator}#{index}"
                    yield from _message(
                        dict_of(value), locator, source, thread, owner, reading, told
                    )
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
    yield from left_out(member, told, _TOLD)
    if index < 0:
        yield Skipped(member.locator, "no messages in it")


def _forced_kind(member: Member) -> str:
    """Return what to read a file as that was named to be of one of these sources."""
    if not member.path.lower().endswith(".json"):
        return ""
    return "chat" if is_chat(member) else "posts"


def read_export(
    members: Sequence[Member],
    source: str,
    reading: Reading,
    *,
    kind_of: Callable[[Member], str],
    profile: Callable[[Member, Owner], Iterator[Found]],
    things: Callable[[str, Member, Owner], Iterator[Found]],
) -> Iterator[Found]:
    """Yield what an export holds: who its owner is, pages to say what to do, then chats and the rest.

    `kind_of` says of each file whether it is a "profile", a "page", a "chat", nothing (""), or one of
    the `things` that Facebook and Instagram each have their own form of.
    """
    kinds = [(kind_of(member) or _forced_kind(member), member) for member in members]
    owner = Owner()
    for kind, member in kinds:
        if kind == "profile":
            yield from profile(member, owner)
    yield from page_problems([member for kind, member in kinds if kind == "page"], source)
    for kind, member in kinds:
        if kind == "chat":
            yield from chat_items(member, source, owner, reading)
        elif kind not in {"", "profile", "page"}:
            yield from things(kind, member, owner)


def _thread_of(member: Member, source: str) -> _Thread:
    """Return what a file says of its thread; one that breaks off says what came before that."""
    said: dict[str, Any] = {}
    try:
        with member.open() as stream:
            for way, value in branches(stream, {(), ("messages",)}):
                if len(way) == 1:
                    said[str(way[0])] = value
    except JsonFault:
        pass
    parts = PurePosixPath(member.path).parts
    folder = "/".join(parts[-3:-1]) if "messages" in parts else ""
    people = [
        as_meant(dict_of(each).get("name") if isinstance(each, dict) else each).strip()
        for each in list_of(said.get("participants"))
    ]
    people = [name for name in people if name]
    title = as_meant(said.get("title")) or as_meant(said.get("threadName")).rpartition("_")[0]
    title = title.strip()
    place = text_of(said.get("thread_path")) or folder
    path = text_of(said.get("thread_path")) or text_of(said.get("threadName")) or folder or title
    # A group may be renamed and lose members; the number behind an encrypted chat only counts files.
    number = _NUMBER.search(place) if len(people) > 2 or title not in ("", *people) else None
    if number:
        talk: tuple[str, ...] = (number[0],)
    elif 0 < len(people) < 3 and (not title or title in people):
        talk = tuple(sorted(people))
    else:
        talk = (title or place,)
    return _Thread(f"{source}:{path}", title, tuple(people), talk)


def _message(
    message: dict[str, Any],
    locator: str,
    source: str,
    thread: _Thread,
    owner: Owner,
    reading: Reading,
    told: Counter[str],
) -> Iterator[Found]:
    if not message:
        yield ImportProblem(locator, "is no message")
        return
    text = (as_meant(message.get("content")) or as_meant(message.get("text"))).strip()
    shared = as_meant(dict_of(message.get("share")).get("share_text")).strip()
    kind = text_of(message.get("type"))
    if "call_duration" in message or kind in {"Call", "Subscribe", "Unsubscribe"}:
        told["program"] += 1
        return
    if _NOTES.fullmatch(text):
        told["wordless" if shared or _attached(message) else "program"] += 1
        if not shared:
            return
        text = ""
    if message.get("is_unsent") is True or message.get("isUnsent") is True or not (text or shared):
        told["wordless"] += 1
        return
    stamp = message.get("timestamp_ms", message.get("timestamp"))
    moment = millis_moment(stamp)
    author = (as_meant(message.get("sender_name")) or as_meant(message.get("senderName"))).strip()
    mine = owner.wrote(author, reading)
    yield Item(
        key=made_key(source, moment, text_of(stamp), author, text, shared, *thread.talk),
        medium="chat",
        moment=moment,
        text=text,
        mine=mine and bool(text),
        locator=locator,
        author=author,
        title=thread.title,
        recipients=tuple(name for name in thread.people if name != author),
        thread=thread.path,
        context=shared,
        labels=("attachment",) if _attached(message) else (),
    )


def _attached(message: dict[str, Any]) -> bool:
    kinds = ("photos", "videos", "audio_files", "files", "gifs", "sticker", "share", "media")
    return any(message.get(kind) for kind in kinds)


def millis_moment(value: object) -> Moment:
    """Return the moment of milliseconds since 1970, without its fraction of a second."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > _FAR:
        return Moment.unknown()
    return epoch_moment(value / 1000) or Moment.unknown()


class _Lists(Container[tuple[str, ...]]):
    """Open the lists in which these exports keep things: at the top, or one or two names down."""

    def __contains__(self, place: object) -> bool:
        return isinstance(place, tuple) and "*" not in place and len(place) < 3


def listed(member: Member) -> Iterator[tuple[int, Any]]:
    """Yield the things of a file with their numbers: a list, or the lists of an object.

    Raises `JsonFault` and `ArchiveError`.
    """
    number = 0
    with member.open() as stream:
        for way, value in branches(stream, _Lists()):
            if way and isinstance(way[-1], int):
                yield number, value
                number += 1
