"""The values everything else speaks in: a moment, an item, a problem, a passage, an answer.

Frozen, without behaviour that reads a clock, a file or a setting: the lowest layer of the program.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from enum import StrEnum
from typing import Self, TypeAlias


class Precision(StrEnum):
    """How exactly a source knows a moment."""

    SECOND = "second"
    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Moment:
    """Say when something was written, exactly as surely as its source does and no more.

    `local` is the wall clock where the writer was (naive; unused parts at their start, so a day is
    00:00). `offset` is the distance from UTC if the source gives one. A moment without an offset is
    read in the home time zone whenever an instant is needed, and its local day never moves.
    """

    local: datetime | None
    precision: Precision
    offset: timedelta | None = None

    @classmethod
    def unknown(cls) -> Moment:
        """Return the moment of something undated."""
        return cls(None, Precision.UNKNOWN)

    @classmethod
    def on(cls, day: date) -> Moment:
        """Return a moment known to the day."""
        return cls(datetime.combine(day, time.min), Precision.DAY)

    @classmethod
    def of(cls, when: datetime, precision: Precision = Precision.SECOND) -> Moment:
        """Return the moment of a naive or aware datetime, its wall clock and offset kept apart."""
        return cls(when.replace(tzinfo=None), precision, when.utcoffset())

    def iso(self) -> str | None:
        """Return ISO 8601 at this precision: `2024-01-15T23:30:00-05:00`, `1666-09-14`, `2022-03`."""
        if self.local is None:
            return None
        match self.precision:
            case Precision.YEAR:
                return f"{self.local.year:04d}"
            case Precision.MONTH:
                return f"{self.local.year:04d}-{self.local.month:02d}"
            case Precision.DAY:
                return self.local.date().isoformat()
            case Precision.MINUTE:
                text = self.local.isoformat(timespec="minutes")
            case _:
                text = self.local.isoformat(timespec="seconds")
        if self.offset is None:
            return text
        return text + datetime(2000, 1, 1, tzinfo=timezone(self.offset)).isoformat()[19:]

    def start(self, home: tzinfo) -> datetime | None:
        """Return the instant (aware, UTC) at which this moment's span starts; None if undated."""
        if self.local is None:
            return None
        zone = home if self.offset is None else timezone(self.offset)
        try:
            return self.local.replace(tzinfo=zone).astimezone(UTC)
        except (OverflowError, ValueError):  # the first or last day of the calendar
            return self.local.replace(tzinfo=UTC)

    def day(self) -> date | None:
        """Return the writer's local day (the first of the month or year where no day is known)."""
        return None if self.local is None else self.local.date()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Hold one thing a person wrote or received, as its source tells it.

    `text` is what its author wrote and nothing else; `context` is what others' words came with it
    (quoted mail, a forwarded message): searchable, never the user's voice. `key` is the source's own
    id, else `source + day + content hash`, so that importing twice adds nothing wherever the archive
    lies. `locator` reopens the original: a path relative to what was imported, `!member` for a zip,
    `#part` for a place inside a file.
    """

    key: str
    medium: str
    moment: Moment
    text: str
    mine: bool
    locator: str
    author: str = ""
    title: str = ""
    recipients: tuple[str, ...] = ()
    thread: str = ""
    context: str = ""
    labels: tuple[str, ...] = ()

    def body_hash(self) -> str:
        """Return the hash that tells two items of one key apart: only what was written counts."""
        return content_hash(self.text, self.context)


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """Name a place that could not be read, with a reason a person understands."""

    locator: str
    reason: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """Name a file that is no source (a licence, a picture): listed, never imported, no problem."""

    locator: str
    reason: str


@dataclass(frozen=True, slots=True)
class Passage:
    """Hold a stretch of one item that is searched as a unit.

    `start` and `end` are offsets into the item's `text` (or its `context` where `own` is false), so
    that a passage always stands verbatim in its item.
    """

    number: int
    start: int
    end: int
    own: bool
    text: str


def content_hash(*parts: str) -> str:
    """Return 16 hex digits over the parts: stable between machines, runs and places."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\x1f")
    return digest.hexdigest()[:16]


def clean_text(text: str) -> str:
    """Return text without NUL and lone surrogates, with plain line ends; emoji and RTL marks stay."""
    if text.isprintable():  # then none of these is in it
        return text
    text = text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else text.encode("utf-8", "ignore").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Cutoff:
    """Say what can be seen: items whose span starts at or before `instant` (aware, UTC).

    Undated items are visible for now and hidden for a past moment, since nobody knows that they had
    been written by then.
    """

    instant: datetime
    undated: bool = True


@dataclass(frozen=True, slots=True)
class FoundBy:
    """Say which ranker found an item, with which probe, and how much it gave to the item's score.

    `probe` is what the ranker looked for: the question, the time or the people it names. `standing` is
    in deviations above what is usual for the question, times the recipe's weight.
    """

    ranker: str
    probe: str
    standing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Hold one item that recall found, with the passage that matched best.

    `passage` stands verbatim at `start` of the item's `text` (or of its `context` where `own` is
    false). `score` orders hits within one recall and means nothing outside it. `cosine` is the best
    one of the item's passages, None where no vectors were there. `coverage` (0 to 1) is how much of
    the question's weight in words the item holds. `found_by` are the rankers that found it, `found`
    what each of them gave.
    """

    item_id: int
    item: Item
    passage: str
    start: int
    own: bool
    score: float
    cosine: float | None
    coverage: float
    found_by: tuple[str, ...]
    found: tuple[FoundBy, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """Hold one content word of a question and how memory knows it.

    `spelled` holds the words searched for it: itself, or neighbours by spelling where the memory does
    not hold it; empty where it holds neither. They are `loose` where they are other words that say the
    same. `weight` is its rarity (inverse document frequency), `held` how many passages hold any of
    them, counted to a limit; 0 where nobody has counted.
    """

    word: str
    spelled: tuple[str, ...]
    weight: float
    held: int = 0
    loose: bool = False


@dataclass(frozen=True, slots=True)
class NamedTime:
    """Hold a time a question speaks of as it was understood: ISO local days, `start` in, `end` out.

    `phrase` are the words it came from; a `vague` one weighs less. `searched` is the wider stretch that
    was looked at where nothing stands in the time itself. An `event` is told by something that
    happened: its days were read in entries.
    """

    start: str
    end: str
    phrase: str
    vague: bool = False
    searched: tuple[str, str] | None = None
    event: bool = False


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """Hold somebody a question names: `phrase` are its words, `name` says who that is."""

    phrase: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Say among which items to look, and what of a question is not to be understood.

    `whose` keeps the user's own ("mine") or those of "others", `who` what one person wrote or got, by
    any name or address. `since` is inclusive, `until` exclusive, ISO local days. `plain` are phrases of
    the question that name no time and nobody though they could; case and spaces don't count. Empty is
    no filter.
    """

    whose: str = ""
    who: str = ""
    medium: str = ""
    since: str = ""
    until: str = ""
    plain: tuple[str, ...] = ()


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class Recalled:
    """Hold what recall found for one question, best first, and how it understood the words.

    `pending` is how many passages have no vector yet, `seen` how many items could be found (0 for
    unknown): among many more stands together by chance. `intervals` are the times it speaks of, `people`
    those it names, `plain` (folded) the phrases that were not to be understood. `usual` are mean and
    deviation of the question's cosines over all there is, None for unknown. Where `days_told` is false,
    who listens must not learn when something happened, nor in which year Christmas was written about.
    """

    hits: tuple[Hit, ...]
    terms: tuple[Term, ...]
    pending: int = 0
    seen: int = 0
    intervals: tuple[NamedTime, ...] = ()
    people: tuple[NamedPerson, ...] = ()
    plain: frozenset[str] = frozenset()
    usual: tuple[float, float] | None = None
    days_told: bool = True

    @property
    def times(self) -> tuple[NamedTime, ...]:
        """Return the times that may be shown; `intervals` are for judging what was found.

        Of days that must not be told only the question's own words are: both days are empty then.
        """
        if self.days_told:
            return self.intervals
        return tuple(NamedTime("", "", each.phrase) for each in self.intervals if not each.event)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Hold one sentence of an answer and the keys of the items it rests on."""

    text: str
    supported: bool
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Hold one item shown beside an answer. `quote` stands verbatim in the item's text.

    `found_by` are the rankers that found it, as in `Hit`; empty in answers of before.
    """

    item_id: int
    key: str
    moment: Moment
    medium: str
    quote: str
    title: str
    author: str
    mine: bool
    found_by: tuple[str, ...] = ()

    @classmethod
    def of(cls, number: int, item: Item, quote: str, found_by: tuple[str, ...]) -> Self:
        """Return an item as it is shown with a stretch of it."""
        return cls(
            item_id=number,
            key=item.key,
            moment=item.moment,
            medium=item.medium,
            quote=quote,
            title=item.title,
            author=item.author,
            mine=item.mine,
            found_by=found_by,
        )


class Mode(StrEnum):
    """How an answer came about.

    QUOTE: the user's own words with dates; GROUNDED: the model's, checked sentence by sentence; FREE:
    the model's, marked but kept whatever its support; NONE: nothing was found to answer from; FRESH:
    the model's alone, who was told nothing of memory.
    """

    QUOTE = "quote"
    GROUNDED = "grounded"
    FREE = "free"
    NONE = "none"
    FRESH = "fresh"


class Dial(StrEnum):
    """Name the stops of the memory dial, from no memory to nothing but memory.

    FRESH: the model alone; FREE: its words over the notes, unsupported sentences marked; CHECKED: its
    words where the notes carry them, else quotations; QUOTES: only the user's own words.
    """

    FRESH = "fresh"
    FREE = "free"
    CHECKED = "checked"
    QUOTES = "quotes"


@dataclass(frozen=True, slots=True)
class Part:
    """Hold one part of a question in its own words, and the keys of the items shown that hold it.

    What is wanted rather than named ("an amount") has no keys: `found` says whether the answer tells it.
    """

    text: str
    found: bool
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Hold a finished answer. `citations` of its sentences are all keys of `sources`.

    `note` is a sentence for the user about how it came about, such as that the model failed; `parts`
    says which parts of the question have evidence; `reason` in a few words why it is quotations where
    a model might have written. `times` and `people` are those the question was understood to name,
    `filters` what it was asked with. `dial` is the stop it was asked at, None for answers of before.
    """

    question: str
    text: str
    sentences: tuple[Sentence, ...]
    sources: tuple[Source, ...]
    mode: Mode
    model: str
    seconds: float
    conversation: int | None = None
    note: str = ""
    parts: tuple[Part, ...] = ()
    reason: str = ""
    times: tuple[NamedTime, ...] = ()
    people: tuple[NamedPerson, ...] = ()
    filters: Filters = NO_FILTERS
    dial: Dial | None = None

    @property
    def abstained(self) -> bool:
        """Tell whether the clone said that it never wrote about this."""
        return self.mode is Mode.NONE


@dataclass(frozen=True, slots=True)
class SourcesFound:
    """Arrive before the first word: what the answer will rest on, and what was understood."""

    sources: tuple[Source, ...]
    times: tuple[NamedTime, ...] = ()
    people: tuple[NamedPerson, ...] = ()


@dataclass(frozen=True, slots=True)
class Drafted:
    """Arrive for each piece the model writes, not yet checked."""

    piece: str


@dataclass(frozen=True, slots=True)
class Checked:
    """Arrive when a sentence of the draft is complete and compared with its sources."""

    sentence: Sentence


AnswerEvent: TypeAlias = SourcesFound | Drafted | Checked | Answer
