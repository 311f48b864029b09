"""Tell from an entry that something of the user's ended: a job, a home, a love, a habit, a thing, a life.

"Friday was my last day" ends a job without a word of denial: `sayings` lists such words, here it is
judged whether they tell of what is asked about. What denies in so many words ("no longer") is looked
for in `chain`. Only what the user did counts, and only as done: a wrong "no longer" is worse than a
quotation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from clone_app.memory.stopwords import STOP_WORDS
from clone_app.memory.words import denies, plain, sentences, stem, stems, tokens
from clone_app.persona import facts
from clone_app.persona.change.sayings import SAYINGS, By, Reach, Saying, Surety
from clone_app.persona.grounding.align import read
from clone_app.persona.grounding.asserted import marks, past
from clone_app.persona.grounding.moods import Mark
from clone_app.persona.lines import own_sentences
from clone_app.persona.listed import listed
from clone_app.persona.question.premises import SAID, Premise


@dataclass(frozen=True, slots=True)
class Ending:
    """Hold where an entry says that something ended: the stretch to quote, what it holds, how surely."""

    start: int
    end: int
    held: frozenset[str]
    surety: Surety


_LONGEST: Final = 240
# None of these tells what was.
_NOT_SO: Final = frozenset(
    {Mark.MAYBE, Mark.COMING, Mark.UNDONE, Mark.THAN, Mark.ASKED, Mark.REPORTED}
)
_NOT_YET: Final = re.compile(
    r"\b(?:when|once|after|until|till|as soon as|before|by the time) (?:I|we)(?:['’]ve| have)\b|"
    r"\bas though\b|\b(?:I|we)(?:['’]d| had)? (?:dreamt|dreamed|thought|imagined|feared|hoped|pretended)\b",
    re.IGNORECASE,
)
_TO_COME: Final = re.compile(
    r"\b(?:will|would|won['’]t|going to be|tomorrow|soon|(?:is|it['’]s) (?:on|in|next|not)\b|next \w+)\b",
    re.IGNORECASE,
)
_IS: Final = re.compile(r"(?<!today )(?<!this )(?<!that )(?:\bis|['’]s|\bare) $", re.IGNORECASE)
_PLACE: Final = re.compile(
    r"\s+(?:at|with|for|of)\s+(?:the |my |our |that |an? )?(?P<what>[\w'’-]+(?: [A-Z][\w'’-]+)*)"
)
_GENERIC: Final = listed(
    "work job office old company firm place there it school shop flat house home apartment good ever me"
)
_TOWN: Final = re.compile(
    r"\s+(?:the (?:coast|country(?:side)?|seaside|sea|city|north|south|east|west)|(?-i:[A-Z])[\w'’-]+)\b"
    r"(?!\s+(?:street|st|road|rd|lane|avenue|square|close|steps|house|flat|row|place|rise|park|hill)\b)",
    re.IGNORECASE,
)
_AT_HOME: Final = re.compile(
    r"\b(?:I|we) (?:\w+ )?live\b|\b(?:live|living) (?:here|in)\b|"
    r"\b(?:my|our|this) (?:\w+ )?(?:flat|house|home|room)\b|\bflat \d|\bat home\b|\brent\b",
    re.IGNORECASE,
)
_DYING: Final = re.compile(r"died|dead|passed", re.IGNORECASE)
# "My canary bird, that I have kept these three years, is dead."
_RELATIVE: Final = re.compile(r",\s+(?:that|which|whom?)\b[^,]{1,80},\s*$", re.IGNORECASE)
_THERE: Final = re.compile(r"\bthere\b")
_HARD: Final = re.compile(r"[;—–(]")
_CLAUSE_END: Final = re.compile(
    r"[,;:.!?—–()]|\s(?:and|but|because|so|when|while|after|before|then|last|since)\s"
)
_I: Final = listed("i we i've we've i'd we'd")
_OTHERS: Final = listed(
    "he she they it you who he'd she'd they'd he's she's they've his her their your"
)
_SKIPPED: Final = listed(
    "have had has was were got been just finally now already also since then only both all even recently "
    "eventually duly at last so and but well today yesterday tonight ever did"
)
_JOINING: Final = listed("and then but")
_AS_BEFORE: Final = (["as"], ["like"], ["than"], ["what"], ["where"], ["way"])
_PARTLY: Final = re.compile(
    r"\s+(?:after (?!\w+ (?:\w+ )?years)|before|during|with|without|except|until|till|when|while|by|in the|"
    r"at|on|for (?!good))\b",
    re.IGNORECASE,
)
_PRONOUNS: Final = listed("it him her them that these those both")
_OWNING: Final = listed("his her their your")
_NO_OBJECT: Final = listed(
    "some one two three four five six seven eight nine ten half another any a an most few several many "
    "to at by off on over into from back up short dead myself ourselves as giving stopping trying"
)
_DETERMINERS: Final = listed("the my our that this those these all both")
# So many words behind a verb stands what it is done to.
_FAR: Final = 7
_TIMES: Final = stems(
    "year month week day morning afternoon evening night spring summer autumn winter "
    "today yesterday tonight ago altogether completely entirely forever"
)


def ending(text: str, about: Premise, *, title: str = "", author: str = "") -> Ending | None:
    """Return where an entry of the user's tells that what a question takes for granted ended.

    The surest place, of equals the last. Lines quoted with `>` and others' lines of a chat have no part.
    """
    spans = own_sentences(text, author)
    best: Ending | None = None
    for number, (start, end) in enumerate(spans):
        if end - start > _LONGEST:
            continue
        for relation in about.relations:
            for saying in SAYINGS[relation]:
                for match in saying.form.finditer(text[start:end]):
                    found = _judged(text, spans, number, match, saying, about, title)
                    if found and (
                        best is None or (found.surety, found.start) >= (best.surety, best.start)
                    ):
                        best = found
    return best


def plainly(text: str, start: int, end: int) -> bool:
    """Tell whether a stretch is told as a fact: not wished, planned, asked, denied before, or reported."""
    opened = next((first for first, last in sentences(text) if first <= start < last), 0)
    if _NOT_YET.search(text, opened, end):
        return False
    told = marks(text)
    return not any(
        told[at] & _NOT_SO
        for at, token in enumerate(read(text).tokens)
        if start <= token.start < end
    )


def whose(said: str, at: int) -> str:
    """Return who does what stands at a place of a sentence: "I", "" for a diary's left-out I, or a stem.

    "they" is whoever else, and nobody of whom it is denied.
    """
    before = _HARD.split(said[:at])[-1]
    words = [(match[0], plain(match[0])) for match in tokens(facts.without_dates(before))]
    if any(denies(raw) for raw, _ in words[-4:]):
        return "they"
    joined = before.rstrip().endswith(",")
    near = list(words)
    while near and (near[-1][1] in _SKIPPED or near[-1][1].endswith("ly")):
        joined = joined or near[-1][1] in _JOINING
        near.pop()
    if not near:
        return ""
    raw, word = near[-1]
    if word in _I:
        return "I"
    if joined:
        if any(each in _OTHERS for _, each in words) or any(
            each[0].isupper() and plain(each) not in _I for each, _ in words[1:]
        ):
            return "they"
        if any(each in _I for _, each in words):
            return "I"
        return "" if past(words[0][1]) else "they"
    if all(stem(each) in _TIMES or each.isdigit() or not _content(each) for _, each in near):
        owned = any(each in _OTHERS for _, each in near)
        return "they" if owned or word in _OTHERS or word == "to" else ""
    return stem(raw) if raw[0].isupper() or len(near) < 3 else "they"


def _judged(
    text: str,
    spans: list[tuple[int, int]],
    number: int,
    match: re.Match[str],
    saying: Saying,
    about: Premise,
    title: str,
) -> Ending | None:
    start, end = spans[number]
    said = text[start:end]
    if not plainly(text, start + match.start(), start + match.end()):
        return None
    if not _by_whom(said, match, saying, about):
        return None
    alive = saying.reach is not Reach.SUBJECT or not _DYING.search(match[0]) or about.living
    surety = saying.surety if alive and not about.who else min(saying.surety, Surety.CHANGED)
    before = _beside(text, spans, number, -1)
    after = _beside(text, spans, number, 1)
    if saying.reach is Reach.HERE:
        return _found(text, start, end, surety) if about.borne(said) else None
    if saying.reach is Reach.AWAY:
        whole = not match[0].lower().endswith("to") or _TOWN.match(said, match.end())
        away = whole and not about.about.share(said)
        return _found(text, start, end, surety) if away else None
    if saying.reach is Reach.OBJECT:
        back = _object(said, match.end(), before, about)
        if back:  # a pronoun may mean something else of the sentence before
            surety = min(surety, Surety.CHANGED)
        return None if back is None else _found(text, spans[number - back][0], end, surety)
    if saying.reach is Reach.SUBJECT:
        return _found(text, start, end, surety) if _subject(said, match.start(), about) else None
    if not _of_it(said, match, about):
        return None
    if about.borne(said):
        return _found(text, start, end, surety)
    if _names_else(said, match, about):
        return None
    if before and (
        about.borne(before) or (about.at_head(said) and about.borne(f"{before} {said}"))
    ):
        return _found(text, spans[number - 1][0], end, surety)
    if after and (about.borne(after) or (about.at_head(said) and about.borne(f"{said} {after}"))):
        return _found(text, start, spans[number + 1][1], surety)
    if _THERE.search(said) and number > 1 and about.borne(text[spans[number - 2][0] : start]):
        return _found(text, spans[number - 2][0], end, surety)
    if saying.reach is Reach.ENTRY and about.borne(f"{title}\n{text}"):
        return Ending(start, end, stems(f"{title}\n{text}"), min(surety, Surety.CHANGED))
    return None


def _found(text: str, start: int, end: int, surety: Surety) -> Ending:
    return Ending(start, end, stems(text[start:end]), surety)


def _beside(text: str, spans: list[tuple[int, int]], number: int, step: int) -> str:
    """Return the sentence before or after one, "" where none is."""
    at = number + step
    return text[spans[at][0] : spans[at][1]] if 0 <= at < len(spans) else ""


def _by_whom(said: str, match: re.Match[str], saying: Saying, about: Premise) -> bool:
    """Tell whether what ended is the user's, or theirs whom the question names."""
    if saying.by is By.TOLD:
        before, after = said[: match.start()], said[match.end() :]
        return (
            not about.who
            and not _TO_COME.search(after[:40])
            and not _IS.search(before)
            and not any(denies(each[0]) for each in list(tokens(before))[-3:])
        )
    who = whose(said, match.start())
    if about.who:
        return who in about.who
    if who == "I" or (who == "" and saying.by is By.ME):
        return True
    # "Joel and I split up"
    return saying.by is By.SAID and bool(re.search(r"\band I (?:\w+ )?$", said[: match.start()]))


def _of_it(said: str, match: re.Match[str], about: Premise) -> bool:
    """Tell whether "at the clinic" behind a last day names nothing but what is asked about."""
    place = _PLACE.match(facts.without_dates(said), match.end())
    if place is None or plain(place["what"]) in _GENERIC:
        return True
    what = place["what"]
    return about.about.share(what) > 0 or stem(what) in _TIMES or bool(facts.numbers(what))


def _names_else(said: str, match: re.Match[str], about: Premise) -> bool:
    """Tell whether a sentence names something else than what is asked about."""
    known = frozenset().union(about.head, *about.names, *(held for _, held in about.about.weights))
    first = next(tokens(said), None)
    return any(
        stem(name) not in known
        and not (
            first
            and first[0].startswith(name)
            and (first.end() > match.start() or past(plain(name)))
        )
        for name in facts.names(said)
    )


def _content(word: str) -> bool:
    """Tell whether a plain word carries content; told of it alone, not by the language around it."""
    return word not in STOP_WORDS and (len(word) > 1 or word.isdigit())


def _object(said: str, at: int, before: str, about: Premise) -> int | None:
    """Return how many sentences back what a verb is done to is named, None where that is something else.

    0 where what is asked about stands right behind it, or a pronoun for what stands before in the
    sentence; 1 where the pronoun means the sentence before.
    """
    cut = _CLAUSE_END.search(said, at)
    part = facts.without_dates(said)[at : cut.start() if cut else len(said)]
    words = [(match, plain(match[0])) for match in tokens(part)]
    while words and words[0][1] in _DETERMINERS - {"that", "these", "those", "both"}:
        words.pop(0)
    if not words:
        return None
    first = words[0][1]
    if first in _PRONOUNS and (
        len(words) == 1
        or (not _content(words[1][1]) and words[1][1] not in _DETERMINERS | {"a", "an"})
        or stem(words[1][1]) in _TIMES
    ):
        if about.borne(said[:at]):
            return 0
        return 1 if about.borne(before) else None
    if first in _NO_OBJECT | _OWNING or first[0].isdigit():
        return None
    seen: list[str] = []
    foreign = False
    for place, (match, word) in enumerate(words[:_FAR]):
        content = _content(word)
        if not content and not (foreign and word not in _DETERMINERS):
            continue
        mine = content and any(stem(word) in held for _, held in about.about.weights)
        if not mine and stem(word) not in SAID:
            if foreign or not content or match[0].endswith(("'s", "’s")):
                return None
            foreign = True
            continue
        seen.append(match[0])
        if stem(word) in about.head:
            whole = all(held & stems(" ".join(seen)) for _, held in about.about.weights)
            enough = whole or not (foreign or about.names)
            partly = _goes_on(part, words, place, about) or restricted(said[at + match.end() :])
            return 0 if enough and not partly else None
    return None


def restricted(following: str) -> bool:
    """Tell whether what follows says that only some of it ended: "stopped drinking coffee after six"."""
    return bool(_PARTLY.match(following))


def _goes_on(part: str, words: list[tuple[re.Match[str], str]], place: int, about: Premise) -> bool:
    """Tell whether what is asked about only opens a longer name there: the radio of "the car radio"."""
    if place + 1 >= len(words):
        return False
    here, (following, word) = words[place][0], words[place + 1]
    if not part[here.end() : following.start()].isspace() or not _content(word):
        return False
    known = any(stem(word) in held for _, held in about.about.weights)
    return not (known or word.endswith("ly") or stem(word) in _TIMES or word == "away")


def _subject(said: str, at: int, about: Premise) -> bool:
    """Tell whether what is asked about stands right before a verb, and nobody else's of its kind."""
    before = _RELATIVE.sub(" ", _HARD.split(said[:at])[-1])
    words = [match[0] for match in tokens(before)]
    while words and (plain(words[-1]) in _SKIPPED or words[-1].lower().endswith("ly")):
        words.pop()
    known = [held for _, held in about.about.weights]
    taken: list[str] = []
    while words and any(stem(plain(words[-1])) in held for held in known):
        taken.insert(0, words.pop())
    if not taken:
        return False
    owner = words[-1] if words else ""
    if (
        plain(owner) in _OWNING
        or owner.endswith(("'s", "’s"))
        or plain(owner) in ("a", "an", "another")
    ):
        return False
    return about.borne(" ".join(taken)) or stem(plain(taken[-1])) in about.head


def at_home(text: str) -> bool:
    """Tell whether a text says that somebody lives somewhere: to have moved away ends only that."""
    return bool(_AT_HOME.search(text))


def anothers(said: str, start: int, end: int, asked: frozenset[str]) -> bool:
    """Tell whether a denial in a sentence is of somebody else than is asked about, or of no doing.

    "Joel no longer works there" is no answer about "you"; "stopped at the inn" is no stopping; and what
    is "as I used to" goes on.
    """
    before = [plain(match[0]) for match in tokens(_HARD.split(said[:start])[-1])]
    if any(denies(word) for word in before[-3:]) or before[-1:] in (*_AS_BEFORE,):
        return True
    following = next(tokens(said[end:]), None)
    idle = following is not None and plain(following[0]) in _NO_OBJECT - {"as"}
    if idle and re.search(r"(?:stopped|quit)$", said[start:end], re.IGNORECASE):
        return True
    while before and (before[-1] in _SKIPPED or before[-1].endswith("ly")):
        before.pop()
    if not before or before[-1] in _JOINING:
        return False
    named = any(
        match[0][0].isupper() and plain(match[0]) == before[-1] for match in tokens(said[:start])
    )
    return before[-1] in _OTHERS or (
        named and before[-1] not in _I and stem(before[-1]) not in asked
    )
