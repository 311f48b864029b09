"""Roam Research: one JSON list of pages, each an outline; daily pages are named after their day."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clone_app.entries import ImportProblem, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.days import read_day
from clone_app.importers.diary import readable_links
from clone_app.importers.jsonstream import JsonFault, dicts_of, elements, text_of
from clone_app.importers.notes import names, noted, ticks_moment
from clone_app.protocols import Claim, Found, Member, Reading

_ENDING = ".json"
_LIST = re.compile(rb"\s*\[\s*\{")
_BOX = re.compile(r"\{\{(?:\[\[)?(TODO|DONE)(?:\]\])?\}\}")
_DEPTH, _BLOCKS = 30, 100_000


@dataclass(frozen=True, slots=True)
class Roam:
    """Read the pages of a Roam export."""

    name: str = "roam"
    title: str = "Roam Research"
    help: str = "In Roam: the three dots, Export All, JSON. Choose that zip or file."
    endings: tuple[str, ...] = (".zip", _ENDING, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim lists of pages by their fields."""
        return claim_those(members, _is_graph, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each page with words."""
        for member in members:
            index = -1
            try:
                for index, page in enumerate(elements(member)):
                    locator = f"{member.locator}#{index}"
                    yield (
                        _page(page, locator)
                        if isinstance(page, dict)
                        else ImportProblem(locator, "is no page")
                    )
            except (JsonFault, ArchiveError) as fault:
                yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
                continue
            if index < 0:
                yield Skipped(member.locator, "no pages in it")


ROAM = Roam()


def _is_graph(member: Member) -> bool:
    if not member.path.lower().endswith(_ENDING):
        return False
    head = member.head().removeprefix(b"\xef\xbb\xbf")
    stamps = names(head, "edit-time", "create-time", ":create/time", ":edit/user")
    return bool(_LIST.match(head)) and stamps > 0 and names(head, "title", "string", "uid") > 1


def _page(page: dict[str, Any], locator: str) -> Found:
    title = readable_links(text_of(page.get("title"))).strip()
    text = _outline(page)
    if not text:  # the name of a page that only others link to is nothing written
        return Skipped(locator, "a page with nothing on it")
    made = ticks_moment(page.get("create-time"), 1000)
    return noted(
        "roam",
        text=text,
        moment=_day(title) or made or ticks_moment(page.get("edit-time"), 1000),
        locator=locator,
        own_key=text_of(page.get("uid")),
        title=title,
    )


def _day(title: str) -> Moment | None:
    dated = read_day(title)
    return dated.moment if dated is not None and dated.pure and not dated.unsure else None


def _outline(page: dict[str, Any]) -> str:
    """Return the blocks of a page as a list, in their order and depth."""
    rows: list[str] = []
    waiting = [(block, 0) for block in reversed(dicts_of(page.get("children")))]
    while waiting and len(rows) < _BLOCKS:
        block, depth = waiting.pop()
        words = _BOX.sub(
            lambda box: "[ ]" if box[1] == "TODO" else "[x]", text_of(block.get("string"))
        ).strip()
        if words:
            indent = "  " * min(depth, _DEPTH)
            rows.append(f"{indent}- {readable_links(words)}".replace("\n", f"\n{indent}  "))
        waiting += [(child, depth + 1) for child in reversed(dicts_of(block.get("children")))]
    return "\n".join(rows)
