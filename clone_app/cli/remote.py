"""Commands about a model on a server: set it, see what would go there, agree, see what went."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from clone_app.cli.commands import (
    SERVER_KEY_VARIABLE,
    cli,
    command,
    opened,
    print_json,
    ready_vectors,
    say,
    shown_progress,
)
from clone_app.errors import CloneAppError


@cli.group()
def remote() -> None:
    """Answer with a model on a server (vLLM, Ollama, llama.cpp, a provider): off until you agree."""


@command(remote, name="set")
@click.argument("url")
@click.option("--model", default="", help="The model's name there; empty for its only one.")
@click.option("--key", "with_key", is_flag=True, help="Ask for the server's key and keep it.")
def set_(home: Path, url: str, model: str, with_key: bool, as_json: bool) -> None:
    """Name a server, such as http://localhost:8080/v1; nothing is sent yet."""
    with opened(home, writing=True) as app:
        app.change_settings(remote_server=url, remote_model=model)
        key = os.environ.get(SERVER_KEY_VARIABLE, "")
        if with_key and not key and sys.stdin.isatty():
            key = click.prompt("The server's key", hide_input=True, err=True)
        kept = app.keep_server_key(key) if key else False
        host = app.agreement_wanted()
    if as_json:
        print_json({"server": url, "model": model, "key kept": kept, "agreed": not host})
        return
    if key and not kept:
        say(
            f"There is no keyring here, so the key is not kept. Set {SERVER_KEY_VARIABLE} when you ask."
        )
    say(
        "Nothing is sent yet. `clone-app remote show QUESTION` shows what would be; "
        "`clone-app remote agree` lets it."
    )


@command(remote, name="show")
@click.argument("question")
@click.option("--at", metavar="TIME", help="As things stood then.")
@click.option(
    "--conversation", type=int, metavar="ID", help="As it goes on with this conversation."
)
def show(
    home: Path, question: str, at: str | None, conversation: int | None, as_json: bool
) -> None:
    """Print what would go to the server for a question; nothing is sent."""
    with opened(home) as app:
        if not app.settings.remote_server:
            raise CloneAppError("No server is set. `clone-app remote set URL` names one.")
        ready_vectors(app)
        with shown_progress() as progress:
            messages = app.would_send(question, at=at, conversation=conversation, progress=progress)
    if as_json:
        print_json([{"role": each.role, "text": each.text} for each in messages])
        return
    for message in messages:
        say(f"--- {message.role}\n{message.text}\n")
    if not messages:
        say("Nothing: this would be answered without a model.")


@command(remote, name="agree")
def agree(home: Path, as_json: bool) -> None:
    """Let questions, and the entries they are answered from, go to the server that is set."""
    with opened(home, writing=True) as app:
        if not app.settings.remote_server:
            raise CloneAppError("No server is set. `clone-app remote set URL` names one.")
        app.agree_to_send()
        server = app.settings.remote_server
    if as_json:
        print_json({"agreed": server})
    else:
        say(f"{server} answers from now on. `clone-app remote off` ends it.")


@command(remote, name="off")
def off(home: Path, as_json: bool) -> None:
    """Answer on this machine again, and forget the server and its key."""
    with opened(home, writing=True) as app:
        app.keep_server_key("")
        app.change_settings(remote_server="", remote_model="")
    if as_json:
        print_json({"server": ""})
    else:
        say("Answers are written on this machine again.")


@command(remote, name="log")
def log(home: Path, as_json: bool) -> None:
    """List what left this machine: when, to which host, how much."""
    with opened(home) as app:
        found = app.sent()
    if as_json:
        print_json(
            [
                {
                    "at": each.at.isoformat(),
                    "host": each.host,
                    "purpose": each.purpose,
                    "bytes": each.bytes,
                    "sent": not each.failed,
                }
                for each in found
            ]
        )
        return
    for each in found:
        size = "not sent, no connection" if each.failed else f"{each.bytes} bytes"
        say(f"{each.at:%Y-%m-%d %H:%M:%S}  {each.host}  {each.purpose}  {size}")
    if not found:
        say("Nothing has left this machine.")
