"""Passages: verbatim, complete, of a size an embedder sees whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clone_app.memory.chunk import WORDS_AT_MOST, bigrams, passages

from .conftest import entry


@given(st.text(max_size=3000), st.text(max_size=500))
def test_a_passage_stands_verbatim_in_its_item(text: str, context: str) -> None:
    item = entry(text, context=context)
    for passage in passages(item):
        whole = item.text if passage.own else item.context
        assert whole[passage.start : passage.end] == passage.text


def test_every_sentence_is_in_exactly_one_passage() -> None:
    text = " ".join(f"Sentence number {number} says something of its own." for number in range(90))
    found = passages(entry(text))
    assert len(found) > 3
    for number in range(90):
        assert sum(f"number {number} says" in passage.text for passage in found) == 1


def test_no_passage_is_longer_than_the_embedder_sees() -> None:
    endless = "word " * 1000
    wall = "x" * 20_000
    chinese = "我们去了海边。" * 300
    for text in (endless, wall, chinese, endless.replace(" ", "\n")):
        for passage in passages(entry(text)):
            assert len(passage.text.split()) <= WORDS_AT_MOST + 1
            assert len(passage.text) <= WORDS_AT_MOST * 12


def test_a_new_paragraph_starts_a_new_passage_once_the_last_is_long_enough() -> None:
    first = " ".join(["One two three four five six."] * 12)
    found = passages(entry(f"{first}\n\nSomething else altogether happened then."))
    assert found[-1].text == "Something else altogether happened then."


def test_others_words_are_passages_marked_as_not_own() -> None:
    found = passages(entry("Mine.", context="Theirs."))
    assert [(passage.text, passage.own) for passage in found] == [
        ("Mine.", True),
        ("Theirs.", False),
    ]


def test_chinese_runs_become_pairs_of_letters() -> None:
    assert bigrams("去年春天, and 海") == "去年 年春 春天 海"
    assert bigrams("nothing here") == ""
