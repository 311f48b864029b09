"""Run a benchmark from the window, and see which memory is best and why an answer failed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from clone_app.app.evaluating import TraceMark
from clone_app.errors import CloneAppError
from clone_app.evaluation.arms import ARMS
from clone_app.evaluation.estimate import Estimate
from clone_app.evaluation.metrics import Scored
from clone_app.evaluation.report import ArmReport, Report
from clone_app.evaluation.runs import Answered, Plan, RunLife, RunRow, State
from clone_app.evaluation.stages import Stage
from clone_app.evaluation.suites import Pin, SuiteQuestion
from clone_app.evaluation.suites.own import OwnQuestion
from clone_app.progress import Progress
from clone_app.ui.evaluation.page import EvaluationPage, about
from clone_app.ui.jobs import Lane
from clone_app.ui.workspace import Workspace

Waited = Callable[[Callable[[], bool]], None]

ASKED = datetime(2024, 6, 1, 12)
LIFE = RunLife(
    key="p1", suite="clonemem", id="p1", name="Ada", language="en", tier="100k", sha256="", pin=Pin.OTHER,
    traces=3, questions=2, folder="x",
)  # fmt: skip
QUESTIONS = {
    ("p1", f"q{number}"): SuiteQuestion(
        id=f"q{number}",
        text=f"Question <b>{number}</b>?",
        asked_at=ASKED,
        kind="causal" if number else "pattern",
        dimension="emotion",
        statements=(frozenset({"t1"}),),
        evidence=("She moved.",),
        answer="Because I moved.",
        choices=(("A", "Rain"), ("B", "The move")),
        correct="B",
    )
    for number in range(8)
}
FAR = {"flat": 0.2, "situations": 0.9}


def arm(name: str, value: float) -> ArmReport:
    rows, answers = [], []
    for place, (life, question) in enumerate(QUESTIONS):
        score = min(1.0, value + 0.02 * (place % 3))
        scores = {"recall_flat@10": score, "choice_nearest": float(value > 0.5)}
        rows.append(
            Scored(
                life,
                question,
                QUESTIONS[life, question].kind,
                "emotion",
                "en",
                "100k",
                False,
                scores,
            )
        )
        right = value > 0.5
        answers.append(
            Answered(
                life=life,
                question=question,
                arm=name,
                found=("t1", "t2") if right else ("t2",),
                scores=scores,
                said={"nearest": "B"},
                stage=Stage.RIGHT if right else Stage.NOT_FOUND,
            )
        )
    return ArmReport(name, "none", 10, tuple(rows), tuple(answers))


def row(number: int, state: State, *, done: int = 16, note: str = "") -> RunRow:
    return RunRow(
        id=number,
        plan=Plan(suites=("/data/ada.json",), arms=("flat", "situations")),
        state=state,
        note=note,
        started_at=datetime(2024, 6, 1, tzinfo=UTC),
        finished_at=datetime(2024, 6, 1, tzinfo=UTC) if state is State.FINISHED else None,
        done=done,
        total=16,
    )


def own_question(number: int) -> OwnQuestion:
    return OwnQuestion(
        id=number,
        text=f"Which word is missing? You wrote: “Saw a <b>____</b>, {number} in all.”",
        answer="heron",
        wrong=("kettle", "tram", "letter", "choir"),
        kind="missing word",
        asked_at=ASKED,
        entry="e4",
        evidence="Saw a heron.",
    )


def report(number: int = 1) -> Report:
    arms = tuple(arm(name, value) for name, value in FAR.items())
    return Report(row(number, State.FINISHED), (LIFE,), arms, None, QUESTIONS)


class Evaluating:
    """What the page asks of the core."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.rows: list[RunRow] = []
        self.plans: list[Plan] = []
        self.continued: list[int] = []
        self.own: list[OwnQuestion] = []
        self.estimated: list[Plan] = []

    def estimate_run(self, plan: Plan, progress: Progress) -> Estimate:
        self.estimated.append(plan)
        self.app._wait(progress)
        return Estimate(16, 20.0, 700.0)

    def generate_own(self, number: int, seed: int, progress: Progress) -> tuple[OwnQuestion, ...]:
        self.own += [own_question(len(self.own) + at) for at in range(1, number + 1)]
        return tuple(self.own)

    def add_own(self, text: str, answer: str, wrong: list[str]) -> OwnQuestion:
        if not text:
            raise CloneAppError("The question needs words. Write some, then save.")
        made = replace(
            own_question(len(self.own) + 1), text=text, answer=answer, wrong=tuple(wrong), entry=""
        )
        self.own.append(made)
        return made

    def edit_own(self, number: int, **more: Any) -> OwnQuestion:
        at = next(at for at, each in enumerate(self.own) if each.id == number)
        self.own[at] = replace(
            self.own[at], **more | {"wrong": tuple(more["wrong"]), "written": True}
        )
        return self.own[at]

    def delete_own(self, numbers: list[int]) -> int:
        self.own = [each for each in self.own if each.id not in numbers]
        return 1

    def begin_run(self, plan: Plan) -> int:
        if any("broken" in suite for suite in plan.suites):
            raise CloneAppError("broken.json is no benchmark. Choose another file.")
        self.plans.append(plan)
        self.rows.insert(0, row(len(self.rows) + 1, State.RUNNING, done=0))
        return self.rows[0].id

    def continue_run(self, run: int, progress: Progress) -> Report:
        self.continued.append(run)
        progress.report(3, 16, "Answering")
        try:
            self.app._wait(progress)
        except BaseException:
            self._set(run, State.PAUSED, 3)
            raise
        self._set(run, State.FINISHED, 16)
        return report(run)

    def _set(self, run: int, state: State, done: int) -> None:
        self.rows = [row(run, state, done=done) if each.id == run else each for each in self.rows]


@pytest.fixture
def core(app: Any, monkeypatch: pytest.MonkeyPatch) -> Evaluating:
    core = Evaluating(app)
    marks = tuple(
        TraceMark(f"t{number}", (ASKED - timedelta(days=number)).isoformat(), "diary", "")
        for number in range(1, 4)
    )
    for name, value in {
        "arms": lambda: ARMS,
        "sample_suites": lambda: {"sample": Path("sample")},
        "begin_run": core.begin_run,
        "continue_run": core.continue_run,
        "runs": lambda: tuple(core.rows),
        "report": report,
        "life_traces": lambda life: marks,
        "life_texts": lambda life, keys: dict.fromkeys(keys, "I moved on Monday."),
        "note_run": lambda run, text: None,
        "delete_run": lambda run: core.rows.clear(),
        "own_questions": lambda: tuple(core.own),
        "generate_own": core.generate_own,
        "add_own": core.add_own,
        "edit_own": core.edit_own,
        "delete_own": core.delete_own,
        "own_entry": lambda key: app.stored[3],
        "estimate_run": core.estimate_run,
    }.items():
        monkeypatch.setattr(app, name, value, raising=False)
    return core


@pytest.fixture
def page(workspace: Workspace, core: Evaluating, qtbot: QtBot) -> EvaluationPage:
    page = EvaluationPage(workspace)
    qtbot.addWidget(page)
    page.resize(1000, 720)
    page.show()
    return page


def test_the_sample_life_and_four_ways_are_chosen_at_first(page: EvaluationPage) -> None:
    plan = page.form.plan()
    assert plan.suites == ("sample",)
    assert plan.arms == ("flat", "bm25", "situations", "oracle")
    assert (plan.reader, plan.k, plan.limit) == ("none", 10, 0)


def test_with_nothing_to_run_the_button_says_what_is_missing(page: EvaluationPage) -> None:
    page.form.suites["sample"].setChecked(False)
    assert not page.form.go.isEnabled()
    assert page.form.told.text() == "Choose a benchmark and a way to remember."


def test_a_run_shows_how_far_it_is_and_ends_with_its_results(
    page: EvaluationPage, core: Evaluating, app: Any, waited: Waited
) -> None:
    app.go_on.clear()
    page.form.add_paths([Path("/data/ada.json")])
    page.form.go.click()
    waited(lambda: bool(page.list.cards) and "Answering" in page.list.cards[0].state.text())
    assert core.plans[0].suites == ("sample", "/data/ada.json")
    assert page.list.cards[0].bar.value() == 3
    app.go_on.set()
    waited(page.results.isVisible)
    assert "best is situations (0.9" in page.results.finding.text() or (
        "best is situations" in page.results.finding.text()
    )
    assert "more than chance" in page.results.finding.text()


def test_a_run_is_paused_and_resumed(
    page: EvaluationPage, core: Evaluating, app: Any, waited: Waited
) -> None:
    app.go_on.clear()
    page.form.go.click()
    waited(lambda: bool(page.list.cards) and "pause" in page.list.cards[0].buttons)
    waited(lambda: core.continued == [1])
    page.list.cards[0].buttons["pause"].click()
    waited(lambda: page.job is None and "resume" in page.list.cards[0].buttons)
    assert page.list.cards[0].state.text() == "Paused after 3 of 16 answers"
    app.go_on.set()
    page.list.cards[0].buttons["resume"].click()
    waited(page.results.isVisible)
    assert core.continued == [1, 1]


def test_a_run_that_was_killed_is_offered_to_go_on(
    page: EvaluationPage, core: Evaluating, waited: Waited
) -> None:
    core.rows.append(row(1, State.RUNNING, done=5))
    page.refresh()
    waited(lambda: bool(page.list.cards))
    assert page.list.cards[0].state.text() == "Interrupted after 5 of 16 answers"
    assert "resume" in page.list.cards[0].buttons


def test_a_file_that_is_no_benchmark_is_said_beside_the_button(
    page: EvaluationPage, waited: Waited
) -> None:
    page.form.add_paths([Path("/data/broken.json")])
    page.form.go.click()
    waited(lambda: "no benchmark" in page.form.told.text())
    assert page.form.go.isEnabled()


@pytest.fixture
def results(page: EvaluationPage) -> EvaluationPage:
    page._show_results(report())
    return page


def test_figures_bars_and_heat_map_tell_which_way_is_best(results: EvaluationPage) -> None:
    view = results.results
    assert view.score.itemText(0) == "Evidence found in the first 10"
    assert view.bars.accessibleName() == "Bars: flat 0.218; situations 0.917"
    assert view.gaps.text().startswith("situations is better than flat by more than chance.")
    heat = view.heat
    assert [heat.verticalHeaderItem(at).text() for at in range(2)] == ["causal (7)", "pattern (1)"]
    assert heat.item(0, 1).text() == "0.92"
    assert "Ada: other" in view.notes.text()


def test_where_questions_failed_is_told_by_arm(results: EvaluationPage) -> None:
    told = results.results.stages.accessibleName()
    assert "flat: not found 8" in told
    assert "situations: right 8" in told


def test_questions_are_found_by_stage_and_opened(results: EvaluationPage, waited: Waited) -> None:
    table = results.results.questions
    table.search.setText("question <b>3")
    assert table._proxy.rowCount() == 1
    table.view.activated.emit(table._proxy.index(0, 0))
    waited(results.question.isVisible)
    view = results.question
    assert view.asked.text() == "Question <b>3</b>?"
    assert view.why.text() == "Some evidence was not found among the first 1 traces."
    assert view.line.accessibleName() == "3 traces over time; 1 are evidence, 0 of them were found"
    view.arm.setCurrentText("situations")
    assert view.why.text() == "The answer is right."
    view.line.pressed.emit("t1")
    waited(view.trace.isVisible)
    assert view.trace.toPlainText() == "31 May 2024 · diary\n\nI moved on Monday."
    view.after.click()
    waited(lambda: view.key == ("p1", "q4"))


def test_two_runs_are_compared_with_the_certainty_of_their_difference(
    page: EvaluationPage, core: Evaluating, waited: Waited
) -> None:
    core.rows += [row(2, State.FINISHED), row(1, State.FINISHED)]
    page.refresh()
    waited(lambda: len(page.list.cards) == 2)
    for card in page.list.cards:
        card.pick.setChecked(True)
    page.list.both.click()
    waited(page.comparison.isVisible)
    table = page.comparison.table
    assert [table.item(0, at).text() for at in range(5)] == [
        "0.218", "0.218", "+0.000", "+0.000 to +0.000", "may be chance",
    ]  # fmt: skip


def test_an_arm_that_only_one_run_has_says_so(page: EvaluationPage) -> None:
    whole, less = report(1), report(2)
    plan = replace(less.run.plan, arms=("flat",))
    less = replace(less, run=replace(less.run, plan=plan), arms=less.arms[:1])
    page.comparison.show_reports(whole, less)
    table = page.comparison.table
    assert [table.item(1, at).text() for at in range(5)] == [
        "0.917", "–", "–", "not in run 2", "–",
    ]  # fmt: skip


def test_deleting_a_run_asks_first(page: EvaluationPage, core: Evaluating, waited: Waited) -> None:
    core.rows.append(replace(row(1, State.FINISHED), note="a try"))
    page.refresh()
    waited(lambda: bool(page.list.cards))
    assert page.list.cards[0].note.text() == "a try"
    page.list.cards[0].buttons["delete"].click()
    box = page.findChild(QMessageBox, "confirm-run")
    assert core.rows
    next(each for each in box.buttons() if each.text() == "Delete").click()
    waited(lambda: not page.list.cards)


# --- how long it will take ---------------------------------------------------------------------------


def test_how_long_a_local_reader_takes_is_said_beforehand(
    page: EvaluationPage, core: Evaluating, app: Any, waited: Waited
) -> None:
    page.form.reader.setCurrentIndex(1)
    waited(lambda: page.form.told.text() == "About 12 min on this machine.")
    assert core.estimated[0].reader == "local"


def test_a_question_to_the_clone_goes_before_the_measuring(
    page: EvaluationPage, core: Evaluating, app: Any, waited: Waited
) -> None:
    app.go_on.clear()
    page.form.long.click()
    waited(lambda: len(core.estimated) == 1)
    answered: list[int] = []
    page.jobs.run(lambda _: 1, lane=Lane.MODEL, done=answered.append)
    waited(lambda: answered == [1])
    waited(lambda: len(core.estimated) == 2)  # and then the measuring begins again
    app.go_on.set()
    waited(lambda: page.form.told.text() == "About 12 min on this machine.")


def test_another_choice_ends_the_measuring(
    page: EvaluationPage, core: Evaluating, app: Any, waited: Waited
) -> None:
    app.go_on.clear()
    page.form.long.click()
    waited(lambda: len(core.estimated) == 1)
    page.form.arms["recent"].setChecked(True)
    waited(lambda: not page.jobs.active())
    assert page.form.told.text() == ""


def test_times_are_said_as_exactly_as_they_are_known() -> None:
    said = [about(seconds) for seconds in (1, 42, 61, 720, 5399, 9000, 35990, 10700)]
    assert said == [
        "About 5 s", "About 40 s", "About 1 min", "About 12 min", "About 1 h 30 min",
        "About 2 h 30 min", "About 10 h", "About 3 h",
    ]  # fmt: skip


def test_a_judge_can_be_chosen_with_a_reader_only(page: EvaluationPage) -> None:
    form = page.form
    assert not form.judge.isEnabled()
    form.reader.setCurrentIndex(1)
    form.judge.setCurrentIndex(1)
    assert form.plan().judge == "local"
    assert "indicative" in form.judge.currentText()
    form.reader.setCurrentIndex(0)
    assert form.plan().judge == "none"


# --- Test me -----------------------------------------------------------------------------------------


@pytest.fixture
def own(page: EvaluationPage, waited: Waited) -> EvaluationPage:
    page.form.own.click()
    waited(page.own.isVisible)
    return page


def test_questions_are_made_and_become_a_benchmark(
    own: EvaluationPage, core: Evaluating, waited: Waited
) -> None:
    assert own.own.told.text().startswith("No questions yet.")
    assert "me" not in own.form.suites
    own.own.number.setValue(3)
    own.own.make.click()
    waited(lambda: len(own.own.cards) == 3)
    card = own.own.cards[0]
    assert "<b>____</b>" in card.accessibleName()
    assert card.answer.text() == "Answer: heron"
    assert "kettle" in card.others.text()
    assert "Cannot be determined" in card.others.text()
    assert own.form.suites["me"].text() == "Your own archive (3 questions)"
    own.form.suites["me"].setChecked(True)
    assert own.form.plan().suites == ("sample", "me")


def test_a_question_is_changed_and_deleted(
    own: EvaluationPage, core: Evaluating, waited: Waited
) -> None:
    own.own.number.setValue(2)
    own.own.make.click()
    waited(lambda: len(own.own.cards) == 2)
    own.own.cards[0].edit.click()
    editor = own.own.editor
    assert (editor.answer.text(), editor.wrong.toPlainText()) == (
        "heron",
        "kettle\ntram\nletter\nchoir",
    )
    editor.answer.setText("grey heron")
    editor.wrong.setPlainText("kettle\n\n tram ")
    editor.keep.click()
    waited(lambda: own.own.cards[0].answer.text() == "Answer: grey heron")
    assert core.own[0].wrong == ("kettle", "tram")
    assert not editor.isVisible()
    own.own.cards[1].gone.click()
    waited(lambda: len(own.own.cards) == 1)


def test_a_question_of_ones_own_is_written_and_a_bad_one_is_said(
    own: EvaluationPage, core: Evaluating, waited: Waited
) -> None:
    own.own.write.click()
    own.own.editor.keep.click()
    waited(lambda: "needs words" in own.own.told.text())
    assert own.own.editor.isVisible()
    own.own.editor.text.setText("Who taught me to swim?")
    own.own.editor.answer.setText("Tom")
    own.own.editor.keep.click()
    waited(lambda: len(own.own.cards) == 1)
    assert own.own.cards[0].others.text() == "A judge compares."
    assert not own.own.cards[0].entry.isVisible()


def test_the_entry_of_a_question_opens(
    own: EvaluationPage, core: Evaluating, waited: Waited
) -> None:
    own.own.number.setValue(1)
    own.own.make.click()
    waited(lambda: len(own.own.cards) == 1)
    wanted: list[tuple[int, str]] = []
    own.workspace.entry_wanted.connect(lambda number, quote: wanted.append((number, quote)))
    own.own.cards[0].entry.click()
    waited(lambda: wanted == [(4, "Saw a heron.")])


def test_the_last_question_deleted_takes_the_benchmark_away(
    own: EvaluationPage, core: Evaluating, waited: Waited
) -> None:
    own.own.number.setValue(1)
    own.own.make.click()
    waited(lambda: "me" in own.form.suites)
    own.form.suites["me"].setChecked(True)
    own.own.cards[0].gone.click()
    waited(lambda: not own.form.suites["me"].isChecked())
    assert own.form.plan().suites == ("sample",)
