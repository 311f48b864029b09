"""A model in a process of its own: asked over a pipe, stopped at any time, started again at need.

A native crash, a broken file or too little memory ends that process and nothing else: the caller
gets a `ModelStoppedError`, and the next call starts a fresh one.
"""

from __future__ import annotations

import queue
import threading
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import numpy as np

from clone_app.errors import Cancelled, ModelError, ModelStoppedError
from clone_app.models import wire
from clone_app.models.process import Ended, Inbox, Process, Reply, child_command, next_id
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling, Vectors

Answer = TypeVar("Answer", wire.Done, wire.Vectors)

POLL_SECONDS = 0.04
"""How often a waiting call looks whether it should stop: below the 50 ms nobody notices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """Say what runs in the child and how it behaves there.

    `title` names it in sentences ("The language model …"); `module` is a `…_child` module whose
    `load` gets `options`, asked for at each start so that a `ModelError` there comes before any
    process; `command` runs something else in its place (tests). `idle_seconds`
    of quiet end the process, 0 never does. `patience` is how long a request may ignore that it was
    cancelled before the next one no longer waits for it. `remedy` is what to do where it can't even
    be loaded.
    """

    title: str
    module: str = ""
    options: Callable[[], dict[str, Any]] = dict
    command: Sequence[str] = ()
    niceness: int = 0
    idle_seconds: float = 0.0
    patience: float = 10.0
    remedy: str = "Choose another file in Preferences › Models."


class Host:
    """Run one model in a child process; every method may be called from any thread.

    Requests are served one after the other, in the order of their calls: the queue is the child's.
    So a `count` in the middle of a `stream` waits for the stream's end in the child, not for its
    reader, and can't lock up.
    """

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._starting = threading.Lock()
        self._process: Process | None = None
        self._end: weakref.finalize[..., Host] | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Return the running child's process id, None where none runs."""
        process = self._process
        return process.pid if process is not None and process.ended is None else None

    def load(self, progress: Progress | None = None) -> dict[str, Any]:
        """Start the child unless it runs, wait until its model is loaded and return its facts.

        Cancelling ends the waiting and lets the loading go on: the next question needs it.
        """
        return self._ready(progress)[1]

    def ping(self, progress: Progress | None = None) -> int:
        """Return the process id that the child itself answers with."""
        return int(self._ask(wire.Ping(next_id()), wire.Done, progress).facts["pid"])

    def count(self, text: str, progress: Progress | None = None) -> int:
        """Return how many tokens the text takes."""
        return int(self._ask(wire.Count(next_id(), text), wire.Done, progress).facts["tokens"])

    def embed(
        self, texts: Sequence[str], progress: Progress | None = None, *, question: bool = False
    ) -> Vectors:
        """Return one vector a text, shape (texts, dimensions), float32; `question`: for what is asked."""
        got = self._ask(wire.Embed(next_id(), list(texts), question), wire.Vectors, progress)
        if got.count != len(texts):
            raise RuntimeError(f"{got.count} vectors for {len(texts)} texts")
        return np.frombuffer(got.payload, np.float32).reshape(got.count, got.dimensions).copy()

    def likelihoods(
        self,
        messages: Sequence[Message],
        options: Sequence[str],
        progress: Progress | None = None,
    ) -> tuple[float, ...]:
        """Return for each option the mean log-probability of its tokens as the reply."""
        talk = wire.Likelihoods(
            next_id(), [[message.role, message.text] for message in messages], list(options)
        )
        return tuple(map(float, self._ask(talk, wire.Done, progress).facts["scores"]))

    def stream(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        progress: Progress,
        *,
        finished: Callable[[dict[str, Any]], None] = lambda _: None,
    ) -> Iterator[str]:
        """Yield pieces of a reply, then hand `finished` the numbers about it.

        Leaving the iterator early stops the model as well.
        """
        talk = wire.Stream(
            next_id(),
            messages=[[message.role, message.text] for message in messages],
            max_tokens=sampling.max_tokens,
            temperature=sampling.temperature,
            seed=sampling.seed,
            choices=list(sampling.choices),
            fresh=sampling.fresh,
        )
        begun = False
        with closing(self._replies(talk, progress)) as replies:
            for process, reply in replies:
                match reply:
                    case wire.Piece(text=text):
                        begun = True
                        yield text
                        progress.check()
                    case wire.Done(facts=facts):
                        finished(facts)
                        return
                    case Ended(again=True) if not begun:
                        continue
                    case _:
                        self._refuse(reply, process)

    def restart(self) -> None:
        """End the child now; the next call starts a fresh one."""
        with self._starting:
            end, self._end, self._process = self._end, None, None
        if end is not None:
            end()

    def close(self) -> None:
        """End the child for good: later calls are `Cancelled`, as those still waiting are."""
        self._closed = True
        self.restart()

    def _ask(self, talk: wire.Talk, kind: type[Answer], progress: Progress | None) -> Answer:
        """Send a request that has one reply and return it."""
        with closing(self._replies(talk, progress)) as replies:
            for process, reply in replies:
                if isinstance(reply, kind):
                    return reply
                if not (isinstance(reply, Ended) and reply.again):
                    self._refuse(reply, process)
        raise AssertionError("replies go on until one is taken")

    def _replies(
        self, talk: wire.Talk, progress: Progress | None
    ) -> Generator[tuple[Process, Reply], None, None]:
        """Yield replies to a request, from a fresh child each time one ended, until left."""
        while True:
            process, _ = self._ready(progress)
            inbox = process.ask(talk)
            try:
                reply: Reply | None = None
                while not isinstance(reply, Ended):
                    reply = self._next(process, inbox, progress)
                    yield process, reply
            finally:
                process.abandon(talk.id)

    def _next(self, process: Process, inbox: Inbox, progress: Progress | None) -> Reply:
        """Wait for one reply, with an eye on Stop and on a child that hangs in another request."""
        while True:
            try:
                return inbox.get(timeout=POLL_SECONDS)
            except queue.Empty:
                if progress is not None:
                    progress.check()
                if process.stuck(self._launch.patience):
                    process.replace()

    def _ready(self, progress: Progress | None) -> tuple[Process, dict[str, Any]]:
        """Return a child whose model is loaded, with its facts; start one where none runs."""
        while True:
            with self._starting:
                if self._closed:
                    raise Cancelled
                process = self._process
                if process is None or process.ended is not None:
                    process = self._start()
            while (reply := process.loaded(POLL_SECONDS)) is None:
                if progress is not None:
                    progress.check()
            if isinstance(reply, wire.Done):
                return process, reply.facts
            if not (isinstance(reply, Ended) and reply.again):
                process.close()
                self._refuse(reply, process, doing=" while it was loaded")

    def _start(self) -> Process:
        """Start a child and have it load; the caller holds `_starting`."""
        if self._end is not None:
            self._end.detach()
        launch = self._launch
        process = Process(
            launch.command or child_command(launch.module),
            wire.Load(next_id(), launch.options(), launch.niceness, launch.idle_seconds),
            title=launch.title,
        )
        # Neither a forgotten Host nor the program's end leaves a child behind.
        self._end = weakref.finalize(self, process.close)
        self._process = process
        return process

    def _refuse(self, reply: Reply, process: Process, doing: str = "") -> NoReturn:
        """Raise what a reply that is no answer means."""
        match reply:
            case wire.Stopped() | Ended(asked=True):
                raise Cancelled
            case wire.Failed(text=text, world=True):
                raise ModelError(text)
            case wire.Failed(text=text):
                raise RuntimeError(f"The {self._launch.title}'s process failed:\n{text}")
            case Ended(cause=cause):
                remedy = self._launch.remedy if doing else "Ask again to start it afresh."
                fault = ModelStoppedError(
                    f"The {self._launch.title} stopped by itself{doing} ({cause}). {remedy}"
                )
                for line in process.noise:
                    fault.add_note(line)  # for a crash report; the sentence stays one
                raise fault
            case _:
                raise RuntimeError(f"unexpected reply {type(reply).__name__}")


class Hosted:
    """Be a model that runs in a host's process; `_host` is set by the model itself."""

    _host: Host

    @property
    def pid(self) -> int | None:
        """Return the process id of the model's process, None where none runs."""
        return self._host.pid

    def restart(self) -> None:
        """End the process; the next call starts a fresh one."""
        self._host.restart()

    def close(self) -> None:
        """End the process for good."""
        self._host.close()
