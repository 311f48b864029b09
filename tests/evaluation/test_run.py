"""A run keeps each answer, goes on where it was stopped, and says the same in the end."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.app.evaluating import RETRIEVING
from clone_app.errors import Cancelled, CloneAppError
from clone_app.evaluation.report import Report, compare, report_json
from clone_app.evaluation.runs import State
from clone_app.evaluation.stages import Stage
from clone_app.progress import Progress, Step

from .conftest import Writer, figures, life, new_app, plan


def test_the_oracle_finds_all_that_could_be_seen(app: App, life_file: Writer) -> None:
    report = app.evaluate(plan(life_file(life()), arms=("oracle", "recent")), Progress())
    found = {each.question: each.found for each in report.arm("oracle").answers}
    # q3 is asked before every trace; of q1's time only t1, t2 and t3 were there.
    assert found == {"q1": ("t1",), "q2": ("t2", "t6"), "q3": (), "q4": ("t3",)}
    assert report.arm("oracle").scores["recall_flat@10"] == pytest.approx(3 / 4)
    recent = {each.question: each.found for each in report.arm("recent").answers}
    assert recent["q1"] == ("t3", "t2", "t1")
    assert recent["q2"] == ("t6", "t5", "t4", "t3", "t2", "t1")


def test_nothing_later_than_the_question_is_found_by_any_arm(app: App, life_file: Writer) -> None:
    report = app.evaluate(plan(life_file(life())), Progress())
    assert [arm.name for arm in report.arms] == list(RETRIEVING)
    for arm in report.arms:
        by_question = {each.question: set(each.found) for each in arm.answers}
        assert by_question["q1"] <= {"t1", "t2", "t3"}
        assert by_question["q3"] == set()


def test_the_bare_options_stand_beside_every_result(app: App, life_file: Writer) -> None:
    report = app.evaluate(plan(life_file(life()), arms=("bm25",)), Progress())
    assert [arm.name for arm in report.arms] == ["bm25"]
    assert report.beside is not None
    assert report.beside.name == "options only"
    assert set(report.beside.scores) == {"choice_nearest"}
    assert all(each.read == () for each in report.beside.answers)


def test_the_nearest_option_is_chosen_by_what_was_found(app: App, life_file: Writer) -> None:
    report = app.evaluate(plan(life_file(life()), arms=("bm25",), k=1), Progress())
    said = {each.question: each.said["nearest"] for each in report.arm("bm25").answers}
    assert said["q1"] == "B"
    assert said["q2"] == "A"


def test_every_question_ends_at_a_stage(app: App, life_file: Writer) -> None:
    arm = app.evaluate(plan(life_file(life()), arms=("recent",), k=1), Progress()).arm("recent")
    stages = {each.question: each.stage for each in arm.answers}
    assert stages["q4"] is Stage.NOT_ABSTAINED  # the nearest option is never "cannot be determined"
    assert sum(arm.stages.values()) == 4


def test_the_report_has_the_promised_form(app: App, life_file: Writer) -> None:
    path = life_file(life())
    packed = report_json(app.evaluate(plan(path, arms=("bm25",)), Progress()))
    (suite,) = packed["suites"]
    (of_life,) = suite["lives"]
    assert (suite["name"], of_life["file"], of_life["traces"]) == ("clonemem", "other", 6)
    (arm,) = packed["arms"]
    assert (arm["name"], arm["reader"], arm["k"]) == ("bm25", "none", 3)
    assert {"recall_flat@10", "recall_flat@20", "recall_any_any@10", "ndcg@10"} <= set(
        arm["scores"]
    )
    assert set(arm["by_type"]) == {"causal", "trajectory", "inference", "unanswerable"}
    assert arm["by_type"]["causal"]["n"] == 1
    person = arm["by_persona"]["0000-quill"]
    assert (person["name"], person["n"]) == ("Ada Quill (0000-qui)", 4)
    assert person["recall_flat@10"] == arm["scores"]["recall_flat@10"]
    assert arm["without_leaks"]["choice_nearest"] > arm["scores"]["choice_nearest"]
    run = packed["run"]
    assert run["embedder"]["name"] == "fake-64"
    assert run["versions"]["clone-app"]
    assert (run["done"], run["total"], run["state"]) == (8, 8, "finished")
    assert of_life["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_two_people_of_one_id_are_told_apart(app: App, life_file: Writer) -> None:
    life_file(life())
    path = life_file(life(), "ada_0000_benchmark_zh.json")
    packed = report_json(app.evaluate(plan(path.parent, arms=("bm25",)), Progress()))
    assert set(packed["arms"][0]["by_persona"]) == {
        "0000-quill (clonemem, en)",
        "0000-quill (clonemem, zh)",
    }


def test_a_suite_that_fails_leaves_the_others(app: App, life_file: Writer, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    report = app.evaluate(plan(life_file(life()), missing, arms=("bm25",)), Progress())
    assert report.run.done == 8
    assert "There is no benchmark at" in report.run.facts["failed_suites"][str(missing)]
    with pytest.raises(CloneAppError, match="There is no benchmark at"):
        app.begin_run(plan(missing))


def test_unknown_arms_and_readers_are_named(app: App, life_file: Writer) -> None:
    with pytest.raises(CloneAppError, match="There is no arm “psychic”"):
        app.begin_run(plan(life_file(life()), arms=("psychic",)))
    with pytest.raises(CloneAppError, match="There is no reader “aloud”"):
        app.begin_run(plan(life_file(life()), reader="aloud"))


def test_no_server_is_asked_that_was_not_agreed_to(app: App, life_file: Writer) -> None:
    with pytest.raises(CloneAppError, match="No server is set and agreed to"):
        app.begin_run(plan(life_file(life()), reader="remote"))


def test_a_stopped_run_is_paused_and_resumed(app: App, life_file: Writer) -> None:
    whole = figures(report_json(app.evaluate(plan(life_file(life())), Progress())))

    def stop(step: Step) -> None:
        if step.label == "Answering" and step.done:
            stopping.cancel()

    stopping = Progress(stop, clock=itertools.count().__next__)  # so that every step is told
    run = app.begin_run(plan(life_file(life())))
    with pytest.raises(Cancelled):
        app.continue_run(run, stopping)
    row = app.runs()[0]
    assert (row.id, row.state, app.running_run()) == (run, State.PAUSED, None)
    assert 0 < row.done < row.total
    assert 0 < len(app.report(run).arms[0].rows) < 4
    steps: list[Step] = []
    resumed = app.continue_run(run, Progress(steps.append))
    assert figures(report_json(resumed)) == whole
    assert app.runs()[0].state is State.FINISHED
    assert max(step.total for step in steps if step.label == "Answering") < row.total


def test_a_run_is_not_resumed_on_other_files(app: App, life_file: Writer) -> None:
    run = app.begin_run(plan(life_file(life())))
    changed = life()
    changed["qa_items"][0]["question"] = "Who sold it?"
    life_file(changed)
    with pytest.raises(CloneAppError, match="have changed since this run began"):
        app.continue_run(run, Progress())
    assert app.runs()[0].state is State.PAUSED


def test_runs_are_listed_noted_compared_and_deleted(app: App, life_file: Writer) -> None:
    path = life_file(life())
    one = app.evaluate(plan(path, arms=("bm25", "recent")), Progress())
    other = app.evaluate(plan(path, arms=("bm25",)), Progress())
    app.note_run(one.run.id, "first try")
    assert [(row.id, row.note) for row in app.runs()] == [(2, ""), (1, "first try")]
    found = compare(app.report(1), app.report(2), "recall_flat@10")
    both = found["bm25"]
    assert both.ours == both.theirs
    assert both.gap is not None
    assert (both.gap.mean, both.gap.low, both.gap.high, both.why) == (0, 0, 0, "")
    assert found["recent"].theirs is None
    assert (found["recent"].gap, found["recent"].why) == (None, "not in run 2")
    folder = app.home / "evaluation"
    app.delete_run(1)
    assert len(list(folder.iterdir())) == 1  # the other run still rests on it
    app.delete_run(other.run.id)
    assert list(folder.iterdir()) == []
    assert app.runs() == ()
    with pytest.raises(CloneAppError, match="There is no run 1"):
        app.report(1)


def test_runs_that_cant_be_compared_say_why(app: App, life_file: Writer) -> None:
    one = app.evaluate(plan(life_file(life()), arms=("bm25",)), Progress())

    def why(other: Report, score: str = "recall_flat@10") -> list[str]:
        return [each.why for each in compare(one, other, score).values()]

    begun = app.report(app.begin_run(plan(life_file(life()), arms=("bm25",))))
    assert why(begun) == [f"no answer yet in run {begun.run.id}"]
    assert why(one, "helpfulness") == ["not measured in run 1"]
    stranger = replace(
        one,
        arms=tuple(
            replace(arm, rows=tuple(replace(row, life="else") for row in arm.rows))
            for arm in one.arms
        ),
    )
    assert why(stranger) == ["no question in common"]


def test_the_time_line_and_texts_come_from_the_prepared_life(app: App, life_file: Writer) -> None:
    report = app.evaluate(plan(life_file(life()), arms=("bm25",)), Progress())
    marks = app.life_traces(report.lives[0])
    assert [mark.key for mark in marks] == ["t1", "t2", "t3", "t4", "t5", "t6"]
    assert marks[0].moment == "2024-02-01T09:00:00"
    assert app.life_texts(report.lives[0], ["t5"]) == {
        "t5": "Walked along the harbour, gulls everywhere."
    }


def test_a_benchmark_leaves_nothing_readable_on_disk(app: App, life_file: Writer) -> None:
    app.evaluate(plan(life_file(life())), Progress())
    app.close()
    for path in app.home.rglob("*"):
        if path.is_file():
            held = path.read_bytes()
            assert b"gulls" not in held, path
            assert b"bicycle" not in held, path


def test_a_damaged_prepared_life_is_made_anew(app: App, life_file: Writer) -> None:
    path = life_file(life())
    before = figures(report_json(app.evaluate(plan(path), Progress())))
    (base,) = (app.home / "evaluation").rglob("memory.db")
    base.write_bytes(b"x" * 9000)
    assert figures(report_json(app.evaluate(plan(path), Progress()))) == before


def test_a_full_disk_stops_the_run_in_a_sentence_and_keeps_what_is_done(
    app: App, life_file: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from clone_app.errors import ProfileError
    from clone_app.evaluation.runs import Runs

    keep, kept = Runs.keep, []

    def full(self: Runs, *arguments: Any) -> None:
        if kept:
            raise ProfileError("The disk is full. Free some space.")
        kept.append(1)
        keep(self, *arguments)

    whole = figures(report_json(app.evaluate(plan(life_file(life())), Progress())))
    run = app.begin_run(plan(life_file(life())))
    with monkeypatch.context() as patched:
        patched.setattr(Runs, "keep", full)
        with pytest.raises(ProfileError, match="disk is full"):
            app.continue_run(run, Progress())
    assert app.runs()[0].done > 0
    assert figures(report_json(app.continue_run(run, Progress()))) == whole


def test_chinese_with_an_english_embedder_is_warned_about(
    tmp_path: Path, life_file: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = new_app(tmp_path / "home")
    monkeypatch.setattr(app._models(), "embedder_name", lambda: "all-MiniLM-L6-v2@53aa5117")
    run = app.begin_run(plan(life_file(life(), "ada_zh.json"), arms=("bm25",)))
    (warning,) = app.report(run).run.facts["warnings"]
    assert warning.startswith("The embedder all-MiniLM-L6-v2 reads English only: for Ada Quill")
    app.close()
