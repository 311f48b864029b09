"""Where things lie on disk: the profile's parts, the program's resources, the user's default home."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

HOME_VARIABLE = "CLONE_APP_HOME"


def default_home() -> Path:
    """Return the profile folder: `CLONE_APP_HOME`, else the platform's place for an app's data."""
    named = os.environ.get(HOME_VARIABLE)
    return Path(named) if named else Path(platformdirs.user_data_dir("clone-app", appauthor=False))


def resources() -> Path:
    """Return the folder of icons and the sample life: in the wheel, else beside the package."""
    inside = Path(__file__).parent / "resources"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "resources"


@dataclass(frozen=True, slots=True)
class ProfilePaths:
    """Name the parts of one profile folder."""

    home: Path

    @property
    def settings(self) -> Path:
        """Return the settings file: nothing in it is about the person's life."""
        return self.home / "settings.json"

    @property
    def key(self) -> Path:
        """Return the file that holds the key wrapped by the passphrase, and the key's check value."""
        return self.home / "key.json"

    @property
    def database(self) -> Path:
        """Return the SQLCipher database: the truth."""
        return self.home / "memory.db"

    @property
    def index(self) -> Path:
        """Return the LanceDB folder: a cache that can be deleted."""
        return self.home / "index"

    @property
    def lock(self) -> Path:
        """Return the file locked by whoever writes."""
        return self.home / "lock"

    @property
    def logs(self) -> Path:
        """Return the folder of crash reports and the log: no text of a person in there."""
        return self.home / "logs"
