"""What an embedder wants said before a question and before a passage, read from its folder.

Models trained for retrieval tell the two apart by words put in front. Left out, they still work, and
find less: nothing fails, so nobody notices. Newer models say these words in their configuration, as
sentence-transformers reads it; the older ones only on their model cards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

CONFIGURED: Final = "config_sentence_transformers.json"
# The names under which `SentenceTransformer.encode_query` and `encode_document` look, in their order.
_QUESTION: Final = ("query",)
_PASSAGE: Final = ("document", "passage", "corpus")
_README_READ: Final = 65_536
_CACHED: Final = "models--"


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Hold the words that go before a question and before a passage, empty for none."""

    question: str = ""
    passage: str = ""


NONE: Final = Prefixes()
_BGE: Final = Prefixes("Represent this sentence for searching relevant passages: ")
# By the model's name, the first that fits. From the model cards, which is all that says so:
# intfloat/e5-*, intfloat/multilingual-e5-*; BAAI/bge-*-v1.5; nomic-ai/nomic-embed-text-*;
# WhereIsAI/UAE-Large-V1. BAAI/bge-m3 wants none.
_FAMILIES: Final = (
    (
        r"e5-(?:mistral|large)[\w.-]*-instruct",
        Prefixes(
            "Instruct: Given a web search query, retrieve relevant passages that answer the query\n"
            "Query: "
        ),
    ),
    (r"(?:^|[-_/])e5-(?:small|base|large)", Prefixes("query: ", "passage: ")),
    (r"bge-(?:small|base|large)-zh", Prefixes("为这个句子生成表示以用于检索相关文章：")),
    (r"bge-(?:small|base|large)-en|uae-large", _BGE),
    (r"nomic-embed-text", Prefixes("search_query: ", "search_document: ")),
)


def prefixes_of(folder: Path) -> Prefixes:
    """Return what a model in a folder wants before its texts: as configured, else as its family does."""
    told = _configured(folder)
    if told is not None:
        return told
    for name in _names(folder):
        for pattern, prefixes in _FAMILIES:
            if re.search(pattern, name, re.IGNORECASE):
                return prefixes
    return NONE


def _configured(folder: Path) -> Prefixes | None:
    """Return the prefixes in the configuration, None where it names none.

    A default prompt is for whatever has none of its own. sentence-transformers writes empty prompts
    into what it saves: those say nothing.
    """
    config = _json(folder / CONFIGURED)
    prompts = config.get("prompts")
    if not isinstance(prompts, Mapping):
        return None
    usual = _first(prompts, (config.get("default_prompt_name"),)) or ""
    question, passage = _first(prompts, _QUESTION), _first(prompts, _PASSAGE)
    found = Prefixes(usual if question is None else question, usual if passage is None else passage)
    return None if found == NONE else found


def _first(prompts: Mapping[str, object], names: tuple[object, ...]) -> str | None:
    for name in names:
        if isinstance(name, str) and isinstance(prompts.get(name), str):
            return str(prompts[name])
    return None


def _names(folder: Path) -> Iterator[str]:
    """Yield what the model may be called: by its folder, the hub's cache, its files.

    The hub's cache names a folder after a commit; a copy of it may be named after anything.
    """
    yield folder.name
    yield from (
        each.name.removeprefix(_CACHED) for each in folder.parents if each.name.startswith(_CACHED)
    )
    yield str(_json(folder / "config.json").get("_name_or_path") or "")
    try:
        with (folder / "README.md").open(encoding="utf-8", errors="replace") as file:
            readme = file.read(_README_READ)
    except OSError:
        return
    # The card's own name, in its header and its title; the rest speaks of other models too.
    for pattern in (r"^model-index:\s*\n\s*- name: (\S+)", r"^# (\S+)"):
        match = re.search(pattern, readme, re.MULTILINE)
        if match:
            yield match[1]


def _json(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
