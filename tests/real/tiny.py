"""Models of a few thousand random numbers, built here: the real libraries load them in no time."""

from __future__ import annotations

import json
from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "yes", "no", *"abcdefghijklmnopqrstuvwxyz"]


def tokenizer(folder: Path) -> None:
    """Write a tokenizer that knows a handful of words."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from transformers import PreTrainedTokenizerFast

    known = {word: number for number, word in enumerate([*WORDS, "sea", "walk", "the"])}
    made = Tokenizer(WordLevel(known, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    ).save_pretrained(folder)


def sentence_bert(
    folder: Path, *, prompts: dict[str, str] | None = None, include_prompt: bool = True
) -> Path:
    """Build a sentence-transformers BERT that takes the mean, with prompts in its configuration."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=64, hidden_size=16, intermediate_size=16, num_hidden_layers=1,
        num_attention_heads=2, max_position_embeddings=64, initializer_range=0.5,
        position_embedding_type="absolute",
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    tokenizer(folder)
    (folder / "1_Pooling").mkdir()
    library = "sentence_transformers.models"
    told: dict[str, object] = {
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": f"{library}.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{library}.Pooling"},
        ],
        "1_Pooling/config.json": {
            "word_embedding_dimension": 16,
            "pooling_mode_mean_tokens": True,
            "include_prompt": include_prompt,
        },
        "sentence_bert_config.json": {"max_seq_length": 64, "do_lower_case": False},
        "config_sentence_transformers.json": {"prompts": prompts or {}},
    }
    for name, content in told.items():
        (folder / name).write_text(json.dumps(content))
    return folder
