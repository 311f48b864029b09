"""An answer in another language than the question's is noticed, by script or by function words."""

from __future__ import annotations

import pytest

from clone_app.persona.style.tongue import same_tongue


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who is Tom?", "Der Käse liegt noch immer im Keller meiner Tante."),
        ("Wer ist Tom?", "Tom is my brother and I like him."),
        ("¿Dónde está Ana?", "Ana is in the garden with her dog."),
        ("我去了哪里？", "I went to the sea."),
        ("What did you and 阮青 talk about?", "我们谈了江水，也谈了她的船。"),
        ("Где мой сыр?", "The cheese is in the pit."),
        ("京都はどうでしたか", "我去了京都，天气很好。"),
    ],
)
def test_another_language_is_noticed(question: str, said: str) -> None:
    assert not same_tongue(question, said)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who is Tom?", "Tom is my brother and I like him."),
        ("Wo war ich im März?", "Ich war im März in Rom mit Anna."),
        ("Où est Anna ?", "Elle est à Paris avec sa sœur."),
        ("我去了哪里？", "去了海边，和妈妈一起。"),
        ("京都はどうでしたか", "京都はとても静かでした。"),
        ("Where is the cheese?", "Parmazan cheese, pit, wine."),
        ("Anna? Rom?", "Ich war im März in Rom mit Anna."),
        ("What did you think of die Mauer and the Kindergarten?", "I was there as a child."),
        ("Who is 阮青?", "阮青 is a friend of mine, and she has a boat."),
        ("Where is it?", ""),
        ("", "Here."),
        ("42?", "17."),
    ],
)
def test_the_same_language_or_an_unsure_one_passes(question: str, said: str) -> None:
    assert same_tongue(question, said)
