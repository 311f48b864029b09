"""The main job on real input with the real models: import, ask, read where the answer comes from."""

from __future__ import annotations

import contextlib
import re
import shutil
import threading
import time
from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.entries import Answer, Mode, Source, SourcesFound
from clone_app.errors import Cancelled
from clone_app.progress import Progress

from .conftest import new_app

pytestmark = [pytest.mark.real, pytest.mark.timeout(420)]

PEPYS = [
    "When did you bury your parmesan cheese?",
    "Where did the fire begin?",
    "What did you do with your wine during the fire?",
    "Were you afraid of the plague?",
    "What did you think of Sir William Penn?",
    "Did you quarrel with your wife?",
    "What did you pay for a periwig?",
    "Which plays did you see?",
    "How were your eyes?",
    "What did the Duke of Albemarle say about the fleet?",
    "Did you play the flageolet?",
    "Who is Mercer?",
    "How did you spend Christmas?",
    "What happened on 2 September 1666?",
    "Did you ever drink tea?",
]
SAMPLE_QUESTIONS = [
    "How do you feel about living in Wrackham?",
    "Who is Hazel?",
    "What did the book press cost?",
    "Why did you leave Corrabell?",
    "Where did you find the cat?",
    "What is your sister's baby called?",
    "Did you pass your driving test?",
    "What did the doctor say about your heart?",
    "How much did the logbook order bring?",
    "When did you move house?",
]
ABSENT = ["What do you think of your smartphone?", "Which computer did your helicopter pilot buy?"]


def asked(app: App, question: str) -> Answer:
    events = list(app.ask(question, progress=Progress()))
    assert isinstance(events[0], SourcesFound)
    assert isinstance(events[-1], Answer)
    return events[-1]


def items_of(app: App, answer: Answer) -> dict[str, str]:
    return {source.key: app.item(source.item_id).item.text for source in answer.sources}


def check_invariants(app: App, answer: Answer) -> None:
    """Assert what every answer promises, by means that share nothing with the program's own."""
    texts = items_of(app, answer)
    moments = {source.key: source for source in answer.sources}
    for source in answer.sources:
        assert source.quote in texts[source.key]
    for sentence in answer.sentences:
        assert set(sentence.citations) <= texts.keys()
        if sentence.supported:
            assert sentence.citations
            cited = " ".join(texts[key] + " " + dated(moments[key]) for key in sentence.citations)
            for number in re.findall(r"\d+", sentence.text):
                assert number in cited, sentence.text
            for word in re.findall(r"(?<=[a-z,;] )[A-Z][a-z]{2,}", sentence.text):
                assert word in cited, sentence.text
        if answer.mode is Mode.QUOTE:
            frame, quotation = re.fullmatch(r"([^“]*) “(.*)”", sentence.text, re.DOTALL).groups()  # type: ignore[union-attr]
            assert any(quotation in texts[key] for key in sentence.citations)
            assert re.match(r"(On \d{1,2} \w+ \d{4}|In |At some time)", frame)
    if answer.abstained:
        silences = ("I never wrote about that.", "I find no clear answer to that in what I wrote.")
        assert answer.sentences[0].text in silences
        assert not answer.sentences[0].citations


def dated(source: Source) -> str:
    local = source.moment.local
    author = source.author if not source.mine else ""
    return f"{author} I On In At {local:%d %B %Y %A} {local.day}" if local else author


def test_the_cheese_is_found_though_he_spelled_it_otherwise(pepys_1666: App) -> None:
    answer = asked(pepys_1666, "When did you bury your parmesan cheese?")
    assert "1666-09-14" in [source.moment.iso() for source in answer.sources]
    assert not answer.abstained


@pytest.mark.parametrize("question", ABSENT)
def test_what_he_never_wrote_about_is_not_answered(pepys_1666: App, question: str) -> None:
    answer = asked(pepys_1666, question)
    assert answer.abstained
    check_invariants(pepys_1666, answer)


def test_every_answer_keeps_its_promises(pepys_1666: App, sample_app: App) -> None:
    modes = set()
    for app, questions in ((pepys_1666, PEPYS), (sample_app, SAMPLE_QUESTIONS)):
        for question in questions:
            answer = asked(app, question)
            check_invariants(app, answer)
            modes.add(answer.mode)
    assert Mode.QUOTE in modes or Mode.GROUNDED in modes


def test_stop_is_obeyed_while_the_models_are_still_loading(sample_app: App) -> None:
    for wait in (0.02, 0.3, 0.9, 1.6):
        sample_app.restart_models()
        progress = Progress()
        stopped: list[float] = []

        def stop(progress: Progress = progress, stopped: list[float] = stopped) -> None:
            stopped.append(time.perf_counter())
            progress.cancel()

        timer = threading.Timer(wait, stop)
        timer.start()
        with contextlib.suppress(Cancelled):
            for _ in sample_app.ask("Who is Hazel and why do you like her?", progress=progress):
                pass
        ended = time.perf_counter()
        timer.join()
        assert ended - stopped[0] < 0.5


def test_a_second_question_goes_on_with_the_conversation(sample_app: App) -> None:
    first = asked(sample_app, "Who is Hazel?")
    again = list(
        sample_app.ask(
            "And where does she work?", conversation=first.conversation, progress=Progress()
        )
    )[-1]
    assert isinstance(again, Answer)
    assert again.conversation == first.conversation
    assert [turn.question for turn in sample_app.turns(first.conversation or 0)] == [
        "Who is Hazel?",
        "And where does she work?",
    ]
    check_invariants(sample_app, again)


def test_the_whole_of_pepys_diary_is_imported_day_by_day(shared_data: Path, tmp_path: Path) -> None:
    app = new_app(tmp_path / "home")
    folder = shared_data / "diary" / "pepys"
    report = app.import_(folder, vectors=False, progress=Progress())
    assert (report.seen, report.added, report.undated, report.problems) == (3413, 3413, 0, ())
    assert {locator for locator, _ in report.skipped} == {"LICENSE.md", "PROVENANCE.txt"}
    days = [str(stored.item.moment.iso()) for stored in app.items()]
    printed = [
        day
        for path in sorted(folder.glob("16*.md"))
        for day in re.findall(r"^## (\d{4}-\d\d-\d\d)$", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert sorted(days) == sorted(printed)
    assert (days[0][:4], days[-1][:4]) == ("1660", "1669")
    moved = shutil.copytree(folder, tmp_path / "elsewhere" / "diary")
    for path in (folder, moved):
        again = app.import_(path, vectors=False, progress=Progress())
        assert (again.added, again.updated, again.unchanged) == (0, 0, 3413)
    app.close()


def test_320_odd_messages_are_283_items_and_37_duplicates(
    shared_data: Path, tmp_path: Path
) -> None:
    app = new_app(tmp_path / "home")
    folder = shared_data / "email" / "notmuch-corpora"
    report = app.import_(folder, vectors=False, progress=Progress())
    assert (report.seen, report.added, report.duplicates, report.problems) == (320, 283, 37, ())
    moved = shutil.copytree(folder, tmp_path / "elsewhere")
    for path in (folder, moved):
        again = app.import_(path, vectors=False, progress=Progress())
        assert (again.added, again.updated) == (0, 0)
        assert (again.unchanged, again.duplicates) == (283, 37)
    app.close()


@pytest.mark.parametrize(("persona", "count"), [("guiling_chen", 324), ("yu_zhou", 363)])
def test_a_clonemem_persona_is_a_life(
    shared_data: Path, tmp_path: Path, persona: str, count: int
) -> None:
    app = new_app(tmp_path / "home")
    path = next((shared_data / "clonemem" / "100k").glob(f"{persona}_*.json"))
    report = app.import_(path, vectors=False, progress=Progress())
    assert (report.seen, report.added, report.mine, report.problems) == (count, count, count, ())
    assert all(stored.item.moment.start(UTC) for stored in app.items())
    again = app.import_(path, vectors=False, progress=Progress())
    assert (again.added, again.updated, again.unchanged) == (0, 0, count)
    app.close()


def test_a_marker_asked_and_answered_is_nowhere_in_plain(
    app_with: Callable[[Path], App], tmp_path: Path
) -> None:
    folder = tmp_path / "diary"
    folder.mkdir()
    for day in range(1, 29):
        (folder / f"2024-02-{day:02}.md").write_text(f"An ordinary day, the {day}th of the month.")
    (folder / "2024-03-01.md").write_text("The quetzalcoatlus ate my bicycle near the bakery.")
    app = app_with(folder)
    answer = asked(app, "What did the quetzalcoatlus eat?")
    assert "quetzalcoatlus" in answer.text
    on_disk = [path for path in app.home.rglob("*") if path.is_file()]
    assert any(path.suffix == ".lance" for path in on_disk)
    for path in on_disk:
        held = path.read_bytes()
        assert b"quetzalcoatlus" not in held, path
        assert "quetzalcoatlus".encode("utf-16-le") not in held, path
