"""The command line: every use-case of `App`, for people as text and for programs as JSON.

Exit code 0, 1 for a known error (its sentence alone on stderr), 2 for wrong usage. Each file of
commands adds its own to the group when it is imported here.
"""

from __future__ import annotations

import io
import sys

import click

from clone_app.cli import (
    asking,
    dial,
    evaluating,
    explaining,
    importing,
    mail,
    people,
    persona,
    remote,
    state,
    testing,
    watching,
)
from clone_app.cli.commands import cli, say
from clone_app.errors import Cancelled, CloneAppError

__all__ = [
    "asking",
    "cli",
    "dial",
    "evaluating",
    "explaining",
    "importing",
    "mail",
    "main",
    "people",
    "persona",
    "remote",
    "state",
    "testing",
    "watching",
]


def main() -> None:
    """Run the command line; never end in a traceback for the world's faults."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that can't show a letter shows its number; a closed stream is None.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli.main(standalone_mode=False)
    except click.ClickException as fault:
        fault.show()
        sys.exit(fault.exit_code)
    except CloneAppError as fault:
        say(str(fault), err=True)
        sys.exit(1)
    except (click.Abort, Cancelled, KeyboardInterrupt):
        sys.exit(130)
    except OSError as fault:
        # What the disk, the terminal or the network says where no other sentence was found for it.
        named = f" {fault.filename}" if fault.filename else ""
        say(f"The system says: {fault.strerror}{named}. Put that right and try again.", err=True)
        sys.exit(1)
