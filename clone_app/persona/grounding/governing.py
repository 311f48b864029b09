"""Tell whether a verb too common to be content says of its object what the text says of it.

"I went to the funeral" holds no word of content that "I missed the funeral" doesn't. So the verb that
governs the object there must be the same, one that says much the same, or none: a diary leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from clone_app.memory.words import stem
from clone_app.persona.grounding.align import Fit, Read, Token, stretch
from clone_app.persona.grounding.asserted import past
from clone_app.persona.listed import listed

_FORMS: Final = {
    form: verb
    for verb, forms in {
        "go": "go goes went gone going",
        "come": "come comes came coming",
        "get": "get gets got gotten getting",
        "make": "make makes made making",
        "take": "take takes took taken taking",
        "have": "have has had having i've we've i'd",
    }.items()
    for form in forms.split()
}
# What says much the same, or from which the other follows: "They gave me the job", "I got the job".
_ALIKE: Final = {
    verb: frozenset(map(stem, words.split()))
    for verb, words in {
        "go": "travel drive walk fly ride cycle bike run move sail visit attend return head leave join "
        "rush hurry climb set march row hike swim wander stroll arrive reach drop call follow spend "
        "stay sleep sit meet hear enjoy love like play dance watch work fall",
        "come": "arrive return walk drive fly travel move reach enter visit appear follow ride cycle "
        "run bring rush stop back join meet",
        "get": "give receive win buy bring hand send land earn pick fetch collect keep find grant award "
        "arrive deliver inherit borrow obtain catch start begin accept wake rise become fall feel grow "
        "turn purchase secure achieve pass reach climb step let",
        "make": "bake cook build create prepare produce brew knit sew draw paint write form fix mix "
        "finish craft assemble arrange manage serve carve put reach decide earn find cause keep try "
        "give turn use set",
        "take": "swallow bring pick grab carry catch ride drive use accept steal seize lead drink eat "
        "buy borrow choose photograph shoot attend spend follow join fetch remove pull lift draw "
        "start begin enrol need last walk fly travel sail visit give move put study pass sit",
        "have": "own keep buy receive give hold possess wear catch eat drink cook enjoy suffer develop "
        "diagnose inherit share feel spend attend build rent adopt raise bear host live bring "
        "fetch start begin meet win earn carry contain play write wake",
    }.items()
}
_MARKS = re.compile(r"[,;:—–()。，；：、]|\b(?:and|but|then|while|or)\b")
_OPENING_AN_ADJECTIVE: Final = listed(
    "the a an my his her our their your its this that these those some very"
)
_GOING_ON: Final = listed("am i'm is are was were been be we're")
_ACTS: Final = listed("get take make have")
_LEADING: Final = listed("at in on of for from with by to about")
_RELATIVE: Final = listed("that which who i we he she they you")
_ME: Final = listed("i we me us my our mine ours i'm i've i'd we're we've myself")
_SUBJECTS: Final = listed("i we he she they you it who")
# So far behind its verb stands an object.
_REACH: Final = 5


def same_governors(said: Read, text: Read, fit: Fit) -> bool:
    """Tell whether no object of such a verb is governed by a verb of another meaning in the text."""
    start, end = stretch(text, fit)
    own = frozenset(stem(token.word) for token in said.tokens)
    for at, token in enumerate(said.tokens):
        verb = _FORMS.get(token.word, "")
        what = governed(said, at) if verb else None
        if what is None or what.stem not in fit.matched:
            continue
        places = [
            number
            for number, other in enumerate(text.tokens)
            if other.stem == what.stem and start <= other.start < end
        ]
        governors = [_governor(text, number) for number in places]
        owned = verb == "have" and any(_mine(text, number) for number in places)
        if governors and not owned and not any(_may_be(verb, each, own) for each in governors):
            return False
        first = token.doer == "I" or said.tokens[at - 1].word in ("i", "we")
        first = first and not owned
        mine = first and verb in _ACTS
        if mine and places and all(_is_told_of(text, number) for number in places):
            return False
        if first and verb == "have" and places and all(_borne(text, number) for number in places):
            return False
    return True


def _borne(text: Read, at: int) -> bool:
    """Tell whether a noun is what another is with: "a woman with two sons" has them."""
    before = [token for _, token in _before(text, at)]
    for number, token in enumerate(before[:3]):
        if token.word == "with":
            return any(other.word in ("a", "an") for other in before[number + 2 : number + 4])
    return False


def _is_told_of(text: Read, at: int) -> bool:
    """Tell whether a noun is what its clause is about, and nobody in it is "I": "the job went to Jonas".

    Then nobody says that I did anything to it. It has an article and opens the clause, a verb follows.
    """
    token = text.tokens[at]
    before = [t for _, t in _before(text, at)]
    opening = []
    for other in before:
        if _MARKS.search(text.text[other.end : token.start]):
            break
        opening.append(other)
    if not any(other.word in _OPENING_AN_ADJECTIVE for other in opening) or len(opening) > 3:
        return False
    if any(
        past(t.word) or t.word in _SUBJECTS or t.word in _LEADING or t.word in _FORMS
        for t in opening
    ):
        return False
    clause = []
    for other in text.tokens[at + 1 :]:
        if other.sentence != token.sentence or _MARKS.search(text.text[token.end : other.start]):
            break
        clause.append(other)
    if any(other.word in _ME for other in clause):
        return False
    return any(_is_verb(clause, number) for number in range(len(clause)))


def _is_verb(words: Sequence[Token], at: int) -> bool:
    """Tell whether a word is a verb of the past or helps one, and isn't told of a noun by "that"."""
    before = words[at - 1].word if at else ""
    verb = past(words[at].word) or words[at].word in _GOING_ON or words[at].word in _FORMS
    return verb and before not in _OPENING_AN_ADJECTIVE and before not in _RELATIVE


def _mine(text: Read, at: int) -> bool:
    return any(token.word in ("my", "our") for token in text.tokens[max(0, at - 2) : at])


def governed(said: Read, at: int) -> Token | None:
    """Return the word of content that a verb governs, None where it only helps, as in "have walked"."""
    verb, determined = said.tokens[at], False
    for token in said.tokens[at + 1 : at + 1 + _REACH]:
        if token.sentence != verb.sentence or _MARKS.search(said.text[verb.end : token.start]):
            return None
        if token.stem:
            verbal = past(token.word) or token.word.endswith("ing")
            return token if determined or not verbal else None
        determined = token.word in _OPENING_AN_ADJECTIVE
    return None


def _may_be(verb: str, governor: Token | None, own: frozenset[str]) -> bool:
    if governor is None or governor.word in _FORMS:
        return True
    root = stem(governor.word)
    return root in own or root in _ALIKE[verb]


def _governor(text: Read, at: int) -> Token | None:
    """Return the nearest verb before a word in its clause, None for none."""
    word = text.tokens[at]
    for place, token in _before(text, at):
        if _MARKS.search(text.text[token.end : word.start]):
            return None
        previous = text.tokens[place - 1].word if place else ""
        opens = not place or text.tokens[place - 1].sentence != token.sentence
        if opens:
            previous = ""
        if token.word in _FORMS or (previous in _SUBJECTS and token.stem):
            return token
        if past(token.word) and previous not in _OPENING_AN_ADJECTIVE:
            return token
        if token.word.endswith("ing") and token.stem and (opens or previous in _GOING_ON):
            return token
    return None


def _before(text: Read, at: int) -> Iterator[tuple[int, Token]]:
    """Yield the words before one in its sentence, the nearest first."""
    for place in range(at - 1, -1, -1):
        if text.tokens[place].sentence != text.tokens[at].sentence:
            return
        yield place, text.tokens[place]
