"""Tell whether an answer is in the language of the question: a small model slips into another one."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Final

from clone_app.memory.stopwords import EACH_LANGUAGE
from clone_app.memory.words import plain, tokens

# A Japanese text is written in Chinese characters too, but not without its own.
_ALSO: Final = {"HIRAGANA": "KANA", "KATAKANA": "KANA"}
_KANA: Final = 0.15
# Of the letters so many make a script the text's; of the function words of a language so many.
_MOST: Final = 0.7
_FEWEST: Final = 2


def same_tongue(question: str, said: str) -> bool:
    """Tell whether two texts are in one language, as far as script and function words show it.

    Only where both show theirs can they differ: a question of two names is in any language.
    """
    scripts = _script(question), _script(said)
    if all(scripts) and scripts[0] != scripts[1]:
        return False
    languages = _language(question), _language(said)
    return None in languages or languages[0] == languages[1]


def _script(text: str) -> str:
    """Return the script most letters of a text are in, "" where none has most of them."""
    counts = Counter(
        _ALSO.get(script, script)
        for script in (
            unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha()
        )
    )
    letters = counts.total()
    if counts["KANA"] > _KANA * letters:
        counts["KANA"] += counts.pop("CJK", 0)
    return next((script for script, times in counts.items() if times >= _MOST * letters), "")


def _language(text: str) -> int | None:
    """Return the number of the language whose function words a text has most of, None for unsure."""
    words = [plain(match[0]) for match in tokens(text)]
    counts = sorted(
        ((sum(word in known for word in words), at) for at, known in enumerate(EACH_LANGUAGE)),
        reverse=True,
    )
    (most, language), (second, _) = counts[:2]
    return language if most >= _FEWEST and most >= 2 * second else None
