"""A title from a group's own telling words: common among its items, rare in the whole memory."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import snowballstemmer
from sqlite_utils import Database

from clone_app.memory.database import rows
from clone_app.memory.words import CJK, cjk_words, content_words, tokens

WORDS = 3
LONGEST = 70
# A word in more than this share of all passages tells nothing.
COMMON = 0.05
# What a phrase grows by must follow its word so often.
TOGETHER = 0.6
PHRASE_AT_MOST = 3
CJK_AT_MOST = 6
# Letters of a text that are read: the telling words of a long one stand in its beginning too.
READ = 2000


def _listed(text: str) -> frozenset[str]:
    """Return the words of a list written as text."""
    return frozenset(text.split())


_ALL_CJK = re.compile(f"[{CJK}]+")
_REPLY = re.compile(r"^(?:(?:re|fwd?|aw|wg|回复|转发)\s*(?:\[\d+\])?\s*[:：]\s*)+", re.IGNORECASE)
_CALENDAR: Final = _listed(
    """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
    today yesterday tomorrow tonight morning afternoon evening night day week month year
    date time o'clock http https www com
    """
)
_CJK_CALENDAR = re.compile("[年月日周号点时分]|今天|昨天|明天|上午|下午|晚上|早上|星期")
_PORTER = snowballstemmer.stemmer("porter")


@dataclass(frozen=True, slots=True)
class Said:
    """Hold what an item says: its title, its text."""

    title: str
    text: str


class Titles:
    """Make titles; the word index says how rare a word is."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._passages = int(rows(db, "SELECT count(*) FROM passages")[0][0])
        self._known: dict[str, int] = {}

    def title(self, items: Sequence[Said], *, beside: Iterable[str] = ()) -> str:
        """Return a title for items; `beside` are names shown beside it, which it need not repeat."""
        shared = self._shared(items)
        if shared:
            return shared
        unwanted = {_root(match[0]) for name in beside for match in tokens(name)}
        read = [f"{item.title}\n{item.text[:READ]}" for item in items]
        told = [_words(text) for text in read]
        holding: Counter[str] = Counter()
        times: Counter[str] = Counter()
        forms: dict[str, Counter[str]] = defaultdict(Counter)
        for words in told:
            holding.update({word.root for word in words if word.telling} - unwanted)
            for word in words:
                times[word.root] += 1
                forms[word.root][word.form] += 1
        least = 2 if any(count > 1 for count in holding.values()) else 1
        found = {root: held for root, held in holding.items() if held >= least}
        telling = {
            root for root in found if self._frequency(root) <= max(2, COMMON * self._passages)
        }
        scores = {
            root: held / len(items) * self._rarity(root) * (1 + math.log(times[root] / held))
            for root, held in found.items()
            if root in telling or not telling
        }
        chosen: list[str] = []
        taken = set(unwanted)
        for root in sorted(scores, key=lambda each: (-scores[each], each)):
            form = max(forms[root].items(), key=lambda each: (each[1], each[0]))[0]
            if _ALL_CJK.fullmatch(form):
                phrase = _grown_cjk(form, read)
                roots = {phrase[at : at + 2] for at in range(len(phrase) - 1)}
            else:
                phrase, roots = _grown(root, form, told, taken)
            if not roots & taken:
                chosen.append(phrase)
                taken |= roots
            if len(chosen) == WORDS:
                break
        title = ", ".join(chosen)
        return title[:1].upper() + title[1:]

    def _shared(self, items: Sequence[Said]) -> str:
        """Return the title most items bear, as mails of one exchange do, unless many others bear it."""
        counts = Counter(_REPLY.sub("", item.title).strip() for item in items)
        title, held = max(counts.items(), key=lambda each: (each[1], each[0]))
        if not title or held < 2 or held * 2 <= len(items):
            return ""
        rarest = min((self._frequency(_root(word)) for word in content_words(title)), default=0)
        if rarest > 3 * len(items):
            return ""
        return title if len(title) <= LONGEST else title[: LONGEST - 1].rstrip() + "…"

    def _rarity(self, root: str) -> float:
        return math.log((self._passages + 1) / (self._frequency(root) + 0.5))

    def _frequency(self, root: str) -> int:
        if root not in self._known:
            found = rows(self._db, "SELECT doc FROM vocabulary WHERE term = ?", [root])
            self._known[root] = int(found[0][0]) if found else 0
        return self._known[root]


@dataclass(frozen=True, slots=True)
class _Word:
    """Hold a word of a text: as the word index holds it, as written, whether it can be telling.

    `joined` tells whether nothing but a space parts it from the word before it.
    """

    root: str
    form: str
    telling: bool
    joined: bool


def _words(text: str) -> list[_Word]:
    found: list[_Word] = []
    end = -1
    for match in tokens(text):
        raw, joined = match[0], text[end : match.start()] == " "
        end = match.end()
        if _ALL_CJK.fullmatch(raw):
            found += [
                _Word(pair, pair, _telling_cjk(pair), joined=False)
                for pair in cjk_words(raw)
                if len(pair) > 1
            ]
            continue
        bare = _bare(raw)
        found.append(_Word(_root(bare), bare, _telling(bare), joined))
    return found


@lru_cache(maxsize=65536)
def _telling(word: str) -> bool:
    return (
        len(word) > 2
        and word[0].isalpha()
        and word.casefold() not in _CALENDAR
        and bool(content_words(word))
    )


@lru_cache(maxsize=65536)
def _telling_cjk(pair: str) -> bool:
    return not _CJK_CALENDAR.search(pair) and all(content_words(letter) for letter in pair)


def _bare(word: str) -> str:
    """Return a word as written without the ending of a possessive."""
    return re.sub(r"['’]s$", "", word)


@lru_cache(maxsize=65536)
def _root(word: str) -> str:
    """Return a word as the word index holds it: folded, accents off, Porter's stem."""
    word = _bare(word).casefold()
    if not word.isascii():
        if _ALL_CJK.fullmatch(word):
            return word
        parts = unicodedata.normalize("NFKD", word)
        word = "".join(each for each in parts if not unicodedata.combining(each))
    return str(_PORTER.stemWord(word))


def _grown(
    root: str, form: str, texts: Sequence[Sequence[_Word]], taken: set[str]
) -> tuple[str, set[str]]:
    """Return a word with what mostly stands beside it, and the roots: `Jianguo` is `Chen Jianguo`."""
    phrase, roots = [form], [root]
    while len(phrase) < PHRASE_AT_MOST:
        before: Counter[tuple[str, str]] = Counter()
        after: Counter[tuple[str, str]] = Counter()
        times, size = 0, len(roots)
        for words in texts:
            for at, word in enumerate(words):
                if word.root != roots[0] or [w.root for w in words[at : at + size]] != roots:
                    continue
                times += 1
                if at and word.joined and words[at - 1].telling:
                    before[words[at - 1].root, words[at - 1].form] += 1
                if (
                    at + size < len(words)
                    and (beside := words[at + size]).joined
                    and beside.telling
                ):
                    after[beside.root, beside.form] += 1
        for side, left in ((before, True), (after, False)):
            (fresh, shown), count = max(
                side.items(), key=lambda each: (each[1], each[0]), default=(("", ""), 0)
            )
            if count > 1 and count >= TOGETHER * times and fresh not in taken:
                phrase.insert(0 if left else size, shown)
                roots.insert(0 if left else size, fresh)
                break
        else:
            break
    return " ".join(phrase), set(roots)


def _grown_cjk(pair: str, texts: Sequence[str]) -> str:
    """Return a pair of characters with those that mostly stand beside it, a word or a name."""
    phrase = pair
    while len(phrase) < CJK_AT_MOST:
        before: Counter[str] = Counter()
        after: Counter[str] = Counter()
        times = 0
        for text in texts:
            for match in re.finditer(f"(.?){re.escape(phrase)}(.?)", text):
                times += 1
                before[match[1]] += 1
                after[match[2]] += 1
        for beside, left in ((after, False), (before, True)):
            letter, count = max(
                beside.items(), key=lambda each: (each[1], each[0]), default=("", 0)
            )
            fits = bool(letter) and bool(_ALL_CJK.fullmatch(letter))
            if fits and count > 1 and count >= TOGETHER * times and content_words(letter):
                phrase = letter + phrase if left else phrase + letter
                break
        else:
            break
    return phrase
