"""The window as a process: how it starts, what it loads, how it ends. Seen from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

HEAVY = (
    "pydantic",
    "keyring",
    "sqlite_utils",
    "sqlcipher3",
    "lancedb",
    "pyarrow",
    "numpy",
    "click",
    "cryptography",
    "argon2",
    "filelock",
    "torch",
    "llama_cpp",
    "sentence_transformers",
)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment of its own: a profile that is not there yet, no screen, no keyring."""
    return os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "CLONE_APP_HOME": str(tmp_path / "profile"),
        "CLONE_APP_PAINT_MARK": str(tmp_path / "painted"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "TMPDIR": str(tmp_path),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }


def python(code: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


class Windows:
    """Start windows from outside and end them with the test."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.mark = Path(environment["CLONE_APP_PAINT_MARK"])
        self.running: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        self.mark.unlink(missing_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "clone_app", *arguments],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.running.append(process)
        return process

    def wait_for_paint(self, process: subprocess.Popen[str], seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while not self.mark.exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline, "no paint"
            time.sleep(0.001)


@pytest.fixture
def windows(environment: dict[str, str]) -> Iterator[Windows]:
    windows = Windows(environment)
    yield windows
    for process in windows.running:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_the_window_touches_its_mark_once_it_has_painted(windows: Windows) -> None:
    """How soon that is, packaging/bench/first_paint.py measures."""
    process = windows.start()
    windows.wait_for_paint(process)
    assert process.poll() is None


def test_nothing_heavy_is_loaded_before_the_first_paint(environment: dict[str, str]) -> None:
    run = python(
        f"""
        import os, pathlib, sys
        from clone_app.ui.main import run
        from clone_app.ui.window import Window

        def painted(window):
            loaded = [name for name in {HEAVY!r} if name in sys.modules]
            print("loaded:", *loaded, flush=True)
            os._exit(0)

        Window._after_first_paint = painted
        run(None)
        """,
        environment,
    )
    assert run.stdout == "loaded:\n", run.stderr


def test_this_qt_lives_through_two_thousand_signals_with_a_truth_in_them(
    environment: dict[str, str],
) -> None:
    """PySide6 6.12.0 loses a reference to True with each and aborts Python 3.11 after 570."""
    run = python(
        """
        from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

        class Sender(QObject):
            said = Signal(bool)

        application = QCoreApplication([])
        sender, heard = Sender(), []
        sender.said.connect(heard.append, Qt.ConnectionType.QueuedConnection)
        for _ in range(2000):
            sender.said.emit(True)
        application.processEvents()
        print(len(heard), all(heard))
        """,
        environment,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == "2000 True\n"


def test_a_second_start_raises_the_first_window_and_ends_well(windows: Windows) -> None:
    first = windows.start()
    windows.wait_for_paint(first)
    second = windows.start()
    out, err = second.communicate(timeout=30)
    assert (second.returncode, out, err) == (0, "", "")
    assert not windows.mark.exists()
    assert first.poll() is None


def test_two_profiles_have_their_windows_side_by_side(windows: Windows, tmp_path: Path) -> None:
    first = windows.start("--profile", str(tmp_path / "one"))
    windows.wait_for_paint(first)
    second = windows.start(f"--profile={tmp_path / 'two'}")
    windows.wait_for_paint(second)
    assert first.poll() is None


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_sample_window_and_sweeps_its_folder(
    windows: Windows, tmp_path: Path, number: int
) -> None:
    process = windows.start("--sample")
    windows.wait_for_paint(process)
    assert list(tmp_path.glob("clone-app-sample-*"))
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == 0
    assert not list(tmp_path.glob("clone-app-sample-*"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is a screen")
def test_without_a_screen_it_says_what_to_do(windows: Windows) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        windows.environment.pop(name, None)
    process = windows.start()
    out, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert out == ""
    assert err == (
        "There is no screen to open a window on. Start it from a desktop, or use the command line: "
        "clone-app --help.\n"
    )


def test_a_missing_system_library_is_one_sentence(environment: dict[str, str]) -> None:
    run = python(
        """
        import builtins, sys
        real = builtins.__import__
        def broken(name, *rest):
            if name.startswith("PySide6"):
                raise ImportError("libEGL.so.1: cannot open shared object file")
            return real(name, *rest)
        builtins.__import__ = broken
        sys.argv = ["clone-app"]
        from clone_app.__main__ import main
        main()
        """,
        environment,
    )
    assert run.returncode == 1
    assert run.stderr.startswith("The window can't start: libEGL.so.1")
    assert "apt install" in run.stderr
    assert run.stderr.count("\n") == 1
