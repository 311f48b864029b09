"""Diaries and notes in Markdown or plain text: a file a day, or one file with dated headings."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from typing import Any

from clone_app.entries import (
    ImportProblem,
    Item,
    Moment,
    Precision,
    Skipped,
    clean_text,
    content_hash,
)
from clone_app.importers.claims import claim_by_sureness
from clone_app.importers.dated_paths import Placed, order_of_names, place
from clone_app.importers.daylines import recur
from clone_app.importers.days import Order, order_of, read_day
from clone_app.importers.each_file import each_file
from clone_app.importers.sections import Section, cut
from clone_app.importers.textfile import head_text, is_binary, lines
from clone_app.protocols import Claim, Found, Member, Reading

_MARKDOWN = (".md", ".markdown", ".mdown")
_ENDINGS = (*_MARKDOWN, ".txt", ".text")
_LINK = re.compile(r"!?\[\[(?!\s)([^\[\]|\n]+?)(?:\\?\|([^\[\]\n]*))?\]\]")
_MAIL = re.compile(
    r"From \S+.*\d{4}\s*\n[A-Za-z-]+:|(?:[A-Z][A-Za-z-]+: .*\n(?:[ \t].*\n)*){2,}\s*\n"
)
_MAIL_FIELD = re.compile(
    r"^(?:From|To|Date|Subject|Received|Message-ID|Return-Path|MIME-Version|Delivered-To):",
    re.MULTILINE | re.IGNORECASE,
)
_CHAT = re.compile(
    r"^\u200e?\[?\d{1,4}[-./]\d{1,2}[-./]\d{1,4},? \d{1,2}[:.]\d{2}[^\n]{0,18}?(?:\]| -) ?"
    r"[^:\n]{1,40}: ",
    re.MULTILINE,
)
_MARKUP = re.compile(r"<!doctype|<html|<\?xml|<svg|(?:\[\s*)?\{\s*\"|BEGIN:V", re.IGNORECASE)
_ADDRESSES = re.compile(r"^\s*(?:\S*[@]\S*|\w+://\S*)\s*$")
_DOUBTFUL = 0.3
_FRONT_LINES, _FRONT_LETTERS = 400, 64_000
_WRITTEN_KEYS = ("date", "day")
_MADE_KEYS = ("created", "created_at", "date created", "date_created", "creation date")
_ABOUT_KEYS = {
    *_WRITTEN_KEYS, *_MADE_KEYS, "title", "tags", "tag", "alias", "aliases", "id", "uuid",
    "modified", "updated", "cssclass", "cssclasses", "source", "draft", "publish",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Front:
    """Hold what the block of properties at the top of a file says.

    `rest` is the block as it was written, where it says more than when and about what: a note may
    keep all its words there.
    """

    written: Moment | None = None
    made: Moment | None = None
    title: str = ""
    labels: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diary:
    """Read Markdown and text: dated files, dated headings, and notes without a date."""

    name: str = "diary"
    title: str = "Diary or notes (Markdown, text)"
    help: str = "Choose your vault's folder (Obsidian, Logseq) or a text file with a heading a day."
    endings: tuple[str, ...] = (*_ENDINGS, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim Markdown and text that is neither mail nor a chat; days in it make it sure."""
        return claim_by_sureness(members, _sureness, doubtful=_DOUBTFUL)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each entry; files and headings with nothing under them are skipped."""
        order = order_of_names(member.path for member in members)
        yield from each_file(members, lambda member: _file(member, order))


DIARY = Diary()


def _sureness(member: Member) -> float:
    path = member.path.lower()
    if not path.endswith(_ENDINGS) or "logseq/bak/" in path or "logseq/.recycle/" in path:
        return 0.0
    day = place(member.path).is_day
    if day and path.endswith(_MARKDOWN):
        return 0.9
    if is_binary(member.head()):
        return 0.0
    head = head_text(member.head())
    if is_foreign(head, lone_addresses=not day):
        return 0.0
    if day:
        return 0.9
    front, text = _front_matter(iter(head.splitlines(keepends=True)))
    rows = head.splitlines(keepends=True)
    sections = cut(text, Moment.unknown(), order=lambda: None, recurring=lambda: recur(rows))
    if any(section.dated for section in sections):
        return 0.9
    if front.written or front.made or place(member.path).moment.local is not None:
        return 0.7
    return 0.5 if path.endswith(_MARKDOWN) else _DOUBTFUL


def is_foreign(head: str, *, lone_addresses: bool) -> bool:
    """Tell whether a text is mail, a chat, a list of addresses or markup: not one's own words."""
    start = head.lstrip("\ufeff \t\r\n")
    if _MARKUP.match(start):
        return True
    if _MAIL.match(start.replace("\r\n", "\n")) and (
        start.startswith("From ") or len(_MAIL_FIELD.findall(start)) >= 2
    ):
        return True
    filled = [line for line in start.splitlines() if line.strip()]
    if len(_CHAT.findall(start)) * 3 >= min(len(filled), 6) > 0:
        return True
    lone = sum(1 for line in filled if _ADDRESSES.match(line))
    return lone_addresses and len(filled) > 4 and lone * 3 > len(filled) * 2


def _file(member: Member, name_order: Order | None) -> Iterator[Found]:
    """Yield what one file holds."""
    if is_binary(member.head()):
        yield Skipped(member.locator, "no text, whatever its ending says")
        return
    placed = place(member.path, order=name_order)
    front, text = _front_matter(lines(member))
    base = _base(placed, front)
    places: Counter[str] = Counter()
    unsure = [placed.title or member.path] if placed.unsure else []
    count = 0
    for section in cut(text, base, order=_order_in(member), recurring=_recurring_in(member)):
        if section.unsure and not unsure:
            unsure.append(section.title)
        if section.empty or (section.bare_heading and not section.dated and not placed.is_day):
            if section.dated:
                yield Skipped(_locator(member, section.label, places), "nothing under the heading")
                count += 1
            continue
        count += 1
        locator = _locator(member, section.label, places)
        if section.cut:
            yield ImportProblem(
                locator, "is longer than four million letters; the rest was left out"
            )
        yield _item(section, placed, front, locator)
    if unsure:
        yield ImportProblem(
            member.locator,
            f"day and month can't be told apart in dates like {unsure[0]}; "
            "write them as 2024-03-31, since only their year could be kept",
        )
    if not count and front.rest:
        yield _item(Section(base, lines=list(front.rest)), placed, front, member.locator)
    elif not count:
        filled = head_text(member.head()).strip()
        yield Skipped(member.locator, "only a heading or properties" if filled else "an empty file")


def _order_in(member: Member) -> Callable[[], Order | None]:
    """Return a function that decides the order of day and month over the whole file, once."""

    @cache
    def decide() -> Order | None:
        short = (line for line in lines(member) if len(line) < 120)
        return order_of(line.strip().strip("*_[]#= \t:") for line in short)

    return decide


def _recurring_in(member: Member) -> Callable[[], bool]:
    """Return a function that tells, once, whether days begin lines throughout the file."""

    @cache
    def decide() -> bool:
        return recur(lines(member))

    return decide


def _base(placed: Placed, front: _Front) -> Moment:
    """Return what is known about a whole file.

    A date someone wrote into the properties is the entry's own; when the file was made counts where
    nothing else is known, or where it tells the hour of the same day.
    """
    for known in (front.written, front.made):
        if known is None:
            continue
        if not placed.is_day and (known is front.written or placed.moment.local is None):
            return known
        if placed.is_day and known.day() == placed.moment.day():
            return known if known.precision is not Precision.DAY else placed.moment
        if known is front.written:
            return known
    return placed.moment


def _item(section: Section, placed: Placed, front: _Front, locator: str) -> Item:
    text = clean_text(readable_links(section.text())).strip()
    moment = section.moment
    diary = section.dated or placed.moment.local is not None
    title = section.title or (front.title if not section.dated else "")
    if not title and not section.dated:
        title = placed.title
    day = moment if moment.offset is None else replace(moment, offset=None)
    if moment.precision in {Precision.SECOND, Precision.MINUTE}:
        day = replace(day, precision=Precision.DAY)
    return Item(
        key=f"diary:{day.iso() or 'undated'}:{content_hash(text)}",
        medium="diary" if diary else "note",
        moment=moment,
        text=text,
        mine=True,
        locator=locator,
        title=clean_text(readable_links(title)).strip(),
        labels=front.labels,
    )


def readable_links(text: str) -> str:
    """Return text in which `[[Name|alias]]` reads `alias` and `[[Name]]` reads `Name`."""
    if "[[" not in text:
        return text
    for _ in range(3):  # Logseq nests them
        text, count = _LINK.subn(lambda link: link[2] or link[1], text)
        if not count:
            break
    return text


def _locator(member: Member, label: str, places: Counter[str]) -> str:
    places[label] += 1
    again = f"/{places[label]}" if places[label] > 1 else ""
    if not label:
        return f"{member.locator}#{again}" if again else member.locator
    return f"{member.locator}#{label}{again}"


def _front_matter(text: Iterator[str]) -> tuple[_Front, Iterator[str]]:
    """Take the block of properties off the top of a file; a broken one is text like the rest."""
    first = next(text, "")
    if first.lstrip("\ufeff").rstrip() != "---":
        return _Front(), itertools.chain((first,) if first else (), text)
    block, letters = [first.lstrip("\ufeff")], 0
    closed = False
    for line in itertools.islice(text, _FRONT_LINES):
        block.append(line)
        letters += len(line)
        closed = line.rstrip() in {"---", "..."}
        if closed or letters > _FRONT_LETTERS:
            break
    if closed:
        block[-1] = "---\n"
        properties = _properties("".join(block))
        if properties is not None:
            return _read_front(properties, block[1:-1]), text
    return _Front(), itertools.chain(block, text)


def _properties(block: str) -> dict[str, Any] | None:
    import frontmatter  # late: YAML takes its time, and most files have no properties

    if "<<" in block or "!!" in block:  # merged keys can be made to multiply without end
        return None
    try:
        metadata, _ = frontmatter.parse(block)
    except Exception:  # whatever YAML finds to raise, the block is text then
        return None
    if not isinstance(metadata, dict) or (not metadata and block.strip("- \t\n")):
        return None
    return {str(key).casefold().strip(): value for key, value in metadata.items()}


def _read_front(properties: dict[str, Any], written: list[str]) -> _Front:
    def first_moment(keys: tuple[str, ...]) -> Moment | None:
        found = (_moment(properties.get(key)) for key in keys)
        return next((moment for moment in found if moment is not None), None)

    title = properties.get("title")
    return _Front(
        written=first_moment(_WRITTEN_KEYS),
        made=first_moment(_MADE_KEYS),
        title=title if isinstance(title, str) else "",
        labels=_labels(properties.get("tags") or properties.get("tag")),
        rest=() if properties.keys() <= _ABOUT_KEYS else tuple(written),
    )


def _moment(value: object) -> Moment | None:
    if isinstance(value, datetime):
        return Moment.of(value.replace(microsecond=0))
    if isinstance(value, date):
        return Moment.on(value)
    if isinstance(value, str) and (dated := read_day(value[:80])) and not dated.unsure:
        return dated.moment
    return None


def _labels(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = re.split(r"[,\s]+", value)
    if not isinstance(value, list):
        return ()
    words = (word.strip().lstrip("#") for word in value[:100] if isinstance(word, str))
    return tuple(dict.fromkeys(clean_text(word)[:100] for word in words if word))
