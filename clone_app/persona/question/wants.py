"""Read what a question asks for: its kind of answer, its sub-questions, its premises.

Pure functions over English questions, Chinese ones by wants_chinese.py; of other languages only what
words and marks tell, which is that nothing special is wanted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from clone_app.memory.chinese import is_chinese, mainly
from clone_app.memory.words import asked_words, plain, sentences, stem, tokens
from clone_app.persona import facts
from clone_app.persona.question import wants_chinese
from clone_app.persona.question.kinds import Kind as Kind

_PAID: Final = (
    r"(?:cost|costs|pay|pays|paid|owe|owes|earn|earns|charge|spend|spent|fetch|quote|salary|price|"
    r"rent|wages?|fee|worth|sell for|sold for|lend|lent|invest|invested|deposit)"
)
_MONEY = re.compile(
    rf"\bhow much\b.*\b{_PAID}\b|"
    rf"\bwhat (?:did|does|do|was|were|is|are|would|will|has|have|had)\b.*\b{_PAID}\b|"
    r"\b(?:what|which)(?:'s| is| was| were)? (?:the |your |his |her |its )?(?:exact |total |monthly )?"
    r"(?:price|cost|rent|salary|fee)\b",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"[£$€¥]|\b(?:pounds?|shillings?|pence|penn(?:y|ies)|crowns?|guineas?|dollars?|euros?|cents?|quid|"
    r"bucks|grand|yuan|rmb|francs?)\b|\d\s?(?:[lsdpk]|eur|usd|gbp)\b|"
    r"\b(?:paid|pays?|costs?|charged?|charges|asked|fetched|quoted|earns?|earned|worth|"
    r"(?:sold|bought)(?: \w+){0,3} for|(?:rent|price|cost|fee) (?:of|is|was))(?: \w+){0,2} \d|"
    r"\d+ a (?:day|week|month|year|head|piece)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\bhow (?:much|many|old|long|heavy|tall|far|big|large|often|late|early|fast|deep|wide)\b|"
    r"\bwhat (?:did|does|do|was|were|is|are|would|will|has|have|had)\b.*\b(?:cost|pay|paid|weigh|owe|"
    r"earn|charge|spend|spent|fetch|quote|salary|price|rent|wages?|fee)\b|"
    r"\b(?:what|which)(?:'s| is| was| were)? (?:the |your |his |her |its )?(?:exact |total |monthly )?"
    r"(?:price|cost|rent|salary|amount|number|sum|weight|height|age|score|figure|reading|fee)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\bwhen (?:did|was|were|is|are|do|does|will|had|have|has|would)\b|\bsince when\b|"
    r"\b(?:what|which) (?:day|date|month|year|time|week)\b",
    re.IGNORECASE,
)
# Asking, these open a part of a question or follow one of few words: "the man who", "the day when".
_ASKING: Final = (
    r"(?:^|(?<=[?？(]\s)|\b(?:and|but|so|or|know|remember|recall|exactly|wonder|to|with|"
    r"from|by|for|of|about|at|on|in|tell|me|say|said|ask|guess|is|was)\s+)"
)
_PERSON = re.compile(
    _ASKING + r"who(?:m|se)?\b(?!\s+(?:is|was|are)\s+[A-Z])|"
    r"\bwhat(?:'s| is| was| were|'re| are)\b.*\b(?:called|named?)\b|"
    r"\bwhat (?:did|do|does)\b.*\b(?:call|name)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    _ASKING + r"where\b|\b(?:what|which) (?:city|town|country|street|place|village)\b",
    re.IGNORECASE,
)
_COLOUR = re.compile(r"\b(?:what|which) colou?r\b", re.IGNORECASE)
_COLOURS = re.compile(
    r"\b(?:red|blue|green|yellow|white|black|brown|grey|gray|pink|purple|orange|silver|gold(?:en)?|"
    r"violet|scarlet|crimson|turquoise|cream|beige|navy|indigo|blond|ginger)\b",
    re.IGNORECASE,
)
_MY_KIN = re.compile(
    r"\b(?:my|our) (\w*(?:mother|father|mum|mom|dad|sister|brother|wife|husband|son|daughter|uncle|"
    r"aunt|cousin|niece|nephew|friend|boss|neighbou?r|teacher|colleague))\b",
    re.IGNORECASE,
)
# Somebody may be told by what they are: "she danced with the mayor".
_ROLE = re.compile(
    r"\b(?:the|a|an|my|our|his|her|their) (?:[\w-]+ )?(?:mayor|doctor|nurse|surgeon|dentist|vet|teacher|"
    r"headmaster|professor|tutor|priest|vicar|rabbi|imam|nun|monk|judge|lawyer|solicitor|policeman|"
    r"policewoman|officer|soldier|captain|king|queen|prince|princess|president|minister|landlord|"
    r"landlady|lodger|tenant|neighbou?r|boss|manager|director|owner|clerk|secretary|colleague|apprentice|"
    r"baker|butcher|barber|carpenter|plumber|electrician|farmer|fisherman|gardener|cook|chef|waiter|"
    r"waitress|driver|conductor|pilot|postman|librarian|shopkeeper|singer|actor|actress|painter|"
    r"writer|musician|pianist|coach|trainer|widow|bride|groom|maid|servant)s?\b",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\bwhich\b|\bwhat (?:brand|make|model|breed|team|title)\b", re.IGNORECASE)
_LIKED = re.compile(
    r"\bfavou?rite\b|\b(?:like|love|enjoy)s? (?:the )?(?:best|most)\b", re.IGNORECASE
)
_LIKING = re.compile(
    r"\b(?:favou?rites?|best|loves?|loved|adored?|likes?|liked|prefer\w*|enjoy\w*|fond|beloved|"
    r"lovely|dearest|beautiful|wonderful|perfect|delicious)\b",
    re.IGNORECASE,
)
_REASON = re.compile(r"\bwhy\b|\bhow come\b|\bwhat (?:made|caused|was the reason)\b", re.IGNORECASE)
_YES_NO = re.compile(
    r"(?:and |but |so |well |or )*(?:do|did|does|have|has|had|are|were|was|is|can|could|will|would|"
    r"should|may|might|don't|didn't|aren't|isn't|wasn't|haven't|won't|am)\s+"
    r"(?:you|your|he|she|it|they|we|there|the|a|an|my|his|her|their|our|this|that|anyone|anybody|"
    r"[A-Z]\w+)\b",
    re.IGNORECASE,
)
# "Do you know exactly how much …" wants the amount.
_KNOW = re.compile(
    r"^(?:and |but |so )?(?:do|can|could|would|will) you (?:(?:happen to|still|even) )?"
    r"(?:know|remember|recall|tell me|say)\b(?: exactly| precisely)?\s+(?=who|wh[aeiy]|how|which)",
    re.IGNORECASE,
)
# "…, do you know?" asks nothing of its own.
_TAG = re.compile(
    r"(?:do|did|can|could|would) you (?:happen to )?(?:know|remember|recall|say|tell(?: me)?)\W*|"
    r"(?:is|was|does|did|has|have|isn't|wasn't|didn't) (?:it|that|he|she|they|you)\W*",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:if you(?:'d| had|’d)?|if \w+ had|suppose|supposing|what if|looking back)\b",
    re.IGNORECASE,
)
_OPENERS: Final = (
    r"(?:who|whom|whose|what|which|when|where|why|how|do|did|does|have|has|are|were|was|is|can|"
    r"could|will|would)"
)
_JOINT = re.compile(
    rf"(?<=[?？])\s+|[,;]?\s+(?:and|but|or)\s+(?={_OPENERS}\s)|[,;]\s+(?={_OPENERS}\s)",
    re.IGNORECASE,
)
# "Old Chen, …" calls the person who is asked.
_CALLED = re.compile(
    r"^\W*(?:(?:hey|hi|hello|dear|well|so|oh)[ ,]+)?((?:[A-Z][\w’'-]*(?![\w’'-])\s?){1,3}),\s+"
)
_SPOT = re.compile(
    r"\b(?:in|at|on|near|behind|under|from|to|by|beside|inside|outside|over|above|below|into|"
    r"through|opposite|of)\s+(?:the|a|an|my|his|her|our|their|its|[A-Z])",
)
_BECAUSE = re.compile(
    r"\b(?:because|since|so that|therefore|hence|reason|in order|as i|for (?:it|he|she|they|i|the)|"
    r"that's why|which is why|so (?:i|we|he|she|they)|after|due to|thanks to|too)\b",
    re.IGNORECASE,
)


COUNTED: Final = re.compile(r"\bhow many (\w+)", re.IGNORECASE)
# "Nineteen long lessons": so many words before what is counted the number stands.
_BEFORE: Final = 2
_CALLED_NOBODY: Final = """
in on at after before since when while if as during back last this that for over looking given with
from now then today yesterday recently lately
"""
_NOT_CALLED: Final = frozenset(_CALLED_NOBODY.split())


@dataclass(frozen=True, slots=True)
class Want:
    """Hold one sub-question: its words, what would answer it, the stems it is about."""

    text: str
    kind: Kind
    stems: frozenset[str]


@lru_cache(maxsize=256)
def wants(question: str) -> tuple[Want, ...]:
    """Return the sub-questions of a question in order; one that asks nothing is left out.

    Of several sentences those count that end as questions: the others tell what it is about.
    """
    bare = uncalled(question)
    told = [bare[start:end] for start, end in sentences(bare)]
    asking = [each for each in told if each.rstrip("\"'”’ ").endswith(("?", "？"))] or [bare]
    found: list[Want] = []
    split = wants_chinese.questions if mainly(bare) else _JOINT.split
    for piece in (piece for each in asking for piece in split(each)):
        text = " ".join(piece.split()).strip(" ,;")
        held = frozenset(map(stem, asked_words(text)))
        if found and _TAG.fullmatch(text):
            continue
        if held or kind_of(text) is not Kind.OPEN:
            found.append(Want(text, kind_of(text), held))
    return tuple(found) or (Want(bare, kind_of(" ".join(asking)), frozenset()),)


def tells_story(question: str) -> bool:
    """Tell whether a question tells before it asks, or asks what might have been.

    Its words are then a friend's, and what bears it is near in meaning rather than in words.
    """
    bare = uncalled(question)
    told = [bare[start:end].rstrip("\"'”’ ") for start, end in sentences(bare)]
    telling = [each for each in told if not each.endswith(("?", "？"))]
    return (bool(telling) and len(told) > 1) or bool(
        _SUPPOSED.search(bare) or wants_chinese.tells(bare)
    )


def kind_of(question: str) -> Kind:
    """Return what would answer a question of one part."""
    if mainly(question):
        return wants_chinese.kind_of(question)
    text = _KNOW.sub("", question.strip(), count=1)
    if _YES_NO.match(text):
        return Kind.YES_NO
    for kind, pattern in (
        (Kind.LIKED, _LIKED),
        (Kind.COLOUR, _COLOUR),
        (Kind.MONEY, _MONEY),
        (Kind.AMOUNT, _AMOUNT),
        (Kind.DATE, _DATE),
        (Kind.REASON, _REASON),
        (Kind.PERSON, _PERSON),
        (Kind.PLACE, _PLACE),
        (Kind.WHICH, _WHICH),
    ):
        if pattern.search(text):
            return kind
    return Kind.OPEN


def holds(
    kind: Kind, text: str, *, asked: frozenset[str] = frozenset(), question: str = ""
) -> bool:
    """Tell whether a text holds what a kind of question asks for.

    `asked` are the question's own stems: the name it names doesn't answer who. A date is always
    there: whatever is quoted stands under its day. A Chinese `question` says what an amount is of.
    """
    if is_chinese(text):
        if not wants_chinese.measured(question, text):
            return False
        if wants_chinese.holds(kind, text, asked=asked):
            return True
    match kind:
        case Kind.AMOUNT:
            return bool(facts.numbers(text) - asked)
        case Kind.MONEY:
            return bool(facts.numbers(text) - asked) and bool(_SUM.search(text))
        case Kind.PERSON:
            kin = (stem(match[1]) for match in _MY_KIN.finditer(text))
            people = (*map(stem, facts.names(text)), *kin)
            roles = (stem(match[0].split()[-1]) for match in _ROLE.finditer(text))
            return any(each not in asked for each in (*people, *roles))
        case Kind.COLOUR:
            return bool(_COLOURS.search(text))
        case Kind.PLACE:
            return bool(_SPOT.search(text))
        case Kind.LIKED:
            return bool(_LIKING.search(text))
        case Kind.REASON:
            return bool(_BECAUSE.search(text))
        case _:
            return True


def counts(question: str, text: str) -> bool:
    """Tell whether a text says how many there are of what a question counts: "nineteen lessons"."""
    counted = COUNTED.search(question)
    if counted is None:
        return False
    root = stem(counted[1])
    words = [match[0] for match in tokens(text)]
    return any(
        stem(word) == root and facts.numbers(" ".join(words[max(0, at - _BEFORE) : at]))
        for at, word in enumerate(words)
    )


def uncalled(question: str) -> str:
    """Return a question without the name it calls at its beginning."""
    called = _CALLED.match(question)
    if called and not _YES_NO.match(question) and plain(called[1].split()[0]) not in _NOT_CALLED:
        return question[called.end() :]
    return wants_chinese.uncalled(question) if mainly(question) else question


def words_in_order(text: str) -> list[str]:
    """Return the plain words of a text in order."""
    return [plain(match[0]) for match in tokens(text)]


_ASIDE: Final = re.compile(
    r"^(?:and |but |so |well |or )*(?:how (?:much|many|long|often|old)\b|what (?:kind|sort) of\b|"
    rf"{_OPENERS}\b)?\s*"
    r"(?:do|did|does|have|has|had|are|were|was|is|can|could|will|would|should|'s)?\b\s*",
    re.IGNORECASE,
)
_TURNED: Final = (
    (re.compile(r"\byourself\b", re.IGNORECASE), "myself"),
    (re.compile(r"\byours\b", re.IGNORECASE), "mine"),
    (re.compile(r"\byour\b", re.IGNORECASE), "my"),
    (re.compile(r"\byou\b", re.IGNORECASE), "I"),
)


def stated(question: str) -> str:
    """Return a question as what its answer would state: "Did your wife ride?" → "my wife ride".

    Only who does what matters in it: neither its grammar nor its denial.
    """
    bare = _ASIDE.sub("", uncalled(question).strip(), count=1).rstrip(" ?？!.")
    for pattern, instead in _TURNED:
        bare = pattern.sub(instead, bare)
    return bare
