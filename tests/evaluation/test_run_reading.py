"""Runs in which something is read: by a model here, by one on a server, from a document."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.evaluation.model_reader import ModelReader
from clone_app.evaluation.report import report_json
from clone_app.evaluation.runs import State
from clone_app.models.fakes import FakeChat
from clone_app.progress import Progress

from .conftest import Writer, figures, life, new_app, plan, trace


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


class Served:
    """A server's model: it can't be held to options, and says the same in whatever order it is asked."""

    name, context = "served", 2048

    def __init__(self) -> None:
        self._counting = threading.Lock()
        self._now = self.most = 0

    def load(self, progress: Progress) -> None: ...

    def count(self, text: str) -> int:
        return len(text.split())

    def stream(self, messages: Any, sampling: Any, progress: Progress) -> Iterator[str]:
        with self._counting:
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(0.02)
        with self._counting:
            self._now -= 1
        yield "B." if "bicycle" in messages[-1].text.partition("Today")[2] else "I can't say."


def test_a_server_is_asked_several_questions_at_once_with_the_same_figures(
    tmp_path: Path, life_file: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = new_app(tmp_path / "home")
    found = []
    for parallel in (1, 8):
        served = Served()
        reader = ModelReader("remote", served, parallel=parallel)
        monkeypatch.setattr(app, "_reader", lambda _, reader=reader: reader)
        report = app.evaluate(plan(life_file(life()), reader="remote"), Progress())
        found.append(figures(report_json(report)))
    assert found[0] == found[1]
    assert served.most > 2
    scores = found[1]["arms"][0]["scores"]
    assert {"choice_strict", "choice_lenient"} <= set(scores)
    assert "choice_constrained" not in scores
    app.close()


def test_a_run_makes_way_while_somebody_is_answered(app: App, life_file: Writer) -> None:
    run = app.begin_run(plan(life_file(life()), arms=("bm25",)))
    stopping = Progress()
    with app._models().answering():
        running = threading.Thread(target=app.continue_run, args=(run, stopping))
        running.start()
        running.join(0.5)
        assert app.report(run).run.done == 0
        assert running.is_alive()
    running.join(60)
    assert app.report(run).run.state is State.FINISHED


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
