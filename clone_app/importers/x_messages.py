"""Direct messages and likes of an X archive: talks of both sides, and what others wrote that was liked."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.jsonstream import JsonFault, branches, dict_of, dicts_of, elements, text_of
from clone_app.importers.left_out import counted, left_out
from clone_app.importers.stamps import made_key
from clone_app.importers.x_notes import expanded, links, posted
from clone_app.protocols import Found, Member, Reading

_NAMES, _PEOPLE = 50_000, 50
_TALK = ("*", "dmConversation")
_OPENED = frozenset({(), ("*",), _TALK, (*_TALK, "messages")})
_TOLD = {
    "wordless": ("picture or file without words", "pictures and files without words"),
    "program": (
        "note on who joined, left or named it",
        "notes on who joined, left or named it",
    ),
}


@dataclass(slots=True)
class Handles:
    """Know the names behind numbers: messages hold numbers only, posts name whom they mention."""

    names: dict[str, str] = field(default_factory=dict)

    def learn(self, post: dict[str, Any]) -> None:
        """Take the names a post tells."""
        about = [*dicts_of(dict_of(post.get("entities")).get("user_mentions"))]
        answered = text_of(post.get("in_reply_to_user_id_str") or post.get("in_reply_to_user_id"))
        about.append({"id_str": answered, "screen_name": post.get("in_reply_to_screen_name")})
        for each in about:
            number = text_of(each.get("id_str")) or text_of(each.get("id"))
            name = text_of(each.get("screen_name"))
            if number and name and len(self.names) < _NAMES:
                self.names[number] = f"@{name}"

    def of(self, number: str) -> str:
        """Return the name of an account, its number where nothing tells it."""
        return self.names.get(number, number)


@dataclass(frozen=True, slots=True)
class Correspondence:
    """Hold who writes: the archive's owner by number, and whom the user named as themselves."""

    owner: str
    handles: Handles
    reading: Reading

    def mine(self, sender: str) -> bool:
        """Tell whether a message is the user's: by the account's number, else never guessed."""
        if sender and sender == self.owner:
            return True
        return self.reading.is_me(sender, self.handles.of(sender))


@dataclass(slots=True)
class _Talk:
    """Hold what is known of a conversation: its number, its name, the numbers of who is in it."""

    number: str = ""
    title: str = ""
    people: dict[str, None] = field(default_factory=dict)

    def learn(self, entry: dict[str, Any]) -> None:
        """Take what a message or a note of the program tells; the newest comes first."""
        self.title = self.title or text_of(dict_of(entry.get("conversationNameUpdate")).get("name"))
        made = dict_of(entry.get("messageCreate"))
        for key in ("senderId", "recipientId"):
            if (number := text_of(made.get(key))) and len(self.people) < _PEOPLE:
                self.people[number] = None


def messages(member: Member, who: Correspondence) -> Iterator[Found]:
    """Yield an item for each message with words, then what had none, counted.

    One conversation may be most of the file, so it is read twice as a stream: who is in it and how
    it is called may stand at its end.
    """
    told: Counter[str] = Counter()
    talks: dict[object, _Talk] = {}
    with suppress(JsonFault, ArchiveError):  # said below, where it breaks off again
        for way, value in _ways(member):
            talk = talks.setdefault(way[0], _Talk())
            if way[-1] == "conversationId":
                talk.number = text_of(value)
            elif len(way) == 4:
                talk.learn(dict_of(value))
    way = ()
    try:
        for way, value in _ways(member):
            place = f"{member.locator}#{way[0]}"
            if len(way) == 4:
                yield from _message(value, f"{place}/{way[3]}", talks[way[0]], who, told)
            elif way[1:2] != ("dmConversation",) or len(way) == 2:
                yield ImportProblem(place, "is no conversation")
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(
            f"{member.locator}#{'/'.join(map(str, (*way[:1], *way[3:])))}", str(fault)
        )
    yield from left_out(member, told, _TOLD)
    if not talks:
        yield Skipped(member.locator, "no messages in it")


def _ways(member: Member) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield each message, and each other part of a conversation, with the way to it."""
    with member.open() as stream:
        yield from branches(stream, _OPENED, script=True)


def _message(
    value: object, locator: str, talk: _Talk, who: Correspondence, told: Counter[str]
) -> Iterator[Found]:
    message = dict_of(dict_of(value).get("messageCreate"))
    if not message:
        if isinstance(value, dict) and value:
            told["program"] += 1
        else:
            yield ImportProblem(locator, "is no message")
        return
    addresses = links(message.get("urls"), "url", "expanded")
    text = clean_text(expanded(html.unescape(text_of(message.get("text"))), addresses)).strip()
    if not text:
        told["wordless"] += 1
        return
    sender = text_of(message.get("senderId"))
    moment = posted(message.get("createdAt"))
    own = text_of(message.get("id"))
    yield Item(
        key=f"x:dm:{own}"
        if own
        else made_key("x", moment, talk.number, moment.iso() or "", sender, text),
        medium="chat",
        moment=moment,
        text=text,
        mine=who.mine(sender),
        locator=locator,
        author=who.handles.of(sender),
        title=talk.title,
        recipients=tuple(who.handles.of(one) for one in talk.people if one != sender),
        thread=f"x:dm:{talk.number}",
        labels=("attachment",) if message.get("mediaUrls") else (),
    )


def likes(member: Member) -> Iterator[Found]:
    """Yield an item for each liked post: another's words, kept as context, at no known time.

    The archive says neither when it was liked nor, since 2019, by whom it was written.
    """
    index, wordless = -1, 0
    try:
        for index, value in enumerate(elements(member, script=True)):
            like = dict_of(dict_of(value).get("like"))
            number = text_of(like.get("tweetId"))
            locator = f"{member.locator}#{index}"
            if not number:
                yield ImportProblem(locator, "is no like")
                continue
            text = clean_text(html.unescape(text_of(like.get("fullText")))).strip()
            if not text:
                wordless += 1
                continue
            yield Item(
                key=f"x:like:{number}", medium="post", moment=Moment.unknown(), text="",
                mine=False, locator=locator, thread=number, context=text, labels=("liked",),
            )  # fmt: skip
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
    if wordless:
        yield Skipped(
            f"{member.locator}#wordless",
            counted(wordless, "like without words", "likes without words"),
        )
    if index < 0:
        yield Skipped(member.locator, "no likes in it")
