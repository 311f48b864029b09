"""What a person does again and again: said by themselves, counted by themselves, or seen over time."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median
from typing import Final

from clone_app.memory.irregular import base
from clone_app.memory.lines import Line, Section, Support
from clone_app.memory.stopwords import STOP_WORDS
from clone_app.memory.words import stem
from clone_app.persona.listed import listed
from clone_app.persona.traits.remarks import Remark, about_of

HABITS: Final = 12
FEWEST: Final = 3
_WEEKDAYS: Final = (
    "Mondays",
    "Tuesdays",
    "Wednesdays",
    "Thursdays",
    "Fridays",
    "Saturdays",
    "Sundays",
)
_EVERY = re.compile(
    r"\b(?:every (?:single )?(?:other )?(?:day|night|morning|afternoon|evening|week|weekend|month|"
    r"year|"
    r"summer|winter|spring|autumn|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|each (?:day|"
    r"morning|evening|"
    r"night|week|month|year)|(?:on|most) (?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:once|"
    r"twice|three times|"
    r"four times) a (?:day|week|month|year)|daily|most (?:days|nights|mornings|evenings|weekends)|"
    r"habit of|my (?:usual )?routine)\b",
    re.IGNORECASE,
)
_I_ALWAYS = re.compile(
    r"\bI(?:'m| am)? (?:\w+ )?(?:always|usually|often|normally|generally|tend to|never|rarely|"
    r"seldom)\b|"
    r"\b(?:as usual|like I always do|as I always do|as always),? I\b",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:I|I'm|I've|my)\b")
_PASSING = re.compile(
    r"\b(?:wanted|thought|knew|said|say|had|been|would|'d|will|'ll|could|heard|seen|realised|"
    r"realized|"
    r"again|get over|mind|expected|imagined|felt|looked|used to be|told|happened|did in my life|"
    r"saw|did|known|forget|forgive|know)\b",
    re.IGNORECASE,
)
_ZH = re.compile(
    r"我[^，。！？]{0,6}(?:每天|每晚|每周|每星期|每个月|每年|天天|经常|常常|总是|习惯|一向|从不)[^，。！？\n]{2,24}|"
    r"(?:每天|每晚|每周|每星期)[^，。！？\n]{0,8}我[^，。！？\n]{2,24}"
)
_ZH_OTHER = re.compile(
    "吗|呢|[?？]|你|您|帮|试试|建议|需要|断了|不再|没再|停了"
)  # asked, over, somebody else's
_TALLY = re.compile(
    r"(?:^|[.;] )(?P<label>[A-Z][a-z]+(?: [a-z]+){0,2}): ?(?P<number>\d{1,5}(?:\.\d)?)\b"
)
# What a tracker says was not done: `practised guitar: No`, `| Ran | 0 km |`, `☐ call Kim`.
_NOT_DONE = re.compile(
    r"[^\W\d_]+(?:[ '’-][^\W\d_]+){0,7}\s*[:：=|]\s*"
    r"(?:(?:no|not|none|nothing|never|nil|false|n/a)(?![\w/])"
    r"(?=\W*$|\s*[.,;|(–—]|\s(?:yet|today|time|chance|really|at all|done)\b|(?:\s[\w'’-]+){1,8}\s*[:：=|])"
    r"|0+(?:[.,]0+)?(?![\w.,:]*\d)|[✗✘✕❌☐⬜]|[-–—](?=\s*(?:$|[.,;|])))"
    r"|[☐⬜✗✘✕❌][^☐☑⬜✅✓✔✗✘✕❌]*",
    re.IGNORECASE,
)
_ACTS: Final = listed(
    """
    eat drink dine sup walk run read write play sing cook bake swim cycle ride drive visit watch listen
    practise practice study sew knit paint draw garden climb pray meditate smoke fish shop train
    row bind feed brew go jog hike ski skate dance paddle sail camp photograph clean wash iron mend repair
    check record measure teach tutor
    """
)
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_LOOSE: Final = listed("check record measure write read")
_DULL: Final = listed(
    """
    day days night morning evening afternoon hour hours minute minutes week weeks month year time times
    deal way thing things place people man men woman while moment bit lot great good little long whole
    one two three four five six seven eight nine ten twenty thirty hundred
    bed sleep deal abroad thence see speak look find ask meet talk fetch dinner supper
    first last next new old other same home back well mighty pretty late early half hard better best
    """
)
_EMPTY: Final = STOP_WORDS | _DULL


@dataclass(frozen=True, slots=True)
class _Act:
    remark: Remark
    phrase: str


def habits(told: Sequence[Remark], names: frozenset[str]) -> Iterator[Line]:
    """Yield what recurs, the most surely known first; each rests on three items at least."""
    found = [*_tallies(told), *_said(told), *_acts(told), *_weekdays(told, names)]
    kept: list[Line] = []
    for line in found:
        words = about_of(line.text)
        if any(len(words & about_of(other.text)) >= max(2, 0.6 * len(words)) for other in kept):
            continue
        kept.append(line)
        if len(kept) == HABITS:
            break
    yield from kept


def _span_days(days: Sequence[date | None]) -> int:
    known = [day for day in days if day is not None]
    return (max(known) - min(known)).days if known else 0


def _support(found: Sequence[Remark], vital: Sequence[Remark] = ()) -> tuple[Support, ...]:
    """Return each item once, in order of time, those that gave the words marked."""
    keys = {each.key for each in vital}
    supports = {
        each.key: Support(each.key, each.day, each.key in keys) for each in (*found, *vital)
    }
    return tuple(
        sorted(supports.values(), key=lambda each: (each.day is None, each.day or date.min))
    )


def _tallies(told: Sequence[Remark]) -> Iterator[Line]:
    """Yield what the user keeps count of, with the usual figure at first and lately."""
    counted: dict[str, list[tuple[Remark, float]]] = defaultdict(list)
    for remark in told:
        for match in _TALLY.finditer(remark.text):
            counted[match["label"]].append((remark, float(match["number"])))
    for label, entries in sorted(counted.items(), key=lambda each: -len(each[1])):
        keys = {remark.key for remark, _ in entries}
        if len(keys) < 5 or len(keys) < 0.6 * len(entries) or not re.search("[^s]s$", label):
            continue
        days = [remark.day for remark, _ in entries]
        if _span_days(days) < 28:
            continue
        entries.sort(key=lambda each: (each[0].day is None, each[0].day or date.min))
        third = max(2, len(entries) // 3)
        first = median(number for _, number in entries[:third])
        last = median(number for _, number in entries[-third:])
        what = label[0].lower() + label[1:]
        text = f"I keep count of my {what}: usually {first:g}"
        if first != last and abs(first - last) >= 0.25 * max(first, last):
            begun, ended = entries[0][0].day, entries[-third][0].day
            text = f"I keep count of my {what}: usually {first:g} then ({_month(begun)}) → {last:g} now "
            text += f"(from {_month(ended)})"
        yield Line(
            section=Section.HABITS,
            topic=f"habits:count:{label.casefold()}",
            text=text,
            supports=_support([remark for remark, _ in entries]),
            needed=FEWEST,
        )


def _month(day: date | None) -> str:
    return f"{day:%B %Y}" if day else "undated"


def _said(told: Sequence[Remark]) -> Iterator[Line]:
    """Yield what the user says they do regularly, where other entries speak of the same doing.

    Two sentences that both say "every week" speak of the same if they share two words of content;
    a sentence that doesn't say so counts where the shared words are rare, or three.
    """
    claims: list[tuple[Remark, str]] = []
    for remark in told:
        if (
            len(remark.text) <= 220
            and not remark.text.endswith("?")
            and (clause := _regular(remark.text))
        ):
            claims.append((remark, clause))
    if not claims:
        return
    stemmed = [(remark, about_of(remark.text) - _DULL_STEMS) for remark in told]
    spread: Counter[str] = Counter()
    holding: dict[str, list[int]] = defaultdict(list)
    for at, (_, found) in enumerate(stemmed):
        spread.update(found)
        for word in found:
            holding[word].append(at)
    regular = {id(remark) for remark, _ in claims}
    rare = max(4, len({remark.key for remark in told}) // 12)
    offered: list[tuple[float, Remark, str, list[Remark]]] = []
    for remark, clause in claims:
        own = about_of(clause) - _DULL_STEMS
        like: dict[str, Remark] = {remark.key: remark}
        for at in {at for word in own if spread[word] <= 20 * rare for at in holding[word]}:
            other, found = stemmed[at]
            shared = found & own
            close = len(shared) >= (2 if id(other) in regular else 3)
            if other.key not in like and (
                close or (len(shared) == 2 and all(spread[word] <= rare for word in shared))
            ):
                like[other.key] = other
        if len(like) >= FEWEST and _span_days([each.day for each in like.values()]) >= 14:
            said = sum(id(each) in regular for each in like.values())
            brief = 1.0 - abs(len(clause) - 50) / 100
            offered.append(
                (said + 0.3 * len(like) ** 0.5 + brief, remark, clause, list(like.values()))
            )
    offered.sort(key=lambda each: (-each[0], each[2]))
    taken: list[frozenset[str]] = []
    for _, remark, clause, alike in offered:
        about = about_of(clause) - _DULL_STEMS
        if any(len(about & other) >= 2 for other in taken):
            continue
        taken.append(about)
        yield Line(
            section=Section.HABITS,
            topic="habits:" + " ".join(sorted(about))[:80],
            text=f"“{clause}”",
            supports=_support(alike, [remark]),
            needed=FEWEST,
        )
        if len(taken) == 6:
            return


def _regular(text: str) -> str:
    """Return the stretch of a sentence in which the user says that they do something regularly."""
    if "我" in text and (match := _ZH.search(text)):
        return "" if _ZH_OTHER.search(text) else match[0]
    match = _I_ALWAYS.search(text) or (_EVERY.search(text) if _MINE.search(text) else None)
    if match is None or _PASSING.search(text[max(0, match.start() - 12) : match.end() + 20]):
        return ""
    start = max((cut.end() for cut in _BREAK.finditer(text, 0, match.start())), default=0)
    cut = _BREAK.search(text, match.end() + 12)
    end = cut.start() if cut else len(text)
    clause = text[start:end].strip(" ,;:—–-")
    if not _I.search(clause):
        clause = text.strip() if len(text) <= 120 and _I.search(text) else ""
    fits = 12 <= len(clause) <= 120 and not _THEIRS.search(clause) and not _OVER.search(clause)
    return clause[0].upper() + clause[1:] if fits else ""


_I = re.compile(r"^(?:\W*[\w'-]+[\s,]+){0,5}?I(?:'ve|'m)?\b")
# Over already, or not a doing: "I always took him for …", "like I usually do".
_OVER = re.compile(
    r"\b(?:always|usually|often|never) (?:took|was|were|been|had|did|\w+ed)\b|\bused to\b|"
    r"\blike I (?:usually|always)\b|\bdidn't\b|\bbefore,|\bpreviously\b|\ball my life\b|"
    r"\b(?:need|have|want|had|must also) to\b|\bI (?:hear|heard|perceive|see|find|found|bless|"
    r"am resolved)\b|\b(?:he|she|they) \w+s\b|\bshould\b|\bthink about\b|\bfeels? like\b|"
    r"\bI can be\b|\bnever a whit\b|\bshall never\b",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"[;:—–(]\s*|[,.]\s+(?=(?:and|but|so|because|which|while|then|though|or)\s)|\.\s+"
)
_THEIRS = re.compile(r"^(?:\W*\w+ ){0,3}(?:he|she|they|you|it|who)\b", re.IGNORECASE)
_DULL_STEMS: Final = frozenset(stem(word) for word in _DULL) | frozenset(
    stem(word)
    for word in listed("monday tuesday wednesday thursday friday saturday sunday often usual")
)


def _weekdays(told: Sequence[Remark], names: frozenset[str]) -> Iterator[Line]:
    """Yield the places and people that belong to one day of the week."""
    days: dict[str, Counter[int]] = defaultdict(Counter)
    where: dict[tuple[str, int], dict[str, Remark]] = defaultdict(dict)
    written: Counter[int] = Counter()
    seen: set[str] = set()
    for remark in told:
        if remark.day is None or remark.medium not in ("diary", "note"):
            continue
        weekday = remark.day.weekday()
        if remark.key not in seen:
            seen.add(remark.key)
            written[weekday] += 1
        for name in {each for each in re.findall(r"[^\W\d_]+", remark.text) if each in names}:
            if remark.key not in where[name, weekday]:
                where[name, weekday][remark.key] = remark
                days[name][weekday] += 1
    whole = sum(written.values())
    offered = []
    for name, counts in days.items():
        if name.endswith(("day", "days")):
            continue
        weekday, times = counts.most_common(1)[0]
        share = times / sum(counts.values())
        expected = written[weekday] / whole if whole else 1.0
        if times >= max(5, whole // 150) and share >= 0.5 and share >= 2 * expected:
            offered.append((share, name, weekday))
    if whole >= 20 and (most := max(written.values(), default=0)) >= 1.7 * whole / 7:
        weekday = max(written, key=lambda each: (written[each], -each))
        yield Line(
            section=Section.HABITS,
            topic="habits:writing",
            text=f"I write in my diary most of all on {_WEEKDAYS[weekday]}: {most} of {whole} days",
            supports=_support(
                [
                    each
                    for each in told
                    if each.medium in ("diary", "note")
                    and each.day is not None
                    and each.day.weekday() == weekday
                ]
            ),
            needed=FEWEST,
        )
    for _, name, weekday in sorted(offered, reverse=True)[:3]:
        yield Line(
            section=Section.HABITS,
            topic=f"habits:weekday:{name.casefold()}",
            text=f"{name} mostly comes up on {_WEEKDAYS[weekday]}",
            supports=_support(list(where[name, weekday].values())),
            needed=FEWEST,
        )


def _acts(told: Sequence[Remark]) -> Iterator[Line]:
    """Yield doings that recur over months: a verb of doing with what it is done to.

    A question tells of no doing, nor does the line of a tracker that says no.
    """
    found: dict[tuple[str, str], dict[str, _Act]] = defaultdict(dict)
    entries = {remark.key for remark in told}
    for remark in told:
        if remark.text.endswith("?"):
            continue
        said = _NOT_DONE.sub(" ", remark.text)
        spans = [match.span() for match in _WORD.finditer(said)]
        words = [said[start:end] for start, end in spans]
        small = [word.lower() for word in words]
        for at, word in enumerate(small):
            verb = base(word) if base(word) in _ACTS else _root(word)
            if verb not in _ACTS or not _done_by_me(small, at):
                continue
            if verb == "go" and small[at + 1 : at + 2] != ["to"]:
                continue
            for reach in range(1, 5):
                if at + reach >= len(small):
                    break
                noun = small[at + reach]
                if noun in (
                    "and",
                    "but",
                    "that",
                    "if",
                    "when",
                    "i",
                    "he",
                    "she",
                    "they",
                    "who",
                    "so",
                ):
                    break
                if noun in _EMPTY or len(noun) < 3 or words[at + reach][0].isupper():
                    continue
                key = (verb, stem(noun))
                following = at + reach + 1
                more = (
                    following < len(small)
                    and small[following] not in _EMPTY
                    and said[spans[following - 1][1] : spans[following][0]].isspace()
                )
                phrase = " ".join(words[at : at + reach + 1 + more])
                found[key].setdefault(remark.key, _Act(remark, phrase[0].lower() + phrase[1:]))
                break
    fewest = max(FEWEST + 1, round(len(entries) ** 0.5 / 3))
    offered = []
    for (verb, noun), acts in found.items():
        known = [each.remark.day for each in acts.values()]
        months = {(day.year, day.month) for day in known if day}
        if len(acts) >= fewest * (2 if verb in _LOOSE else 1) and len(months) >= 3:
            offered.append((len(acts), verb, noun, acts))
    offered.sort(key=lambda each: (-each[0], each[1], each[2]))
    for _, verb, noun, acts in offered[:6]:
        phrase, _ = Counter(each.phrase for each in acts.values()).most_common(1)[0]
        yield Line(
            section=Section.HABITS,
            topic=f"habits:{verb} {noun}",
            text=f"Again and again: “{phrase}”",
            supports=_support([each.remark for each in acts.values()]),
            needed=FEWEST,
        )


def _root(word: str) -> str:
    """Return the verb of a regular form: `walked`, `running`, `reads`."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            bare = word[: -len(ending)]
            for each in (bare, bare + "e", bare[:-1] if bare[-1:] == bare[-2:-1] else bare):
                if each in _ACTS:
                    return each
    return word


def _done_by_me(words: Sequence[str], at: int) -> bool:
    """Tell whether the doing is the user's: the nearest person before it is "I", or nobody is."""
    for before in reversed(words[max(0, at - 6) : at]):
        if before in ("i", "i'm", "i've", "we", "my"):
            return before != "my"
        if before in ("he", "she", "they", "you", "who", "his", "her", "their", "it", "to", "the", "would",
                      "not", "don't", "didn't", "never", "should", "could", "if"):  # fmt: skip
            return False
    return at <= 3
