"""What Google kept of searches and visits: My Activity (JSON or HTML) and Chrome's history."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from clone_app.entries import ImportProblem, Item, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.days import Order, read_day
from clone_app.importers.jsonstream import (
    JsonFault,
    dict_of,
    dicts_of,
    elements,
    list_of,
    pairs,
    text_of,
)
from clone_app.importers.maildate import zone_offset
from clone_app.importers.stamps import epoch_moment, iso_moment
from clone_app.importers.visits import visit
from clone_app.protocols import Claim, Found, Member, Reading

_ACTIVITIES = re.compile(rb'\s*\[\s*\{\s*"header"\s*:')
_CHROME = re.compile(rb'\s*\{\s*"[^"]{1,40}"\s*:\s*\[')
_CHROME_LIST = "Browser History"
_PAGE = re.compile(rb"(?i)<html>\s*<head>\s*<title>[^<]{0,200}</title>\s*<style[^>]*>")
_PAGE_NAMES = re.compile(
    r"(?i)my ?activity|aktivit|activit|actividad|атив|活动|活動|アクティビティ"
)
_PAGES = ("watch-history.html", "search-history.html")
_CELL = '<div class="outer-cell'
_CHUNK, _CELL_LIMIT = 1 << 18, 1_000_000


@dataclass(frozen=True, slots=True)
class Takeout:
    """Read searches, visits and what was watched."""

    name: str = "takeout"
    title: str = "Google activity and Chrome history (Takeout)"
    help: str = (
        "At takeout.google.com choose My Activity, Chrome and YouTube, JSON if you are asked. Choose "
        "the zip."
    )
    endings: tuple[str, ...] = (".zip", ".json", ".html", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim lists of activities by how they begin, pages by that and by their name."""
        return claim_those(members, _kind, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each search, visit and other activity."""
        for member in members:
            match _kind(member) or member.path.lower().rpartition(".")[2]:
                case "html" | "htm":
                    yield from _page(member)
                case "chrome":
                    yield from _chrome(member)
                case _:
                    yield from _activities(member)


TAKEOUT = Takeout()


def _kind(member: Member) -> str:
    name = PurePosixPath(member.path).name.lower()
    if name.endswith(".json"):
        head = member.head().removeprefix(b"\xef\xbb\xbf")
        if _ACTIVITIES.match(head):
            return "json"
        listed = f'"{_CHROME_LIST}"'.encode() in head or name == "browserhistory.json"
        return "chrome" if listed and _CHROME.match(head) and b'"time_usec"' in head else ""
    if name.endswith((".html", ".htm")):
        called = name in _PAGES or _PAGE_NAMES.search(member.path)
        return "html" if called and _PAGE.match(member.head().lstrip(b"\xef\xbb\xbf \r\n")) else ""
    return ""


def _activities(member: Member) -> Iterator[Found]:
    index = -1
    try:
        for index, value in enumerate(elements(member)):
            yield _activity(dict_of(value), f"{member.locator}#{index}")
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
        return
    if index < 0:
        yield Skipped(member.locator, "no activities in it")


def _activity(value: dict[str, Any], locator: str) -> Found:
    title = text_of(value.get("title")).strip()
    address = text_of(value.get("titleUrl")).strip()
    if not title and not address:
        return ImportProblem(locator, "is no activity, or one without a title")
    others = [text_of(one.get("name")).strip() for one in dicts_of(value.get("subtitles"))]
    products = [text_of(one) for one in list_of(value.get("products"))]
    return _done(
        iso_moment(value.get("time")) or Moment.unknown(),
        title=title,
        address=address,
        others=others,
        products=products or [text_of(value.get("header"))],
        locator=locator,
    )


def _done(
    moment: Moment,
    *,
    title: str,
    address: str,
    others: Sequence[str],
    products: Sequence[str],
    locator: str,
) -> Item:
    """Return one activity as Google puts it: `Searched for …`, `Watched …`, `Visited …`."""
    said = " ".join(title.split())
    item = visit("takeout", moment, title=title, address=address, locator=locator, said=said)
    context = "\n".join(one for one in (*others, item.context) if one)
    return replace(
        item, context=context, labels=tuple(dict.fromkeys(one for one in products if one))
    )


def _chrome(member: Member) -> Iterator[Found]:
    index = -1
    try:
        for key, value in pairs(member, streamed=_CHROME_LIST):
            if key != _CHROME_LIST:
                continue
            index += 1
            one, locator = dict_of(value), f"{member.locator}#{index}"
            address = text_of(one.get("url")).strip()
            if not address:
                yield ImportProblem(locator, "is no visit, or one without an address")
            elif not address.startswith(("http://", "https://")):
                yield Skipped(locator, "a page that is not on the web")
            else:
                moment = _micro(one.get("time_usec")) or Moment.unknown()
                title = text_of(one.get("title"))
                yield visit("takeout", moment, title=title, address=address, locator=locator)
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
        return
    if index < 0:
        yield Skipped(member.locator, "no visits in it")


def _micro(at: object) -> Moment | None:
    """Return the instant so many millionths of a second after 1970."""
    if not isinstance(at, int) or isinstance(at, bool) or abs(at) > 10**18:
        return None
    return epoch_moment(at / 1_000_000)


def _page(member: Member) -> Iterator[Found]:
    index = -1
    order = _order(member)
    try:
        for index, cell in enumerate(_cells(member)):
            locator = f"{member.locator}#{index}"
            if len(cell) > _CELL_LIMIT:
                yield ImportProblem(locator, "is larger than any activity")
            else:
                yield _from_cell(cell, locator, order)
    except ArchiveError as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
        return
    if index < 0:
        yield Skipped(member.locator, "no activities in it")


def _cells(member: Member) -> Iterator[str]:
    """Yield the HTML of one activity after the other; one too large comes cut, so that it is named."""
    with io.TextIOWrapper(member.open(), encoding="utf-8", errors="replace") as text:
        waiting, begun = "", False
        while chunk := text.read(_CHUNK):
            *done, waiting = (waiting + chunk).split(_CELL)
            for piece in done:
                if begun:
                    yield piece
                begun = True
            # What stands before the first cell is style; a cell beyond the limit keeps its size.
            waiting = waiting[: _CELL_LIMIT + len(_CELL)] if begun else waiting[-len(_CELL) :]
        if begun:
            yield waiting


def _order(member: Member) -> Order | None:
    """Return which number of a date is the day; Google writes months as words nearly everywhere."""
    return Order.MONTH_FIRST if b"<title>My Activity" in member.head() else None


def _from_cell(cell: str, locator: str, order: Order | None) -> Found:
    from clone_app.importers.htmltree import first, tree, words  # late: it loads lxml

    page = tree(f"{_CELL}{cell}")
    bodies = page.find_class("mdl-typography--body-1") if page is not None else []
    body = next((one for one in bodies if one.text_content().strip()), None)
    rows = [row for row in words(body).split("\n") if row]
    if page is None or body is None or not rows:
        return ImportProblem(locator, "is no activity, or one without a title")
    address = next((text_of(link.get("href")) for link in body.iter("a")), "")
    product = " ".join(words(first(page, "mdl-typography--title")).split())
    moment = _spoken(rows[-1], order) if len(rows) > 1 else None
    if moment is not None:
        rows.pop()
    return _done(
        moment or Moment.unknown(),
        title=rows[0],
        address=address,
        others=rows[1:],
        products=[product],
        locator=locator,
    )


def _spoken(text: str, order: Order | None) -> Moment | None:
    """Return the moment of `Jan 31, 2018, 10:54:50 PM PST`; without a zone it is a wall clock."""
    dated = read_day(text[:100], order=order)
    if dated is None or dated.unsure:
        return None
    if dated.moment.offset is not None:
        return dated.moment
    return replace(dated.moment, offset=zone_offset(dated.rest))
