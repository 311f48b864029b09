"""A language model from a GGUF file, run by llama.cpp in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clone_app.models.gguf import GgufHeader, read_gguf
from clone_app.models.host import Host, Hosted, Launch
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Hold the numbers of one finished reply.

    `prompt_tokens_read` is how much of the prompt was new: the rest was still in the prefix cache.
    """

    prompt_tokens: int
    prompt_tokens_read: int
    reply_tokens: int
    seconds_reading: float
    seconds: float


class LlamaChat(Hosted):
    """Write with a GGUF model; fulfils `protocols.ChatModel`.

    The model's process starts at the first call, and the file is looked at before that: a file that
    can't be a model raises `ModelError` without ever reaching native code.
    """

    def __init__(self, path: Path, *, context: int = 2048, threads: int = 0) -> None:
        self._path = path
        self._asked_context = context
        self._threads = threads
        self._header: GgufHeader | None = None
        self._last: Usage | None = None
        self._host = Host(
            Launch(
                title="language model",
                module="clone_app.models.llama_child",
                options=self._options,
            )
        )

    @property
    def name(self) -> str:
        """Return the file's name without its ending, as stored with every answer."""
        return self._path.stem

    @property
    def path(self) -> Path:
        """Return the model's file."""
        return self._path

    @property
    def context(self) -> int:
        """Return how many tokens fit: as many as asked for, fewer where the model knows fewer."""
        if self._header is None:
            self._header = read_gguf(self._path)
        known = self._header.context
        return min(self._asked_context, known) if known else self._asked_context

    @property
    def last_usage(self) -> Usage | None:
        """Return the numbers of the last reply that ran to its end, None before one did."""
        return self._last

    def load(self, progress: Progress | None = None) -> None:
        """Start the process and load the model, unless that is done.

        Cancelling ends the waiting and lets the loading go on: the next question needs it.
        """
        self._host.load(progress)

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        """Yield pieces of the reply; raise `Cancelled` within half a second of a cancel.

        Raises `ModelError` for a prompt beyond the context, `ModelStoppedError` where the process
        ended; the next call starts a fresh one.
        """
        progress.check()
        return self._host.stream(messages, sampling, progress, finished=self._keep)

    def likelihoods(
        self, messages: Sequence[Message], options: Sequence[str], progress: Progress
    ) -> tuple[float, ...]:
        """Return for each option the mean log-probability of its tokens as the reply."""
        return self._host.likelihoods(messages, options, progress)

    def count(self, text: str) -> int:
        """Return how many tokens the text takes within a prompt."""
        return self._host.count(text)

    def _options(self) -> dict[str, Any]:
        """Look at the file anew before each start, and say how to load it."""
        self._header = read_gguf(self._path)
        return {"path": str(self._path), "context": self.context, "threads": self._threads}

    def _keep(self, facts: dict[str, Any]) -> None:
        self._last = Usage(
            prompt_tokens=int(facts["prompt_tokens"]),
            prompt_tokens_read=int(facts["prompt_tokens_read"]),
            reply_tokens=int(facts["reply_tokens"]),
            seconds_reading=float(facts["seconds_reading"]),
            seconds=float(facts["seconds"]),
        )
