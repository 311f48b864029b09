"""Commands about the program itself: doctor, settings."""

from __future__ import annotations

from pathlib import Path

import click
from pydantic import ValidationError

from clone_app.app import App, ProfileState
from clone_app.cli.commands import command, opened, print_json, say
from clone_app.errors import DamagedError
from clone_app.settings import Settings


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
            say(f"{name}:")
            for inner, said in value.items():
                say(f"    {inner}: {said}")
        else:
            say(f"{name}: {value}")


@command()
@click.argument("name", required=False)
@click.argument("value", required=False)
def settings(home: Path, name: str | None, value: str | None, as_json: bool) -> None:
    """List the settings, show one, or set one: `settings home_zone Europe/Berlin`."""
    if name is not None and name not in Settings.model_fields:
        raise click.BadParameter(
            f"there is no setting “{name}”. Choose one of: {', '.join(Settings.model_fields)}.",
            param_hint="NAME",
        )
    if name is not None and value is not None:
        with opened(home, writing=True) as app:
            try:
                app.change_settings(**{name: value})
            except ValueError as fault:
                raise click.BadParameter(
                    f"“{value}” does not fit {name}. {_wanted(fault)}", param_hint="VALUE"
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
        say(f"{each} = {kept}\n    {about}")


def _wanted(fault: ValueError) -> str:
    """Return what a setting takes, in the words of its check."""
    if isinstance(fault, ValidationError):
        return " ".join(f"{each['msg']}." for each in fault.errors())
    return str(fault)
