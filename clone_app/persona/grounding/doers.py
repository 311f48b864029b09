"""Tell whether those who do, own and are something in a sentence are those who do in the text.

`align` looks at the doer of each word of content by itself. Here is looked at what it can't see: verbs
too common to be content, what is joined by "and", a subject left out or made up, he for she.
"""

from __future__ import annotations

import re
from typing import Final

from clone_app.memory.irregular import base
from clone_app.memory.words import plain, stem, tokens
from clone_app.persona import facts
from clone_app.persona.grounding.align import FIRST, LIGHT, Fit, Read, Token, antecedents, stretch
from clone_app.persona.grounding.asserted import past
from clone_app.persona.grounding.governing import governed, same_governors
from clone_app.persona.listed import listed

_MARKS = re.compile(r"[,;:—–()。，；：、]|\b(?:and|but|then|while)\b")
_FIRST: Final = listed(
    "i i'm i've i'd i'll me my mine myself we we're we've we'd we'll us our ours"
)
# So far behind a word stands a pronoun that is its object.
_BEHIND: Final = 4
_MY: Final = listed("my our")
# "… hit Ben, not me": what is set against another is denied.
_NOT_ME = re.compile(r"\b(?:not|rather than|instead of) (?:\w+ )?(?:me|us)\b", re.IGNORECASE)
_HELPING: Final = listed(
    "could can would was were is are had has have did does will may might must should"
)
_BEING: Final = listed(
    "am i'm is are was were been being be we're wasn't weren't isn't get got gets getting"
)
_ADVERBS: Final = listed("not never also so very then just still always often all even once badly")
_HAVE: Final = listed("have has had")
_HARD = re.compile(r"[;:—–()。；：]")
_OWNERS: Final = {"his": "he", "her": "she", "their": "they", "its": "it", "my": "I", "our": "I",
                  "your": "you"}  # fmt: skip
_SUBJECTS: Final = {
    **dict.fromkeys(listed("he he's he'd he'll"), "he"),
    **dict.fromkeys(listed("she she's she'd she'll"), "she"),
    **dict.fromkeys(listed("they they're they'd they'll they've"), "they"),
    **dict.fromkeys(listed("you you're you'd you'll you've"), "you"),
    **dict.fromkeys(FIRST, "I"),
}
_HE: Final = frozenset(
    map(
        stem,
        listed(
            "father dad daddy papa brother husband son uncle grandfather grandpa granddad nephew "
            "boyfriend fiancé mr sir lord king prince man boy gentleman"
        ),
    )
)
_SHE: Final = frozenset(
    map(
        stem,
        listed(
            "mother mum mom mummy mama sister wife daughter aunt auntie grandmother grandma granny "
            "niece girlfriend fiancée mrs ms miss lady queen princess woman girl"
        ),
    )
)


def same_actors(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether nobody in a sentence does, owns or is what somebody else does in the text."""
    return (
        _owners(said, text, fit)
        and _carried_on(said, text, fit)
        and _light(said, text, fit)
        and _having(said, text, fit)
        and _voices(said, text, fit)
        and _names_once(said, text, fit)
        and _predicates(said, text, fit)
        and _not_their_kin(said, fit)
        and _with_me(said, text, fit)
        and _objects(said, text, fit)
        and same_governors(said, text, fit)
    )


def _owners(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether nobody of the other sex does or owns a shared word."""
    for at, token in enumerate(said.tokens):
        if token.stem not in fit.matched:
            continue
        mine = _owner(said, at)
        if not mine or token.by:
            continue
        theirs = {
            _gender(other.by) if other.by else _owner(text, number)
            for number, other in enumerate(text.tokens)
            if other.stem == token.stem
            and fit.tokens[0].start <= other.start <= fit.tokens[-1].start
        }
        if theirs and "" not in theirs and not theirs & {mine}:
            return False
    return True


def _owner(text: Read, at: int) -> str:
    """Return which pronoun directly before a word, an adjective apart, owns or does it."""
    before = text.tokens[max(0, at - 2) : at]
    for token in reversed(before):
        found = _OWNERS.get(token.word) or _SUBJECTS.get(token.word, "")
        if found or not token.stem:
            return found
    return ""


def _gender(by: str) -> str:
    return "he" if by in _HE else "she" if by in _SHE else ""


def _carried_on(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether what is joined by "and" to what one did is not another's deed in the text.

    "I gave Piet the keys and lost them" says that I lost them; and where a diary's sentence opens with
    a verb, it is the writer who does it: "Bought the lamp" is not "he bought the lamp".
    """
    for at, token in enumerate(said.tokens):
        if token.stem not in fit.matched:
            continue
        mine = _actor(said, at)
        if not mine:
            continue
        theirs = {
            _actor(text, number) or _named_actor(text, number)
            for number, other in enumerate(text.tokens)
            if other.stem == token.stem
            and fit.tokens[0].start <= other.start <= fit.tokens[-1].start
        }
        if theirs and "" not in theirs and mine not in theirs:
            return False
    return True


def _actor(text: Read, at: int) -> str:
    """Return "I" or "they": who does what a verb in the past says; "" where that isn't plain."""
    token = text.tokens[at]
    if token.doer:
        subject = text.tokens[at - 1].word if at else ""
        return token.doer if subject in _SUBJECTS or token.by else ""
    opened = [other for other in text.tokens[:at] if other.sentence == token.sentence]
    # "… and play the drums": of the present, plain only where another verb goes before it.
    joined = opened and opened[-1].word == "and" and not token.word.endswith(("s", "ing"))
    if base(token.word) == token.word and not token.word.endswith("ed") and not joined:
        return ""
    if not opened:
        return "I"
    if opened[-1].word not in ("and", "then", "but"):
        return ""
    for other in reversed(opened):
        if other.doer and not other.word.endswith("ing"):
            return other.doer
        if _HARD.search(text.text[other.end : token.start]):
            return ""
    return ""


def _named_actor(text: Read, at: int) -> str:
    """Return "they" where a noun or name opens the sentence and does it: "Jonas moved to York"."""
    token, before = text.tokens[at], text.tokens[at - 1] if at else None
    named = before is not None and token.by and before.stem == token.by
    return "they" if named and before and not before.word.endswith("ly") else ""


def _light(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether those who got, went or took in a sentence are those who do in the text.

    Verbs so common carry no content and so are in no fit.
    """
    start, end = stretch(text, fit)
    for at, token in enumerate(said.tokens):
        if token.word not in LIGHT or not (token.doer or token.by):
            continue
        theirs = [
            (number, other)
            for number, other in enumerate(text.tokens)
            if start <= other.start < end and base(other.word) == base(token.word)
        ]
        mine = token.doer == "I" and not _suffered(said, at)
        if theirs and not any(
            _same_actor(token, other, text) and not (mine and _by_another(text, number))
            for number, other in theirs
        ):
            return False
    return True


def _by_another(text: Read, at: int) -> bool:
    """Tell whether something is done to what stands before a verb, and not "by me"."""
    following = [token.word for token in text.tokens[at + 1 : at + 3]]
    return _suffered(text, at) and following not in (["by", "me"], ["by", "us"])


def _having(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether what one has in a sentence isn't only what another has in the text."""
    start, end = stretch(text, fit)
    for at, token in enumerate(said.tokens):
        what = governed(said, at) if token.word in _HAVE else None
        if what is None:
            continue
        mine, named = _haver(said, at), _bearers(said, at)
        there = [
            number
            for number, other in enumerate(text.tokens)
            if other.word in _HAVE
            and start <= other.start < end
            and (held := governed(text, number)) is not None
            and held.stem == what.stem
        ]
        if mine == "I" and {_haver(text, number) for number in there} == {"they"}:
            return False
        theirs = [_bearers(text, number) for number in there]
        if named and theirs and all(each and named.isdisjoint(each) for each in theirs):
            return False
    return True


def _bearers(text: Read, at: int) -> frozenset[str]:
    """Return the nouns one of which has what a "have" says, none where it is a pronoun or unknown."""
    heads = antecedents(text.tokens[at], text)
    if heads is not None:
        return heads
    before = text.tokens[at - 1] if at else None
    bearing = before is not None and _haver(text, at) == "they"
    return frozenset({before.stem} - {""}) if before is not None and bearing else frozenset()


def _voices(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether nobody does what is done to them in the text: "I was bitten" is not "I bit"."""
    for at, token in enumerate(said.tokens):
        if token.stem not in fit.matched or not past(token.word):
            continue
        theirs = [
            _suffered(text, number)
            for number, other in enumerate(text.tokens)
            if other.stem == token.stem
            and past(other.word)
            and fit.tokens[0].start <= other.start <= fit.tokens[-1].start
        ]
        if theirs and _suffered(said, at) not in theirs and token.doer == "I":
            return False
    return True


def _suffered(text: Read, at: int) -> bool:
    """Tell whether a form of "to be" stands before a verb's past, an adverb between at most."""
    before = [t.word for t in text.tokens[:at] if t.sentence == text.tokens[at].sentence][-2:]
    if len(before) > 1 and (before[-1] in _ADVERBS or before[-1].endswith("ly")):
        before.pop()
    return before[-1:] != [] and before[-1] in _BEING


def _haver(text: Read, at: int) -> str:
    """Return "I" or "they": who has what a "have" says; "" where that isn't plain."""
    before = [t for t in text.tokens[:at] if t.sentence == text.tokens[at].sentence]
    while before and not before[-1].stem and before[-1].word not in _SUBJECTS:
        if before[-1].word in ("and", "then", "but"):
            return ""
        before.pop()
    if not before or _MARKS.search(text.text[before[-1].end : text.tokens[at].start]):
        return ""
    subject = _SUBJECTS.get(before[-1].word, "they")
    joined = subject == "I" and len(before) > 1 and before[-2].word == "and"
    return "" if joined or subject == "you" else "I" if subject == "I" else "they"


def _same_actor(mine: Token, other: Token, text: Read) -> bool:
    """Tell whether two verbs may have one doer: unknown, the same noun, or a pronoun for it.

    Where a diary's sentence opens with the verb, it is the writer.
    """
    if not (other.doer or other.by):
        opens = other.start == text.spans[other.sentence][0] and base(other.word) != other.word
        return not opens or (mine.doer == "I")
    if mine.by and other.by:
        return mine.by == other.by
    return (mine.doer or "they") == (other.doer or "they")


def _not_their_kin(said: Read, fit: Fit) -> bool:
    """Tell whether nobody stands for what is theirs: "Knut's mother is a midwife" is not of Knut."""
    for token in said.tokens:
        if token.stem in fit.matched and not token.raw.endswith(("'s", "’s")):
            theirs = [other for other in fit.tokens if other.stem == token.stem]
            if all(other.raw.endswith(("'s", "’s")) for other in theirs):
                return False
    return True


def _with_me(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether the writer takes part in the text where "me", or "Vera and I", does here."""
    start, end = stretch(text, fit)
    first = any(token.word in ("me", "us") for token in said.tokens)
    place = _NOT_ME.sub(" ", text.text[start:end])
    present = any(plain(match[0]) in _FIRST - _MY for match in tokens(place))
    if first and not present and not _NOT_ME.search(said.text):
        return False
    for at, token in enumerate(said.tokens):
        joined = token.by and not token.doer and said.tokens[at - 1].word == "i"
        theirs = [other for other in fit.tokens if other.stem == token.stem] if joined else []
        if theirs and all(other.doer == "they" for other in theirs):
            return False
    return True


def _objects(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether "him" behind a shared word isn't "me" in the text: "It has moved in with me"."""
    start, end = stretch(text, fit)
    there = [at for at, token in enumerate(text.tokens) if start <= token.start < end]
    for at, token in enumerate(said.tokens):
        mine = _object(said, at)
        before = [t for t in said.tokens[max(0, at - _BEHIND) : at] if t.stem][-1:]
        if not mine or not before or before[0].sentence != token.sentence:
            continue
        theirs = [
            {_object(text, at) for at in range(place + 1, place + 1 + _BEHIND)} - {""}
            for place in there
            if text.tokens[place].stem == before[0].stem
        ]
        if theirs and all(found and mine not in found for found in theirs):
            return False
    return True


def _object(text: Read, at: int) -> str:
    """Return "I" or "they" for a pronoun that is an object, "" for any other word."""
    if at >= len(text.tokens):
        return ""
    token = text.tokens[at]
    following = next((t for t in text.tokens[at + 1 : at + 2]), None)
    owner = following is not None and following.stem and following.start - token.end == 1
    if token.word in ("me", "us"):
        return "I"
    return "they" if token.word in ("him", "them") or (token.word == "her" and not owner) else ""


def _names_once(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether no name stands more often in a sentence than there: "Joel paid Joel" is no answer."""
    start, end = stretch(text, fit)
    words = [plain(facts.without_possessive(t.raw)) for t in text.tokens if start <= t.start < end]
    named = [plain(name) for name in facts.names(said.text)]
    return all(named.count(name) < 2 or named.count(name) <= words.count(name) for name in named)


def _predicates(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether what is said first of "I" or "she" is carried, and of "she" as another's.

    The rest of a sentence may be the item's, word for word, and its verb or its subject made up.
    """
    subject = ""
    for at, token in enumerate(said.tokens):
        goes_on = token.word in _HELPING and at > 0 and said.tokens[at - 1].word in ("and", "but")
        subject = _SUBJECTS.get(token.word) or subject
        who = subject if goes_on or token.word in _SUBJECTS else ""
        if not who or who == "you":
            continue
        told = next((other for other in said.tokens[at + 1 : at + 9] if other.stem), None)
        if told is None or _MARKS.search(said.text[token.end : told.start]):
            continue
        if told.stem not in fit.matched:
            return False
        there = [other for other in fit.tokens if other.stem == told.stem]
        if who != "I" and not any(_of_another(text, other) for other in there):
            return False
    return True


def _of_another(text: Read, token: Token) -> bool:
    """Tell whether before a word, in its sentence, stands somebody other than "I" as who does it."""
    before = [t for t in text.tokens if t.end <= token.start and t.sentence == token.sentence]
    subjects = [_SUBJECTS[t.word] for t in before if t.word in _SUBJECTS]
    if token.by or (token.doer == "they" and subjects[-1:] != ["you"]):
        return True
    if subjects:
        return subjects[-1] not in ("I", "you")
    return any(
        t.stem
        and t.raw[0].isupper()
        and (at or base(t.word) == t.word)
        and not _MARKS.search(text.text[t.end : token.start])
        for at, t in enumerate(before)
    )
