"""Say how the program and a profile are, for a person who asks what is wrong."""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path

from clone_app import __version__
from clone_app.models.catalogue import Starter, starters
from clone_app.settings import Settings

_LIBRARIES = (
    "PySide6-Essentials",
    "llama-cpp-python",
    "sentence-transformers",
    "torch",
    "lancedb",
    "sqlite-utils",
    "sqlcipher3",
    "keyring",
)


def versions() -> dict[str, str]:
    """Return the versions of what matters; a library that is missing says so."""
    found = {"clone-app": __version__, "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            found[library] = "missing"
    return found | {"system": platform.platform()}


def program(settings: Settings, home: Path, *, keyring: bool) -> dict[str, object]:
    """Return what can be said before a profile is open."""
    return {
        "versions": versions(),
        "models": {starter.name: _state(starter) for starter in starters()},
        "chat model": settings.chat_model or "the starter model",
        "profile": str(home),
        "keyring": "works" if keyring else "none: a passphrase is needed",
    }


def _state(starter: Starter) -> str:
    """Return where a starter model lies, and what to do where its weights have changed since."""
    if starter.intact():
        return str(starter.path)
    return f"{starter.path} is damaged. Delete the folder .venv, then run `python3 packaging/dev.py run`."
