"""What a person writes of their own body and mind: which troubles, since when, the latest word on each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from clone_app.memory.lines import Line, Section, Support
from clone_app.persona.traits.remarks import Remark

HEALTH: Final = 7
FEWEST: Final = 3

_AILMENT = re.compile(
    r"\b(?P<what>headaches?|migraines?|insomnia|asthma|allerg(?:y|ies|ic)|hay fever|diabet(?:es|"
    r"ic)|depress(?:ion|ed)|"
    r"anxiety|panic attacks?|eczema|arthritis|back pain|palpitations?|ectopic beats?|(?:the|"
    r"my) heart(?='s been| has been| did| does| was (?:bad|worse|worst|quiet)| skipp| rac| "
    r"pound| hasn't| isn't)|heart (?:rate|beat|attack|condition|disease|trouble|failure)|"
    r"heartbeats?|"
    r"blood pressure|cholesterol|flu|fever|cough|cancer|surgery|medication|antidepressants?|"
    r"sleeping pills?|therap(?:y|ist)|cardiolog(?:y|ist)|dizz(?:y|iness)|burnout|tremors?|"
    r"shaking hands|parkinson's|"
    r"eyesight|(?:trouble|pain|sore|hurt|ill|weary|weak)[^.]{0,20} my eyes|"
    r"my eyes[^.]{0,25} (?=sore|ill\b|pain|hurt|bad|weak|worse|"
    r"ache|blind)|the stone|gout|toothache|stomach ?ache|ulcer|thyroid|an(?:a)?emia|pregnan(?:t|"
    r"cy)|menopause|"
    r"adhd|autis(?:m|tic)|ptsd|epilepsy|can't sleep|couldn't sleep|insomniac|sore throat|knee|"
    r"bad back|blood sugar)\b",
    re.IGNORECASE,
)
_ZH_AILMENT = re.compile(
    "失眠|头痛|头疼|焦虑|抑郁|高血压|血压|糖尿病|过敏|哮喘|胃痛|胃病|腰痛|颈椎|心悸|感冒|发烧|手术|吃药|心理咨询"
)
_CONDITIONS: Final = """
allergy: allergic, allergies
diabetes: diabetic
depression: depressed
headache: headaches
migraine: migraines
therapy: therapist
heart: the heart, my heart, heart rate, heart beat, heartbeat, heartbeats, heart attack
heart: heart condition, heart disease, heart trouble, heart failure, cardiologist, cardiology
heart: ectopic beats, ectopic beat, palpitations, palpitation
dizziness: dizzy
tremor: tremors, shaking hands
sleep: couldn't sleep, can't sleep, insomnia, insomniac, sleeping pills, sleeping pill
eyes: my eyes, eyesight
pregnancy: pregnant
panic attack: panic attacks
autism: autistic
"""
_CONDITION: Final = {
    word.strip(): name
    for name, _, words in (line.partition(":") for line in _CONDITIONS.strip().splitlines())
    for word in words.split(",")
}
# The heart that beats, in whatever words, and not that of a city or of a promise.
_LOOSELY: Final = re.compile(
    r"\bhearts?\b(?![-])|\b(?:"
    + "|".join(sorted(map(re.escape, _CONDITION), key=len, reverse=True))
    + r")\b|心脏|心跳|心率",
    re.IGNORECASE,
)
_ZH_HEART: Final = ("心脏", "心跳", "心率", "心悸")
_IDIOMATIC: Final = re.compile("heart|knee|心脏", re.IGNORECASE)
_IDIOM: Final = re.compile(
    r"\b(?:by|to|at|by your|by my|take|took|lose|lost|learned? by) heart\b|\bhearts? (?:of|to heart|out)\b|"
    r"\b(?:with )?all (?:my|your|his|her|our|their) hearts?\b|\b(?:broke|breaks?|broken) \w+ hearts?\b|"
    r"\bhearts? (?:broke|breaks?|is|was|isn't|wasn't) (?:not )?in\b|\bhearts?['’]s content\b|"
    r"\bcross (?:my|your) heart\b|\b(?:change|matter|affairs?) of (?:the )?heart\b|"
    r"\bknee-(?:deep|high)\b|心脏地带",
    re.IGNORECASE,
)


def conditions(text: str) -> frozenset[str]:
    """Return which troubles of body and mind a text names, whoever's, each by one name."""
    text = text.replace("’", "'")
    if _IDIOMATIC.search(text):
        text = _IDIOM.sub(" ", text)
    found = [match["what"].lower() for match in _AILMENT.finditer(text)]
    found += [match[0].lower() for match in _LOOSELY.finditer(text)]
    found += _ZH_AILMENT.findall(text)
    return frozenset(_condition(what) for what in found)


def _condition(what: str) -> str:
    if "eyes" in what:
        return "eyes"
    if "heart" in what or what in _ZH_HEART:
        return "heart"
    return _CONDITION.get(what, what)


def health(told: Sequence[Remark]) -> Iterator[Line]:
    """Yield what the user writes of their own body and mind in three items or more, with the latest."""
    found: dict[str, list[Remark]] = defaultdict(list)
    for remark in told:
        text = remark.text
        matches = [
            match["what"].lower() for match in _AILMENT.finditer(text) if _is_mine(text, match)
        ]
        if "我" in text:
            matches += _ZH_AILMENT.findall(text)
        if not matches or _NOT_MINE_NEAR.search(text):
            continue
        for what in matches:
            named = "eyes" if "my eyes" in what else what
            found[_CONDITION.get(named, named)].append(remark)
    ranked = sorted(found.items(), key=lambda each: (-len({r.key for r in each[1]}), each[0]))
    for what, said in ranked[:HEALTH]:
        if len({remark.key for remark in said}) < FEWEST:
            continue
        fit = [each for each in said if 20 <= len(each.text) <= 130 and not each.text.endswith("?")]
        own = [each for each in fit if _OWN.search(each.text)] or fit
        last = max(own, key=lambda each: each.day or date.min) if own else None
        supports = {
            each.key: Support(each.key, each.day, last is not None and each.key == last.key)
            for each in said
        }
        yield Line(
            section=Section.HEALTH,
            topic=f"health:{what}",
            text=f"{what[0].upper()}{what[1:]}: “{last.text}”"
            if last
            else f"{what[0].upper()}{what[1:]}",
            supports=tuple(supports.values()),
            needed=FEWEST,
            private=True,
        )


# What makes an ailment the user's: "my", "I have", close before it.
_KIN = r"mother|father|mom|mum|dad|wife|husband|son|daughter|sister|brother|parents|friend|\w+'s"
_MINE_BEFORE = re.compile(
    rf"\b[Mm]y(?: (?!(?:{_KIN})\b)[\w-]+){{0,2}} $|\bI(?:'m| am| was| feel| felt| get| got| have|"
    rf" had|'ve had|"
    r"'ve got|'ve been| suffer| suffered| take| took| took| need| started| started on| see|"
    r" went to)"
    rf"(?: (?!(?:{_KIN}|her|his|their|your)\b)[\w'-]+){{0,4}} $"
)
_MINE_ITSELF = re.compile(
    r"(?:[Tt]he|[Mm]y) heart|.*[Mm]y eyes|(?:can't|couldn't) sleep", re.IGNORECASE
)


def _is_mine(text: str, match: re.Match[str]) -> bool:
    """Tell whether an ailment in a sentence is the user's own."""
    return bool(_MINE_BEFORE.search(text[: match.start()]) or _MINE_ITSELF.match(match["what"]))


# The user's own trouble rather than a word about it.
_OWN = re.compile(
    r"\b(?:[Mm]y (?:\w+ )?(?:headache|migraine|insomnia|asthma|allerg|anxiety|blood|heart|knee|"
    r"back|eyes|sleep|"
    r"medication|therap|fever|cough|stone|depress)|I (?:have|had|get|got|suffer|take|took|"
    r"can't sleep|"
    r"couldn't sleep)|I've (?:had|got|been)|[Tt]he heart)|我"
)
_BODY = (
    "headaches?|migraines?|asthma|heart|blood|eyes|knee|back|fever|cough|health|hip|surgery|"
    "allergies|anxiety|"
    "depression|medication|cancer|diabetes|eyesight|stone"
)
_NOT_MINE_NEAR = re.compile(
    rf"\b(?:his|her|their|your|mother's|father's|mom's|mum's|dad's|wife's|husband's|parents'|"
    rf"son's|daughter's|"
    rf"(?-i:[A-Z]\w+'s)) (?:\w+ )?(?:{_BODY})\b|\b(?:by heart|to heart|heart of|at heart|"
    rf"heart to heart|with all my "
    r"heart|(?:mother|father|mom|mum|dad|wife|husband|she|he) (?:has|had|was|is|have|took|"
    r"takes)\b)",
    re.IGNORECASE,
)
