"""How long a run will take, measured on this machine with a few of its own questions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clone_app.entries import Item
from clone_app.evaluation.arms import DEPTH, Arm, Given
from clone_app.evaluation.judge import Judge, retrieved_text
from clone_app.evaluation.model_reader import ModelReader
from clone_app.evaluation.prepare import in_time, whole_text
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.memory.chunk import passages
from clone_app.progress import Progress
from clone_app.protocols import Embedder

LABEL = "Measuring the speed"
# Questions are taken at these shares of a run, so that one long life doesn't speak for all.
SAMPLES = (0.2, 0.5, 0.8)
TEXTS = 32
# Looking up one question under one arm, measured over all retrieval arms; nothing beside reading.
RETRIEVAL_SECONDS = 0.03


@dataclass(frozen=True, slots=True)
class Estimate:
    """Say how many answers a run needs and how many seconds: for vectors, for answers, for marks."""

    answers: int
    indexing: float
    answering: float
    judging: float = 0.0

    @property
    def seconds(self) -> float:
        """Return the whole time."""
        return self.indexing + self.answering + self.judging


@dataclass(frozen=True, slots=True)
class _Unindexed:
    life: Life
    items: Mapping[str, Item]


def estimate(
    lives: Sequence[Life],
    arms: Sequence[Arm],
    *,
    k: int,
    limit: int,
    reader: ModelReader | None,
    unprepared: Sequence[Life],
    embedder: Embedder,
    progress: Progress,
    judge: Judge | None = None,
    supposes: Callable[[str, Progress], str] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Estimate:
    """Return how long a run takes; `reader` is None where nothing is written.

    A few questions are answered with as many traces as an arm would give, and the bare options once;
    `unprepared` are the lives without vectors yet, of which a few texts are embedded. `supposes` writes
    a line for each question, where an arm needs one.
    """
    asked = [(life, each) for life in lives for each in life.questions[: limit or None]]
    answers = len(asked) * len(arms)
    indexing = _indexing(unprepared, embedder, progress, clock)
    answering = answers * RETRIEVAL_SECONDS
    if supposes is not None and asked:
        supposes("", progress)  # loads the model
        begun = clock()
        supposes(asked[len(asked) // 2][1].text, progress)
        answering += (clock() - begun) * len(asked)
    if reader is None or not asked:
        return Estimate(answers, indexing, answering)
    reader.chat.load(progress)
    spent: dict[bool, list[float]] = {False: [], True: []}
    marking: dict[bool, list[float]] = {False: [], True: []}
    for step, share in enumerate(SAMPLES):
        progress.report(step, len(SAMPLES), LABEL)
        life, question = asked[int(share * len(asked))]
        for bare in (False, True):
            if bare and step:
                continue
            begun = clock()
            free, given, items = _answer(reader, life, question, 0 if bare else k, progress)
            spent[bare].append(clock() - begun)
            if judge is not None:
                begun = clock()
                text = retrieved_text(given, items, question, judge)
                judge.mark(question, free, text, progress)
                marking[bare].append(clock() - begun)
    without = sum(arm.name == "options only" for arm in arms)
    each = sum(spent[False]) / len(spent[False])
    reading = len(asked) * (without * spent[True][0] + (len(arms) - without) * each)
    judging = 0.0
    if marking[False]:  # beside the bare options nothing was retrieved that could be marked
        full = sum(marking[False]) / len(marking[False])
        judging = len(asked) * (without * marking[True][0] + (len(arms) - without) * full)
    answering += reading / reader.parallel
    return Estimate(answers, indexing, answering, judging / (judge.parallel if judge else 1))


def _answer(
    reader: ModelReader, life: Life, question: SuiteQuestion, k: int, progress: Progress
) -> tuple[str, Given, Mapping[str, Item]]:
    items = in_time(life.items)
    seen = [
        key
        for key, item in items.items()
        if item.moment.local is not None and item.moment.local <= question.asked_at
    ]
    given = Given(tuple(seen[::-1][: min(k, DEPTH)]))
    read = reader.read(_Unindexed(life, items), question, given, k, progress)
    return read.said.get("free", ""), given, items


def _indexing(
    lives: Sequence[Life],
    embedder: Embedder,
    progress: Progress,
    clock: Callable[[], float],
) -> float:
    items = [item for life in lives for item in life.items]
    if not items:
        return 0.0
    progress.report(0, 0, LABEL)
    embedder.embed(["warm"], progress=progress)
    step = max(1, len(items) // TEXTS)
    texts = [each.text for item in items[::step] for each in passages(item)]
    wholes = [whole_text(item) for item in items[::step]]
    begun = clock()
    embedder.embed([*texts, *wholes], progress=progress)
    return (clock() - begun) * len(items) / len(items[::step])
