"""A sentence embedder from a folder on disk, run in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from clone_app.errors import ModelError
from clone_app.models.host import Host, Hosted, Launch
from clone_app.models.prefixes import NONE, Prefixes
from clone_app.progress import Progress
from clone_app.protocols import Vectors

BATCH = 32
"""Texts at a time: about a quarter of a second, so that a question never waits long behind them."""
NICENESS = 5
IDLE_SECONDS = 300.0


class SentenceEmbedder(Hosted):
    """Turn texts into vectors; fulfils `protocols.Embedder`.

    The model's process starts at the first call, has a low priority, and ends after idle minutes to
    give its memory back; the next call starts it again. `prefixes` are put before questions and texts.
    """

    def __init__(
        self,
        folder: Path,
        *,
        name: str,
        dimensions: int,
        prefixes: Prefixes = NONE,
        threads: int = 0,
        idle_seconds: float = IDLE_SECONDS,
        bf16: bool | None = None,
    ) -> None:
        self._folder = folder
        self._name = name
        self._dimensions = dimensions
        self._prefixes = prefixes
        self._threads = threads
        self._bf16 = bf16
        self._host = Host(
            Launch(
                title="embedder",
                module="clone_app.models.embedder_child",
                options=self._options,
                niceness=NICENESS,
                idle_seconds=idle_seconds,
                remedy="Run `python3 packaging/dev.py run` to install it again.",
            )
        )

    @property
    def name(self) -> str:
        """Return the name the index is stamped with."""
        return self._name

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._dimensions

    def load(self, progress: Progress | None = None) -> dict[str, Any]:
        """Start the process and load the model, unless that is done; return what it says of itself."""
        return self._host.load(progress)

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Return one unit vector a text, shape (texts, dimensions), float32.

        A `progress` makes it stop between two batches or inside of one. Other threads' texts get
        their turn between two batches.
        """
        return self._vectors(texts, progress, question=False)

    def ask(self, questions: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Return one unit vector a question: made as the model wants questions to be put."""
        return self._vectors(questions, progress, question=True)

    def _vectors(
        self, texts: Sequence[str], progress: Progress | None, *, question: bool
    ) -> Vectors:
        found = np.empty((len(texts), self._dimensions), np.float32)
        for batch in by_length(texts):
            vectors = self._host.embed(
                [texts[index] for index in batch], progress, question=question
            )
            if vectors.shape[1] != self._dimensions:
                raise ModelError(
                    f"The embedder {self._name} gives vectors of {vectors.shape[1]} numbers instead "
                    f"of {self._dimensions}. Choose another one in Preferences › Models."
                )
            found[batch] = vectors
        return found

    def _options(self) -> dict[str, Any]:
        """Look for the folder before each start, and say how to load it."""
        if not (self._folder / "config.json").is_file():
            raise ModelError(
                f"There is no embedder in {self._folder}. "
                "Run `python3 packaging/dev.py run` to install it."
            )
        return {
            "path": str(self._folder),
            "threads": self._threads,
            "bf16": self._bf16,
            "question": self._prefixes.question,
            "passage": self._prefixes.passage,
        }


def by_length(texts: Sequence[str], size: int = BATCH) -> Iterator[list[int]]:
    """Yield the texts' indexes in batches of at most `size`, texts of like length together.

    A model that pads its batches wastes the least that way.
    """
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    for start in range(0, len(order), size):
        yield order[start : start + size]
