"""Which arguments mean the window, and which the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from clone_app import __main__ as start


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ([], (None, False)),
        (["--sample"], (None, True)),
        (["--profile", "life"], (Path("life"), False)),
        (["--profile=life"], (Path("life"), False)),
        (["ask", "Who?"], None),
        (["--profile", "life", "ask", "Who?"], None),
        (["--profile"], None),
        (["--help"], None),
        (["--version"], None),
    ],
)
def test_no_command_means_the_window(
    arguments: list[str], meant: tuple[Path | None, bool] | None
) -> None:
    assert start._window_options(arguments) == meant


def test_the_windows_entry_point_refuses_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["clone-app-gui", "ask", "Who?"])
    with pytest.raises(SystemExit) as ended:
        start.window()
    assert "use clone-app" in str(ended.value.code)


def test_the_window_is_opened_with_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[Path | None, bool]] = []

    def open_(profile: Path | None, sample: bool) -> int:
        opened.append((profile, sample))
        return 0

    monkeypatch.setattr(start, "_open", open_)
    for entry, arguments in ((start.main, ["--sample"]), (start.window, ["--profile", "life"])):
        monkeypatch.setattr(sys, "argv", ["clone-app", *arguments])
        with pytest.raises(SystemExit) as ended:
            entry()
        assert ended.value.code == 0
    assert opened == [(None, True), (Path("life"), False)]
