"""`evaluate` and `runs` on the command line say what the window shows."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .conftest import life

Writer = Callable[..., Path]


def test_all_retrieval_arms_are_compared_where_none_is_named(run: Any, life_file: Writer) -> None:
    packed = run("evaluate", life_file(life()), "--json").json
    assert [arm["name"] for arm in packed["arms"]] == [
        "recent", "flat", "bm25", "hybrid", "situations", "thorough", "oracle",
    ]  # fmt: skip
    assert {arm["reader"] for arm in packed["arms"]} == {"none"}
    assert packed["options_only"]["scores"].keys() == {"choice_nearest"}
    assert packed["run"]["state"] == "finished"


def test_the_report_is_written_in_four_forms(run: Any, life_file: Writer, tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = run(
        "evaluate", life_file(life()), "--arm", "bm25", "--arm", "oracle", "-k", 2, "--out", out
    )
    assert said.code == 0
    assert "Ada Quill (0000-qui): 6 traces, 4 questions, file other" in said.out
    assert "recall_flat@10" in said.out
    assert sorted(path.name for path in out.iterdir()) == [
        "run-1.csv", "run-1.html", "run-1.json", "run-1.md",
    ]  # fmt: skip
    kept = json.loads((out / "run-1.json").read_text())
    assert kept == run("runs", "show", 1, "--json").json
    with (out / "run-1.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 4 * 3
    (first,) = [each for each in lines if (each["question"], each["arm"]) == ("q1", "oracle")]
    assert (first["recall_flat@10"], first["found"], first["read"]) == ("1.0000", "t1", "1")
    page = (out / "run-1.html").read_text()
    assert page.count("<svg") >= 3
    assert "http" not in page  # it needs nothing from anywhere
    assert "Best by" not in page  # one arm beside the oracle is no contest
    assert "| oracle |" in (out / "run-1.md").read_text()


def test_only_so_many_questions_are_asked(run: Any, life_file: Writer) -> None:
    packed = run("evaluate", life_file(life()), "--arm", "bm25", "--limit", 2, "--json").json
    assert packed["arms"][0]["n"] == 2
    assert packed["run"]["total"] == 4


def test_a_suite_that_fails_ends_with_code_1_after_the_figures(
    run: Any, life_file: Writer, tmp_path: Path
) -> None:
    said = run("evaluate", life_file(life()), tmp_path / "gone", "--arm", "bm25", "--json")
    assert said.code == 1
    assert said.json["arms"][0]["n"] == 4
    assert said.err.splitlines()[-1].startswith("There is no benchmark at ")
    alone = run("evaluate", tmp_path / "gone")
    assert (alone.code, alone.out) == (1, "")


def test_wrong_usage_is_code_2(run: Any, life_file: Writer) -> None:
    assert run("evaluate").code == 2
    assert run("evaluate", life_file(life()), "-k", 21).code == 2
    assert run("evaluate", life_file(life()), "--reader", "aloud").code == 2


def test_runs_are_listed_compared_noted_and_deleted(run: Any, life_file: Writer) -> None:
    for _ in range(2):
        run("evaluate", life_file(life()), "--arm", "bm25", "--json")
    run("runs", "note", 2, "again")
    listed = run("runs", "--json").json
    assert [(each["id"], each["note"], each["done"]) for each in listed] == [
        (2, "again", 8),
        (1, "", 8),
    ]
    assert "100k" in run("runs").out or "ada_0000" in run("runs").out
    found = {each["arm"]: each for each in run("runs", "compare", 1, 2, "--json").json}
    assert found["bm25"]["difference"] == [0.0, 0.0, 0.0]
    assert found["bm25"]["one"] == found["bm25"]["other"]
    assert "bm25" in run("runs", "compare", 1, 2).out
    run("evaluate", life_file(life()), "--arm", "recent", "--json")
    assert run("runs", "compare", 1, 3).out.splitlines()[0].endswith("not in run 3")
    assert run("runs", "compare", 1, 3, "--json").json[1]["why"] == "not in run 1"
    assert run("runs", "delete", 1, "--json").json == {"deleted": 1}
    gone = run("runs", "show", 1)
    assert (gone.code, gone.err) == (
        1,
        "There is no run 1. List the runs to see which there are.\n",
    )


def test_a_run_over_some_questions_says_of_how_many(run: Any, life_file: Writer) -> None:
    said = run("evaluate", life_file(life()), "--arm", "bm25", "--limit", 2)
    assert "6 traces, the first 2 of 4 questions, file other" in said.out
    assert run("runs", "note", 1, "half").out == "Noted to run 1.\n"
    assert run("runs", "delete", 1).out == "Run 1 is deleted.\n"
