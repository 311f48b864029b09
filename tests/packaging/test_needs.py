"""What the system must offer, and the sentences where it does not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from starting import needs, shell


@pytest.mark.parametrize(
    ("platform", "environment", "there"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": "", "WAYLAND_DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_display_is_named_by_x11_or_wayland_and_always_there_on_macos_and_windows(
    platform: str, environment: dict[str, str], there: bool
) -> None:
    assert needs.has_display(environment, platform) is there


def test_without_a_display_the_cursor_library_is_not_asked_for() -> None:
    names = [need.what for need in needs.libraries_needed({}, "linux")]
    assert "libEGL.so.1" in names
    assert "libxkbcommon.so.0" in names
    assert not [name for name in names if "xcb" in name]


def test_on_x11_the_cursor_library_is_asked_for_and_on_wayland_its_own() -> None:
    x11 = [need.what for need in needs.libraries_needed({"DISPLAY": ":0"}, "linux")]
    wayland = [need.what for need in needs.libraries_needed({"WAYLAND_DISPLAY": "w"}, "linux")]
    assert {"libEGL.so.1", "libxcb-cursor.so.0", "libxkbcommon-x11.so.0"} <= set(x11)
    assert {"libEGL.so.1", "libwayland-cursor.so.0"} <= set(wayland)
    assert "libxcb-cursor.so.0" not in wayland


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_macos_and_windows_need_no_system_libraries(platform: str) -> None:
    assert needs.libraries_needed({"DISPLAY": ":0"}, platform) == ()


@pytest.mark.parametrize(
    ("library", "debian", "fedora", "arch"),
    [
        ("libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd"),
        ("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon", "libxkbcommon"),
        ("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    ],
)
def test_one_missing_library_gives_one_sentence_with_its_packages(
    library: str, debian: str, fedora: str, arch: str
) -> None:
    wanted = needs.libraries_needed({"DISPLAY": ":0"}, "linux")
    lacking = needs.missing(wanted, lambda name: name != library)
    assert needs.missing_sentence(lacking) == (
        f"This system lacks {library}: install with `sudo apt install {debian}` (Debian, Ubuntu), "
        f"`sudo dnf install {fedora}` (Fedora) or `sudo pacman -S {arch}` (Arch), "
        "then start this again."
    )


def test_several_missing_things_give_one_command_that_names_each_package_once() -> None:
    wanted = needs.libraries_needed({"DISPLAY": ":0"}, "linux")
    absent = {"libEGL.so.1", "libGL.so.1", "libxcb-cursor.so.0"}
    lacking = (needs.COMPILER, *needs.missing(wanted, lambda name: name not in absent))
    sentence = needs.missing_sentence(lacking)
    assert "lacks a C++ compiler, libEGL.so.1, libGL.so.1 and libxcb-cursor.so.0:" in sentence
    assert "`sudo apt install g++ libegl1 libgl1 libxcb-cursor0`" in sentence
    assert "`sudo pacman -S gcc libglvnd xcb-util-cursor`" in sentence
    assert "\n" not in sentence


def test_the_loader_is_what_decides_whether_a_library_is_there() -> None:
    assert not needs.loads("libno-such-thing-at-all.so.7")
    if sys.platform.startswith("linux"):
        assert needs.loads("libc.so.6")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names Linux's packages")
class TestTheCheck:
    @pytest.fixture(autouse=True)
    def _no_libraries_lack(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(needs, "libraries_needed", lambda _: ())
        monkeypatch.setattr(needs, "llama_ready", lambda _: False)

    def test_refuses_to_install_without_a_compiler(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(needs, "compiler_there", lambda: False)
        with pytest.raises(shell.Refusal, match=r"lacks a C\+\+ compiler: .*apt install g\+\+`"):
            needs.check_system(Path("python3"), installing=True)

    def test_needs_no_compiler_where_llama_cpp_is_there_already(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(needs, "compiler_there", lambda: False)
        monkeypatch.setattr(needs, "llama_ready", lambda _: True)
        needs.check_system(Path("python3"), installing=True)

    def test_looks_for_no_compiler_where_nothing_is_installed(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(needs, "compiler_there", lambda: pytest.fail("looked"))
        needs.check_system(Path("python3"), installing=False)

    def test_finds_a_compiler_by_any_of_its_names(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.delenv("CXX", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert not needs.compiler_there()
        compiler = tmp_path / "clang++"
        compiler.write_text("#!/bin/sh\n")
        compiler.chmod(0o755)
        assert needs.compiler_there()
