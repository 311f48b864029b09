"""What every test may use."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clone_app import cli, keys
from clone_app.app import App
from clone_app.cli import commands, state
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")


MODELS = frozenset(
    f"tests/real/test_{name}.py"
    for name in ("choosing", "evaluation", "main_job", "models", "templates", "window")
)


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist nobody asks
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give whole files to the workers, and all that start the real models to one of them.

    The models use every core, so that two at a time would only wait for each other.
    """
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return "models" if file in MODELS else file

    return Scheduling(config, log) if config.option.dist == "loadfile" else None


@pytest.fixture(scope="session", autouse=True)
def cheap_passphrases() -> Iterator[None]:
    """Stretch passphrases as little as Argon2 allows: hundreds of profiles are made and opened.

    A key file names its own cost, so that child processes open what a test made as cheaply. What
    users get is asserted in test_keys.py.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "COST", {"time": 1, "memory_kib": 32, "lanes": 4})
        yield


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
