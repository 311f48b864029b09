"""What a person holds: their opinions in their own words, and where they have changed over time."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from clone_app.memory.lines import Line, Section, Support
from clone_app.memory.words import content_words, negated, stem
from clone_app.persona.listed import listed
from clone_app.persona.traits.remarks import BLANK, Remark, about_of
from clone_app.persona.traits.stances import Stance

HOLDS: Final = 12
LIKES: Final = 14
FEWEST: Final = 3
APART: Final = 30  # days
LEAST: Final = 1.7  # below it, what is said is of an occasion more often than of the person

_HOLD = re.compile(
    r"^(?:(?:but|and|so|yet|still|now|well|honestly|to be honest|in truth|maybe|perhaps|deep down|"
    r"today),? )*"
    r"I (?:(?:still|really|now|do|also|just|always|firmly|honestly|truly|have always|never|"
    r"no longer|"
    r"am beginning to|'ve come to|have come to|finally|don't|do not|never) )*"
    r"(?P<verb>believe|think|reckon|know|realised|realized|realise|realize|learned|learnt|"
    r"understand|"
    r"understood|regret|refuse to|decided|trust|accept|need|want|am convinced|"
    r"am proud|"
    r"am determined|care|value|admire|respect|am ashamed|am done|wouldn't|could never|"
    r"will never|"
    r"would never|can't imagine|cannot imagine|should have|shouldn't have)\b",
    re.IGNORECASE,
)
_HOLD_IM = re.compile(
    r"\b(?:I've (?:decided|learned|learnt|realised|realized|understood|come to|always believed|"
    r"always thought|"
    r"changed my mind|stopped|given up)|I'm (?:not )?(?:convinced|sure|certain|proud|ashamed|"
    r"determined|done with|"
    r"glad I|the (?:kind|sort) of)|I could never|I'll never|I would never|I'd never|"
    r"I must never)\b",
    re.IGNORECASE,
)
_NEEDS = re.compile(
    r"^I (?:\w+ )?(?:need|want|care about|value) (?:a|an|some|more|people|time|to be|things) "
)
_WEAK = re.compile(
    r"\b(?:need|want|know|not sure(?: where| how| if| it)?|not certain|understand|understood|"
    r"decided)$",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"\bI(?:'ve| have)? (?:always )?(?:said|say|think|thought|maintain|told \w+)(?: that)? "
    r"(?P<subject>(?:[\w'-]+ ){1,4}?)(?:is|are|isn't|aren't)(?: not)? ",
)
_SPEAKS = re.compile(r"\bI(?:'m|'ve|'d|'ll)?\b|我")
_NOT_OPINION = re.compile(
    r"\bI (?:don't|do not|didn't) know (?:what|why|how|where|who|if|whether)\b|"
    r"\bI don't remember\b|\bI'm not sure (?:it|where|how|if|what|who)\b|"
    r"\bif you count\b|\d{3,}|\bI'd never \w+ed\b|\bI'm sure (?:it|he|she|they|you|there)\b|"
    r"\bthan anything\b",
    re.IGNORECASE,
)
_STRONG: Final = listed(
    "believe reckon regret refuse decided trust convinced value admire never realised realized "
    "learned "
    "learnt changed"
)
_GENERAL = re.compile(
    r"^(?P<subject>[A-Z][\w'-]*(?: (?:of |in |for |to |a |the |your |my )?[\w'-]+){0,3}?) "
    r"(?:is|are|isn't|aren't|is not|are not|means|needs|need) (?!(?:in|at|on|here|there|gone|back|"
    r"still|up|out|"
    r"down|away|over|leaving|coming|going|being|asleep|said|from)\b)[^?]{8,90}[.!]$"
)
_WEAK_TOPICS: Final = frozenset(
    stem(word)
    for word in listed(
        "need want find get straight admit come go home look eye say tell keep still time"
    )
)
_NOT_GENERAL: Final = listed(
    """
    stay it it's he she they we you this that these those there here what who how why which today yesterday
    tomorrow now everyone everything nobody nothing something someone i my his her their our your its
    the then one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty half all both some if when status goal current result
    method topic target date time location
    """
)
_CHANGE = re.compile(
    r"\b(?:I used to|I no longer|I don't [^.,;]{2,40} any ?more|I can't [^.,;]{2,40} any ?more|"
    r"I changed my mind|"
    r"I've changed my mind|I was wrong (?:about|to|that)|I(?:'ve| have) (?:stopped|given up|quit|"
    r"started|taken up|"
    r"come round|come to)|I had always thought|I always thought|I thought I(?:'d| would|"
    r" could) never|"
    r"I never thought I|I've wronged|I once (?:thought|believed|said|swore)|I said I would never|"
    r"I said I'd never)\b|我以前[^。！？]{2,30}现在|我不再[^。！？]{2,20}|我改变了(?:主意|看法|想法)",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening|week|time|one)|"
    r"last (?:night|week)|"
    r"just now|next (?:week|month|time)|right now|at the moment|in a minute|soon|a moment ago|"
    r"earlier|"
    r"the other day|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|o'clock)\b|\d{1,2}:\d\d",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"\b(?:he|she|him|her|his|hers|them|their)\b|\bthat's\b|\w's\b(?=,)", re.IGNORECASE
)
_VAGUE_OBJECT = re.compile(
    r"\b(?:believe|think|reckon|know|realised|realized|understand|understood|need|want|trust|care|"
    r"accept|admire|"
    r"respect)(?: that| to| about| of)?+ (?:it|him|her|them|this|that|he|she|they|you|so|not|what|"
    r"how|why|where|"
    r"who|whether|if|there|these|those|is|was)\b",
    re.IGNORECASE,
)
_ZH_HOLD = re.compile(
    r"(?:^|，)我(?:(?:现在|真的|也|坚定地|终于|越来越)*(?:认为|相信|坚信|后悔|明白了|意识到|学会了)|"
    r"(?:一直|始终|还是|从来|越来越)(?:都)?(?:觉得|希望|不觉得|想要))[^，。！？\n]{4,40}"
)


def opinions(
    told: Sequence[Remark], topics: frozenset[str], small: frozenset[str]
) -> Iterator[Line]:
    """Yield what the user holds, changes first, then what they say they believe or refuse.

    `topics` are stems that recur in the archive: an opinion about something that matters there goes
    before a passing one. `small` are the words the user writes without a capital: what "X is …" is
    said of must be a thing, not somebody by name.
    """
    offered: list[tuple[float, int, Remark]] = []
    for remark in told:
        worth = _worth(remark, topics, small)
        if worth > 0:
            offered.append((worth, 0, remark))
    offered.sort(key=lambda each: (-each[0], each[2].day or date.min, each[2].text))
    kept: list[frozenset[str]] = []
    entries: Counter[str] = Counter()
    for line, then, now in _turned([remark for _, _, remark in offered], topics):
        kept.append(about_of(then.text) | about_of(now.text))
        entries.update({then.key, now.key})
        yield line
    for line, keys in _returned(offered, told, topics, small):
        kept.append(about_of(line.text))
        entries.update(keys)
        yield line
    for _, _, remark in offered:
        about = about_of(remark.text)
        if entries[remark.key] or any(len(about & other) >= 3 for other in kept):
            continue
        kept.append(about)
        entries[remark.key] += 1
        yield Line(
            section=Section.HOLD,
            topic="hold:" + " ".join(sorted(about))[:80],
            text=f"“{remark.text}”",
            supports=(Support(remark.key, remark.day, vital=True),),
        )
        if len(kept) == HOLDS:
            return


def _said_of_oneself(text: str) -> bool:
    """Tell whether a sentence is the user's word about themselves rather than about an occasion."""
    return bool(
        (_HOLD.match(text) or _HOLD_IM.search(text) or _CHANGE.search(text))
        and not _PASSING.search(text)
    )


def _turned(
    offered: Sequence[Remark], topics: frozenset[str]
) -> Iterator[tuple[Line, Remark, Remark]]:
    """Yield what was said one way at first and the other way, at least a month later, of the same."""
    held = [
        (remark, about_of(remark.text), negated(remark.text))
        for remark in offered
        if remark.day is not None and len(remark.text) <= 130 and _said_of_oneself(remark.text)
    ]
    pairs = []
    for at, (one, mine, no) in enumerate(held):
        for other, theirs, not_ in held[at + 1 :]:
            shared = (mine & theirs) - _WEAK_TOPICS
            if (
                no == not_
                or len(shared) < 2
                or not shared & topics
                or one.day is None
                or other.day is None
            ):
                continue
            then, now = (one, other) if one.day < other.day else (other, one)
            alike = len(shared) / len(mine | theirs)
            if abs((one.day - other.day).days) >= APART and alike >= 0.25:
                pairs.append((alike, then, now, shared))
    pairs.sort(key=lambda each: (-each[0], each[1].text))
    used: set[str] = set()
    for _, then, now, shared in pairs:
        if {then.key, now.key} & used:
            continue
        used |= {then.key, now.key}
        yield (
            Line(
                section=Section.HOLD,
                topic="turned:" + " ".join(sorted(shared))[:80],
                text=f"“{then.text}” ({_of(then.day)}) → “{now.text}” ({_of(now.day)})",
                supports=(
                    Support(then.key, then.day, vital=True),
                    Support(now.key, now.day, vital=True),
                ),
                needed=2,
            ),
            then,
            now,
        )
        if len(used) >= 6:
            return


_DONE = re.compile(r"\b(?:is|are) (?:\w+ed|brought|come|gone|told|taken|made|given|sent)\b")
_IS = re.compile(
    r"(?P<what>[^\W\d_]+) (?:is|isn't|are|aren't|means|doesn't mean|don't mean|was never|needs) "
)


def _judges(text: str, topic: str) -> bool:
    """Tell whether a sentence says what a thing is, or isn't."""
    return any(stem(match["what"]) == topic for match in _IS.finditer(text))


def _returned(
    offered: Sequence[tuple[float, int, Remark]],
    told: Sequence[Remark],
    topics: frozenset[str],
    small: frozenset[str],
) -> Iterator[tuple[Line, set[str]]]:
    """Yield what the user said some thing is, with the judgement they came back to it with much later."""
    first: dict[str, Remark] = {}
    for _, _, remark in sorted(offered, key=lambda each: each[2].day or date.max):
        match = _CLAIM.search(remark.text) or _GENERAL.match(remark.text)
        if (
            match is None
            or remark.day is None
            or _DONE.search(remark.text)
            or not _thing(match["subject"].strip(), small)
        ):
            continue
        words = content_words(match["subject"])
        if len(words) == 1 == len(match["subject"].split()) and stem(words[0]) in topics:
            first.setdefault(stem(words[0]), remark)
    later: dict[str, Remark] = {}
    for remark in told:
        if remark.day is None or not 20 <= len(remark.text) <= 170 or remark.text.endswith("?"):
            continue
        if not _SPEAKS.search(remark.text):
            continue
        for topic in first.keys() & about_of(remark.text):
            if (remark.day - first[topic].day).days < APART:  # type: ignore[operator]
                continue
            if _judges(remark.text, topic) and not _DONE.search(remark.text):
                best = later.get(topic)
                if best is None or best.day is None or remark.day > best.day:
                    later[topic] = remark
    for topic in sorted(later)[:4]:
        then, now = first[topic], later[topic]
        yield (
            Line(
                section=Section.HOLD,
                topic=f"turned:{topic}",
                text=f"“{then.text}” ({_of(then.day)}) → “{now.text}” ({_of(now.day)})",
                supports=(
                    Support(then.key, then.day, vital=True),
                    Support(now.key, now.day, vital=True),
                ),
                needed=2,
            ),
            {then.key, now.key},
        )


def _worth(remark: Remark, topics: frozenset[str], small: frozenset[str]) -> float:
    """Return how much a sentence tells of what the user holds; 0 for none."""
    text = remark.text
    short = 8 if "我" in text else 20
    longest = 60 if "我" in text else 170
    if not short <= len(text) <= longest or text.endswith(("?", ":", "…", "...")) or BLANK in text:
        return 0.0
    worth = 0.0
    if _CHANGE.search(text):
        worth += 3.0
    categorical = bool(_NEEDS.match(text))
    if match := _HOLD.match(text) or _HOLD_IM.search(text):
        said = match[0].lower()
        strong = any(word in said for word in _STRONG)
        weak = not strong and not categorical and bool(_WEAK.search(said))
        categorical = categorical or "never" in said or "always" in said
        worth += 2.0 + 0.7 * strong - 0.8 * weak
    if (claim := _CLAIM.search(text)) and _thing(claim["subject"].strip(), small):
        worth += 1.8
    general = _GENERAL.match(text)
    if general and _thing(general["subject"], small):
        worth += 1.6
    if "我" in text and _ZH_HOLD.search(text):
        worth += 2.0
    if not worth:
        return 0.0
    if _VAGUE_OBJECT.search(text):
        worth -= 1.5
    if _PASSING.search(text):
        worth -= 1.2
    if _SOMEBODY.search(text):  # an opinion about a person on an occasion
        worth -= 0.8
    about = about_of(text)
    if len(about) < (1 if categorical else 2) or _NOT_OPINION.search(text):
        return 0.0
    worth += 0.35 * min(3, len(about & topics))
    worth -= abs(len(text) * (3 if "我" in text else 1) - 80) / 160  # a character says a word
    return worth if worth > LEAST else 0.0


def _thing(subject: str, small: frozenset[str]) -> bool:
    """Tell whether the subject of "X is …" is a kind of thing rather than a name, a number, a pronoun."""
    words = subject.split()
    return words[0].lower() not in _NOT_GENERAL and all(
        word.lower() in small and (at == 0 or word[0].islower()) for at, word in enumerate(words)
    )


def likes(found: Iterable[Stance]) -> Iterator[Line]:
    """Yield likes and dislikes, then → now where they turned.

    One plain statement is enough ("I hate coriander"); what was only felt once, of one thing, needs
    three items that say the same.
    """
    groups: dict[tuple[str, ...], list[Stance]] = defaultdict(list)
    for stance in found:
        groups[stance.topic].append(stance)
    offered: list[tuple[float, Line]] = []
    for topic, said in groups.items():
        said.sort(key=lambda each: each.remark.day or date.min)
        keys = {each.remark.key for each in said}
        plain = [each for each in said if not each.event]
        if not plain and len(keys) < FEWEST:
            continue
        line = _like(topic, said, plain)
        offered.append((len(keys) + 0.5 * bool(plain) + (2 if "→" in line.text else 0), line))
    offered.sort(key=lambda each: (-each[0], each[1].text))
    for _, line in offered[:LIKES]:
        yield line


def _like(topic: tuple[str, ...], said: Sequence[Stance], plain: Sequence[Stance]) -> Line:
    """Return the line about one thing."""
    last, first = (plain or said)[-1], said[0]
    turned = [
        each for each in said if each.sign != last.sign and each.remark.day != last.remark.day
    ]
    vital = {last.remark.key}
    if turned:
        first = turned[0]
        vital.add(first.remark.key)
        text = f"{last.thing}: {_saying(first)} ({_month(first)}) → {_now(last)} ({_month(last)})"
    elif last.past:
        now = "no more" if last.sign < 0 else "not any longer"
        text = f"{last.thing}: {_saying(last)} then → {now} ({_month(last)})"
    else:
        text = f"I {_saying(last)} {last.thing}"
        if last.saying.startswith("my "):
            text = f"{last.saying[0].upper()}{last.saying[1:]} {last.thing}"
        elif last.other:
            text += f" to {last.other}"
        elif "\u4e00" <= last.saying[0] <= "\u9fff":
            text = f"我{last.saying}{last.thing}"
        elif " " in last.saying and last.saying.split()[-1] in (
            "of",
            "on",
            "about",
            "with",
            "to",
            "into",
            "by",
        ):
            text = f"I'm {last.saying} {last.thing}"
        elif last.saying == "into":
            text = f"I'm into {last.thing}"
    supports = {
        each.remark.key: Support(each.remark.key, each.remark.day, each.remark.key in vital)
        for each in said
    }
    return Line(
        section=Section.LIKES,
        topic="likes:" + " ".join(topic),
        text=text,
        supports=tuple(supports.values()),
        needed=1 if plain else FEWEST,
    )


def _saying(stance: Stance) -> str:
    return stance.saying


def _now(stance: Stance) -> str:
    """Return what the latest of several says: "I used to love it" says that one no longer does."""
    over = stance.past and stance.sign < 0
    return f"no longer {_saying(stance)}" if over else _saying(stance)


def _month(stance: Stance) -> str:
    return _of(stance.remark.day)


def _of(day: date | None) -> str:
    return f"{day:%B %Y}" if day else "undated"
