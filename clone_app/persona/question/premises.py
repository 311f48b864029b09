"""Read what a question takes for granted still to be so: whose it is, of what relation, about what.

"Do you still work at Corrabell?" is of a job and about Corrabell; "Have you given up coffee?" takes for
granted that one drank it. English questions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from clone_app.entries import Term
from clone_app.memory.kin import KINS
from clone_app.memory.words import content_words, plain, stem, stems, tokens
from clone_app.persona import facts
from clone_app.persona.bearing import meant
from clone_app.persona.slices import Asked


class Relation(Enum):
    """Say what ties somebody to what they are asked about."""

    JOB = auto()
    HOME = auto()
    LOVE = auto()
    THING = auto()
    LIFE = auto()
    MEMBER = auto()
    HABIT = auto()


# What in a question tells the relation, tried in this order; a habit is what remains.
_RELATIONS: Final[Mapping[Relation, re.Pattern[str]]] = {
    Relation.LOVE: re.compile(
        r"\b(?:married|engaged|together with|in love|dating|going out with|in a relationship)\b|"
        r"^(?:are|were) you (?:\w+ )?with (?:your |(?-i:[A-Z]))|^are you (?:\w+ )?together\b",
        re.IGNORECASE,
    ),
    Relation.JOB: re.compile(
        r"\b(?:work(?:ing)? (?:at|for|in|as|there)|teach(?:ing)?|employed|job|boss|"
        r"(?:a|the) \w*(?:teacher|nurse|writer))\b"
    ),
    Relation.HOME: re.compile(
        r"\b(?:liv(?:e|ing)|rent(?:ing)?|lodg(?:e|ing)|stay(?:ing)?) (?!on\b|up\b)"
    ),
    Relation.MEMBER: re.compile(
        r"\b(?:member|belong|subscri\w+|account|class(?:es)?|lessons?|course|choir|band|team|club|gym|"
        r"orchestra|society|union|stud(?:y|ying|ent)|at (?:school|college|university))\b"
    ),
    Relation.LIFE: re.compile(r"\balive\b"),
    Relation.THING: re.compile(
        r"^(?:do|have) you (?:\w+ )?(?:have|got|own|keep)\b|\b(?:own|keep|drive|ride|wear)\b",
        re.IGNORECASE,
    ),
}
# What only says the relation, or that it ended, and so need not stand where the ending is told.
SAID: Final = stems(
    "work working employed job live living rent renting stay staying lodge married engaged dating "
    "teach teaching together relationship own keep got drive ride wear member belong subscribe alive "
    "drink drinking eat eating go going take taking use using attend see seeing "
    "longer anymore stop stopped give given gave up quit leave left sold sell moved retire retired split "
    "cancelled resigned lost nowadays"
)
_ALIVE: Final = frozenset(KINS) | stems(
    "dog cat horse pony rabbit hamster bird parrot budgie hen fish tortoise pet puppy kitten"
)
_OPENING: Final = re.compile(r"^(?:and|but|so|well|then),? ", re.IGNORECASE)
_ME: Final = re.compile(r"^(?:do|are|have|did)(?:n['’]t)? you\b", re.IGNORECASE)
_THEM: Final = re.compile(
    r"^(?:do|does|is|are|has|have)(?:n['’]t)? (?P<who>[\w.'’ -]{2,40}?) (?:still|no longer)\b",
    re.IGNORECASE,
)
# The word behind whom a question is of, which is what they do.
_DOING: Final = re.compile(
    r"(?:\byou|\bstill|\bno longer)(?: (?:still|no longer|ever|always|now))* (\w+)", re.IGNORECASE
)
_STILL: Final = re.compile(
    r"\b(?:still|any ?more|any longer|no longer|nowadays|these days|currently)\b", re.IGNORECASE
)
_ENDED: Final = re.compile(
    r"^(?:have|did) you (?:ever |now |finally |already )?(?:stop(?:ped)?|giv(?:e|en) up|quit|left|leave|"
    r"sold|sell|moved? out|retired?|split|cancel(?:led)?|resign(?:ed)?|g[eo]t rid|br(?:eak|oken) up)\b",
    re.IGNORECASE,
)
# How entries tell of such an ending: what recall looks for beside the question.
_PROBES: Final[Mapping[Relation, tuple[str, ...]]] = {
    Relation.JOB: ("I left {}, I resigned, it was my last day there",),
    Relation.HOME: (
        "I moved out of {}, handed back the keys, we moved",
        "We have moved house",
    ),
    Relation.LOVE: ("{} and I split up, I am single",),
    Relation.THING: ("I sold {}, gave it away, got rid of it",),
    Relation.LIFE: ("{} died",),
    Relation.MEMBER: ("I left {}, cancelled it, the last one",),
    Relation.HABIT: ("I stopped, I gave up {}",),
}


@dataclass(frozen=True, slots=True)
class Premise:
    """Hold what a question takes for granted: of whom (no stems: the user), how, and about what.

    `about` are the terms without those that only say the relation, each with its stems; `head` those of
    the last of them, which in English is the thing itself: the sofa of "the green sofa". `names` must
    all stand where an ending is told, each as the stems that may stand for it. `verbs` is what is done.
    """

    relations: frozenset[Relation]
    who: frozenset[str]
    about: Asked
    head: frozenset[str]
    names: tuple[frozenset[str], ...]
    verbs: frozenset[str]
    words: str

    @property
    def living(self) -> bool:
        """Tell whether what is asked about can die: somebody named, an animal; a car doesn't."""
        return bool(self.names or self.head & _ALIVE)

    def borne(self, text: str) -> bool:
        """Tell whether a text bears half of what is asked about and every name in it."""
        held = stems(text)
        return self.about.share(text) >= 0.5 and all(name & held for name in self.names)

    def at_head(self, text: str) -> bool:
        """Tell whether a text names the thing itself that is asked about."""
        return bool(self.head & stems(text))


def premise(question: str, terms: Sequence[Term]) -> Premise | None:
    """Return what a question of "you" or of somebody takes for granted, None for any other question."""
    asked, terms = _OPENING.sub("", question.strip()), meant(question, terms)
    who: frozenset[str] = frozenset()
    if not _ME.match(asked):
        them = _THEM.match(asked)
        who = _somebody(them["who"], terms) if them else frozenset()
        if not who:
            return None
    elif asked.lower().startswith("did") and not _ENDED.match(asked):
        return None
    order = [stem(word) for word in content_words(asked)]
    named = [
        term
        for term in sorted(terms, key=lambda each: _place(order, stem(each.word)))
        if not who & {stem(each) for each in (term.word, *term.spelled)}
    ]
    found = {relation for relation, form in _RELATIONS.items() if form.search(asked)}
    if Relation.LIFE in found and who:  # what may have ended is they themselves
        named, who = [term for term in terms if who & _stems_of(term)], frozenset()
    about = [term for term in named if stem(term.word) not in SAID] or named
    if not about:
        return None
    capital = {stem(name) for name in facts.names(asked)}
    done = _DOING.search(asked)
    if re.match(r"^are you (?:\w+ ){0,2}?(?:at|in)\b", asked, re.IGNORECASE):
        found |= {Relation.JOB, Relation.HOME, Relation.MEMBER}
    if re.match(r"^(?:have|did) you (?:\w+ )?(?:left|leave)\b", asked, re.IGNORECASE):
        found |= {Relation.JOB, Relation.HOME, Relation.MEMBER, Relation.LOVE}
    if re.match(r"^(?:have|did) you (?:\w+ )?(?:sold|sell|g[eo]t rid)\b", asked, re.IGNORECASE):
        found.add(Relation.THING)
    if Relation.THING in found:
        found.add(Relation.LIFE)
    held = [_stems_of(term) for term in about]
    return Premise(
        frozenset({*found, Relation.HABIT}),
        who,
        Asked.of(about),
        held[-1],
        tuple(each for term, each in zip(about, held, strict=True) if stem(term.word) in capital),
        frozenset({stem(done[1])} & {*order}) if done else frozenset(),
        " ".join(term.word for term in about),
    )


def asks_end(question: str) -> bool:
    """Tell whether a question asks if something has ended: "Have you given up coffee?"."""
    return bool(_ENDED.match(_OPENING.sub("", question.strip())))


def lasting(question: str) -> bool:
    """Tell whether a question asks if something still is so, or has ended."""
    asked = _OPENING.sub("", question.strip())
    return bool(
        asks_end(question) or (_STILL.search(asked) and (_ME.match(asked) or _THEM.match(asked)))
    )


def probes(question: str, terms: Sequence[Term]) -> tuple[str, ...]:
    """Return how an entry might tell that it ended, to look for beside the question; () for nothing."""
    found = premise(question, terms) if lasting(question) else None
    if found is None:
        return ()
    told = next(each for each in (*_RELATIONS, Relation.HABIT) if each in found.relations)
    return tuple(each.format(found.words) for each in _PROBES[told])


def _somebody(words: str, terms: Sequence[Term]) -> frozenset[str]:
    """Return the stems that may stand for a person in a question, none for a thing."""
    bare = re.sub(r"^(?:your|the|my) ", "", words.strip(), flags=re.IGNORECASE)
    if alike := KINS.get(stem(bare)):
        return alike
    names = [match[0] for match in tokens(bare)]
    if not names or not all(name[0].isupper() for name in names):
        return frozenset()
    return frozenset({stem(plain(names[-1]))}).union(
        *(_stems_of(term) for term in terms if plain(term.word) == plain(names[-1]))
    )


def _stems_of(term: Term) -> frozenset[str]:
    return frozenset(map(stem, (term.word, *term.spelled)))


def _place(order: Sequence[str], word: str) -> int:
    return order.index(word) if word in order else len(order)
