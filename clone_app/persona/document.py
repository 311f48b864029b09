"""The persona document: what is known of a person in about 2,000 tokens they can read in a minute."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final

from clone_app.entries import clean_text
from clone_app.errors import CloneAppError
from clone_app.memory.lines import Line, Section
from clone_app.memory.words import content_words, stem
from clone_app.persona.privacy.sensitive import matter

TOKENS: Final = 2000
DIGEST_TOKENS: Final = 300
LONGEST_LINE: Final = 400
LONGEST_DOCUMENT: Final = 12_000
# A line of more words of content than these is about more than its last one.
_FEW: Final = 4

TITLES: Final[Mapping[Section, str]] = {
    Section.WHO: "Who I am",
    Section.PEOPLE: "People",
    Section.PLACES: "Places",
    Section.WORK: "Work and money",
    Section.HEALTH: "Health",
    Section.HOLD: "What I hold",
    Section.LIKES: "Likes and dislikes",
    Section.HABITS: "Habits",
    Section.WRITING: "How I write",
}
# How many lines of a section a digest takes in each of its rounds.
_ROUNDS: Final[tuple[tuple[Section, int], ...]] = (
    (Section.WHO, 2),
    (Section.WORK, 2),
    (Section.PLACES, 2),
    (Section.PEOPLE, 4),
    (Section.HOLD, 2),
    (Section.LIKES, 3),
    (Section.HABITS, 2),
    (Section.HEALTH, 1),
    (Section.WRITING, 1),
)
# What a stranger may hear of at all.
_PUBLIC: Final = frozenset(
    {Section.WHO, Section.HOLD, Section.LIKES, Section.HABITS, Section.WRITING}
)


class Audience(StrEnum):
    """Say who listens: the user alone, a friend, or anybody."""

    PRIVATE = "private"
    FRIEND = "friend"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Document:
    """Hold the lines of a persona document in the order they are read."""

    lines: tuple[Line, ...] = ()

    def section(self, section: Section) -> tuple[Line, ...]:
        """Return the lines of one section."""
        return tuple(line for line in self.lines if line.section is section)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Hold what the user marked as private: media, people (names as written) and topics (words)."""

    media: frozenset[str] = field(default_factory=frozenset)
    people: frozenset[str] = field(default_factory=frozenset)
    topics: frozenset[str] = field(default_factory=frozenset)


def visible(
    lines: Iterable[Line], audience: Audience, marks: Marks | None = None
) -> tuple[Line, ...]:
    """Return the lines an audience may hear.

    The user alone hears all. A friend hears nothing private: no line flagged so or of a sensitive
    matter, none that rests on private media alone, none that names what is marked private. The
    public hears, of the rest, no line about other people, places, work or health.
    """
    if audience is Audience.PRIVATE:
        return tuple(lines)
    marks = marks or Marks()
    return tuple(
        line
        for line in lines
        if not hidden(line, marks) and (audience is Audience.FRIEND or line.section in _PUBLIC)
    )


def hidden(line: Line, marks: Marks) -> bool:
    """Tell whether a line is for the user alone."""
    if line.private or matter(line.text) is not None:
        return True
    media = {support.medium for support in line.supports}
    if media and media <= marks.media:
        return True
    return any(names(line, each) for each in (*marks.people, *marks.topics))


def known_before(line: Line, day: date) -> bool:
    """Tell whether all that a line rests on had been written before a day began.

    One later entry is enough to have changed its words; an undated one may be later.
    """
    return all(each.day is not None and each.day < day for each in line.supports)


def names(line: Line, topic: str) -> bool:
    """Tell whether a line speaks of a topic: all its words of content stand in the line."""
    wanted = {stem(word) for word in content_words(topic)}
    if not wanted:
        return topic.strip().casefold() in line.text.casefold() if topic.strip() else False
    return wanted <= {stem(word) for word in content_words(line.text)}


def subject(line: Line) -> str:
    """Return what a line is about in a word or a name, as a guess to be mended; "" where none offers.

    What stands before its comma or colon, of a statement in few words the last one of content.
    """
    text = line.text
    head = re.split(r"[,:(“]", text)[0].strip()
    if line.section in (Section.PEOPLE, Section.PLACES, Section.HEALTH) and head:
        return head
    content = set(content_words(text))
    said = [word for word in re.findall(r"\w+", text) if word.casefold() in content]
    return said[-1] if 0 < len(said) <= _FEW else ""


def as_text(
    document: Document, count: Callable[[str], int] | None = None, *, tokens: int = TOKENS
) -> str:
    """Return the document as a person reads it, and as an evaluation uses it alone as memory.

    At most `tokens` by `count` (an estimate without one): the longest section gives way first.
    """
    measure = count or estimate
    lines = list(document.lines)
    text = _written(lines)
    while lines and measure(text) > tokens:
        sections = [line.section for line in lines]
        longest = max(dict.fromkeys(sections), key=sections.count)
        last = max(at for at, section in enumerate(sections) if section is longest)
        del lines[last]
        text = _written(lines)
    return text


def _written(lines: Sequence[Line]) -> str:
    parts = []
    for section, title in TITLES.items():
        mine = [f"- {shown(line)}" for line in lines if line.section is section]
        if mine:
            parts.append("\n".join((f"## {title}", *mine)))
    return "\n\n".join(parts)


def digest(document: Document, count: Callable[[str], int], *, tokens: int = DIGEST_TOKENS) -> str:
    """Return the lines that tell most of a person, a line each, in at most `tokens`.

    For the front of a prompt: whoever calls this has taken out what the audience may not hear
    (`visible`). A line that no longer fits gives way to shorter ones after it.
    """
    waiting = {section: list(document.section(section)) for section, _ in _ROUNDS}
    chosen: list[Line] = []
    text = ""
    while any(waiting.values()):
        for section, share in _ROUNDS:
            for line in waiting[section][:share]:
                fuller = _brief([*chosen, line])
                if count(fuller) <= tokens:
                    chosen.append(line)
                    text = fuller
            del waiting[section][:share]
    return text


def _brief(lines: Sequence[Line]) -> str:
    """Return lines under one-word headings, people and places joined in one line each."""
    parts = []
    for section, title in TITLES.items():
        mine = [line.text for line in lines if line.section is section]
        if mine:
            joint = "; " if section in (Section.PEOPLE, Section.PLACES) else " "
            parts.append(f"{title}: {joint.join(mine)}")
    return "\n".join(parts)


def shown(line: Line) -> str:
    """Return a line with the time it rests on: `text (12 entries, May 2023 – June 2024)`."""
    dated = span(line)
    return f"{line.text} ({dated})" if dated and "→" not in line.text else line.text


def differences(before: str, after: str) -> str:
    """Return which words go and which come where a line gets another wording: `− live  + lived`.

    Nothing where no word stays: then both are read whole.
    """
    old, new = before.split(), after.split()
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    if all(kind != "equal" for kind, *_ in steps):
        return ""
    told = []
    for kind, gone, till, come, end in steps:
        if kind == "equal":
            continue
        told += [f"− {' '.join(old[gone:till])}"] if till > gone else []
        told += [f"+ {' '.join(new[come:end])}"] if end > come else []
    return "   ".join(told)


def span(line: Line) -> str:
    """Return from when to when a line's supports reach, and how many they are; "" for none."""
    days = sorted(support.day for support in line.supports if support.day is not None)
    if not line.supports:
        return ""
    several = f"{len(line.supports)} entries, " if len(line.supports) > 1 else ""
    if not days:
        return several.rstrip(", ")
    if days[0] == days[-1]:
        return several + f"{days[0].day} {_month(days[0])}"
    first, last = _month(days[0]), _month(days[-1])
    return several + (first if first == last else f"{first} – {last}")


def verbatim(text: str, line: str) -> str:
    """Return the stretch of an entry that a line quotes, as it stands there; "" where it doesn't."""
    quoted = line.split("“")[-1].partition("”")[0] if "“" in line else line
    for said in (*re.findall("“([^”]+)”", line), quoted):
        words = [re.escape(word) for word in re.findall(r"\w+", said)]
        if len(words) >= 2 and (match := re.search(r"[\W_]+".join(words), text)):
            return match[0]
    return ""


def _month(day: date) -> str:
    return f"{_MONTHS[day.month - 1]} {day.year}"


_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def estimate(text: str) -> int:
    """Return about how many tokens a text takes: a quarter of its letters, one a CJK character."""
    wide = sum("\u3040" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af" for letter in text)
    return wide + (len(text) - wide + 3) // 4


def checked_text(text: str, others: Iterable[str] = ()) -> str:
    """Return a line as the user wrote it, tidied; raise where it can't be one.

    `others` are the texts of the other lines: together they stay a document one can read.
    """
    line = " ".join(clean_text(text).split())
    line = "".join(letter for letter in line if unicodedata.category(letter) != "Cc")
    if not any(letter.isalnum() for letter in line):
        raise CloneAppError(
            "A line needs words. Write what it should say, or delete the line instead."
        )
    if len(line) > LONGEST_LINE:
        raise CloneAppError(
            f"That line has {len(line):,} characters; a line holds {LONGEST_LINE}. "
            "Shorten it to what matters most."
        )
    whole = len(line) + sum(map(len, others))
    if whole > LONGEST_DOCUMENT:
        raise CloneAppError(
            f"The document would have {whole:,} characters; it holds {LONGEST_DOCUMENT:,}. "
            "Shorten or delete other lines first."
        )
    return line
