"""Starter models are found where they are installed, and missed with a sentence."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from clone_app.errors import ModelError
from clone_app.models import catalogue
from clone_app.models.catalogue import CHAT, EMBEDDER, Wheeled, find

Install = Callable[[Wheeled, bytes], Wheeled]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Lay out a package that can be found and must not be imported."""
    monkeypatch.syspath_prepend(tmp_path)

    def lay_out(model: Wheeled, content: bytes) -> Wheeled:
        package = f"wheel_of_{model.package}"
        place = tmp_path / package / model.place
        weights = place / model.weights if model.weights else place
        weights.parent.mkdir(parents=True)
        weights.write_bytes(content)
        (tmp_path / package / "__init__.py").write_text("raise ImportError('not to be imported')")
        return replace(model, package=package)

    return lay_out


def test_a_language_model_is_a_file_in_its_package(install: Install, tmp_path: Path) -> None:
    model = replace(install(CHAT, b"abc"), size=3)
    starter = find(model)
    assert starter.path == tmp_path / model.package / "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert starter.weights == starter.path
    assert starter.name == "SmolLM2-135M-Instruct.Q4_1"
    assert model.package not in sys.modules


def test_an_embedder_is_a_folder_in_its_package(install: Install, tmp_path: Path) -> None:
    model = replace(install(EMBEDDER, b"abc"), size=3)
    starter = find(model)
    assert starter.path == tmp_path / model.package / "model"
    assert starter.weights == starter.path / "model.safetensors"


def test_a_model_cut_short_is_a_sentence(install: Install) -> None:
    with pytest.raises(ModelError, match=r"is incomplete .*Run `python3 packaging/dev.py run`"):
        find(install(CHAT, b"abc"))


@pytest.mark.parametrize("model", [CHAT, EMBEDDER])
def test_a_model_that_is_not_installed_is_a_sentence(model: Wheeled) -> None:
    with pytest.raises(ModelError) as caught:
        find(replace(model, package="no_such_wheel"))
    assert str(caught.value) == (
        f"The starter {model.purpose} {model.name} is not installed. "
        "Run `python3 packaging/dev.py run` to install it."
    )


def test_starters_leaves_out_what_is_missing(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "CHAT", replace(CHAT, package="no_such_wheel"))
    monkeypatch.setattr(catalogue, "EMBEDDER", replace(install(EMBEDDER, b"abc"), size=3))
    assert [starter.name for starter in catalogue.starters()] == ["all-MiniLM-L6-v2"]


def test_other_weights_are_not_intact(install: Install) -> None:
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180: "abc"
    assert find(replace(install(CHAT, b"abc"), size=3, sha256=known)).intact()
    assert not find(replace(install(EMBEDDER, b"abd"), size=3, sha256=known)).intact()
