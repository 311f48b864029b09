"""What the doctor says of a program before any profile is open."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import cast

import pytest

from clone_app import doctor
from clone_app.models.catalogue import CHAT, Starter
from clone_app.settings import Settings


def models(monkeypatch: pytest.MonkeyPatch, path: Path, content: bytes) -> dict[str, str]:
    """Return what is said of a starter whose weights should be `whole`."""
    path.write_bytes(content)
    starter = Starter(replace(CHAT, sha256=sha256(b"whole").hexdigest()), path)
    monkeypatch.setattr(doctor, "starters", lambda: (starter,))
    return cast("dict[str, str]", doctor.program(Settings(), path.parent, keyring=True)["models"])


def test_a_model_as_it_came_is_named_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "starter.gguf"
    assert models(monkeypatch, path, b"whole") == {CHAT.name: str(path)}


def test_a_model_that_has_changed_since_is_damaged_and_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "starter.gguf"
    assert models(monkeypatch, path, b"whale") == {
        CHAT.name: f"{path} is damaged. Delete the folder .venv, then run "
        "`python3 packaging/dev.py run`."
    }
