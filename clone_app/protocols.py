"""What the parts expect of each other, so that none needs to know who fulfils it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, Protocol, TypeAlias, runtime_checkable

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.progress import Progress

if TYPE_CHECKING:  # numpy takes a tenth of a second to import, and the window paints first
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
Found: TypeAlias = Item | ImportProblem | Skipped


class Member(Protocol):
    """One file of what was dropped: on disk, or inside an archive that is never unpacked."""

    @property
    def path(self) -> str:
        """Return the place below what was dropped, with `/`; a file dropped alone is its own name."""
        ...

    @property
    def locator(self) -> str:
        """Return what reopens it: `path`, or `archive.zip!inner/path`."""
        ...

    @property
    def size(self) -> int:
        """Return the size in bytes (unpacked)."""
        ...

    def head(self) -> bytes:
        """Return the first 4 kB at most, kept for the next caller: recognising is looking at these."""
        ...

    def open(self) -> BinaryIO:
        """Open for reading as a stream; raise `ArchiveError` for what can't be read safely."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """Ask the one thing a source leaves open, such as which number of a date is the day.

    `name` starts with the importer's (`whatsapp.order`), so that an answer can be remembered for all
    later imports. `choices` are pairs of what goes into `Reading.answers` and what a person reads.
    """

    name: str
    text: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """Say which members an importer would read, and how sure it is (0 to 1) that they are its own.

    `doubtful` are those of them that count only where no other source is recognised: an undated text
    file is a note where one drops notes, and no note beside a mailbox. `question` is asked before
    reading where the files themselves leave something open.
    """

    confidence: float
    paths: frozenset[str]
    doubtful: frozenset[str] = frozenset()
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """Say who the user is while a source is read: names and addresses, casefolded.

    `answers` holds what was answered to importers' questions, by the questions' names. Without an
    answer a source is read as far as it is sure, and a problem says what to do.
    """

    me: frozenset[str] = frozenset()
    answers: Mapping[str, str] = field(default_factory=dict, hash=False)

    def is_me(self, *names: str) -> bool:
        """Tell whether any of these names or addresses is the user's."""
        return any(name.strip().casefold() in self.me for name in names if name.strip())


class Importer(Protocol):
    """Read one kind of source. Adding one is a file and a line in `importers.IMPORTERS`."""

    @property
    def name(self) -> str:
        """Return the word used for `--as` and at the front of keys: `mbox`."""
        ...

    @property
    def title(self) -> str:
        """Return what a person calls it: `Mail (mbox)`."""
        ...

    @property
    def help(self) -> str:
        """Return one sentence that says where a person gets such a file."""
        ...

    @property
    def endings(self) -> tuple[str, ...]:
        """Return the accepted file endings, for the file dialog; `/` stands for a folder."""
        ...

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Return the members this importer would read, None for none.

        Looks at names and heads only; further only to know whether a question must be asked.
        """
        ...

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield items and problems, one for each thing the source holds, in the source's order.

        Never raises for bad content: that is an `ImportProblem` with a place and a reason, and the
        next thing follows. A file that holds nothing to import is a `Skipped`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """Hold one turn of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Say how a model draws its words. `seed` makes a run repeatable on one machine.

    `choices` allows no reply but these, for models that can be held to them. `fresh` has the prompt
    read anew: what stands in a cache was computed in other batches, and a reply may hang on its last
    digit.
    """

    max_tokens: int = 160
    temperature: float = 0.2
    seed: int = 7
    choices: tuple[str, ...] = ()
    fresh: bool = False


class ChatModel(Protocol):
    """Write text, a piece at a time."""

    @property
    def name(self) -> str:
        """Return the model's name as stored with every answer."""
        ...

    @property
    def context(self) -> int:
        """Return how many tokens fit, prompt and answer together."""
        ...

    def load(self, progress: Progress) -> None:
        """Get ready to write; stops waiting, with `Cancelled`, when asked to."""
        ...

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        """Yield pieces of the reply; raise `Cancelled` within half a second of `progress.cancel()`."""
        ...

    def count(self, text: str) -> int:
        """Return how many tokens the text takes."""
        ...


@runtime_checkable
class FromFile(Protocol):
    """Be a model that is read from a file on this machine."""

    @property
    def path(self) -> Path:
        """Return the model's file."""
        ...


@runtime_checkable
class Chooser(Protocol):
    """Be a model that can be held to options, and asked how likely each is."""

    def likelihoods(
        self, messages: Sequence[Message], options: Sequence[str], progress: Progress
    ) -> tuple[float, ...]:
        """Return for each option the mean log-probability of its tokens as the reply."""
        ...


class Embedder(Protocol):
    """Turn texts into vectors whose cosine says how near their meanings are."""

    @property
    def name(self) -> str:
        """Return the name the index is stamped with: another name, another index."""
        ...

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        ...

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Return one unit vector a text, shape (texts, dimensions), float32.

        Stops, with `Cancelled`, when the progress is asked to, while the model is loaded too.
        """
        ...

    def ask(self, questions: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Return one unit vector a question, to be held against what `embed` gives for texts.

        Many models want other words before a question than before what may answer it.
        """
        ...


class Reranker(Protocol):
    """Read a question and a text together, and say how well the text answers it."""

    @property
    def name(self) -> str:
        """Return the name stored with what it ranked."""
        ...

    def scores(
        self, question: str, texts: Sequence[str], *, progress: Progress | None = None
    ) -> Sequence[float]:
        """Return one score a text, higher for a better answer, on any scale.

        The same texts get the same scores. Stops, with `Cancelled`, when the progress is asked to.
        """
        ...


class Shelf(Protocol):
    """Hold the models of a running program; nothing is loaded before its first use."""

    def chat(self) -> ChatModel:
        """Return the model that writes; raise `ModelError` where there is none."""
        ...

    def embedder(self) -> Embedder:
        """Return the model that turns texts into vectors."""
        ...

    def reranker(self) -> Reranker | None:
        """Return the model that reads question and text together; None where none was chosen."""
        ...

    def embedder_at(self, folder: str) -> Embedder:
        """Return the embedder in a folder, empty for the starter; raise `ModelError` for none."""
        ...

    def embedder_folder(self) -> str:
        """Return the folder of the embedder in use, empty for the starter."""
        ...

    def use_embedder(self, folder: str) -> None:
        """Use the embedder in another folder from now on."""
        ...

    def background_embedder(self, progress: Progress, *, folder: str | None = None) -> Embedder:
        """Return the embedder for work nobody waits for: it makes way while a question is answered.

        The one in use, or the one in a folder.
        """
        ...

    def embedder_name(self) -> str:
        """Return the embedder's name without loading it."""
        ...

    def embedder_dimensions(self) -> int:
        """Return the length of its vectors without loading it."""
        ...

    def answering(self) -> AbstractContextManager[None]:
        """Make background embedding wait while the block runs."""
        ...

    def wait_until_quiet(self, progress: Progress) -> None:
        """Wait until nobody is answering; background work calls this between batches."""
        ...

    def restart(self) -> None:
        """End the models' processes; the next use starts fresh ones."""
        ...

    def close(self) -> None:
        """End the models' processes for good."""
        ...
