"""“Test me”: questions from the user's own entries, theirs to change, gone with what they rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.app.evaluating import RETRIEVING, Plan
from clone_app.entries import Item, Moment
from clone_app.errors import CloneAppError
from clone_app.evaluation.suites import UNANSWERABLE
from clone_app.evaluation.suites.own import OwnQuestion
from clone_app.evaluation.suites.own_making import generate
from clone_app.memory.database import rows
from clone_app.memory.removal import Removal
from clone_app.memory.store import Stored
from clone_app.progress import Progress

from .conftest import new_app

NOW = datetime.fromisoformat("2026-01-01T12:00:00")
SYLLABLES = ("bar", "mel", "tor", "vin", "sul", "gep", "rok", "dan")


def rare(number: int, which: int) -> str:
    """A word that one entry alone has."""
    digits = [(number // 8**place) % 8 for place in range(2)]
    return "".join(SYLLABLES[(each + which) % 8] for each in digits) + "qxzwy"[which] + "ing"


def diary(days: int = 40) -> list[tuple[date, str]]:
    """Entries of a day each; every third says what its writer thinks."""
    start = date(2025, 1, 1)
    found = []
    for number in range(days):
        words = [rare(number, which) for which in range(4)]
        text = (
            f"In the morning we went {words[0]} along the {words[1]} canal with nobody about. "
            f"Afterwards the {words[2]} lamps were lit and somebody sang about {words[3]} again."
        )
        if number % 3 == 0:
            text += f" I think that {words[1]} is better than anything people told me about it."
        found.append((start + timedelta(days=5 * number), text))
    return found


def stored(entries: list[tuple[date, str]]) -> list[Stored]:
    return [
        Stored(
            number,
            Item(
                key=f"e{number}",
                medium="diary",
                moment=Moment.on(day),
                text=text,
                mine=True,
                locator="d",
            ),
        )
        for number, (day, text) in enumerate(entries, 1)
    ]


def made(number: int = 24, seed: int = 7, **more: Any) -> tuple[OwnQuestion, ...]:
    entries = stored(diary())
    return generate(entries, number, seed=seed, now=NOW, progress=Progress(), **more)


def test_the_same_entries_and_seed_give_the_same_questions() -> None:
    assert made() == made()
    assert made() != made(seed=8)


def test_each_question_has_the_answer_of_its_entry_and_four_others_from_other_entries() -> None:
    texts = {each.item.key: each.item for each in stored(diary())}
    for each in made():
        asked = each.asked()
        assert len(asked.choices) == 6
        assert len({text for _, text in asked.choices}) == 6
        assert asked.choices[-1][1].startswith("Cannot be determined")
        assert asked.abstaining == "F"
        if each.unanswerable:
            continue
        assert asked.statements == (frozenset({each.entry}),)
        assert dict(asked.choices)[asked.correct] == each.answer
        entry = texts[each.entry]
        if each.kind == "when":
            day = entry.moment.day()
            assert day is not None
            assert each.answer == f"{day.day} {day:%B} {day.year}"
        else:
            assert each.answer in entry.text
            assert not any(wrong in entry.text for wrong in each.wrong)


def test_the_blank_is_where_the_answer_stood() -> None:
    texts = {each.item.key: each.item.text for each in stored(diary())}
    blanked = [each for each in made() if each.kind == "missing word"]
    assert blanked
    for each in blanked:
        sentence = each.text.split("“")[1].rstrip("”")
        assert "____" in sentence
        assert sentence.replace("____", each.answer) in texts[each.entry]


def test_one_in_six_is_asked_before_anything_could_be_known() -> None:
    days = {each.item.key: each.item.moment.local for each in stored(diary())}
    early = [each for each in made() if each.unanswerable]
    assert len(early) >= 3
    for each in early:
        written = days[each.entry]
        assert written is not None
        assert each.asked_at < written
        asked = each.asked()
        assert asked.kind == UNANSWERABLE
        assert (asked.correct, asked.statements) == ("F", ())
        assert each.answer in {text for _, text in asked.choices}  # as a temptation


def test_the_kinds_are_mixed_and_no_entry_is_asked_about_twice() -> None:
    found = made()
    assert {"missing word", "when", "opinion", UNANSWERABLE} <= {each.kind for each in found}
    assert max(Counter(each.entry for each in found).values()) == 1


def test_entries_that_have_a_question_are_left_alone() -> None:
    first = {each.entry for each in made(number=10)}
    again = made(number=40, taken=first)
    assert again
    assert not first & {each.entry for each in again}


def test_what_others_wrote_and_what_bears_no_day_is_never_asked_about() -> None:
    entries = stored(diary(30))
    theirs = [
        Stored(each.id, Item(**{**fields(each.item), "mine": each.id % 2 == 0})) for each in entries
    ]
    found = generate(theirs, 30, seed=7, now=NOW, progress=Progress())
    assert found
    assert {int(each.entry[1:]) % 2 for each in found} == {0}


def fields(item: Item) -> dict[str, Any]:
    return {name: getattr(item, name) for name in Item.__dataclass_fields__}


def test_chinese_entries_are_asked_about_in_chinese() -> None:
    clauses = [
        "去河边跑步",
        "看了一场电影",
        "给母亲打电话",
        "修好了旧单车",
        "在图书馆读书",
        "写了一封长信",
    ]
    entries = [
        (date(2025, 2, 1) + timedelta(days=6 * place), f"今天天气不错，早上起来以后，我{clause}。")
        for place, clause in enumerate(clauses)
    ]
    found = generate(stored(entries), 6, seed=7, now=NOW, progress=Progress())
    assert {each.kind for each in found} == {"missing word", "when"}
    blanked = next(each for each in found if each.kind == "missing word")
    assert blanked.text.endswith("____”。空缺处是什么？")
    assert blanked.answer.removeprefix("我") in clauses
    assert blanked.asked().choices[-1][1] == "无法确定"


# --- kept in a profile -------------------------------------------------------------------------------


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    folder = tmp_path / "diary"
    folder.mkdir()
    for day, text in diary():
        (folder / f"{day.isoformat()}.md").write_text(text, "utf-8")
    made = new_app(tmp_path / "home")
    made.import_(folder, progress=Progress())
    yield made
    made.close()


def test_questions_are_kept_changed_and_deleted(app: App) -> None:
    found = app.generate_own(12, 7, Progress())
    assert len(found) == 12
    assert app.own_questions() == found
    changed = app.edit_own(found[0].id, text="What was it?", answer="A heron.")
    assert (changed.text, changed.answer, changed.written) == ("What was it?", "A heron.", True)
    assert app.own_questions()[0] == changed
    assert app.delete_own([found[0].id, found[1].id, 999]) == 2
    assert app.own_questions() == found[2:]


def test_a_question_of_ones_own_rests_on_an_entry_if_one_is_named(app: App) -> None:
    key = app.items(limit=1)[0].item.key
    made = app.add_own("  Where did\nwe go? ", "Along the canal", ["To town", "Nowhere"], entry=key)
    asked = made.asked()
    assert asked.text == "Where did we go?"
    assert asked.statements == (frozenset({key}),)
    assert {text for _, text in asked.choices} == {
        "Along the canal", "To town", "Nowhere", "Cannot be determined from what was written by then",
    }  # fmt: skip
    assert app.add_own("Why?", "Because.").asked().choices == ()


@pytest.mark.parametrize(
    ("text", "answer", "wrong", "entry", "said"),
    [
        (" ", "a", [], "", "The question needs words"),
        ("q", "\n", [], "", "The answer needs words"),
        ("q" * 2001, "a", [], "", "Shorten it"),
        ("q", "Yes", ["yes"], "", "among the wrong ones"),
        ("q", "a", list("bcdefg"), "", "Leave some out"),
        ("q", "a", [], "nowhere", "There is no entry “nowhere”"),
    ],
)
def test_what_can_not_be_a_question_is_refused(
    app: App, text: str, answer: str, wrong: list[str], entry: str, said: str
) -> None:
    with pytest.raises(CloneAppError, match=said):
        app.add_own(text, answer, wrong, entry=entry)
    assert app.own_questions() == ()


def test_an_empty_archive_says_what_it_takes(tmp_path: Path) -> None:
    empty = new_app(tmp_path / "empty")
    with pytest.raises(CloneAppError, match="Import more"):
        empty.generate_own(5, 7, Progress())
    with pytest.raises(CloneAppError, match="tests generate"):
        empty.open_suite("me")
    empty.close()


def test_the_archive_is_evaluated_in_place_and_nothing_of_it_is_copied(app: App) -> None:
    app.generate_own(12, 7, Progress())
    report = app.evaluate(Plan(suites=("me",), arms=RETRIEVING), Progress())
    assert report.arm("oracle").scores["recall_flat@10"] == 1
    assert report.arm("bm25").scores["recall_flat@10"] > 0.8
    assert report.arm("flat").scores["recall_flat@10"] > 0
    early = [
        each
        for each in report.arm("recent").answers
        if report.questions[each.life, each.question].kind == UNANSWERABLE
    ]
    assert early
    assert not list((app.home / "evaluation").glob("*"))
    (life,) = report.lives
    marks = app.life_traces(life)
    assert len(marks) == 40
    assert app.life_texts(life, [marks[0].key])[marks[0].key].startswith("In the morning")
    assert len(app.items()) == 40  # the profile is still open


def test_what_is_forgotten_takes_its_questions_and_the_runs_along(app: App) -> None:
    found = app.generate_own(12, 7, Progress())
    app.evaluate(Plan(suites=("me",), arms=("bm25",)), Progress())
    entry = next(each.entry for each in found if not each.unanswerable)
    number = app.own_entry(entry).id
    day = app.own_entry(entry).item.moment.iso()
    assert day is not None
    until = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    app.remove(Removal(since=day, until=until), Progress())
    left = app.own_questions()
    assert left == tuple(each for each in found if number not in each.items)
    assert len(left) < len(found)
    assert app.runs() == ()
    assert rows(app._store().base.db(), "SELECT count(*) FROM run_answers") == [(0,)]


def test_another_benchmarks_runs_stay(app: App) -> None:
    app.evaluate(Plan(suites=("sample",), arms=("recent",), limit=1), Progress())
    app.remove(Removal(since="2025-01-01", until="2025-02-01"), Progress())
    assert len(app.runs()) == 1


def test_questions_are_asked_at_the_users_own_time(tmp_path: Path) -> None:
    from clone_app.keys import MemoryVault
    from clone_app.models.fakes import FakeModels

    far = App(
        tmp_path / "far",
        now=lambda: datetime(2026, 1, 1, 3, tzinfo=UTC),
        shelf=FakeModels(),
        vault=MemoryVault(working=False),
    )
    far.create("correct horse battery", home_zone="America/Los_Angeles")
    assert far.add_own("Where?", "There.").asked_at == datetime.fromisoformat("2025-12-31T19:00")
    far.close()


def test_the_command_line_makes_lists_adds_and_deletes_them(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "diary"
    folder.mkdir()
    for day, text in diary():
        (folder / f"{day.isoformat()}.md").write_text(text, "utf-8")
    assert run("import", folder).code == 0
    assert len(run("tests", "generate", "-n", 6, "--json").json) == 6
    added = run("tests", "add", "Who sang?", "Somebody", "--wrong", "Nobody", "--json").json[0]
    assert added["options"][added["correct"]] == "Somebody"
    listed = run("tests", "list", "--json").json
    assert len(listed) == 7
    assert "Who sang?" in run("tests").out
    assert (
        run("tests", "edit", added["id"], "--answer", "The baker", "--json").json[0]["answer"]
        == "The baker"
    )
    assert run("tests", "delete", added["id"], "--json").json == {"deleted": 1}
    report = run("evaluate", "me", "--arm", "oracle", "--arm", "bm25", "--json")
    assert report.code == 0
    assert report.json["suites"][0]["name"] == "me"
    assert run("tests", "edit", 999, "--answer", "x").code == 1
