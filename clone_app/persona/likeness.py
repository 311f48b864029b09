"""Cosines on one scale, whatever made them: what counts is how far one stands above what is usual.

An embedder that reads English says little under 0.3 of unrelated English texts, over 0.5 of any two
Chinese ones; others never go below 0.7. The thresholds of this package are in the starter's terms.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from clone_app.entries import Hit, Recalled

# What the starter embedder says of a question and any entry: mean and deviation over the sample life.
USUAL: Final = (0.14, 0.087)


def on_one_scale(recalled: Recalled) -> Recalled:
    """Return what was recalled with its cosines as the starter embedder would have them in English."""
    if recalled.usual is None:
        return recalled
    middle, spread = recalled.usual

    def scaled(hit: Hit) -> Hit:
        if hit.cosine is None:
            return hit
        above = (hit.cosine - middle) / spread
        return replace(hit, cosine=min(1.0, USUAL[0] + USUAL[1] * above))

    return replace(recalled, hits=tuple(map(scaled, recalled.hits)))
