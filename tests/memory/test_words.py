"""Sentences are verbatim stretches; content words are what a question and an entry can share."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.memory.words import content_words, negated, plain, sentences, stem, stems


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Up early. Then to bed.", ["Up early.", "Then to bed."]),
        ("I saw Mr. Hill. He left.", ["I saw Mr. Hill.", "He left."]),
        ("Sir W. Penn and I did dig. So home.", ["Sir W. Penn and I did dig.", "So home."]),
        ("He said so did I. Then we went.", ["He said so did I.", "Then we went."]),
        ("It is nice, e.g. Paris. Go.", ["It is nice, e.g. Paris.", "Go."]),
        ("It cost 3.50 in all. Good.", ["It cost 3.50 in all.", "Good."]),
        ("It cost 20l. and 3s. a week.", ["It cost 20l. and 3s. a week."]),
        ("We met at 5 p.m. on Sept. 14 there.", ["We met at 5 p.m. on Sept. 14 there."]),
        ("No. I never did.", ["No.", "I never did."]),
        ("See No. 5 for it.", ["See No. 5 for it."]),
        ("Well... perhaps not. Yes.", ["Well... perhaps not.", "Yes."]),
        ("“Go!” said he. “Why?” I asked.", ["“Go!” said he.", "“Why?” I asked."]),
        ("He said “go.” Then we went.", ["He said “go.”", "Then we went."]),
        ("Am 14. September war ich da. Gut.", ["Am 14. September war ich da.", "Gut."]),
        ("我今天去了北京。天气很好！你呢？", ["我今天去了北京。", "天气很好！", "你呢？"]),
        ("See clone.py now. Done.", ["See clone.py now.", "Done."]),
        ("What?! Never.", ["What?!", "Never."]),
    ],
)
def test_a_sentence_ends_at_its_stop_and_not_at_an_abbreviation(
    text: str, expected: list[str]
) -> None:
    assert cut(text) == expected


def test_list_points_are_sentences_without_their_bullets() -> None:
    text = "# Today\n- milk\n* two eggs\n1. call Robin\n[ ] rest\n\nDone"
    assert cut(text) == ["Today", "milk", "two eggs", "call Robin", "rest", "Done"]


def test_a_line_in_which_a_sentence_ended_before_the_wrap_goes_on_too() -> None:
    text = "Totally fine. Four days remote, Wednesdays with us. Let's\nmake it work.\n\nGreat job"
    assert [text[start:end] for start, end in sentences(text)][-2:] == [
        "Let's\nmake it work.",
        "Great job",
    ]


def test_a_line_wrapped_by_a_mail_program_goes_on_in_the_next() -> None:
    text = (
        "I have been thinking about what you said when we were\n"
        "out at the river and I agree with you.\nSee you soon"
    )
    assert cut(text) == [text[: text.index("\nSee")], "See you soon"]


def test_lines_of_a_chat_are_sentences_of_their_own() -> None:
    assert cut("on my way\nbring milk\nok") == ["on my way", "bring milk", "ok"]


@given(st.text(max_size=300))
def test_sentences_are_ordered_apart_and_hold_every_letter(text: str) -> None:
    found = sentences(text)
    assert all(start < end for start, end in found)
    assert all(one[1] <= two[0] for one, two in pairwise(found))
    kept = sum(sum(map(str.isalpha, text[start:end])) for start, end in found)
    assert kept == sum(map(str.isalpha, text))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("When did you bury your parmesan cheese?", ["bury", "parmesan", "cheese"]),
        ("What did you think about the war?", ["war"]),
        ("Tell me how you felt about Robin’s wedding", ["robin", "wedding"]),
        ("Was denkst du über die Katze?", ["katze"]),
        ("Qu'est-ce que tu penses de l'été?", []),
        ("¿Qué piensas de la fiesta?", ["fiesta"]),
        ("Did you pay 1,200 in 1666?", ["pay", "1,200", "1666"]),
        ("What did you ever think of the man who would die?", ["man", "die"]),
        ("你觉得北京怎么样？", ["北京"]),
        ("什么时候搬家", ["搬家"]),
    ],
)
def test_content_words_are_what_a_question_asks_about(question: str, words: list[str]) -> None:
    assert content_words(question) == words


def test_runs_of_cjk_come_as_pairs() -> None:
    assert content_words("东京铁塔") == ["东京", "京铁", "铁塔"]


def test_inflected_forms_and_accents_share_a_stem() -> None:
    assert stem("buried") == stem("bury") == stem("Burying")
    assert stem("Café") == stem("cafe")
    assert stem("cheese’s") == stem("cheeses")
    assert stem("北京") == "北京"
    assert stems("The dogs were running") == {"dog", "run"}


def test_possessives_and_elisions_come_off() -> None:
    assert plain("Robin’s") == "robin"
    assert plain("l’été") == "été"
    assert plain("it's") == "it's"


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("I didn’t go", True),
        ("I never went", True),
        ("I went without him", True),
        ("Ich war nicht da", True),
        ("我没有去", True),
        ("I went", False),
        ("I noted another thing", False),
    ],
)
def test_denial_is_seen(text: str, denies: bool) -> None:
    assert negated(text) is denies


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ate", "eating"),
        ("bought", "buys"),
        ("went", "go"),
        ("children", "child"),
        ("wives", "wife"),
    ],
)
def test_irregular_forms_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("saw", "see"), ("ground", "grind"), ("rose", "rise")])
def test_words_of_their_own_are_no_forms(one: str, other: str) -> None:
    assert stem(one) != stem(other)
