"""What importers of notes and diaries share: an entry becomes an item, or is named as empty."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from clone_app.entries import (
    ImportProblem,
    Item,
    Moment,
    Precision,
    Skipped,
    clean_text,
)
from clone_app.errors import ArchiveError
from clone_app.importers.jsonstream import JsonFault, pairs
from clone_app.importers.stamps import epoch_moment, made_key
from clone_app.protocols import Found, Member

_UNTITLED = re.compile(r"(?:untitled|new)(?: (?:note|page|entry))?(?: \d+)?", re.IGNORECASE)
_TITLE_LIMIT = 300
_LABELS, _LABEL_LIMIT = 100, 100


def noted(
    source: str,
    *,
    text: str,
    moment: Moment | None,
    locator: str,
    medium: str = "note",
    own_key: str = "",
    title: str = "",
    labels: Iterable[str] = (),
    author: str = "",
    context: str = "",
    mine: bool = True,
    recipients: tuple[str, ...] = (),
) -> Item | Skipped:
    """Return a note or diary entry as an item; a title alone is what it says, nothing is skipped.

    `own_key` is the source's own id; without one the key is made of the day, title and text, since
    two notes of one day may say the same under different titles.
    """
    text, title = clean_text(text).strip(), clean_text(title).strip()
    if not (text or context.strip() or _UNTITLED.fullmatch(title)):
        text = title
    if not text and not context.strip():
        return Skipped(locator, "nothing written in it")
    moment = moment or Moment.unknown()
    return Item(
        key=clean_text(own_key) or made_key(source, moment, title, text),
        medium=medium,
        moment=moment,
        text=text,
        mine=mine,
        locator=locator,
        author=clean_text(author).strip(),
        title=title[:_TITLE_LIMIT],
        recipients=recipients,
        context=clean_text(context).strip(),
        labels=tidy_labels(labels),
    )


def entries(
    member: Member,
    streamed: str,
    make: Callable[[dict[str, Any], str], Found],
    *,
    alone: Callable[[dict[str, Any]], bool] = lambda _: False,
) -> Iterator[Found]:
    """Yield what `make` makes of each object in the list at `streamed`, and of its locator.

    The file may be one entry itself: `alone` tells that by what stands in it beside a list.
    """
    index = -1
    beside: dict[str, Any] = {}
    try:
        for key, value in pairs(member, streamed=streamed):
            if key != streamed:
                beside[key] = value
                continue
            if isinstance(value, list):  # a second list of that name, or none at all
                continue
            index += 1
            locator = f"{member.locator}#{index}"
            yield (
                make(value, locator)
                if isinstance(value, dict)
                else ImportProblem(locator, "is no entry")
            )
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
        return
    if index < 0 and alone(beside):
        yield make(beside, f"{member.locator}#0")
    elif index < 0:
        yield Skipped(member.locator, "no entries in it")


def tidy_labels(names: Iterable[str]) -> tuple[str, ...]:
    """Return labels without their sign, each once, in their order."""
    tidy = (clean_text(name).strip().removeprefix("#")[:_LABEL_LIMIT] for name in names)
    return tuple(dict.fromkeys(name for name in tidy if name))[:_LABELS]


def to_the_day(moment: Moment) -> Moment:
    """Return the local day of a moment, known no further."""
    day = moment.day()
    exact = moment.precision in {Precision.SECOND, Precision.MINUTE}
    return Moment.on(day) if day is not None and exact else moment


def ticks_moment(value: object, a_second: int) -> Moment | None:
    """Return the instant so many thousandths or millionths after 1970, a text of digits too."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return epoch_moment(value // a_second)


def first_heading(text: str) -> str:
    """Return the heading a text starts with, nothing where it starts otherwise."""
    first = text.lstrip().partition("\n")[0][:_TITLE_LIMIT]
    found = re.match(r"#{1,6}\s+(\S.*)", first)
    return found[1].strip().rstrip("#").strip() if found else ""


def whole(member: Member) -> dict[str, Any]:
    """Return a small JSON file that is one object; raise what `jsonstream.pairs` raises."""
    return dict(pairs(member, streamed=""))


def opens_with(head: bytes, *keys: str) -> bool:
    """Tell whether a file begins as a JSON object whose first key is one of these."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:200]
    return any(re.match(rb'\{\s*"%s"\s*:' % key.encode(), start) for key in keys)


def names(head: bytes, *keys: str) -> int:
    """Return how many of these keys stand in the first bytes of a JSON file."""
    return sum(1 for key in keys if re.search(rb'"%s"\s*:' % key.encode(), head))


def embedded(text: str) -> object:
    """Return JSON that lies in a text of JSON; raise `JsonFault` where it is none."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError) as fault:
        raise JsonFault("is no JSON") from fault
