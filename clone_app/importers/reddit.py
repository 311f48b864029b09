"""Posts, comments and messages from the CSV files Reddit sends on request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from clone_app.entries import Item, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_kinds
from clone_app.importers.csvrows import CsvFault, Row, rows
from clone_app.importers.csvsource import WHOSE, each, kind_of
from clone_app.importers.stamps import iso_moment, made_key
from clone_app.protocols import Claim, Found, Member, Reading

# What is told apart by its columns, since people rename files: the first that fits counts.
_KINDS: dict[str, tuple[str, ...]] = {
    "comments": ("permalink", "subreddit", "parent", "body"),
    "posts": ("permalink", "subreddit", "title", "body"),
    "messages": ("from", "to", "subject", "body", "permalink"),
    "chats": ("message_id", "username", "message", "channel_url"),
    "account": ("statistic", "value"),
}
_GONE = {
    "[deleted]": "was deleted by its author",
    "[removed]": "was removed by a moderator",
    "[ removed by reddit ]": "was removed by Reddit",
    "[deleted by user]": "was deleted by its author",
}


@dataclass(frozen=True, slots=True)
class Reddit:
    """Read what somebody wrote on Reddit; votes and saved posts are no words of theirs."""

    name: str = "reddit"
    title: str = "Reddit data (CSV)"
    help: str = (
        "At reddit.com/settings/data-request ask for your data. Choose the zip you are sent."
    )
    endings: tuple[str, ...] = (".zip", ".csv", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim the files with words, and beside these the one that says whose they are."""
        telling = dict.fromkeys(_KINDS.keys() - {"account"}, 0.95)
        return claim_kinds(members, lambda one: kind_of(one, _KINDS), telling)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each post, comment and message."""
        account = ""
        files: list[tuple[str, Member]] = []
        for member in members:
            kind = kind_of(member, _KINDS)
            if kind == "account":
                account = account or _account(member)
                yield Skipped(member.locator, WHOSE)
            else:
                files.append((kind or "posts", member))
        for kind, member in files:
            make = {"comments": _comment, "messages": _message, "chats": _chat}.get(kind, _post)
            made = partial(make, whose=_Whose(account, reading))
            yield from each(member, _KINDS[kind], made)


REDDIT = Reddit()


@dataclass(frozen=True, slots=True)
class _Whose:
    """Know whose data it is."""

    account: str
    reading: Reading

    @property
    def author(self) -> str:
        return f"u/{self.account}" if self.account else ""

    def wrote(self, name: str) -> bool:
        """Tell whether a name is the account's, or one of the user's."""
        bare = name.removeprefix("/").removeprefix("u/")
        same = bool(self.account) and bare.casefold() == self.account.casefold()
        return same or self.reading.is_me(bare, name, f"u/{bare}")


def _account(member: Member) -> str:
    try:
        for row in rows(member, *_KINDS["account"]):
            if row["statistic"].casefold() == "account name":
                return row["value"]
    except (CsvFault, ArchiveError):  # a name less, and nothing that was written is lost
        pass
    return ""


def _when(row: Row) -> Moment:
    return iso_moment(row.first("date", "created_at")) or Moment.unknown()


def _post(row: Row, locator: str, whose: _Whose) -> Found:
    body, title, address = row["body"], row["title"], row["url"]
    if reason := _GONE.get(body.casefold()) or (not body and _GONE.get(title.casefold())):
        return Skipped(locator, reason)
    linked = address if address and row["permalink"] not in address else ""
    text = "\n\n".join(part for part in (body or title, linked) if part)
    if not text:
        return Skipped(locator, "a post without words")
    moment = _when(row)
    return Item(
        key=f"reddit:t3_{row['id']}" if row["id"] else made_key("reddit", moment, title, text),
        medium="post",
        moment=moment,
        text=text,
        mine=True,
        locator=locator,
        author=whose.author,
        title=title,
        labels=_labels(row),
    )


def _comment(row: Row, locator: str, whose: _Whose) -> Found:
    body = row["body"]
    if reason := _GONE.get(body.casefold()):
        return Skipped(locator, reason)
    text, quoted = _without_quotes(body)
    if not text:
        return Skipped(locator, "a comment without words of its own")
    moment = _when(row)
    return Item(
        key=f"reddit:t1_{row['id']}" if row["id"] else made_key("reddit", moment, text),
        medium="post",
        moment=moment,
        text=text,
        mine=True,
        locator=locator,
        author=whose.author,
        thread=row.first("link", "parent"),
        context=quoted,
        labels=_labels(row),
    )


def _message(row: Row, locator: str, whose: _Whose) -> Found:
    body = row["body"]
    if reason := _GONE.get(body.casefold()):
        return Skipped(locator, reason)
    if not body and not row["subject"]:
        return Skipped(locator, "a message without words")
    moment, author = _when(row), row["from"]
    text, quoted = _without_quotes(body)
    return Item(
        key=f"reddit:t4_{row['id']}" if row["id"] else made_key("reddit", moment, author, body),
        medium="chat",
        moment=moment,
        text=text or row["subject"],
        mine=whose.wrote(author),
        locator=locator,
        author=_named(author),
        title=row["subject"],
        recipients=tuple(_named(name) for name in row["to"].split(",") if name.strip()),
        thread=row["thread_id"],
        context=quoted,
    )


def _chat(row: Row, locator: str, whose: _Whose) -> Found:
    text = row["message"]
    if not text:
        return Skipped(locator, "a message without words")
    if reason := _GONE.get(text.casefold()):
        return Skipped(locator, reason)
    moment, author = _when(row), row["username"]
    number = row["message_id"]
    return Item(
        key=f"reddit:{number}" if number else made_key("reddit", moment, author, text),
        medium="chat",
        moment=moment,
        text=text,
        mine=whose.wrote(author),
        locator=locator,
        author=_named(author),
        thread=row.first("channel_url", "channel_name"),
    )


def _named(name: str) -> str:
    bare = name.strip()
    return bare if not bare or bare.startswith(("u/", "r/", "/", "#")) else f"u/{bare}"


def _labels(row: Row) -> tuple[str, ...]:
    place = row["subreddit"].removeprefix("/").removeprefix("r/")
    return (f"r/{place}",) if place else ()


def _without_quotes(body: str) -> tuple[str, str]:
    """Return what somebody wrote and what they quoted: lines that begin with `>`, not `>!`."""
    own, quoted = [], []
    for line in body.split("\n"):
        start = line.lstrip().replace("&gt;", ">", 1)
        if start.startswith(">") and not start.startswith(">!"):
            quoted.append(start[1:].strip())
        else:
            own.append(line)
    return "\n".join(own).strip(), "\n".join(quoted).strip()
