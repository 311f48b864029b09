"""The history a browser keeps on disk: Firefox, Chrome and its kin, Safari."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from clone_app.entries import ImportProblem, Moment, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.jsonstream import text_of
from clone_app.importers.left_out import counted
from clone_app.importers.no_source import BROWSERS
from clone_app.importers.sqlitefile import START, SqliteFault, columns, opened
from clone_app.importers.stamps import epoch_moment
from clone_app.importers.visits import visit
from clone_app.protocols import Claim, Found, Member, Reading


@dataclass(frozen=True, slots=True)
class _Kind:
    """Say how one browser keeps its visits: `moments` a second, counted from `epoch`."""

    tables: tuple[str, ...]
    query: str
    epoch: datetime
    moments: int


_KINDS = (
    _Kind(
        ("moz_places", "moz_historyvisits"),
        # Visits within a frame, redirects and downloads are no visits of a person.
        "SELECT v.id, v.visit_date, p.url, p.title FROM moz_historyvisits v JOIN moz_places p "
        "ON p.id = v.place_id WHERE coalesce(v.visit_type, 1) NOT IN (4, 5, 6, 7, 8) ORDER BY v.id",
        datetime(1970, 1, 1, tzinfo=UTC),
        1_000_000,
    ),
    _Kind(
        ("urls", "visits"),
        "SELECT v.id, v.visit_time, u.url, u.title FROM visits v JOIN urls u ON u.id = v.url "
        "WHERE (coalesce(v.transition, 0) & 255) NOT IN (3, 4) ORDER BY v.id",
        datetime(1601, 1, 1, tzinfo=UTC),
        1_000_000,
    ),
    _Kind(
        ("history_items", "history_visits"),
        "SELECT v.id, v.visit_time, i.url, v.title FROM history_visits v JOIN history_items i "
        "ON i.id = v.history_item ORDER BY v.id",
        datetime(2001, 1, 1, tzinfo=UTC),
        1,
    ),
)


@dataclass(frozen=True, slots=True)
class Browser:
    """Read the visits and searches in a browser's own history file."""

    name: str = "browser"
    title: str = "Browser history (Firefox, Chrome, Safari)"
    help: str = (
        "Close the browser and copy its file: places.sqlite in Firefox's profile folder, History in "
        "Chrome's or Edge's, History.db in Safari's."
    )
    endings: tuple[str, ...] = (".sqlite", ".db", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim databases that are called as browsers call theirs."""
        return claim_those(
            members, lambda one: BROWSERS.search(one.path) and one.head().startswith(START), 0.9
        )

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each visit; pages of the browser itself are counted and left."""
        for member in members:
            try:
                yield from _history(member)
            except (ArchiveError, SqliteFault) as fault:
                yield ImportProblem(member.locator, str(fault))


BROWSER = Browser()


def _history(member: Member) -> Iterator[Found]:
    with opened(member) as db:
        kind = next((one for one in _KINDS if all(columns(db, name) for name in one.tables)), None)
        if kind is None:
            yield ImportProblem(member.locator, "holds no browser's history; choose another file")
            return
        count = left = 0
        for number, at, address, title in db.execute(kind.query):
            address = text_of(address).strip()
            if not address.startswith(("http://", "https://")):
                left += 1
                continue
            count += 1
            locator = f"{member.locator}#{number}"
            moment = _moment(at, kind) or Moment.unknown()
            yield visit("browser", moment, title=text_of(title), address=address, locator=locator)
        if left:
            yield Skipped(
                f"{member.locator}#pages",
                counted(
                    left,
                    "visit to a page that is not on the web",
                    "visits to pages that are not on the web",
                ),
            )
        if not count:
            yield Skipped(member.locator, "no visits in it")


def _moment(at: object, kind: _Kind) -> Moment | None:
    if isinstance(at, bool) or not isinstance(at, int | float) or not at:
        return None
    try:
        return epoch_moment(at / kind.moments + kind.epoch.timestamp())
    except OverflowError:
        return None
