"""What /proc/cpuinfo says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clone_app.models.cpu import has_bf16, physical_cores


def cpuinfo(tmp_path: Path, cores: list[tuple[int, int]], flags: str = "sse2 avx512f") -> Path:
    path = tmp_path / "cpuinfo"
    path.write_text(
        "\n\n".join(
            f"processor\t: {number}\nphysical id\t: {socket}\ncore id\t\t: {core}\nflags\t\t: {flags}"
            for number, (socket, core) in enumerate(cores)
        )
    )
    return path


@pytest.fixture
def sixteen_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)), raising=False)


@pytest.mark.usefixtures("sixteen_usable")
def test_two_threads_on_one_core_count_once(tmp_path: Path) -> None:
    assert physical_cores(cpuinfo(tmp_path, [(0, 0), (0, 1), (0, 0), (0, 1)])) == 2


@pytest.mark.usefixtures("sixteen_usable")
def test_cores_of_two_sockets_count_apart(tmp_path: Path) -> None:
    assert physical_cores(cpuinfo(tmp_path, [(0, 0), (0, 1), (1, 0), (1, 1)])) == 4


def test_no_more_cores_than_the_process_may_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    assert physical_cores(cpuinfo(tmp_path, [(0, 0), (0, 1)])) == 1


@pytest.mark.usefixtures("sixteen_usable")
def test_without_core_numbers_every_usable_processor_counts(tmp_path: Path) -> None:
    path = tmp_path / "cpuinfo"
    path.write_text("processor\t: 0\nBogoMIPS\t: 50.0\n")  # as on ARM
    assert physical_cores(path) == 16


@pytest.mark.parametrize("flag", ["avx512_bf16", "amx_bf16"])
def test_bf16_is_used_where_the_processor_multiplies_it(tmp_path: Path, flag: str) -> None:
    assert has_bf16(cpuinfo(tmp_path, [(0, 0)], f"sse2 {flag} fsrm"))


def test_bf16_is_not_used_elsewhere(tmp_path: Path) -> None:
    assert not has_bf16(cpuinfo(tmp_path, [(0, 0)], "sse2 avx512f avx512_vnni"))
    assert not has_bf16(tmp_path / "none")
