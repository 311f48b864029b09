"""Tell then from now: what a later entry says no longer holds of what an earlier one said.

Only what a later entry says counts, in so many words ("no longer") or in those in which such things end
("Friday was my last day", see `endings`): that a diary is silent about something from a day on says
nothing. Where a later one says that it is so again, nothing has ended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from clone_app.entries import Hit, Recalled, Sentence, Term
from clone_app.memory.chinese import mainly
from clone_app.memory.words import content_words, negated, plain, stem, stems, tokens
from clone_app.persona.bearing import meant
from clone_app.persona.change import endings_chinese
from clone_app.persona.change.endings import (
    anothers,
    at_home,
    ending,
    plainly,
    restricted,
    whose,
)
from clone_app.persona.change.sayings import Surety
from clone_app.persona.grounding.align import clause, read
from clone_app.persona.grounding.asserted import past
from clone_app.persona.lines import lines, one_speaker, own_sentences
from clone_app.persona.listed import listed
from clone_app.persona.phrases import chinese_day, phrases_of, spoken
from clone_app.persona.question.premises import (
    SAID,
    Premise,
    Relation,
    asks_end,
    lasting,
    premise,
    probes,
)
from clone_app.persona.question.wants import Kind, kind_of
from clone_app.persona.quote import MOST, QUOTE_WANTED, Quotation, in_time
from clone_app.persona.slices import Asked, Slice, around, telling_slice, widened
from clone_app.persona.traits.remarks import NOT_TELLING

_ENDED: Final = re.compile(
    r"(?:\b|(?<=\w)(?=n['’]t))(?:no longer|not any ?(?:more|longer)|"
    r"n['’]t\b[^.;!?]{0,60}\bany ?(?:more|longer)|"
    r"never again|(?:have |had |'ve )?(?:stopped|quit|given up|gave up)|(?:I|we) used to|got rid of|"
    r"(?:broke|broken|split) up(?! (?:the|a|our|my|to|into|at|on)\b)|changed my mind|"
    r"gave (?:it|him|her|them|that) up|"
    r"(?:is|are|was) over (?:now|for good)|for the last time)\b",
    re.IGNORECASE,
)
_NO_LONGER: Final = stems("longer anymore nowadays")
_STOPPED: Final = stems(
    "stopped quit given left leave sold sell moved retired split cancelled resigned"
)
# Of these, what follows is what ended.
_DOING: Final = re.compile(
    r"no longer|any ?(?:more|longer)|used to|stopped|quit|given up|gave up", re.I
)
_STOPPING: Final = re.compile(
    r"(?:have |had |'ve )?(?:stopped|quit|given up|gave|got rid|broke|split)", re.I
)
# "No longer want to" ends the wish alone.
_WISHES: Final = listed(
    "want wanted wants need needed needs wish wished hope hoped feel felt think thought know knew believe "
    "believed mean meant try tried care cared"
)
# What only says that one has it.
_KEEPING: Final = stems("keep own get use hold")
_MIND: Final = re.compile(r"\bchanged my mind\b", re.IGNORECASE)
# "Do you still run with Tom?" takes for granted that one does or did.
_PREMISE: Final = re.compile(
    r"^(?:and |but |so )?(?P<aux>do|are|have|is|does)\s+(?P<who>you|your)\s+(?P<rest>.+?)\s*\?*\s*$",
    re.IGNORECASE,
)
_SINCE_YOU: Final = (
    (re.compile(
        r"\b(?:still|always|any ?more|no longer|these days|nowadays|currently|yet|ever)\b\s*", re.I
    ), ""),
    (re.compile(r"\byourself\b", re.I), "myself"),
    (re.compile(r"\byours\b", re.I), "mine"),
    (re.compile(r"\byour\b", re.I), "my"),
    (re.compile(r"\byou\b", re.I), "me"),
)  # fmt: skip
_PLAIN_PREMISE: Final = 60
_LENGTH: Final = 240
# What is quoted is no shorter where the sentences beside it say more.
_TOLD: Final = 60
_CLAUSE: Final = re.compile(r"[,;:.!?—–]|\s(?:but|so|because|while)\s")
# What asks whether something still is so, or how it went on.
_COURSE: Final = re.compile(
    r"\b(?:still|now|nowadays|these days|at first|changed?|any ?more|no longer|think|feel|about|used to)\b",
    re.IGNORECASE,
)


# What says that something is so again, or is so yet.
_AGAIN: Final = re.compile(
    r"\b(?:again|back (?:at|in|with|on|to|together|home)|still|once more|resumed|restarted|rejoined|"
    r"t(?:ook|aken) up|found|bought|got (?:it|him|her|them) back)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Change:
    """Hold what was so, where an entry says so, and the later entry that says it ended.

    `surety` says what may be said of it, `held` the stems of what the later entry says of it.
    """

    then: Quotation
    now: Quotation
    surety: Surety = Surety.DENIED
    held: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Ended:
    piece: Slice
    surety: Surety
    held: frozenset[str]


def looked_further(
    question: str, recalled: Recalled, recall: Callable[[str], Recalled]
) -> Recalled:
    """Return what was recalled with entries that may tell an end of what a question takes for granted.

    "Do you still work at Corrabell?" shares hardly a word with "Friday was my last day", so that is looked
    for too. Only what tells an ending, or bears what is asked about, comes along, behind the rest; how near
    it stands to words that nobody asked says nothing of the question.
    """
    sought = probes(question, recalled.terms)
    about = premise(question, recalled.terms) if sought else None
    if about is None:
        return recalled
    asked = _asked(question, recalled.terms)
    found = {hit.item_id: hit for words in sought for hit in recall(words).hits}
    known = {hit.item_id for hit in recalled.hits}
    more = [
        replace(hit, cosine=None, coverage=0.0)
        for hit in _in_time(found.values())
        if hit.item_id not in known
        and (_ending(hit, asked, about, question) or about.borne(around(hit)[0]))
    ]
    return replace(recalled, hits=(*recalled.hits, *more))


def change(question: str, terms: Sequence[Term], hits: Sequence[Hit]) -> Change | None:
    """Return the latest change of what is asked about, None where no entry tells of one.

    The later entry says that it ended and what: in one clause half the question's weight or more, or as
    such endings are told. The earlier one bears as much without saying so. What a still later entry
    says is so again has not ended. A question for a fact of its own ("what did you pay?") has no then
    and now.
    """
    course = _COURSE.search(question) or endings_chinese.COURSE.search(question)
    if kind_of(question) is not Kind.YES_NO and not course:
        return None
    asked = _asked(question, terms)
    about = premise(question, terms)
    phrases = phrases_of(question)
    dated = _in_time(hits)
    for at in range(len(dated) - 1, 0, -1):
        ended = _ending(dated[at], asked, about, question)
        if ended is None:
            continue
        if any(_again(later, about or asked) for later in dated[at + 1 :]):
            return None
        before = [
            (
                earlier.item.medium not in NOT_TELLING,
                piece.share,
                -number,
                Quotation(1.0, earlier, piece, phrases=phrases),
            )
            for number, earlier in enumerate(dated[:at])
            if _day(earlier) < _day(dated[at])
            and (piece := _so_before(earlier, asked, about, ended)) is not None
        ]
        if before:
            *_, then = max(before, key=lambda each: each[:3])
            now = Quotation(1.0, dated[at], ended.piece, phrases=phrases)
            return Change(then, now, ended.surety, ended.held)
    return None


def _asked(question: str, terms: Sequence[Term]) -> Asked:
    """Return what a question is about, without the words that only ask whether it ended."""
    asking = _NO_LONGER | (_STOPPED if asks_end(question) else frozenset())
    known = meant(question, terms)
    return Asked.of([term for term in known if stem(term.word) not in asking] or known)


def _day(hit: Hit) -> date:
    """Return the day of a hit that has one: what was written on one day is no course of time."""
    return hit.item.moment.day() or date.min


def _in_time(hits: Iterable[Hit]) -> list[Hit]:
    """Return what the user says themselves and dates, oldest first."""
    return sorted(
        (hit for hit in hits if hit.item.moment.local is not None and hit.own and hit.item.mine),
        key=lambda hit: in_time(hit.item.moment),
    )


def _ending(hit: Hit, asked: Asked, about: Premise | None, question: str) -> _Ended | None:
    """Return the sentence of a hit that says that what is asked about ended."""
    text, _ = around(hit)
    item = hit.item
    for start, end in own_sentences(text, item.author):
        said = text[start:end]
        tells = end - start <= _LENGTH and (
            endings_chinese.ending(said, asked)
            if mainly(said)
            else _denied(text, start, said, asked, about, question)
        )
        if tells:
            return _Ended(Slice(said, start, asked.share(said)), Surety.DENIED, frozenset())
    if about is None or item.medium in NOT_TELLING:
        return None
    found = ending(text, about, title=item.title, author=item.author)
    if found is None:
        return None
    said = text[found.start : found.end]
    piece = Slice(said, found.start, asked.share(said))
    if not lines(text, item.author):
        return _Ended(widened(text, piece, _LENGTH, _TOLD), found.surety, found.held)
    piece, speaker = one_speaker(item, piece, asked)
    return None if speaker else _Ended(piece, found.surety, found.held)


def _so_before(hit: Hit, asked: Asked, about: Premise | None, ended: _Ended) -> Slice | None:
    """Return what an earlier entry says of it in the user's own words, None where it says nothing."""
    if ended.surety is Surety.SHOWN and about and Relation.HOME in about.relations:
        return _lived(hit, asked, about)
    piece = telling_slice(hit, asked, _LENGTH, least=QUOTE_WANTED)
    if piece is None:
        return None
    piece, speaker = one_speaker(hit.item, piece, asked)
    if speaker or _ENDED.search(piece.text) or endings_chinese.ENDED.search(piece.text):
        return None
    if piece.share >= 0.5:
        return piece
    return piece if about is not None and about.borne(piece.text) else None


def _lived(hit: Hit, asked: Asked, about: Premise) -> Slice | None:
    """Return where an entry says that the user lives where it is asked about: a move ends only that."""
    text, _ = around(hit)
    for start, end in own_sentences(text, hit.item.author):
        said = text[start:end]
        fits = end - start <= _LENGTH and at_home(said) and about.borne(said)
        if fits and not negated(said) and plainly(text, start, end):
            return Slice(said, start, asked.share(said))
    return None


def _again(hit: Hit, about: Premise | Asked) -> bool:
    """Tell whether an entry says that what is asked about is so again, or is so at its time.

    Rather too often than too seldom: then both are quoted, and nothing is denied.
    """
    text, _ = around(hit)
    for start, end in own_sentences(text, hit.item.author):
        said = text[start:end]
        if not (about.borne(said) if isinstance(about, Premise) else about.share(said) >= 0.5):
            continue
        if mainly(said) and isinstance(about, Asked) and endings_chinese.again(said, about):
            return True
        places = [match.start() for match in _AGAIN.finditer(said)]
        if isinstance(about, Premise):
            places += _done(said, about)
        for at in places:
            opened, closed = clause(read(text), start + at, start + at + 1)
            part = text[opened:closed]
            if (
                not negated(part)
                and not _ENDED.search(part)
                and plainly(text, start + at, start + at + 1)
            ):
                return True
    return False


def _done(said: str, about: Premise) -> list[int]:
    """Return where a sentence says that somebody does what is asked about, or lives there.

    A habit that was left is taken up by doing it once; of a job, "I worked there" tells of before.
    """
    habit = about.relations == {Relation.HABIT}
    found = [
        match.start()
        for match in tokens(said)
        if stem(match[0]) in about.verbs and (habit or not past(plain(match[0])))
    ]
    return [*found, 0] if Relation.HOME in about.relations and at_home(said) else found


def _denied(
    text: str, start: int, said: str, asked: Asked, about: Premise | None, question: str
) -> bool:
    """Tell whether a sentence of a text says in so many words that what is asked about is no more."""
    match = _ENDED.search(said)
    if match is not None and about is not None and _STOPPING.match(match[0]):
        match = _ENDED.search(said, match.end())  # what is stopped the table of endings looks at
    if match is None or not plainly(text, start + match.start(), start + match.end()):
        return False
    held = _held(asked)
    if about is not None:
        if about.who and whose(said, match.start()) not in about.who:
            return False
        held -= frozenset().union(*about.names) - about.who
        if not about.borne(said):
            return False
    if anothers(said, match.start(), match.end(), held):
        return False
    if not _of_it(said, match, asked, question):
        return False
    last = [each.end() for each in tokens(said) if stem(each[0]) in _held(asked)]
    going_on = _DOING.search(match[0]) and "used" not in match[0].lower()
    if going_on and last and restricted(said[last[-1] :]):
        return False
    return any(_ENDED.search(part) and asked.share(part) >= 0.5 for part in _CLAUSE.split(said))


def _of_it(said: str, match: re.Match[str], asked: Asked, question: str) -> bool:
    """Tell whether the doing that ended is the one asked about: "no longer want to run" isn't "run"."""
    if not _DOING.search(match[0]):
        return True
    inside = (
        match[0].lower().find("n't") + 3 if "n't" in match[0].lower().replace("’", "'") else None
    )
    rest = match[0][inside:] if inside else said[match.end() :]
    following = next(tokens(rest), None)
    wish = plain(following[0]) if following else ""
    if wish in _WISHES and wish not in map(str.lower, question.split()):
        return False
    done = next((word for word in content_words(rest) if not word.endswith("ly")), "")
    return not done or stem(done) in _held(asked) | _KEEPING


def _held(asked: Asked) -> frozenset[str]:
    return frozenset().union(*(held for _, held in asked.weights))


def lasts(
    question: str, terms: Sequence[Term], hits: Sequence[Hit], chosen: Sequence[Sentence]
) -> tuple[Sentence, ...]:
    """Return an answer's quotations with the latest entry that says of what is asked about how it is.

    Only where a question asks whether something still is so: then the latest tells most.
    """
    about = premise(question, terms) if lasting(question) else None
    if about is None:
        return tuple(chosen)
    asked = _asked(question, terms)
    dated = _in_time(hits)
    days = [
        in_time(hit.item.moment) for hit in hits if any(hit.item.key in e.citations for e in chosen)
    ]
    for hit in reversed(dated):
        if days and in_time(hit.item.moment) <= max(days):
            return tuple(chosen)
        piece = telling_slice(hit, asked, _LENGTH, least=_TOLD)
        if piece is None or hit.item.medium in NOT_TELLING:
            continue
        piece, speaker = one_speaker(hit.item, piece, asked)
        said = stems(piece.text)
        of_whom = not about.who or about.who & said
        if not speaker and of_whom and about.borne(piece.text) and about.at_head(piece.text):
            # The earliest says what was: of more than there is room for, the one behind it goes.
            kept = chosen if len(chosen) < MOST else (chosen[0], *chosen[2:])
            return (*kept, Quotation(1.0, hit, piece, phrases=phrases_of(question)).said)
    return tuple(chosen)


def told(question: str, found: Change) -> tuple[Sentence, ...]:
    """Return what changed as sentences: first what no longer holds, then both entries, then → now."""
    keys = (found.then.hit.item.key, found.now.hit.item.key)
    lead = _corrected(question, found) or endings_chinese.corrected(
        question, found.now.piece.text, chinese_day(found.now.hit.item.moment)
    )
    if found.surety is Surety.SHOWN:
        return (found.then.said, found.now.said)
    if not lead:
        lead = phrases_of(question).changed(found.then.hit.item.moment, found.now.hit.item.moment)
    return (Sentence(lead, True, keys), found.then.said, found.now.said)


def _corrected(question: str, found: Change) -> str:
    """Return the question's premise denied in the first person, "" where that can't be said safely.

    Only of a short premise whose every content word the later entry holds in the sentence that says
    so: "Do you still run with Tom?" → "I no longer run with Tom, as I wrote on 3 May 2024."
    """
    match = _PREMISE.match(question)
    if not match or kind_of(question) is not Kind.YES_NO or match["who"].lower() != "you":
        return ""
    if asks_end(question) or found.surety is not Surety.DENIED:
        return ""
    if _MIND.search(found.now.piece.text):
        return ""
    rest = match["rest"]
    said = set(map(stem, content_words(rest))) - (SAID if found.held else frozenset())
    held = found.held | stems(found.now.piece.text)
    if len(rest) > _PLAIN_PREMISE or not said <= held:
        return ""
    for pattern, instead in _SINCE_YOU:
        rest = pattern.sub(instead, rest)
    verb = {"do": "", "are": "am ", "have": "have "}.get(match["aux"].lower())
    if verb is None:
        return ""
    no_longer = f"I {verb.strip()} no longer" if verb else "I no longer"
    return f"{no_longer} {rest.strip()}, as I wrote on {spoken(found.now.hit.item.moment)}."
