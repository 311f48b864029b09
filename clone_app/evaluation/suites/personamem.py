"""Read PersonaMem-v2 (arXiv 2512.06688): chats with an assistant, and which reply fits that user.

The messages bear no dates; their order stands for time. The system message in front of a history is
the description the chat was made from, which no memory is to see: it is left out.
"""

from __future__ import annotations

import ast
import csv
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from clone_app.entries import Item, Moment, clean_text, content_hash
from clone_app.errors import CloneAppError
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.evaluation.suites.language import language_of
from clone_app.evaluation.suites.pins import hash_file

SEED = 7
SIZES = ("32k", "128k")
_NEEDED = ("persona_id", "user_query", "correct_answer", "incorrect_answers", "pref_type")
_IDS = "ABCD"
# Histories are named by paths below the release's root, which is so many folders above at most.
_ABOVE = 4
_HEAD = 4096
_FIELD_AT_MOST = 10_000_000
# Any day will do: only the order matters, and a turn an hour keeps turns apart from situations.
_BEGUN = datetime.fromisoformat("2024-01-01")
_STEP = timedelta(hours=1)
_AGAIN = "Download it again from the benchmark's release."


def recognises(path: Path) -> bool:
    """Tell whether a file is the benchmark's table, by the names of its columns."""
    if path.suffix.lower() != ".csv" or not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(_HEAD).decode("utf-8-sig", "replace")
    columns = next(csv.reader([head.partition("\n")[0]]), [])
    return {"persona_id", "pref_type"} <= {each.strip() for each in columns}


def read_lives(path: Path) -> tuple[Life, ...]:
    """Return a life for each persona and size of history whose file is there.

    A table whose histories are not beside it is refused: without them nothing can be remembered.
    """
    rows = _rows(path)
    lives: list[Life] = []
    missing: list[str] = []
    for size in SIZES:
        for link, asked in _by_history(rows, size).items():
            place = _place(path, link)
            if place is None:
                missing.append(link)
            else:
                lives.append(_life(path, place, size, asked))
    if not lives:
        raise CloneAppError(
            f"None of the chat histories that {path.name} names is beside it"
            + (f" ({missing[0]}, for one). " if missing else ". ")
            + "Download the benchmark's data folder too and keep its folders as they are."
        )
    return tuple(lives)


def _rows(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(_FIELD_AT_MOST)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise CloneAppError(
            f"{path.name} can't be read ({type(fault).__name__}). {_AGAIN}"
        ) from fault
    if not rows:
        raise CloneAppError(f"{path.name} holds no questions. {_AGAIN}")
    for column in _NEEDED:
        if column not in rows[0]:
            raise CloneAppError(f"{path.name} lacks the column {column}. {_AGAIN}")
    return rows


def _by_history(
    rows: Sequence[dict[str, str]], size: str
) -> dict[str, list[tuple[int, dict[str, str]]]]:
    """Return the rows with their numbers by the history they ask about."""
    found: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for number, row in enumerate(rows, 1):
        if link := (row.get(f"chat_history_{size}_link") or "").strip():
            found.setdefault(link, []).append((number, row))
    return found


def _place(path: Path, link: str) -> Path | None:
    """Return where a history lies: below the table's folder or one above; never outside of these."""
    named = Path(link.replace("\\", "/"))
    if named.is_absolute() or ".." in named.parts:
        return None
    for folder in path.absolute().parents[:_ABOVE]:
        if (folder / named).is_file():
            return folder / named
    return None


def _life(
    path: Path, history: Path, size: str, asked: Sequence[tuple[int, dict[str, str]]]
) -> Life:
    messages = _messages(history)
    items = tuple(_items(messages))
    if not items:
        raise CloneAppError(f"The chat history {history.name} holds no messages. {_AGAIN}")
    asked_at = _BEGUN + _STEP * (len(messages) + 1)
    questions = tuple(_question(path, number, row, items, asked_at) for number, row in asked)
    person = (asked[0][1].get("persona_id") or "").strip()
    lost = sum(not each.statements for each in questions)
    notes = ["Its messages bear no dates: their order stands for time."]
    if lost:
        notes.append(
            f"{lost} questions name no stretch of this history and are left out of recall."
        )
    return Life(
        suite="personamem-v2",
        name=f"Persona {person} ({size})",
        items=items,
        questions=questions,
        id=f"{person}-{size}",
        language=language_of(item.text for item in items),
        tier=size,
        sha256=content_hash(hash_file(path), hash_file(history)),
        notes=tuple(notes),
    )


def _messages(history: Path) -> list[dict[str, Any]]:
    try:
        whole = json.loads(history.read_text("utf-8-sig"))
        messages = whole["chat_history"] if isinstance(whole, dict) else whole
        return [{"role": str(each["role"]), "content": each["content"]} for each in messages]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as fault:
        raise CloneAppError(
            f"The chat history {history.name} is truncated or of another form "
            f"({type(fault).__name__}). {_AGAIN}"
        ) from fault


def _items(messages: Sequence[dict[str, Any]]) -> Iterator[Item]:
    for place, message in enumerate(messages):
        text = clean_text(_text(message["content"]))
        if message["role"] == "system" or not text.strip():
            continue
        yield Item(
            key=f"m{place}",
            medium="chat",
            moment=Moment.of(_BEGUN + _STEP * place),
            text=text,
            mine=message["role"] == "user",
            author="" if message["role"] == "user" else "Assistant",
            locator=f"#{place}",
        )


def _text(content: object) -> str:
    """Return a message's words; newer releases write them as a list of parts."""
    if isinstance(content, list):
        parts = [each.get("text", "") if isinstance(each, dict) else each for each in content]
        return "\n".join(str(part) for part in parts if part)
    return str(content or "")


def _question(
    path: Path, number: int, row: dict[str, str], items: Iterable[Item], asked_at: datetime
) -> SuiteQuestion:
    said = _literal(row["user_query"])
    query = _text(said.get("content")) if isinstance(said, dict) else str(said)
    right = (row["correct_answer"] or "").strip()
    wrong = _literal(row["incorrect_answers"])
    if not isinstance(wrong, list) or len(wrong) != len(_IDS) - 1 or not right or not query.strip():
        raise CloneAppError(
            f"Row {number} of {path.name} holds no question with one right and three wrong answers. "
            f"{_AGAIN}"
        )
    options = [right, *(str(each) for each in wrong)]
    random.Random(f"{SEED}:{number}").shuffle(options)  # noqa: S311 - to be repeatable, not secret
    gold = _gold(row.get("related_conversation_snippet") or "", items)
    return SuiteQuestion(
        id=str(number),
        text=query.strip(),
        asked_at=asked_at,
        kind=(row["pref_type"] or "").strip(),
        dimension=(row.get("conversation_scenario") or "").strip(),
        statements=(gold,) if gold else (),
        evidence=((row.get("preference") or "").strip(),) if gold else (),
        answer=right,
        choices=tuple(zip(_IDS, options, strict=True)),
        correct=_IDS[options.index(right)],
        assistant=True,
    )


def _gold(snippet: str, items: Iterable[Item]) -> frozenset[str]:
    """Return the user's messages that a snippet quotes; all it quotes where none is the user's."""
    said = _literal(snippet)
    if not isinstance(said, list):
        return frozenset()
    quoted = {
        " ".join(_text(each.get("content")).split()) for each in said if isinstance(each, dict)
    } - {""}
    found = [item for item in items if " ".join(item.text.split()) in quoted]
    return frozenset(item.key for item in found if item.mine) or frozenset(
        item.key for item in found
    )


def _literal(text: str) -> object:
    """Return what a cell holds: JSON, or Python's own writing of the same; else the text itself."""
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
    return text
