"""Read PAL-Bench (Mem-PAL, arXiv 2511.13410): logs and dialogues, and which solutions a user likes.

Of its tasks the selection is asked: a requirement, eight solutions, two to choose; no judge is
needed. A session's own dialogue is seen by later sessions only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from clone_app.entries import Item, Moment, clean_text
from clone_app.errors import CloneAppError
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.evaluation.suites.language import language_of
from clone_app.evaluation.suites.pins import hash_file

CHOOSE = 2
_WORTH = {"pos": 1.0, "positive": 1.0, "neg": -1.0, "negative": -1.0, "neu": 0.0, "neutral": 0.0}
_IDS = "ABCDEFGH"
_HEAD = 65_536
_AGAIN = "Download it again from the benchmark's release."


def recognises(path: Path) -> bool:
    """Tell whether a file looks like PAL-Bench's, by the names in its first bytes."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return all(name in head for name in (b'"history"', b'"sample_id"', b'"dialogue_timestamp"'))


def read_lives(path: Path) -> tuple[Life, ...]:
    """Return a life a user; raise `CloneAppError` for a file that can't be trusted."""
    try:
        whole = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as fault:
        raise CloneAppError(
            f"{path.name} is truncated or damaged ({type(fault).__name__}). {_AGAIN}"
        ) from fault
    sha256 = hash_file(path)
    user = ""
    try:
        lives = []
        for user, told in whole.items():
            lives.append(_life(path, str(user), told, sha256))
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise CloneAppError(
            f"{path.name} is not of PAL-Bench's form at user {user or 1} "
            f"({type(fault).__name__}: {fault}). {_AGAIN}"
        ) from fault
    if not lives:
        raise CloneAppError(f"{path.name} holds no users. {_AGAIN}")
    return tuple(lives)


def _life(path: Path, user: str, told: dict[str, Any], sha256: str) -> Life:
    samples = [*told["history"], *told["query"]]
    items = tuple(item for sample in samples for item in _items(sample))
    questions = tuple(each for sample in told["query"] for each in _questions(path, sample))
    keys = [item.key for item in items]
    ids = [each.id for each in questions]
    for what, names in (("Entry", keys), ("Question", ids)):
        if len(set(names)) < len(names):
            twin = next(name for name in names if names.count(name) > 1)
            raise CloneAppError(f"{what} {twin} occurs twice in {path.name}. {_AGAIN}")
    if not items or not questions:
        missing = "questions" if items else "logs and dialogues"
        raise CloneAppError(f"User {user} of {path.name} has no {missing}. {_AGAIN}")
    return Life(
        suite="pal-bench",
        name=f"User {user}",
        items=items,
        questions=questions,
        id=user,
        language=language_of(item.text for item in items),
        sha256=sha256,
    )


def _items(sample: dict[str, Any]) -> Iterator[Item]:
    name = str(sample["sample_id"])
    for place, log in enumerate(sample["logs"]):
        if text := clean_text(str(log["content"])).strip():
            yield Item(
                key=f"{name}:log{place}",
                medium="log",
                moment=Moment.of(_when(log["timestamp"])),
                text=text,
                mine=True,
                locator=f"{name}#log{place}",
            )
    # A second later, so that the session's own questions don't see how its user reacts.
    spoken = Moment.of(_when(sample["dialogue_timestamp"]) + timedelta(seconds=1))
    for turn, both in (sample.get("dialogue") or {}).items():
        for role in ("user", "assistant"):
            text = clean_text(str((both.get(role) or {}).get("content") or "")).strip()
            if text:
                yield Item(
                    key=f"{name}:{turn}:{role}",
                    medium="chat",
                    moment=spoken,
                    text=text,
                    mine=role == "user",
                    author="" if role == "user" else "Assistant",
                    locator=f"{name}#{turn}",
                    thread=name,
                )


def _questions(path: Path, sample: dict[str, Any]) -> Iterator[SuiteQuestion]:
    for topic, told in sample["topics"].items():
        name = f"{sample['sample_id']}:{topic}"
        offered = told["candidate_solutions"]
        if len(offered) > len(_IDS) or len(offered) <= CHOOSE:
            raise CloneAppError(
                f"Topic {name} of {path.name} offers {len(offered)} solutions instead of "
                f"{len(_IDS)}. {_AGAIN}"
            )
        worth = tuple(_worth(path, name, each) for each in offered)
        yield SuiteQuestion(
            id=name,
            text=str(told["requirement"]),
            asked_at=_when(sample["dialogue_timestamp"]),
            kind="selection",
            dimension="",
            statements=(),
            answer="; ".join(_liked(offered, worth)),
            choices=tuple(
                (letter, str(each["solution"])) for letter, each in zip(_IDS, offered, strict=False)
            ),
            worth=worth,
            choose=CHOOSE,
            assistant=True,
        )


def _worth(path: Path, name: str, offered: dict[str, Any]) -> float:
    feedback = str(offered["feedback"]).strip().casefold()
    if feedback not in _WORTH:
        raise CloneAppError(
            f"Topic {name} of {path.name} has a solution with the feedback “{feedback[:20]}” instead "
            f"of pos, neg or neu. {_AGAIN}"
        )
    return _WORTH[feedback]


def _liked(offered: Iterable[dict[str, Any]], worth: Iterable[float]) -> list[str]:
    return [str(each["solution"]) for each, value in zip(offered, worth, strict=True) if value > 0]


def _when(text: str) -> datetime:
    return datetime.fromisoformat(str(text).strip()).replace(tzinfo=None)
