"""Commands that take things in and out: import, sources."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from clone_app.app import App, ImportReport
from clone_app.cli.commands import (
    command,
    counted,
    listing,
    opened,
    print_json,
    say,
    shown_progress,
)
from clone_app.errors import CloneAppError
from clone_app.importers import IMPORTERS
from clone_app.packed import report_json, source_json


def _import_help() -> str:
    kinds = "\n".join(f"{each.name}: {each.title}. {each.help}" for each in IMPORTERS)
    return (
        "Take in diaries, mails, posts: a file, a folder or a zip.\n\nWhat it is, is recognised; --as "
        f"says it where that fails. Kinds:\n\n\b\n{kinds}"
    )


def _existing(_: click.Context, __: click.Parameter, value: str) -> Path:
    """Return a path that leads somewhere: nothing, from an unset variable, is not this folder."""
    if not value or not Path(value).exists():  # before a profile is made for nothing
        raise CloneAppError(f"There is nothing at “{value}”. Check the path and try again.")
    return Path(value)


@command(name="import", help=_import_help())
@click.argument("path", callback=_existing)
@click.option("--as", "as_source", metavar="SOURCE", help="Read it as this kind of source.")
@click.option("--me", multiple=True, metavar="NAME_OR_ADDRESS", help="A name or address of yours.")
@click.option(
    "--answer",
    "answered",
    multiple=True,
    metavar="QUESTION=VALUE",
    help="Answer what a source leaves open, as a problem in the report asks: "
    "whatsapp.order=day/month/year.",
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

    def look(app: App) -> None:
        app.look(path, as_source=as_source, answers=answers)

    with opened(home, creating=True, first=look) as app, shown_progress() as progress:
        report = app.import_(
            path,
            as_source=as_source,
            me=me,
            answers=answers,
            vectors=not no_vectors,
            progress=progress,
        )
        advice = "" if as_json else app.advise_once()
    print_report(report, as_json=as_json)
    if advice:
        say(f"{advice} Or: `clone-app settings embedder_folder FOLDER`.", err=True)


def print_report(report: ImportReport, *, as_json: bool) -> None:
    """Print what an import did, and each place that could not be read."""
    if as_json:
        print_json(report_json(report))
        return
    say(
        f"{report.seen} seen: {report.added} added, {report.updated} updated, "
        f"{report.unchanged} unchanged, {counted(report.duplicates, 'duplicate')}, "
        f"{counted(len(report.problems), 'problem')}. "
        f"{report.undated} without a date, {report.mine} yours."
    )
    for locator, reason in report.problems:
        say(f"problem  {locator}: {reason}")
    for locator, reason in report.skipped:
        say(f"skipped  {locator}: {reason}")
    if report.seen and not report.mine:
        say(
            "None of it is yours. If you are one of those who wrote it (`clone-app people` lists "
            "them), import it again with --me and your name there."
        )
    if report.vectors_pending:
        say(
            f"{counted(report.vectors_pending, 'passage')} can't be found by meaning yet; the next "
            "question or search sees to that first."
        )


@listing
def sources(home: Path, as_json: bool) -> None:
    """List what was imported; `sources remove ID` takes one out again."""
    with opened(home) as app:
        found = app.sources()
    if as_json:
        print_json([source_json(source) for source in found])
        return
    for source in found:
        state = "" if source.finished else "  not finished: import it again"
        state += "  watched" if source.watched else ""
        if source.gone:
            state += f"  {source.gone} no longer in its files (`sources refresh {source.id}`)"
        if source.fault:
            state += f"  {source.fault}"
        noun = "item " if source.items == 1 else "items"
        say(f"{source.id:4} {source.items:7} {noun}  {source.title}  {source.path}{state}")


@command(sources, name="remove")
@click.argument("source_id", type=int, metavar="ID")
@click.option("--yes", is_flag=True, help="Don't ask.")
def remove(home: Path, source_id: int, yes: bool, as_json: bool) -> None:
    """Take out a source with every item that rests on it alone."""
    with opened(home, writing=True) as app:
        removal = app.removal(source=source_id)
        count = app.count_removal(removal)
        if sys.stdin.isatty() and not (yes or as_json):
            click.confirm(
                f"Remove source {source_id} with {counted(count.items, 'item')}?", abort=True
            )
        with shown_progress() as progress:
            gone = app.remove(removal, progress)
    if as_json:
        print_json({"removed": gone})
    else:
        say(f"{counted(gone, 'item')} removed.")
