"""The lanes: work off the window's thread, results on it, in order."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtCore import QObject

from clone_app.errors import CloneAppError
from clone_app.progress import Progress
from clone_app.ui.jobs import Job, Jobs, Lane

Waited = Callable[[Callable[[], bool]], None]


def test_work_runs_on_its_lane_and_its_result_arrives_on_the_windows_thread(
    jobs: Jobs, waited: Waited
) -> None:
    seen: list[tuple[str, str]] = []
    jobs.run(
        lambda _: threading.current_thread().name,
        lane=Lane.READING,
        done=lambda name: seen.append((name, threading.current_thread().name)),
    )
    waited(lambda: bool(seen))
    assert seen == [("lane-reading", threading.current_thread().name)]


def test_one_lane_keeps_order_and_another_does_not_wait_for_it(jobs: Jobs, waited: Waited) -> None:
    gate = threading.Event()
    seen: list[str] = []
    jobs.run(lambda _: gate.wait(5), lane=Lane.WRITING, done=lambda _: seen.append("import"))
    jobs.run(lambda _: None, lane=Lane.WRITING, done=lambda _: seen.append("remove"))
    jobs.run(lambda _: None, lane=Lane.MODEL, done=lambda _: seen.append("answer"))
    waited(lambda: seen == ["answer"])
    gate.set()
    waited(lambda: len(seen) == 3)
    assert seen == ["answer", "import", "remove"]


def test_streamed_values_arrive_one_by_one_before_the_end(jobs: Jobs, waited: Waited) -> None:
    seen: list[object] = []
    jobs.stream(
        lambda _: iter((1, 2, 3)),
        lane=Lane.MODEL,
        each=seen.append,
        ended=lambda: seen.append("end"),
    )
    waited(lambda: "end" in seen)
    assert seen == [1, 2, 3, "end"]


def test_cancelling_ends_the_work_and_tells_nobody_but_who_waits(
    jobs: Jobs, waited: Waited
) -> None:
    told: list[object] = []
    ended: list[bool] = []
    jobs.failed.connect(told.append)
    jobs.crashed.connect(told.append)

    def endless(progress: Progress) -> None:
        while True:
            progress.report(0)

    job = jobs.run(endless, lane=Lane.MODEL, done=told.append, ended=lambda: ended.append(True))
    waited(lambda: job.step is not None)
    job.cancel()
    waited(lambda: bool(ended))
    assert told == []
    assert jobs.active() == ()


def test_a_cancelled_stream_closes_its_generator(jobs: Jobs, waited: Waited) -> None:
    closed = threading.Event()

    def words(progress: Progress) -> Iterator[str]:
        try:
            while True:
                yield "word"
                progress.check()
        finally:
            closed.set()

    seen: list[str] = []
    job = jobs.stream(words, lane=Lane.MODEL, each=seen.append)
    waited(lambda: bool(seen))
    job.cancel()
    waited(closed.is_set)


def test_a_job_that_still_waits_for_its_lane_ends_at_once_when_cancelled(
    jobs: Jobs, waited: Waited
) -> None:
    gate = threading.Event()
    ended: list[str] = []
    jobs.run(lambda _: gate.wait(5), lane=Lane.WRITING)
    waiting = jobs.run(
        lambda _: ended.append("ran"), lane=Lane.WRITING, ended=lambda: ended.append("ended")
    )
    waiting.cancel()
    waited(lambda: ended == ["ended"])
    gate.set()


def test_the_worlds_fault_becomes_a_sentence(jobs: Jobs, waited: Waited) -> None:
    sentences: list[str] = []
    jobs.failed.connect(sentences.append)

    def fails(_: Progress) -> None:
        raise CloneAppError("The disk is full. Free some space.")

    jobs.run(fails, lane=Lane.WRITING)
    waited(lambda: bool(sentences))
    assert sentences == ["The disk is full. Free some space."]


def test_who_takes_a_fault_itself_is_told_instead_of_all(jobs: Jobs, waited: Waited) -> None:
    everybody: list[str] = []
    mine: list[str] = []
    jobs.failed.connect(everybody.append)

    def fails(_: Progress) -> None:
        raise CloneAppError("No.")

    jobs.run(fails, lane=Lane.WRITING, failed=lambda fault: mine.append(str(fault)))
    waited(lambda: bool(mine))
    assert everybody == []


def test_any_other_exception_is_a_crash_and_the_lane_goes_on(jobs: Jobs, waited: Waited) -> None:
    crashes: list[Exception] = []
    done: list[int] = []
    jobs.crashed.connect(crashes.append)
    jobs.run(lambda _: 1 // 0, lane=Lane.READING)
    jobs.run(lambda _: 7, lane=Lane.READING, done=done.append)
    waited(lambda: bool(done))
    assert [type(crash) for crash in crashes] == [ZeroDivisionError]
    assert done == [7]


def test_an_owner_that_is_gone_hears_nothing(jobs: Jobs, waited: Waited) -> None:
    gate = threading.Event()
    heard: list[object] = []
    ended: list[Job] = []
    jobs.ended.connect(ended.append)
    owner = QObject()
    jobs.run(lambda _: gate.wait(5), lane=Lane.READING, owner=owner, done=heard.append)
    shiboken6.delete(owner)
    gate.set()
    waited(lambda: bool(ended))
    assert heard == []


def test_background_work_makes_way_and_is_taken_up_again(jobs: Jobs, waited: Waited) -> None:
    begun: list[str] = []
    finish = threading.Event()

    def vectors(progress: Progress) -> None:
        begun.append("vectors")
        while not finish.wait(0.002):
            progress.check()

    done: list[str] = []
    jobs.run(vectors, lane=Lane.WRITING, background=True, done=lambda _: done.append("vectors"))
    waited(lambda: begun == ["vectors"])
    jobs.run(lambda _: None, lane=Lane.WRITING, done=lambda _: done.append("import"))
    waited(lambda: done == ["import"])
    waited(lambda: begun == ["vectors", "vectors"])
    finish.set()
    waited(lambda: done == ["import", "vectors"])


def test_background_work_that_is_cancelled_does_not_come_back(jobs: Jobs, waited: Waited) -> None:
    begun: list[str] = []

    def vectors(progress: Progress) -> None:
        begun.append("vectors")
        while True:
            progress.report(0)

    job = jobs.run(vectors, lane=Lane.WRITING, background=True)
    waited(lambda: job.step is not None)
    job.cancel()
    waited(lambda: jobs.active() == ())
    done: list[str] = []
    jobs.run(lambda _: None, lane=Lane.WRITING, done=lambda _: done.append("next"))
    waited(lambda: bool(done))
    assert begun == ["vectors"]


def test_closing_cancels_everything_and_does_the_last_thing_last(
    jobs: Jobs, waited: Waited
) -> None:
    order: list[str] = []

    def endless(progress: Progress) -> None:
        try:
            while True:
                progress.report(0)
        finally:
            order.append("import ended")

    job = jobs.run(endless, lane=Lane.WRITING)
    waited(lambda: job.step is not None)
    assert jobs.close(last=lambda: order.append("app closed"))
    assert order == ["import ended", "app closed"]


def test_a_lane_that_hangs_is_told_of_instead_of_waited_for(dressed: object) -> None:
    jobs = Jobs()
    gate = threading.Event()
    hangs = threading.Event()

    def hang(_: Progress) -> None:
        hangs.set()
        gate.wait(10)

    jobs.run(hang, lane=Lane.MODEL)
    assert hangs.wait(5)
    assert not jobs.close(seconds=0.1)
    gate.set()
    assert jobs.close()


def test_nothing_is_started_after_closing(jobs: Jobs) -> None:
    jobs.close()
    jobs.run(lambda _: pytest.fail("ran"), lane=Lane.READING)
    assert jobs.active() == ()


def test_what_ends_everything_waits_for_the_other_lanes(jobs: Jobs) -> None:
    order: list[str] = []
    begun = threading.Event()

    def reads(_: Progress) -> None:
        begun.set()
        time.sleep(0.3)  # deep in the base, where nothing can be cancelled
        order.append("read")

    jobs.run(reads, lane=Lane.READING)
    assert begun.wait(5)
    assert jobs.close(last=lambda: order.append("app closed"))
    assert order == ["read", "app closed"]
