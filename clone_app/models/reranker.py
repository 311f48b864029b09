"""A cross-encoder from a folder on disk, run in a process of its own: reads question and text together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clone_app.errors import ModelError
from clone_app.models.embedder import IDLE_SECONDS, by_length
from clone_app.models.host import Host, Hosted, Launch
from clone_app.progress import Progress
from clone_app.protocols import Message

BATCH = 8
"""Pairs at a time: with a model of half a billion numbers about a second, so that Stop is heard."""


class SentenceReranker(Hosted):
    """Score texts for a question; fulfils `protocols.Reranker`.

    Takes what the user downloaded: cross-encoders as sentence-transformers reads them (such as
    bge-reranker-v2-m3) and language models that say yes or no (Qwen3-Reranker). Needs no network.
    """

    def __init__(
        self, folder: Path, *, threads: int = 0, idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._folder = folder
        self._threads = threads
        self._host = Host(
            Launch(
                title="reranker",
                module="clone_app.models.reranker_child",
                options=self._options,
                idle_seconds=idle_seconds,
                remedy="Choose another folder in Preferences › Models, or none.",
            )
        )

    @property
    def name(self) -> str:
        """Return the folder's name, stored with what it ranked."""
        return self._folder.name

    def scores(
        self, question: str, texts: Sequence[str], *, progress: Progress | None = None
    ) -> Sequence[float]:
        """Return one score a text, higher for a better answer.

        Texts of like length go together, since what is shorter is padded.
        """
        found = [0.0] * len(texts)
        for batch in by_length(texts, BATCH):
            scores = self._host.likelihoods(
                [Message("user", question)], [texts[place] for place in batch], progress
            )
            for place, score in zip(batch, scores, strict=True):
                found[place] = score
        return found

    def _options(self) -> dict[str, Any]:
        if not (self._folder / "config.json").is_file():
            raise ModelError(
                f"There is no reranker in {self._folder}. Choose the folder of a downloaded "
                "cross-encoder in Preferences › Models, or none."
            )
        return {"path": str(self._folder), "threads": self._threads}
