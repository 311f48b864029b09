"""How long work tells how far it is, and hears that it should stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from clone_app.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Step:
    """Say how far a piece of work is. `total` is 0 while unknown; `seconds_left` None likewise."""

    done: int
    total: int
    label: str
    seconds_left: float | None


class Progress:
    """Report steps to a listener and raise `Cancelled` where the work allows it.

    Work is a plain function that takes one of these, so the command line, the window and a test run
    the same code. Reports are thinned to ten a second; the last one always arrives.
    """

    def __init__(
        self,
        listener: Callable[[Step], None] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._listener = listener
        self._clock = clock
        self._stop = threading.Event()
        self._begun = clock()
        self._last = float("-inf")
        self._label = ""

    def cancel(self) -> None:
        """Ask the work to stop at its next `check` or `report`. Safe from any thread."""
        self._stop.set()

    @property
    def cancelled(self) -> bool:
        """Tell whether somebody asked to stop."""
        return self._stop.is_set()

    def check(self) -> None:
        """Raise `Cancelled` if somebody asked to stop."""
        if self._stop.is_set():
            raise Cancelled

    def report(self, done: int, total: int = 0, label: str = "") -> None:
        """Tell the listener how far the work is; raise `Cancelled` if asked to stop."""
        self.check()
        now = self._clock()
        if label != self._label:
            self._label, self._begun, self._last = label, now, float("-inf")
        finished = bool(total) and done >= total
        if self._listener is None or (now - self._last < 0.1 and not finished):
            return
        self._last = now
        spent = now - self._begun
        left = spent / done * (total - done) if total and done and spent > 0.5 else None
        self._listener(Step(done, total, label, left))
