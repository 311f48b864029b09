"""Test me: questions about one's own entries are made, changed, and become a benchmark."""

from __future__ import annotations

import pytest

from clone_app.ui.evaluation.page import EvaluationPage

from .conftest import Evaluating, Waited


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
