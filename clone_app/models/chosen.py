"""An embedder the user downloaded: a sentence-transformers folder, looked at without loading it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clone_app.errors import ModelError
from clone_app.models.prefixes import NONE, Prefixes, prefixes_of

_EDGE = 65_536
_WEIGHTS = (".safetensors", ".bin")


@dataclass(frozen=True, slots=True)
class Chosen:
    """Hold an embedder's folder, the name an index is stamped with, and a vector's length.

    `prefixes` go before its texts. What goes before passages is part of the name, since it is part of
    every vector in an index; what goes before questions may change under one.
    """

    path: Path
    name: str
    dimensions: int
    prefixes: Prefixes = NONE


def look_at(folder: str | Path) -> Chosen:
    """Return what an embedder's folder holds; raise `ModelError` where it holds none."""
    path = Path(folder).expanduser().absolute()
    try:
        config = _json(path / "config.json")
        dimensions = _dimensions(path, config)
        weights = sorted(each for each in path.iterdir() if each.suffix in _WEIGHTS)
        if dimensions <= 0 or not weights:
            raise ValueError(path)
        mark = hashlib.sha256((path / "config.json").read_bytes())
        for file in weights:
            mark.update(_edges(file))
        prefixes = prefixes_of(path)
        mark.update(prefixes.passage.encode())
    except (OSError, ValueError, TypeError, KeyError) as fault:
        raise ModelError(
            f"There is no embedder in {path}. Choose the folder of a downloaded sentence-transformers "
            "model: config.json, modules.json and the weights lie in it."
        ) from fault
    return Chosen(path, f"{path.name}@{mark.hexdigest()[:8]}", dimensions, prefixes)


def _dimensions(folder: Path, config: dict[str, Any]) -> int:
    """Return a vector's length: what the last module that changes it gives, else the model's width."""
    width = int(config.get("hidden_size") or config.get("dim") or config.get("d_model") or 0)
    if not (folder / "modules.json").is_file():
        return width
    for module in _json(folder / "modules.json"):
        place = folder / module["path"] / "config.json"
        if module["path"] and place.is_file():
            told = _json(place)
            width = int(told.get("out_features") or told.get("word_embedding_dimension") or width)
    return width


def _edges(file: Path) -> bytes:
    """Return the size and both ends of a file: other weights, another name, without reading it all."""
    size = file.stat().st_size
    with file.open("rb") as opened:
        head = opened.read(_EDGE)
        opened.seek(max(0, size - _EDGE))
        return f"{file.name} {size} ".encode() + head + opened.read(_EDGE)


def _json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
