"""Posts of a Tumblr export: one small web page each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.days import read_day
from clone_app.importers.stamps import made_key
from clone_app.importers.textfile import lines
from clone_app.protocols import Claim, Found, Member, Reading

_NAME = re.compile(r"(?:^|/)(?:posts/)?(?:html/)?(\d{3,20})\.html?$", re.IGNORECASE)
_STAMP = re.compile(rb"id=[\"']?timestamp\b")
_STYLE = re.compile(rb"<link[^>]{0,200}href=[\"']?(?:\.\./)*style\.css")
_LIMIT = 4_000_000


@dataclass(frozen=True, slots=True)
class Tumblr:
    """Read the posts of a blog; what was reblogged with them is their authors'."""

    name: str = "tumblr"
    title: str = "Tumblr export"
    help: str = "On Tumblr: a blog's settings, Export. Choose the zip you download."
    endings: tuple[str, ...] = (".zip", ".html", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim pages called by a number that hold Tumblr's time stamp, or its style if long."""
        return claim_those(members, _is_post, 0.9)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield the post of each page."""
        for member in members:
            try:
                yield _page(member)
            except ArchiveError as fault:
                yield ImportProblem(member.locator, str(fault))


TUMBLR = Tumblr()


def _is_post(member: Member) -> bool:
    if not _NAME.search(member.path):
        return False
    head = member.head()
    return bool(_STAMP.search(head) or (len(head) < member.size and _STYLE.search(head)))


def _page(member: Member) -> Found:
    from clone_app.importers.htmltree import tree, words  # late: it loads lxml

    page = tree("".join(lines(member))) if member.size <= _LIMIT else None
    stamp = _by_id(page, "timestamp")
    if page is None or stamp is None:
        return ImportProblem(member.locator, "is no post of Tumblr; download the export again")
    moment = _moment(words(stamp))
    labels = [words(tag).lstrip("#").strip() for tag in page.find_class("tag")]
    heading = next(iter(page.iter("h1")), None)
    title = " ".join(words(heading).split())
    for part in (_by_id(page, "footer"), stamp, heading, *page.find_class("tag")):
        if part is not None and part.getparent() is not None:
            part.drop_tree()
    names = [" ".join(words(link).split()) for link in page.find_class("tumblr_blog")]
    own, quoted = _apart(words(page, quotes=True), names)
    if not own and not title and quoted:
        # A reblog without a word of one's own is another person's post, as a repost is.
        text, context, mine = quoted, "", False
    else:
        text, context, mine = own or title, quoted, True
    if not text:
        return Skipped(member.locator, "a post without words")
    number = _NAME.search(member.path)
    return Item(
        key=f"tumblr:{number[1]}" if number else made_key("tumblr", moment, title, text),
        medium="post",
        moment=moment,
        text=text,
        mine=mine,
        locator=member.locator,
        author="" if mine else next(iter(names), ""),
        title=title,
        context=context,
        labels=tuple(dict.fromkeys(label for label in labels if label)),
    )


def _by_id(page: Any | None, name: str) -> Any | None:
    return page.get_element_by_id(name, None) if page is not None else None


def _moment(text: str) -> Moment:
    """Return the moment of `August 31st, 2018 4:19pm`, a wall clock of the blog."""
    dated = read_day(text[:100])
    return Moment.unknown() if dated is None or dated.unsure else dated.moment


def _apart(text: str, names: Sequence[str]) -> tuple[str, str]:
    """Return one's own lines and those of others: quoted ones, and the name that leads each."""
    leads = {f"{name}:".casefold() for name in names if name}
    own, quoted = [], []
    for line in text.split("\n"):
        if line.startswith(">"):
            quoted.append(line.lstrip("> "))
        elif line.strip().casefold() in leads:
            quoted.append(line.strip())
        else:
            own.append(line)
    return "\n".join(own).strip(), "\n".join(quoted).strip()
