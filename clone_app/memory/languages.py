"""Which languages a memory is written in, as far as an embedder's choice needs it."""

from __future__ import annotations

import re

from sqlite_utils import Database

from clone_app.memory.database import rows
from clone_app.memory.stopwords import ENGLISH, FOREIGN
from clone_app.memory.words import CJK, plain, tokens

LOOKED_AT = 300
LETTERS = 400
_CJK = re.compile(f"[{CJK}]")
_OTHER = re.compile(r"[\u0370-\u1fff\u2c80-\u2fff\ua000-\uabff]")  # no Latin letters, no CJK


def not_english(db: Database) -> float:
    """Return the share (0 to 1) of items in other languages than English, from an even sample."""
    total = int(rows(db, "SELECT count(*) FROM items")[0][0])
    if not total:
        return 0.0
    step = max(1, total // LOOKED_AT)
    found = rows(
        db, "SELECT substr(text, 1, ?) FROM items WHERE text <> '' AND id % ? = 0", [LETTERS, step]
    )
    return sum(_foreign(str(row[0])) for row in found) / len(found) if found else 0.0


def _foreign(text: str) -> bool:
    letters = sum(map(str.isalpha, text)) or 1
    if (len(_CJK.findall(text)) + len(_OTHER.findall(text))) / letters > 0.3:
        return True
    words = [plain(match[0]) for match in tokens(text)]
    other = sum(word in FOREIGN for word in words)
    return other > 1 and other > sum(word in ENGLISH for word in words)
