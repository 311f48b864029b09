"""The group of commands, and what each of them needs: the profile opened, progress shown, JSON."""

from __future__ import annotations

import errno
import functools
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import click
import tzlocal

from clone_app import __version__
from clone_app.app import App, ProfileState
from clone_app.errors import CloneAppError, ProfileLockedError
from clone_app.keys import PASSPHRASE_VARIABLE
from clone_app.paths import default_home
from clone_app.progress import Progress, Step

SERVER_KEY_VARIABLE = "CLONE_APP_SERVER_KEY"

_TOLD_TO_DO = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

Command = TypeVar("Command", bound=Callable[..., Any])


class Commands(click.Group):
    """Be the commands' group; that the reader of our output (`| head`) has gone is no error of ours.

    click itself would end with code 1 there.
    """

    def invoke(self, context: click.Context) -> Any:
        """Obey; end quietly when nobody listens any more."""
        try:
            return super().invoke(context)
        except OSError as fault:
            if fault.errno != errno.EPIPE:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)


def say(text: str, *, err: bool = False) -> None:
    """Print a line; what others wrote in it can't move the cursor or rename the terminal."""
    click.echo(plain(text), err=err)


def plain(text: str) -> str:
    """Return a text without the signs by which a terminal is told to do something."""
    return _TOLD_TO_DO.sub("\N{REPLACEMENT CHARACTER}", text)


def local_day(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Read a local day as ISO 8601; a year or a month stands for its first day, nothing for None."""
    text = (value or "").strip()
    try:
        padded = text + "-01-01"[len(text) - 4 :] if len(text) in (4, 7) else text
        return date.fromisoformat(padded).isoformat() if text else None
    except ValueError as fault:
        raise click.BadParameter(f"“{value}” is not a day. Write it as 2024-03-02.") from fault


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option("--profile", type=click.Path(path_type=Path), help="The profile folder.")
@click.version_option(__version__)
@click.pass_context
def cli(context: click.Context, profile: Path | None) -> None:
    """Ask your own diaries, mails and posts, on your own machine.

    Without a command the window opens. The profile is --profile, else CLONE_APP_HOME, else your data
    folder; its passphrase is asked for, or read from CLONE_APP_PASSPHRASE.
    """
    context.obj = profile


def command(group: click.Group = cli, **settings: Any) -> Callable[[Command], Command]:
    """Make a function a command with `--json` and `--profile` after it."""

    def decorate(function: Command) -> Command:
        @functools.wraps(function)
        @click.pass_context
        def run(context: click.Context, /, profile: Path | None, **parameters: Any) -> None:
            function(profile or context.find_root().obj or default_home(), **parameters)

        return group.command(**settings)(_with_options(run))  # type: ignore[return-value]

    return decorate


def listing(function: Callable[[Path, bool], None]) -> click.Group:
    """Make a function that lists, given the profile and whether as JSON, a group of commands.

    It lists where none of the group's commands is named; `--profile` may stand before that too.
    """

    @functools.wraps(function)
    @click.pass_context
    def run(context: click.Context, /, profile: Path | None, *, as_json: bool) -> None:
        root = context.find_root()
        root.obj = profile or root.obj
        if context.invoked_subcommand is None:
            function(root.obj or default_home(), as_json)

    return cli.group(invoke_without_command=True)(_with_options(run))


def _with_options(run: Callable[..., None]) -> Callable[..., None]:
    """Give a command `--json` and `--profile`."""
    with_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")(run)
    return click.option("--profile", type=click.Path(path_type=Path), help="The profile folder.")(
        with_json
    )


@contextmanager
def opened(
    home: Path,
    *,
    writing: bool = False,
    creating: bool = False,
    first: Callable[[App], None] = lambda _: None,
) -> Iterator[App]:
    """Open the profile: to write where that is needed, else to write if nobody else does.

    `first` is called before a new profile is made, which must not be left behind for nothing.
    """
    app = App(home)
    passphrase = os.environ.get(PASSPHRASE_VARIABLE) or None
    state = app.state()
    if state is ProfileState.NEW:
        if not creating:
            raise CloneAppError(
                f"There is no profile in {home} yet. `clone-app import PATH` makes one."
            )
        first(app)
        if passphrase is None and not app.keyring_works() and sys.stdin.isatty():
            passphrase = click.prompt(
                "A passphrase for the new profile",
                hide_input=True,
                confirmation_prompt=True,
                err=True,
            )
        app.create(passphrase, home_zone=tzlocal.get_localzone_name() or "UTC")
    else:
        if passphrase is None and state is ProfileState.LOCKED and sys.stdin.isatty():
            passphrase = click.prompt("Passphrase", hide_input=True, err=True)
        try:
            app.unlock(passphrase, writing=True)
        except ProfileLockedError:
            if writing or creating:
                raise
            app.unlock(passphrase, writing=False)
    try:
        if key := os.environ.get(SERVER_KEY_VARIABLE):
            app.use_server_key(key)
        yield app
    finally:
        app.close()


def ready_vectors(app: App) -> None:
    """Finish missing vectors before a question, or say how many are missing.

    An index that was lost or damaged is looked for first: the base alone doesn't know.
    """
    if app.writing:
        app.check_index()
    missing = app.vectors_pending()
    if not missing:
        return
    if app.writing:
        with shown_progress() as progress:
            missing = app.finish_vectors(progress)
    if missing:
        say(
            f"{counted(missing, 'passage')} can't be found by meaning yet, only by words.", err=True
        )


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Show steps on stderr: a moving line for a person, a line every ten seconds for a log."""
    person = sys.stderr is not None and sys.stderr.isatty()
    last = time.monotonic()

    def show(step: Step) -> None:
        nonlocal last
        share = f" {step.done}/{step.total}" if step.total else f" {step.done}" if step.done else ""
        left = f", {step.seconds_left:.0f} s left" if step.seconds_left else ""
        if person:
            click.echo(f"\r\x1b[K{plain(step.label)}{share}{left}", err=True, nl=False)
        elif time.monotonic() - last > 10:
            last = time.monotonic()
            say(f"{step.label}{share}{left}", err=True)

    try:
        yield Progress(show)
    finally:
        if person:
            click.echo("\r\x1b[K", err=True, nl=False)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it must be."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def print_json(value: object) -> None:
    """Print a value as JSON, other scripts' letters as they are."""
    # Where the output can't hold every letter, JSON has a way of its own to write them.
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    click.echo(json.dumps(value, ensure_ascii=encoding != "utf8", indent=2))
