"""PAL-Bench's selection: two of eight solutions, scored from -100 to 100."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.app.evaluating import Plan
from clone_app.errors import CloneAppError
from clone_app.evaluation.page import page
from clone_app.evaluation.selection import combinations_of, ids_in, is_best, worth_of
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.evaluation.suites.opening import open_suite
from clone_app.models.fakes import FakeChat
from clone_app.progress import Progress

from .conftest import new_app

FEEDBACK = ("neu", "pos", "neg", "neu", "pos", "neu", "neg", "neu")


def sample(number: int, *, day: int) -> dict[str, Any]:
    return {
        "sample_id": f"0000_sample{number}",
        "dialogue_timestamp": f"2024-03-{day:02} 20:00:00",
        "logs": [
            {"timestamp": f"2024-03-{day:02} 08:15", "content": f"Ran {number} km by the river."},
            {"timestamp": f"2024-03-{day:02} 20:00", "content": "Ordered knee bandages."},
        ],
        "dialogue": {
            "turn_1": {
                "user": {"action": "ask", "content": f"My knee hurts, number {number}."},
                "assistant": {"action": "propose", "content": "Try swimming."},
            }
        },
        "topics": {
            "topic-1": {
                "user_query": "My knee hurts.",
                "implicit_needs": ["keeps running", "no gym"],
                "requirement": "A way to keep fit with a sore knee, without a gym.",
                "solution": {"pos": ["S1", "S4"], "neg": ["S2", "S6"]},
                "candidate_solutions": [
                    {"solution": f"Solution {at}", "feedback": each}
                    for at, each in enumerate(FEEDBACK)
                ],
            }
        },
    }


def released() -> dict[str, Any]:
    return {
        "0000": {
            "history": [sample(0, day=1), sample(1, day=5)],
            "query": [sample(2, day=9), sample(3, day=12)],
        }
    }


def written(folder: Path, whole: object) -> Path:
    path = folder / "input.json"
    path.write_text(json.dumps(whole, ensure_ascii=False), "utf-8")
    return path


def opened(folder: Path, whole: object) -> tuple[Life, ...]:
    return open_suite(str(written(folder, whole)), {}).lives


def test_a_user_is_a_life_of_logs_and_dialogues_with_a_question_a_topic(tmp_path: Path) -> None:
    (life,) = opened(tmp_path, released())
    assert (life.suite, life.id, len(life.items)) == ("pal-bench", "0000", 16)
    assert [asked.id for asked in life.questions] == [
        "0000_sample2:topic-1", "0000_sample3:topic-1",
    ]  # fmt: skip
    first = life.questions[0]
    assert first.text == "A way to keep fit with a sore knee, without a gym."
    assert (len(first.choices), first.choose, first.assistant) == (8, 2, True)
    assert first.worth == (0, 1, -1, 0, 1, 0, -1, 0)
    assert first.answer == "Solution 1; Solution 4"
    assert first.right_ids == {"B", "E"}


def test_a_session_sees_its_logs_and_not_its_own_dialogue(tmp_path: Path) -> None:
    (life,) = opened(tmp_path, released())
    first, second = life.questions

    def seen(asked: SuiteQuestion) -> set[str]:
        return {
            item.key
            for item in life.items
            if item.moment.local and item.moment.local <= asked.asked_at
        }

    assert "0000_sample2:log1" in seen(first)  # written in the minute of the dialogue
    assert "0000_sample1:turn_1:user" in seen(first)
    assert not any(key.startswith("0000_sample2:turn") for key in seen(first))
    assert "0000_sample2:turn_1:assistant" in seen(second)


def question(tmp_path: Path) -> SuiteQuestion:
    return opened(tmp_path, released())[0].questions[0]


@pytest.mark.parametrize(
    ("chosen", "score"),
    [
        (("B", "E"), 100), (("B", "A"), 50), (("A", "D"), 0), (("B", "C"), 0), (("C", "G"), -100),
        (("B",), 50), ((), 0), (("B", "B", "E"), 100), (("B", "E", "C"), 100),
    ],
)  # fmt: skip
def test_a_choice_is_worth_what_the_user_likes_less_what_they_do_not(
    tmp_path: Path, chosen: tuple[str, ...], score: float
) -> None:
    asked = question(tmp_path)
    assert worth_of(asked, chosen) == score
    assert is_best(asked, chosen) == (score == 100)


@pytest.mark.parametrize(
    ("reply", "ids"),
    [
        ("B, E", ("B", "E")), ("B and E.", ("B", "E")), ("**B**, **E**", ("B", "E")),
        ("A and C", ("A", "C")), ("A walk suits them: B, E", ("B", "E")), ("B, E, C", ("B", "E")),
        ("Because it's nice", ()), ("BE", ()), ("选B和E", ()), ("B。", ("B",)),
    ],
)  # fmt: skip
def test_letters_are_read_where_they_stand_by_themselves(
    tmp_path: Path, reply: str, ids: tuple[str, ...]
) -> None:
    assert ids_in(reply, question(tmp_path)) == ids


def test_a_model_held_to_pairs_chooses_among_all_of_them(tmp_path: Path) -> None:
    pairs = combinations_of(question(tmp_path))
    assert len(pairs) == 28
    assert pairs[0] == "A, B"


def test_a_run_shows_the_selection_on_its_own_scale(tmp_path: Path) -> None:
    path = written(tmp_path, released())
    # recent, then the bare options, each: free answer, then the pair
    app = new_app(tmp_path / "home", FakeChat("x", "C, G", "x", "B, E", "x", "C, G", "x", "A, E"))
    report = app.evaluate(Plan(suites=(str(path),), arms=("recent",), reader="local"), Progress())
    app.close()
    assert report.beside is not None
    assert report.beside.scores == {"selection": -100}
    assert report.arm("recent").scores == {"selection": 75}
    # The axis begins at x=150 and is 460 long: -100 is its left end, 0 its middle.
    assert '<rect class="bar" x="150.0" y="30" height="22" rx="3" width="230.0"/>' in page(report)


def test_without_a_reader_the_two_nearest_are_chosen(tmp_path: Path, app: App) -> None:
    path = written(tmp_path, released())
    report = app.evaluate(Plan(suites=(str(path),), arms=("bm25",)), Progress())
    said = report.arm("bm25").answers[0].said["nearest"].split(", ")
    assert len(set(said)) == 2
    assert -100 <= report.arm("bm25").scores["selection"] <= 100


def broken(**changes: object) -> dict[str, Any]:
    whole = released()
    whole["0000"]["query"][0]["topics"]["topic-1"] |= changes
    return whole


@pytest.mark.parametrize(
    ("whole", "said"),
    [
        (broken(candidate_solutions=[]), "offers 0 solutions"),
        (
            broken(candidate_solutions=[{"solution": str(at), "feedback": "?"} for at in range(8)]),
            "feedback",
        ),
        ({"0000": {"history": [sample(0, day=1)], "query": []}}, "no questions"),
        (
            {"0000": {"history": [sample(0, day=1)] * 2, "query": [sample(1, day=2)]}},
            "occurs twice",
        ),
        ({"0000": {"history": [sample(0, day=1)]}}, "not of PAL-Bench's form at user 0000"),
    ],
)
def test_a_file_of_another_form_is_refused_with_its_place(
    tmp_path: Path, whole: object, said: str
) -> None:
    with pytest.raises(CloneAppError, match=said):
        opened(tmp_path, whole)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, released())
    path.write_text(path.read_text("utf-8")[:-40], "utf-8")
    with pytest.raises(CloneAppError, match="truncated"):
        open_suite(str(path), {})
