"""What every test may use."""

from __future__ import annotations

import functools
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from clone_app import cli
from clone_app.app import App
from clone_app.cli import commands, state
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The real public data beside the project; a test that needs it skips where it is absent."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the real data is not at {folder}")
    return folder


class Ran:
    """What a command did: its exit code, what it printed and what it complained."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(  # a command of the program, run as a person would
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    made = functools.partial(App, shelf=FakeModels(), vault=MemoryVault(working=False))
    for place in (commands, state):
        monkeypatch.setattr(place, "App", made)
    monkeypatch.setenv("CLONE_APP_HOME", str(tmp_path / "profile"))
    monkeypatch.setenv("CLONE_APP_PASSPHRASE", "correct horse battery")

    def command(*words: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["clone-app", *map(str, words)])
        capsys.readouterr()
        try:
            cli.main()
            code: object = 0
        except SystemExit as end:
            code = end.code or 0
        said = capsys.readouterr()
        return Ran(int(str(code)), said.out, said.err)

    return command
