"""Ask every question under every arm, keep each answer as soon as it is there, go on after a kill."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from clone_app.evaluation.arms import OPTIONS_ONLY, Arm, Given
from clone_app.evaluation.metrics import retrieval_scores
from clone_app.evaluation.prepare import Prepared
from clone_app.evaluation.readers import Reader
from clone_app.evaluation.runs import Answered, Plan, RunLife, Runs
from clone_app.evaluation.stages import stage_of
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.progress import Progress

LABEL = "Answering"


@dataclass(frozen=True, slots=True)
class Task:
    """Hold one question under one arm, in one prepared life."""

    life: str
    made: Prepared
    question: SuiteQuestion
    arm: Arm


def arms_run(chosen: Sequence[Arm], lives: Iterable[Life]) -> tuple[Arm, ...]:
    """Return the arms with the bare options beside them, which every result on options is read against."""
    choices = any(question.choices for life in lives for question in life.questions)
    return (OPTIONS_ONLY, *chosen) if choices and OPTIONS_ONLY not in chosen else tuple(chosen)


def life_keys(lives: Sequence[Life]) -> tuple[str, ...]:
    """Return a key a life: the person's id; with suite and language where two share it."""
    ids = [life.id for life in lives]
    full = [
        life.id if ids.count(life.id) == 1 else f"{life.id} ({life.suite}, {life.language})"
        for life in lives
    ]
    return tuple(
        key if full.count(key) == 1 else f"{key} {full[:place].count(key) + 1}"
        for place, key in enumerate(full)
    )


def answer_all(
    plan: Plan,
    run: int,
    runs: Runs,
    *,
    lives: Mapping[str, Prepared],
    arms: Sequence[Arm],
    reader: Reader,
    make_way: Callable[[Progress], None],
    progress: Progress,
    clock: Callable[[], float] = time.perf_counter,
) -> None:
    """Answer what a run has no answers to yet; `make_way` waits while a person is being answered.

    Retrieval happens here, one after the other; reading as many at once as the reader takes. Raises
    `Cancelled` when asked to stop; what is answered by then is kept.
    """
    done = runs.answered(run)
    tasks = [
        Task(life, made, question, arm)
        for life, made in lives.items()
        for question in made.life.questions[: plan.limit or None]
        for arm in arms
        if (life, question.id, arm.name) not in done
    ]
    for made in lives.values():
        progress.check()
        _look_up(made, plan, reader, progress)
    count = 0
    progress.report(0, len(tasks), LABEL)
    for batch in _answers(tasks, plan, reader, make_way, progress, clock):
        runs.keep(run, batch)
        count += len(batch)
        progress.report(count, len(tasks), LABEL)


def _look_up(made: Prepared, plan: Plan, reader: Reader, progress: Progress) -> None:
    """Embed what all arms will ask for, in large batches, so that no arm pays for the others."""
    asked = made.life.questions[: plan.limit or None]
    made.embedder.ask([each.text for each in asked if each.text.strip()], progress=progress)
    if reader.name == "none":
        choices = [text for question in asked for _, text in question.choices]
        made.embedder.embed(choices, progress=progress)


def _answers(
    tasks: Sequence[Task],
    plan: Plan,
    reader: Reader,
    make_way: Callable[[Progress], None],
    progress: Progress,
    clock: Callable[[], float],
) -> Iterator[list[Answered]]:
    """Yield answers in batches: all arms of a question together, or as they come from a server."""
    if reader.parallel == 1:
        batch: list[Answered] = []
        for place, task in enumerate(tasks):
            progress.check()
            make_way(progress)
            found = _found(task, progress, clock)
            batch.append(_one(found, plan, reader, progress, clock))
            after = tasks[place + 1].question if place + 1 < len(tasks) else None
            if after is not task.question or reader.name != "none":
                yield batch
                batch = []
        return
    flying: set[Future[Answered]] = set()
    with ThreadPoolExecutor(reader.parallel, thread_name_prefix="reader") as pool:
        try:
            for task in tasks:
                make_way(progress)
                found = _found(task, progress, clock)
                flying.add(pool.submit(_one, found, plan, reader, progress, clock))
                while len(flying) >= 2 * reader.parallel:
                    yield from _landed(flying)
            while flying:
                yield from _landed(flying)
        except BaseException:
            for each in flying:
                each.cancel()
            raise


def _landed(flying: set[Future[Answered]]) -> Iterator[list[Answered]]:
    """Wait for at least one answer, and yield all there are."""
    landed, _ = wait(flying, return_when=FIRST_COMPLETED)
    flying -= landed
    yield [each.result() for each in landed]


@dataclass(frozen=True, slots=True)
class Found:
    """Hold a task with what its arm gave for it, and how long that took."""

    task: Task
    given: Given
    seconds: float


def _found(task: Task, progress: Progress, clock: Callable[[], float]) -> Found:
    begun = clock()
    given = task.arm.find(task.made, task.question, progress)
    return Found(task, given, clock() - begun)


def _one(
    looked_up: Found,
    plan: Plan,
    reader: Reader,
    progress: Progress,
    clock: Callable[[], float],
) -> Answered:
    """Return the answer to one question under one arm."""
    begun = clock()
    task, given = looked_up.task, looked_up.given
    question = task.question
    read = reader.read(task.made, question, given, plan.k, progress)
    found = given.keys if task.arm.retrieves else ()
    return Answered(
        life=task.life,
        question=question.id,
        arm=task.arm.name,
        found=found,
        read=read.read,
        cut=read.cut,
        scores={
            **(retrieval_scores(question, found) if task.arm.retrieves else {}),
            **read.scores,
        },
        said=read.said,
        stage=stage_of(
            question,
            visible={item.key for item in task.made.visible(question)},
            found=given.keys,
            read=set(read.read),
            right=read.right,
        ),
        tokens_read=read.tokens_read,
        tokens_written=read.tokens_written,
        seconds=looked_up.seconds + clock() - begun,
        failure=read.failure,
        strength=given.judged.strength if given.judged is not None else None,
        silent=given.judged.silent if given.judged is not None else None,
    )


def described(life: Life, key: str, folder: str) -> RunLife:
    """Return what a run keeps of a life besides its questions."""
    return RunLife(
        key=key,
        suite=life.suite,
        id=life.id,
        name=life.name,
        language=life.language,
        tier=life.tier,
        sha256=life.sha256,
        pin=life.pin,
        traces=len(life.items),
        questions=len(life.questions),
        folder=folder,
        notes=life.notes,
    )
