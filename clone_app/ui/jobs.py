"""Run work off the window's thread: three lanes of one thread each, results back as Qt signals.

Pages give plain functions of a `Progress`; this file alone knows threads and signals. Everything a
callback gets arrives on the window's thread, in order.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

from clone_app.errors import Cancelled, CloneAppError
from clone_app.progress import Progress, Step
from clone_app.ui.garbage import GarbageTimer

T = TypeVar("T")


class Lane(StrEnum):
    """Which thread does it: one for all that writes, so that no question waits for an import."""

    WRITING = "writing"
    READING = "reading"
    MODEL = "model"


class Job:
    """Hold one piece of work on its way: what it is called, how far it is, and a way to stop it.

    A job without a title is not shown in the status area. `background` work makes way: it is
    stopped for anything else in its lane and started again after.
    """

    def __init__(self, jobs: Jobs, *, lane: Lane, title: str, owner: QObject | None) -> None:
        self.lane = lane
        self.title = title
        self.step: Step | None = None
        self.background = False
        self.unwanted = False
        self.finished = False
        self.work: Callable[[Progress], object] = lambda _: None
        self.on_done: Callable[[Any], None] | None = None
        self.on_failed: Callable[[CloneAppError], None] | None = None
        self.on_ended: Callable[[], None] | None = None
        self.on_step: Callable[[Step], None] | None = None
        self._jobs = jobs
        self._owner = owner
        self.renew()

    def renew(self) -> None:
        """Take a fresh progress: the last one was stopped only to make way."""
        self.progress = Progress(partial(self._jobs.hear, self))
        if self.unwanted:
            self.progress.cancel()

    def cancel(self) -> None:
        """Stop the work where it next allows it; nobody is told but who waits for its end."""
        self.unwanted = True
        self.progress.cancel()
        self._jobs.drop(self)

    def heard(self) -> bool:
        """Tell whether the widget that asked is still there to hear the answer."""
        return self._owner is None or shiboken6.isValid(self._owner)


class _Queue:
    """Hand the jobs of one lane to its thread: first come first served, background work last."""

    def __init__(self) -> None:
        self._ready = threading.Condition()
        self._front: deque[Job] = deque()
        self._back: deque[Job] = deque()
        self._current: Job | None = None
        self._closed = False

    def put(self, job: Job) -> None:
        with self._ready:
            (self._back if job.background else self._front).append(job)
            current = self._current
            if not job.background and current is not None and current.background:
                current.progress.cancel()
            self._ready.notify()

    def take(self) -> Job | None:
        with self._ready:
            self._current = None
            while not (self._front or self._back):
                if self._closed:
                    return None
                self._ready.wait()
            self._current = (self._front or self._back).popleft()
            return self._current

    def drop(self, job: Job) -> bool:
        with self._ready:
            for waiting in (self._front, self._back):
                if job in waiting:
                    waiting.remove(job)
                    return True
        return False

    def close(self) -> None:
        with self._ready:
            self._closed = True
            self._ready.notify()


class Jobs(QObject):
    """Run jobs and tell, on the window's thread, how they go.

    `failed` carries a sentence for the user, `crashed` an exception of ours.
    """

    started = Signal(object)
    stepped = Signal(object)
    ended = Signal(object)
    failed = Signal(str)
    crashed = Signal(object)
    _news = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mail: deque[Callable[[], None]] = deque()
        self._news.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._queues = {lane: _Queue() for lane in Lane}
        self._active: list[Job] = []
        self._closed = False
        self._garbage = GarbageTimer(self)
        self._threads = [
            threading.Thread(target=self._serve, args=(queue,), name=f"lane-{lane}", daemon=True)
            for lane, queue in self._queues.items()
        ]
        for thread in self._threads:
            thread.start()

    def run(
        self,
        work: Callable[[Progress], T],
        *,
        lane: Lane,
        title: str = "",
        owner: QObject | None = None,
        done: Callable[[T], None] | None = None,
        failed: Callable[[CloneAppError], None] | None = None,
        ended: Callable[[], None] | None = None,
        step: Callable[[Step], None] | None = None,
        background: bool = False,
    ) -> Job:
        """Queue `work` and return its job.

        `done` gets the result; `failed` the world's fault, which is otherwise shown as a message;
        `ended` comes last whatever happened, cancelling included. None of them is called once
        `owner` is gone.
        """
        job = Job(self, lane=lane, title=title, owner=owner)
        job.work, job.background = work, background
        job.on_done, job.on_failed, job.on_ended, job.on_step = done, failed, ended, step
        return self._start(job)

    def stream(
        self,
        work: Callable[[Progress], Iterator[T]],
        *,
        lane: Lane,
        each: Callable[[T], None],
        title: str = "",
        owner: QObject | None = None,
        failed: Callable[[CloneAppError], None] | None = None,
        ended: Callable[[], None] | None = None,
        step: Callable[[Step], None] | None = None,
    ) -> Job:
        """Queue work that yields values; `each` gets them as they come."""
        job = Job(self, lane=lane, title=title, owner=owner)

        def drain(progress: Progress) -> None:
            values = work(progress)
            try:
                for value in values:
                    self._post(partial(self._hand, job, each, value))
                    progress.check()
            finally:
                close = getattr(values, "close", None)
                if close is not None:  # a generator frees its model now, not when it is collected
                    close()

        job.work = drain
        job.on_failed, job.on_ended, job.on_step = failed, ended, step
        return self._start(job)

    def active(self) -> tuple[Job, ...]:
        """Return the jobs that have not ended, oldest first."""
        return tuple(self._active)

    def close(self, *, last: Callable[[], None] | None = None, seconds: float = 5.0) -> bool:
        """Cancel all, do `last` on the writing lane, end the threads; tell whether all did in time.

        `last` closes what the other lanes may be using, so it waits for them, half of the time at most.
        It waits, so hide the window first. A thread that does not end is a daemon: it can't keep
        the process alive.
        """
        if not self._closed:
            self._closed = True
            for job in self.active():
                job.cancel()
            if last is not None:
                job = Job(self, lane=Lane.WRITING, title="", owner=None)
                job.work = partial(self._do_last, last, seconds / 2)
                self._queues[Lane.WRITING].put(job)
            for queue in self._queues.values():
                queue.close()
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        if any(thread.is_alive() for thread in self._threads):
            return False
        self._garbage.stop()
        return True

    def _do_last(self, last: Callable[[], None], seconds: float, _: Progress) -> None:
        """Do what ends everything once no other lane is at work: a base closed under one crashes it."""
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, deadline - time.monotonic()))
        last()

    def hear(self, job: Job, step: Step) -> None:
        """Take a job's step from its lane's thread."""
        self._post(partial(self._step, job, step))

    def drop(self, job: Job) -> None:
        """End a cancelled job that still waits for its lane."""
        if self._queues[job.lane].drop(job):
            self._post(partial(self._end, job))

    def _start(self, job: Job) -> Job:
        if self._closed:
            return job
        self._active.append(job)
        self.started.emit(job)
        self._queues[job.lane].put(job)
        return job

    def _serve(self, queue: _Queue) -> None:
        """Be one lane: take jobs until closed. Runs on the lane's own thread."""
        while (job := queue.take()) is not None:
            try:
                job.progress.check()
                result = job.work(job.progress)
            except Cancelled:
                if job.background and not job.unwanted and not self._closed:
                    job.renew()
                    queue.put(job)
                else:
                    self._post(partial(self._end, job))
            except CloneAppError as fault:
                self._post(partial(self._fail, job, fault))
            except Exception as fault:  # ours, whatever it is: a crash report, not silence
                self._post(partial(self._crash, job, fault))
            else:
                self._post(partial(self._finish, job, result))
            job = None  # a lane that waits keeps nothing of the last job alive

    def _post(self, call: Callable[[], None]) -> None:
        """Have `call` made on the window's thread: one event a call, so that order is kept."""
        if self._closed:
            return
        self._mail.append(call)
        self._news.emit()

    @Slot()
    def _deliver(self) -> None:
        if self._mail and not self._closed:
            self._mail.popleft()()

    def _hand(self, job: Job, each: Callable[[T], None], value: T) -> None:
        if job.heard() and not job.unwanted:
            each(value)

    def _step(self, job: Job, step: Step) -> None:
        if job.finished or job.unwanted:
            return
        job.step = step
        if job.on_step is not None and job.heard():
            job.on_step(step)
        self.stepped.emit(job)

    def _finish(self, job: Job, result: object) -> None:
        try:
            if job.on_done is not None and job.heard():
                job.on_done(result)
        finally:
            self._end(job)

    def _fail(self, job: Job, fault: CloneAppError) -> None:
        try:
            if job.on_failed is None:
                self.failed.emit(str(fault))
            elif job.heard():
                job.on_failed(fault)
        finally:
            self._end(job)

    def _crash(self, job: Job, fault: Exception) -> None:
        try:
            self.crashed.emit(fault)
        finally:
            self._end(job)

    def _end(self, job: Job) -> None:
        if job.finished:
            return
        job.finished = True
        if job in self._active:
            self._active.remove(job)
        try:
            if job.on_ended is not None and job.heard():
                job.on_ended()
        finally:
            self.ended.emit(job)
