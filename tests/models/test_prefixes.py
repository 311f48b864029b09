"""What an embedder wants before questions and passages is read from its folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clone_app.models.catalogue import starter_embedder
from clone_app.models.chosen import look_at
from clone_app.models.prefixes import NONE, Prefixes, prefixes_of
from clone_app.models.shelf import Models

QWEN = (
    "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
)
GEMMA = {
    "query": "task: search result | query: ",
    "document": "title: none | text: ",
    "Clustering": "task: clustering | query: ",
}


def folder(place: Path, prompts: object = None, **more: object) -> Path:
    place.mkdir(parents=True)
    (place / "config.json").write_text(json.dumps({"hidden_size": 8}))
    (place / "model.safetensors").write_bytes(b"weights")
    told = {"__version__": {}} | ({} if prompts is None else {"prompts": prompts}) | more
    (place / "config_sentence_transformers.json").write_text(json.dumps(told))
    return place


@pytest.mark.parametrize(
    ("name", "question", "passage"),
    [
        ("multilingual-e5-small", "query: ", "passage: "),
        ("intfloat_multilingual-e5-base", "query: ", "passage: "),
        ("e5-large-v2", "query: ", "passage: "),
        ("bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("bge-large-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", ""),
        ("nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("bge-m3", "", ""),
        ("all-MiniLM-L6-v2", "", ""),
        ("paraphrase-multilingual-MiniLM-L12-v2", "", ""),
        ("base5-large", "", ""),
    ],
)
def test_a_model_whose_card_alone_says_so_is_known_by_its_family(
    tmp_path: Path, name: str, question: str, passage: str
) -> None:
    assert prefixes_of(folder(tmp_path / name)) == Prefixes(question, passage)


def test_instruct_models_of_a_family_are_asked_by_an_instruction(tmp_path: Path) -> None:
    found = prefixes_of(folder(tmp_path / "multilingual-e5-large-instruct"))
    assert found.question.startswith("Instruct: ")
    assert found.question.endswith("\nQuery: ")
    assert found.passage == ""


@pytest.mark.parametrize(
    ("prompts", "more", "question", "passage"),
    [
        ({"query": QWEN, "document": ""}, {"default_prompt_name": None}, QWEN, ""),
        (GEMMA, {}, "task: search result | query: ", "title: none | text: "),
        ({"query": "q: ", "passage": "p: "}, {}, "q: ", "p: "),
        ({"query": "q: ", "corpus": "c: "}, {}, "q: ", "c: "),
        ({"all": "x: "}, {"default_prompt_name": "all"}, "x: ", "x: "),
        ({"query": "q: ", "all": "x: "}, {"default_prompt_name": "all"}, "q: ", "x: "),
        ({"clustering": "c: "}, {}, "", ""),
    ],
)
def test_what_the_configuration_says_comes_first(
    tmp_path: Path, prompts: object, more: dict[str, object], question: str, passage: str
) -> None:
    found = prefixes_of(folder(tmp_path / "some-model", prompts, **more))
    assert found == Prefixes(question, passage)


def test_the_configuration_outweighs_the_family_but_empty_prompts_say_nothing(
    tmp_path: Path,
) -> None:
    own = folder(tmp_path / "a" / "e5-small", {"query": "Q ", "document": "D "})
    assert prefixes_of(own) == Prefixes("Q ", "D ")
    empty = folder(tmp_path / "b" / "e5-small", {"query": "", "document": ""})
    assert prefixes_of(empty) == Prefixes("query: ", "passage: ")


def test_a_folder_named_otherwise_is_known_by_the_cache_or_its_files(tmp_path: Path) -> None:
    e5 = Prefixes("query: ", "passage: ")
    cached = tmp_path / "models--intfloat--e5-base-v2" / "snapshots" / "0123abcd"
    assert prefixes_of(folder(cached)) == e5
    configured = folder(tmp_path / "mine")
    (configured / "config.json").write_text(json.dumps({"_name_or_path": "intfloat/e5-small"}))
    assert prefixes_of(configured) == e5
    carded = folder(tmp_path / "carded")
    (carded / "README.md").write_text(
        "---\ntags:\n- mteb\nmodel-index:\n- name: e5-small\n---\nUnlike bge-small-en …\n"
    )
    assert prefixes_of(carded) == e5
    titled = folder(tmp_path / "titled")
    (titled / "README.md").write_text("# nomic-embed-text-v1.5: Resizable\nbetter than e5-base\n")
    assert prefixes_of(titled).question == "search_query: "


@pytest.mark.parametrize("told", ["{", "[]", '{"prompts": 3}', '{"prompts": {"query": 3}}'])
def test_a_damaged_configuration_says_nothing(tmp_path: Path, told: str) -> None:
    place = folder(tmp_path / "x")
    (place / "config_sentence_transformers.json").write_text(told)
    assert prefixes_of(place) == NONE


def test_other_words_before_passages_are_another_index_and_before_questions_the_same(
    tmp_path: Path,
) -> None:
    place = folder(tmp_path / "m", {"query": "q: ", "document": "d: "})
    before = look_at(place)
    config = place / "config_sentence_transformers.json"
    config.write_text(json.dumps({"prompts": {"query": "ask: ", "document": "d: "}}))
    asked = look_at(place)
    assert (asked.name, asked.prefixes.question) == (before.name, "ask: ")
    config.write_text(json.dumps({"prompts": {"query": "q: ", "document": "doc: "}}))
    assert look_at(place).name != before.name


def test_the_starter_wants_nothing_before_its_texts() -> None:
    assert prefixes_of(starter_embedder().path) == NONE
    models = Models()
    assert models.embedder()._prefixes == NONE
    models.close()
