"""The sayings in which a job, a home, a love, a thing, a life, a membership or a habit ends.

A table: each row says who tells it of whom, where what is asked about must stand, how surely it tells,
and in what words. English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import Final, TypeAlias

from clone_app.persona.question.premises import Relation


class Surety(IntEnum):
    """Say what may be said of an ending: only both entries, that it changed, or "no longer"."""

    SHOWN = auto()
    CHANGED = auto()
    DENIED = auto()


class Reach(Enum):
    """Say where what is asked about must stand."""

    OBJECT = auto()
    """Right behind the verb, or a pronoun there for what stands just before."""
    SUBJECT = auto()
    """Right before the verb."""
    HERE = auto()
    """In the ending's sentence."""
    BESIDE = auto()
    """In the ending's sentence, or the one before or after."""
    ENTRY = auto()
    """Anywhere in the entry, where the ending's sentence names nothing else."""
    AWAY = auto()
    """Not there: what the user went to is something else."""


class By(Enum):
    """Say how a saying tells of whom it is."""

    ME = auto()
    """Who does it stands before the verb, or a diary left the "I" out."""
    SAID = auto()
    """As ME, and the "I" or "we" is written: "retired" alone may be of anybody."""
    TOLD = auto()
    """The saying itself says whose it is: "my last day"."""


@dataclass(frozen=True, slots=True)
class Saying:
    """Hold one row of the table, its words as a pattern."""

    form: re.Pattern[str]
    by: By
    reach: Reach
    surety: Surety


_ME, _SAID, _TOLD = By
_OBJECT, _SUBJECT, _HERE, _BESIDE, _ENTRY, _AWAY = Reach
_SHOWN, _CHANGED, _DENIED = Surety
_SEASON: Final = (
    "spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|\d{4}"
)
_SPAN: Final = r"for \w+ (?:\w+ )?(?:hour|day|night|week|fortnight|month|weekend|holiday|trip)s?"
# "I left Leeds" may be of an evening: only with one of these has it been left.
_FOR_GOOD: Final = (
    rf"(?![^.;!?]*\b{_SPAN}\b)(?=[^.;!?]{{0,40}}?\b(?:for good|after \w+ (?:\w+ )?years|"
    rf"(?:in|since) (?:the )?(?:{_SEASON})|last (?:year|month|spring|summer|autumn|winter)|"
    r"(?:years?|months?) ago)\b)"
)
_HAVE: Final = r"(?:(?<=have )|(?<=['’]ve ))"
_APART: Final = (
    rf"(?=\s*(?:[.,;:!?)]|$|(?:last|after|for good|in (?:the )?(?:{_SEASON})|"
    r"(?:a|two|three|some) \w+ ago)\b))"
)
_LATELY: Final = (
    "yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|this|last night|last week|breakfast|lunch|"
    "supper|dinner|noon"
)
_NOT_OFF: Final = r"(?! (?:here|there|on|as)\b)(?![^.;!?]*\b(?:before|this|until|till|off)\b)"
_MY_KEYS: Final = r"(?:(?:the|my|our|both|all|two|sets?|of) ){0,5}keys"
_GIVEN: Final = "(?:handed|gave|given|turned|returned)"
_TIP: Final = r"(?:away|out|to (?:the )?(?:tip|dump|skip|charity|scrapyard))"
_PAPERS: Final = "(?:membership|subscription|account|season ticket)"
_HOUR: Final = "(?:class|lesson|rehearsal)"
_OVER: Final = "(?:lapsed|cancelled|canceled|closed|expired)"
_AGES: Final = r"(?:[\w'-]+ ){0,4}?(?:years?|months|ages)"
# Once, and not for good: "stopped running when the rain came".
_THEN: Final = r"(?![^.;!?]*\b(?:when|while|and|at|for|to|as|halfway|before|until|till|so)\b)"
# A row says who tells it of whom, where what is asked about stands, how sure it is, and in what words.
_Row: TypeAlias = tuple[By, Reach, Surety, str]
_ROWS: Final[Mapping[Relation, tuple[_Row, ...]]] = {
    Relation.JOB: (
        (_TOLD, _ENTRY, _DENIED, rf"\bmy (?:very )?last (?:day|shift)\b(?! of\b(?! work)){_NOT_OFF}"),
        (_TOLD, _BESIDE, _DENIED, rf"^\W*last (?:day|shift) (?:at|with)\b{_NOT_OFF}"),
        (_ME, _ENTRY, _DENIED, r"\b(?:was|were|been|got) (?:made redundant|laid off|let go|sacked)\b"),
        (_ME, _ENTRY, _DENIED, r"^(?:made redundant|laid off|sacked)\b"),
        (_SAID, _BESIDE, _DENIED, rf"\bretired(?: from\b|{_APART})"),
        (_ME, _BESIDE, _DENIED, r"\b(?:left|quit|lost) (?:my|the|that) (?:old )?(?:job|post|position)\b"),
        (_ME, _OBJECT, _DENIED, rf"\bleft\b{_FOR_GOOD}|\b(?:quit|walked out (?:of|on))\b"),
        (_ME, _OBJECT, _CHANGED, rf"{_HAVE}left\b"),
        (_ME, _ENTRY, _CHANGED, r"\b(?:handed|put|gave|given) in (?:my|our) notice\b|\bgave my notice\b"),
        (_ME, _ENTRY, _CHANGED, r"\bresigned\b(?! to\b)"),
        (_ME, _BESIDE, _CHANGED, r"\bstarted (?:work )?(?:at|with|in) (?:the|my|a) new\b"),
        (_ME, _BESIDE, _CHANGED, r"\bstarted (?:my|a|the) new job\b"),
        (_TOLD, _BESIDE, _CHANGED, r"\bfirst day (?:at|with|in|of) (?:the|my) new (?:job|place|firm)\b"),
    ),
    Relation.HOME: (
        (_ME, _BESIDE, _DENIED, r"\bmoved out\b(?! of the way)"),
        (_ME, _OBJECT, _DENIED, r"\bmoved (?:(?:away|here|up|down|over|back) )?from\b"),
        (_ME, _OBJECT, _DENIED, rf"\bleft\b{_FOR_GOOD}"),
        (_ME, _BESIDE, _DENIED, rf"\b{_GIVEN} {_MY_KEYS} (?:back|in)\b"),
        (_ME, _BESIDE, _DENIED, rf"\b{_GIVEN} (?:back|in) {_MY_KEYS}\b"),
        (_TOLD, _BESIDE, _DENIED, rf"\bkeys (?:\w+ ){{0,2}}?{_GIVEN} (?:back|in)\b"),
        (_TOLD, _BESIDE, _DENIED, r"\b(?:I|we) (?:don['’]t|do not) live there\b"),
        (_SAID, _AWAY, _SHOWN, r"\bmoved (?:\w+ )?(?:in)?to\b"),
        (_TOLD, _AWAY, _SHOWN, r"^\W*(?:moved|moving day)(?=\s*(?:[.!]|$))"),
    ),
    Relation.LOVE: (
        (_SAID, _BESIDE, _DENIED, rf"\b(?:(?:split|broke|broken) up|split|divorced){_APART}"),
        (_SAID, _BESIDE, _CHANGED, rf"(?<!got )\bseparated{_APART}"),
        (_ME, _OBJECT, _DENIED, r"\b(?:(?:split|broken|broke) up with|divorced(?: from)?)\b"),
        (_ME, _OBJECT, _DENIED, rf"\bleft\b{_FOR_GOOD}"),
        (_TOLD, _SUBJECT, _DENIED, r"\b(?:left|dumped) me(?=\s*(?:[.,;!]|$|(?:for|in|last|because)\b))"),
        (_TOLD, _BESIDE, _DENIED, r"\b(?:I['’]m|I am) single\b|^\W*single (?:again|since)\b"),
    ),
    Relation.THING: (
        (_ME, _OBJECT, _DENIED, r"\b(?:sold|scrapped|binned|pawned|donated|rehomed|got rid of)\b"),
        (_ME, _OBJECT, _DENIED, r"\b(?:(?:threw|thrown|gave|given) away|(?:threw|thrown|chucked) out)\b"),
        (_ME, _OBJECT, _DENIED, rf"\b(?:gave|given|threw|thrown|took)\b(?=(?: [\w'’-]+){{1,4}} {_TIP}\b)"),
        (_TOLD, _SUBJECT, _DENIED, r"\b(?:(?:was|were|been) )?(?:handed|given|sent) back\b"),
        (_TOLD, _SUBJECT, _DENIED, r"\b(?:was|were|got|been) (?:stolen|scrapped|sold|given away)\b"),
        (_ME, _OBJECT, _CHANGED, r"\b(?:lost|broke|broken|smashed|wrecked)\b"),
    ),
    Relation.LIFE: (
        (_TOLD, _SUBJECT, _DENIED, r"\b(?:died(?! (?:laughing|of \w+ing))|passed away|was put down)\b"),
        (_TOLD, _SUBJECT, _DENIED, r"\b(?:is|was|lies) dead\b(?! (?:tired|asleep|drunk|set|right))"),
        (_ME, _BESIDE, _DENIED, r"\bhad(?: [\w'’-]+){1,3} put (?:down|to sleep)\b"),
    ),
    Relation.MEMBER: (
        (_ME, _OBJECT, _DENIED, rf"\bleft\b{_FOR_GOOD}|\b(?:quit|dropped out of|resigned from)\b"),
        (_ME, _OBJECT, _CHANGED, rf"{_HAVE}left\b|\b(?:cancelled|canceled|unsubscribed from)\b"),
        (_ME, _BESIDE, _DENIED, rf"\b(?:cancelled|canceled|closed|gave up) my (?:\w+ )?{_PAPERS}\b"),
        (_TOLD, _BESIDE, _DENIED, rf"\bmy (?:\w+ )?{_PAPERS} (?:was |has |is )?{_OVER}\b"),
        (_SAID, _BESIDE, _DENIED, r"\bgraduated\b|\bfinished (?:my|the) (?:degree|course|studies)\b"),
        (_TOLD, _BESIDE, _CHANGED, rf"(?:\bwas my |^\W*)last {_HOUR}(?=\s*[.,;!]| (?:of|with|at)\b)"),
    ),
    Relation.HABIT: (
        (_ME, _OBJECT, _DENIED, r"\b(?:quit|(?:gave|given) up|swor[en]+ off)\b"),
        (_ME, _OBJECT, _DENIED, rf"(?:{_HAVE}stopped|\bstopped(?= \w+ing\b){_FOR_GOOD}) (?=\w+ing\b)"),
        (_ME, _OBJECT, _CHANGED, rf"\bstopped (?=\w+ing\b){_THEN}"),
        (_ME, _BESIDE, _CHANGED, r"\b(?:gave|given) (?:it|them|that) (?:all )?up\b"),
        (_ME, _OBJECT, _CHANGED, r"\b\w+ without (?:(?:a|the|my|her|his) )?(?=[\w'-]+ now\b)"),
        (_TOLD, _HERE, _SHOWN, rf"\bhave(?:n['’]t| not)\b(?=[^.;!?]{{2,60}}\bsince (?!(?:{_LATELY})\b))"),
        (_TOLD, _HERE, _SHOWN, rf"\bit(?:['’]s| is| has|['’]s been| has been) {_AGES} since I\b"),
    ),
}  # fmt: skip
SAYINGS: Final[Mapping[Relation, tuple[Saying, ...]]] = {
    relation: tuple(
        Saying(re.compile(words, re.IGNORECASE), by, reach, surety)
        for by, reach, surety, words in rows
    )
    for relation, rows in _ROWS.items()
}
