"""Sources that are watched: `sources watch`, `unwatch`, `refresh`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from clone_app.app import App
from clone_app.app.watching import Refreshed
from clone_app.cli.commands import command, counted, opened, print_json, say, shown_progress
from clone_app.cli.importing import print_report, sources
from clone_app.cli.mail import mail_password
from clone_app.packed import report_json


@command(sources, name="watch")
@click.argument("source_id", type=int, metavar="ID")
def watch(home: Path, source_id: int, as_json: bool) -> None:
    """Watch a source: the window imports what changes; `sources refresh` does it by hand."""
    with opened(home, writing=True) as app:
        app.watch(source_id)
    _said(source_id, watched=True, as_json=as_json)


@command(sources, name="unwatch")
@click.argument("source_id", type=int, metavar="ID")
def unwatch(home: Path, source_id: int, as_json: bool) -> None:
    """Stop watching a source; its entries stay."""
    with opened(home, writing=True) as app:
        app.unwatch(source_id)
    _said(source_id, watched=False, as_json=as_json)


@command(sources, name="refresh")
@click.argument("source_id", type=int, metavar="[ID]", required=False)
@click.option(
    "--remove-gone", is_flag=True, help="Take out what is no longer in the source's files."
)
@click.option("--yes", is_flag=True, help="Don't ask.")
@click.option("--no-vectors", is_flag=True, help="Return when the text is searchable.")
def refresh(
    home: Path,
    source_id: int | None,
    remove_gone: bool,
    yes: bool,
    no_vectors: bool,
    as_json: bool,
) -> None:
    """Read a source again, a mail server too; without ID all watched ones that have changed.

    New entries are added, edited ones take their old place. What is no longer there is reported and
    stays, unless --remove-gone says otherwise.
    """
    if remove_gone and source_id is None:
        raise click.BadParameter("Name the source whose entries are to go.", param_hint="ID")
    with opened(home, writing=True) as app:
        box = app.mailbox(source_id) if source_id is not None else None
        with shown_progress() as progress:
            if source_id is None:
                done = app.refresh_watched(vectors=not no_vectors, progress=progress)
            elif box is not None:
                report = app.fetch_new_mail(
                    source_id,
                    mail_password(app, box.account),
                    vectors=not no_vectors,
                    progress=progress,
                )
                print_report(report, as_json=as_json)
                return
            else:
                done = (app.refresh_source(source_id, vectors=not no_vectors, progress=progress),)
        removed = _remove_gone(app, source_id, yes=yes or as_json) if remove_gone else 0
        faults = {source.id: source.fault for source in app.sources() if source.fault}
    _print(done, removed=removed, faults=faults, as_json=as_json)


def _said(source_id: int, *, watched: bool, as_json: bool) -> None:
    if as_json:
        print_json({"id": source_id, "watched": watched})
    else:
        say(f"Source {source_id} is {'watched' if watched else 'no longer watched'}.")


def _remove_gone(app: App, source_id: int | None, *, yes: bool) -> int:
    assert source_id is not None
    count = len(app.gone_items(source_id))
    if sys.stdin.isatty() and not yes:
        click.confirm(
            f"Remove {counted(count, 'item')} no longer in its files?",
            abort=True,
        )
    with shown_progress() as progress:
        return app.remove_gone(source_id, progress)


def _print(
    done: tuple[Refreshed, ...], *, removed: int, faults: dict[int, str], as_json: bool
) -> None:
    if as_json:
        print_json(
            {
                "refreshed": [asdict(each) | {"report": report_json(each.report)} for each in done],
                "removed": removed,
                "faults": faults,
            }
        )
        return
    for each in done:
        report = each.report
        say(
            f"{each.source_id:4} {each.title}: {report.added} added, {report.updated} updated, "
            f"{report.unchanged} unchanged, {each.gone} no longer in its files."
        )
    if removed:
        say(f"{counted(removed, 'item')} removed.")
    for fault in faults.values():
        say(fault, err=True)
    if not done and not faults:
        say("Nothing has changed.")
