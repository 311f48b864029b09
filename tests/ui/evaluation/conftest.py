"""An evaluation page on a core whose runs and questions are invented."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
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
from clone_app.ui.evaluation.page import EvaluationPage
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
