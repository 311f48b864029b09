"""Make the sample life's benchmark file from its exports: the same entries in CloneMem's form.

The exports below `resources/sample_life/en` are read by the program's own importers, so that what a
newcomer imports and what a benchmark measures are one life. `sample_life_questions.json` beside this file
holds the hand-written questions, which name their evidence by references such as `diary:2024-03-10`,
`email:2024-03-11T00:48`, `chat:Bridie:2024-03-05`, `post:2024-03-02T19:44`, `calendar:2024-03-14T14:05`.

    python packaging/sample_life.py            # write the file
    python packaging/sample_life.py --list     # print every reference with its first words
"""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from hashlib import sha256
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from clone_app.entries import Item, Precision  # noqa: E402
from clone_app.importers.archive import open_tree  # noqa: E402
from clone_app.importers.recognise import read_all, recognise  # noqa: E402
from clone_app.progress import Progress  # noqa: E402
from clone_app.protocols import Reading  # noqa: E402

LIFE = ROOT / "resources" / "sample_life" / "en"
QUESTIONS = Path(__file__).with_name("sample_life_questions.json")
OUTPUT = ROOT / "resources" / "sample_life" / "clonemem"
HOME = ZoneInfo("Europe/London")
LETTERS = "ABCD"
# A page of a diary tells its day alone; it is read once the day is over.
END_OF_DAY = time(23, 30)


@dataclass(frozen=True, slots=True)
class Trace:
    """Hold one trace of the life; `ref` is what the questions call it, `keys` the items in it."""

    ref: str
    medium: str
    when: datetime
    content: str
    keys: tuple[str, ...]


def items_of(life: Path) -> list[Item]:
    """Return every item the importers find in the exports, read as their person."""
    lines = (life / "me.txt").read_text("utf-8").splitlines()
    reading = Reading(me=frozenset(line.strip().casefold() for line in lines if line.strip()))
    with open_tree(life) as tree:
        found = list(read_all(recognise(tree), reading, Progress()))
    return [one for one in found if isinstance(one, Item)]


def traces_of(items: Sequence[Item]) -> list[Trace]:
    """Return the traces of these items in the order of time; a chat's day is one trace."""
    chats: dict[tuple[str, str], list[Item]] = {}
    mails = {item.key: item for item in items if item.medium == "mail"}
    traces: list[Trace] = []
    for item in items:
        if item.medium == "chat" and item.locator.startswith("whatsapp/"):
            chats.setdefault((item.title, _local(item).date().isoformat()), []).append(item)
        else:
            traces.append(_single(item, mails))
    groups = {
        title
        for title in {title for title, _ in chats}
        if len({one.author for key, told in chats.items() if key[0] == title for one in told}) > 2
    }
    for (title, day), told in chats.items():
        traces.append(_conversation(title, day, told, group=title in groups))
    traces.sort(key=lambda trace: (trace.when, trace.ref))
    refs = [trace.ref for trace in traces]
    assert len(set(refs)) == len(refs), "two traces have one reference"
    return traces


def _local(item: Item) -> datetime:
    """Return the wall clock at home; the hour of a day's page is the end of that day."""
    local = item.moment.local
    assert local is not None, f"{item.locator} is undated"
    if item.moment.precision is Precision.DAY:
        return datetime.combine(local.date(), END_OF_DAY if item.medium == "diary" else time.min)
    if item.moment.offset is None:
        return local
    start = item.moment.start(HOME)
    assert start is not None
    return start.astimezone(HOME).replace(tzinfo=None)


def _minute(when: datetime) -> str:
    return when.isoformat(timespec="minutes")


def _single(item: Item, mails: Mapping[str, Item]) -> Trace:
    when = _local(item)
    day_alone = item.moment.precision is Precision.DAY
    stamp = when.date().isoformat() if day_alone else _minute(when)
    match item.medium:
        case "mail":
            return Trace(f"email:{stamp}", "email", when, _mail(item, mails), (item.key,))
        case "calendar":
            content = _event(item, when, day_alone=day_alone)
            return Trace(f"calendar:{stamp}", "calendar_event", when, content, (item.key,))
        case "chat":
            content = f"To {', '.join(item.recipients)}\n\n{item.text}"
            return Trace(f"direct:{stamp}", "chat_private", when, content, (item.key,))
        case "post":
            text = item.text if item.mine else f"Boosted a post of {item.author}:\n{item.text}"
            head = f"Content warning: {item.title}\n\n" if item.title else ""
            return Trace(f"post:{stamp}", "social_media", when, head + text, (item.key,))
        case _:
            shown = item.text.lstrip("# ").startswith(item.title) if item.title else True
            content = item.text if shown else f"# {item.title}\n\n{item.text}"
            return Trace(f"diary:{stamp}", "diary", when, content, (item.key,))


def _mail(item: Item, mails: Mapping[str, Item]) -> str:
    rows = [f"From: {item.author}", f"To: {', '.join(item.recipients)}", f"Subject: {item.title}"]
    parts = ["\n".join(rows), item.text]
    if picked := _picked_out(item.context, mails):
        parts.append("Lines of the mail this answers:\n" + "\n".join(f"> {row}" for row in picked))
    return "\n\n".join(parts)


def _picked_out(context: str, mails: Mapping[str, Item]) -> list[str]:
    """Return the lines of another mail that were picked out to be answered one by one.

    A mail quoted whole below its answer is a trace of its own and isn't told twice; signatures aren't
    told at all. But an answer to a single line can't be understood without that line.
    """
    quoted = [row[1:].strip() for row in context.splitlines() if row.startswith(">")]
    rows = [row for row in quoted if row and row != "[...]"]
    if not rows:
        return []
    letters = sum(map(len, rows))
    for mail in mails.values():
        told = " ".join(mail.text.split())
        if all(row in told for row in rows):
            return rows if letters * 2 < len(told) else []
    return []


def _event(item: Item, when: datetime, *, day_alone: bool) -> str:
    day = f"{when:%A} {when.day} {when:%B %Y}"
    first, _, rest = item.text.partition("\n")
    told = day if day_alone else f"{day}, {when:%H:%M}"
    state = "\nCancelled" if "cancelled" in item.labels else ""
    return f"{first}\nWhen: {told}{state}\n{rest}".strip()


def _conversation(title: str, day: str, told: Sequence[Item], *, group: bool) -> Trace:
    rows = [f"{_local(one):%H:%M} {one.author}: {one.text}" for one in told]
    head = f"Group “{title}”" if group else f"Chat with {title}"
    return Trace(
        f"chat:{title}:{day}",
        "chat_group" if group else "chat_private",
        _local(told[-1]),
        "\n".join((head, *rows)),
        tuple(one.key for one in told),
    )


def benchmark(traces: Sequence[Trace], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the persona file: the traces, and the questions with their options shared out.

    Right options stand at A, B, C and D in turn, in an order that the questions' ids decide.
    """
    person = uuid.UUID(asked["person_id"])
    ids = {trace.ref: str(uuid.uuid5(person, trace.ref)) for trace in traces}
    answerable = [one for one in asked["asked"] if one["type"] != "unanswerable"]
    order = sorted(answerable, key=lambda one: _hash(one["id"]))
    place = {one["id"]: number % len(LETTERS) for number, one in enumerate(order)}
    return {
        "person_name": asked["person_name"],
        "person_id": str(person),
        "context": [
            {
                "id": ids[trace.ref],
                "medium": trace.medium,
                "event_date": trace.when.isoformat(timespec="seconds"),
                "content": trace.content,
            }
            for trace in traces
        ],
        "qa_items": [
            _question(one, ids, person, asked["unknown"], place.get(one["id"]))
            for one in asked["asked"]
        ],
    }


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _question(
    one: Mapping[str, Any],
    ids: Mapping[str, str],
    person: uuid.UUID,
    unknown: str,
    place: int | None,
) -> dict[str, Any]:
    texts = sorted(one["wrong"], key=lambda text: _hash(one["id"] + text))
    if place is not None:
        texts.insert(place, one["right"])
    assert len(texts) == len(LETTERS), f"{one['id']} has {len(texts)} options beside E"
    evidence = [
        {"statement": said["statement"], "digital_trace_ids": [ids[ref] for ref in said["traces"]]}
        for said in one["evidence"]
    ]
    named = [name for said in evidence for name in said["digital_trace_ids"]]
    return {
        "id": str(uuid.uuid5(person, f"question:{one['id']}")),
        "question": one["question"],
        "question_type": one["type"],
        "question_time": one["at"] + ":00",
        "answer": one["answer"],
        "dimension": one["dimension"],
        "digital_trace_ids": list(dict.fromkeys(named)),
        "evidence": evidence,
        "choices": [
            {"id": letter, "text": text}
            for letter, text in zip((*LETTERS, "E"), (*texts, unknown), strict=True)
        ],
        "correct_choice_id": "E" if place is None else LETTERS[place],
    }


def file_name(asked: Mapping[str, Any]) -> str:
    """Return the name CloneMem gives such a file."""
    person = asked["person_name"].lower().replace(" ", "_")
    return f"{person}_{asked['person_id']}_benchmark_en.json"


def as_written(made: Mapping[str, Any]) -> str:
    """Return the file's text: a trace or a question a line, so that a change shows as one."""
    rows = [f"{_json(key)}:{_json(value)}" for key, value in made.items() if isinstance(value, str)]
    for key in ("context", "qa_items"):
        rows.append(f"{_json(key)}:[\n" + ",\n".join(map(_json, made[key])) + "\n]")
    return "{" + ",\n".join(rows) + "}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_questions(path: Path = QUESTIONS) -> dict[str, Any]:
    """Return the hand-written questions."""
    asked: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return asked


def main() -> None:
    """Write the benchmark file, or list the references."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--list", action="store_true")
    traces = traces_of(items_of(LIFE))
    if arguments.parse_args().list:
        for trace in traces:
            words = " ".join(trace.content.split())
            print(f"{trace.ref:34} {trace.when:%a %Y-%m-%d %H:%M} {words[:90]}")
        return
    asked = read_questions()
    OUTPUT.mkdir(exist_ok=True)
    path = OUTPUT / file_name(asked)
    path.write_text(as_written(benchmark(traces, asked)), "utf-8")
    print(f"{path.name}: {len(traces)} traces, {len(asked['asked'])} questions")


if __name__ == "__main__":
    main()
