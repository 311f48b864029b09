"""Find out what was dropped, show what an import would bring, and read it source by source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.errors import ArchiveError, Cancelled, CloneAppError, UnrecognisedError
from clone_app.importers import IMPORTERS
from clone_app.importers.archive import Tree
from clone_app.importers.no_source import failed_download, no_source, unclaimed
from clone_app.importers.watch import Watch, Watched
from clone_app.progress import Progress
from clone_app.protocols import Claim, Found, Importer, Member, Question, Reading

_SURE = 0.7
_BESIDE = "perhaps notes, but beside other sources; import it by itself if you wrote it"
_SPOKEN = {"mail", "chat"}
_AUTHORS, _CANDIDATES = 20, 128


@dataclass(frozen=True, slots=True)
class Recognised:
    """Say which source was found, how surely (0 to 1), in how many files, and what it must ask."""

    importer: str
    title: str
    confidence: float
    files: int
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Claimed:
    """Hold the members one importer will read."""

    importer: Importer
    confidence: float
    members: tuple[Member, ...]
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Recognition:
    """Hold what a tree was recognised as: who reads which members, and what nobody reads."""

    tree: Tree
    claimed: tuple[Claimed, ...]
    skipped: tuple[Skipped, ...]
    problems: tuple[ImportProblem, ...]

    @property
    def recognised(self) -> tuple[Recognised, ...]:
        """Return the sources found, surest first."""
        return tuple(
            Recognised(
                one.importer.name,
                one.importer.title,
                one.confidence,
                len(one.members),
                one.question,
            )
            for one in self.claimed
        )

    @property
    def files(self) -> int:
        """Return how many files will be read."""
        return sum(len(one.members) for one in self.claimed)


def recognise(tree: Tree, *, as_source: str | None = None) -> Recognition:
    """Give each member of a tree to the importer that is surest of it.

    `as_source` names an importer that gets everything. Raises `UnrecognisedError`, which says what
    is accepted, where nobody would read anything.
    """
    members = tree.members()
    problems = list(tree.problems)
    skipped = list(tree.skipped)
    if as_source is not None:
        claimed = [_forced(_named(as_source), members)] if members else []
    else:
        offered: list[Member] = []
        for member in members:
            if failed_download(member):
                continue
            if reason := no_source(member):
                skipped.append(Skipped(member.locator, reason))
            else:
                offered.append(member)
        claimed = _shared_out(offered, skipped)
    taken = {member.path for one in claimed for member in one.members}
    listed = {one.locator for one in skipped}
    for member in members:
        if member.path in taken or member.locator in listed:
            continue
        if fault := _unreadable(member) or failed_download(member):
            problems.append(ImportProblem(member.locator, fault))
        else:
            skipped.append(Skipped(member.locator, no_source(member) or unclaimed(member)))
    if not taken:
        raise _nothing(tree, problems)
    skipped.sort(key=lambda one: one.locator)
    return Recognition(tree, tuple(claimed), tuple(skipped), tuple(problems))


def _named(name: str) -> Importer:
    for importer in IMPORTERS:
        if importer.name == name.strip().lower():
            return importer
    names = ", ".join(importer.name for importer in IMPORTERS)
    raise CloneAppError(f"There is no source called “{name}”. Name one of these: {names}.")


def _forced(importer: Importer, members: Sequence[Member]) -> Claimed:
    claim = _claim(importer, members)
    chosen = [member for member in members if claim is None or member.path in claim.paths]
    if claim is None:
        return Claimed(importer, 0.0, tuple(chosen))
    return Claimed(importer, claim.confidence, tuple(chosen), claim.question)


def _claim(importer: Importer, members: Sequence[Member]) -> Claim | None:
    try:
        claim = importer.claim(members)
    except Exception:  # a look at strange bytes must not stop the other importers from looking
        return None
    return claim if claim is not None and claim.paths else None


def _shared_out(members: Sequence[Member], skipped: list[Skipped]) -> list[Claimed]:
    claims = [(claim, one) for one in IMPORTERS if (claim := _claim(one, members)) is not None]
    claims.sort(key=lambda pair: -pair[0].confidence)  # stable: the order of IMPORTERS decides ties
    taken: set[str] = set()
    claimed: list[Claimed] = []
    for claim, importer in claims:
        surer = any(other is not importer and one.confidence >= _SURE for one, other in claims)
        mine: list[Member] = []
        for member in members:
            if member.path not in claim.paths or member.path in taken:
                continue
            if surer and member.path in claim.doubtful:
                skipped.append(
                    Skipped(member.locator, _BESIDE if member.size else unclaimed(member))
                )
            else:
                taken.add(member.path)
                mine.append(member)
        if mine:
            claimed.append(Claimed(importer, claim.confidence, tuple(mine), claim.question))
    return claimed


def _unreadable(member: Member) -> str:
    """Return why a member can't be opened at all: its head is empty though it is not."""
    if not member.size or member.head():
        return ""
    try:
        with member.open() as stream:
            stream.read(1)
    except ArchiveError as fault:
        return str(fault)
    return ""


def _nothing(tree: Tree, problems: Sequence[ImportProblem]) -> UnrecognisedError:
    accepted = "; ".join(importer.title for importer in IMPORTERS)
    if not tree.members():
        if problems:
            first = problems[0]
            return UnrecognisedError(
                f"Nothing in “{tree.name}” can be read: {first.locator}: {first.reason}. "
                "Unpack or copy it yourself and choose the folder."
            )
        kind = "folder" if tree.is_folder else "archive"
        brief = f"The {kind} “{tree.name}” holds no files."
        return UnrecognisedError(f"{brief} Choose one that holds: {accepted}.", brief=brief)
    if len(tree.members()) == 1 and problems:
        return UnrecognisedError(f"“{problems[0].locator}” {problems[0].reason}.")
    named = "; ".join(f"{importer.name} – {importer.title}" for importer in IMPORTERS)
    if len(tree.members()) == 1 and not tree.members()[0].size:
        brief = f"“{tree.name}” is empty."
        return UnrecognisedError(
            f"{brief} Choose a file or folder that holds: {accepted}.", brief=brief
        )
    brief = f"Nothing in “{tree.name}” is of a kind this program reads."
    return UnrecognisedError(
        f"{brief} It reads: {named}. If it is one of these, say which: --as and the word before the "
        "dash.",
        brief=brief,
    )


def read_all(recognition: Recognition, reading: Reading, progress: Progress) -> Iterator[Found]:
    """Yield what the sources hold, in order, after what was refused or set aside.

    Never raises for what is in the files: a fault of an importer itself ends the file it was
    reading, as a problem, and the next file follows. Raises `Cancelled` if asked to stop.
    """
    yield from recognition.problems
    yield from recognition.skipped
    watch = Watch()
    for one in recognition.claimed:
        yield from read_claimed(recognition, one, reading, progress, watch)
    progress.check()


def read_claimed(
    recognition: Recognition, one: Claimed, reading: Reading, progress: Progress, watch: Watch
) -> Iterator[Found]:
    """Yield what one source of a recognition holds; `watch` is shared by all of them."""
    total = max(1, sum(member.size for each in recognition.claimed for member in each.members))
    for found in _read(one, reading, watch):
        progress.report(watch.done, total, f"Reading: {one.importer.title}")
        yield found


def _read(one: Claimed, reading: Reading, watch: Watch) -> Iterator[Found]:
    left = list(one.members)
    while left:
        count = len(left)
        try:
            yield from one.importer.read([Watched(member, watch) for member in left], reading)
        except Cancelled:
            raise
        except Exception as fault:  # ours, but one file's importer must not stop the others
            left = [member for member in left if member.path not in watch.opened]
            failed = watch.last if len(left) < count and watch.last else left.pop(0)
            yield ImportProblem(failed.locator, _reason(fault))
        else:
            return


def _reason(fault: Exception) -> str:
    if isinstance(fault, CloneAppError):
        return str(fault)
    # The message may hold words of a person, and this line may be copied into a report.
    return f"could not be read to its end ({type(fault).__name__}); what came before it was kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Show what an import would bring, without bringing it.

    `first` and `last` are local days in ISO 8601. `authors` are the names and addresses that wrote
    or got mail and chats not known to be the user's, most frequent first: is one of these you?
    `others` are items that are not the user's (items = mine + others) and `by` who wrote them, most
    frequent first; `quoting` are items with others' words in their context. All of these are kept
    to be found, and never count as the user's words.
    """

    recognised: tuple[Recognised, ...]
    items: int
    mine: int
    others: int = 0
    quoting: int = 0
    by: tuple[tuple[str, int], ...] = ()
    undated: int
    first: str | None
    last: str | None
    samples: tuple[Item, ...]
    authors: tuple[tuple[str, int], ...]
    skipped: tuple[tuple[str, str], ...]
    problems: tuple[tuple[str, str], ...]


def preview(recognition: Recognition, reading: Reading, progress: Progress) -> Preview:
    """Read everything once, so that the counts are exact, and keep three samples over its time."""
    items = mine = quoting = undated = 0
    days: list[date] = []
    samples = _Samples()
    authors: Counter[str] = Counter()
    by: Counter[str] = Counter()
    skipped: list[tuple[str, str]] = []
    problems: list[tuple[str, str]] = []
    for found in read_all(recognition, reading, progress):
        match found:
            case ImportProblem(locator, reason):
                problems.append((locator, reason))
            case Skipped(locator, reason):
                skipped.append((locator, reason))
            case Item():
                items += 1
                mine += found.mine
                quoting += bool(found.context)
                if not found.mine and found.author:
                    by[found.author] += 1
                samples.offer(found)
                day = found.moment.day()
                if day is None:
                    undated += 1
                else:
                    days = [min(day, *days), max(day, *days)] if days else [day, day]
                if found.medium in _SPOKEN and not found.mine:
                    # In order, so that equal counts are shown the same way each time.
                    names = filter(None, (found.author, *found.recipients))
                    authors.update(tuple(dict.fromkeys(names)))
    return Preview(
        recognised=recognition.recognised,
        items=items,
        mine=mine,
        others=items - mine,
        quoting=quoting,
        by=tuple(by.most_common(_AUTHORS)),
        undated=undated,
        first=days[0].isoformat() if days else None,
        last=days[1].isoformat() if days else None,
        samples=samples.three(),
        authors=tuple(authors.most_common(_AUTHORS)),
        skipped=tuple(skipped),
        problems=tuple(problems),
    )


class _Samples:
    """Keep a few items evenly from a stream whose length is unknown, in flat memory."""

    def __init__(self) -> None:
        self._kept: list[Item] = []
        self._seen, self._every = 0, 1

    def offer(self, item: Item) -> None:
        if self._seen % self._every == 0:
            self._kept.append(item)
            if len(self._kept) >= _CANDIDATES:
                self._kept, self._every = self._kept[::2], self._every * 2
        self._seen += 1

    def three(self) -> tuple[Item, ...]:
        """Return three that are spread over time, the user's own first if there are enough."""
        own = [item for item in self._kept if item.mine and item.text]
        dated = sorted(
            own if len(own) >= 3 else self._kept,
            key=lambda item: item.moment.iso() or "undated",  # last: letters follow digits
        )
        if len(dated) <= 3:
            return tuple(dated)
        return tuple(dated[len(dated) * place // 6] for place in (1, 3, 5))
