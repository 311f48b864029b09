"""XML files of any size, one record at a time; pictures within them never reach the memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from xml.parsers import expat

from clone_app.entries import clean_text
from clone_app.protocols import Member

FIELD_LIMIT = 16_000_000
_DEPTH = 200
_BLOCK = 1 << 18
# Control characters XML forbids and programs write all the same.
_NEVER = bytes(set(range(32)) - set(b"\t\n\r"))


class XmlFault(Exception):  # noqa: N818 - becomes a listed problem; nobody sees it as an error
    """Say where a file stops being XML; what came before it has been read."""


@dataclass(slots=True)
class Record:
    """Hold the wanted fields of one record by their path below it: `note-attributes/author`.

    `cut` tells that a field was longer than anything a person writes.
    """

    fields: dict[str, list[str]] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    cut: bool = False

    def first(self, path: str) -> str:
        """Return the first value of a field, without white space around it, nothing if unset."""
        return next((text.strip() for text in self.fields.get(path, ())), "")

    def all(self, path: str) -> list[str]:
        """Return the values of a field in their order."""
        return [text.strip() for text in self.fields.get(path, ())]


class _Gatherer:
    """Take what the parser meets and keep the wanted fields of complete records in `ready`."""

    def __init__(self, record: str, wanted: frozenset[str]) -> None:
        self.record, self.wanted = record, wanted
        self.ready: list[Record] = []
        self.begun: Record | None = None
        self.path: list[str] = []
        self.depth = 0
        self.pieces: list[str] = []
        self.letters = 0
        self.within = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > _DEPTH:
            raise XmlFault("is nested deeper than any export; the rest was not read")
        if self.begun is None:
            if name == self.record:
                self.begun, self.path = Record(attributes=attributes), []
            return
        if self.within or f"{'/'.join(self.path)}/*" in self.wanted:
            self.within += 1
            self.keep(self.begun, f"<{name.rpartition(':')[2]}>")
            return
        self.path.append(name)
        self.pieces, self.letters = [], 0
        path = "/".join(self.path)
        for attribute, value in attributes.items():
            if f"{path}@{attribute}" in self.wanted:
                cleaned = clean_text(value)[:FIELD_LIMIT]
                self.begun.fields.setdefault(f"{path}@{attribute}", []).append(cleaned)

    def text(self, data: str) -> None:
        if self.begun is None or "/".join(self.path) not in self.wanted:
            return
        if self.within:
            data = escape(data)
        self.keep(self.begun, data)

    def keep(self, record: Record, data: str) -> None:
        self.letters += len(data)
        if self.letters > FIELD_LIMIT:
            record.cut = True
        else:
            self.pieces.append(data)

    def end(self, name: str) -> None:
        self.depth -= 1
        if self.begun is None:
            return
        if not self.path:
            self.ready.append(self.begun)
            self.begun = None
            return
        if self.within:
            self.within -= 1
            self.keep(self.begun, f"</{name.rpartition(':')[2]}>")
            return
        path = "/".join(self.path)
        if path in self.wanted:
            self.begun.fields.setdefault(path, []).append(clean_text("".join(self.pieces)))
        self.path.pop()
        self.pieces, self.letters = [], 0

    def entity(self, *_: object) -> None:
        raise XmlFault("defines shorthands that could grow without end; it was not read")


def records(member: Member, record: str, wanted: frozenset[str]) -> Iterator[Record]:
    """Yield the records of a file: the elements of that name, wherever they stand.

    `wanted` names fields by their paths, attributes as `link@href`; where `content/*` is wanted
    beside `content`, the elements within it stay in its text as tags without attributes.

    Raises `XmlFault` where the file breaks off or is no XML, `ArchiveError` where it can't be read.
    """
    gatherer = _Gatherer(record, wanted)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = gatherer.start
    parser.EndElementHandler = gatherer.end
    parser.CharacterDataHandler = gatherer.text
    parser.EntityDeclHandler = gatherer.entity
    with member.open() as stream:
        data = stream.read(_BLOCK)
        wide = data[:2] in {b"\xff\xfe", b"\xfe\xff"}
        while True:
            last = not data
            fault: Exception | None = None
            try:
                parser.Parse(data if wide else data.translate(None, _NEVER), last)
            except (expat.ExpatError, ValueError, LookupError) as odd:
                fault = odd
            yield from gatherer.ready
            gatherer.ready.clear()
            if fault is not None:
                raise _reason(fault, ended=last) from fault
            if last:
                return
            data = stream.read(_BLOCK)


def _reason(fault: Exception, *, ended: bool) -> XmlFault:
    if ended:
        return XmlFault("breaks off in the middle; export or copy it again")
    line = getattr(fault, "lineno", None)
    return XmlFault(
        f"is no XML from line {line} on; export or copy it again" if line else "is no XML"
    )
