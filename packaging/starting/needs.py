"""What the system must offer before anything is installed, and the packages that bring it."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from starting.shell import WINDOWS, Refusal, quiet_code, quiet_output


@dataclass(frozen=True, slots=True)
class Need:
    """Name something the system must offer and the package that brings it, by family of Linux."""

    what: str
    debian: str
    fedora: str
    arch: str


COMPILER = Need("a C++ compiler", "g++", "gcc-c++", "gcc")
VENV_MODULE = Need("Python's module ensurepip", "python3-venv", "python3-pip", "python")

# Found with ldd on PySide6's QtGui, QtWidgets and platform plugins: what their wheels don't carry.
QT_LIBRARIES = (
    Need("libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd"),
    Need("libGL.so.1", "libgl1", "libglvnd-glx", "libglvnd"),
    Need("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    Need("libfontconfig.so.1", "libfontconfig1", "fontconfig", "fontconfig"),
    Need("libglib-2.0.so.0", "libglib2.0-0", "glib2", "glib2"),
    Need("libdbus-1.so.3", "libdbus-1-3", "dbus-libs", "dbus"),
    Need("libX11.so.6", "libx11-6", "libX11", "libx11"),
)
X11_LIBRARIES = (
    Need("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    Need("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    Need("libxcb-image.so.0", "libxcb-image0", "xcb-util-image", "xcb-util-image"),
    Need("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    Need(
        "libxcb-render-util.so.0",
        "libxcb-render-util0",
        "xcb-util-renderutil",
        "xcb-util-renderutil",
    ),
    Need("libxcb-randr.so.0", "libxcb-randr0", "libxcb", "libxcb"),
    Need("libxcb-shape.so.0", "libxcb-shape0", "libxcb", "libxcb"),
    Need("libxcb-shm.so.0", "libxcb-shm0", "libxcb", "libxcb"),
    Need("libxcb-sync.so.1", "libxcb-sync1", "libxcb", "libxcb"),
    Need("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb", "libxcb"),
    Need("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb", "libxcb"),
    Need("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    Need("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb", "libx11"),
)
WAYLAND_LIBRARIES = (
    Need("libwayland-client.so.0", "libwayland-client0", "libwayland-client", "wayland"),
    Need("libwayland-cursor.so.0", "libwayland-cursor0", "libwayland-cursor", "wayland"),
)


def has_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Tell whether a window can open: macOS and Windows always, else X11 or Wayland is named."""
    if platform in ("darwin", "win32"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def libraries_needed(
    environment: Mapping[str, str], platform: str = sys.platform
) -> tuple[Need, ...]:
    """Return the system libraries Qt will load; without a display, those to draw in memory."""
    if not platform.startswith("linux"):
        return ()
    if environment.get("DISPLAY"):
        return QT_LIBRARIES + X11_LIBRARIES
    if environment.get("WAYLAND_DISPLAY"):
        return QT_LIBRARIES + WAYLAND_LIBRARIES
    return QT_LIBRARIES


def loads(library: str) -> bool:
    """Tell whether the system's loader finds a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing(needs: Iterable[Need], present: Callable[[str], bool] = loads) -> tuple[Need, ...]:
    """Return the needs that are not met."""
    return tuple(need for need in needs if not present(need.what))


def missing_sentence(needs: Sequence[Need]) -> str:
    """Return one sentence with the packages to install on the three families of Linux."""

    def packages(names: Iterable[str]) -> str:
        return " ".join(dict.fromkeys(names))

    names = [need.what for need in needs]
    listed = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    return (
        f"This system lacks {listed}: install with "
        f"`sudo apt install {packages(need.debian for need in needs)}` (Debian, Ubuntu), "
        f"`sudo dnf install {packages(need.fedora for need in needs)}` (Fedora) or "
        f"`sudo pacman -S {packages(need.arch for need in needs)}` (Arch), then start this again."
    )


def compiler_there() -> bool:
    """Tell whether llama.cpp can be compiled here."""
    if sys.platform == "darwin":  # /usr/bin/c++ is there before the tools are
        return quiet_code(["xcode-select", "-p"]) == 0
    if WINDOWS:
        programs = os.environ.get("PROGRAMFILES(X86)", "")
        finder = Path(programs, "Microsoft Visual Studio", "Installer", "vswhere.exe")
        part = "Microsoft.VisualStudio.Component.VC.Tools.x86.x64"
        wanted = [str(finder), "-products", "*", "-requires", part, "-property", "installationPath"]
        return bool(shutil.which("cl")) or bool(quiet_output(wanted).strip())
    names = [os.environ.get("CXX", ""), "c++", "g++", "clang++"]
    return any(shutil.which(name) for name in names if name)


def llama_ready(python: Path) -> bool:
    """Tell whether llama-cpp-python needs no compiler: installed, compiled before, or offered."""
    pip = [str(python), "-m", "pip"]
    if quiet_code([*pip, "show", "llama-cpp-python"]) == 0:
        return True
    if quiet_output([*pip, "cache", "list", "--format=abspath", "llama_cpp_python"]).strip():
        return True
    offer = ["install", "--dry-run", "--no-deps", "--only-binary", ":all:", "llama-cpp-python"]
    return quiet_code([*pip, *offer]) == 0


def check_system(python: Path, *, installing: bool) -> None:
    """Raise a refusal that names everything the system lacks, so that one command mends it.

    `python` is asked what pip has already compiled. What only an install needs is looked for only
    then: a start of a finished set-up must not take seconds.
    """
    lacking = list(missing(libraries_needed(os.environ)))
    no_compiler = installing and not compiler_there() and not llama_ready(python)
    if no_compiler and sys.platform == "darwin":
        raise Refusal(
            "This system lacks a C++ compiler: run `xcode-select --install`, then start this again."
        )
    if no_compiler and WINDOWS:
        raise Refusal(
            "This system lacks a C++ compiler: install “Desktop development with C++” with the "
            "Visual Studio Build Tools, then start this again."
        )
    if no_compiler:
        lacking.insert(0, COMPILER)
    if installing and importlib.util.find_spec("ensurepip") is None:
        lacking.insert(0, VENV_MODULE)
    if lacking:
        raise Refusal(missing_sentence(lacking))
