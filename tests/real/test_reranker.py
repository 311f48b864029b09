"""The reranker's process with models built here: a few thousand random numbers, the real libraries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from clone_app.errors import ModelError
from clone_app.models.reranker import SentenceReranker

from .tiny import tokenizer

pytestmark = pytest.mark.real

TEXTS = ["a long walk by the sea", "tea", "the sea the sea the sea the sea", "", "鱼\ud800"]


def cross_encoder(folder: Path, labels: int = 1) -> Path:
    """Build a BERT that gives a pair of texts one number (or several)."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(3)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = BertConfig(
        vocab_size=64,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=labels,
        initializer_range=0.5,
        **shape,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer(folder)
    return folder


def yes_no_model(folder: Path) -> Path:
    """Build a language model that knows the words yes and no."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(3)
    config = Qwen3Config(
        vocab_size=64, hidden_size=16, intermediate_size=16, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=1, head_dim=8, max_position_embeddings=2048,
        initializer_range=0.5,
    )  # fmt: skip
    Qwen3ForCausalLM(config).save_pretrained(folder)
    tokenizer(folder)
    return folder


@pytest.fixture(params=["cross-encoder", "yes or no"])
def reranker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SentenceReranker]:
    build = cross_encoder if request.param == "cross-encoder" else yes_no_model
    made = SentenceReranker(build(tmp_path / "tiny"), threads=1)
    yield made
    made.close()


def test_each_text_gets_its_own_score_whatever_it_is_asked_with(reranker: SentenceReranker) -> None:
    scores = reranker.scores("the sea", TEXTS)
    assert len(scores) == len(TEXTS)
    assert len(set(scores[:3])) == 3
    assert reranker.scores("the sea", TEXTS[:1])[0] == pytest.approx(scores[0], abs=0.02)
    assert reranker.scores("the sea", TEXTS) == scores
    assert reranker.name == "tiny"


def test_a_model_that_sorts_into_kinds_is_no_reranker(tmp_path: Path) -> None:
    from clone_app.models.reranker_child import load

    with pytest.raises(ModelError, match="Choose a reranker"):
        load({"path": str(cross_encoder(tmp_path / "kinds", labels=3)), "threads": 1})


def test_a_folder_without_a_model_is_said_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="Choose the folder"):
        SentenceReranker(tmp_path).scores("the sea", TEXTS)
