"""Score texts for a question with a cross-encoder: the child's side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, Protocol

import torch

from clone_app.errors import Cancelled, ModelError
from clone_app.models import wire
from clone_app.models.child import Stop
from clone_app.models.cpu import has_bf16, physical_cores

TOKENS = 1024
# As Qwen3-Reranker was trained (its model card): the reply's first word is yes or no.
_BEFORE = (
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the "
    'Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n'
)
_AFTER = "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
_TASK = "Given a question about a person's life, retrieve the person's own notes that answer it"


class Scorer(Protocol):
    """A loaded model that scores pairs."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one score a text."""
        ...


class LibraryScorer:
    """Score pairs with sentence-transformers' own `CrossEncoder`."""

    def __init__(self, folder: Path, dtype: torch.dtype) -> None:
        from sentence_transformers import CrossEncoder

        self._model = CrossEncoder(
            str(folder),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"dtype": dtype},
        )
        longest = getattr(self._model.config, "max_position_embeddings", TOKENS)
        self._model.max_seq_length = min(TOKENS, int(longest) - 2)
        if self._model.num_labels != 1:
            raise ModelError(
                f"The model in {folder} sorts texts into {self._model.num_labels} kinds instead of "
                "scoring them. Choose a reranker, such as bge-reranker-v2-m3."
            )

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one score a text."""
        with torch.inference_mode():
            # Without the squashing to 0 … 1: what is surely right would all get one score.
            found = self._model.predict(
                [(question, text) for text in texts],
                show_progress_bar=False,
                activation_fn=torch.nn.Identity(),
            )
        return [float(score) for score in found]


class YesNoScorer:
    """Score pairs by how much likelier a language model says yes than no."""

    def __init__(self, folder: Path, dtype: torch.dtype) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self._tokenizer = AutoTokenizer.from_pretrained(
            str(folder), padding_side="left", local_files_only=True, trust_remote_code=False
        )
        self._model = AutoModelForCausalLM.from_pretrained(
            str(folder), dtype=dtype, local_files_only=True, trust_remote_code=False
        )
        self._model.train(False)
        self._yes, self._no = map(self._tokenizer.convert_tokens_to_ids, ("yes", "no"))
        if self._tokenizer.pad_token is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the logit of yes over no for each text."""
        encode = self._tokenizer.encode
        before = encode(_BEFORE, add_special_tokens=False)
        after = encode(_AFTER, add_special_tokens=False)
        rows = []
        for text in texts:
            asked = f"<Instruct>: {_TASK}\n<Query>: {question}\n<Document>: {text}"
            middle = encode(asked, add_special_tokens=False)
            rows.append([*before, *middle[: TOKENS - len(before) - len(after)], *after])
        batch = self._tokenizer.pad({"input_ids": rows}, return_tensors="pt")
        with torch.inference_mode():
            logits = self._model(**batch).logits[:, -1].float()
        return [float(row[self._yes] - row[self._no]) for row in logits]


class RerankerServed:
    """Hold one loaded reranker."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    def facts(self) -> dict[str, Any]:
        """Return nothing that anybody asks for."""
        return {}

    def usage(self) -> dict[str, Any]:
        """Return nothing: a reranker writes no replies."""
        return {}

    def likelihoods(self, request: wire.Likelihoods, stop: Stop) -> list[float]:
        """Return how well each option answers the message."""
        if stop():
            raise Cancelled
        question = clean(request.messages[-1][1])
        return self._scorer.scores(question, [clean(text) for text in request.options])

    def embed(self, request: wire.Embed, stop: Stop) -> NoReturn:  # noqa: ARG002
        """Refuse: a reranker has no vectors."""
        raise ModelError("This model reranks and can't embed. Choose an embedder instead.")

    def count(self, text: str) -> NoReturn:  # noqa: ARG002
        """Refuse: nobody asks a reranker for a prompt's size."""
        raise ModelError(
            "This model reranks and counts no tokens. Choose a language model instead."
        )

    def stream(self, request: wire.Stream, stop: Stop) -> Iterator[str]:  # noqa: ARG002
        """Refuse: a reranker writes nothing."""
        raise ModelError("This model reranks and can't write. Choose a language model instead.")


def clean(text: str) -> str:
    """Return a text as a tokenizer can read it: lone surrogates become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def load(options: dict[str, Any]) -> RerankerServed:
    """Load the folder at `path`, on `threads` cores (0: all physical ones)."""
    folder = Path(options["path"])
    torch.set_num_threads(options["threads"] or physical_cores())
    dtype = torch.bfloat16 if has_bf16() else torch.float32
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        writes = any("ForCausalLM" in each for each in config.get("architectures") or ())
        scorer: Scorer = (YesNoScorer if writes else LibraryScorer)(folder, dtype)
    except (MemoryError, ModelError):
        raise
    except Exception as fault:  # each of three libraries has its own for a damaged file
        raise ModelError(
            f"The reranker in {folder} can't be loaded ({type(fault).__name__}: {fault}). "
            "Choose another folder in Preferences › Models, or none."
        ) from fault
    return RerankerServed(scorer)
