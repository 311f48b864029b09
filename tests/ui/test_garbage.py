"""Cycles with widgets in them die on the window's thread, never on a lane's."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject

from clone_app.progress import Progress
from clone_app.ui.garbage import GarbageTimer
from clone_app.ui.jobs import Jobs, Lane

Waited = Callable[[Callable[[], bool]], None]


class Knot:
    """A cycle that notes on which thread it is untied."""

    died_on: list[str]

    def __init__(self, died_on: list[str]) -> None:
        self.died_on = died_on
        self.itself = self

    def __del__(self) -> None:
        self.died_on.append(threading.current_thread().name)


def test_a_lane_that_allocates_much_collects_nothing(jobs: Jobs, waited: Waited) -> None:
    died_on: list[str] = []
    Knot(died_on)

    def allocate(_: Progress) -> list[dict[int, list[int]]]:
        return [{number: [number]} for number in range(50_000)]

    done: list[object] = []
    jobs.run(allocate, lane=Lane.READING, done=done.append)
    waited(lambda: bool(done))
    assert died_on == []
    jobs._garbage.collect()
    waited(lambda: died_on == [threading.current_thread().name])


def test_collecting_goes_back_to_python_in_the_end(dressed: object) -> None:
    assert gc.isenabled()
    owner = QObject()
    timer = GarbageTimer(owner)
    assert not gc.isenabled()
    timer.stop()
    assert gc.isenabled()
