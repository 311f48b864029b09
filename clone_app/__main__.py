"""Start the program: the window without a command, else the command line.

What is imported here is paid before the first paint, and by each model's child process too.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def main() -> None:
    """Open the window if no command is given, at most `--profile DIR` or `--sample`; else obey."""
    _become_model_if_asked()
    options = _window_options(sys.argv[1:])
    if options is None:
        try:
            from clone_app.cli import main as command_line
        except KeyboardInterrupt:  # what is imported takes a second, and people change their mind
            sys.exit(130)
        command_line()
        return
    sys.exit(_open(*options))


def window() -> None:
    """Open the window whatever the arguments: what a desktop starts."""
    _become_model_if_asked()
    options = _window_options(sys.argv[1:])
    if options is None:
        sys.exit(
            "The window takes only --profile DIR or --sample. For everything else use clone-app."
        )
    sys.exit(_open(*options))


def _become_model_if_asked() -> None:
    if getattr(sys, "frozen", False):  # only a frozen program starts itself as a model's process
        from clone_app.models.child import serve_if_asked

        serve_if_asked(sys.argv)


def _window_options(arguments: Sequence[str]) -> tuple[Path | None, bool] | None:
    """Return the profile and whether it is the sample; None if they are not its own."""
    profile: Path | None = None
    sample = False
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--sample":
            sample = True
        elif word == "--profile" and rest:
            profile = Path(rest.pop(0))
        elif word.startswith("--profile="):
            profile = Path(word.partition("=")[2])
        else:
            return None
    return profile, sample


def _open(profile: Path | None, sample: bool) -> int:
    try:
        from clone_app.ui.main import run
    except ImportError as fault:
        if not (fault.name or "").startswith("PySide6") and ".so" not in str(fault):
            raise
        print(
            f"The window can't start: {fault}. Install what is missing (Debian: apt install "
            "libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1) or "
            "use the command line: clone-app --help.",
            file=sys.stderr,
        )
        return 1
    return run(profile, sample=sample)


if __name__ == "__main__":
    main()
