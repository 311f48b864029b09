"""Profiles with real content and the real starter models, made once for all tests here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.errors import ModelError
from clone_app.keys import MemoryVault
from clone_app.models.catalogue import starter_chat, starter_embedder
from clone_app.progress import Progress

PASSPHRASE = "correct horse battery"


def new_app(home: Path) -> App:
    """Return an open app on a new profile, with the models it has for its users."""
    app = App(home, now=lambda: datetime(2026, 1, 1, tzinfo=UTC), vault=MemoryVault(working=False))
    app.create(PASSPHRASE, home_zone="UTC")
    return app


@pytest.fixture(scope="session")
def starter_models() -> None:
    """Skip where the starter models are not installed."""
    try:
        starter_chat()
        starter_embedder()
    except ModelError as fault:
        pytest.skip(str(fault))


@pytest.fixture(scope="session")
def app_with(
    tmp_path_factory: pytest.TempPathFactory, starter_models: None
) -> Iterator[Callable[[Path], App]]:
    """Make apps that hold what lies at a path, vectors included."""
    made: list[App] = []

    def make(path: Path) -> App:
        app = new_app(tmp_path_factory.mktemp("profile") / "home")
        made.append(app)
        app.import_(path, progress=Progress())
        return app

    yield make
    for app in made:
        app.close()


@pytest.fixture(scope="session")
def sample_app(app_with: Callable[[Path], App]) -> App:
    """The sample life, as a newcomer has it."""
    from clone_app.paths import resources

    return app_with(resources() / "sample_life" / "en")


@pytest.fixture(scope="session")
def pepys_1666(app_with: Callable[[Path], App], shared_data: Path) -> App:
    """The year of the great fire, as Pepys wrote it."""
    return app_with(shared_data / "diary" / "pepys" / "1666.md")
