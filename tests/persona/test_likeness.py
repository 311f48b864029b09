"""Cosines count by how far they stand above what is usual for the embedder."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clone_app.entries import Recalled
from clone_app.persona.likeness import USUAL, on_one_scale

from .scripted import hit


def recalled(cosine: float | None, usual: tuple[float, float] | None) -> Recalled:
    return Recalled((replace(hit("The sail is torn."), cosine=cosine),), (), usual=usual)


def scaled(cosine: float | None, usual: tuple[float, float] | None) -> float | None:
    return on_one_scale(recalled(cosine, usual)).hits[0].cosine


def test_what_is_usual_for_an_embedder_is_what_is_usual_for_the_starter() -> None:
    assert scaled(0.75, (0.75, 0.03)) == pytest.approx(USUAL[0])
    assert scaled(0.84, (0.75, 0.03)) == pytest.approx(USUAL[0] + 3 * USUAL[1])
    assert scaled(0.58, USUAL) == pytest.approx(0.58)


def test_a_high_cosine_among_high_ones_is_no_longer_near() -> None:
    assert (scaled(0.68, (0.52, 0.07)) or 0) < 0.4


def test_nothing_is_scaled_where_nothing_is_known() -> None:
    assert scaled(0.7, None) == 0.7
    assert scaled(None, (0.5, 0.1)) is None
