"""Posts, comments and chats of a Facebook or Messenger export (JSON)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_kinds
from clone_app.importers.jsonstream import JsonFault, dict_of, dicts_of, text_of
from clone_app.importers.left_out import counted
from clone_app.importers.meta_export import (
    FACEBOOK,
    Owner,
    as_meant,
    instagram_tops,
    is_chat,
    listed,
    product_of,
    read_export,
)
from clone_app.importers.stamps import epoch_moment, made_key
from clone_app.protocols import Claim, Found, Member, Reading

_POSTS = re.compile(
    r"(?:your_posts(?:_.*)?|other_people.*s_posts_to_your_timeline|your_posts_in_groups"
    r"|group_posts_and_comments|your_comments_in_groups|comments|status_updates)(?:_\d+)?\.json"
)
_SHAPE = re.compile(rb'"timestamp"\s*:\s*\d')
_ENTRIES = re.compile(
    rb'"(?:post|comment|attachments|data|title|status_updates|group_\w+|comments\w*)"\s*:'
)
_PAGE = re.compile(r"(?:message_\d+|your_posts.*|comments|start_here|your_information)\.html")
_PAGE_FOLDERS = {"messages", "inbox", "posts", "comments", "comments_and_reactions", "preferences"}
_WALL = re.compile(
    r"(.{1,80}?) (?:wrote on|posted (?:on|to|in)|shared|added|tagged|commented|mentioned)\b"
)
_OTHERS = re.compile(r"other_people")


@dataclass(frozen=True, slots=True)
class Facebook:
    """Read what its owner posted, commented and wrote; others' words on the wall are others'."""

    name: str = FACEBOOK
    title: str = "Facebook / Messenger export (JSON)"
    help: str = (
        "On Facebook: Settings, Your information, Download your information; choose the format JSON. "
        "Choose that zip."
    )
    endings: tuple[str, ...] = (".zip", ".json", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim chats, posts and comments, the profile beside them, and pages to say what to do."""
        kind_of = partial(_kind, tops=instagram_tops(members))
        return claim_kinds(members, kind_of, {"posts": 0.9, "chat": 0.85, "page": 0.85})

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each thing with words, in the order of the files: newest first."""
        yield from read_export(
            members,
            self.name,
            reading,
            kind_of=partial(_kind, tops=instagram_tops(members)),
            profile=_profile,
            things=lambda _, member, owner: _posts(member, owner, reading),
        )


FACEBOOK_EXPORT = Facebook()


def _kind(member: Member, tops: frozenset[str]) -> str:
    name = PurePosixPath(member.path).name.lower()
    ours = product_of(member, frozenset()) == FACEBOOK
    if name.endswith(".html"):
        parts = PurePosixPath(member.path).parts[:-1]
        named = _PAGE.fullmatch(name) and (_PAGE_FOLDERS.intersection(parts) or "start" in name)
        marked = b"facebook" in member.head().lower() or "facebook" in member.locator.lower()
        return "page" if named and marked and ours else ""
    if not name.endswith(".json"):
        return ""
    if name == "profile_information.json":
        return "profile" if b'"profile' in member.head() else ""
    if is_chat(member):
        return "chat" if product_of(member, tops) == FACEBOOK else ""
    head = member.head()
    known = ours and _POSTS.fullmatch(name) and _SHAPE.search(head) and _ENTRIES.search(head)
    return "posts" if known else ""


def _profile(member: Member, owner: Owner) -> Iterator[Found]:
    try:
        with member.open() as stream:
            said = _whole(stream.read(4_000_000))
    except ArchiveError as fault:
        yield ImportProblem(member.locator, str(fault))
        return
    for key in ("profile_v2", "profile"):
        profile = dict_of(said.get(key))
        name = profile.get("name")
        full = (
            as_meant(dict_of(name).get("full_name")) if isinstance(name, dict) else as_meant(name)
        )
        owner.add(full, as_meant(profile.get("username")))
    if owner.name:
        yield Skipped(member.locator, "the profile, whose name tells which messages are yours")
    else:
        yield ImportProblem(
            member.locator,
            "does not name its owner; say who you are, so that your messages are known",
        )


def _whole(data: bytes) -> dict[str, Any]:
    import json

    try:
        return dict_of(json.loads(data.decode("utf-8", "replace"), strict=False))
    except (ValueError, RecursionError):
        return {}


def _posts(member: Member, owner: Owner, reading: Reading) -> Iterator[Found]:
    number, wordless = -1, 0
    try:
        for number, value in listed(member):
            locator = f"{member.locator}#{number}"
            entry = dict_of(value)
            if not entry:
                yield ImportProblem(locator, "is no post and no comment")
                continue
            item = _item(entry, locator, member, owner, reading)
            if item is None:
                wordless += 1
            else:
                yield item
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{number + 1}", str(fault))
    if wordless:
        yield Skipped(
            f"{member.locator}#wordless",
            counted(wordless, "post without words", "posts without words"),
        )
    if number < 0:
        yield Skipped(member.locator, "no posts and no comments in it")


def _item(
    entry: dict[str, Any], locator: str, member: Member, owner: Owner, reading: Reading
) -> Item | None:
    data = dicts_of(entry.get("data"))
    comment = next((found for each in data if (found := dict_of(each.get("comment")))), {})
    title = as_meant(entry.get("title")).strip()
    text = as_meant(comment.get("comment")) or "\n\n".join(_words(entry, data))
    text = text.strip()
    if not text:
        return None
    stamp = comment.get("timestamp", entry.get("timestamp"))
    moment = epoch_moment(stamp) or Moment.unknown()
    others = _OTHERS.search(PurePosixPath(member.path).name.lower()) is not None
    author = as_meant(comment.get("author")).strip()
    if not author and others and (wall := _WALL.match(title)):
        author = wall[1]
    mine = not others or (bool(author) and owner.wrote(author, reading))
    return Item(
        key=made_key(FACEBOOK, moment, text_of(stamp), text),
        medium="post",
        moment=moment,
        text=text,
        mine=mine,
        locator=locator,
        author=author or ("" if others else owner.name),
        title=title,
        recipients=(owner.name,) if others and owner.name else (),
        labels=("comment",) if comment else (),
    )


def _words(entry: dict[str, Any], data: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what was written: the post, else what is said of its pictures, each text once."""
    seen: set[str] = set()
    words = [as_meant(each.get("post")).strip() for each in data]
    if not any(words):
        parts = [
            part
            for attached in dicts_of(entry.get("attachments"))
            for part in dicts_of(attached.get("data"))
        ]
        words = [as_meant(dict_of(part.get("media")).get("description")).strip() for part in parts]
    for each in words:
        if each and each not in seen:
            seen.add(each)
            yield each
