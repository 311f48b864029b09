"""Make questions about the user's own archive from its entries: no model, by counting alone.

An entry is held out: a word, a name, a place, a day or an opinion of it becomes the answer, other
entries give the wrong ones, and the entry is the evidence. Some are asked as of the day before their
entry was written, when nothing could be known: there the right answer is to say so.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Final, TypeAlias

from clone_app.entries import Item
from clone_app.evaluation.suites import UNANSWERABLE
from clone_app.evaluation.suites.language import language_of
from clone_app.evaluation.suites.own import OwnQuestion
from clone_app.memory.chunk import CJK
from clone_app.memory.people import split_handle
from clone_app.memory.store import Stored
from clone_app.memory.words import content_words, stem
from clone_app.persona.traits.people_lines import is_person, is_place, names_of
from clone_app.persona.traits.remarks import BLANK, Remark, remarks, telling
from clone_app.persona.traits.stances import stances
from clone_app.progress import Progress

WRONG: Final = 4
GAP: Final = "____"
# So many entries are looked at: enough to know which words are telling, few enough for any archive.
LOOKED_AT: Final = 2000
# Every so manyeth question can't be answered at its time.
UNANSWERABLE_EVERY: Final = 6
EARLIER_AT_LEAST: Final = 10
_WORDS = (6, 45)
_CLAUSE = (4, 24)
_FAR_APART = timedelta(days=4)
_WORD = re.compile(r"[^\W\d_]{4,}")
_THOUGHT = re.compile(
    r"\bI (?:\w+ )?(?:think|thought|believe|believed|feel|felt|hope|hoped|wish|wished|regret|doubt|"
    r"fear|feared|wonder|wondered)\b|我(?:一直|还是|真的|也|有点|突然)*(?:觉得|认为|相信|希望|后悔|担心|害怕|怀疑)"
)
# A line of a transcript: what stands behind it may be another's.
_SPEAKER = re.compile(r"\d[:：]\d\d\W*\s?\w+[:：]|^\W*\w+[:：]")
# One person has many of these names, so none of them is a wrong answer beside another.
_KIN: Final = frozenset(
    {
        *(
            "mum",
            "mom",
            "mummy",
            "mommy",
            "mama",
            "mam",
            "dad",
            "daddy",
            "papa",
            "father",
            "mother",
        ),
        *("grandma", "granny", "nan", "nana", "gran", "grandpa", "grandad", "granddad", "auntie"),
    }
)


Make: TypeAlias = "Callable[[_Archive, Stored, random.Random], OwnQuestion | None]"


def generate(
    entries: Sequence[Stored],
    number: int,
    *,
    seed: int,
    now: datetime,
    taken: Iterable[str] = (),
    me: frozenset[str] = frozenset(),
    progress: Progress,
) -> tuple[OwnQuestion, ...]:
    """Return up to so many questions, the same for the same entries and seed.

    `now` is the user's wall clock (naive), the moment they are asked at; `taken` are the keys of
    entries that have a question already; `me` the user's names, casefolded. Of the kinds an entry
    gives, the one there are fewest of is taken. Fewer come where the archive gives no more.
    """
    rng = random.Random(seed)  # noqa: S311 - to be repeatable, not secret
    archive = _Archive(_looked_at(entries, now, rng), now, me)
    used = frozenset(taken)
    candidates = [each for each in archive.entries if each.item.key not in used]
    rng.shuffle(candidates)
    made: list[OwnQuestion] = []
    for place, entry in enumerate(candidates):
        progress.report(place, len(candidates), "Making questions")
        if len(made) == number:
            break
        counts = Counter(each.kind for each in made)
        due = counts[UNANSWERABLE] < (len(made) + 1) // UNANSWERABLE_EVERY
        offered = [
            question for make in MAKERS if (question := make(archive, entry, rng)) is not None
        ]
        early = (_too_early(archive, entry, each) for each in offered) if due else iter(())
        best = next((each for each in early if each is not None), None)
        if best is None and offered:
            best = min(offered, key=lambda each: counts[each.kind])
        if best is not None:
            made.append(best)
    return tuple(made)


# --- what the archive knows --------------------------------------------------------------------------


class _Archive:
    """Hold the entries looked at with what is counted over them."""

    def __init__(self, entries: Sequence[Stored], now: datetime, me: frozenset[str]) -> None:
        self.entries = entries
        self.now = now
        self.me = me

    @cached_property
    def remarks(self) -> dict[str, list[Remark]]:
        """Return each entry's own sentences; what quotes others is no question to its writer."""
        return {
            each.item.key: [
                told
                for told in remarks(each.item, self.me)
                if BLANK not in told.text and not _SPEAKER.search(told.text)
            ]
            for each in self.entries
        }

    @cached_property
    def spread(self) -> Counter[str]:
        """Return in how many entries a stem occurs."""
        return Counter(
            word
            for each in self.entries
            for word in {stem(word) for word in content_words(each.item.text)}
        )

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {each.item.key: each.id for each in self.entries}

    @cached_property
    def names(self) -> dict[str, list[tuple[str, int]]]:
        """Return the people and the places named, each with an entry's number, by kind."""
        told = [each for held in self.remarks.values() for each in held]
        found = names_of(told, [each.item for each in self.entries], self.me)
        own = {word for name in self.me for word in name.split()} | _KIN
        kinds: dict[str, list[tuple[str, int]]] = {"who": [], "where": []}
        for name, named in sorted(found.items()):
            keys = [key for key in named.supports if key in self.numbers]
            if keys and name[:1].isupper() and " " not in name and name.casefold() not in own:
                if is_person(named):
                    kinds["who"].append((name, self.numbers[keys[0]]))
                elif is_place(named):
                    kinds["where"].append((name, self.numbers[keys[0]]))
        return kinds

    @cached_property
    def telling_words(self) -> list[tuple[str, int]]:
        """Return words that occur in one entry alone, as written, with that entry's number."""
        found = []
        for each in self.entries:
            for told in self.remarks[each.item.key]:
                found += [(word, each.id) for word in self.telling_in(told.text)]
        return found

    def telling_in(self, text: str) -> list[str]:
        """Return the words of a text that no other entry has, as written, without names."""
        content = set(content_words(text))
        return [
            match[0]
            for match in _WORD.finditer(text)
            if not CJK.search(match[0])
            and match[0].islower()
            and match[0] in content
            and self.spread[stem(match[0])] == 1
        ]

    @cached_property
    def clauses(self) -> list[tuple[str, int]]:
        """Return how Chinese sentences end, with the entry's number."""
        return [
            (parted[1], each.id)
            for each in self.entries
            for told in self.remarks[each.item.key]
            if (parted := _parted(told.text)) is not None
        ]

    @cached_property
    def correspondents(self) -> list[tuple[str, int]]:
        return [
            (name, each.id) for each in self.entries for name in _names(each.item.recipients)[:1]
        ]

    @cached_property
    def stands(self) -> list[tuple[Remark, int]]:
        """Return the sentences that say what was liked, thought or felt, with the entry's number."""
        return [
            (told, each.id)
            for each in self.entries
            for told in self.remarks[each.item.key]
            if _WORDS[0] <= _length(told.text) <= _WORDS[1] and _takes_a_stand(told)
        ]


def _looked_at(entries: Sequence[Stored], now: datetime, rng: random.Random) -> list[Stored]:
    """Return the user's own dated entries up to now, a sample of them where there are very many."""
    own = {item.key for item in telling(each.item for each in entries)}
    fit = [
        each
        for each in entries
        if each.item.key in own and each.item.moment.local and each.item.moment.local <= now
    ]
    fit.sort(key=lambda each: (each.item.moment.iso() or "", each.item.key))
    if len(fit) > LOOKED_AT:
        fit = [fit[place] for place in sorted(rng.sample(range(len(fit)), LOOKED_AT))]
    return fit


# --- questions ---------------------------------------------------------------------------------------


def _missing_word(archive: _Archive, entry: Stored, rng: random.Random) -> OwnQuestion | None:
    """Blank a word that no other entry has, in a sentence that has others to find it by."""
    for told in _shuffled(archive.remarks[entry.item.key], rng):
        words = archive.telling_in(told.text)
        if len(words) < 2 or not _WORDS[0] <= _length(told.text) <= _WORDS[1]:
            continue
        word = rng.choice(words)
        others = [each for each in archive.telling_words if each[0] not in words]
        alike = [each for each in others if _alike(each[0], word)]
        wrong = _others(alike, entry, rng) or _others(others, entry, rng)
        if wrong is not None:
            text = f"Which word is missing? You wrote: “{_blanked(told.text, word)}”"
            return _question(archive, entry, "missing word", text, word, wrong, told.text)
    return None


def _missing_clause(archive: _Archive, entry: Stored, rng: random.Random) -> OwnQuestion | None:
    """Blank how a Chinese sentence ends: its words are not parted by spaces."""
    for told in _shuffled(archive.remarks[entry.item.key], rng):
        if (parted := _parted(told.text)) is None:
            continue
        others = [each for each in archive.clauses if each[0] not in told.text]
        wrong = _others(others, entry, rng)
        if wrong is not None:
            text = f"你写过：“{parted[0]}，{GAP}”。空缺处是什么？"
            return _question(archive, entry, "missing word", text, parted[1], wrong, told.text)
    return None


def _missing_name(kind: str, asks: str) -> Make:
    """Return what blanks a person's or a place's name."""

    def make(archive: _Archive, entry: Stored, rng: random.Random) -> OwnQuestion | None:
        known = {name for name, _ in archive.names[kind]}
        for told in _shuffled(archive.remarks[entry.item.key], rng):
            if not _WORDS[0] <= _length(told.text) <= _WORDS[1]:
                continue
            for name in sorted(known & set(re.findall(r"\w+", told.text))):
                others = [each for each in archive.names[kind] if each[0] not in told.text]
                wrong = _others(others, entry, rng)
                if wrong is not None and archive.telling_in(told.text):
                    text = f"{asks} You wrote: “{_blanked(told.text, name)}”"
                    return _question(archive, entry, kind, text, name, wrong, told.text)
        return None

    return make


def _to_whom(archive: _Archive, entry: Stored, rng: random.Random) -> OwnQuestion | None:
    """Ask whom a message went to that has words of its own."""
    names = _names(entry.item.recipients)
    about = _about(archive, entry)
    if len(names) != 1 or not about:
        return None
    wrong = _others([each for each in archive.correspondents if each[0] != names[0]], entry, rng)
    if wrong is None:
        return None
    text = f"To whom did you write about {about}?"
    return _question(archive, entry, "who", text, names[0], wrong, _opening(entry.item))


def _which_day(archive: _Archive, entry: Stored, rng: random.Random) -> OwnQuestion | None:
    """Ask for the day of an entry by words that it alone has."""
    day, about = entry.item.moment.day(), _about(archive, entry)
    if day is None or not about:
        return None
    wrong = _other_days(archive, entry, day, rng)
    if wrong is None:
        return None
    text = f"When did you write about {about}?"
    return _question(archive, entry, "when", text, _said(day), wrong, _opening(entry.item))


def _which_day_zh(archive: _Archive, entry: Stored, rng: random.Random) -> OwnQuestion | None:
    """Ask for the day of a Chinese sentence."""
    day = entry.item.moment.day()
    told = [each for each in archive.remarks[entry.item.key] if _parted(each.text) is not None]
    if day is None or not told:
        return None
    wrong = _other_days(archive, entry, day, rng, zh=True)
    if wrong is None:
        return None
    said = rng.choice(told).text
    return _question(
        archive, entry, "when", f"你是哪天写下“{said}”的？", _said(day, zh=True), wrong, said
    )


def _other_days(
    archive: _Archive, entry: Stored, day: date, rng: random.Random, *, zh: bool = False
) -> list[tuple[str, int]] | None:
    days = [
        (_said(other, zh=zh), each.id)
        for each in archive.entries
        if (other := each.item.moment.day()) is not None and abs(other - day) >= _FAR_APART
    ]
    return _others(days, entry, rng)


def _opinion(archive: _Archive, entry: Stored, rng: random.Random) -> OwnQuestion | None:
    """Ask what was thought on a day, among what was thought on others."""
    day = entry.item.moment.day()
    mine = [told for told, number in archive.stands if number == entry.id]
    if day is None or not mine:
        return None
    told = rng.choice(mine)
    others = [
        (each.text, number)
        for each, number in archive.stands
        if each.day is not None and abs(each.day - day) >= _FAR_APART
    ]
    wrong = _others(others, entry, rng)
    if wrong is None:
        return None
    zh = _language(told.text) == "zh"
    text = f"{_said(day, zh=True)}那天，你是怎么想的？"
    if not zh:
        text = f"What did you think or feel on {_said(day)}?"
    return _question(archive, entry, "opinion", text, told.text, wrong, told.text)


MAKERS: Final[tuple[Make, ...]] = (
    _missing_word,
    _which_day,
    _missing_name("who", "Who is it?"),
    _opinion,
    _missing_name("where", "Where was it?"),
    _to_whom,
    _missing_clause,
    _which_day_zh,
)


def _too_early(archive: _Archive, entry: Stored, question: OwnQuestion) -> OwnQuestion | None:
    """Return a question as of the day before its entry, if nothing earlier could answer it."""
    day = entry.item.moment.day()
    if question.kind not in ("missing word", "who", "where") or day is None:
        return None
    earlier = [
        each.item.text
        for each in archive.entries
        if (other := each.item.moment.day()) is not None and other < day
    ]
    answer = question.answer.casefold()
    if len(earlier) < EARLIER_AT_LEAST or any(answer in text.casefold() for text in earlier):
        return None
    return replace(
        question,
        kind=UNANSWERABLE,
        wrong=(*question.wrong, question.answer),
        asked_at=datetime.combine(day - timedelta(days=1), time.max),
    )


def _question(
    archive: _Archive,
    entry: Stored,
    kind: str,
    text: str,
    answer: str,
    wrong: Sequence[tuple[str, int]],
    evidence: str,
) -> OwnQuestion:
    return OwnQuestion(
        text=text,
        answer=answer,
        wrong=tuple(each for each, _ in wrong),
        kind=kind,
        asked_at=archive.now,
        entry=entry.item.key,
        evidence=evidence,
        items=tuple(dict.fromkeys((entry.id, *(number for _, number in wrong)))),
    )


def _others(
    pool: Sequence[tuple[str, int]], entry: Stored, rng: random.Random
) -> list[tuple[str, int]] | None:
    """Return wrong answers of other entries; None where there are too few."""
    found: dict[str, int] = {}
    for said, number in pool:
        if number != entry.id:
            found.setdefault(said, number)
    return rng.sample(sorted(found.items()), WRONG) if len(found) >= WRONG else None


def _alike(one: str, other: str) -> bool:
    """Tell whether two words look like the same part of speech: as long, with the same ending."""
    return abs(len(one) - len(other)) <= 3 and one[-2:] == other[-2:] and stem(one) != stem(other)


def _about(archive: _Archive, entry: Stored) -> str:
    """Return three words an entry alone has, to find it by; "" where it has too few."""
    words = list(dict.fromkeys(archive.telling_in(entry.item.text)))
    if len(words) < 3 or _language(entry.item.text) == "zh":
        return ""
    first = sorted(words, key=lambda word: (-len(word), word))[:3]
    return f"“{first[0]}”, “{first[1]}” and “{first[2]}”"


def _blanked(text: str, word: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", GAP, text)


def _parted(text: str) -> tuple[str, str] | None:
    """Return a Chinese sentence without its last clause, and that clause."""
    before, comma, last = text.rstrip("。！？…").rpartition("，")
    fits = _CLAUSE[0] <= len(last) <= _CLAUSE[1] and len(before) >= _CLAUSE[0]
    return (before, last) if comma and fits and _language(text) == "zh" else None


def _takes_a_stand(told: Remark) -> bool:
    """Tell whether a sentence says what its writer thinks, feels or likes."""
    return bool(_THOUGHT.search(told.text)) or next(stances(told), None) is not None


def _names(recipients: Iterable[str]) -> list[str]:
    return [name or address for name, address in map(split_handle, recipients) if name or address]


def _shuffled(told: Sequence[Remark], rng: random.Random) -> Iterator[Remark]:
    yield from rng.sample(list(told), len(told))


def _length(text: str) -> int:
    """Return how many words a sentence has; a Chinese letter counts half."""
    return len(text.split()) + len(CJK.findall(text)) // 2


def _opening(item: Item) -> str:
    return " ".join(item.text.split())[:200]


def _said(day: date, *, zh: bool = False) -> str:
    if zh:
        return f"{day.year}年{day.month}月{day.day}日"
    return f"{day.day} {day:%B} {day.year}"


def _language(text: str) -> str:
    return language_of([text])
