"""Read LifeBench users (arXiv 2603.03781, Apache-2.0): a year of a phone and questions about it."""

from __future__ import annotations

import json
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from clone_app.entries import Item, Moment
from clone_app.errors import CloneAppError
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.evaluation.suites.language import language_of
from clone_app.evaluation.suites.pins import hash_files

_MEDIA = {
    "sms": "chat",
    "call": "call",
    "calendar": "calendar",
    "note": "note",
    "photo": "photo",
    "push": "notification",
    "agent_chat": "chat",
}
_QUESTIONS = Path("QA", "QA_clean.json")
# More evidence than this is a summary of a year, not something ten hits can hold.
GOLD_AT_MOST = 40


def recognises(folder: Path) -> bool:
    """Tell whether a folder is one user's."""
    return (folder / "phone_data").is_dir() and (folder / _QUESTIONS).is_file()


def read_life(folder: Path) -> Life:
    """Return one user's folder (`phone_data/`, `QA/`) as a life.

    Evidence that doesn't exist in the data (50 of one user's 1,726 ids) is dropped and counted.
    """
    try:
        items = tuple(_items(folder))
        asked = json.loads((folder / _QUESTIONS).read_text("utf-8"))
        keys = frozenset(item.key for item in items)
        questions = tuple(_question(str(at), each, keys) for at, each in enumerate(asked))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise CloneAppError(
            f"{folder} is not a LifeBench user's folder ({type(fault).__name__}: {fault}). "
            "Choose the folder that holds phone_data and QA, or download it again."
        ) from fault
    if not items or not questions:
        raise CloneAppError(
            f"{folder} holds no {'questions' if items else 'entries'}. Download it again."
        )
    language = language_of(item.text for item in items)
    files = [*(folder / "phone_data").glob("*.json"), folder / _QUESTIONS]
    return Life(
        suite="lifebench",
        name=f"{folder.name} ({language})",
        items=items,
        questions=questions,
        id=folder.name,
        language=language,
        sha256=hash_files(files, folder),
        notes=_notes(questions, asked),
    )


def _notes(questions: tuple[SuiteQuestion, ...], asked: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return what is odd about a life and yet no error."""
    dropped = [question.dropped for question in questions if question.dropped]
    unused = sum(
        bool(each.get("evidence")) and not question.statements and not question.dropped
        for question, each in zip(questions, asked, strict=True)
    )
    notes = []
    if dropped:
        notes.append(
            f"{sum(dropped)} evidence ids of {len(dropped)} questions are not in the data and are "
            "left out."
        )
    if unused:
        notes.append(
            f"{unused} questions rest on more than {GOLD_AT_MOST} entries and are left out of recall."
        )
    return tuple(notes)


def _items(folder: Path) -> Iterator[Item]:
    seen: set[str] = set()
    for kind, medium in _MEDIA.items():
        path = folder / "phone_data" / f"{kind}.json"
        for entry in json.loads(path.read_text("utf-8")) if path.is_file() else ():
            key = f"{kind}:{entry['phone_id']}"
            if key in seen:  # a few ids occur twice in a file
                key = f"{key}#{len(seen)}"
            seen.add(key)
            title, text = _words(kind, entry)
            yield Item(
                key=key,
                medium=medium,
                moment=_moment(entry),
                text=text,
                title=title,
                mine=kind in ("note", "calendar", "photo", "agent_chat")
                or entry.get("message_type") in ("Send", "发送"),
                locator=f"{kind}.json#{entry['phone_id']}",
                recipients=tuple(filter(None, (str(entry.get("contactName") or ""),))),
            )


def _moment(entry: dict[str, Any]) -> Moment:
    if "datetime" in entry:
        return Moment.of(datetime.fromisoformat(entry["datetime"]))
    return Moment.on(date.fromisoformat(entry["date"]))


def _words(kind: str, entry: dict[str, Any]) -> tuple[str, str]:
    """Return an entry's title and its text, in the fields' own words."""
    match kind:
        case "sms":
            return "", f"{entry['message_content']}\n({entry['message_type']})"
        case "call":
            said = (entry.get("call_type", ""), entry.get("call_result", ""))
            return "", " ".join(filter(None, ("call", str(entry["contactName"]), *map(str, said))))
        case "calendar":
            span = f"{entry.get('start_time', '')} – {entry.get('end_time', '')}"
            return str(entry["title"]), f"{entry.get('description', '')}\n{span}"
        case "note":
            return str(entry["title"]), str(entry["content"])
        case "photo":
            place = entry.get("location") or {}
            where = " ".join(str(value) for value in place.values() if value)
            faces, tags = entry.get("faceRecognition") or (), entry.get("imageTag") or ()
            return "", "\n".join(
                filter(
                    None,
                    (entry.get("caption"), where, " ".join(map(str, faces)), " ".join(tags)),
                )
            )
        case "push":
            return str(entry["title"]), f"{entry['content']}\n{entry.get('source', '')}"
        case _:
            turns = entry["conversation"].values()
            return "", "\n".join(
                str(said.get("content", ""))
                for turn in turns
                for said in turn.values()
                if isinstance(said, dict)
            )


def _question(number: str, asked: dict[str, Any], keys: frozenset[str]) -> SuiteQuestion:
    named = [f"{each['type']}:{each['id']}" for each in asked.get("evidence") or ()]
    held = [key for key in dict.fromkeys(named) if key in keys]
    year, month = (int(part) for part in asked["ask_time"].split("-"))
    last = date(year, month, monthrange(year, month)[1])
    usable = held if len(held) <= GOLD_AT_MOST else []
    choices = tuple(
        (str(each["option"]), str(each["content"])) for each in asked.get("options") or ()
    )
    return SuiteQuestion(
        id=number,
        text=str(asked["question"]),
        asked_at=datetime.combine(last, time.max),
        kind=str(asked["question_type"]),
        dimension="",
        statements=tuple(frozenset({key}) for key in usable),
        dropped=len(set(named)) - len(held),
        answer=str(asked["answer"]),
        choices=choices,
        correct=str(asked["answer"]).strip() if choices else "",
        points=tuple(
            (str(each["description"]), float(each["score"]))
            for each in asked.get("score_points") or ()
        ),
    )
