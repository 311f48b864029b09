"""Which language a life is written in, where its file doesn't say."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from clone_app.memory.chunk import CJK

_LOOKED_AT = 50
# A Chinese text in which names and numbers are Latin still is more than a tenth of its own letters.
_SHARE = 0.1


def language_of(texts: Iterable[str]) -> str:
    """Return `zh` for texts in Chinese letters, else `en`."""
    together = "".join(islice(texts, _LOOKED_AT))
    letters = len(CJK.findall(together))
    return "zh" if letters > _SHARE * max(1, len(together)) else "en"
