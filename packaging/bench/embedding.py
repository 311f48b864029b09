"""Measure the embedder against plain fp32 `SentenceTransformer.encode`, run after run in turn.

    python packaging/bench/embedding.py [FOLDER] [--passages 256] [--runs 5] [--json]

FOLDER holds text files (a diary, say), cut into passages of 120 words; without one, passages are made
up from a fixed seed. Both sides get the same passages, all cores and their best of the runs; the
embedder's includes the way to its process and back. On a busy machine neither figure means much:
the load is printed, and a run is best repeated when it is below 0.5.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1")

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

from clone_app.models.catalogue import starter_embedder
from clone_app.models.cpu import physical_cores
from clone_app.models.shelf import Models

WORDS_A_PASSAGE = 120
TEXT_ENDINGS = (".md", ".txt")
VOCABULARY = [
    "the",
    "of",
    "and",
    "to",
    "a",
    "in",
    "it",
    "was",
    "I",
    "that",
    "he",
    "for",
    "on",
    "with",
    "as",
    "at",
    "by",
    "from",
    "they",
    "we",
    "went",
    "home",
    "after",
    "dinner",
    "my",
    "wife",
    "office",
    "where",
    "king",
    "navy",
    "morning",
    "up",
    "letter",
    "money",
    "church",
    "walked",
    "talk",
    "very",
    "much",
    "good",
    "day",
    "lord",
    "night",
    "came",
    "found",
    "business",
    "great",
    "people",
    "house",
    "told",
    "fire",
    "river",
    "bridge",
    "garden",
    "cheese",
    "wine",
    "remembered",
    "summer",
    "train",
    "window",
    "rain",
    "mother",
    "laughing",
    "kitchen",
    "promise",
    "holiday",
    "city",
    "winter",
    "book",
]


def passages(folder: Path | None, count: int) -> list[str]:
    """Return so many passages: from a folder's texts, or made up with lengths that vary alike."""
    if folder is None:
        chance = random.Random(7)
        sizes = [
            chance.randint(WORDS_A_PASSAGE // 2, WORDS_A_PASSAGE * 3 // 2) for _ in range(count)
        ]
        return [" ".join(chance.choices(VOCABULARY, k=size)) for size in sizes]
    found: list[str] = []
    for text in _texts(folder):
        words = text.split()
        for start in range(0, len(words), WORDS_A_PASSAGE):
            found.append(" ".join(words[start : start + WORDS_A_PASSAGE]))
    if not found:
        raise SystemExit(f"No .md or .txt files with text are in {folder}. Name another folder.")
    # Spread over the whole of it, so that neither the first pages nor their lengths decide.
    return found[:: max(1, len(found) // count)][:count]


def _texts(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in TEXT_ENDINGS and path.is_file():
            yield path.read_text("utf-8", "replace")


def timed(work: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    began = time.perf_counter()
    vectors = work()
    return time.perf_counter() - began, vectors


def peak_megabytes(pid: int | str) -> int:
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0
    return int(status.read_text().partition("VmHWM:")[2].split()[0]) // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--passages", type=int, default=256)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()

    texts = passages(given.folder, given.passages)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else -1.0
    torch.set_num_threads(physical_cores())
    plain = SentenceTransformer(str(starter_embedder().path), device="cpu", local_files_only=True)
    models = Models()
    ours = models.embedder()
    seconds_to_load, _ = timed(lambda: ours.embed(texts[:1]))
    facts = ours.load()
    plain.encode(texts[:8])

    best_plain = best_ours = float("inf")
    for _ in range(given.runs):
        taken, expected = timed(lambda: plain.encode(texts))
        best_plain = min(best_plain, taken)
        taken, got = timed(lambda: ours.embed(texts))
        best_ours = min(best_ours, taken)
    cosines = (expected * got).sum(1)
    figures = {
        "passages": len(texts),
        "mean_words": round(sum(len(text.split()) for text in texts) / len(texts), 1),
        "runs": given.runs,
        "threads": physical_cores(),
        "bf16": facts["bf16"],
        "fp32_encode_texts_per_second": round(len(texts) / best_plain, 1),
        "embedder_texts_per_second": round(len(texts) / best_ours, 1),
        "ratio": round(best_plain / best_ours, 2),
        "mean_cosine": round(float(cosines.mean()), 6),
        "lowest_cosine": round(float(cosines.min()), 6),
        "embedder_start_seconds": round(seconds_to_load, 2),
        "embedder_peak_megabytes": peak_megabytes(ours.pid or 0),
        "load_before": round(load, 2),
    }
    models.close()
    if given.json:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        print(f"{name.replace('_', ' '):>30}  {figure}")


if __name__ == "__main__":
    main()
