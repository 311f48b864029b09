"""The command line: every use-case of `App`, for people as text and for programs as JSON.

Exit code 0, 1 for a known error (its sentence alone on stderr), 2 for wrong usage.
"""

from __future__ import annotations

import errno
import functools
import io
import json
import os
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
from clone_app.entries import Answer
from clone_app.errors import Cancelled, CloneAppError, DamagedError, ProfileLockedError
from clone_app.importers import IMPORTERS
from clone_app.keys import PASSPHRASE_VARIABLE
from clone_app.packed import answer_json, hit_json, item_json, report_json, source_json
from clone_app.paths import default_home
from clone_app.progress import Progress, Step
from clone_app.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])


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
        click.echo(str(fault), err=True)
        sys.exit(1)
    except (click.Abort, Cancelled, KeyboardInterrupt):
        sys.exit(130)
    except OSError as fault:
        # What the disk, the terminal or the network says where no other sentence was found for it.
        named = f" {fault.filename}" if fault.filename else ""
        click.echo(
            f"The system says: {fault.strerror}{named}. Put that right and try again.", err=True
        )
        sys.exit(1)


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

        with_options = click.option(
            "--profile", type=click.Path(path_type=Path), help="The profile folder."
        )(click.option("--json", "as_json", is_flag=True, help="Print JSON.")(run))
        return group.command(**settings)(with_options)  # type: ignore[return-value]

    return decorate


def _import_help() -> str:
    kinds = "\n".join(f"{each.name}: {each.title}. {each.help}" for each in IMPORTERS)
    return (
        "Take in diaries, mails, posts: a file, a folder or a zip.\n\nWhat it is, is recognised; --as "
        f"says it where that fails. Kinds:\n\n\b\n{kinds}"
    )


@command(name="import", help=_import_help())
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--as", "as_source", metavar="SOURCE", help="Read it as this kind of source.")
@click.option("--me", multiple=True, metavar="NAME_OR_ADDRESS", help="A name or address of yours.")
@click.option(
    "--answer",
    "answered",
    multiple=True,
    metavar="QUESTION=VALUE",
    help="Answer what a source leaves open: whatsapp.order=day-first. A problem in the report asks it.",
)
@click.option("--no-vectors", is_flag=True, help="Return when the text is searchable.")
def import_(
    home: Path,
    path: Path,
    as_source: str | None,
    me: tuple[str, ...],
    answered: tuple[str, ...],
    no_vectors: bool,
    as_json: bool,
) -> None:
    answers = dict(each.split("=", 1) for each in answered if "=" in each)
    if len(answers) < len(answered):
        raise click.BadParameter("Write it as QUESTION=VALUE.", param_hint="--answer")
    if not path.exists():  # before a profile is made for nothing
        raise CloneAppError(f"There is nothing at {path}. Check the path and try again.")
    with opened(home, creating=True) as app, shown_progress() as progress:
        report = app.import_(
            path,
            as_source=as_source,
            me=me,
            answers=answers,
            vectors=not no_vectors,
            progress=progress,
        )
    if as_json:
        print_json(report_json(report))
        return
    click.echo(
        f"{report.seen} seen: {report.added} added, {report.updated} updated, "
        f"{report.unchanged} unchanged, {report.duplicates} duplicates, "
        f"{len(report.problems)} problems. {report.undated} without a date, {report.mine} yours."
    )
    for locator, reason in report.problems:
        click.echo(f"problem  {locator}: {reason}")
    for locator, reason in report.skipped:
        click.echo(f"skipped  {locator}: {reason}")
    if report.vectors_pending:
        click.echo(f"{report.vectors_pending} passages can't be found by meaning yet.")


@command()
@click.option("--medium", help="Only this medium: diary, mail, post, …")
@click.option("--since", callback=local_day, metavar="DAY", help="From this local day on.")
@click.option("--until", callback=local_day, metavar="DAY", help="Before this local day.")
@click.option("--limit", type=click.IntRange(min=0), help="At most so many.")
def items(
    home: Path,
    medium: str | None,
    since: str | None,
    until: str | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """List what is remembered, oldest first."""
    with opened(home) as app:
        found = app.items(medium=medium, since=since, until=until, limit=limit)
    if as_json:
        print_json([item_json(each) for each in found])
        return
    for each in found:
        item = each.item
        first = (item.title or item.text).strip().splitlines()
        when = item.moment.iso() or "undated"
        click.echo(f"{when:26} {item.medium:10} {first[0][:80] if first else ''}")


@command()
@click.argument("text")
@click.option("-k", type=click.IntRange(1, 1000), default=10, help="How many.", show_default=True)
@click.option("--at", metavar="TIME", help="As things stood then.")
def search(home: Path, text: str, k: int, at: str | None, as_json: bool) -> None:
    """Find entries by meaning and words, best first."""
    with opened(home) as app:
        ready_vectors(app)
        found = app.search(text, k=k, at=at)
    if as_json:
        print_json([hit_json(hit) for hit in found])
        return
    for hit in found:
        click.echo(f"{hit.item.moment.iso() or 'undated'}  {hit.item.medium}  {hit.item.key}")
        click.echo(f"    {' '.join(hit.passage.split())[:300]}")
    if not found:
        click.echo("Nothing found.")


@command()
@click.argument("text")
@click.option("--at", metavar="TIME", help="As things stood then.")
@click.option("--conversation", type=int, metavar="ID", help="Go on with this conversation.")
def ask(home: Path, text: str, at: str | None, conversation: int | None, as_json: bool) -> None:
    """Ask the clone; its answer says where each sentence comes from."""
    with opened(home) as app:
        ready_vectors(app)
        with shown_progress() as progress:
            events = app.ask(text, at=at, conversation=conversation, progress=progress)
            answer = next(event for event in events if isinstance(event, Answer))
    if as_json:
        print_json(answer_json(answer))
    else:
        print_answer(answer)


@cli.group(invoke_without_command=True)
@click.option("--profile", type=click.Path(path_type=Path), help="The profile folder.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def sources(context: click.Context, profile: Path | None, as_json: bool) -> None:
    """List what was imported; `sources remove ID` takes one out again."""
    root = context.find_root()
    root.obj = profile or root.obj
    if context.invoked_subcommand is not None:
        return
    with opened(root.obj or default_home()) as app:
        found = app.sources()
    if as_json:
        print_json([source_json(source) for source in found])
        return
    for source in found:
        state = "" if source.finished else "  not finished: import it again"
        click.echo(f"{source.id:4} {source.items:7} items  {source.title}  {source.path}{state}")


@command(sources, name="remove")
@click.argument("source_id", type=int, metavar="ID")
@click.option("--yes", is_flag=True, help="Don't ask.")
def remove(home: Path, source_id: int, yes: bool, as_json: bool) -> None:
    """Take out a source with every item that rests on it alone."""
    with opened(home, writing=True) as app:
        count = app.count_removal(source_id)
        if sys.stdin.isatty() and not (yes or as_json):
            click.confirm(f"Remove source {source_id} with {count} items?", abort=True)
        with shown_progress() as progress:
            gone = app.remove_source(source_id, progress)
    if as_json:
        print_json({"removed": gone})
    else:
        click.echo(f"{gone} items removed.")


@command()
def doctor(home: Path, as_json: bool) -> None:
    """Say how the program and the profile are."""
    app = App(home)
    if app.state() is ProfileState.NEW:
        found = app.doctor()
    else:
        try:
            with opened(home) as app:
                found = app.doctor()
        except DamagedError as fault:  # just then a person asks what is wrong
            found = app.doctor() | {"database": str(fault)}
    if as_json:
        print_json(found)
        return
    for name, value in found.items():
        if isinstance(value, dict):
            click.echo(f"{name}:")
            for inner, said in value.items():
                click.echo(f"    {inner}: {said}")
        else:
            click.echo(f"{name}: {value}")


@command()
@click.argument("name", required=False)
@click.argument("value", required=False)
def settings(home: Path, name: str | None, value: str | None, as_json: bool) -> None:
    """List the settings, show one, or set one: `settings home_zone Europe/Berlin`."""
    if name is not None and name not in Settings.model_fields:
        raise click.BadParameter(f"one of: {', '.join(Settings.model_fields)}", param_hint="NAME")
    if name is not None and value is not None:
        with opened(home, writing=True) as app:
            try:
                app.change_settings(**{name: value})
            except ValueError as fault:
                raise click.BadParameter(
                    f"{value} does not fit {name}.", param_hint="VALUE"
                ) from fault
            current = app.settings
    else:
        current = App(home).settings
    values = current.model_dump(mode="json")
    shown = {name: values[name]} if name else values
    if as_json:
        print_json(shown)
        return
    for each, kept in shown.items():
        about = Settings.model_fields[each].description or ""
        click.echo(f"{each} = {kept}\n    {about}")


# --- opening, progress, printing -------------------------------------------------------------------------


@contextmanager
def opened(home: Path, *, writing: bool = False, creating: bool = False) -> Iterator[App]:
    """Open the profile: to write where that is needed, else to write if nobody else does."""
    app = App(home)
    passphrase = os.environ.get(PASSPHRASE_VARIABLE) or None
    state = app.state()
    if state is ProfileState.NEW:
        if not creating:
            raise CloneAppError(
                f"There is no profile in {home} yet. `clone-app import PATH` makes one."
            )
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
        click.echo(f"{missing} passages can't be found by meaning yet.", err=True)


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
            click.echo(f"\r\x1b[K{step.label}{share}{left}", err=True, nl=False)
        elif time.monotonic() - last > 10:
            last = time.monotonic()
            click.echo(f"{step.label}{share}{left}", err=True)

    try:
        yield Progress(show)
    finally:
        if person:
            click.echo("\r\x1b[K", err=True, nl=False)


def print_json(value: object) -> None:
    """Print a value as JSON, other scripts' letters as they are."""
    # Where the output can't hold every letter, JSON has a way of its own to write them.
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    click.echo(json.dumps(value, ensure_ascii=encoding != "utf8", indent=2))


def print_answer(answer: Answer) -> None:
    """Print an answer with a number behind each sentence that has a source, then the sources."""
    numbers = {source.key: number for number, source in enumerate(answer.sources, 1)}
    said = []
    for sentence in answer.sentences:
        marks = "".join(f" [{numbers[key]}]" for key in sentence.citations)
        said.append(
            sentence.text + (marks or ("" if answer.abstained else " [not in your entries]"))
        )
    click.echo("\n".join(said))
    click.echo(f"\n(The clone's answer; {answer.mode}, {answer.model or 'no model'}.)")
    if answer.note:
        click.echo(answer.note)
    for source in answer.sources:
        when = source.moment.iso() or "undated"
        click.echo(f"[{numbers[source.key]}] {when} {source.medium}: {source.quote}")
