"""The README says what is there."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from clone_app.cli import cli
from clone_app.importers import IMPORTERS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_every_source_is_listed_as_the_dialog_and_the_help_have_it() -> None:
    for each in IMPORTERS:
        assert f"- **{each.title}** (`{each.name}`): {each.help}" in README


def test_every_command_shown_exists() -> None:
    for name in cli.commands:
        assert f"clone-app {name}" in README
        assert CliRunner().invoke(cli, [name, "--help"]).exit_code == 0


def test_every_file_and_picture_named_is_there() -> None:
    import re

    named = re.findall(r"`((?:clone_app|packaging|importers|memory|persona|ui)/[\w/.]+)`", README)
    assert named
    for path in named:
        inside = path if path.startswith(("clone_app", "packaging")) else f"clone_app/{path}"
        assert (ROOT / inside).exists(), path
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (ROOT / picture).is_file(), picture
