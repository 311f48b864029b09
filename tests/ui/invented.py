"""What the fake core tells: entries, sources and an answer, all invented."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from clone_app.entries import (
    Answer,
    AnswerEvent,
    Checked,
    Drafted,
    Item,
    Mode,
    Moment,
    Sentence,
    Source,
    SourcesFound,
)
from clone_app.errors import (
    ModelStoppedError,
)
from clone_app.importers.mailbox.folders import Folder
from clone_app.memory.store import SourceRow

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Kind:
    """Name one kind of source."""

    title: str
    help: str = "Where one gets it."


def entry(number: int, **changes: object) -> Item:
    """Return an invented diary entry; the higher the number, the later."""
    day = date(2024, 1, 1) + timedelta(days=number)
    item = Item(
        key=f"diary:{day}:{number:04x}",
        medium="diary",
        moment=Moment.on(day),
        text=f"Day {number}. Walked to the harbour and thought about the move again.",
        mine=True,
        locator=f"diary/{day}.md",
    )
    return replace(item, **changes)  # type: ignore[arg-type]


def folder(name: str, messages: int, *, use: str = "", usual: bool = True) -> Folder:
    """Return a folder of a mail account."""
    return Folder(
        name=name, path=name, use=use, messages=messages, validity=1, next_uid=1, usual=usual
    )


def source_row(**changes: object) -> SourceRow:
    """Return an imported source."""
    row = SourceRow(
        id=1,
        importer="diary",
        title="Diary (Markdown, text)",
        path="/home/ada/diary",
        imported_at=NOW,
        finished=True,
        items=3,
        problems=0,
    )
    return replace(row, **changes)  # type: ignore[arg-type]


SOURCES = (
    Source(
        item_id=1,
        key="diary:2024-01-01:0000",
        moment=Moment.on(date(2024, 1, 1)),
        medium="diary",
        quote="thought about the move again",
        title="",
        author="",
        mine=True,
    ),
    Source(
        item_id=2,
        key="<a@example.org>",
        moment=Moment.of(datetime(2024, 1, 2, 9, 30)),
        medium="mail",
        quote="Walked to the harbour",
        title="The <b>move</b>",
        author="Bob",
        mine=False,
    ),
)
SAID = (
    Sentence("I thought about the move on New Year's Day.", True, (SOURCES[0].key,)),
    Sentence("I wanted to live in Norway.", False, ()),
)


def spoken(question: str, conversation: int = 1) -> list[AnswerEvent]:
    """Return the events of an answer with one supported and one unsupported sentence."""
    return [
        SourcesFound(SOURCES),
        Drafted(" I thought about"),
        Drafted(" the move on New Year's Day."),
        Checked(SAID[0]),
        Drafted(" I wanted to live in Norway."),
        Checked(SAID[1]),
        Answer(
            question=question,
            text=" ".join(sentence.text for sentence in SAID),
            sentences=SAID,
            sources=SOURCES,
            mode=Mode.GROUNDED,
            model="fake",
            seconds=1.5,
            conversation=conversation,
        ),
    ]


STOPPED = ModelStoppedError("The language model ended by itself. Restart it and ask again.")
