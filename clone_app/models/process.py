"""One run of a model's process: started, listened to and reaped by a thread of its own."""

from __future__ import annotations

import contextlib
import itertools
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from clone_app.models import wire
from clone_app.models.child import FLAG

LAST_LINES = 20


@dataclass(frozen=True, slots=True)
class Ended:
    """Arrive in place of a reply that will never come.

    `asked` means that the program itself ended it. `again` means that nothing is wrong with the
    request: the child went to sleep just then, or was ended because another request hung in it.
    """

    cause: str
    asked: bool = False
    again: bool = False


Reply: TypeAlias = wire.Talk | Ended
Inbox: TypeAlias = "queue.SimpleQueue[Reply]"

_ids = itertools.count(1)


def next_id() -> int:
    """Return a number no other request of this program has."""
    return next(_ids)


def child_command(module: str) -> list[str]:
    """Return the command that runs a `…_child` module, from source or as a frozen program.

    A fresh interpreter rather than multiprocessing's spawn, which would run the program's
    `__main__` again in the child: that of a test run, of a console script, of a notebook.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, FLAG, module]
    # The child finds what the program finds, and nothing from the folder it was started in.
    path = [entry for entry in sys.path if entry] + [str(Path(__file__).resolve().parents[2])]
    code = (
        f"import sys; sys.path[:] = {path!r}; "
        f"from clone_app.models.child import main; main({module!r})"
    )
    return [sys.executable, "-P", "-c", code]


class Process:
    """Hold a running child and hand each reply to whoever asked.

    One thread starts the child, reads it to its end and reaps it. It has to be one: on Linux the
    child asks to die with the thread that started it, and a worker of ours may end sooner.
    """

    def __init__(self, command: Sequence[str], load: wire.Load, *, title: str) -> None:
        self._command = list(command)
        self._load = load
        self._load_reply: Reply | None = None
        self._loaded = threading.Event()
        # In the order the child serves them; an inbox that is None belongs to a cancelled request.
        self._outstanding: dict[int, Inbox | None] = {}
        self._waiting_since = 0.0
        self._guard = threading.Lock()
        self._writing = threading.Lock()
        self._noise: deque[str] = deque(maxlen=LAST_LINES)
        self._asked = False
        self._again = False
        self._ended: Ended | None = None
        self._started = threading.Event()
        self._popen: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name=f"{title} process", daemon=True)
        self._thread.start()
        self._started.wait()
        with self._writing:
            self._send(load)

    @property
    def pid(self) -> int | None:
        """Return the child's process id, None where it could not be started."""
        return self._popen.pid if self._popen else None

    @property
    def ended(self) -> Ended | None:
        """Return why it ended, None while it runs."""
        return self._ended

    @property
    def noise(self) -> tuple[str, ...]:
        """Return the last lines the libraries printed, for a report."""
        return tuple(self._noise)

    def loaded(self, timeout: float) -> Reply | None:
        """Wait so long for the reply to the load; None if it isn't there yet."""
        return self._load_reply if self._loaded.wait(timeout) else None

    def ask(self, talk: wire.Talk) -> Inbox:
        """Send a request and return where its replies arrive, `Ended` included."""
        inbox: Inbox = queue.SimpleQueue()
        with self._writing:
            with self._guard:
                if self._ended is not None:
                    inbox.put(self._ended)
                    return inbox
                self._outstanding[talk.id] = inbox
            self._send(talk)
        return inbox

    def abandon(self, request: int) -> None:
        """Stop a request whose replies nobody wants any more; does nothing where it is finished."""
        with self._writing:
            with self._guard:
                if self._outstanding.get(request) is None:
                    return
                self._outstanding[request] = None
                if next(iter(self._outstanding)) == request:
                    self._waiting_since = time.monotonic()
            self._send(wire.Cancel(next_id(), request))

    def stuck(self, patience: float) -> bool:
        """Tell whether the request being served was cancelled so long ago and still runs."""
        with self._guard:
            served = next(iter(self._outstanding), None)
            if served is None or self._outstanding[served] is not None:
                return False
            return time.monotonic() - self._waiting_since > patience

    def replace(self) -> None:
        """End a child in which a request hangs, so that whoever waits behind it asks anew."""
        self._again = True
        self._kill()

    def close(self) -> None:
        """End the child because the program wants it, and wait until it is gone."""
        self._asked = True
        self._kill()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5)

    def _kill(self) -> None:
        if self._popen is not None:
            with contextlib.suppress(OSError):
                self._popen.kill()

    def _send(self, talk: wire.Talk) -> None:
        """Write a message; the caller holds `_writing`."""
        if self._popen is None or self._popen.stdin is None:
            return
        # A pipe that is gone is told by `_run`, which sees the end and its reason.
        with contextlib.suppress(OSError, ValueError):
            wire.write(self._popen.stdin, talk)

    def _run(self) -> None:
        """Start the child, read it to its end, reap it, and tell whoever waits."""
        try:
            popen = subprocess.Popen(  # noqa: S603 - our own interpreter and our own module
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C in a terminal is for the program alone
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as fault:
            self._finish(Ended(f"it could not be started: {fault.strerror}"))
            self._started.set()
            return
        self._popen = popen
        self._started.set()
        listener = threading.Thread(target=self._drain, daemon=True, name="model noise")
        listener.start()
        assert popen.stdout is not None
        try:
            while (talk := wire.read(popen.stdout)) is not None:
                self._deliver(talk)
        except (wire.BrokenPipeTalkError, OSError):
            popen.kill()
        code = popen.wait()
        listener.join(timeout=1)
        with self._writing:
            for pipe in (popen.stdin, popen.stdout, popen.stderr):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
        self._finish(Ended(_cause(code), asked=self._asked, again=self._again))

    def _deliver(self, talk: wire.Talk) -> None:
        if isinstance(talk, wire.Asleep):
            self._again = True
            return
        if talk.id == self._load.id:
            self._load_reply = talk
            self._loaded.set()
            return
        with self._guard:
            inbox = self._outstanding.get(talk.id)
            if not isinstance(talk, wire.Piece):
                self._outstanding.pop(talk.id, None)
                self._waiting_since = time.monotonic()
        if inbox is not None:
            inbox.put(talk)

    def _finish(self, ended: Ended) -> None:
        with self._guard:
            self._ended = ended
            inboxes = [inbox for inbox in self._outstanding.values() if inbox is not None]
            self._outstanding.clear()
        if not self._loaded.is_set():
            self._load_reply = ended
            self._loaded.set()
        for inbox in inboxes:
            inbox.put(ended)

    def _drain(self) -> None:
        """Keep the last lines that libraries print: no terminal shows them, and no pipe fills."""
        assert self._popen is not None
        assert self._popen.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            for line in self._popen.stderr:
                self._noise.append(line.decode("utf-8", "replace").rstrip())


def _cause(code: int) -> str:
    """Say in words how a process ended."""
    if code >= 0:
        return f"exit code {code}"
    if -code == getattr(signal, "SIGKILL", 9):
        return "it was killed, perhaps because memory ran out"
    try:
        return f"it crashed with {signal.Signals(-code).name}"
    except ValueError:
        return f"it crashed with signal {-code}"
