"""Count what marks keep from whom, so that each shows its effect at once.

The rules are `audience.may_hear`'s and, for sentences, `unsaid.part_of`; here they are applied to all
entries together. What decides is read of
each entry once: its kind, whether it touches a sensitive matter, and which entries hold a word.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from clone_app.entries import Item
from clone_app.memory.words import stems
from clone_app.persona.document import Marks
from clone_app.persona.privacy.audience import is_posted, is_sensitive, met
from clone_app.persona.privacy.unsaid import NOTHING, Unsaid, mostly, part_of
from clone_app.persona.traits.health import conditions

Mark = tuple[str, str]  # ("medium", "person" or "topic", its name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """Count of all `entries` those a `friend` and the `public` don't hear of.

    `unmarked` are those kept back for a sensitive matter alone, `partly` further ones of which others
    hear only some sentences; `marks` says how many entries each mark
    covers, whatever else keeps them back, `names` what it looks for.
    """

    entries: int
    friend: int
    public: int
    unmarked: int
    marks: Mapping[Mark, int]
    names: Mapping[Mark, tuple[str, ...]]
    partly: int = 0


class Withholding:
    """Hold of each entry what decides who hears of it.

    `texts` gives (number, all that is told) of every entry held: a name without a word of content, such
    as “The Who”, is looked for in them letter by letter.
    """

    def __init__(self, texts: Callable[[], Iterable[tuple[int, str]]]) -> None:
        self._texts = texts
        self._begin()

    def _begin(self) -> None:
        self._stamps: dict[int, str] = {}
        self._media: dict[str, set[int]] = {}
        self._sensitive: set[int] = set()
        self._posted: set[int] = set()
        self._ailing: set[int] = set()
        self._judged: dict[int, bool | None] = {}
        self._judged_by = NOTHING
        self._holding: dict[str, array[int]] = {}
        self._literal: dict[str, frozenset[int]] = {}

    def lacking(self, stamps: Mapping[int, str]) -> list[int]:
        """Return which entries of these (number, what tells its state) must be added.

        Begins anew where one that is held has changed or gone.
        """
        if any(stamps.get(number) != stamp for number, stamp in self._stamps.items()):
            self._begin()
        return [number for number in stamps if number not in self._stamps]

    def add(self, number: int, item: Item, stamp: str) -> None:
        """Take an entry in."""
        self._stamps[number] = stamp
        self._media.setdefault(item.medium, set()).add(number)
        if is_sensitive(item):
            self._sensitive.add(number)
        if is_posted(item):
            self._posted.add(number)
        if conditions(met(item)):
            self._ailing.add(number)
        for word in stems(met(item)):
            self._holding.setdefault(word, array("q")).append(number)
        self._literal.clear()
        self._judged.clear()

    def unjudged(self, unsaid: Unsaid) -> list[int]:
        """Return which entries must be judged for what is passed over in answers, sentence by sentence."""
        if unsaid != self._judged_by:
            self._judged_by, self._judged = unsaid, {}
        asked = set(self.speaking_of(unsaid.topics))
        asked |= self._ailing if unsaid.health else set()
        for line in unsaid.lines:
            held = Counter(number for word in line for number in self._holding.get(word, ()))
            asked |= {number for number, words in held.items() if mostly(words, line)}
        return sorted(asked - self._judged.keys())

    def judge(self, number: int, item: Item, unsaid: Unsaid) -> None:
        """Note whether others hear nothing of an entry for that (true), a part (false), or all (None)."""
        left = part_of(item, unsaid)
        self._judged[number] = None if left is item else left is None

    def speaking_of(self, names: Iterable[str]) -> frozenset[int]:
        """Return which entries are by, to or about any of these people or topics."""
        return frozenset(number for name in names for number in self._speaking_of(name.strip()))

    def count(self, marks: Marks, names: Mapping[Mark, tuple[str, ...]]) -> Withheld:
        """Return what is kept back by `marks`; `names` are those that each mark means, or its kind."""
        hidden = {number for medium in marks.media for number in self._media.get(medium, ())}
        hidden |= self.speaking_of((*marks.people, *marks.topics))
        whole = {number for number, gone in self._judged.items() if gone}
        friend = hidden | self._sensitive | whole
        return Withheld(
            entries=len(self._stamps),
            friend=len(friend),
            public=len(self._stamps) - len(self._posted - friend),
            unmarked=len(self._sensitive - hidden),
            marks={
                mark: len(self._media.get(mark[1], ()))
                if mark[0] == "medium"
                else len(self.speaking_of(meant))
                for mark, meant in names.items()
            },
            names=names,
            partly=len({number for number, gone in self._judged.items() if gone is False} - friend),
        )

    def _speaking_of(self, name: str) -> Iterator[int]:
        wanted = stems(name)
        if wanted:
            holding = [set(self._holding.get(word, ())) for word in wanted]
            yield from set.intersection(*holding)
        elif name:
            if name not in self._literal:
                plain = name.casefold()
                self._literal[name] = frozenset(
                    number for number, text in self._texts() if plain in text.casefold()
                )
            yield from self._literal[name]
