"""Another embedder: the old one serves until everything is read anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.errors import Cancelled, ModelError
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeEmbedder, FakeModels
from clone_app.progress import Progress
from clone_app.protocols import Vectors

COUNT = 600


class Other(FakeEmbedder):
    """An embedder of other dimensions that a test may stop at some batch."""

    def __init__(self) -> None:
        super().__init__(32)
        self.stops_at: int | None = None

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        if self.stops_at is not None and len(self.batches) >= self.stops_at:
            raise Cancelled
        return super().embed(texts, progress=progress)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    place = tmp_path / "other"
    place.mkdir()
    (place / "config.json").write_text(json.dumps({"hidden_size": 32}))
    (place / "model.safetensors").write_bytes(b"weights")
    return str(place)


@pytest.fixture
def shelf(folder: str) -> FakeModels:
    made = FakeModels()
    made.others[folder] = Other()
    return made


def opened(tmp_path: Path, shelf: FakeModels) -> App:
    return App(tmp_path / "profile", shelf=shelf, vault=MemoryVault(working=False))


@pytest.fixture
def app(tmp_path: Path, shelf: FakeModels) -> Iterator[App]:
    (tmp_path / "diary").mkdir()
    for number in range(COUNT):
        day = f"20{10 + number // 336:02}-{1 + number % 336 // 28:02}-{1 + number % 28:02}"
        (tmp_path / "diary" / f"{day}.md").write_text(f"Kayak number {number} on the lake.")
    made = opened(tmp_path, shelf)
    made.create("correct horse battery", home_zone="UTC")
    made.import_(tmp_path / "diary", progress=Progress())
    yield made
    made.close()


def found_by(app: App) -> set[str]:
    return {ranker for hit in app.search("kayak number 7") for ranker in hit.found_by}


def test_the_old_one_serves_until_the_new_one_has_read_everything(
    app: App, shelf: FakeModels, folder: str
) -> None:
    other = shelf.others[folder]
    assert isinstance(other, Other)
    app.change_settings(embedder_folder=folder)
    assert app.situations_waiting()
    assert "meaning" in found_by(app)
    assert f"until all is read anew by {folder}" in str(app.doctor()["embedder"])
    other.stops_at = 9
    with pytest.raises(Cancelled):
        app.finish_vectors(Progress())
    assert app.vectors_pending() == 0
    assert "meaning" in found_by(app)
    assert shelf.embedder_folder() == ""
    read = sum(other.batches)
    other.stops_at = None
    app.finish_vectors(Progress())
    assert 256 <= read < COUNT
    assert sum(other.batches) == COUNT + read % 256  # what was read is not read again
    assert shelf.embedder_folder() == folder
    assert "meaning" in found_by(app)
    assert app.doctor()["index"] == "sound"
    assert str(app.doctor()["embedder"]).startswith("fake-32")
    assert not (app.home / "index.next").exists()
    assert not app.situations_waiting()


def test_the_choice_lasts_over_a_restart_and_can_be_taken_back(
    app: App, tmp_path: Path, shelf: FakeModels, folder: str
) -> None:
    app.change_settings(embedder_folder=folder)
    app.finish_vectors(Progress())
    app.close()
    shelf.use_embedder("")
    again = opened(tmp_path, shelf)
    again.unlock("correct horse battery")
    assert again.check_index() == "sound"
    assert shelf.embedder_folder() == folder
    assert "meaning" in found_by(again)
    again.change_settings(embedder_folder="")
    again.finish_vectors(Progress())
    assert shelf.embedder_folder() == ""
    assert again.check_index() == "sound"
    again.close()


def test_an_embedder_that_is_gone_gives_way_to_the_starter(
    app: App, shelf: FakeModels, folder: str
) -> None:
    app.change_settings(embedder_folder=folder)
    app.finish_vectors(Progress())
    del shelf.others[folder]
    assert app.check_index() == "another embedder"
    assert shelf.embedder_folder() == ""


def test_a_kill_between_the_swap_and_its_note_is_mended(
    app: App, shelf: FakeModels, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.change_settings(embedder_folder=folder)
    with monkeypatch.context() as patched:
        patched.setattr("clone_app.app.parts.adopt", lambda *_: (_ for _ in ()).throw(Cancelled()))
        with pytest.raises(Cancelled):
            app.finish_vectors(Progress())
    assert app.check_index() == "sound"
    assert shelf.embedder_folder() == folder
    assert app.vectors_pending() == 0


def test_what_is_removed_meanwhile_is_in_neither_index(
    app: App, shelf: FakeModels, folder: str
) -> None:
    other = shelf.others[folder]
    assert isinstance(other, Other)
    app.change_settings(embedder_folder=folder)
    other.stops_at = 9
    with pytest.raises(Cancelled):
        app.finish_vectors(Progress())
    assert (app.home / "index.next").exists()
    app.remove(app.removal(since="2010-01-01", until="2010-06-01"), Progress())
    assert not (app.home / "index.next").exists()
    other.stops_at = None
    app.finish_vectors(Progress())
    assert app.doctor()["index"] == "sound"


def test_a_folder_without_an_embedder_is_refused_before_anything_changes(
    app: App, tmp_path: Path
) -> None:
    with pytest.raises(ModelError, match="sentence-transformers"):
        app.change_settings(embedder_folder=str(tmp_path / "diary"))
    assert app.settings.embedder_folder == ""


def test_another_language_is_noticed_and_said_once(app: App, tmp_path: Path) -> None:
    assert app.embedder_advice() == ""
    (tmp_path / "zh").mkdir()
    for number in range(1, 29):
        (tmp_path / "zh" / f"2020-02-{number:02}.md").write_text(
            f"今天去了海边，第{number}次。" * 3
        )
    app.remove(app.removal(since="2010-03-01", until="2012-01-01"), Progress())
    app.import_(tmp_path / "zh", progress=Progress())
    assert "multilingual" in app.embedder_advice()
    assert "multilingual" in str(app.doctor()["embedder"])
    assert "Preferences" in app.advise_once()
    assert app.advise_once() == ""


def test_another_language_is_said_at_the_import_that_brings_it_and_not_again(
    run: Any, tmp_path: Path
) -> None:
    (tmp_path / "zh").mkdir()
    for number in range(1, 6):
        (tmp_path / "zh" / f"2020-02-{number:02}.md").write_text(
            f"今天去了海边，第{number}次。" * 3
        )
    told = run("import", tmp_path / "zh")
    assert "About 100% of your entries aren't in English" in told.err
    assert "settings embedder_folder" in told.err
    assert "English" not in run("import", tmp_path / "zh").err
