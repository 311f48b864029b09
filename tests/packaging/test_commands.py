"""The two commands: what they start, in which order, and with which exit code."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from starting import commands, set_up, shell

from ..conftest import MODELS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    calls: list[list[str]] = []
    monkeypatch.setattr(commands, "set_up", lambda root, _: set_up.Venv(root / ".venv"))
    monkeypatch.setattr(commands, "quiet_code", lambda _: 1)

    def call(command: list[str], **_: object) -> int:
        calls.append(command)
        return 0

    monkeypatch.setattr(commands.subprocess, "call", call)
    return calls


def test_run_opens_the_window_on_the_sample_life_where_there_is_a_display(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(commands, "has_display", lambda _: True)
    assert commands.run(tmp_path, []) == 0
    python = str(set_up.Venv(tmp_path / ".venv").python)
    assert started == [[python, "-m", "clone_app", "--sample"]]


def test_run_shows_the_sample_life_in_the_terminal_where_there_is_none(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown = []
    monkeypatch.setattr(commands, "has_display", lambda _: False)
    monkeypatch.setattr(
        commands, "show_in_terminal", lambda program, life: shown.append((program, life)) or 0
    )
    assert commands.run(tmp_path, []) == 0
    python = str(set_up.Venv(tmp_path / ".venv").python)
    assert shown == [([python, "-m", "clone_app"], tmp_path / "resources" / "sample_life" / "en")]
    assert started == []


def test_run_with_arguments_is_the_command_line_of_the_program(
    started: list[list[str]], tmp_path: Path
) -> None:
    commands.run(tmp_path, ["ask", "Where was I?", "--json"])
    assert started[0][1:] == ["-m", "clone_app", "ask", "Where was I?", "--json"]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name in ("real", "ui", "empty", "importers"):
        (tmp_path / "tests" / name).mkdir(parents=True)
    for name in ("real/test_a.py", "ui/test_b.py", "importers/test_c.py", "test_d.py", "helper.py"):
        (tmp_path / "tests" / name).write_text("")
    return tmp_path


def test_the_whole_suite_runs_in_one_go_with_the_long_real_tests_begun_first(suite: Path) -> None:
    command = commands.pytest_command(Path("py"), suite, ["-k", "mbox"])
    assert command[:3] == ["py", "-m", "pytest"]
    assert command[-6:-4] == ["-k", "mbox"]
    assert command[-4:] == ["tests/real", "tests/importers", "tests/test_d.py", "tests/ui"]


def test_the_whole_suite_is_shared_among_the_cores_unless_the_arguments_say_otherwise(
    suite: Path,
) -> None:
    command = commands.pytest_command(Path("py"), suite, ["-n", "0"])
    assert command.index("auto") < command.index("0")  # the later one counts


def test_all_files_that_start_the_real_models_go_to_one_worker() -> None:
    makes_them = re.compile(r"\b(?:starter_models|app_with|sample_app|pepys_1666)\b")
    found = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "tests" / "real").glob("test_*.py")
        if makes_them.search(file.read_text("utf-8"))
    }
    assert found == MODELS


def test_named_tests_are_run_alone(suite: Path) -> None:
    named = ["tests/ui/test_b.py::test_one", "-x"]
    assert commands.pytest_command(Path("py"), suite, named)[3:] == named


def test_test_runs_every_check_and_the_suite_and_returns_the_first_failure(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, ran = [], []
    monkeypatch.setattr(commands, "offline_prefix", lambda: ["cut", "off"])

    def fake_set_up(root: Path, extras: frozenset[str]) -> set_up.Venv:
        asked.append(extras)
        return set_up.Venv(root / ".venv")

    def call(command: list[str], **_: object) -> int:
        ran.append(command)
        return {"mypy": 3, "pytest": 1}.get(command[2], 0)

    monkeypatch.setattr(commands, "set_up", fake_set_up)
    monkeypatch.setattr(commands.subprocess, "call", call)
    assert commands.test(suite, []) == 3
    assert asked == [{"test"}]
    assert [command[2] for command in ran[:3]] == ["ruff", "ruff", "mypy"]
    assert "importlinter" in ran[3][2]
    assert ran[4][:2] == ["cut", "off"]
    assert ran[4][4] == "pytest"
    assert capsys.readouterr().out.splitlines()[-1].startswith("Failed before the tests: mypy")


def test_the_code_is_that_of_the_tests_where_the_checks_pass(
    suite: Path, started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands.subprocess, "call", lambda command, **_: "pytest" in command)
    assert commands.test(suite, []) == 1


def test_the_tests_and_their_children_reach_no_network() -> None:
    prefix = commands.offline_prefix()
    if not prefix:
        pytest.skip("unshare can't make a network namespace here")
    reach = "import socket; socket.create_connection(('192.0.2.1', 80), 2)"
    loop = "import socket; s = socket.create_server(('127.0.0.1', 0)); s.close()"
    assert shell.quiet_code([*prefix, sys.executable, "-c", loop]) == 0
    assert "unreachable" in shell.quiet_fault([*prefix, sys.executable, "-c", reach])


def test_a_refusal_is_a_sentence_on_stderr_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> int:
        raise shell.Refusal("This system lacks a C++ compiler: install one.")

    monkeypatch.setattr(commands, "run", refuse)
    assert commands.main(["run"]) == 1
    assert capsys.readouterr() == ("", "This system lacks a C++ compiler: install one.\n")


def test_a_checkout_that_can_not_be_written_to_is_a_sentence_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> int:
        raise OSError(30, "Read-only file system", "/x/.venv/install.log")

    monkeypatch.setattr(commands, "test", fail)
    assert commands.main(["test"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("/x/.venv/install.log can't be used (Read-only file system): see that ")
    assert told.endswith("then start this again.\n")


def test_arguments_reach_the_command_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    got = []
    monkeypatch.setattr(commands, "test", lambda _, arguments: got.append(arguments) or 5)
    assert commands.main(["test", "-k", "mbox and not real", "--json"]) == 5
    assert got == [["-k", "mbox and not real", "--json"]]


def test_wrong_usage_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        commands.main(["walk"])
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_the_script_of_the_build_machine_can_be_started() -> None:
    script = ROOT / ".ci" / "run"
    assert script.read_text("utf-8").startswith("#!/usr/bin/env bash\n")
    if os.name == "posix":
        assert os.access(script, os.X_OK)
