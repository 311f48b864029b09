"""Models that need no weights: for tests, and for trying the program where none is installed.

They do what a model promises and nothing a model is good at: near texts have near vectors, a reply
comes word by word, stopping works.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import math
import re
import struct
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from clone_app.errors import ModelError
from clone_app.models.shelf import BackgroundEmbedder, Quiet
from clone_app.progress import Progress
from clone_app.protocols import Embedder, Message, Sampling, Vectors

WORD = re.compile(r"\w+")
GRAM = 3
GRAM_WEIGHT = 0.25
PLACES = 6


class FakeEmbedder:
    """Embed a text as the words and letter triples in it, hashed: the same on every machine."""

    def __init__(self, dimensions: int = 64) -> None:
        self._dimensions = dimensions
        self.batches: list[int] = []

    @property
    def name(self) -> str:
        """Return the name the index is stamped with."""
        return f"fake-{self._dimensions}"

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._dimensions

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Return one unit vector a text, shape (texts, dimensions), float32."""
        if progress is not None:
            progress.check()
        self.batches.append(len(texts))
        found = np.zeros((len(texts), self._dimensions), np.float32)
        for row, text in zip(found, texts, strict=True):
            for word in WORD.findall(text.casefold()):
                self._add(row, word, 1.0)
                padded = f"<{word}>"
                for start in range(len(padded) - GRAM + 1):
                    self._add(row, padded[start : start + GRAM], GRAM_WEIGHT)
            length = float(np.linalg.norm(row))
            if length == 0.0:
                row[0] = length = 1.0
            row /= length
        return found

    def ask(self, questions: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Return what `embed` returns: a question is a text like any other here."""
        return self.embed(questions, progress=progress)

    def _add(self, row: Vectors, feature: str, weight: float) -> None:
        """Add a feature at the places and with the signs its hash says: a sparse random direction."""
        for number in _hashes(feature):
            row[(number >> 1) % self._dimensions] += weight if number & 1 else -weight


@functools.lru_cache(maxsize=65_536)
def _hashes(feature: str) -> tuple[int, ...]:
    digest = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=4 * PLACES).digest()
    return struct.unpack(f">{PLACES}I", digest)


class FakeChat:
    """Write the given replies in turn, then the last note of the evidence, word by word.

    `prompts` and `samplings` record what was asked. `before_word` is called before each word and may
    wait, raise or cancel, which is how a test brings about a slow or a broken model.
    """

    def __init__(
        self,
        *replies: str,
        name: str = "fake-chat",
        context: int = 2048,
        before_word: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._replies = list(replies)
        self._name = name
        self._context = context
        self._before_word = before_word
        self.prompts: list[tuple[Message, ...]] = []
        self.samplings: list[Sampling] = []

    @property
    def name(self) -> str:
        """Return the name stored with every answer."""
        return self._name

    @property
    def context(self) -> int:
        """Return how many tokens fit."""
        return self._context

    def load(self, progress: Progress) -> None:
        """Be ready at once."""
        progress.check()

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        """Yield the reply word by word; raise `Cancelled` before the next one once asked to stop."""
        self.prompts.append(tuple(messages))
        self.samplings.append(sampling)
        reply = self._replies.pop(0) if self._replies else _last_note(messages)
        if sampling.choices and reply not in sampling.choices:
            reply = sampling.choices[0]
        for number, word in enumerate(re.findall(r"\s*\S+", reply)[: sampling.max_tokens]):
            progress.check()
            self._before_word(number)
            progress.check()
            yield word

    def likelihoods(
        self, messages: Sequence[Message], options: Sequence[str], progress: Progress
    ) -> tuple[float, ...]:
        """Return for each option how many of its words stand in the last message, as a logarithm."""
        progress.check()
        held = {word.casefold() for word in WORD.findall(messages[-1].text)}
        shares = []
        for option in options:
            words = WORD.findall(option.casefold()) or [""]
            shares.append((sum(word in held for word in words) + 0.1) / (len(words) + 0.1))
        return tuple(map(math.log, shares))

    def count(self, text: str) -> int:
        """Return the number of words and other marks in the text."""
        return len(re.findall(r"\w+|[^\w\s]", text))


def _last_note(messages: Sequence[Message]) -> str:
    """Return the last `- day: text` line of the last message: what the newest evidence says."""
    notes = [line for line in messages[-1].text.splitlines() if line.startswith("- ")]
    return notes[-1].partition(": ")[2] if notes else "I did not write about that."


class FakeModels:
    """Hold fake models behind the methods of `shelf.Models`."""

    def __init__(self, chat: FakeChat | None = None, embedder: FakeEmbedder | None = None) -> None:
        self._chat = chat or FakeChat()
        self._embedder = embedder or FakeEmbedder()
        self._folder = ""
        self.others: dict[str, FakeEmbedder] = {}
        self._quiet = Quiet()
        self.restarts = 0
        self.closed = False

    def chat(self) -> FakeChat:
        """Return the model that answers."""
        return self._chat

    def embedder(self) -> FakeEmbedder:
        """Return the embedder in use."""
        return self.embedder_at(self._folder)

    def reranker(self) -> None:
        """Return no cross-encoder."""

    def embedder_at(self, folder: str) -> FakeEmbedder:
        """Return the embedder in use, or one a test has put in that folder."""
        if folder and folder not in self.others:
            raise ModelError(f"There is no embedder in {folder}. Put one into `others`.")
        return self.others[folder] if folder else self._embedder

    def embedder_folder(self) -> str:
        """Return the folder of the embedder in use, empty for the first one."""
        return self._folder

    def use_embedder(self, folder: str) -> None:
        """Use another embedder from now on."""
        self._folder = folder

    def background_embedder(self, progress: Progress, *, folder: str | None = None) -> Embedder:
        """Return the embedder as background work should use it."""
        embedder = self.embedder_at(self._folder if folder is None else folder)
        return BackgroundEmbedder(embedder, self._quiet, progress)

    def chat_name(self) -> str:
        """Return the chat model's name."""
        return self._chat.name

    def embedder_name(self) -> str:
        """Return the name an index is stamped with."""
        return self.embedder().name

    def embedder_dimensions(self) -> int:
        """Return the length of a vector."""
        return self.embedder().dimensions

    def answering(self) -> contextlib.AbstractContextManager[None]:
        """Hold back background embedding while a question is answered."""
        return self._quiet.answering()

    def wait_until_quiet(self, progress: Progress) -> None:
        """Wait while a question is answered; raise `Cancelled` if asked to stop meanwhile."""
        self._quiet.wait_until_quiet(progress)

    def restart(self) -> None:
        """Note that this was asked for."""
        self.restarts += 1

    def close(self) -> None:
        """Note that this was asked for."""
        self.closed = True
