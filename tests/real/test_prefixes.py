"""What goes before questions and passages, with tiny models built here and the real libraries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clone_app.models import wire
from clone_app.models.chosen import look_at
from clone_app.models.prefixes import Prefixes

from .tiny import sentence_bert

pytestmark = pytest.mark.real

PROMPTS = {"query": "walk ", "document": "the yes "}
PLAIN = Prefixes()


def served(folder: Path, prefixes: Prefixes, *, library: bool = False) -> Any:
    from clone_app.models.embedder_child import load

    options = {"path": str(folder), "threads": 1, "bf16": False, "library": library}
    return load(options | {"question": prefixes.question, "passage": prefixes.passage})


def vectors(model: Any, texts: Sequence[str], *, question: bool = False) -> np.ndarray[Any, Any]:
    width, found = model.embed(wire.Embed(1, list(texts), question), lambda: False)
    return np.frombuffer(found, np.float32).reshape(-1, width)


@pytest.mark.parametrize("library", [False, True])
def test_a_question_is_embedded_as_the_model_wants_questions_to_be_put(
    tmp_path: Path, library: bool
) -> None:
    folder = sentence_bert(tmp_path / "tiny", prompts=PROMPTS)
    prefixes = look_at(folder).prefixes
    assert prefixes == Prefixes("walk ", "the yes ")
    model = served(folder, prefixes, library=library)
    assert model.facts()["packed"] is not library
    plain = served(folder, PLAIN, library=library)
    asked = vectors(model, ["sea", "a b c"], question=True)
    np.testing.assert_allclose(asked, vectors(plain, ["walk sea", "walk a b c"]), atol=1e-6)
    told = vectors(model, ["sea"])
    np.testing.assert_allclose(told, vectors(plain, ["the yes sea"]), atol=1e-6)
    assert asked[0] @ told[0] < 0.999


def test_both_ways_agree_with_the_library_asked_directly(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    folder = sentence_bert(tmp_path / "tiny", prompts=PROMPTS)
    theirs = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    for library in (False, True):
        model = served(folder, look_at(folder).prefixes, library=library)
        for question, encode in ((True, theirs.encode_query), (False, theirs.encode_document)):
            wanted = encode(["sea"], normalize_embeddings=True, show_progress_bar=False)
            np.testing.assert_allclose(
                vectors(model, ["sea"], question=question), wanted, atol=1e-5
            )


def test_a_model_that_leaves_its_prompts_out_of_the_mean_is_run_by_the_library(
    tmp_path: Path,
) -> None:
    without = served(
        sentence_bert(tmp_path / "out", prompts=PROMPTS, include_prompt=False),
        Prefixes("walk ", "the yes "),
    )
    assert without.facts()["packed"] is False
    within = served(sentence_bert(tmp_path / "in", prompts=PROMPTS), Prefixes("walk ", "the yes "))
    (out,), (inside,) = (vectors(each, ["sea"], question=True) for each in (without, within))
    assert out @ inside < 0.999
