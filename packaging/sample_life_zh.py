"""Build the Chinese sample life in CloneMem's form from its exports and its questions.

`python packaging/sample_life_zh.py` writes the file, `--check` only says whether it is up to date.
The exports go through the program's own importers, so the two forms hold the same words. In
`questions.json` evidence names its traces by kind and day (`d:2024-03-01` is that day's diary, `c:`
the chat, `m:` the mail, `k:` the calendar); each day has one of a kind.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from clone_app.entries import Item, Precision
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Reading

LIFE = Path(__file__).resolve().parents[1] / "resources" / "sample_life" / "zh"
PERSON, NAME = UUID("5b0c7f1e-93d2-4c86-a1f4-6e2d8b907a35"), "祁砚秋"
BUILT = LIFE / "clonemem" / f"yanqiu_qi_{PERSON}_benchmark_zh.json"
UNKNOWN = "根据现有信息无法确定"
_KINDS = {"diary": "d", "chat": "c", "mail": "m", "calendar": "k"}
_MEDIA = {"d": "diary", "c": "chat_private", "m": "email", "k": "calendar_event"}
# The form asks for a clock where a source knows the day alone: a diary is written in the evening, an
# event of a whole day stands there from the morning.
_CLOCKS = {"d": time(22), "k": time(8)}


@dataclass(frozen=True, slots=True)
class Trace:
    """Hold one trace: `name` is what evidence calls it, `when` the moment it is there to be seen."""

    name: str
    medium: str
    when: datetime
    content: str
    id: str


def read_items(exports: Path = LIFE / "exports") -> list[Item]:
    """Return everything in the exports; raise `ValueError` for anything that could not be read."""
    me = (exports / "me.txt").read_text("utf-8").split()
    reading = Reading(me=frozenset(name.casefold() for name in me))
    items: list[Item] = []
    with open_tree(exports) as tree:
        recognition = recognise(tree)
        for found in read_all(recognition, reading, Progress()):
            if isinstance(found, Item):
                items.append(found)
            elif "#program" not in found.locator and found.locator != "me.txt":
                raise ValueError(f"{found.locator}: {found.reason}")
    return items


def traces_of(items: Iterable[Item]) -> list[Trace]:
    """Return the traces in the order of time; the messages of one chat and day are one trace."""
    gathered: dict[str, list[Item]] = {}
    for item in items:
        day = item.moment.day()
        if day is None:
            raise ValueError(f"{item.locator} has no date.")
        gathered.setdefault(f"{_KINDS[item.medium]}:{day.isoformat()}", []).append(item)
    made = (_trace(name, group) for name, group in gathered.items())
    return sorted(made, key=lambda trace: (trace.when, trace.name))


def _trace(name: str, items: list[Item]) -> Trace:
    kind, last = name[0], items[-1]
    if kind != "c" and len(items) > 1:
        raise ValueError(f"{name} names more than one entry, so evidence can't tell them apart.")
    local = last.moment.local
    assert local is not None
    if last.moment.precision is Precision.DAY:
        local = datetime.combine(local, _CLOCKS[kind])
    content = {"d": _diary, "c": _chat, "m": _mail, "k": _event}[kind](items)
    return Trace(name, _MEDIA[kind], local, content, str(uuid5(PERSON, f"trace:{name}")))


def _diary(items: list[Item]) -> str:
    day = items[0].moment.day()
    assert day is not None
    return f"# 日记 {day.year}年{day.month}月{day.day}日\n\n{items[0].text}"


def _chat(items: list[Item]) -> str:
    day = items[0].moment.day()
    assert day is not None
    lines = [f"**{one.author}**（{one.moment.local:%H:%M}）：{one.text}" for one in items]
    head = f"# 与{items[0].title}的聊天 {day.year}年{day.month}月{day.day}日"
    return "\n\n".join((head, *lines))


def _mail(items: list[Item]) -> str:
    mail = items[0]
    head = f"# {mail.title}\n\n发件人：{mail.author}\n收件人：{'、'.join(mail.recipients)}"
    quoted = f"\n\n{mail.context.strip()}" if mail.context.strip() else ""
    return f"{head}\n\n{mail.text}{quoted}"


def _event(items: list[Item]) -> str:
    event = items[0]
    assert event.moment.local is not None
    clock = "" if event.moment.precision is Precision.DAY else f" {event.moment.local:%H:%M}"
    head = f"# 日程 {event.moment.local:%Y-%m-%d}{clock}"
    return f"{head}\n\n{event.text}"


def build(asked: list[dict[str, Any]], traces: list[Trace]) -> dict[str, Any]:
    """Return the persona file: who it is, the traces, the questions with their evidence as ids."""
    ids = {trace.name: trace.id for trace in traces}
    return {
        "person_name": NAME,
        "person_id": str(PERSON),
        "context": [
            {
                "id": trace.id,
                "medium": trace.medium,
                "event_date": trace.when.isoformat(timespec="seconds"),
                "content": trace.content,
            }
            for trace in traces
        ],
        "qa_items": [_question(one, ids) for one in asked],
    }


def _question(asked: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    evidence = [
        {"statement": statement, "digital_trace_ids": [ids[name] for name in names]}
        for statement, *names in asked["evidence"]
    ]
    texts = list(asked["wrong"])
    if asked["place"] != "E":
        texts.insert("ABCD".index(asked["place"]), asked["right"])
    return {
        "id": str(uuid5(PERSON, f"question:{asked['name']}")),
        "question": asked["question"],
        "question_type": asked["type"],
        "question_time": asked["at"],
        "answer": asked.get("answer") or asked["right"],
        "dimension": asked["dimension"],
        "digital_trace_ids": list(
            dict.fromkeys(key for each in evidence for key in each["digital_trace_ids"])
        ),
        "evidence": evidence,
        "choices": [
            {"id": letter, "text": text}
            for letter, text in zip("ABCDE", (*texts, UNKNOWN), strict=True)
        ],
        "correct_choice_id": asked["place"],
    }


def written() -> str:
    """Return the whole file as text."""
    asked = json.loads((LIFE / "questions.json").read_text("utf-8"))
    return json.dumps(build(asked, traces_of(read_items())), ensure_ascii=False, indent=1) + "\n"


def main(arguments: list[str]) -> int:
    """Write the file, or with `--check` compare it; return the exit code."""
    text = written()
    if arguments == ["--check"]:
        same = BUILT.is_file() and BUILT.read_text("utf-8") == text
        print("up to date" if same else f"Run {Path(__file__).name} again: {BUILT.name} is old.")
        return 0 if same else 1
    BUILT.parent.mkdir(exist_ok=True)
    BUILT.write_text(text, "utf-8", newline="\n")
    print(f"{BUILT.name}: {len(text.encode())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
