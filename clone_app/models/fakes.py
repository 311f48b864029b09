"""Models that are no models: quick, the same each time, for tests and for a look at the window."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from clone_app.errors import Cancelled
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling, Vectors


class FakeEmbedder:
    """Hash words into a vector: texts that share words are near, others about orthogonal."""

    def __init__(self, dimensions: int = 64) -> None:
        self._dimensions = dimensions

    @property
    def name(self) -> str:
        """Return the name the index is stamped with."""
        return f"fake-{self._dimensions}"

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, shape (texts, dimensions)."""
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vectors:
        total = np.full(self._dimensions, 1e-6, dtype=np.float32)
        for word in text.casefold().split():
            digest = hashlib.sha256(word.strip(".,;:!?“”\"'").encode()).digest()
            total += np.random.default_rng(int.from_bytes(digest[:8], "big")).standard_normal(
                self._dimensions
            )
        return np.asarray(total / np.linalg.norm(total), dtype=np.float32)


class FakeChat:
    """Say given replies in turn, word by word; without any, repeat the last line of the notes."""

    def __init__(self, *replies: str, context: int = 2048) -> None:
        self._replies = list(replies)
        self._context = context
        self.prompts: list[tuple[Message, ...]] = []

    @property
    def name(self) -> str:
        """Return the name stored with answers."""
        return "fake-chat"

    @property
    def context(self) -> int:
        """Return how many tokens fit."""
        return self._context

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        """Yield the reply word by word."""
        self.prompts.append(tuple(messages))
        reply = self._replies.pop(0) if self._replies else self._last_note(messages)
        for word in reply.split(" ")[: sampling.max_tokens]:
            if progress.cancelled:
                raise Cancelled
            yield word + " "

    def count(self, text: str) -> int:
        """Return about how many tokens a text takes."""
        return len(text) // 4 + 1

    @staticmethod
    def _last_note(messages: Sequence[Message]) -> str:
        notes = [line for line in messages[-1].text.splitlines() if line.startswith("- ")]
        return notes[-1].partition(": ")[2] if notes else "I did not write about that."


class FakeModels:
    """A shelf of fakes."""

    def __init__(self, chat: FakeChat | None = None, embedder: FakeEmbedder | None = None) -> None:
        self._chat = chat or FakeChat()
        self._embedder = embedder or FakeEmbedder()
        self._busy = threading.Semaphore(1)
        self.restarts = 0
        self.closed = False

    def chat(self) -> FakeChat:
        """Return the fake chat model."""
        return self._chat

    def embedder(self) -> FakeEmbedder:
        """Return the fake embedder."""
        return self._embedder

    def embedder_name(self) -> str:
        """Return the fake embedder's name."""
        return self._embedder.name

    def embedder_dimensions(self) -> int:
        """Return the length of its vectors."""
        return self._embedder.dimensions

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Let nobody embed in the background while the block runs."""
        with self._busy:
            yield

    def wait_until_quiet(self, progress: Progress) -> None:
        """Wait until nobody is answering."""
        progress.check()
        with self._busy:
            return

    def restart(self) -> None:
        """Count that it was asked for."""
        self.restarts += 1

    def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True
