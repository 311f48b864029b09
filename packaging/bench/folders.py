"""What became of every file and every message in folders of real exports.

    python3 packaging/bench/folders.py FOLDER …

Each folder is imported twice into a new base, without vectors, and told about in one block: files seen,
read and set aside; items seen = added + updated + unchanged + duplicates + problems; the reasons. Apart
from the importers, all bytes are looked at in the plainest way for mail: files with two or more of
eight headers, and lines `From ` in mailboxes. Each of these must be an item with a date, an item that
says why it has none, or a thing with a reason. The script ends with 1 where the sums don't agree or
something is missing.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from clone_app.entries import Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.keys import ProfileKey
from clone_app.memory.database import Base
from clone_app.memory.ingest import ImportReport, Ingest
from clone_app.memory.store import Store
from clone_app.progress import Progress
from clone_app.protocols import Found, Member, Reading

HEADERS = re.compile(
    rb"^(From|To|Subject|Date|Message-ID|MIME-Version|Received|Content-Type)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
HEADER_END = re.compile(rb"\r?\n\r?\n|\r\r")
# A line `From ` with a mail's header right below it, whatever stands above it.
SEPARATOR = re.compile(
    rb"^From [^\n]*\n(?:From|To|Subject|Date|Message-ID|MIME-Version|Received|Content-Type"
    rb"|Return-Path|X-[A-Za-z-]+)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class Mails:
    """Count mail in the plainest way, and what became of it: dated, undated with the reason, named."""

    single: int = 0
    in_mailboxes: int = 0
    dated: int = 0
    undated: int = 0
    named: int = 0
    lost: tuple[str, ...] = ()

    @property
    def all(self) -> int:
        """Return how many there are."""
        return self.single + self.in_mailboxes

    def __add__(self, other: Mails) -> Mails:
        """Return both together."""
        return Mails(
            self.single + other.single, self.in_mailboxes + other.in_mailboxes,
            self.dated + other.dated, self.undated + other.undated, self.named + other.named,
            self.lost + other.lost,
        )  # fmt: skip


@dataclass(frozen=True)
class Told:
    """Hold what is told about one folder."""

    name: str
    files: int
    read: int
    sources: tuple[str, ...]
    found: int
    first: ImportReport
    again: ImportReport
    mails: Mails

    def faults(self) -> tuple[str, ...]:
        """Return what does not agree, nothing where all is well."""
        said = []
        for report in (self.first, self.again):
            parts = (
                report.added + report.updated + report.unchanged + report.duplicates
                + len(report.problems)
            )  # fmt: skip
            if report.seen != parts:
                said.append(f"{report.seen} seen, {parts} accounted for")
            if report.seen != self.found:
                said.append(f"{self.found} found by the importers, {report.seen} seen by memory")
        if self.first.updated or self.first.unchanged:
            said.append("a new base knew something already")
        if self.again.added or self.again.updated or self.again.unchanged != self.first.added:
            said.append("the second import was not the first one again")
        said += [f"{locator} is missing" for locator in self.mails.lost]
        return tuple(said)


def tell(folder: Path) -> Told:
    """Import a folder twice and return what became of it."""
    with open_tree(folder) as tree, tempfile.TemporaryDirectory() as place:
        recognition = recognise(tree)
        found = list(read_all(recognition, Reading(), Progress()))
        base = Base(Path(place) / "memory.db", ProfileKey(bytes(32)), create=True)
        base.migrate()
        try:
            first = _imported(Store(base), found)
            again = _imported(Store(base), read_all(recognition, Reading(), Progress()))
        finally:
            base.close()
        return Told(
            name=folder.name,
            files=len(tree.members()),
            read=recognition.files,
            sources=tuple(one.importer for one in recognition.recognised),
            found=sum(not isinstance(one, Skipped) for one in found),
            first=first,
            again=again,
            mails=mails(tree.members(), found),
        )


def _imported(store: Store, found: Iterable[Found]) -> ImportReport:
    number = store.begin_source("folders", "Folders", "folders", datetime(2026, 1, 1, tzinfo=UTC))
    return Ingest(store, number, UTC).run(found)


def mails(members: Iterable[Member], found: Iterable[Found]) -> Mails:
    """Look for mail without any importer, and at what the importers made of it."""
    by_file: dict[str, list[Found]] = defaultdict(list)
    for one in found:
        by_file[one.locator.partition("#")[0]].append(one)
        by_file[one.locator].append(one)
    return sum((_mails(member, by_file) for member in members), Mails())


def _mails(member: Member, by_file: Mapping[str, list[Found]]) -> Mails:
    with member.open() as stream:
        data = stream.read()
    separators = len(SEPARATOR.findall(data))
    ours = by_file.get(member.locator, [])
    if separators > 1 and not member.path.endswith(".eml"):
        kept = _kept(ours)
        missing = separators - sum(kept.values())
        lost = (f"{member.locator} ({missing} of {separators} messages)",) if missing > 0 else ()
        return Mails(0, separators, kept["dated"], kept["undated"], kept["named"], lost)
    start = HEADER_END.split(data.lstrip(b"\r\n\xef\xbb\xbf"), maxsplit=1)[0]
    if len({name.lower() for name in HEADERS.findall(start)}) < 2:
        return Mails()
    kept = _kept(ours[:1])
    lost = () if ours else (member.locator,)
    return Mails(1, 0, kept["dated"], kept["undated"], kept["named"], lost)


def _kept(found: Iterable[Found]) -> Counter[str]:
    def kind(one: Found) -> str:
        if not isinstance(one, Item):
            return "named"
        if one.moment.local is not None:
            return "dated"
        explained = any(label.startswith("undated:") for label in one.labels)
        return "undated" if explained else "lost"

    return Counter(map(kind, found))


def lines(told: Told) -> Iterator[str]:
    """Yield what is printed about one folder."""
    first, again = told.first, told.again
    yield f"{told.name}: {', '.join(told.sources)}"
    yield f"  files      {told.files} seen, {told.read} read, {told.files - told.read} set aside"
    for name, report in (("import", first), ("again", again)):
        yield (
            f"  {name:10} {report.seen} seen = {report.added} added + {report.updated} updated + "
            f"{report.unchanged} unchanged + {report.duplicates} duplicates + "
            f"{len(report.problems)} problems; {report.undated} undated, {len(report.skipped)} skipped"
        )
    if told.mails.all:
        yield (
            f"  mails      {told.mails.single} in files, {told.mails.in_mailboxes} in mailboxes: "
            f"{told.mails.dated} dated, {told.mails.undated} undated and said why, "
            f"{told.mails.named} named with a reason"
        )
    for title, places in (("problem", first.problems), ("skipped", first.skipped)):
        for reason, count in Counter(reason for _, reason in places).most_common():
            yield f"  {title:10} {count} × {reason}"
    for fault in told.faults():
        yield f"  WRONG      {fault}"


def main() -> int:
    """Print the report of all folders; return 1 where something does not agree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="+", type=Path)
    total, wrong = Mails(), 0
    for parent in parser.parse_args().folder:
        for folder in sorted(place for place in parent.iterdir() if place.is_dir()):
            told = tell(folder)
            total += told.mails
            wrong += bool(told.faults())
            print("\n".join(lines(told)), flush=True)
    if total.all:
        kept = total.dated + total.undated
        print(
            f"all mails: {total.single} in files, {total.in_mailboxes} in mailboxes; "
            f"{kept} ({kept / total.all:.1%}) kept with a date or why there is none"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
