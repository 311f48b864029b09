"""How a person writes, measured a register at a time, and how near a text comes to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log, sqrt
from statistics import quantiles
from typing import Final

from clone_app.entries import Item
from clone_app.memory.lines import Line, Section, Support
from clone_app.memory.stopwords import ENGLISH, FOREIGN
from clone_app.memory.words import CJK, sentences
from clone_app.persona.listed import listed
from clone_app.persona.traits.remarks import BLANK, GENERATED, own_text, telling

FEWEST_ITEMS: Final = 5
CARD_MARKS: Final = ("!", "?", "…", "—", ";", ":", "(", "~")
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\U0001f1e6-\U0001f1ff]\ufe0f?")
_SMILEY = re.compile(r"(?<!\w)[:;]-?[)(DPp]|<3|\^\^|[xX]D(?!\w)")
_WORD = re.compile(rf"[^\W\d_{CJK}]+(?:['’][^\W\d_]+)*|[{CJK}]")
_WIDE = re.compile(f"[{CJK}]")
HEADING = re.compile(r"^(?:#{1,6}\s.*|---|tags:.*|\W*)$")
_GREETING = re.compile(
    r"^(?P<word>dear|hi|hello|hey|hallo|liebe[rs]?|cher|chère|hola|querid[oa]|good (?:morning|"
    r"evening)|morning|"
    r"亲爱的|你好)\b",
    re.IGNORECASE,
)


class Register(StrEnum):
    """Name the kinds of writing in which a person sounds differently."""

    DIARY = "diary"
    MAIL = "mail"
    POST = "post"
    CHAT = "chat"


_REGISTERS: Final = (
    (Register.MAIL, ("mail", "email", "letter")),
    (Register.POST, ("post", "social", "moments", "wechat_moments", "comment", "blog", "review")),
    (Register.CHAT, ("chat", "message", "sms", "agent")),
    (Register.DIARY, ("diary", "journal", "note", "memo")),
)


def register_of(medium: str) -> Register | None:
    """Return the register of a medium; None for lists, logs and searches, which show no voice."""
    for register, words in _REGISTERS:
        if any(word in medium for word in words):
            return register
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleCard:
    """Hold what was measured of the user's writing in one register.

    `sentence` is (lower quartile, median, upper quartile) of words a sentence; `openings` and
    `closings` come with the share of items that begin or end so; `marks` and `emoji_rate` are per
    thousand words; `pet_words` are used much more often than by the background.
    """

    register: Register
    items: int
    words: int
    sentence: tuple[int, int, int]
    openings: tuple[tuple[str, float], ...]
    closings: tuple[tuple[str, float], ...]
    marks: tuple[tuple[str, float], ...]
    emoji: tuple[str, ...]
    emoji_rate: float
    small_starts: float
    pet_words: tuple[str, ...]
    languages: tuple[tuple[str, float], ...]
    keys: tuple[str, ...]


def style_cards(items: Iterable[Item], me: frozenset[str] = frozenset()) -> tuple[StyleCard, ...]:
    """Return a card for each register in which the user wrote five items or more.

    Pet words are measured against what others wrote in the same archive, and against the user's
    other registers where others wrote little.
    """
    kept = list(items)
    mine: dict[Register, list[tuple[Item, str]]] = {register: [] for register in Register}
    for item in telling(kept):
        register = register_of(item.medium)
        if register is not None and (text := own_text(item, me).replace(BLANK, "").strip()):
            mine[register].append((item, text))
    others = Counter[str]()
    for item in kept:
        others.update(words_of(item.context if item.mine else item.text))
    cards = []
    for register, written in mine.items():
        if len(written) < FEWEST_ITEMS:
            continue
        background = others
        if others.total() < 2000:
            background = others + Counter(
                word
                for other, texts in mine.items()
                if other is not register
                for _, text in texts
                for word in words_of(text)
            )
        cards.append(style_card(register, written, background))
    return tuple(cards)


def cards_of(items: Iterable[Item], me: frozenset[str] = frozenset()) -> tuple[StyleCard, ...]:
    """Return the cards of all that a user wrote, under any name of theirs; never of a clone's answers."""
    kept = [item for item in items if GENERATED not in item.text]
    return style_cards(
        kept, me | {item.author.casefold() for item in kept if item.mine and item.author}
    )


def style_card(
    register: Register, written: Sequence[tuple[Item, str]], background: Counter[str]
) -> StyleCard:
    """Return the measured card of one register."""
    lengths: list[int] = []
    starts = small = 0
    for _, text in written:
        for start, end in sentences(text):
            words = words_of(text[start:end])
            if words:
                lengths.append(len(words))
            if text[start].isalpha() and text[start].isascii():
                starts += 1
                small += text[start].islower()
    whole = "\n".join(text for _, text in written)
    total = max(1, len(words_of(whole)))
    emoji = Counter(_EMOJI.findall(whole)) + Counter(_SMILEY.findall(whole))
    low, middle, high = (
        (round(each) for each in quantiles(lengths, n=4)) if len(lengths) > 1 else (0, 0, 0)
    )
    marks = {mark: 1000 * whole.count(mark) / total for mark in CARD_MARKS}
    marks["…"] += 1000 * whole.count("...") / total
    marks["—"] += 1000 * (whole.count("–") + whole.count(" - ")) / total
    return StyleCard(
        register=register,
        items=len(written),
        words=total,
        sentence=(low, middle, high),
        openings=_common(_opening(text, register) for _, text in written),
        closings=_common(_closing(text, register) for _, text in written),
        marks=tuple((mark, round(rate, 1)) for mark, rate in marks.items() if rate >= 0.5),
        emoji=tuple(each for each, _ in emoji.most_common(6)),
        emoji_rate=round(1000 * emoji.total() / total, 1),
        small_starts=round(small / starts, 2) if starts else 0.0,
        pet_words=_pet_words([text for _, text in written], background),
        languages=_languages(whole),
        keys=tuple(item.key for item, _ in written),
    )


def words_of(text: str) -> list[str]:
    """Return a text's words in small letters; each CJK character is one."""
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def _lines(text: str) -> list[str]:
    return [
        line for line in (each.strip() for each in text.splitlines()) if not HEADING.match(line)
    ]


def _opening(text: str, register: Register) -> str:
    """Return how a text begins, without the name in a greeting: `Dear …,`, `Up`."""
    lines = _lines(text)
    if not lines:
        return ""
    first = lines[0]
    if greeting := _GREETING.match(first):
        return greeting["word"].capitalize() + " …"
    words = [word for word in first.split() if not word.startswith(("#", "@", "http"))]
    if not words:
        return ""
    if register is Register.MAIL and len(words) <= 3 and first.endswith((",", "!", ":")):
        return "the name alone" if words[0][:1].isupper() else first
    wide = _WIDE.match(first)
    return first[:4] if wide else " ".join(words[:2]).strip(".,;:!?—").strip()


def _closing(text: str, register: Register) -> str:
    """Return how a text ends: its short last lines, in mail without the name that signs."""
    lines = _lines(text)
    if not lines:
        return ""
    if register is Register.MAIL:
        short = [line for line in lines[-3:] if len(line.split()) <= 4]
        if len(lines) > 1 and short:
            return short[0].rstrip(",.") if len(short) > 1 else short[-1].rstrip(",.")
        return ""
    last = re.split(r"(?<=[.!?。！？])\s+", lines[-1])[-1]
    last = re.sub(r"\d+", "…", re.sub(r"[#@]\w+", "", last)).strip()
    words = last.split()
    return last.rstrip(".") if len(words) <= 4 else " ".join(words[-3:]).rstrip(".!?")


def _common(found: Iterable[str]) -> tuple[tuple[str, float], ...]:
    """Return what a tenth of the items share, the commonest first."""
    each = list(found)
    counts = Counter(one for one in each if one)
    fewest = max(3, len(each) / 12)
    return tuple(
        (one, round(times / len(each), 2))
        for one, times in counts.most_common(3)
        if times >= fewest
    )


def _pet_words(texts: Sequence[str], background: Counter[str]) -> tuple[str, ...]:
    """Return words of the user's that the background hardly knows, names left out, in many items.

    The weight is the log-odds ratio with the background as its prior, in standard deviations
    (Monroe, Colaresi, Quinn 2008, "Fightin' Words").
    """
    counts: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for text in texts:
        text = re.sub(r"[#@]\w+|\S*\d\S*", " ", text)
        words = words_of(text)
        counts.update(words)
        spread.update(set(words))
        capital.update(word.casefold() for word in re.findall(r"[A-Z][^\W\d_]+", text))
    mine, theirs = counts.total(), background.total()
    if not mine or theirs < 500:
        return ()
    scored = []
    for word, times in counts.items():
        if spread[word] < max(4, len(texts) // 25) or len(word) < 3 or _WIDE.match(word):
            continue
        if capital[word] > 0.6 * times or "'" in word or word in ENGLISH or word in _NUMBERS:
            continue
        prior = 500 * (times + background[word]) / (mine + theirs) + 0.01
        one = log((times + prior) / (mine + 500 - times - prior))
        other = log((background[word] + prior) / (theirs + 500 - background[word] - prior))
        score = (one - other) / sqrt(1 / (times + prior) + 1 / (background[word] + prior))
        if score > 2 and spread[word] >= 0.35 * times:
            scored.append((score, word))
    return tuple(word for _, word in sorted(scored, reverse=True)[:8])


_NUMBERS: Final = listed(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty "
    "hundred "
    "thousand monday tuesday wednesday thursday friday saturday sunday first second third date time"
)


def _languages(text: str) -> tuple[tuple[str, float], ...]:
    """Return the languages a text mixes, by script and by function words."""
    words = words_of(text)
    wide = sum(bool(_WIDE.match(word)) for word in words)
    english = sum(word in ENGLISH for word in words)
    foreign = sum(word in FOREIGN and word not in ENGLISH for word in words)
    latin = len(words) - wide
    shares = {"Chinese, Japanese or Korean": wide / len(words) if words else 0.0}
    known = english + foreign
    if latin and known:
        shares["English"] = latin / len(words) * english / known
        shares["another European language"] = latin / len(words) * foreign / known
    elif latin:
        shares["Latin script"] = latin / len(words)
    found = sorted(shares.items(), key=lambda each: -each[1])
    return tuple((name, round(share, 2)) for name, share in found if share >= 0.03)


def described(card: StyleCard) -> str:
    """Return a card in one sentence, as the document's "How I write" has it."""
    low, middle, high = card.sentence
    parts = [f"sentences of {middle} words ({low}–{high})"]
    if card.openings:
        parts.append("begins " + " or ".join(f"“{each}”" for each, _ in card.openings[:2]))
    if card.closings:
        parts.append("ends " + " or ".join(f"“{each}”" for each, _ in card.closings[:2]))
    often = [mark for mark, rate in card.marks if rate >= _OFTEN.get(mark, 99)]
    if often:
        parts.append("many " + " ".join(often))
    parts.append("emoji " + "".join(card.emoji[:4]) if card.emoji_rate >= 1 else "no emoji")
    if card.small_starts >= 0.3:
        parts.append("small letters at the start")
    if card.pet_words:
        parts.append("often “" + "”, “".join(card.pet_words[:5]) + "”")
    if len(card.languages) > 1:
        parts.append(
            " and ".join(f"{round(100 * share)} % {name}" for name, share in card.languages)
        )
    return f"{card.register.value.capitalize()}: " + "; ".join(parts)


# More of these in a thousand words than plain prose has.
_OFTEN: Final = {"!": 12, "?": 15, "…": 4, "—": 8, ";": 6, ":": 18, "(": 8, "~": 1}


def voice_lines(own: Sequence[Item], cards: Iterable[StyleCard]) -> Iterator[Line]:
    """Yield the style cards as lines of the document; each rests on the items it was measured on."""
    days = {item.key: item.moment.day() for item in own}
    for card in cards:
        yield Line(
            section=Section.WRITING,
            topic=f"writing:{card.register}",
            text=described(card),
            supports=tuple(Support(key, days.get(key)) for key in card.keys),
            needed=FEWEST_ITEMS,
        )
