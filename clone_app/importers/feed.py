"""The feed of somebody's own blog (RSS, Atom), and Blogger's export, which is one."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clone_app.entries import ImportProblem, Item, Moment, Skipped
from clone_app.importers.blog import Authors, post_text
from clone_app.importers.claims import claim_those
from clone_app.importers.each_file import each_file
from clone_app.importers.left_out import counted
from clone_app.importers.maildate import moment_in
from clone_app.importers.stamps import iso_moment, made_key
from clone_app.importers.xmlstream import Record, XmlFault, records
from clone_app.protocols import Claim, Found, Member, Reading

_ENDINGS = (".xml", ".rss", ".atom", ".rdf")
_RSS = re.compile(rb"<(?:rss|rdf:RDF)\b")
_ATOM = re.compile(rb"<feed\b[^>]{0,2000}xmlns\s*=\s*[\"']http://www\.w3\.org/2005/Atom")
_WORDPRESS = re.compile(rb"xmlns:wp\s*=")
_FIELDS = frozenset(
    (
        "title", "guid", "id", "link", "pubDate", "dc:date", "published", "updated", "issued",
        "content:encoded", "description", "content", "content/*", "summary", "summary/*",
        "dc:creator", "author", "author/name", "author/email", "category", "category@term",
        "app:control/app:draft", "thr:in-reply-to@ref", "blogger:type", "blogger:status",
        "blogger:parent", "link@href",
    )
)  # fmt: skip
_KIND = re.compile(r"http://schemas\.google\.com/blogger/2008/kind#(\w+)")


@dataclass(frozen=True, slots=True)
class Feed:
    """Read the posts of a feed."""

    name: str = "feed"
    title: str = "Feed of your own blog (RSS, Atom, Blogger)"
    help: str = (
        "Save your blog's feed (often /feed or /rss.xml) as a file; from Blogger, take out your data "
        "at Google Takeout."
    )
    endings: tuple[str, ...] = (*_ENDINGS, ".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim XML files that begin as a feed and are not WordPress's export."""
        return claim_those(members, _record, 0.9)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each post; a feed of several authors says which are the user's."""
        yield from each_file(
            members, lambda member: _feed(member, _record(member) or "item", reading)
        )


FEED = Feed()


def _record(member: Member) -> str:
    """Return what a post is called in a feed, nothing for another file."""
    if not member.path.lower().endswith(_ENDINGS):
        return ""
    head = member.head()
    if _WORDPRESS.search(head):
        return ""
    return "entry" if _ATOM.search(head) else "item" if _RSS.search(head) else ""


def _feed(member: Member, name: str, reading: Reading) -> Iterator[Found]:
    authors = Authors(reading)
    with contextlib.suppress(XmlFault):  # named when the posts are read
        for record in records(member, name, _FIELDS - {"content/*", "summary/*"}):
            if _kind(record) != "comment" and (author := _author(record)):
                authors.writers.add(author)
    count, others = 0, Counter[str]()
    try:
        for record in records(member, name, _FIELDS):
            count += 1
            kind = _kind(record)
            if kind in {"post", "page", "comment"}:
                yield _post(record, f"{member.locator}#{count}", authors, kind)
            else:
                others[kind[:40]] += 1
    except XmlFault as fault:
        yield ImportProblem(f"{member.locator}#{count + 1}", str(fault))
        return
    for kind, number in sorted(others.items()):
        yield Skipped(
            f"{member.locator}#{kind}",
            counted(
                number, "part of the blog that is no post", "parts of the blog that are no posts"
            ),
        )
    if not count:
        yield Skipped(member.locator, "no posts in it")


def _kind(record: Record) -> str:
    """Return what Blogger says an entry is; in any other feed it is a post."""
    told = (_KIND.fullmatch(term) for term in record.all("category@term"))
    old = next((found[1] for found in told if found), "")
    return (record.first("blogger:type") or old or "post").lower()


def _author(record: Record) -> str:
    return (
        record.first("dc:creator") or record.first("author/name") or record.first("author")
    ).strip()


def _post(record: Record, locator: str, authors: Authors, kind: str) -> Found:
    title = post_text(record.first("title"))
    bodies = ("content:encoded", "content", "description", "summary")
    text = next((words for name in bodies if (words := post_text(record.first(name)))), "")
    if record.cut:
        return ImportProblem(locator, "is longer than any post")
    if not text and not title:
        return Skipped(locator, "a post without words")
    moment = _moment(record)
    author, address = _author(record), record.first("author/email")
    labels = [post_text(name) for name in (*record.all("category"), *record.all("category@term"))]
    labels = [label for label in labels if label and not _KIND.fullmatch(label)]
    draft = record.first("app:control/app:draft") == "yes"
    if draft or record.first("blogger:status").casefold() == "draft":
        labels.append("draft")
    own = record.first("guid") or record.first("id") or record.first("link")
    mine = authors.reading.is_me(author, address)
    if kind != "comment":
        mine = mine or authors.is_me(author, address)
    return Item(
        key=own or made_key("feed", moment, title, text),
        medium="post",
        moment=moment,
        text=text or title,
        mine=mine,
        locator=locator,
        author=author,
        title=title if kind != "comment" else "",
        thread=record.first("thr:in-reply-to@ref") or record.first("blogger:parent"),
        labels=tuple(dict.fromkeys(labels)),
    )


def _moment(record: Record) -> Moment:
    for name in ("published", "issued", "dc:date", "pubDate", "updated"):
        value = record.first(name)
        if moment := iso_moment(value) or (moment_in(value) if value else None):
            return moment
    return Moment.unknown()
