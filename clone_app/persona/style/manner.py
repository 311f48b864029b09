"""How a person sounds as a prompt can carry it: a measured line a register, and a few own sentences.

Measured in the background with the persona document and kept in the base. What is kept of an
exemplar is its entry's number and a hash: its words are read from the entry when they are wanted, and
go with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from clone_app.entries import Item, content_hash
from clone_app.persona.privacy.unsaid import NOTHING, Unsaid
from clone_app.persona.style.exemplars import exemplars, stretches
from clone_app.persona.traits.remarks import GENERATED
from clone_app.persona.voice import Register, StyleCard

# Whom one talks to writes to a chat; who tells of a life, to a diary.
_ORDER: Final = (Register.CHAT, Register.DIARY, Register.POST, Register.MAIL)
# With fewer words a register's measures say little.
_ENOUGH: Final = 300
EXEMPLARS: Final = 2
# More of these in a thousand words than plain prose has.
_OFTEN: Final = {"!": 12, "?": 25, "…": 4, "—": 8, ";": 6, "(": 8, "~": 1}


@dataclass(frozen=True, slots=True)
class Sound:
    """Hold what a prompt says of how the user writes; empty where nothing was measured."""

    line: str = ""
    exemplars: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manner:
    """Hold how one register sounds. `exemplars` are (item's number, hash of the stretch), best first."""

    register: Register
    line: str
    exemplars: tuple[tuple[int, str], ...]


def manners(
    cards: Iterable[StyleCard],
    items: Iterable[Item],
    numbers: Mapping[str, int],
    *,
    me: frozenset[str] = frozenset(),
) -> tuple[Manner, ...]:
    """Return the manner of each register the user writes in, what a conversation should sound like first.

    `cards` are measured on the same `items` (`voice.cards_of`); `numbers` are these by their keys.
    """
    kept = [item for item in items if GENERATED not in item.text]
    ranked = sorted(cards, key=lambda card: (card.words < _ENOUGH, _ORDER.index(card.register)))
    return tuple(
        Manner(
            card.register,
            line(card),
            tuple(
                (numbers[each.key], content_hash(each.text))
                for each in exemplars(kept, card.register, me=me)
                if each.key in numbers
            ),
        )
        for card in ranked
    )


def line(card: StyleCard) -> str:
    """Return a card as a small model can follow it: the measures, none of the user's words.

    Greetings and pet words stay in the document: told to use them, a small model does nothing else,
    and they may come from entries that this audience or this day does not know.
    """
    low, middle, high = card.sentence
    size = "short" if middle <= 9 else "long" if middle >= 20 else "middling"
    parts = [f"{size} sentences, mostly of {low} to {high} words"]
    often = [mark for mark, rate in card.marks if rate >= _OFTEN.get(mark, 1000)]
    if often:
        parts.append("often " + " ".join(often))
    parts.append("emoji " + "".join(card.emoji[:3]) if card.emoji_rate >= 1 else "no emoji")
    if card.small_starts >= 0.3:
        parts.append("small letters")
    return "; ".join(parts)


def sound(
    found: Sequence[Manner],
    items: Mapping[int, Item],
    *,
    me: frozenset[str],
    may_use: Callable[[Item], bool],
    unsaid: Unsaid = NOTHING,
) -> Sound:
    """Return how to sound, from the first register that has an exemplar which may be used.

    `items` are those the exemplars stand in, as far as they are still there; `may_use` says which may
    be shown: written by then, and fit for who listens; nothing of what is `unsaid` is.
    """
    for manner in found:
        shown: list[str] = []
        for number, wanted in manner.exemplars:
            item = items.get(number)
            if item is None or len(shown) == EXEMPLARS or not may_use(item):
                continue
            text = next((one for one in stretches(item, me) if content_hash(one) == wanted), "")
            if text and text not in shown and not unsaid.within(text):
                shown.append(text)
        if shown:
            return Sound(manner.line, tuple(shown))
    return Sound(found[0].line) if found else Sound()


def packed(found: Sequence[Manner]) -> str:
    """Return manners as they are kept."""
    return json.dumps([[str(each.register), each.line, each.exemplars] for each in found])


def unpacked(kept: str | None) -> tuple[Manner, ...]:
    """Return manners that were kept, none where nothing was."""
    return tuple(
        Manner(
            Register(register), line, tuple((int(number), str(hashed)) for number, hashed in shown)
        )
        for register, line, shown in (json.loads(kept) if kept else ())
    )
