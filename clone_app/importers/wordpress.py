"""A WordPress site's export (WXR): posts and pages, drafts too, and the comments below them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from clone_app.entries import ImportProblem, Item, Moment, Skipped
from clone_app.importers.blog import Authors, post_text
from clone_app.importers.claims import claim_those
from clone_app.importers.each_file import each_file
from clone_app.importers.left_out import counted
from clone_app.importers.maildate import moment_in
from clone_app.importers.stamps import iso_moment, made_key
from clone_app.importers.xmlstream import Record, XmlFault, records
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".xml"
_WXR = re.compile(rb"<rss\b[^>]{0,2000}xmlns:wp\s*=|wordpress\.org/export/")
_POSTS = {"post", "page", ""}
_COMMENT = "wp:comment/wp:comment_"
_SAID = (
    "id",
    "author",
    "author_email",
    "date",
    "date_gmt",
    "content",
    "approved",
    "type",
    "user_id",
)
_FIELDS = frozenset(
    (
        "title", "link", "guid", "pubDate", "dc:creator", "content:encoded", "excerpt:encoded",
        "category", "wp:post_id", "wp:post_date", "wp:post_date_gmt", "wp:post_type", "wp:status",
        *(f"{_COMMENT}{name}" for name in _SAID),
    )
)  # fmt: skip
_AUTHOR = ("wp:author_login", "wp:author_display_name", "wp:author_email")
_FARTHEST = timedelta(hours=15)


@dataclass(frozen=True, slots=True)
class WordPress:
    """Read posts as their authors', comments as those of who wrote them."""

    name: str = "wordpress"
    title: str = "WordPress export (WXR)"
    help: str = "In WordPress: Tools, Export, All content. Choose the .xml file or the zip."
    endings: tuple[str, ...] = (".xml", ".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim XML files that say they are WordPress's."""
        return claim_those(
            members,
            lambda one: one.path.lower().endswith(_ENDING) and _WXR.search(one.head()),
            0.95,
        )

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each post, page and comment."""
        yield from each_file(members, lambda member: _site(member, reading))


WORDPRESS = WordPress()


def _site(member: Member, reading: Reading) -> Iterator[Found]:
    authors = _authors(member, reading)
    count, others = 0, Counter[str]()
    try:
        for record in records(member, "item", _FIELDS):
            count += 1
            kind = record.first("wp:post_type")
            if kind not in _POSTS:
                others[kind[:40]] += 1
                continue
            locator = f"{member.locator}#{record.first('wp:post_id') or count}"
            found = _post(record, locator, authors)
            yield found
            thread = found.key if isinstance(found, Item) else _key(record, Moment.unknown(), "")
            yield from _comments(record, locator, authors, thread)
    except XmlFault as fault:
        yield ImportProblem(f"{member.locator}#{count + 1}", str(fault))
        return
    for kind, number in sorted(others.items()):
        yield Skipped(
            f"{member.locator}#{kind}",
            counted(
                number, "part of the site that is no post", "parts of the site that are no posts"
            ),
        )
    if not count:
        yield Skipped(member.locator, "no posts in it")


def _authors(member: Member, reading: Reading) -> Authors:
    """Return who writes here: the list at the top names them, the posts tell who has written any."""
    authors = Authors(reading)
    try:
        for record in records(member, "wp:author", frozenset(_AUTHOR)):
            login, shown, address = (record.first(name) for name in _AUTHOR)
            authors.add(login, shown, address)
        for record in records(member, "item", frozenset({"dc:creator", "wp:post_type"})):
            if record.first("wp:post_type") in _POSTS and (login := record.first("dc:creator")):
                authors.writers.add(login)
    except XmlFault:  # named when the posts are read
        pass
    return authors


def _key(record: Record, moment: Moment, text: str) -> str:
    return record.first("guid") or record.first("link") or made_key("wordpress", moment, text)


def _post(record: Record, locator: str, authors: Authors) -> Found:
    status = record.first("wp:status")
    if status == "trash":
        return Skipped(locator, "was put in the trash")
    title = post_text(record.first("title"))
    text = post_text(record.first("content:encoded")) or post_text(record.first("excerpt:encoded"))
    if record.cut:
        return ImportProblem(locator, "is longer than any post")
    if not text and not title:
        return Skipped(locator, "a post without words")
    login = record.first("dc:creator")
    dates = record.first("wp:post_date"), record.first("wp:post_date_gmt")
    moment = _moment(*dates) or moment_in(record.first("pubDate")) or Moment.unknown()
    labels = [post_text(name) for name in record.all("category")]
    if status not in {"", "publish", "inherit"}:
        labels.append(status)  # draft, private, pending, future
    return Item(
        key=_key(record, moment, text),
        medium="post",
        moment=moment,
        text=text or title,
        mine=authors.is_me(login),
        locator=locator,
        author=authors.shown(login),
        title=title,
        labels=tuple(dict.fromkeys(label for label in labels if label)),
    )


def _comments(record: Record, locator: str, authors: Authors, thread: str) -> Iterator[Found]:
    columns = {name: record.all(f"{_COMMENT}{name}") for name in _SAID}
    count = len(columns["content"])
    uneven = [name for name in _SAID if len(columns[name]) not in {0, count}]
    if uneven:  # nobody can tell whose words are whose
        yield ImportProblem(f"{locator}/comments", "has comments of which parts are missing")
        return
    answered = authors.shown(record.first("dc:creator"))
    for at in range(count):
        said = {name: values[at] if values else "" for name, values in columns.items()}
        place = f"{locator}/comment-{said['id'] or at + 1}"
        if said["approved"] in {"spam", "trash"}:
            yield Skipped(place, f"a comment marked as {said['approved']}")
        elif said["type"] in {"pingback", "trackback"}:
            yield Skipped(place, "a link from another site")
        elif not (text := post_text(said["content"])):
            yield Skipped(place, "a comment without words")
        else:
            moment = _moment(said["date"], said["date_gmt"]) or Moment.unknown()
            names = (said["author"], said["author_email"])
            own = authors.own_names()
            # A visitor may call himself as he likes; an address or an account is shown to nobody.
            known = said["user_id"] not in {"", "0"} and said["author"].casefold() in own
            mine = known or said["author_email"].casefold() in own - {""}
            made = made_key("wordpress", moment, said["author"], text)
            yield Item(
                key=f"{thread}#comment-{said['id']}" if said["id"] else made,
                medium="post",
                moment=moment,
                text=text,
                mine=mine or authors.reading.is_me(*names),
                locator=place,
                author=said["author"] or said["author_email"],
                recipients=(answered,) if answered and answered != said["author"] else (),
                thread=thread,
            )


def _moment(local: str, universal: str) -> Moment | None:
    """Return the site's own clock, with its distance from UTC where both were stored.

    Drafts have the moment `0000-00-00 00:00:00` in UTC, which is none.
    """
    here, there = iso_moment(local), iso_moment(universal)
    if here is None or here.local is None:
        return None if there is None else replace(there, offset=timedelta(0))
    if there is None or there.local is None:
        return here
    offset = here.local - there.local
    if abs(offset) > _FARTHEST or offset.total_seconds() % 900:
        return here
    return replace(here, offset=offset)
