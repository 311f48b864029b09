"""Start other programs, and print in an order that holds."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence

WIDEST = 96  # wider lines read badly
WINDOWS = sys.platform == "win32"


class Refusal(Exception):  # noqa: N818 - the world's fault, told in one sentence
    """Carry the sentence that ends this start, and ends itself with what to do."""


def quiet_output(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Return what a command prints, empty if it can't be started or fails."""
    try:
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
    except OSError:
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def quiet_code(command: Sequence[str]) -> int:
    """Return a command's exit code, 127 if it can't be started."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode
    except OSError:
        return 127


def quiet_fault(command: Sequence[str]) -> str:
    """Run a command and return what it printed if it failed, else nothing."""
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode == 0:
        return ""
    words = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
    return words or f"It ended with code {done.returncode}."


def minutes(seconds: float) -> str:
    """Return a duration as m:ss."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def wrapped(text: str, *, first: str = "", later: str = "") -> str:
    """Return a text broken for the terminal, each line with its indent."""
    width = max(40, min(WIDEST, shutil.get_terminal_size().columns - 2))
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def say(text: str) -> None:
    """Print at once, so that our lines and those of the programs we start stay in order."""
    print(text, flush=True)
