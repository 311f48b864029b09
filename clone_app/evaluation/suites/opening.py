"""Find out which benchmark lies at a path or bears a name, and read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from clone_app.errors import CloneAppError
from clone_app.evaluation.suites import Life, Suite, clonemem, lifebench, palbench, personamem

Recognise: TypeAlias = Callable[[Path], bool]
Read: TypeAlias = Callable[[Path], tuple[Life, ...]]

# One line a benchmark: what tells it, what reads it.
FORMS: tuple[tuple[Recognise, Read], ...] = (
    (lifebench.recognises, lambda path: (lifebench.read_life(path),)),
    (clonemem.recognises, lambda path: (clonemem.read_life(path),)),
    (personamem.recognises, personamem.read_lives),
    (palbench.recognises, palbench.read_lives),
)
KNOWN = (
    "a CloneMem file or folder, a LifeBench user's folder (with phone_data and QA), PersonaMem-v2's "
    "benchmark.csv or PAL-Bench's JSON file"
)
_DEPTH = 4


def open_suite(source: str, named: Mapping[str, Path]) -> Suite:
    """Return what lies at a path, or at the place a name stands for.

    One life that can't be read fails the whole suite: a mean over the rest would pass for the whole.
    """
    path = named.get(source) or Path(source).expanduser()
    if not path.exists():
        names = ", ".join(sorted(named))
        raise CloneAppError(
            f"There is no benchmark at {source}. Give the path of {KNOWN}"
            + (f", or a name: {names}." if names else ".")
        )
    lives = tuple(life for found, read in _found(path, _DEPTH) for life in read(found))
    if not lives:
        raise CloneAppError(
            f"{path.name} holds no benchmark in a form that is known, or its file was cut short. "
            f"Give the path of {KNOWN}."
        )
    return Suite(source if source in named else path.name, lives)


def _found(path: Path, depth: int) -> Iterator[tuple[Path, Read]]:
    """Yield the lives at and below a path with what reads them, by name."""
    for recognises, read in FORMS:
        if recognises(path):
            yield path, read
            return
    if depth and path.is_dir():
        for child in sorted(path.iterdir()):
            if not child.name.startswith("."):
                yield from _found(child, depth - 1)
