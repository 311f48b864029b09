"""How long from the start of the process to the first paint, beside a bare Qt window.

    python3 packaging/bench/first_paint.py [--runs 10]

Measured from outside, on the display there is or in a private Xvfb: the window touches the file named
by CLONE_APP_PAINT_MARK after its first paint. Target: 0.6 s where a bare window takes 0.1 to 0.2 s.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

BARE = """
import os
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
class Bare(QWidget):
    def paintEvent(self, event):
        QTimer.singleShot(0, lambda: open(os.environ["CLONE_APP_PAINT_MARK"], "w").close())
application = QApplication([])
window = Bare()
window.resize(1280, 800)
window.show()
application.exec()
"""


def seconds(command: list[str], folder: Path) -> float:
    """Start a window, wait for its mark, end it; return how long the mark took."""
    mark = folder / "mark"
    mark.unlink(missing_ok=True)
    environment = os.environ | {
        "CLONE_APP_PAINT_MARK": str(mark),
        "CLONE_APP_HOME": str(folder / "profile"),
    }
    begun = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        while not mark.exists():
            if process.poll() is not None or time.perf_counter() - begun > 30:
                sys.exit(f"{' '.join(command[:3])} did not paint.")
            time.sleep(0.002)
        return time.perf_counter() - begun
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def display() -> Iterator[None]:
    """Use the display there is, else a private Xvfb."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform != "linux":
        yield
        return
    if shutil.which("Xvfb") is None:
        sys.exit("There is no display. Install Xvfb (Debian: xvfb) or run this in a session.")
    with subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        os.environ["DISPLAY"] = ":" + server.stdout.readline().strip()
        os.environ.pop("QT_QPA_PLATFORM", None)
        try:
            yield
        finally:
            server.terminate()


def main() -> None:
    """Run both windows in turn and print the times."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=10)
    runs = arguments.parse_args().runs
    ours, bare = [], []
    with display(), tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for _ in range(runs + 1):  # the first round warms the disk's cache and is left out
            bare.append(seconds([sys.executable, "-c", BARE], folder))
            ours.append(seconds([sys.executable, "-m", "clone_app"], folder))
    for name, times in (("bare Qt window", bare[1:]), ("clone-app", ours[1:])):
        print(
            f"{name:16} best {min(times):.3f} s   median {statistics.median(times):.3f} s   "
            f"worst {max(times):.3f} s"
        )
    print(f"ratio of medians {statistics.median(ours[1:]) / statistics.median(bare[1:]):.2f}")


if __name__ == "__main__":
    main()
