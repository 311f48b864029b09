"""Run a BERT sentence encoder without padding: the child's side, imports torch.

The texts of a batch are laid end to end in one long row of tokens. The matrix products, four fifths
of the work, run over that row and see no padding; attention alone looks at one text at a time. In
bf16, where the processor has it, and with one thread a row rather than two on each product, that is
two and a half times the speed of `SentenceTransformer.encode` (packaging/bench/embedding.py), and it
starts without the four seconds that importing transformers takes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn import functional

from clone_app.errors import Cancelled
from clone_app.models.child import Stop

LONGEST_ROW = 2048
"""Tokens: what two cores' caches hold, with enough rows for the products to run at full speed."""
ROW_STEP = 64
"""A row's length is rounded up to this: every length has compiled products of its own, 1 MB each."""
CHARACTERS_A_TOKEN = 64
"""Text beyond that many a token is cut unread: nothing of it would be left after truncation."""

Tensor: TypeAlias = torch.Tensor
Product: TypeAlias = "Callable[[Tensor], Tensor]"


@dataclass(frozen=True, slots=True, kw_only=True)
class BertShape:
    """Hold what the folder's files say about the model."""

    hidden: int
    heads: int
    layers: int
    epsilon: float
    tokens: int
    mean: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    attend: Product
    attended: Product
    widen: Product
    narrow: Product
    norm_attended: Product
    norm_narrow: Product


def bert_shape(folder: Path) -> BertShape | None:
    """Return the shape of a model this file can run, None for any other sentence-transformers model."""
    try:
        config = _json(folder / "config.json")
        kinds = [module["type"].rpartition(".")[2] for module in _json(folder / "modules.json")]
        pooling = _json(folder / "1_Pooling" / "config.json")
        limits = _json(folder / "sentence_bert_config.json")
        modes = {
            name for name, on in pooling.items() if name.startswith("pooling_mode") and on is True
        }
        fits = (
            config["model_type"] == "bert"
            and config["hidden_act"] == "gelu"
            and config.get("position_embedding_type", "absolute") == "absolute"
            and kinds in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
            and modes in ({"pooling_mode_mean_tokens"}, {"pooling_mode_cls_token"})
            and not limits.get("do_lower_case")
            and (folder / "model.safetensors").is_file()
            and (folder / "tokenizer.json").is_file()
        )
        if not fits:
            return None
        return BertShape(
            hidden=config["hidden_size"],
            heads=config["num_attention_heads"],
            layers=config["num_hidden_layers"],
            epsilon=config["layer_norm_eps"],
            tokens=min(limits["max_seq_length"], config["max_position_embeddings"]),
            mean=modes == {"pooling_mode_mean_tokens"},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


class PackedBert:
    """Turn texts into unit vectors. Not for more than one caller at a time."""

    def __init__(self, folder: Path, shape: BertShape, *, bf16: bool, threads: int) -> None:
        self._shape = shape
        self._threads = threads
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(shape.tokens)
        kind = torch.bfloat16 if bf16 else torch.float32
        weights = {
            name.removeprefix("bert."): tensor.to(kind)
            for name, tensor in load_file(folder / "model.safetensors").items()
            if tensor.is_floating_point()
        }
        self._words = weights["embeddings.word_embeddings.weight"]
        self._places = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _norm(weights, "embeddings.LayerNorm", shape)
        self._layers = [
            _layer(weights, f"encoder.layer.{number}", shape) for number in range(shape.layers)
        ]
        self._pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._shape.hidden

    def vectors(self, texts: Sequence[str], stop: Stop) -> NDArray[np.float32]:
        """Return one unit vector a text, float32; raise `Cancelled` between two rows."""
        longest = self._shape.tokens * CHARACTERS_A_TOKEN
        tokens = [
            encoding.ids
            for encoding in self._tokenizer.encode_batch(
                [text[:longest].encode("utf-8", "replace").decode("utf-8") for text in texts]
            )
        ]
        found = np.empty((len(texts), self._shape.hidden), np.float32)

        def run(row: range) -> None:
            if not stop():
                with torch.inference_mode():
                    row_vectors = self._row(tokens[row.start : row.stop])
                found[row.start : row.stop] = row_vectors.numpy()

        for _ in self._pool.map(run, _rows([len(ids) for ids in tokens], self._threads)):
            if stop():
                raise Cancelled
        return found

    def _row(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """Return the vectors of texts that lie end to end in one row, shape (texts, hidden)."""
        lengths = [len(ids) for ids in texts]
        used = sum(lengths)
        filler = [0] * (-used % ROW_STEP)
        words = torch.tensor([token for ids in texts for token in ids] + filler)
        places = torch.tensor([place for length in lengths for place in range(length)] + filler)
        state = self._norm(self._words[words] + self._places[places])
        # The filler's rows are never read: they only round the products' size.
        mixed = torch.zeros_like(state)
        for layer in self._layers:
            self._attend(layer.attend(state), lengths, mixed)
            state = layer.norm_attended(layer.attended(mixed).add_(state))
            wide = functional.gelu(layer.widen(state))
            state = layer.norm_narrow(layer.narrow(wide).add_(state))
        parts = state[:used].float().split(lengths)
        pooled = [part.mean(0) if self._shape.mean else part[0] for part in parts]
        return functional.normalize(torch.stack(pooled), dim=1)

    def _attend(self, joined: Tensor, lengths: Sequence[int], mixed: Tensor) -> None:
        """Write each text's attention over itself into `mixed`; `joined` is query, key and value."""
        heads, width = self._shape.heads, self._shape.hidden // self._shape.heads
        start = 0
        for length in lengths:
            own = slice(start, start + length)
            query, key, value = joined[own].view(1, length, 3, heads, width).permute(2, 0, 3, 1, 4)
            seen = functional.scaled_dot_product_attention(query, key, value)
            mixed[own].view(1, length, heads, width).copy_(seen.transpose(1, 2))
            start += length


def _rows(lengths: Sequence[int], threads: int) -> list[range]:
    """Cut texts into rows of at most `LONGEST_ROW` tokens, and into no fewer than there are threads."""
    limit = min(LONGEST_ROW, -(-sum(lengths) // threads))
    rows: list[range] = []
    start = filled = 0
    for index, length in enumerate(lengths):
        if index > start and filled + length > limit:
            rows.append(range(start, index))
            start, filled = index, 0
        filled += length
    if start < len(lengths):
        rows.append(range(start, len(lengths)))
    return rows


def _layer(weights: dict[str, Tensor], at: str, shape: BertShape) -> _Layer:
    parts = [f"{at}.attention.self.{name}" for name in ("query", "key", "value")]
    return _Layer(
        attend=_product(
            torch.cat([weights[f"{part}.weight"] for part in parts]),
            torch.cat([weights[f"{part}.bias"] for part in parts]),
        ),
        attended=_named(weights, f"{at}.attention.output.dense"),
        widen=_named(weights, f"{at}.intermediate.dense"),
        narrow=_named(weights, f"{at}.output.dense"),
        norm_attended=_norm(weights, f"{at}.attention.output.LayerNorm", shape),
        norm_narrow=_norm(weights, f"{at}.output.LayerNorm", shape),
    )


def _named(weights: dict[str, Tensor], at: str) -> Product:
    return _product(weights[f"{at}.weight"], weights[f"{at}.bias"])


def _product(weight: Tensor, bias: Tensor) -> Product:
    """Return x ↦ x·Wᵀ + b with W laid out for the processor once, where this torch can do that."""
    if weight.dtype is torch.bfloat16:
        try:
            laid_out = torch.ops.mkldnn._reorder_linear_weight(weight, LONGEST_ROW)
            run = torch.ops.mkldnn._linear_pointwise
            run(weight.new_zeros(1, weight.shape[1]), laid_out, bias, "none", [], "")
        except (AttributeError, RuntimeError, NotImplementedError, TypeError):
            pass  # not part of torch's promised interface: the plain product gives the same
        else:
            return lambda state: run(state, laid_out, bias, "none", [], "")
    return lambda state: functional.linear(state, weight, bias)


def _norm(weights: dict[str, Tensor], at: str, shape: BertShape) -> Product:
    weight, bias = weights[f"{at}.weight"], weights[f"{at}.bias"]
    return lambda state: functional.layer_norm(state, (shape.hidden,), weight, bias, shape.epsilon)


def _json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
