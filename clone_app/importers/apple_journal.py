"""Apple's Journal: one HTML page an entry, dated in the writer's own language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clone_app.entries import ImportProblem, Moment, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.dated_paths import place
from clone_app.importers.days import read_day
from clone_app.importers.notes import noted
from clone_app.importers.textfile import head_text, lines
from clone_app.protocols import Claim, Found, Member, Reading

_ENDINGS = (".html", ".htm")
_PAGE_LIMIT = 16_000_000
# What the program put around the entry: its date, pictures and places, its question.
_AROUND = ("pageHeader", "assetGrid", "title", "reflectionPrompt", "pageFooter")


@dataclass(frozen=True, slots=True)
class AppleJournal:
    """Read the entries of Apple's Journal."""

    name: str = "apple-journal"
    title: str = "Apple Journal"
    help: str = (
        "In Journal on the phone: your picture, Export All Entries. Choose that zip or folder."
    )
    endings: tuple[str, ...] = (".zip", *_ENDINGS, "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim pages by the marks that Journal puts into each."""
        return claim_those(members, _is_entry, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each entry."""
        for member in members:
            yield _entry(member)


APPLE_JOURNAL = AppleJournal()


def _is_entry(member: Member) -> bool:
    if not member.path.lower().endswith(_ENDINGS):
        return False
    head = head_text(member.head()).replace("'", '"')
    return 'class="pageHeader"' in head and 'class="pageContainer"' in head


def _entry(member: Member) -> Found:
    if member.size > _PAGE_LIMIT:
        return ImportProblem(member.locator, "is longer than sixteen million letters; split it")
    try:
        html = "".join(lines(member))
    except ArchiveError as fault:
        return ImportProblem(member.locator, str(fault))
    text, around = _taken_apart(html)
    return noted(
        "apple-journal",
        text=text,
        moment=_moment(around.get("pageHeader", ""), member.path),
        locator=member.locator,
        medium="diary",
        title=around.get("title", ""),
        context=around.get("reflectionPrompt", ""),
    )


def _taken_apart(html: str) -> tuple[str, dict[str, str]]:
    """Return what was written, and what the program put around it by its class."""
    from clone_app.importers.html import to_text  # late: it loads lxml
    from clone_app.importers.htmltree import tree, words

    root = tree(html)
    if root is None:
        return to_text(html), {}
    around: dict[str, str] = {}
    for name in _AROUND:
        for element in root.find_class(name):
            around.setdefault(name, words(element))
            if element is not root and element.getparent() is not None:
                element.drop_tree()
    return words(root), around


def _moment(written: str, path: str) -> Moment:
    dated = read_day(clean_text(written)[:100])
    if dated is not None and not dated.unsure:
        return dated.moment
    placed = place(path)
    return Moment.unknown() if placed.unsure else placed.moment
