"""Words that say the same: who asks for a movie is told of a film.

English alone. Made of WordNet by packaging/thesaurus.py, which also says what is left out and why;
WordNet's licence lies beside the file.
"""

from __future__ import annotations

import lzma
from functools import lru_cache

from clone_app.paths import resources


def instead(root: str) -> tuple[str, ...]:
    """Return the words that may stand for one, by its stem, best first; none of a word unknown."""
    return tuple(_lines().get(root, "").split())


@lru_cache(maxsize=1)
def _lines() -> dict[str, str]:
    """Return the words by stem: read at the first word that a memory doesn't hold, in some 50 ms."""
    text = lzma.decompress((resources() / "thesaurus" / "english.txt.xz").read_bytes()).decode()
    return dict(line.split(" ", 1) for line in text.splitlines())
