"""Tell how something is told: as a fact, as what may be, nearly was, is asked, or is another's word.

A sentence in an item's very words is still wrong where the item only wished, asked or passed on what
the sentence states. So each word gets the marks of what stands before it, and a sentence must bear the
marks of the place that carries it. Told in what tense, and why, is compared too. English, as the
models' drafts are; four other languages have their marks in `moods`, of the rest words alone decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from clone_app.memory.irregular import base
from clone_app.memory.words import plain, stem, tokens
from clone_app.persona.grounding.align import FIRST, Fit, Read, Token, clause, read, stretch
from clone_app.persona.grounding.moods import Mark, moods
from clone_app.persona.listed import listed

_UNSURE: Final = frozenset({Mark.MAYBE, Mark.COMING})
_APART: Final = _UNSURE | {Mark.REPORTED}


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_MODAL: Final = listed(
    "would could should might must ought would've could've should've might've wouldn't couldn't "
    "shouldn't mightn't mustn't"
)
_FUTURE: Final = listed(
    "shall will won't shan't gonna i'll we'll you'll he'll she'll they'll it'll tomorrow"
)
_WISHING: Final = _stems("want wish hope dream imagine pretend aim long")
_PLANNING: Final = _stems("plan intend promise")
_PERHAPS: Final = listed("whether maybe perhaps probably possibly let's")
_HEARSAY: Final = listed("rumour rumor rumours allegedly supposedly")
_STORIES: Final = listed("film movie novel dream series episode")
# A list of what is to do, and "Had I married him": the sentence opens with it.
_OPENED: Final = (
    re.compile(r"\W*(?:to[- ]?do|remember|reminder)\b", re.IGNORECASE),
    re.compile(r"\W*(?:had|were|should)\s+(?:i|we|he|she|they)\b", re.IGNORECASE),
)
# "I had to return it", "managed to": done, though an infinitive says so.
_GOVERNING: Final = listed(
    "had have has used managed able got came began started continued seemed happened learned learnt "
    "went go going helped taught"
)
_CONDITION: Final = listed("if unless")
_UNDOING: Final = _stems("refuse fail forget stop quit avoid decline")
_NEARLY: Final = listed("almost nearly barely scarcely hardly unable supposed")
_SAYING: Final = _stems(
    "say tell think thought believe reckon claim insist suggest write mention complain warn swear "
    "announce argue promise explain guess fear suspect ask answer reply according dreamt"
)
_ACCUSING: Final = _stems("accuse blame")
_THOUGHT: Final = listed("thought believed assumed expected supposed imagined feared")
# What is so of all but one isn't so of all.
_EXCEPT = re.compile(r"\b(?:except|apart from|other than|but for|save for)\b", re.IGNORECASE)
_ALL: Final = listed("all every everyone everybody everything nobody none nothing no never each")
_SUBJECTS: Final = FIRST | listed("he she they it you who he's she's they're it's you're")
_PASSIVE: Final = listed("was were am been being i'm we're is are")
_SKIPPED: Final = listed(
    "have has had do did does don't didn't doesn't would could should will may might must can just "
    "also always never not still even once then only really often that's"
)
_DETERMINED: Final = listed("the a an my his her our their your this that these those")
_NOW: Final = listed(
    "am is are isn't aren't i'm we're they're he's she's it's that's there's you're have has haven't "
    "hasn't"
)
_THEN: Final = listed("was were wasn't weren't had hadn't did didn't used")
_DID: Final = listed("did didn't was were wasn't weren't had hadn't used")
# Verbs that are no words of content, in the present, with their past.
_COMMON: Final = {
    form: was
    for was, forms in {
        "wanted": "want wants", "liked": "like likes", "went": "go goes", "got": "get gets",
        "made": "make makes", "took": "take takes", "came": "come comes", "thought": "think thinks",
        "felt": "feel feels", "knew": "know knows", "believed": "believe believes",
    }.items()
    for form in forms.split()
}  # fmt: skip
# A joint after which another speaks or does.
_TURN = re.compile(
    r",\s+(?=(?:I|we)\b)|[,;]?\s+(?:but|and|so|while|whereas)\s+(?=(?:I|we|he|she|they|it)\b)|[;—]"
)
_SOFT = re.compile(r"[,;:—–()]|\s+but\s+")
_HARD = re.compile(r"[;—]")
_SPEECH = re.compile(r"“[^”]+(?:”|$)|\"[^\"]+\"|«[^»]+»|(?<!\w)‘[^’]+ [^’]+’(?!\w)")
_MY_SPEECH = re.compile(
    r"\bI(?:'d| had| have)? (?:just )?(?:say|said|asked|told|wrote|write|thought|answered|replied|"
    r"posted|noted)\b[^.?!“\"]{0,30}$|^[,.]?\s*(?:said I\b|I (?:said|asked|told|wrote|answered|thought))"
)
_BECAUSE = re.compile(
    r"\b(?:because|due to|owing to|thanks to|therefore|as a result|reasons?|that(?:'|’)s why)\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"\b(?:because|since|so|for|due to|owing to|thanks to|therefore|hence|thus|as a result|reasons?|"
    r"why|caus\w+|'cause|cos)\b",
    re.IGNORECASE,
)
# What a sentence may only say where the item says it: that something holds now, for all, alone.
_SWEEPING: Final = (
    listed("still"),
    listed("now nowadays currently presently"),
    listed("all every everyone everybody everything each always whole entire entirely"),
    listed("only solely"),
    listed("again"),
    listed("already"),
    listed("first"),
    listed("last"),
    listed("yesterday"),
    listed("today tonight"),
)


def told_alike(said: Read, text: Read, fit: Fit, *, others: bool) -> bool:
    """Tell whether a sentence states what it shares with a text the way the text does.

    `others` says that another wrote the text: "Robin says" then stands in no text of Robin's own.
    """
    if not _marked_alike(said, text, fit, others=others):
        return False
    if _now_for_then(said, text, fit) or _done_for_to_do(said, text, fit):
        return False
    start, end = stretch(text, fit)
    place = text.text[start:end]
    if _BECAUSE.search(said.text) and not (_WHY.search(place) and _same_reason(said, text, fit)):
        return False
    mine = {token.word for token in said.tokens}
    if mine & _ALL and _EXCEPT.search(place) and not _EXCEPT.search(said.text):
        return False
    theirs = {plain(match[0]) for match in tokens(place)}
    return all(not mine & words or theirs & words for words in _SWEEPING)


def _same_reason(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether no shared word changes sides at "because": what follows, and what it follows from."""
    here = [token.start for token in said.tokens if token.word == "because"]
    first, last = fit.tokens[0].sentence, fit.tokens[-1].sentence
    there = [
        token.start
        for token in text.tokens
        if token.word == "because" and first <= token.sentence <= last
    ]
    if len(here) != 1 or len(there) != 1:
        return True
    sides: dict[str, set[bool]] = {}
    for token in fit.tokens:
        sides.setdefault(token.stem, set()).add(token.start > there[0])
    return all(
        (token.start > here[0]) in sides[token.stem]
        for token in said.tokens
        if token.stem in fit.matched
    )


def _marked_alike(said: Read, text: Read, fit: Fit, *, others: bool) -> bool:
    """Tell whether each shared word bears the same marks at some place of the fit."""
    here, there = marks(said.text), marks(text.text)
    numbers = {token.start: at for at, token in enumerate(text.tokens)}
    places: dict[str, list[frozenset[Mark]]] = {}
    for token in fit.tokens:
        places.setdefault(token.stem, []).append(there[numbers[token.start]])
    return all(
        any(_agree(here[at], each, others=others) for each in places[token.stem])
        for at, token in enumerate(said.tokens)
        if token.stem in fit.matched
    )


def _agree(here: frozenset[Mark], there: frozenset[Mark], *, others: bool) -> bool:
    """Tell whether a word told so may rest on one told so: another's word stays another's."""
    if here - _APART != there - _APART or bool(here & _UNSURE) != bool(there & _UNSURE):
        return False
    if Mark.MAYBE in there and Mark.MAYBE not in here:
        return False
    if Mark.REPORTED in there:
        return Mark.REPORTED in here
    return others or Mark.REPORTED not in here


@lru_cache(maxsize=256)
def marks(text: str) -> tuple[frozenset[Mark], ...]:
    """Return the marks of each word of a text, in the order of `align.read`."""
    whole = read(text)
    found: list[set[Mark]] = [set() for _ in whole.tokens]
    for number, (start, end) in enumerate(whole.spans):
        inside = [at for at, token in enumerate(whole.tokens) if token.sentence == number]
        if text[start:end].rstrip("\"'”’»)] ").endswith(("?", "？")):
            for at in inside:
                found[at].add(Mark.ASKED)
        listed, turned = (bool(each.match(text, start, end)) for each in _OPENED)
        if turned or any(whole.tokens[at].word in _CONDITION for at in inside):
            for at in inside:
                found[at].add(Mark.MAYBE)
        for at in inside if listed else ():
            found[at].add(Mark.COMING)
        for at in inside:
            for mark, reach in _opened(whole, at, inside[0]):
                for other in inside:
                    if at < other and whole.tokens[other].start < reach:
                        found[other].add(mark)
        for mark, opened, closed in moods(text[start:end]):
            for at in inside:
                token = whole.tokens[at]
                if token.start < start + closed and start + opened < token.end:
                    found[at].add(mark)
    for start, end in _anothers_speech(text):
        for at, token in enumerate(whole.tokens):
            if start <= token.start < end:
                found[at].add(Mark.REPORTED)
    return tuple(map(frozenset, found))


def _opened(whole: Read, at: int, first: int) -> Iterator[tuple[Mark, int]]:
    """Yield the marks that a word sets on those behind it, each with where its reach ends."""
    token = whole.tokens[at]
    word, root = token.word, stem(token.word)
    following = [other.word for other in whole.tokens[at + 1 : at + 3]] + ["", ""]
    if word in _PERHAPS:
        yield Mark.MAYBE, _reach(whole, at, _HARD)
    elif word in _MODAL or root in _WISHING or _would(word, following[0]) or token.raw == "may":
        yield Mark.MAYBE, _reach(whole, at, _SOFT)
    going = word == "going" and following[0] == "to" and following[1] not in _DETERMINED
    if going or root in _PLANNING or (word in _FUTURE and token.raw != "Will"):
        yield Mark.COMING, _reach(whole, at, _SOFT)
    told_of = word in _STORIES and at > first and whole.tokens[at - 1].word in _DETERMINED
    if word in _HEARSAY or told_of:
        yield Mark.REPORTED, _reach(whole, at, _TURN)
    but = (word, following[0]) in (("instead", "of"), ("anything", "but"))
    if word in _NEARLY or root in _UNDOING or but:
        yield Mark.UNDONE, _reach(whole, at + but, _SOFT)
    if word == "to" and "too" in (other.word for other in whole.tokens[max(first, at - 3) : at]):
        yield Mark.UNDONE, _reach(whole, at, _SOFT)  # "too cold to swim"
    if word in _THOUGHT and _turned(whole, at):
        yield Mark.MAYBE, _reach(whole, at, _SOFT)
    if root in _ACCUSING:
        yield Mark.REPORTED, _reach(whole, at, _TURN)
    if word == "than":
        yield Mark.THAN, _reach(whole, at, _SOFT)
    if root in _SAYING and _anothers(whole.tokens[first : at + 1]):
        yield Mark.REPORTED, _reach(whole, at, _TURN)


def _turned(whole: Read, at: int) -> bool:
    """Tell whether what was thought turned out otherwise: "I thought it was cancer, but …"."""
    closed = whole.spans[whole.tokens[at].sentence][1]
    return bool(re.search(r"\bbut\b", whole.text[whole.tokens[at].end : closed]))


def _would(word: str, following: str) -> bool:
    """Tell whether a word ends in a shortened "would": "I'd love", but not "I'd left"."""
    return word.endswith("'d") and bool(following) and not past(following)


def _reach(whole: Read, at: int, ends: re.Pattern[str]) -> int:
    """Return where in its sentence the reach of a word ends."""
    token = whole.tokens[at]
    closed = whole.spans[token.sentence][1]
    found = ends.search(whole.text, token.end, closed)
    return found.start() if found else closed


def _anothers(words: Sequence[Token]) -> bool:
    """Tell whether the last of these words, a verb of saying or thinking, is another's than "I".

    "Hazel thinks", "they said", "I was told"; but not "I thought", and not a diary's "Told Sam".
    """
    before = list(words[:-1])
    passive = False
    while before and before[-1].word in _SKIPPED | _PASSIVE:
        passive = passive or before[-1].word in _PASSIVE
        if before[-1].word in FIRST:
            return not words[-1].word.endswith("ing")
        before.pop()
    if not before:
        return words[-1].word == "according"
    last = before[-1]
    if last.word in FIRST:
        return passive and not words[-1].word.endswith("ing")
    if last.word in _SUBJECTS:
        return True
    between = last.word in ("to", "and", "then", "of", "the", "a", "for", "i'd")
    return not between and bool(last.stem)


def _anothers_speech(text: str) -> Iterator[tuple[int, int]]:
    """Yield where something stands in quotation marks that the writer doesn't say they said."""
    for match in _SPEECH.finditer(text):
        before, after = text[max(0, match.start() - 60) : match.start()], text[match.end() :][:30]
        if not _MY_SPEECH.search(before) and not _MY_SPEECH.match(after):
            yield match.span()


def past(word: str) -> bool:
    """Tell whether a word looks like a verb's past: "walked", "went"; not "bed", not "need"."""
    regular = word.endswith("ed") and not word.endswith("eed") and len(word) > 3
    return base(word) != word or (regular and word not in ("shed", "sled", "hundred", "sacred"))


def _now_for_then(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether a sentence tells as present what its place tells as past.

    "I play in a band" must not rest on "I used to play" or "I played", nor "is" on "was".
    """
    for at, token in enumerate(said.tokens):
        if token.stem not in fit.matched or not at or past(token.word):
            continue
        before = said.tokens[at - 1]
        going_on = before.word in _NOW and token.word.endswith("ing")
        named = bool(token.by) and before.stem == token.by
        if not (going_on or named or before.word in _SUBJECTS):
            continue
        there = [other for other in fit.tokens if other.stem == token.stem]
        if there and all(past(other.word) or _did(text, other) for other in there):
            return True
    if _common_for_then(said, text, fit):
        return True
    start, end = clause(text, fit.tokens[0].start, fit.tokens[-1].end)
    theirs = {plain(match[0]) for match in tokens(text.text[start:end])}
    mine = {token.word for token in said.tokens}
    present = bool(mine & _NOW) and not mine & _THEN and not any(map(past, mine - _NOW - _THEN))
    return present and bool(theirs & _THEN) and not theirs & _NOW


def _common_for_then(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether "I want" stands where the place only has "wanted": such verbs are in no fit."""
    start, end = stretch(text, fit)
    theirs = [token for token in text.tokens if start <= token.start < end]
    for at, token in enumerate(said.tokens):
        was = _COMMON.get(token.word)
        if not was or not at or not (said.tokens[at - 1].word in _SUBJECTS or token.by):
            continue
        now = [other for other in theirs if _COMMON.get(other.word) == was]
        if any(other.word == was for other in theirs) and all(_did(text, each) for each in now):
            return True
    return False


def _done_for_to_do(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether a sentence tells as done what its place only has as an infinitive.

    "I decided to sell the piano", "too tired to bake": not "I sold", not "I baked".
    """
    for token in said.tokens:
        if token.stem not in fit.matched or not past(token.word):
            continue
        there = [other for other in fit.tokens if other.stem == token.stem]
        if there and all(_to_do(text, other) for other in there):
            return True
    return False


def _to_do(text: Read, token: Token) -> bool:
    """Tell whether a word is an infinitive behind "to" whose governing verb doesn't say it was done."""
    before = [other.word for other in text.tokens if other.end <= token.start][-2:]
    return before[-1:] == ["to"] and not past(token.word) and before[0] not in _GOVERNING


def _did(text: Read, token: Token) -> bool:
    """Tell whether a word of the past helps this one: "did dig", "used to play"."""
    before = [other.word for other in text.tokens if other.end <= token.start][-2:]
    return bool(_DID.intersection(before))
