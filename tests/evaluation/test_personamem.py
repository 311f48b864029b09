"""PersonaMem-v2's table with its histories: four options, right by what its authors say is right."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.app.evaluating import Plan
from clone_app.errors import CloneAppError
from clone_app.evaluation.suites import Life
from clone_app.evaluation.suites.opening import open_suite
from clone_app.progress import Progress

COLUMNS = (
    "persona_id", "chat_history_32k_link", "chat_history_128k_link", "user_query", "correct_answer",
    "incorrect_answers", "preference", "conversation_scenario", "pref_type",
    "related_conversation_snippet", "who", "updated",
)  # fmt: skip
HISTORY = [
    {"role": "system", "content": "You are talking to Ada, 41, who loves jasmine tea."},
    {"role": "user", "content": "Which tea suits a cold morning? I only drink jasmine."},
    {"role": "assistant", "content": "Then jasmine with a little honey."},
    {"role": "user", "content": [{"type": "text", "text": "And what about cellos?"}]},
    {"role": "assistant", "content": "They are larger than violins."},
]


def row(**more: str) -> dict[str, str]:
    return {
        "persona_id": "12",
        "chat_history_32k_link": "data/chat_history_32k/p12.json",
        "chat_history_128k_link": "data/chat_history_128k/p12.json",
        "user_query": "{'role': 'user', 'content': \"What's nice to drink now?\"}",
        "correct_answer": "A pot of jasmine tea.",
        "incorrect_answers": json.dumps(["Coffee.", "Cocoa, with chilli.", "Anything warm."]),
        "preference": "Drinks jasmine tea only.",
        "conversation_scenario": "advice",
        "pref_type": "stereotypical_pref",
        "related_conversation_snippet": json.dumps(HISTORY[1:3]),
        "who": "self",
        "updated": "False",
    } | more


def written(folder: Path, *rows: dict[str, str], histories: tuple[str, ...] = ("32k",)) -> Path:
    table = folder / "benchmark" / "text" / "benchmark.csv"
    table.parent.mkdir(parents=True)
    with table.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, COLUMNS)
        out.writeheader()
        out.writerows(rows)
    for size in histories:
        place = folder / "data" / f"chat_history_{size}" / "p12.json"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps({"chat_history": HISTORY, "metadata": {}}), "utf-8")
    return table


def opened(table: Path) -> tuple[Life, ...]:
    return open_suite(str(table), {}).lives


def test_a_persona_is_its_history_without_the_hidden_description(tmp_path: Path) -> None:
    (life,) = opened(written(tmp_path, row()))
    assert (life.suite, life.id, life.tier) == ("personamem-v2", "12-32k", "32k")
    assert [item.text for item in life.items] == [
        "Which tea suits a cold morning? I only drink jasmine.",
        "Then jasmine with a little honey.",
        "And what about cellos?",
        "They are larger than violins.",
    ]
    assert [item.mine for item in life.items] == [True, False, True, False]
    assert "no dates" in life.notes[0]


def test_a_question_has_four_options_and_is_asked_of_an_assistant(tmp_path: Path) -> None:
    (life,) = opened(written(tmp_path, row()))
    (asked,) = life.questions
    assert asked.text == "What's nice to drink now?"
    assert (asked.kind, asked.dimension, asked.assistant) == ("stereotypical_pref", "advice", True)
    assert [each for each, _ in asked.choices] == ["A", "B", "C", "D"]
    assert dict(asked.choices)[asked.correct] == "A pot of jasmine tea."
    assert asked.statements == (frozenset({"m1"}),)  # the user's own message of the snippet
    assert all(item.moment.local < asked.asked_at for item in life.items if item.moment.local)


def test_the_order_of_options_is_the_same_each_time_and_not_always_the_same_letter(
    tmp_path: Path,
) -> None:
    (life,) = opened(written(tmp_path, *(row() for _ in range(40))))
    letters = [asked.correct for asked in life.questions]
    assert letters == [
        asked.correct for asked in opened(tmp_path / "benchmark/text/benchmark.csv")[0].questions
    ]
    assert set(letters) == {"A", "B", "C", "D"}


def test_each_size_whose_histories_are_there_is_a_life_of_its_own(tmp_path: Path) -> None:
    lives = opened(written(tmp_path, row(), row(), histories=("32k", "128k")))
    assert [(life.tier, len(life.questions)) for life in lives] == [("32k", 2), ("128k", 2)]


def test_a_snippet_that_is_not_in_the_history_is_left_out_of_recall(tmp_path: Path) -> None:
    (life,) = opened(written(tmp_path, row(related_conversation_snippet="[]")))
    assert life.questions[0].statements == ()
    assert life.notes[1].startswith("1 questions")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"incorrect_answers": '["one", "two"]'}, "Row 1 .* three wrong answers"),
        ({"correct_answer": ""}, "Row 1 "),
        ({"user_query": "{'role': 'user', 'content': ''}"}, "Row 1 "),
        ({"chat_history_32k_link": "../p12.json"}, "histories .* beside it"),
        ({"chat_history_32k_link": ""}, "histories .* beside it"),
    ],
)
def test_a_row_that_can_not_be_used_is_named(
    tmp_path: Path, changed: dict[str, str], said: str
) -> None:
    with pytest.raises(CloneAppError, match=said):
        opened(written(tmp_path, row(**changed)))


def test_a_table_without_its_histories_says_what_to_download(tmp_path: Path) -> None:
    with pytest.raises(CloneAppError, match="Download the benchmark's data folder too"):
        opened(written(tmp_path, row(), histories=()))


def test_a_truncated_history_is_named(tmp_path: Path) -> None:
    table = written(tmp_path, row())
    (tmp_path / "data/chat_history_32k/p12.json").write_text('{"chat_history": [{"ro', "utf-8")
    with pytest.raises(CloneAppError, match=r"p12\.json is truncated"):
        opened(table)


def test_another_table_is_no_benchmark(tmp_path: Path) -> None:
    path = tmp_path / "purchases.csv"
    path.write_text("date,item\n2024-01-01,tea\n", "utf-8")
    with pytest.raises(CloneAppError, match="no benchmark in a form that is known"):
        opened(path)


def test_a_run_scores_by_kind_of_preference(tmp_path: Path, app: App) -> None:
    table = written(tmp_path, row(), row(pref_type="ask_to_forget", correct_answer="Anything hot."))
    plan = Plan(suites=(str(table),), arms=("oracle",), reader="local", k=5)
    packed: dict[str, Any] = app.evaluate(plan, Progress()).arm("oracle").grouped("by_type")
    assert set(packed) == {"stereotypical_pref", "ask_to_forget"}
    assert packed["stereotypical_pref"]["recall_flat@10"] == 1
    assert "choice_constrained" in packed["ask_to_forget"]
