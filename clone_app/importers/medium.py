"""Posts of a Medium export: one web page each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.dated_paths import place
from clone_app.importers.jsonstream import text_of
from clone_app.importers.stamps import iso_moment, made_key
from clone_app.importers.textfile import lines
from clone_app.protocols import Claim, Found, Member, Reading

_ENDINGS = (".html", ".htm")
_MEDIUM = re.compile(
    rb'class="(?:[\w-]+ )*h-entry|class="p-name"|graf graf--'
    rb'|font-family: ?Georgia, ?Cambria, ?"Times New Roman", ?Times, ?serif'
)
_ID = re.compile(r"-([0-9a-f]{8,16})\.html?$")
_LIMIT = 4_000_000


@dataclass(frozen=True, slots=True)
class Medium:
    """Read the posts and drafts of a Medium export."""

    name: str = "medium"
    title: str = "Medium export"
    help: str = (
        "On Medium: Settings, Security and apps, Download your information. Choose the zip you are "
        "sent."
    )
    endings: tuple[str, ...] = (".zip", ".html", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim pages that Medium made, surest where they lie in a folder `posts`."""
        paths = {one.path for one in members if _is_post(one)}
        if not paths:
            return None
        sure = any(PurePosixPath(path).parent.name == "posts" for path in paths)
        return Claim(0.9 if sure else 0.7, frozenset(paths))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield the post of each page."""
        for member in members:
            try:
                yield _page(member)
            except ArchiveError as fault:
                yield ImportProblem(member.locator, str(fault))


MEDIUM = Medium()


def _is_post(member: Member) -> bool:
    """Tell a post by its page; the lists beside the posts (claps, bookmarks) look much like them."""
    path = PurePosixPath(member.path)
    if path.suffix.lower() not in _ENDINGS or not _MEDIUM.search(member.head()):
        return False
    return path.parent.name == "posts" or bool(_ID.search(path.name))


def _page(member: Member) -> Found:
    from clone_app.importers.htmltree import first, tree, words  # late: it loads lxml

    if member.size > _LIMIT:
        return ImportProblem(member.locator, "is longer than any post")
    page = tree("".join(lines(member)))
    body = first(page, "e-content") if page is not None else None
    if page is None or body is None:
        return ImportProblem(member.locator, "is no post of Medium; download the export again")
    title = " ".join(words(first(page, "p-name")).split())
    text = words(body)
    if text.startswith(title) and text[len(title) :].startswith("\n"):
        text = text[len(title) :].strip()  # the post repeats its title on top
    if not text and not title:
        return Skipped(member.locator, "a post without words")
    name = PurePosixPath(member.path).name
    draft = name.startswith("draft")
    moment = Moment.unknown() if draft else _moment(page, member.path)
    address = _href(first(page, "p-canonical"))
    number = _ID.search(name)
    own = f"medium:{number[1]}" if number else address
    return Item(
        key=own or made_key("medium", moment, title, text),
        medium="post",
        moment=moment,
        text=text or title,
        mine=True,
        locator=member.locator,
        author=" ".join(words(first(page, "p-author")).split()),
        title=title,
        labels=("draft",) if draft else (),
    )


def _moment(page: Any, path: str) -> Moment:
    """Return when a post was published, by the page itself, else the day in its name."""
    from clone_app.importers.htmltree import first

    stamp = first(page, "dt-published")
    written = iso_moment(stamp.get("datetime")) if stamp is not None else None
    placed = place(path)
    return written or (placed.moment if placed.is_day else Moment.unknown())


def _href(link: Any | None) -> str:
    return text_of(link.get("href")).strip() if link is not None else ""
