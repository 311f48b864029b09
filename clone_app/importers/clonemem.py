"""A life from the CloneMem benchmark: the traces of one persona file, each with its own medium."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from clone_app.entries import (
    ImportProblem,
    Item,
    Moment,
    Precision,
    Skipped,
    content_hash,
)
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.jsonstream import JsonFault, dict_of, pairs, text_of
from clone_app.protocols import Claim, Found, Member, Reading

_TRACES = "context"
_PERSON = re.compile(rb'"person_(?:name|id)"\s*:')
_HOLDS = re.compile(rb'"(?:context|qa_items|questions)"\s*:\s*\[')
# A mail is kept with its head, whoever wrote it.
_FROM = re.compile(r"\s*From:[ \t]*([^\n<]+?)[ \t]*(?:<[^\n]*)?\n")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CloneMem:
    """Read the traces of CloneMem persona files."""

    name: str = "clonemem"
    title: str = "CloneMem persona file"
    help: str = (
        "A file of the CloneMem benchmark: one person's traces and the questions about them."
    )
    endings: tuple[str, ...] = (".json",)

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim persona files, by what is in them."""
        return claim_those(members, _is_persona, 0.98)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each trace, in the file's order, which is not that of time."""
        for member in members:
            yield from _persona(member)


CLONEMEM = CloneMem()


def _is_persona(member: Member) -> bool:
    if not member.path.lower().endswith(".json"):
        return False
    head = member.head().removeprefix(b"\xef\xbb\xbf").lstrip()
    traces = b'"event_date"' in head and b'"medium"' in head
    return (
        head.startswith(b"{")
        and bool(_HOLDS.search(head))
        and (traces or bool(_PERSON.search(head)))
    )


def _persona(member: Member) -> Iterator[Found]:
    index, person = -1, None
    try:
        for key, value in pairs(member, streamed=_TRACES):
            if key == "person_name":
                person = text_of(value)
            if key != _TRACES:
                continue
            if person is None:  # it may stand below the traces
                person = _person(member)
            index += 1
            yield _trace(value, f"{member.locator}#{_TRACES}/{index}", person)
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{_TRACES}/{index + 1}", str(fault))
        return
    if index < 0:
        yield Skipped(member.locator, "no traces in it")


def _person(member: Member) -> str:
    for key, value in pairs(member, streamed=_TRACES):
        if key == "person_name":
            return text_of(value)
    return ""


def _trace(value: Any, locator: str, person: str) -> Found:
    trace = dict_of(value)
    text = text_of(trace.get("content"))
    if not text.strip():
        return ImportProblem(locator, "is no trace, or one without content")
    moment = _moment(text_of(trace.get("event_date")))
    day = moment.day()
    made = f"clonemem:{day.isoformat() if day else 'undated'}:{content_hash(text)}"
    heading = _HEADING.search(text[:20_000])
    writer = _writer(text) or person
    mine = _same(writer, person)
    return Item(
        key=text_of(trace.get("id")) or made,
        medium=text_of(trace.get("medium")).strip() or "other",
        moment=moment,
        text=text,
        mine=mine,
        locator=locator,
        author=person if mine else writer,
        title=heading[1].strip().rstrip("#").strip("* \t") if heading else "",
    )


def _writer(text: str) -> str:
    """Return whom the head of a mail names as its writer, "" where there is no head."""
    head = _FROM.match(text)
    return head[1].strip("\"' ") if head else ""


def _same(name: str, person: str) -> bool:
    """Tell whether a name is the person's, in whole or in part; so is any where nobody is named."""
    one, other = ({*each.casefold().split()} for each in (name, person))
    return one <= other or other <= one


def _moment(text: str) -> Moment:
    """Read a naive local moment; a `Z` in some copies is a slip and means no zone."""
    text = text.strip().removesuffix("Z")[:40]
    try:
        when = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        return Moment.unknown()
    if len(text) <= 10:
        return Moment.of(when, Precision.DAY)
    return Moment.of(when.replace(microsecond=0))
