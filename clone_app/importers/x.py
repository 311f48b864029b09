"""Posts from an X (Twitter) archive, of any of the forms it has had since 2012."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text, content_hash
from clone_app.errors import ArchiveError
from clone_app.importers.jsonstream import JsonFault, dict_of, dicts_of, elements, text_of
from clone_app.importers.x_messages import Correspondence, Handles, likes, messages
from clone_app.importers.x_notes import LEADING, Notes, expanded, links, posted
from clone_app.protocols import Claim, Found, Member, Reading

# `window.YTD.tweets.part0 = [`, before 2022 `window.YTD.tweet.part0`, before 2018
# `Grailbird.data.tweets_2013_05 =`.
_YTD = re.compile(rb"\s*window\.YTD\.(\w+)\.part\d+\s*=")
_GRAILBIRD = re.compile(rb"\s*Grailbird\.data\.tweets_\d{4}_\d{2}\s*=")
_DETAILS = re.compile(rb"\s*var\s+user_details\s*=")
_API_LIST = re.compile(rb"\s*\[\s*\{")
_POSTS = {b"tweet", b"tweets", b"community_tweet"}
_MESSAGES = {
    f"direct_message{plural}{group}".encode() for plural in ("", "s") for group in ("", "_group")
}
_NAMES = ("tweet", "account", "note", "user_details", "community", "direct", "like")
_THINGS = {"posts", "month", "api", "notes", "messages", "likes"}
_REPOST = re.compile(r"RT @(\w{1,20}):? ?(.*)", re.DOTALL)
_COMMENTED = re.compile(r"(.*?\S)\s+(RT @\w{1,20}:? .*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class XArchive:
    """Read the posts, reposts, direct messages and likes of an X archive."""

    name: str = "x"
    title: str = "X / Twitter archive"
    help: str = "On X: Settings, Your account, Download an archive of your data. Choose that zip."
    endings: tuple[str, ...] = (".zip", ".js", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim what holds posts, and beside these what says whose they are."""
        kinds = {member.path: kind for member in members if (kind := _kind(member))}
        if not _THINGS.intersection(kinds.values()):
            return None
        return Claim(0.95, frozenset(kinds))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each post; long posts get their full text from the notes file."""
        account, notes, handles = _Account(), Notes(), Handles()
        files: list[tuple[str, Member]] = []
        for member in members:
            kind = _kind(member)
            if kind in {"account", "details"}:
                yield from account.read(member, kind)
            elif kind == "notes":
                yield from notes.read(member)
            else:
                files.append((kind, member))
        for kind, member in files:
            if kind not in {"messages", "likes"}:
                yield from _posts(kind, member, account, notes, handles, reading)
        for note in notes.left():
            yield Item(
                key=note.id or _made_key(note.created, note.text), medium="post",
                moment=note.created, text=note.text, mine=True, locator=note.locator,
                author=account.author, labels=note.labels,
            )  # fmt: skip
        if account.number and account.author:
            handles.names[account.number] = account.author
        for kind, member in files:
            if kind == "messages":
                yield from messages(member, Correspondence(account.number, handles, reading))
            elif kind == "likes":
                yield from likes(member)


X = XArchive()


def _kind(member: Member) -> str:
    """Return what a member is to this importer, nothing if no part of an archive."""
    name = PurePosixPath(member.path).name.lower()
    if not name.endswith((".js", ".json")):
        return ""
    if name.endswith(".js") and not name.startswith(_NAMES) and not name[:4].isdigit():
        return ""  # an archive has dozens of files on advertisements; their heads need no look
    head = member.head().removeprefix(b"\xef\xbb\xbf")
    if found := _YTD.match(head):
        if found[1] in _POSTS:
            return "posts"
        if found[1] in _MESSAGES:
            return "messages"
        return {b"note_tweet": "notes", b"account": "account", b"like": "likes"}.get(found[1], "")
    if _GRAILBIRD.match(head):
        return "month"
    if _DETAILS.match(head):
        return "details"
    is_api = b'"created_at"' in head and b'"id_str"' in head and b'text"' in head
    return "api" if is_api and _API_LIST.match(head) else ""


@dataclass(slots=True)
class _Account:
    """Know whose archive it is, once the account file is read."""

    screen_name: str = ""
    display_name: str = ""
    number: str = ""

    @property
    def author(self) -> str:
        return f"@{self.screen_name}" if self.screen_name else self.display_name

    def read(self, member: Member, kind: str) -> Iterator[Found]:
        try:
            value = _details(member) if kind == "details" else next(_listed(member), None)
        except (JsonFault, ArchiveError) as fault:
            yield ImportProblem(member.locator, str(fault))
            return
        about = dict_of(value)
        about = dict_of(about.get("account", about))
        self.screen_name = text_of(about.get("username") or about.get("screen_name"))
        self.number = text_of(about.get("accountId") or about.get("id"))
        self.display_name = text_of(about.get("accountDisplayName") or about.get("full_name"))


def _listed(member: Member) -> Iterator[Any]:
    return elements(member, script=True)


def _details(member: Member) -> Any:
    """Return the one object of the oldest archives' `user_details.js`, which is small."""
    head = member.head().decode("utf-8", "replace")
    try:
        return json.loads(head[head.index("{") : head.rindex("}") + 1], strict=False)
    except (ValueError, RecursionError) as fault:
        raise JsonFault("is no JSON; download or copy it again") from fault


def _posts(
    kind: str,
    member: Member,
    account: _Account,
    notes: Notes,
    handles: Handles,
    reading: Reading,
) -> Iterator[Found]:
    index = -1
    try:
        for index, value in enumerate(elements(member, script=kind != "api")):
            post = dict_of(value)
            post = dict_of(post.get("tweet", post))
            locator = f"{member.locator}#{index}"
            if _body(post):
                handles.learn(post)
                yield _item(post, locator, account, notes, reading, borrowed=kind == "api")
            else:
                yield ImportProblem(locator, "is no post, or one without text")
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
        return
    if index < 0:
        yield Skipped(member.locator, "no posts in it")


def _body(post: dict[str, Any]) -> str:
    return text_of(post.get("full_text")) or text_of(post.get("text"))


def _item(
    post: dict[str, Any],
    locator: str,
    account: _Account,
    notes: Notes,
    reading: Reading,
    *,
    borrowed: bool,
) -> Item:
    created = posted(post.get("created_at"))
    body = _body(post)
    note = notes.take(body, created)
    text = note.text if note else expanded(html.unescape(body), _all_links(post))
    labels = dict.fromkeys((*_labels(post), *(note.labels if note else ())))
    writer = _screen_name(post.get("user"))
    author = account.author or (f"@{writer}" if writer else "")
    mine = True
    if borrowed and writer:
        # A list from the programming interface may be anybody's: it is mine if the names agree.
        author = f"@{writer}"
        mine = writer == account.screen_name or reading.is_me(writer, author)
    context = ""
    original = dict_of(post.get("retweeted_status"))
    if _body(original):
        text = expanded(html.unescape(_body(original)), _all_links(original))
        author, mine = f"@{_screen_name(original.get('user')) or _reposted(body)}", False
    elif found := _REPOST.fullmatch(text):
        author, text, mine = f"@{found[1]}", found[2] or text, False
    elif found := _COMMENTED.fullmatch(text):
        text, context = found[1], found[2]
    text = clean_text(text).strip()
    answered = text_of(post.get("in_reply_to_status_id_str") or post.get("in_reply_to_status_id"))
    return Item(
        key=text_of(post.get("id_str")) or text_of(post.get("id")) or _made_key(created, text),
        medium="post",
        moment=created,
        text=text,
        mine=mine,
        locator=locator,
        author=author,
        recipients=_recipients(post, text, answered) if mine else (),
        thread=answered,
        context=clean_text(context).strip(),
        labels=tuple(labels),
    )


def _made_key(created: Moment, text: str) -> str:
    day = created.day()
    return f"x:{day.isoformat() if day else 'undated'}:{content_hash(text)}"


def _reposted(body: str) -> str:
    found = _REPOST.match(body)
    return found[1] if found else ""


def _screen_name(user: object) -> str:
    return text_of(dict_of(user).get("screen_name"))


def _recipients(post: dict[str, Any], text: str, answered: str) -> tuple[str, ...]:
    """Return whom a reply answers: named by the post, and by the names it starts with."""
    name = text_of(post.get("in_reply_to_screen_name"))
    names = [f"@{name}"] if name else []
    if names or answered:
        leading = LEADING.match(text[:1000] + " ")
        names += leading.group().split() if leading else []
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(name.casefold(), name)
    return tuple(first.values())


def _labels(post: dict[str, Any]) -> tuple[str, ...]:
    tags = dicts_of(dict_of(post.get("entities")).get("hashtags"))
    return tuple(text for tag in tags if (text := text_of(tag.get("text"))))


def _all_links(post: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for place in ("entities", "extended_entities"):
        for kind in ("urls", "media"):
            found |= links(dict_of(post.get(place)).get(kind), "url", "expanded_url")
    return found
