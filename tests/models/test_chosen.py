"""An embedder's folder is looked at without loading it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clone_app.errors import ModelError
from clone_app.models.chosen import look_at
from clone_app.models.shelf import Models


def folder(place: Path, *, weights: bytes = b"weights", **config: object) -> Path:
    place.mkdir()
    (place / "config.json").write_text(json.dumps(config))
    (place / "model.safetensors").write_bytes(weights)
    return place


def test_name_and_dimensions_come_from_its_files(tmp_path: Path) -> None:
    found = look_at(folder(tmp_path / "e5", hidden_size=384))
    assert found.name.startswith("e5@")
    assert (found.dimensions, found.path) == (384, tmp_path / "e5")
    assert look_at(tmp_path / "e5") == found


def test_a_dense_layer_behind_the_pooling_decides_the_dimensions(tmp_path: Path) -> None:
    place = folder(tmp_path / "labse", hidden_size=768)
    modules = [{"path": ""}, {"path": "1_Pooling"}, {"path": "2_Dense"}]
    (place / "modules.json").write_text(json.dumps(modules))
    for name, told in (("1_Pooling", {"word_embedding_dimension": 768}),
                       ("2_Dense", {"in_features": 768, "out_features": 256})):  # fmt: skip
        (place / name).mkdir()
        (place / name / "config.json").write_text(json.dumps(told))
    assert look_at(place).dimensions == 256


def test_other_weights_are_another_embedder(tmp_path: Path) -> None:
    first = look_at(folder(tmp_path / "a", hidden_size=8)).name
    (tmp_path / "a" / "model.safetensors").write_bytes(b"others!")
    assert look_at(tmp_path / "a").name != first


@pytest.mark.parametrize(
    "what", ["nothing", "empty", "no weights", "no width", "damaged", "a file"]
)
def test_a_folder_without_one_is_said_with_what_to_choose(tmp_path: Path, what: str) -> None:
    place = tmp_path / "x"
    if what == "empty":
        place.mkdir()
    elif what == "no weights":
        (folder(place, hidden_size=8) / "model.safetensors").unlink()
    elif what == "no width":
        folder(place)
    elif what == "damaged":
        (folder(place, hidden_size=8) / "config.json").write_text("{")
    elif what == "a file":
        place.write_text("Dear diary")
    with pytest.raises(ModelError, match="sentence-transformers"):
        look_at(place)


def test_the_shelf_knows_both_and_uses_the_one_it_is_told(tmp_path: Path) -> None:
    place = str(folder(tmp_path / "other", hidden_size=16))
    models = Models()
    assert models.embedder_folder() == ""
    assert models.embedder_at(place).dimensions == 16
    assert models.embedder().dimensions == models.embedder_dimensions() == 384
    models.use_embedder(place)
    assert models.embedder_name() == models.embedder().name
    assert models.embedder_name().startswith("other@")
    assert models.embedder_dimensions() == 16
    models.close()
