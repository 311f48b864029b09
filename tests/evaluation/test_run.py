"""A run keeps each answer, goes on where it was stopped, and says the same in the end."""

from __future__ import annotations

import hashlib
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.app.evaluating import RETRIEVING, Plan
from clone_app.errors import Cancelled, CloneAppError
from clone_app.evaluation.report import compare, report_json
from clone_app.evaluation.runs import State
from clone_app.evaluation.stages import Stage
from clone_app.models.fakes import FakeChat
from clone_app.progress import Progress, Step

from .conftest import PASSPHRASE, life, new_app, trace

Writer = Callable[..., Path]


def plan(*suites: Path, **more: Any) -> Plan:
    return Plan(
        suites=tuple(map(str, suites)),
        **({"arms": RETRIEVING, "k": 3} | more),  # type: ignore[arg-type]
    )


def figures(packed: dict[str, Any]) -> dict[str, Any]:
    """A report without what differs between two runs of the same: clock and number."""
    for arm in (*packed["arms"], packed["options_only"]):
        del arm["seconds"]
    for name in ("id", "started_at", "finished_at"):
        del packed["run"][name]
    return packed


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


def test_a_persona_document_knows_nothing_later(app: App, life_file: Writer) -> None:
    whole = life()
    for number in range(4):
        whole["context"].append(
            trace(
                20 + number,
                "I love the cello. My sister Orla came.",
                f"2024-02-{number + 10}T09:00:00",
            )
        )
        whole["context"].append(
            trace(
                30 + number,
                "I hate herring. My uncle Bram came.",
                f"2024-05-{number + 10}T09:00:00",
            )
        )
    arms = ("persona document only",)
    chat = FakeChat(context=4000)
    told = new_app(app.home.parent / "told", chat)
    told.evaluate(plan(life_file(whole), arms=arms, reader="local"), Progress())
    told.close()
    prompts = ["".join(each.text for each in prompt) for prompt in chat.prompts]
    early = [each for each in prompts if "Today is 2024-03-01" in each and "Notes" in each]
    late = [each for each in prompts if "Today is 2024-06-01" in each and "Notes" in each]
    assert early
    assert all("Orla" in each and "Bram" not in each for each in early)
    assert late
    assert all("Bram" in each for each in late)


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
    ours, theirs, gap = found["bm25"]
    assert ours == theirs
    assert gap is not None
    assert (gap.mean, gap.low, gap.high) == (0, 0, 0)
    assert found["recent"][1] is None
    folder = app.home / "evaluation"
    app.delete_run(1)
    assert len(list(folder.iterdir())) == 1  # the other run still rests on it
    app.delete_run(other.run.id)
    assert list(folder.iterdir()) == []
    assert app.runs() == ()
    with pytest.raises(CloneAppError, match="There is no run 1"):
        app.report(1)


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


# --- with a model that writes --------------------------------------------------------------------------


def test_a_model_answers_freely_and_chooses_in_four_ways(tmp_path: Path, life_file: Writer) -> None:
    chat = FakeChat("I bought it from Tom.", "B.", "B")
    app = new_app(tmp_path / "home", chat)
    report = app.evaluate(
        plan(life_file(life()), arms=("oracle",), reader="local", limit=1), Progress()
    )
    # The bare options are asked first: the three replies went there.
    beside = report.beside
    assert beside is not None
    (row,) = beside.rows
    assert row.scores["choice_strict"] == 0
    assert row.scores["choice_lenient"] == 1
    assert row.scores["choice_constrained"] == 1
    assert row.scores["abstained_wrongly"] == 0
    assert beside.answers[0].said["free"] == "I bought it from Tom."
    (answer,) = report.arm("oracle").answers
    assert answer.read == ("t1",)
    assert answer.said["likelihood"] == "B"
    assert answer.tokens_read > 0
    assert answer.tokens_written > 0
    prompts = ["".join(each.text for each in prompt) for prompt in chat.prompts]
    assert "[2024-02-01 09:00, diary]\nBought a red bicycle with a bell from Tom." in prompts[3]
    assert "Bought" not in prompts[0]
    assert [each.temperature for each in chat.samplings[:3]] == [0.7, 0.1, 0.0]
    assert chat.samplings[2].choices == ("A", "B", "C", "D", "E")
    assert chat.samplings[0].fresh
    app.close()


def test_everything_is_read_whole_or_not_at_all(tmp_path: Path, life_file: Writer) -> None:
    whole = life()
    for each in whole["context"]:
        each["content"] += " and so on" * 200
    app = new_app(tmp_path / "home", FakeChat(context=900))
    report = app.evaluate(
        plan(life_file(whole), arms=("full context", "oracle"), reader="local"), Progress()
    )
    failures = {each.question: each.failure for each in report.arm("full context").answers}
    assert failures["q2"] == "does not fit the reader's window"
    assert failures["q3"] == ""  # nothing is visible, and nothing fits
    assert len(report.arm("full context").rows[1].scores) == 0
    oracle = {each.question: each for each in report.arm("oracle").answers}
    assert oracle["q2"].cut == ("t2", "t6")
    packed = report_json(report)
    assert packed["arms"][1]["questions_cut"] == 3
    assert packed["arms"][1]["cut_traces"] == 4
    app.close()


def test_the_time_a_run_takes_is_measured_beforehand(tmp_path: Path, life_file: Writer) -> None:
    app = new_app(tmp_path / "home", FakeChat())
    wanted = plan(life_file(life()), arms=("oracle", "recent"), reader="local")
    before = app.estimate_run(wanted, Progress())
    assert before.answers == 4 * 3  # the bare options beside the two
    assert before.indexing > 0
    app.evaluate(wanted, Progress())
    after = app.estimate_run(wanted, Progress())
    assert after.indexing == 0
    assert after.seconds == after.answering > 0
    app.close()


# --- kill -9 -------------------------------------------------------------------------------------

# One process imports the program and forks for every kill, which saves seconds each time. lancedb has
# threads and is imported after the fork.
NURSERY = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from clone_app.app import App
from clone_app.app.evaluating import RETRIEVING, Plan
from clone_app.evaluation.runs import Runs
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeEmbedder, FakeModels
from clone_app.progress import Progress

home, suite, passphrase = sys.argv[1:]

def dying(method, left):
    def counted(*arguments, **more):
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return method(*arguments, **more)
    return counted

def work(owner, place, left):
    setattr(owner, place, dying(getattr(owner, place), left))
    app = App(Path(home), now=lambda: datetime(2026, 1, 1, tzinfo=UTC), shelf=FakeModels(),
              vault=MemoryVault(working=False))
    app.unlock(passphrase)
    runs = app.runs()
    run = runs[0].id if runs else app.begin_run(Plan(suites=(suite,), arms=RETRIEVING, k=3))
    app.continue_run(run, Progress())

# While passages, then whole traces, are embedded; before the first, second, third question is kept.
for owner, place, left in (
    (FakeEmbedder, "embed", 1), (FakeEmbedder, "embed", 2),
    (Runs, "keep", 1), (Runs, "keep", 2), (Runs, "keep", 2),
):
    child = os.fork()
    if not child:
        work(owner, place, left)
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""


@pytest.mark.timeout(240)
def test_killed_at_five_points_a_run_ends_with_the_same_report(
    tmp_path: Path, life_file: Writer
) -> None:
    path = life_file(life())
    unbroken = new_app(tmp_path / "unbroken")
    whole = figures(report_json(unbroken.evaluate(plan(path), Progress())))
    unbroken.close()
    home = tmp_path / "home"
    new_app(home).close()
    died = subprocess.run(
        [sys.executable, "-c", NURSERY, str(home), str(path), PASSPHRASE],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
    )
    assert died.stdout.split() == [str(int(signal.SIGKILL))] * 5, died.stderr
    app = App(home, shelf=unbroken._given_shelf, vault=unbroken._vault, now=unbroken._now)
    app.unlock(PASSPHRASE)
    (row,) = app.runs()
    assert row.state is State.RUNNING
    assert app.running_run() is None
    assert 0 < row.done < row.total
    assert figures(report_json(app.continue_run(row.id, Progress()))) == whole
    app.close()
