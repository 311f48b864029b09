"""Evaluating on the command line: run benchmarks, list and compare what was run."""

from __future__ import annotations

from pathlib import Path

import click

from clone_app.app.evaluating import JUDGES, READERS, RETRIEVING, Plan
from clone_app.cli.commands import (
    command,
    listing,
    opened,
    print_json,
    say,
    shown_progress,
)
from clone_app.errors import CloneAppError
from clone_app.evaluation.export import shown
from clone_app.evaluation.report import (
    MAIN,
    Report,
    compare,
    judge_notes,
    report_json,
    run_json,
)
from clone_app.evaluation.silence import said
from clone_app.evaluation.suites.own import ME


@command()
@click.argument("suites", nargs=-1, metavar="SUITE...")
@click.option("--arm", "arms", multiple=True, help="Compare this one; all retrieval arms if none.")
@click.option("-k", type=click.IntRange(1, 20), default=10, help="Traces given to the reader.")
@click.option("--reader", type=click.Choice(READERS), default="none", help="What answers.")
@click.option("--judge", type=click.Choice(JUDGES), default="none", help="Who marks free answers.")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many questions of each life.")
@click.option(
    "--tokens", type=click.IntRange(min=256), help="The reader's budget; its window if none."
)
@click.option("--resume", type=int, metavar="RUN", help="Go on with a run that was stopped.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the report's files here.")
def evaluate(
    home: Path,
    suites: tuple[str, ...],
    arms: tuple[str, ...],
    k: int,
    reader: str,
    judge: str,
    limit: int | None,
    tokens: int | None,
    resume: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Measure memory on benchmarks: paths of their files, names of samples, or `me`: your own archive.

    CloneMem, LifeBench, PersonaMem-v2 and PAL-Bench are known; `tests generate` makes your own.
    """
    if not suites and resume is None:
        raise click.UsageError("Name a benchmark to run, or --resume a run.")
    plan = Plan(
        suites=tuple(_absolute(each) for each in suites),
        arms=arms or RETRIEVING,
        reader=reader,
        judge=judge,
        k=k,
        limit=limit or 0,
        tokens=tokens or 0,
    )
    with opened(home, writing=True, creating=True) as app, shown_progress() as progress:
        run = resume if resume is not None else app.begin_run(plan)
        report = app.continue_run(run, progress)
        files = app.export_run(run, out) if out is not None else ()
    if as_json:
        print_json(report_json(report))
    else:
        print_report(report)
        for path in files:
            say(str(path))
    failed = report.run.facts.get("failed_suites", {})
    if failed:
        raise CloneAppError(" ".join(f"{said}" for said in failed.values()))


def _absolute(suite: str) -> str:
    """Return a path as one that still leads there from another folder; a name as it is."""
    path = Path(suite).expanduser()
    if suite == ME:  # the user's own archive, whatever lies in this folder
        return suite
    return str(path.absolute()) if path.exists() else suite


@listing
def runs(home: Path, as_json: bool) -> None:
    """List evaluation runs; `runs show`, `runs compare`, `runs note` and `runs delete` take one."""
    with opened(home) as app:
        found = app.runs()
    if as_json:
        print_json([run_json(row) for row in found])
        return
    for row in found:
        suites = ", ".join(Path(each).name for each in row.plan.suites)
        say(
            f"{row.id:4}  {row.started_at:%Y-%m-%d %H:%M}  {row.state:9} {row.done}/{row.total}  "
            f"{suites}  reader {row.plan.reader}  {row.note}".rstrip()
        )


@command(runs)
@click.argument("run", type=int)
@click.option("--out", type=click.Path(path_type=Path), help="Write the report's files here.")
def show(home: Path, run: int, out: Path | None, as_json: bool) -> None:
    """Show a run's figures again."""
    with opened(home) as app:
        report = app.report(run)
        files = app.export_run(run, out) if out is not None else ()
    if as_json:
        print_json(report_json(report))
        return
    print_report(report)
    for path in files:
        say(str(path))


@command(runs, name="compare")
@click.argument("one", type=int)
@click.argument("other", type=int)
@click.option("--score", default="recall_flat@10", show_default=True)
def compare_(home: Path, one: int, other: int, score: str, as_json: bool) -> None:
    """Compare two runs arm by arm, over the questions both have."""
    with opened(home) as app:
        found = compare(app.report(one), app.report(other), score)
    if as_json:
        print_json(
            [
                {
                    "arm": arm,
                    "score": score,
                    "one": each.ours,
                    "other": each.theirs,
                    "difference": each.gap and [each.gap.mean, each.gap.low, each.gap.high],
                    "why": each.why,
                }
                for arm, each in found.items()
            ]
        )
        return
    for arm, each in found.items():
        sides = "  ".join(
            "     " if one is None else f"{one:.3f}" for one in (each.ours, each.theirs)
        )
        say(f"{arm:16} {sides}  {each.why or shown(each.gap)}")


@command(runs, name="note")
@click.argument("run", type=int)
@click.argument("text")
def note_(home: Path, run: int, text: str, as_json: bool) -> None:
    """Write a note to a run."""
    with opened(home, writing=True) as app:
        app.note_run(run, text)
    if as_json:
        print_json({"run": run, "note": text})
    else:
        say(f"Noted to run {run}.")


@command(runs)
@click.argument("run", type=int)
def delete(home: Path, run: int, as_json: bool) -> None:
    """Delete a run with its answers."""
    with opened(home, writing=True) as app:
        app.delete_run(run)
    if as_json:
        print_json({"deleted": run})
    else:
        say(f"Run {run} is deleted.")


def print_report(report: Report) -> None:
    """Print a report for a person: its lives, then a line an arm."""
    limit = report.run.plan.limit
    for life in report.lives:
        suite = f"{life.suite} {life.tier}".strip()
        cut = f"the first {limit} of " if 0 < limit < life.questions else ""
        say(
            f"{suite}  {life.name}: {life.traces} traces, {cut}{life.questions} questions, "
            f"file {life.pin}"
        )
        for note in life.notes:
            say(f"    {note}")
    for warning in (*report.run.facts.get("warnings", ()), *judge_notes(report)):
        say(warning)
    arms = [*report.arms, *([report.beside] if report.beside else [])]
    names = [name for name in MAIN if any(name in arm.scores for arm in arms)]
    say(f"\n{'':14}" + "".join(f"{name:>22}" for name in names))
    for arm in arms:
        cells = "".join(f"{shown(arm.intervals.get(name)):>22}" for name in names)
        say(f"{arm.name:14}{cells}")
    for arm in arms:
        if arm.silence is not None:
            say(f"\n{arm.name}: {said(arm.silence)}")
    say(f"\nRun {report.run.id}; means over lives, with 95 % intervals over questions.")
