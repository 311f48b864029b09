"""Tell whether what was found is enough to answer from, or the clone never wrote about it.

Thin evidence comes in kinds: words known in another sense, the right topic with another person or
time, somebody who is there while what is asked about them isn't, a place where an amount was asked for
and none is told. Thresholds are calibrated on questions that are put for this alone
(packaging/bench/answers.py --calibrate); a logistic over the same features was no better on lives it
had not seen, and says less of why.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final

from clone_app.entries import Hit, Recalled, Term
from clone_app.memory import chinese
from clone_app.memory.kin import KINS
from clone_app.memory.words import findable, plain, sentences, stem, stems
from clone_app.persona import facts
from clone_app.persona.bearing import PLACE, SHORT, borne, meant
from clone_app.persona.question import wants_chinese
from clone_app.persona.question.then import in_named_time, timeless, without_times
from clone_app.persona.question.wants import (
    COUNTED,
    Kind,
    Want,
    holds,
    tells_story,
    uncalled,
    wants,
)
from clone_app.persona.slices import Asked, around, slice_of

_WORD: Final = re.compile(r"\w")
_TELLABLE: Final = (Kind.AMOUNT, Kind.MONEY, Kind.PERSON, Kind.COLOUR, Kind.LIKED)
# What was told in words or wasn't; how one feels about a thing can be told in other words.
_FACTS: Final = (*_TELLABLE, Kind.PLACE, Kind.WHICH)
# What a question measures in: an answer says the figure, the colour or the name, and not these.
_MEASURES: Final = (
    stems(
        "long wide tall heavy high deep old far big large cost costs pay paid price rent weigh weighs "
        "spend spent quote charge owe earn salary much many total altogether exact number "
        "favourite favorite best most fast quick late early often colour color name names called "
        "surname"
    )
    | wants_chinese.MEASURES
)
# "What does your aunt think of it?" asks for what another says, not for what was said to them.
_THEIRS: Final = re.compile(
    r"\b(?:what|how|why) (?:did|does|do|would) (?!you\b|it\b|they\b|we\b|there\b)(?:your |the |my )?"
    r"[\w.’' -]{1,40}?\b(?:think|say|said|make of|feel|reckon|answer|reply|tell|write)\b",
    re.IGNORECASE,
)
_SAYING: Final = (
    stems("think say said make feel reckon answer reply tell write writing opinion mr mrs ms dr")
    | wants_chinese.SAYING
)
_TITLES: Final = stems("mr mrs ms miss dr sir madam lord lady")
_NAMED: Final = re.compile(r"\b(?:call(?:s|ed)?|name[sd]?|christened)\b|叫|名字|姓", re.IGNORECASE)
# "What's your sister's name?"
_BY_NAME: Final = re.compile(r"\b(?:name|called|surname)\b", re.IGNORECASE)
_KIN_NAMED: Final = re.compile(
    r"\b(?P<kin>\w+),? (?:is |was )?[A-Z]\w+|[A-Z]\w+, (?:my|our) (?P<before>\w+)"
)
# What refers back to what was asked before it.
_BACK: Final = re.compile(r"\b(?:it|its|that|this|they|them|their|one|ones|there)\b", re.IGNORECASE)
_SORT: Final = re.compile(r"\bwhich (\w+)", re.IGNORECASE)
_DAY_OR_TWO: Final = timedelta(days=2)
_BORNE: Final = 0.5
_BORNE_ALL: Final = 0.3
# "CB-40", "B12": what is named by a figure.
_FIGURE: Final = re.compile(r"\b[A-Z]{1,4}-?\d+\b")
_UNSEEN: Final = 0.45
_AGAINST: Final = 0.3
# A word that memory has only in others that say the same counts so much as one it lacks.
_LOOSE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Say when what was found is enough to answer from, and when a draft may be the answer.

    `enough`: what `strength` must reach among as many items as the calibration's diary has (`among`),
    `least` among `few`, in between by the logarithm of their number: the more there is, the more
    stands together by chance. `fact` where a plain fact is asked for: a name, an amount, a place,
    which one; `plainly` among a `handful` of items, in between till there are `many`. `story`: a cosine
    that is enough for a question that tells a story, whose words are a friend's; `near` for one that
    names nobody and asks for no fact, since a name makes texts alike whatever they say. `beside`: the
    share of what is asked about somebody that must stand in one place of what is told of them.
    `supported`: the share of a draft's claims that must be supported; `bearing`: how much of the weight
    that the best quotation bears the supported ones must bear together; `fresh`: how many words of
    content they must add to the question's own.
    """

    enough: float = 0.98
    among: int = 3413
    least: float = 0.3
    few: int = 400
    fact: float = 0.85
    plainly: float = 0.5
    handful: int = 60
    many: int = 240
    story: float = 0.4
    near: float = 0.58
    beside: float = 0.25
    supported: float = 0.65
    bearing: float = 0.6
    fresh: int = 2

    def wanted(self, seen: int) -> float:
        """Return the strength that is enough among so many items, the middle where nobody knows."""
        if not seen:
            return (self.enough + self.least) / 2
        return _between(self.least, self.enough, self.few, self.among, seen)

    def of_fact(self, seen: int) -> float:
        """Return the strength that is enough for a plain fact among so many items."""
        if not seen:
            return self.fact
        return _between(self.plainly, self.fact, self.handful, self.many, seen)


def _between(least: float, most: float, few: int, many: int, seen: int) -> float:
    """Return what lies between two thresholds by the logarithm of a number."""
    share = math.log(max(seen, 1) / few) / math.log(many / few)
    return least + (most - least) * min(1.0, max(0.0, share))


THRESHOLDS: Final = Thresholds()


@dataclass(frozen=True, slots=True)
class Enough:
    """Say whether what was found is enough to answer from, why, how strong it is, and which of it.

    `hits` are those about the people and from the time the question names.
    """

    yes: bool
    reason: str
    strength: float = 0.0
    hits: tuple[Hit, ...] = ()


def enough(
    question: str,
    recalled: Recalled,
    asked_at: datetime,
    thresholds: Thresholds = THRESHOLDS,
) -> Enough:
    """Tell whether what was found is enough to answer from.

    The people a question names and the time it names must be those of the evidence; an amount or a
    name that is asked for must stand there; and what is asked about must stand together in one place,
    done by whom the question says it of, the less of it the nearer its meaning.
    """
    if not recalled.hits:
        return Enough(False, "nothing was found")
    then = tuple(hit for hit in recalled.hits if "when" in hit.found_by)
    terms = meant(question, timeless(question, recalled))
    of_time = partial(
        in_named_time,
        question,
        asked_at=asked_at,
        plain=recalled.plain,
        times=recalled.intervals,
    )
    if then and (not terms or (_of_a_day(recalled) and not any(each.spelled for each in terms))):
        of_then = tuple(of_time(then, late=False)) or then
        return Enough(True, "it was written in the time that was asked for", 2.0, of_then)
    story = len(terms) > SHORT or tells_story(question)
    hits = list(recalled.hits) if story else of_time(recalled.hits)
    if not hits:
        return Enough(False, "nothing is from that time")
    asked_for = wants(question)
    people = required(without_times(question, recalled.intervals), recalled.terms)
    every = any if story else all
    told = [hit for hit in hits if not people or every(_held(hit, each) for each in people)]
    if story:
        told = told or hits
    if not told:
        return Enough(False, "nothing is about whom the question names")
    figures = frozenset(_FIGURE.findall(question))
    if figures and not story and not any(_figures(hit, figures) for hit in told):
        return Enough(False, "nothing holds the figures of the question")
    if not any(_answers(want, told, terms, people) for want in asked_for):
        return Enough(False, f"{asked_for[-1].kind} was asked for and none is told")
    if not all(_names_which(want, told, terms) for want in asked_for):
        return Enough(False, "which one was asked for and none is told")
    named = [each for each in people if each not in KINS.values()]  # "the doctor" has a name too
    if named and not story and _asks_theirs(question) and not _theirs(told, terms, named):
        return Enough(False, "nothing is told of whom the question names on this")
    fact = all(want.kind in _FACTS for want in asked_for)
    if (
        named
        and not (story or fact)
        and not _beside(asked_for, told, terms, named, thresholds.beside)
    ):
        return Enough(False, "nothing is told of whom the question names on this")
    if len(people) > 1 and not story and not any(_side_by_side(hit, people) for hit in told):
        return Enough(False, "nothing holds together whom the question names")
    meaning = max(hit.cosine or 0.0 for hit in told)
    if people and not story and meaning < thresholds.near and not _known(terms, people):
        return Enough(False, "nothing holds a word of what is asked of them")
    reached = max(
        strength(text, hit, own, people)
        for text, own, alone in _askings(question, terms)
        for hit in told
        if alone is None or _answers(alone, [hit], terms, people, beside=False)
    )
    wanted = thresholds.wanted(recalled.seen)
    if fact:
        near, wanted = False, max(wanted, thresholds.of_fact(recalled.seen))
    elif story:
        near = meaning >= thresholds.story
    else:
        near = not people and meaning >= thresholds.near
    if near or reached >= wanted:
        # Kin go by their names in most entries.
        return Enough(True, "an entry bears it", reached, tuple(told if named else hits))
    return Enough(False, "too little of it stands together", reached)


def _of_a_day(recalled: Recalled) -> bool:
    """Tell whether a question names a day or two: what was written then answers it, in other words."""
    return bool(recalled.intervals) and all(
        not each.vague
        and date.fromisoformat(each.end) - date.fromisoformat(each.start) <= _DAY_OR_TWO
        for each in recalled.intervals
    )


def _askings(question: str, terms: Sequence[Term]) -> list[tuple[str, Sequence[Term], Want | None]]:
    """Return a question and its sub-questions that say themselves what they are about.

    Each with its terms, those it only measures in left out: "how heavy is the book press?" is about
    the book press, and what is counted may be told under another name. Of one that is about a single
    thing comes what it wants: in that thing's sentence it must stand. One that refers back says nothing
    without what it refers to.
    """
    found: list[tuple[str, Sequence[Term], Want | None]] = []
    for number, want in enumerate(wants(question)):
        if number and _BACK.search(want.text):
            continue  # "and did Gavin take it well?"
        own = [term for term in terms if stem(term.word) in want.stems]
        if want.kind in _TELLABLE:
            counted = {stem(word) for word in COUNTED.findall(want.text)}
            counted |= chinese.asked_kinds(want.text)
            own = [
                term
                for term in own
                if stem(term.word) not in _MEASURES
                and (term.spelled or stem(term.word) not in counted)
            ] or own
        # Of a thing alone it is enough where the kind of answer stands beside it.
        if (
            own
            and len(own) < len(terms)
            and (len(own) > 1 or want.kind in _TELLABLE or required(want.text, own))
        ):
            alone = want if len(own) == 1 and want.kind in _TELLABLE else None
            found.append((want.text, own, alone))
    return [(question, terms, None), *found]


def strength(
    question: str, hit: Hit, terms: Sequence[Term], people: Iterable[frozenset[str]] = ()
) -> float:
    """Return how strongly one item bears a question: its words, and half its cosine.

    Out of the sight of meaning a middling cosine is taken. Words that memory holds under no spelling
    count against it, those it has in other words half, but for a story's, which are a friend's.
    """
    cosine = _UNSEEN if hit.cosine is None else hit.cosine
    if chinese.mainly(question):  # read by an English embedder, what answers is no nearer
        cosine = max(cosine, _UNSEEN)
    whole = sum(term.weight for term in terms)
    lacking = sum(
        term.weight * (_LOOSE if term.spelled else 1.0)
        for term in terms
        if term.loose or not term.spelled
    )
    unknown = lacking / whole if whole else 0.0
    against = 0.0 if len(terms) > SHORT else _AGAINST * unknown
    return borne(question, hit, terms, people) + 0.5 * max(0.0, cosine) - against


def required(question: str, terms: Sequence[Term]) -> tuple[frozenset[str], ...]:
    """Return whom a question is about: for each person the stems that may stand for them.

    Of a full name the last word counts. Kin and the like ("your father") are people too.
    """
    bare = uncalled(question)
    spelled = {stem(term.word): frozenset(map(stem, term.spelled)) for term in terms}
    found: list[frozenset[str]] = []
    for name in _last_names(bare):
        root = stem(name)
        found.append(spelled.get(root, frozenset()) | {root})
    if chinese.is_chinese(bare):
        found.extend(frozenset({name, *chinese.parts(name)}) for name in chinese.people(bare))
    for term in terms if len(terms) <= SHORT else ():
        alike = KINS.get(stem(term.word))
        if alike and not re.search(rf"\b{re.escape(term.word)}\s+[A-Z]", bare):
            found.append(alike)
    return tuple(dict.fromkeys(found))


def _last_names(question: str) -> Iterable[str]:
    """Yield each name of a question, of a run of capitalised words the last one."""
    names = facts.names(question)
    for at, name in enumerate(names):
        following = names[at + 1] if at + 1 < len(names) else None
        if following and re.search(rf"\b{re.escape(name)}\.? {re.escape(following)}\b", question):
            continue
        if not _opens(question, name):
            yield name


def _opens(question: str, name: str) -> bool:
    """Tell whether a capitalised word only opens the question or a sentence of it."""
    firsts = (_WORD.search(question, start) for start, _ in sentences(question))
    opened = {first.start() for first in firsts if first}
    places = {match.start() for match in re.finditer(rf"\b{re.escape(name)}\b", question)}
    return places <= opened


def _held(hit: Hit, alike: frozenset[str]) -> bool:
    """Tell whether an item is about or from a person."""
    item = hit.item
    whole = (item.text, item.title, item.author, *item.recipients)
    return any(alike & (findable(text) | {stem(plain(text))}) for text in whole)


def _side_by_side(hit: Hit, people: Sequence[frozenset[str]]) -> bool:
    """Tell whether people stand in neighbouring sentences of an item, its writer and readers included.

    Two friends who both come up in a year's letter haven't met for it.
    """
    item = hit.item
    beside = findable(" ".join((item.title, "" if item.mine else item.author, *item.recipients)))
    text, _ = around(hit)
    spans = sentences(text)
    for at, (start, _) in enumerate(spans):
        there = beside | findable(text[start : spans[min(at + 2, len(spans) - 1)][1]])
        if all(each & there for each in people):
            return True
    return False


def _known(terms: Sequence[Term], people: Sequence[frozenset[str]]) -> bool:
    """Tell whether memory holds a word of what is asked about somebody, if more is than they."""
    asked = _of_them(terms, people)
    return not asked or any(term.spelled for term in asked)


def _of_them(terms: Sequence[Term], people: Iterable[frozenset[str]]) -> list[Term]:
    """Return what is asked about people: the terms without their names and titles."""
    whose = frozenset().union(*people) | _TITLES
    return [term for term in terms if stem(term.word) not in whose]


def _figures(hit: Hit, figures: frozenset[str]) -> bool:
    """Tell whether an item holds all these names made of letters and figures."""
    return all(figure in f"{hit.item.title} {around(hit)[0]}" for figure in figures)


def _answers(
    want: Want,
    hits: Sequence[Hit],
    terms: Sequence[Term],
    people: Sequence[frozenset[str]],
    *,
    beside: bool = True,
) -> bool:
    """Tell whether two neighbouring sentences bear half a sub-question and hold what it asks for.

    Whom it is about stands there, or just before or after; a name that is asked for stands in one
    sentence with what bears it, or is said to be a name. So must everything where `beside` is false.
    """
    if want.kind not in _TELLABLE:
        return True
    own = [term for term in terms if stem(term.word) in want.stems - _MEASURES and term.spelled]
    asked = Asked.of(own or terms)
    borne = _BORNE if own else _BORNE_ALL
    about = [each for each in people if each & want.stems]
    for hit in hits:
        text, _ = around(hit)
        spans = sentences(text)
        for at, (start, end) in enumerate(spans):
            if not holds(want.kind, text[start:end], asked=want.stems, question=want.text):
                continue
            before, after = spans[max(0, at - 1)][0], spans[min(at + 1, len(spans) - 1)][1]
            near = [text[before:end], text[start:after]]
            if not beside or (want.kind is Kind.PERSON and not _NAMED.search(text[before:after])):
                near = [text[start:end]]
            whose = " ".join((hit.item.title, hit.item.author, *hit.item.recipients))
            there = findable(f"{text[before:after]} {whose}")
            if _BY_NAME.search(want.text) and about and not _by_name(text[before:after], about):
                continue
            if all(each & there for each in about) and max(map(asked.share, near)) >= borne:
                return True
    return False


def _names_which(want: Want, hits: Sequence[Hit], terms: Sequence[Term]) -> bool:
    """Tell whether what one is to be told of ("which team") stands where some of the rest does.

    Where memory holds no word for it, one of them is told by its name.
    """
    sort = _SORT.search(want.text)
    of = [term for term in terms if sort and stem(term.word) == stem(sort[1]) and term.spelled]
    rest = [term for term in terms if term not in of and stem(term.word) in want.stems]
    if not of or not rest:
        return True
    kind, asked = Asked.of(of), Asked.of(rest)
    return any(
        kind.share(place.text) and asked.share(place.text) >= _BORNE_ALL
        for hit in hits
        if (place := slice_of(hit, Asked.of([*of, *rest]), PLACE)) is not None
    )


def _by_name(text: str, about: Sequence[frozenset[str]]) -> bool:
    """Tell whether a text says what kin are called: "my sister Lena", "Lena, my sister", "we call her"."""
    if _NAMED.search(text) or any(each not in KINS.values() for each in about):
        return True
    kin = frozenset().union(*about)
    return any(stem(match["kin"] or match["before"]) in kin for match in _KIN_NAMED.finditer(text))


def _beside(
    asked_for: Sequence[Want],
    hits: Sequence[Hit],
    terms: Sequence[Term],
    people: Sequence[frozenset[str]],
    least: float,
) -> bool:
    """Tell whether some of what is asked about somebody is told where they are.

    A name is found wherever somebody comes up: that the entries are about them says nothing yet.
    """
    whose = frozenset().union(*people)
    if any(want.stems and want.stems <= whose for want in asked_for):
        return True  # "who is Hazel?"
    asked = Asked.of(_of_them(terms, people))
    if not asked.weights:
        return True
    return any(
        place.share >= least for hit in hits if (place := slice_of(hit, asked, PLACE)) is not None
    )


def _asks_theirs(question: str) -> bool:
    """Tell whether a question asks what somebody else says or thinks."""
    return bool(_THEIRS.search(question)) or wants_chinese.asks_theirs(question)


def _theirs(hits: Sequence[Hit], terms: Sequence[Term], people: Sequence[frozenset[str]]) -> bool:
    """Tell whether somebody named stands with half of what is asked about, or wrote of it themselves.

    A letter to a person that mentions a thing says nothing about what that person thinks of it.
    """
    whose = frozenset().union(*people)
    topic = [
        term
        for term in terms
        if not (frozenset(map(stem, (term.word, *term.spelled))) & (whose | _SAYING))
    ]
    asked = Asked.of(topic)
    if not topic:
        return True
    for hit in hits:
        text, _ = around(hit)
        if not hit.item.mine and findable(hit.item.author) & whose:
            if asked.share(text) >= _BORNE:
                return True
            continue
        spans = sentences(text)
        for at, (start, _) in enumerate(spans):
            near = text[start : spans[min(at + 1, len(spans) - 1)][1]]
            if findable(near) & whose and asked.share(near) >= _BORNE:
                return True
    return False
