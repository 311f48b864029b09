"""Words are laid over a text: what is denied, whose it is, what is done to whom."""

from __future__ import annotations

import pytest

from clone_app.entries import Moment
from clone_app.persona.ground import Evidence, check


def supported(sentence: str, text: str) -> bool:
    one = Evidence(key="k", text=text, moment=Moment.unknown(), mine=True)
    return check(sentence, [one]).supported


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("J'aime le vélo rouge.", "Je n'aime pas le vélo rouge."),
        ("J'ai vu ma tante à Nantes.", "Je n’ai jamais vu ma tante à Nantes."),
        ("Je mange du poisson fumé.", "Je ne mange pas de poisson fumé."),
        ("Mi piace il vino rosso.", "Non mi piace il vino rosso."),
        ("Ik hou van zoete appels.", "Ik hou niet van zoete appels."),
        ("Jag gillar gröna äpplen.", "Jag gillar inte gröna äpplen."),
        ("Gosto de vinho tinto.", "Não gosto de vinho tinto."),
        ("Vi minha tia em Braga.", "Nunca vi minha tia em Braga."),
        ("Я люблю зелёный чай.", "Я не люблю зелёный чай."),
        ("Ich habe ein altes Boot.", "Ich habe kein altes Boot."),
        ("私は魚が好きです。", "私は魚が好きではありません。"),
        ("昨日は町へ行った。", "昨日は町へ行かなかった。"),
    ],
)
def test_what_is_denied_there_is_not_told_here(told: str, denied: str) -> None:
    assert not supported(told, denied)
    assert not supported(denied, told)
    assert supported(denied, denied)


def test_a_denial_inside_a_compound_denies_nothing() -> None:
    text = "We bought an old non-stick pan in Hull."
    assert supported(text, text)
    assert supported("We bought an old pan in Hull.", text)


def test_another_woman_whose_mother_it_is_is_not_me() -> None:
    assert not supported("My aunt has malaria.", "I read of a sailor whose aunt has malaria.")
    assert supported("My aunt has malaria.", "Rain. My aunt has malaria.")


def test_a_word_that_describes_may_be_left_out() -> None:
    assert supported("We bought an old pan in Hull.", "We bought an old red pan in Hull.")
    assert not supported("I fed the miller's goat.", "I was fed by the miller's goat.")
    assert supported("I was fed by the miller.", "I was fed well by the miller.")
    assert supported(
        "I walked to the quay with Vera.", "It was cold, walked to the quay with Vera."
    )
    assert supported(
        "I walked to the quay with Vera.", "Better than it was. I walked to the quay with Vera."
    )
