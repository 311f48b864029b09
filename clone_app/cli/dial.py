"""The memory dial on the command line: what each stop does, and what was measured of it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from clone_app.cli.commands import command, opened, print_json, say, shown_progress
from clone_app.entries import Dial
from clone_app.persona.ability import Ability

STOPS = {
    Dial.FRESH: "the model alone; nothing of your memory reaches it",
    Dial.FREE: "the model's words over your entries; what they don't hold is marked",
    Dial.CHECKED: "the model's words where your entries carry them, else your own",
    Dial.QUOTES: "only your own words",
}


@command()
@click.option("--measure", is_flag=True, help="Try the language model at every stop first.")
def dial(home: Path, measure: bool, as_json: bool) -> None:
    """Show the stops of the memory dial (`ask --memory`) and how this model did at each."""
    with opened(home, writing=measure) as app:
        if measure:
            with shown_progress() as progress:
                able: Ability | None = app.try_model(progress, fresh=True)
        else:
            able = app.ability()
        name = app.model_name()
    if as_json:
        print_json({str(stop): _packed(able, stop) for stop in Dial})
        return
    for stop, does in STOPS.items():
        say(f"{stop:8}  {does}")
        say(f"          {_told(able, stop)}")
    if not name:
        say("There is no language model: answers are quotations. Choose one in the settings.")
    elif able is None or len(able.effects) < len(Dial):
        say("`clone-app dial --measure` tries the model with a few questions over invented notes.")
    else:
        say(f"Measured with {name} on this machine, with a few questions over invented notes.")


def _told(able: Ability | None, stop: Dial) -> str:
    effect = None if able is None else able.effect(stop)
    if effect is None:
        return "not measured yet"
    return (
        f"{effect.right} of {effect.asked} answers right, {effect.carried} of "
        f"{effect.sentences} sentences carried by the notes, {effect.seconds:.1f} s an answer"
    )


def _packed(able: Ability | None, stop: Dial) -> dict[str, object] | None:
    effect = None if able is None else able.effect(stop)
    return None if effect is None else asdict(effect)
