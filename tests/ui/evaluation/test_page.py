"""Run a benchmark from the window, and see which memory is best and why an answer failed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QMessageBox

from clone_app.evaluation.runs import State
from clone_app.evaluation.silence import Judged, silence
from clone_app.ui.evaluation.page import EvaluationPage, about
from clone_app.ui.jobs import Lane

from .conftest import QUESTIONS, Evaluating, Waited, report, row


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
    assert "Ada: none of those that the benchmark's authors released." in view.notes.text()


def test_where_questions_failed_is_told_by_arm(results: EvaluationPage) -> None:
    told = results.results.stages.accessibleName()
    assert "flat: not found 8" in told
    assert "situations: right 8" in told


def test_when_the_clone_is_silent_is_told_with_its_curve(results: EvaluationPage) -> None:
    view = results.results
    assert view.quiet.text().startswith("This run says nothing of silence")
    assert view.curve.isHidden()
    mute = next(each for each in QUESTIONS.values())
    asked = [(each, Judged(0.9, silent=False)) for each in QUESTIONS.values()]
    found = silence([*asked, (replace(mute, kind="unanswerable"), Judged(0.2, silent=True))])
    flat, own = report().arms
    view.show_report(replace(report(), arms=(flat, replace(own, silence=found))))
    assert [view.quiet_arm.itemText(at) for at in range(view.quiet_arm.count())] == ["situations"]
    assert view.quiet.text().startswith(
        "The clone answers 100 % of 8 questions that can be answered"
    )
    assert not view.curve.isHidden()
    assert view.curve.accessibleName() == (
        "Over the threshold: answered, of what can be answered; silent, of what can't be; "
        "right, of the silences"
    )


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
