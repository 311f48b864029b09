"""Posts from a Mastodon export: `outbox.json`, and `actor.json` beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text, content_hash
from clone_app.errors import ArchiveError
from clone_app.importers.jsonstream import (
    JsonFault,
    dict_of,
    dicts_of,
    list_of,
    pairs,
    text_of,
)
from clone_app.importers.left_out import counted
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".json"
_LIST = "orderedItems"
_PUBLIC = {"https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"}
_ACTIVITY = re.compile(rb'"type"\s*:\s*"(?:Create|Announce)"')
_COLLECTION = re.compile(rb'"type"\s*:\s*"OrderedCollection(?:Page)?"')
_ACTOR = re.compile(rb'"type"\s*:\s*"(?:Person|Service|Application)"')
_NOTES = {"Note", "Question", "Article", "Page", "Video", "Audio", "Event"}


@dataclass(frozen=True, slots=True)
class Mastodon:
    """Read the posts, boosts and direct messages of a Mastodon export."""

    name: str = "mastodon"
    title: str = "Mastodon export"
    help: str = (
        "On Mastodon: Preferences, Import and export, Request your archive. "
        "Choose that zip or tar.gz."
    )
    endings: tuple[str, ...] = (".zip", ".tar.gz", _ENDING, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim outboxes, by what is in them, and the files that say whose they are."""
        outboxes = {member.path for member in members if _is_outbox(member)}
        if not outboxes:
            return None
        actors = {member.path for member in members if _is_actor(member)}
        return Claim(0.95, frozenset(outboxes | actors))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each post, message and boost."""
        authors: dict[str, str] = {}
        outboxes = []
        for member in members:
            if _is_actor(member):
                yield from _read_actor(member, authors)
            else:
                outboxes.append(member)
        for member in outboxes:
            yield from _outbox(member, authors)


MASTODON = Mastodon()


def _is_outbox(member: Member) -> bool:
    if not member.path.lower().endswith(_ENDING):
        return False
    head = member.head()
    named = PurePosixPath(member.path).name.lower().startswith("outbox")
    return bool(_COLLECTION.search(head)) and (named or bool(_ACTIVITY.search(head)))


def _is_actor(member: Member) -> bool:
    name = PurePosixPath(member.path).name.lower()
    head = member.head()
    return name.startswith("actor") and name.endswith(_ENDING) and bool(_ACTOR.search(head))


def _read_actor(member: Member, authors: dict[str, str]) -> Iterator[Found]:
    try:
        about = dict(pairs(member, streamed=""))
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(member.locator, str(fault))
        return
    address, name = text_of(about.get("id")), text_of(about.get("preferredUsername"))
    host = _host(address)
    if name:
        authors[address] = authors[""] = f"@{name}@{host}" if host else f"@{name}"


def _outbox(member: Member, authors: dict[str, str]) -> Iterator[Found]:
    index, others = -1, Counter[str]()
    try:
        for key, value in pairs(member, streamed=_LIST):
            if key != _LIST:
                continue
            index += 1
            activity = dict_of(value)
            locator = f"{member.locator}#{index}"
            match text_of(activity.get("type")):
                case "Create":
                    yield _post(activity, locator, authors)
                case "Announce":
                    yield _boost(activity, locator)
                case "":
                    yield ImportProblem(locator, "is no activity")
                case kind:
                    others[kind[:40]] += 1
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
        return
    for kind, count in sorted(others.items()):
        yield Skipped(
            f"{member.locator}#{kind}",
            counted(count, "activity that is no post", "activities that are no posts"),
        )
    if index < 0:
        yield Skipped(member.locator, "no posts in it")


def _post(activity: dict[str, Any], locator: str, authors: dict[str, str]) -> Found:
    note = dict_of(activity.get("object"))
    if text_of(note.get("type")) not in _NOTES:
        return ImportProblem(locator, "is no post, or one kept elsewhere")
    text = _words(note)
    title = clean_text(text_of(note.get("summary")) or text_of(note.get("name"))).strip()
    if not text:
        return Skipped(locator, "a post without words")
    actor = text_of(activity.get("actor")) or text_of(note.get("attributedTo"))
    moment = _moment(note.get("published")) or _moment(activity.get("published"))
    tags = dicts_of(note.get("tag"))
    moment = moment or Moment.unknown()
    return Item(
        key=text_of(note.get("id")) or text_of(activity.get("id")) or _made_key(moment, text),
        medium="chat" if _is_direct(activity, note) else "post",
        moment=moment,
        text=text,
        mine=True,
        locator=locator,
        author=authors.get(actor) or authors.get("") or _author(actor),
        title=title,
        recipients=_recipients(tags, note),
        thread=text_of(note.get("conversation")) or text_of(note.get("inReplyTo")),
        labels=_labels(tags),
    )


def _boost(activity: dict[str, Any], locator: str) -> Found:
    """Return a boost: another person's post, of which an export mostly keeps the address alone."""
    inner = activity.get("object")
    note = dict_of(inner)
    address = text_of(inner) or text_of(note.get("id"))
    text = _words(note) or address
    if not text:
        return ImportProblem(locator, "is a boost of nothing")
    moment = _moment(activity.get("published")) or Moment.unknown()
    return Item(
        key=text_of(activity.get("id")) or _made_key(moment, text),
        medium="post",
        moment=moment,
        text=text,
        mine=False,
        locator=locator,
        author=_author(text_of(note.get("attributedTo")) or address),
    )


def _words(note: dict[str, Any]) -> str:
    """Return what a post says: its text, its poll's options, what it says of its pictures."""
    from clone_app.importers.html import to_text  # late: it loads lxml

    blocks = [to_text(text_of(note.get("content"))).strip()]
    options = dicts_of(note.get("oneOf")) or dicts_of(note.get("anyOf"))
    blocks.append("\n".join(f"- {name}" for option in options if (name := _name(option))))
    blocks += [name for picture in dicts_of(note.get("attachment")) if (name := _name(picture))]
    return clean_text("\n\n".join(block for block in blocks if block)).strip()


def _name(part: dict[str, Any]) -> str:
    return text_of(part.get("name")).strip()


def _is_direct(activity: dict[str, Any], note: dict[str, Any]) -> bool:
    """Tell whether a post went to named persons alone, not to the public or to followers."""
    audience = [
        text_of(address)
        for part in (activity, note)
        for place in ("to", "cc")
        for address in (list_of(part.get(place)) or [part.get(place)])
    ]
    return any(audience) and not any(
        address in _PUBLIC or address.rstrip("/").endswith("/followers") for address in audience
    )


def _recipients(tags: list[dict[str, Any]], note: dict[str, Any]) -> tuple[str, ...]:
    """Return whom a post speaks to: the persons it mentions, and who wrote what it answers."""
    names = [
        _full_name(tag) for tag in tags if text_of(tag.get("type")) == "Mention" and _name(tag)
    ]
    answered = text_of(note.get("inReplyTo"))
    if answered and not names:
        names.append(_author(answered))
    return tuple(dict.fromkeys(name for name in names if name))


def _full_name(mention: dict[str, Any]) -> str:
    name = _name(mention)
    if name.count("@") > 1:
        return name
    host = _host(text_of(mention.get("href")))
    return f"{name}@{host}" if host else name


def _labels(tags: list[dict[str, Any]]) -> tuple[str, ...]:
    names = (_name(tag).lstrip("#") for tag in tags if text_of(tag.get("type")) == "Hashtag")
    return tuple(dict.fromkeys(name for name in names if name))


def _author(address: str) -> str:
    """Return `@name@host` of an address like `https://host/users/name/statuses/1`, or the host."""
    host = _host(address)
    try:
        parts = [part for part in urlsplit(address).path.split("/") if part]
    except ValueError:
        parts = []
    for before, part in zip(["", *parts], parts, strict=False):
        if part.startswith("@") and len(part) > 1:
            return f"{part}@{host}" if part.count("@") == 1 else part
        if before in {"users", "u", "profile", "accounts"}:
            return f"@{part}@{host}"
    return host


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _moment(value: object) -> Moment | None:
    try:
        return Moment.of(datetime.fromisoformat(text_of(value)[:40]).replace(microsecond=0))
    except (ValueError, OverflowError):
        return None


def _made_key(moment: Moment, text: str) -> str:
    day = moment.day()
    return f"mastodon:{day.isoformat() if day else 'undated'}:{content_hash(text)}"
