"""Kin are known by their other words."""

from __future__ import annotations

import pytest

from clone_app.memory.kin import KINS
from clone_app.memory.words import stem


@pytest.mark.parametrize(
    ("asked", "written"), [("father", "dad"), ("grandmother", "nan"), ("neighbor", "neighbour")]
)
def test_who_asks_by_one_word_is_told_by_another(asked: str, written: str) -> None:
    assert stem(written) in KINS[stem(asked)]


def test_one_kin_is_not_another() -> None:
    assert KINS["mother"].isdisjoint(KINS["father"])
    assert stem("friday") not in KINS
