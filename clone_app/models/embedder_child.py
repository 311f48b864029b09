"""Embed texts with a sentence-transformers model: the child's side.

BERT models, the starter among them, run in `bert.py`; any other through the library itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import torch
from numpy.typing import NDArray

from clone_app.errors import Cancelled, ModelError
from clone_app.models import wire
from clone_app.models.bert import PackedBert, bert_shape
from clone_app.models.child import Stop
from clone_app.models.cpu import has_bf16, physical_cores
from clone_app.models.prefixes import NONE, Prefixes

SMALL_BATCH = 8


class LibraryEncoder:
    """Turn texts into unit vectors with sentence-transformers' own `encode`."""

    def __init__(self, folder: Path, *, bf16: bool, threads: int) -> None:
        # Six seconds of importing that the starter model does without.
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(threads)
        self._model = SentenceTransformer(
            str(folder),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"torch_dtype": torch.bfloat16 if bf16 else torch.float32},
        )

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        # Renamed in later versions of the library, where the old name warns.
        model: Any = self._model
        told = getattr(model, "get_embedding_dimension", None)
        return int((told or model.get_sentence_embedding_dimension)())

    def vectors(
        self, texts: Sequence[str], stop: Stop, *, prefix: str = "", question: bool = False
    ) -> NDArray[np.float32]:
        """Return one unit vector a text, float32; raise `Cancelled` between small batches.

        The library puts the prefix before each text, leaves it out of the mean where the model says
        so, and sends questions through modules of their own where it has any.
        """
        encode = self._model.encode_query if question else self._model.encode_document
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        found = np.empty((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), SMALL_BATCH):
            if stop():
                raise Cancelled
            part = slice(start, start + SMALL_BATCH)
            with torch.inference_mode():
                found[part] = encode(clean[part], prompt=prefix, show_progress_bar=False)
        # Once more in fp32: bf16's own unit length is off by a thousandth.
        found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
        return found


class EmbedderServed:
    """Hold one loaded embedder."""

    def __init__(
        self, encoder: PackedBert | LibraryEncoder, *, bf16: bool, prefixes: Prefixes = NONE
    ) -> None:
        self._encoder = encoder
        self._bf16 = bf16
        self._prefixes = prefixes

    def facts(self) -> dict[str, Any]:
        """Return the vectors' length and how they are made."""
        return {
            "dimensions": self._encoder.dimensions,
            "bf16": self._bf16,
            "packed": isinstance(self._encoder, PackedBert),
        }

    def usage(self) -> dict[str, Any]:
        """Return nothing: an embedder writes no replies."""
        return {}

    def embed(self, request: wire.Embed, stop: Stop) -> tuple[int, bytes]:
        """Return a vector's length and all vectors' bytes."""
        prefix = self._prefixes.question if request.question else self._prefixes.passage
        found = self._encoder.vectors(request.texts, stop, prefix=prefix, question=request.question)
        return self._encoder.dimensions, found.tobytes()

    def count(self, text: str) -> NoReturn:  # noqa: ARG002
        """Refuse: nobody asks an embedder for a prompt's size."""
        raise ModelError("This model embeds and counts no tokens. Choose a language model instead.")

    def likelihoods(self, request: wire.Likelihoods, stop: Stop) -> NoReturn:  # noqa: ARG002
        """Refuse: an embedder has no replies to weigh."""
        raise ModelError("This model embeds and can't choose. Choose a language model instead.")

    def stream(self, request: wire.Stream, stop: Stop) -> Iterator[str]:  # noqa: ARG002
        """Refuse: an embedder writes nothing."""
        raise ModelError("This model embeds and can't write. Choose a language model instead.")


def load(options: dict[str, Any]) -> EmbedderServed:
    """Load the folder at `path`, on `threads` cores (0: all physical ones), in `bf16` if told so.

    `question` and `passage` are put before the texts of either kind.
    """
    folder = Path(options["path"])
    threads = options["threads"] or physical_cores()
    bf16 = has_bf16() if options["bf16"] is None else bool(options["bf16"])
    encoder: PackedBert | LibraryEncoder
    try:
        shape = bert_shape(folder)
        if shape is not None and not options.get("library"):
            encoder = PackedBert(folder, shape, bf16=bf16, threads=threads)
        else:
            encoder = LibraryEncoder(folder, bf16=bf16, threads=threads)
    except MemoryError:
        raise
    except Exception as fault:  # each of four libraries has its own for a damaged file
        raise ModelError(
            f"The embedder in {folder} can't be loaded ({type(fault).__name__}: {fault}). "
            "Run `python3 packaging/dev.py run` to install it again."
        ) from fault
    prefixes = Prefixes(options.get("question", ""), options.get("passage", ""))
    return EmbedderServed(encoder, bf16=bf16, prefixes=prefixes)
