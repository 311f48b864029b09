"""Run a BERT sentence encoder without padding: the child's side, imports torch.

The texts of a batch are laid end to end in one long row of tokens. The matrix products, seven tenths
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

LONGEST_ROW = 3072
"""Tokens: enough for the products to run at full speed, few enough for the cache to hold them."""
ROW_STEP, TEXT_STEP = 64, 16
"""Lengths are rounded up to these: every size has compiled products of its own, 1 MB each."""
CHARACTERS_USUAL = 4
"""Characters in a usual token, to share out the work before the tokens are there."""
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
            and pooling.get("include_prompt", True)
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
            name.removeprefix("bert."): tensor.float()
            for name, tensor in load_file(folder / "model.safetensors").items()
            if tensor.is_floating_point()
        }
        self._words = weights["embeddings.word_embeddings.weight"].to(kind)
        self._places = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        ).to(kind)
        self._norm = _norm(weights, "embeddings.LayerNorm", kind, shape)
        self._layers = [
            _layer(weights, f"encoder.layer.{number}", kind, shape)
            for number in range(shape.layers)
        ]
        self._pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._shape.hidden

    def vectors(
        self,
        texts: Sequence[str],
        stop: Stop,
        *,
        prefix: str = "",
        question: bool = False,  # noqa: ARG002 - BERT has no modules of its own for questions
    ) -> NDArray[np.float32]:
        """Return one unit vector a text with its prefix, float32; raise `Cancelled` between two rows."""
        longest = self._shape.tokens * CHARACTERS_A_TOKEN
        clean = [
            (prefix + text[:longest]).encode("utf-8", "replace").decode("utf-8") for text in texts
        ]
        found = np.empty((len(texts), self._shape.hidden), np.float32)

        def run(row: slice) -> None:
            if not stop():
                # Here and not for all at once, so that no core waits while tokens are made.
                tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(clean[row])]
                with torch.inference_mode():
                    found[row] = self._row(tokens).numpy()

        guesses = [min(len(text) // CHARACTERS_USUAL, self._shape.tokens) + 2 for text in clean]
        for _ in self._pool.map(run, _rows(guesses, self._threads)):
            if stop():
                raise Cancelled
        return found

    def _row(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """Return the vectors of texts that lie end to end in one row, shape (texts, hidden)."""
        lengths = [len(ids) for ids in texts]
        used = sum(lengths)
        # Filler that nobody reads: for the products' size, and for `_attend` to look past the last.
        filler = [0] * (TEXT_STEP + -(used + TEXT_STEP) % ROW_STEP)
        words = torch.tensor([token for ids in texts for token in ids] + filler)
        places = torch.tensor([place for length in lengths for place in range(length)] + filler)
        state = self._norm(self._words[words] + self._places[places])
        mixed = torch.zeros_like(state)
        for layer in self._layers:
            self._attend(layer.attend(state), lengths, mixed)
            state = layer.norm_attended(layer.attended(mixed).add_(state))
            wide = torch.ops.aten.gelu_(layer.widen(state))  # in place: it is the largest by far
            state = layer.norm_narrow(layer.narrow(wide).add_(state))
        parts = state[:used].float().split(lengths)
        pooled = [part.mean(0) if self._shape.mean else part[0] for part in parts]
        return functional.normalize(torch.stack(pooled), dim=1)

    def _attend(self, joined: Tensor, lengths: Sequence[int], mixed: Tensor) -> None:
        """Write each text's attention over itself into `mixed`; `joined` is query, key and value.

        A text is looked at in a window of rounded length, so that there are few sizes; what of its
        neighbour stands in the window weighs nothing. The plain products take nine tenths of the time
        of torch's fused attention at these lengths.
        """
        heads, width = self._shape.heads, self._shape.hidden // self._shape.heads
        start = 0
        for length in lengths:
            window = length + -length % TEXT_STEP
            seen = joined[start : start + window].view(window, 3, heads, width)
            query, key, value = seen.permute(1, 2, 0, 3)
            weights = torch.bmm(query, key.transpose(1, 2))
            weights[:, :, length:] = float("-inf")
            attended = torch.bmm(weights.softmax(-1), value)[:, :length]
            mixed[start : start + length].view(length, heads, width).copy_(attended.transpose(0, 1))
            start += length


def _rows(sizes: Sequence[int], threads: int) -> list[slice]:
    """Cut texts into rows of about the same size: as few as fit, but none of the threads idle."""
    total = sum(sizes)
    count = -(-total // (LONGEST_ROW * threads)) * threads
    rows: list[slice] = []
    start = filled = 0
    for index, size in enumerate(sizes):
        # A row ends where the text in the middle of which its share ends is nearer to the next.
        if index > start and filled + size / 2 > total * (len(rows) + 1) / count:
            rows.append(slice(start, index))
            start = index
        filled += size
    return [*rows, slice(start, len(sizes))] if start < len(sizes) else rows


def _layer(weights: dict[str, Tensor], at: str, kind: torch.dtype, shape: BertShape) -> _Layer:
    query, key, value = (f"{at}.attention.self.{name}" for name in ("query", "key", "value"))
    # Attention divides by √width; here its query does, before it is rounded and once for all.
    scale = (shape.hidden // shape.heads) ** -0.5
    attend = [
        torch.cat(
            [
                weights[f"{query}.{part}"] * scale,
                weights[f"{key}.{part}"],
                weights[f"{value}.{part}"],
            ]
        )
        for part in ("weight", "bias")
    ]
    return _Layer(
        attend=_product(attend[0], attend[1], kind),
        attended=_named(weights, f"{at}.attention.output.dense", kind),
        widen=_named(weights, f"{at}.intermediate.dense", kind),
        narrow=_named(weights, f"{at}.output.dense", kind),
        norm_attended=_norm(weights, f"{at}.attention.output.LayerNorm", kind, shape),
        norm_narrow=_norm(weights, f"{at}.output.LayerNorm", kind, shape),
    )


def _named(weights: dict[str, Tensor], at: str, kind: torch.dtype) -> Product:
    return _product(weights[f"{at}.weight"], weights[f"{at}.bias"], kind)


def _product(weight: Tensor, bias: Tensor, kind: torch.dtype) -> Product:
    """Return x ↦ x·Wᵀ + b with W laid out for the processor once, where this torch can do that."""
    weight, bias = weight.to(kind), bias.to(kind)
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


def _norm(weights: dict[str, Tensor], at: str, kind: torch.dtype, shape: BertShape) -> Product:
    weight, bias = weights[f"{at}.weight"].to(kind), weights[f"{at}.bias"].to(kind)
    return lambda state: functional.layer_norm(state, (shape.hidden,), weight, bias, shape.epsilon)


def _json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
