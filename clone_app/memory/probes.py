"""Probes besides the question: lines that who asks supposes the memory to hold.

What such a line says is made up. It only points to where something like it was written: nothing is
nearer to the question for it, so what it finds keeps the cosine that the question gives it, or none.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from clone_app.memory.asked import Asked
from clone_app.memory.index import VectorIndex
from clone_app.memory.rankers import by_meaning
from clone_app.memory.ranking import Column
from clone_app.progress import Progress
from clone_app.protocols import Embedder

SUPPOSED: Final = "a line as the diary might say it"


def by_lines(
    asked: Asked,
    index: VectorIndex | None,
    embedder: Embedder | None,
    *,
    limit: int,
    where: str = "",
    progress: Progress | None,
) -> list[Column]:
    """Return what is nearest in meaning to each line; they share the weight that the recipe gives them.

    It is relative to that of the question's own meaning.
    """
    recipe = asked.recipe
    if (
        not (recipe.supposed and recipe.meaning and asked.lines)
        or index is None
        or embedder is None
    ):
        return []
    weight = recipe.supposed * recipe.meaning / math.hypot(recipe.meaning, recipe.words)
    vectors = np.asarray(embedder.embed(asked.lines, progress=progress), dtype=np.float32)
    columns = (
        by_meaning(
            index,
            vector,
            asked.cutoff,
            weight=weight / len(asked.lines),
            limit=limit,
            where=where,
            probe=SUPPOSED,
        )
        for vector in vectors
    )
    return [replace(column, cosines=None) for column in columns if column is not None]
