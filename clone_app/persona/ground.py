"""Compare a drafted sentence with the items it may rest on, and assign its citations.

Nothing a model says about its sources is believed: a sentence is supported where its words stand
together in an item, and no name, number, date or denial in it says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeAlias

from clone_app.entries import Moment, Sentence
from clone_app.errors import ModelError
from clone_app.memory.stopwords import STOP_WORDS
from clone_app.memory.words import content_words, plain, stem, stems, tokens
from clone_app.persona import facts, numerals
from clone_app.persona.facts import Day
from clone_app.persona.grounding.align import LIGHT, Read, fits, read, stands
from clone_app.persona.grounding.asserted import past, told_alike
from clone_app.persona.grounding.bound import bound_alike, halves_alike
from clone_app.persona.grounding.clauses import same_clauses
from clone_app.persona.grounding.doers import same_actors
from clone_app.persona.grounding.heads import made_up, same_heads
from clone_app.persona.grounding.subjects import same_subjects
from clone_app.persona.lines import is_named, lines
from clone_app.persona.question.wants import words_in_order

if TYPE_CHECKING:
    from clone_app.protocols import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Hold what a sentence may rest on: one item's own words, their moment and their author."""

    key: str
    text: str
    moment: Moment
    mine: bool
    author: str = ""


@dataclass(frozen=True, slots=True)
class Strictness:
    """Say how much of a sentence must stand in its item.

    `share` of its content stems, names apart, stand close together in one item; where it rests on
    two, each part of it must reach `share_each` in its own. Close means: within `window`
    neighbouring sentences and a stretch of `spread` words of content for each of its own, and
    `slack` more. One word in `strange` may stand nowhere in the item. Where an embedder is there,
    the meaning of that stretch must be `near` (a cosine) too. On Pepys, against the eight entries
    nearest in words, 0.7 is where leaving more out stops paying: below it other days' sentences
    pass, above it only shortened true ones fail.
    """

    share: float = 0.7
    share_each: float = 0.75
    window: int = 2
    spread: int = 2
    slack: int = 4
    strange: int = 5
    near: float = 0.4


STRICT: Final = Strictness()
# Turns texts into unit vectors, one a row.
Meaning: TypeAlias = "Callable[[Sequence[str]], Vectors]"

# A mail kept as text in somebody's files: its head says who wrote it.
_FROM = re.compile(r"\A\s*From:[ \t]*([^\n<]+?)[ \t]*(?:<|\n)")
# Days that are counted from the day of writing are wrong on every later one.
_SINCE_THEN = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|so far|until now|up to now|by now|"
    r"last\s+(?:night|evening)|(?:last|next|this)\s+(?:week|weekend|month|year|spring|summer|autumn|"
    r"winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b",
    re.IGNORECASE,
)
# So is what was still to come when it was written.
_COMING = re.compile(
    r"\b(?:will|shall|won['’]t|shan['’]t|\w+['’]ll|(?:(?:am|is|are)(?:n['’]t| not)?|\w+['’](?:m|s|re))"
    r"(?: not)? going)\b"
)
# How long, how far: without what lasted or measures so much it says nothing.
_MEASURES: Final = stems(
    "second minute hour day week month year decade metre meter mile kilometre kilometer gram kilo pound "
    "euro dollar degree percent"
)
# "Yes, I do", "No, not any more", "I didn't": what is said so stands in the question alone.
_YES_OR_NO = re.compile(
    r"\W*(?:(?:(?:oh|well),?\s+)?(?:yes|yeah|yep|no|nope|nah|indeed|absolutely|definitely|certainly|"
    r"of course|sure)\b|(?:i|we|he|she|it|they)\s+(?:still\s+|no\s+longer\s+)?"
    r"(?:do|did|am|was|were|is|are|have|has|had|can|could|will|would)(?:n['’]t| not)?\b|"
    r"not\s+(?:any\s*more|now|yet|really|at all|ever)|never|any\s*more|any\s*longer|still|too|now|"
    r"always|sometimes|often|again|not)(?:\W+|$)",
    re.IGNORECASE,
)
# Two items make one story only if they are from about the same time.
_ONE_STORY: Final = timedelta(days=31)
_ENDED = re.compile(r"[.!?…。！？｡][\"'”’»)\]」』]*$")
_OPEN = re.compile(r"[?？:：][\"'”’»)\]]*$")
_FIRST_PERSON = """
i me my mine myself we us our ours ourselves i'm i've i'd i'll we're we've we'd we'll
"""
_I: Final = frozenset(_FIRST_PERSON.split())
_QUOTED = re.compile(r"[“\"]([^“”\"]+)[”\"]")
# "You" of a letter is whom it went to, and never the one who reads the answer.
_YOU = re.compile(r"\b(?:you|your|yours|yourself|yourselves)\b", re.IGNORECASE)
# "Robin wrote to me" says whom a letter was for, not what I did.
_TOLD_ME = re.compile(
    r"\b(?:wrote|told|asked|said|sent|reminded|mailed|emailed|texted|invited|answered|thanked)"
    r"\s+(?:to\s+)?(?:me|us)\b",
    re.IGNORECASE,
)
_NO = r"(?:\b(?:not|never|no|nothing|none)\b|n['’]t\b)"
_NOTES = r"\b(?:notes?|entr(?:y|ies)|diar(?:y|ies)|journals?|records?|information|details?)\b"
_WROTE = r"\b(?:write|wrote|written|mention\w*|note[ds]?)\b"
_SAYS_NOTHING = re.compile(rf"{_NO}.*(?:{_NOTES}|{_WROTE})|{_NOTES}.*{_NO}", re.IGNORECASE)
# Whose notes these are, and who wrote something: not in the words of content, and a small model's guess.
_OF_NOTES = re.compile(
    r"\b(?:the|these|those|your|my)\s+(?:notes?|entr(?:y|ies)|diar(?:y|ies)|journals?|records?)\b|"
    r"\bwritten\s+by\b",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"\W*(?:(?:well|oh|i see|i understand|thanks?(?: you)?|"
    r"you(?:'|’)re welcome|sorry|i(?:'|’)m sorry|hello|hi|hm+|let me see)\W*)+",
    re.IGNORECASE,
)
# Who a sentence opens with: "I", "My brother", "Lena".
_SUBJECT = re.compile(
    r"(?:I|We|He|She|They|(?:My|Our|His|Her|Their|The)\s+[^\W\d_]+|[^\W\d_]+)(?=\s)(?!['’])"
)
_HELPING = """
could can would was were is are had has have did does will may might must should
"""
_HELPS: Final = frozenset(_HELPING.split())
_JOINT = re.compile(
    r"[,;:—–]\s+(?:and\s+|but\s+|then\s+)?|\s+(?:and|but|while|then|before|after)\s+"
)


def is_claim(sentence: str) -> bool:
    """Tell whether a sentence states something that could be false.

    "I see.", a question, "as follows:" and "my notes don't say" claim nothing: they are never
    supported, carry no citation, and don't count when support is weighed. A bare "Yes, I do." claims
    what was asked; no words of its own can be looked for, so it is a claim that nothing supports.
    """
    if is_yes_or_no(sentence):
        return True
    if _OPEN.search(sentence) or _COURTESY.fullmatch(sentence):
        return False
    if _SAYS_NOTHING.search(sentence) and len(sentence) < 120:
        return False
    return bool(content_words(sentence) or facts.dates(sentence) or facts.numbers(sentence))


def is_yes_or_no(sentence: str) -> bool:
    """Tell whether a sentence is a yes or no and nothing else."""
    at = 0
    while at < len(sentence) and (match := _YES_OR_NO.match(sentence, at)) and match.end() > at:
        at = match.end()
    return at > 0 and at == len(sentence)


def check(
    sentence: str,
    evidence: Sequence[Evidence],
    *,
    strictness: Strictness = STRICT,
    meaning: Meaning | None = None,
) -> Sentence:
    """Return the sentence with the keys of the items that carry it, none where they don't.

    Supported means: most of its content stands close together in one item (or, cut in two at a
    joint, in two); every name and date in it stands in a cited item or is its moment; its numbers
    stand beside the words; it denies what the item denies and nothing else; "I" rests only on what
    the user wrote, and what another wrote is told with that author's name.
    """
    if not _ENDED.search(sentence):
        return Sentence(sentence, False, ())  # a heading, or what broke off
    if not is_claim(sentence) or not _quotes_stand(sentence, evidence) or _elsewhere(sentence):
        return Sentence(sentence, False, ())
    evidence = [_by_its_writer(each) for each in evidence]
    whole = _ranked(sentence, evidence, strictness.share, strictness)
    if whole:
        _, each, place = whole[0]
        near = _near(sentence, (place,), meaning, strictness)
        return Sentence(sentence, near, (each.key,) if near else ())
    for first, second in _parts(sentence):
        if min(len(content_words(first)), len(content_words(second))) < 2:
            continue
        one = _ranked(first, evidence, strictness.share_each, strictness)[:1]
        two = _ranked(second, evidence, strictness.share_each, strictness)[:1] if one else []
        if not (one and two and _one_story(sentence, one[0][1], two[0][1])):
            continue
        both = read(" ".join(dict.fromkeys((one[0][2], two[0][2]))))
        if not halves_alike(read(sentence), both, (0, len(both.text))):
            continue
        if _facts_stand(sentence, (one[0][1], two[0][1])):
            if not _near(sentence, (one[0][2], two[0][2]), meaning, strictness):
                break
            keys = tuple(dict.fromkeys((one[0][1].key, two[0][1].key)))
            return Sentence(sentence, True, keys)
    return Sentence(sentence, False, ())


def _near(
    sentence: str, places: Sequence[str], meaning: Meaning | None, strictness: Strictness
) -> bool:
    """Tell whether a sentence means what the places that carry its words mean, in one batch.

    Without an embedder, or with one that fails, the words alone decide.
    """
    if meaning is None:
        return True
    try:
        vectors = meaning([sentence, " ".join(places)])
    except ModelError:
        return True
    return float(vectors[0] @ vectors[1]) >= strictness.near


def _ranked(
    sentence: str, evidence: Sequence[Evidence], share: float, strictness: Strictness
) -> list[tuple[float, Evidence, str]]:
    """Return the items that carry the sentence, the fullest first, each with the place that does."""
    found = []
    for each in evidence:
        reached, place = _carried(sentence, each, strictness)
        if reached >= share:
            found.append((reached, each, place))
    return sorted(found, key=lambda entry: -entry[0])


def _parts(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to cut a sentence in two at a joint.

    What goes on without a subject, "…, and could see the mill", has that of the first part.
    """
    subject = _SUBJECT.match(sentence)
    for match in _JOINT.finditer(sentence):
        first, rest = sentence[: match.start()], sentence[match.end() :]
        goes_on = subject and subject.end() < match.start() and _goes_on(rest)
        yield first, f"{subject[0]} {rest}" if subject and goes_on else rest


def _goes_on(rest: str) -> bool:
    """Tell whether a second part opens with a verb, as the first does behind its subject.

    A verb of the present looks like any other word. So any word of content counts as one, small letters
    apart: where it is a noun, "cheese and bottles", what was bought is as little another's.
    """
    words = [match[0] for match in tokens(rest) if not match[0].endswith("ly")]
    verb = words[0] if words else ""
    if plain(verb) in _HELPS or plain(verb) in LIGHT or past(plain(verb)):
        return True
    return verb.islower() and plain(verb) not in STOP_WORDS and not verb.endswith("ing")


def _carried(sentence: str, evidence: Evidence, strictness: Strictness) -> tuple[float, str]:
    """Return the share of a sentence's content that an item carries, and the place that does.

    The share is 0 where a fact contradicts.
    """
    if not _speaker_fits(sentence, evidence) or not _facts_stand(sentence, (evidence,)):
        return 0.0, ""
    of_notes = _OF_NOTES.search(sentence)
    if of_notes and of_notes[0].split()[-1].casefold() not in evidence.text.casefold():
        return 0.0, ""
    said, text = read(sentence), read(evidence.text)
    author = frozenset(map(stem, _author(evidence)))
    wanted = frozenset(map(stem, content_words(facts.without_dates(sentence)))) - author
    # Names are right already; they must not make up for what is said of them.
    told = wanted - frozenset(stem(name) for name in facts.names(sentence))
    if not told:
        return 0.0, ""
    counted = {stem(sentence[each.start : each.end]) for each in facts.figures(sentence)}
    measured = told - counted
    if measured and measured <= _MEASURES and told == wanted:
        return 0.0, ""
    figures = numerals.numbers(sentence)
    named = frozenset(map(plain, facts.names(sentence))) - _author(evidence)
    spread = strictness.spread * len(wanted) + strictness.slack
    held = frozenset(token.stem for token in text.tokens)
    # "3,410" for "three thousand four hundred and ten": other letters, the same number.
    wanted -= {
        stem(sentence[each.start : each.end])
        for each in facts.figures(sentence)
        if each.value in text.numbers
    } - held
    strange = wanted - held
    if len(strange) * strictness.strange > len(wanted) or made_up(said, strange):
        return 0.0, ""
    for fit in fits(said, text, wanted, window=strictness.window, spread=spread, author=author):
        if not told_alike(said, text, fit, others=not evidence.mine):
            continue
        if not (bound_alike(said, text, fit, evidence.moment) and same_actors(said, text, fit)):
            continue
        if not (same_heads(said, text, fit) and same_clauses(said, text, fit, author)):
            continue
        if evidence.mine and not same_subjects(said, text, fit):
            continue
        touched = range(fit.tokens[0].sentence, fit.tokens[-1].sentence + 1)
        if not named <= _said_near(text, touched):
            continue
        if not figures <= frozenset().union(*(text.figures[number] for number in touched)):
            continue
        if not _each_clause(sentence, fit.matched, strange):
            continue
        if len(fit.matched) > 1 or stands(said, text, fit.matched):
            reached = min(len(fit.matched) / len(wanted), len(fit.matched & told) / len(told))
            return reached, text.text[text.spans[touched[0]][0] : text.spans[touched[-1]][1]]
    return 0.0, ""


def _said_near(text: Read, touched: range) -> frozenset[str]:
    """Return the words of some sentences and of those beside them: a name may stand one further."""
    near = range(touched[0] - 1, touched[-1] + 2)
    return frozenset(token.word for token in text.tokens if token.sentence in near)


def _quotes_stand(sentence: str, evidence: Sequence[Evidence]) -> bool:
    """Tell whether what a sentence puts in quotation marks stands word for word in an item.

    Marks that don't pair are a frame of a quotation without one: a small model copies the form.
    """
    if sentence.count("“") != sentence.count("”") or sentence.count('"') % 2:
        return False
    texts = [" ".join(words_in_order(each.text)) for each in evidence]
    for quoted in _QUOTED.findall(sentence):
        said = " ".join(words_in_order(quoted))
        if not any(f" {said} " in f" {text} " for text in texts):
            return False
    return True


def _elsewhere(sentence: str) -> bool:
    """Tell whether a sentence says "you", "yesterday" or "will": right where it was written, not here.

    In quotation marks it may, and the latter two beside a date.
    """
    bare = _QUOTED.sub(" ", sentence)
    if _YOU.search(bare) or is_yes_or_no(bare):
        return True
    dated = any(day.day or day.month for each in facts.dates(bare) for day in each.readings)
    return bool(_SINCE_THEN.search(bare) or _COMING.search(bare)) and not dated


def _by_its_writer(evidence: Evidence) -> Evidence:
    """Return an item with the writer that its text is headed by, where that isn't its author.

    Of a chat that was kept as one text only the author's own lines remain.
    """
    if not evidence.mine or not evidence.author:
        return evidence
    author = _author(replace(evidence, mine=False))
    head = _FROM.match(evidence.text)
    if head:
        mine = is_named(head[1], author)
        return evidence if mine else replace(evidence, mine=False, author=head[1])
    said = lines(evidence.text, evidence.author)
    if not said:
        return evidence
    kept = [evidence.text[: said[0].opens]]
    kept += [evidence.text[line.start : line.end] for line in said if line.mine]
    return replace(evidence, text="\n".join(kept))


def _one_story(sentence: str, first: Evidence, second: Evidence) -> bool:
    """Tell whether a sentence may join two items: near in time, or with a date that parts them."""
    days = [each.moment.local for each in (first, second)]
    if first.key == second.key or facts.dates(sentence):
        return True
    one, other = days
    return one is None or other is None or abs(one - other) <= _ONE_STORY


def _each_clause(sentence: str, matched: frozenset[str], strange: frozenset[str]) -> bool:
    """Tell whether more than half of every clause is carried: none is grafted on a true sentence.

    Nor may more than a third of one stand nowhere in the item: "The van was a luxury, and Robin …". What
    leads to a quotation may: "There was a mail: …".
    """
    least = 2 if _QUOTED.search(sentence) else 1
    for clause in _JOINT.split(facts.without_dates(sentence)):
        held = frozenset(map(stem, content_words(clause)))
        if len(held) > 1 and 2 * len(held & matched) < len(held) + (len(held) > 2):
            return False
        if len(held) >= least and 3 * len(held & strange) > len(held):
            return False
    return True


def _facts_stand(sentence: str, cited: Sequence[Evidence]) -> bool:
    """Tell whether each name, number and date of a sentence stands in a cited item.

    A date may be the item's own moment instead, and another's item may be told with their name.
    """
    texts = [read(each.text) for each in cited]
    days: list[Day] = []
    for each, text in zip(cited, texts, strict=True):
        moment = facts.day_of(each.moment)
        days += [moment, *(day.filled(moment) for day in text.days)]
    for dated in facts.dates(sentence):
        if not any(reading.agrees(day) for reading in dated.readings for day in days):
            return False
    if not numerals.numbers(sentence) <= frozenset().union(*(text.numbers for text in texts)):
        return False
    words = frozenset().union(*(text.words for text in texts))
    exact = frozenset().union(*(text.exact for text in texts))
    authors = frozenset().union(*(_author(each) for each in cited))
    for name in facts.names(sentence):
        known = name in exact if plain(name) in STOP_WORDS else plain(name) in words
        if not known and plain(name) not in authors:
            return False
    return True


def _speaker_fits(sentence: str, evidence: Evidence) -> bool:
    """Tell whether the sentence says whose words these are: "I" is the user, others are named."""
    if evidence.mine:
        return True
    quoted = _QUOTED.findall(sentence)
    around = (
        _QUOTED.sub(" ", sentence) if all(each in evidence.text for each in quoted) else sentence
    )
    said = {plain(match[0]) for match in tokens(_TOLD_ME.sub(" ", around))}
    if said & _I:
        return False
    return around != sentence or bool(said & (_author(evidence) - STOP_WORDS))


def _author(evidence: Evidence) -> frozenset[str]:
    """Return the words of the author's name: none for the user, who is "I"."""
    return frozenset(plain(match[0]) for match in tokens(_display(evidence)))


def _display(evidence: Evidence) -> str:
    """Return the author's name where it may stand for the item: not for what the user wrote."""
    return "" if evidence.mine else evidence.author.partition("<")[0] or evidence.author
