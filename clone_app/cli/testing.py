"""Commands about the questions of “Test me”: the suite `me` of `evaluate`."""

from __future__ import annotations

from pathlib import Path

import click

from clone_app.cli.commands import (
    command,
    counted,
    listing,
    opened,
    print_json,
    say,
    shown_progress,
)
from clone_app.evaluation.suites.own import OwnQuestion


@listing
def tests(home: Path, as_json: bool) -> None:
    """Make questions about your own entries; `evaluate me` asks them."""
    _list(home, as_json=as_json)


@command(tests, name="list")
def list_(home: Path, as_json: bool) -> None:
    """List the questions with their answers."""
    _list(home, as_json=as_json)


@command(tests, name="generate")
@click.option("-n", "number", type=click.IntRange(1, 1000), default=24, show_default=True)
@click.option("--seed", type=int, default=7, show_default=True, help="Another one, other entries.")
def generate_(home: Path, number: int, seed: int, as_json: bool) -> None:
    """Make questions from entries that have none yet."""
    with opened(home, writing=True) as app, shown_progress() as progress:
        made = app.generate_own(number, seed, progress)
    _print(made, as_json=as_json)


@command(tests)
@click.argument("question")
@click.argument("answer")
@click.option(
    "--wrong", multiple=True, help="A wrong option; without any a judge compares answers."
)
@click.option("--entry", default="", metavar="KEY", help="The entry that answers it.")
def add(
    home: Path, question: str, answer: str, wrong: tuple[str, ...], entry: str, as_json: bool
) -> None:
    """Add a question of your own."""
    with opened(home, writing=True) as app:
        made = app.add_own(question, answer, wrong, entry=entry)
    _print((made,), as_json=as_json)


@command(tests)
@click.argument("number", type=int)
@click.option("--question", help="Other words for the question.")
@click.option("--answer", help="Another answer.")
@click.option("--wrong", multiple=True, help="Other wrong options.")
def edit(
    home: Path,
    number: int,
    question: str | None,
    answer: str | None,
    wrong: tuple[str, ...],
    as_json: bool,
) -> None:
    """Change a question."""
    with opened(home, writing=True) as app:
        made = app.edit_own(number, text=question, answer=answer, wrong=wrong or None)
    _print((made,), as_json=as_json)


@command(tests, name="delete")
@click.argument("numbers", type=int, nargs=-1, required=True)
def delete_(home: Path, numbers: tuple[int, ...], as_json: bool) -> None:
    """Delete questions."""
    with opened(home, writing=True) as app:
        gone = app.delete_own(numbers)
    if as_json:
        print_json({"deleted": gone})
    else:
        say(f"{counted(gone, 'question')} deleted.")


def _list(home: Path, *, as_json: bool) -> None:
    with opened(home) as app:
        found = app.own_questions()
    _print(found, as_json=as_json)
    if not found and not as_json:
        say("No questions yet. `clone-app tests generate` makes some from your entries.")


def _print(questions: tuple[OwnQuestion, ...], *, as_json: bool) -> None:
    if as_json:
        print_json([_json(each) for each in questions])
        return
    for each in questions:
        say(f"{each.id:4}  {each.kind}: {each.text}")
        say(f"      {each.asked().answer}")


def _json(question: OwnQuestion) -> dict[str, object]:
    asked = question.asked()
    return {
        "id": question.id,
        "kind": question.kind,
        "question": question.text,
        "answer": asked.answer,
        "options": dict(asked.choices),
        "correct": asked.correct,
        "asked_at": question.asked_at.isoformat(),
        "entry": question.entry,
        "written": question.written,
    }
