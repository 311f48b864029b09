"""Say how the program and a profile are, for a person who asks what is wrong."""

from __future__ import annotations

import platform
from importlib import metadata

from clone_app import __version__

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
