"""The two commands: `run` starts the program, `test` runs every check and the whole suite."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from starting.needs import has_display
from starting.set_up import set_up
from starting.shell import Refusal, quiet_code, say
from starting.terminal import show_in_terminal

ROOT = Path(__file__).resolve().parents[2]


def run(root: Path, arguments: Sequence[str]) -> int:
    """Start the program: with arguments its command line, else the sample life.

    The sample life opens in the window, or in the terminal where there is no display.
    """
    venv = set_up(root, frozenset())
    program = [str(venv.python), "-m", "clone_app"]
    if arguments:
        return subprocess.call([*program, *arguments])
    if has_display(os.environ):
        return subprocess.call([*program, "--sample"])
    return show_in_terminal(program, root / "resources" / "sample_life" / "en")


def checks(python: Path) -> tuple[tuple[str, list[str]], ...]:
    """Return the checks that come before the tests, each with its name."""
    lint = "import sys; from importlinter.cli import lint_imports_command as c; sys.exit(c())"
    return (
        ("ruff check", [str(python), "-m", "ruff", "check", "."]),
        ("ruff format", [str(python), "-m", "ruff", "format", "--check", "."]),
        ("mypy", [str(python), "-m", "mypy"]),
        ("import-linter", [str(python), "-c", lint]),
    )


# More than four workers would take 0.8 GB each for little: the real models are one worker's work.
SHARED = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder")


def pytest_command(python: Path, root: Path, arguments: Sequence[str]) -> list[str]:
    """Return the pytest run: what the arguments name, else all tests, shared among the cores.

    One run, so that its last line counts the whole suite. The slow real tests come first: begun last,
    they would be waited for with one core idle. Arguments come after `SHARED` and overrule it.
    """
    command = [str(python), "-m", "pytest"]
    if any((root / argument.split("::")[0]).exists() for argument in arguments):
        return [*command, *arguments]
    parts = sorted((root / "tests").iterdir(), key=lambda path: (path.name != "real", path.name))
    return [*command, *SHARED, *arguments] + [
        f"tests/{path.name}"
        for path in parts
        if (path.is_dir() and any(path.rglob("test_*.py"))) or path.match("test_*.py")
    ]


def offline_prefix() -> list[str]:
    """Return what to put before a command so that it and its children have no network but loopback.

    Blocking sockets inside pytest doesn't reach the child processes that hold the models.
    """
    if not sys.platform.startswith("linux") or not shutil.which("unshare"):
        return []
    for flags in (["-n"], ["-r", "-n"]):  # root needs no user namespace, and keeps its rights
        prefix = ["unshare", *flags, "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
        if quiet_code([*prefix, "true"]) == 0:
            return prefix
    return []


def test(root: Path, arguments: Sequence[str]) -> int:
    """Run every check and the whole suite; return the first exit code that isn't 0."""
    venv = set_up(root, frozenset({"test"}))
    failed: list[tuple[str, int]] = []
    for name, command in checks(venv.python):
        say(f"== {name}")
        code = subprocess.call(command, cwd=root)
        if code:
            failed.append((name, code))
    prefix = offline_prefix()
    say("== pytest" if prefix else "== pytest (with the network: unshare and ip can't cut it here)")
    code = subprocess.call([*prefix, *pytest_command(venv.python, root, arguments)], cwd=root)
    if failed:
        say(f"Failed before the tests: {', '.join(name for name, _ in failed)} (see above).")
    return failed[0][1] if failed else code


def main(argv: Sequence[str]) -> int:
    """Do what the command line says; a refusal is a sentence on stderr and exit code 1."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    parser = argparse.ArgumentParser(
        prog="dev.py",
        description="Set the program up in .venv, then start it or run its whole test suite.",
    )
    parser.add_argument("command", choices=("run", "test"))
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="for clone-app, or for pytest")
    told = parser.parse_args(argv)
    try:
        code = (run if told.command == "run" else test)(ROOT, told.arguments)
        return code if code >= 0 else 128 - code  # ended by a signal, as a shell tells it
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except OSError as fault:
        named = fault.filename or "a file"
        print(
            f"{named} can't be used ({fault.strerror}): see that this checkout is whole, can be "
            "written to and that the disk isn't full, then start this again.",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        print("\nStopped. What is installed is kept: the same command goes on.", file=sys.stderr)
        return 130
