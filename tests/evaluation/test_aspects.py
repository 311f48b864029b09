"""H2Memory's four stores, built by counting: nothing of the future, everything with its source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from clone_app.app import App
from clone_app.app.evaluating import Plan
from clone_app.evaluation.arms import arms_named
from clone_app.evaluation.aspects import clusters
from clone_app.progress import Progress

from .conftest import life, question, trace

Writer = Callable[..., Path]
OPTIONS = [{"id": "A", "text": "Tea"}, {"id": "B", "text": "Cocoa"}]


def tastes(asked_on: str) -> dict[str, object]:
    whole = life()
    whole["context"] += [
        trace(10, "I love jasmine tea.", "2024-02-10T08:00:00"),
        trace(11, "I hate crowded trams.", "2024-02-11T08:00:00"),
        trace(12, "I can't stand jasmine tea any more.", "2024-07-01T08:00:00"),
    ]
    whole["qa_items"] = [
        question("q1", "Do you like jasmine tea?", asked_on, "A", OPTIONS, ["t10"])
    ]
    return whole


def document(app: App, path: Path) -> tuple[str, tuple[str, ...]]:
    """What the arm gives for a life's only question."""
    run = app.begin_run(Plan(suites=(str(path),), arms=("aspects",)))
    given = []
    arm = arms_named(["aspects"])[0]
    kept = app._prepared  # the prepared life, as the run sees it

    def looked_at(*arguments: object) -> object:
        made = kept(*arguments)  # type: ignore[arg-type]
        (prepared,) = made.values()
        given.append(arm.find(prepared, prepared.life.questions[0], Progress()))
        return made

    app._prepared = looked_at  # type: ignore[method-assign, assignment]
    app.continue_run(run, Progress())
    return given[0].document, given[0].keys


def test_what_is_liked_and_what_not_is_told_with_its_words_and_day(
    app: App, life_file: Writer
) -> None:
    text, keys = document(app, life_file(tastes("2024-06-01T00:00:00")))
    topics = text.split("## Topics\n")[1]
    assert topics.startswith("- liked: jasmine tea (“I love jasmine tea.”, 2024-02-10)")
    assert "not liked: crowded trams" in topics
    assert "## Situations" in text
    assert "## Principles" in text
    assert "t10" in keys


def test_nothing_written_later_is_in_the_stores(app: App, life_file: Writer) -> None:
    text, keys = document(app, life_file(tastes("2024-06-01T00:00:00")))
    assert "can't stand" not in text
    assert "t12" not in keys


def test_a_taste_that_turned_is_told_with_its_latest_word_last(app: App, life_file: Writer) -> None:
    text, _ = document(app, life_file(tastes("2024-08-01T00:00:00")))
    liked, _, turned = text.split("## Topics\n")[1].partition("; ")
    assert "2024-02-10" in liked
    assert turned.startswith("not liked: jasmine tea")


def test_before_anything_was_written_the_stores_are_empty(app: App, life_file: Writer) -> None:
    assert document(app, life_file(tastes("2024-01-01T00:00:00"))) == ("", ())


def test_clusters_part_what_lies_apart_the_same_each_time() -> None:
    east, north = np.array([1, 0.0]), np.array([0, 1.0])
    vectors = np.array([east, north, east, north, east], np.float32)
    labels = clusters(vectors, 2)
    assert labels.tolist() == [0, 1, 0, 1, 0]
    assert clusters(vectors[:1], 8).tolist() == [0]
