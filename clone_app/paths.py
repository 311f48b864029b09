"""Where things lie on disk: the profile's parts, the program's resources, the user's default home."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

HOME_VARIABLE = "CLONE_APP_HOME"


def default_home() -> Path:
    """Return the profile folder: `CLONE_APP_HOME`, else the one chosen, else the platform's place."""
    named = os.environ.get(HOME_VARIABLE)
    if named:
        return Path(named)
    try:
        chosen = _chosen_home().read_text("utf-8").strip()
    except (OSError, ValueError):
        chosen = ""
    return Path(chosen) if chosen else _platform_home()


def remember_home(home: Path) -> None:
    """Make a folder the default of later starts, of the window and the command line alike.

    Raises OSError where that can't be noted.
    """
    note = _chosen_home()
    if home == _platform_home():
        note.unlink(missing_ok=True)
        return
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(f"{home}\n", "utf-8")


def _platform_home() -> Path:
    return Path(platformdirs.user_data_dir("clone-app", appauthor=False))


def _chosen_home() -> Path:
    return Path(platformdirs.user_config_dir("clone-app", appauthor=False)) / "profile-folder"


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
    def evaluation(self) -> Path:
        """Return the folder of benchmarks' lives, each in an encrypted base: a cache."""
        return self.home / "evaluation"

    @property
    def lock(self) -> Path:
        """Return the file locked by whoever writes."""
        return self.home / "lock"

    @property
    def logs(self) -> Path:
        """Return the folder of crash reports and the log: no text of a person in there."""
        return self.home / "logs"
