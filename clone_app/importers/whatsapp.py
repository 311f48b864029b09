"""Chats exported from WhatsApp: a text file, alone or in a zip with its pictures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from clone_app.entries import (
    ImportProblem,
    Item,
    Moment,
    Precision,
    Skipped,
    clean_text,
    content_hash,
)
from clone_app.errors import ArchiveError
from clone_app.importers.chatlines import Repeats, blocks
from clone_app.importers.claims import claim_by_sureness
from clone_app.importers.each_file import each_file
from clone_app.importers.left_out import counted, left_out
from clone_app.importers.textfile import head_text, is_binary, lines
from clone_app.importers.whatsapp_lines import (
    DateOrder,
    Header,
    Layout,
    Style,
    header_of,
    layout_of,
    moment_of,
)
from clone_app.importers.whatsapp_words import spoken
from clone_app.protocols import Claim, Found, Member, Question, Reading

ORDER = "whatsapp.order"
_KEPT = ("message is kept without its day", "messages are kept without their day")
_TOLD = {
    "program": (
        "line that WhatsApp wrote and no person",
        "lines that WhatsApp wrote and no person",
    ),
    "wordless": (
        "picture, sound, file or deleted message without words",
        "pictures, sounds, files and deleted messages without words",
    ),
}
_NAMED = re.compile(r"whats\s?app|^_chat\b", re.IGNORECASE)
_SIGNAL = re.compile(r"\[\d{4}-\d{2}-\d{2}, \d{2}:\d{2}\] ")
_JRNL = re.compile(r"\[\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?: [AP]M)?\] ")
_TITLE = re.compile(
    r"(?:chat|conversa|conversación|discussion|чат|czat)?[\s_-]*(?:de |do |di )?whats\s?app(?:[\s_-]*chat)?"
    r"(?:[\s_]+(?:with|mit|con|avec|com|met|med|ile|z|s|с контактом|с)(?=[\s_]))?[\s_–-]*",
    re.IGNORECASE,
)
_COPY = re.compile(r"\s*\(\d+\)$")
_PEOPLE = 20
_FEW = 8


@dataclass(frozen=True, slots=True)
class WhatsApp:
    """Read the messages people wrote; what the program wrote between them is counted."""

    name: str = "whatsapp"
    title: str = "WhatsApp chat"
    help: str = (
        "In a WhatsApp chat: More, Export chat, Without media. Choose that zip or text file."
    )
    endings: tuple[str, ...] = (".txt", ".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim text that starts as a chat does; ask for the order of dates that leave it open."""
        claim = claim_by_sureness(members, _sureness)
        if claim is None:
            return None
        ours = (member for member in members if member.path in claim.paths)
        return replace(claim, question=next(filter(None, map(_question, ours)), None))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each message with words, then what had none, counted."""
        yield from each_file(members, lambda member: _chat(member, reading))


WHATSAPP = WhatsApp()


def _sureness(member: Member) -> float:
    if not member.path.lower().endswith(".txt") or is_binary(member.head()):
        return 0.0
    filled = [line for line in _head_lines(member) if line.strip()]
    headers = [header for line in filled if (header := header_of(line)) is not None]
    authors = [header.author for header in headers if header.author]
    if not authors or header_of(filled[0]) is None or _SIGNAL.match(filled[0]):
        return 0.0
    if _NAMED.search(PurePosixPath(member.locator.replace("!", "/")).name) or len(authors) > 30:
        return 0.97
    if _JRNL.match(filled[0]) and len(set(authors)) * 2 > len(headers):
        return 0.0  # a diary of the program jrnl, with a colon in each title
    return 0.95 if len(set(authors)) < len(authors) or len(authors) == len(filled) else 0.75


def _head_lines(member: Member) -> list[str]:
    """Return the first lines of a file; the last one may be cut, and is left out then."""
    rows = head_text(member.head()).splitlines()
    return rows[:-1] if len(rows) > 1 and member.size > len(member.head()) else rows


def _question(member: Member) -> Question | None:
    layout = layout_of(_head_lines(member), authors=0)
    try:
        if not layout.examples or not (layout := layout_of(lines(member), authors=0)).examples:
            return None
    except ArchiveError:
        return None
    style, example = next(iter(layout.examples.items()))
    shown = style.sign.join(example)
    choices = (
        (order.value, f"{order.value}: it is {day.isoformat()}")
        for order in layout.orders[style]
        if (day := order.on(example))
    )
    return Question(
        ORDER,
        f"The dates in “{PurePosixPath(member.path).name}” can be read in more than one way. "
        f"Which day is {shown}?",
        tuple(choices),
    )


@dataclass(slots=True)
class _Chat:
    """Hold what is known of one file while its messages are read."""

    member: Member
    layout: Layout
    orders: Mapping[Style, tuple[DateOrder, ...]]
    reading: Reading
    title: str
    thread: str
    talk: tuple[str, ...]
    repeats: Repeats = field(default_factory=Repeats)
    told: Counter[str] = field(default_factory=Counter)

    def begin(self, line: str) -> tuple[Header, Moment] | None:
        """Read the first line of a message, None for a line that goes on with one."""
        header = header_of(line)
        if header is None or header.style not in self.orders:
            return None
        moment = moment_of(header, self.orders[header.style])
        return None if moment is None else (header, moment)

    def message(self, header: Header, moment: Moment, rows: list[str], place: str) -> Item | None:
        """Return the item of a message; None, counted, where no person's words are in it."""
        if not header.author:
            self.told["program"] += 1
            return None
        text, labels = spoken(clean_text("\n".join((header.text, *rows))))
        if not text:
            self.told["wordless" if labels else "program"] += 1
            return None
        if moment.precision in {Precision.YEAR, Precision.UNKNOWN}:
            self.told["unsure"] += 1
        return Item(
            key=self._key(header, text),
            medium="chat",
            moment=moment,
            text=text,
            mine=self.reading.is_me(header.author),
            locator=place,
            author=header.author,
            title=self.title,
            recipients=self._recipients(header.author),
            thread=self.thread,
            labels=labels,
        )

    def _key(self, header: Header, text: str) -> str:
        """Return a key over the date as written, so that an answer given later changes no key.

        The same wish may go to two people in one minute, so who talks is part of it: both names,
        which stay whatever the file is called; of more than two the chat's name.
        """
        hashed = content_hash(header.clock.isoformat(), header.author, text, *self.talk)
        return self.repeats.key(f"whatsapp:{header.written}:{hashed}")

    def _recipients(self, author: str) -> tuple[str, ...]:
        others = tuple(name for name in self.layout.authors if name != author)
        if 0 < len(others) < _FEW:
            return others
        return (self.title,) if self.title and self.title != author else ()


def _chat(member: Member, reading: Reading) -> Iterator[Found]:
    """Look at the whole file for its layout, then read it."""
    layout = layout_of(lines(member), authors=_PEOPLE)
    if not layout.lines:
        yield Skipped(member.locator, "no lines of a WhatsApp chat in it")
        return
    title, by_whatsapp = _title_of(member)
    named = title or ", ".join(sorted(layout.authors))
    orders = {style: _answered(each, reading) for style, each in layout.orders.items()}
    # A group in which two have spoken so far may have a third in the next export.
    group = len(layout.authors) > 2 or (by_whatsapp and title not in layout.authors)
    talk = (named,) if group else tuple(sorted(layout.authors))
    chat = _Chat(member, layout, orders, reading, title, f"whatsapp:{named}", talk)
    yield from _messages(chat)
    if chat.told["unsure"]:
        style, example = next(iter(layout.examples.items()))
        yield ImportProblem(
            f"{member.locator}#dates",
            f"has dates such as {style.sign.join(example)} that can be read in more than one way, so "
            f"{counted(chat.told['unsure'], *_KEPT)}. Import it again and say which number is the day.",
        )
    yield from left_out(member, chat.told, _TOLD)


def _messages(chat: _Chat) -> Iterator[Found]:
    for block in blocks(lines(chat.member), chat.begin):
        place = f"{chat.member.locator}#{block.place}"
        if block.begin is None:
            yield ImportProblem(place, "stands before the first message, so nobody is its author")
            continue
        header, moment = block.begin
        item = chat.message(header, moment, block.rows, place)
        if item is not None:
            yield item
        if block.cut:
            yield ImportProblem(place, "is longer than any message; its end was not read")


def _answered(orders: tuple[DateOrder, ...], reading: Reading) -> tuple[DateOrder, ...]:
    """Return the one order that was chosen, if it is one of those left open."""
    chosen = tuple(order for order in orders if order.value == reading.answers.get(ORDER))
    return chosen or orders


def _title_of(member: Member) -> tuple[str, bool]:
    """Return the chat's name from the file's, or from the zip's or folder's that holds it.

    And whether WhatsApp named it so.
    """
    for name in reversed(member.locator.replace("!", "/").split("/")):
        stem = _COPY.sub("", re.sub(r"\.(?:txt|zip)$", "", name, flags=re.IGNORECASE)).strip()
        if stem and stem.casefold() not in {"_chat", "chat"}:
            named = bool(_NAMED.search(stem))
            return clean_text(_TITLE.sub("", stem, count=1) if named else stem).strip(), named
    return "", False
