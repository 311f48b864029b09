"""Words looked up by spelling: other spellings yes, other words no."""

from __future__ import annotations

import pytest

from clone_app.memory.spelling import neighbours


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("parmesan", "parmazan"),
        ("music", "musick"),
        ("colour", "color"),
        ("neighbor", "neighbour"),
        ("dmitri", "dmitry"),
        ("philipp", "philip"),
        ("restaurant", "restaraunt"),
    ],
)
def test_another_spelling_of_the_word_is_found(asked: str, written: str) -> None:
    assert neighbours(asked, ["palace", written, "zebra"]) == (written,)


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("internet", "interest"),
        ("phone", "prone"),
        ("train", "brain"),
        ("horse", "house"),
        ("cat", "cut"),
        ("email", "emily"),
        ("laptop", "lapdog"),
    ],
)
def test_another_word_is_not(asked: str, written: str) -> None:
    assert neighbours(asked, [written]) == ()
