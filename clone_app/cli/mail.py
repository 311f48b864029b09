"""Mail on a server: `import-mail`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import click

from clone_app.app import App, ProfileState
from clone_app.app.mailboxes import Account, Security
from clone_app.cli.commands import command, opened, print_json, say, shown_progress
from clone_app.cli.importing import print_report
from clone_app.errors import MailPasswordError

MAIL_PASSWORD_VARIABLE = "CLONE_APP_MAIL_PASSWORD"  # noqa: S105


@command(name="import-mail")
@click.option("--host", required=True, metavar="NAME", help="The IMAP server: imap.example.org")
@click.option("--user", required=True, metavar="NAME", help="What you log in with.")
@click.option("--port", type=click.IntRange(1, 65535), help="Other than 993 (143 without TLS).")
@click.option(
    "--security",
    type=click.Choice([str(each) for each in Security]),
    default=str(Security.TLS),
    show_default=True,
    help="How the connection is encrypted. `plain` is not at all: for a server on this computer.",
)
@click.option("--folder", "folders", multiple=True, help="Only this folder; may be given again.")
@click.option("--list", "only_list", is_flag=True, help="List the folders and import nothing.")
@click.option("--me", multiple=True, metavar="NAME_OR_ADDRESS", help="A name or address of yours.")
@click.option("--forget-password", is_flag=True, help="Don't keep the password in the keyring.")
@click.option("--no-vectors", is_flag=True, help="Return when the text is searchable.")
def import_mail(
    home: Path,
    host: str,
    user: str,
    port: int | None,
    security: str,
    folders: tuple[str, ...],
    only_list: bool,
    me: tuple[str, ...],
    forget_password: bool,
    no_vectors: bool,
    as_json: bool,
) -> None:
    """Take in mail from a server (IMAP), read-only: nothing there is changed or marked as read.

    The password is asked for, or read from CLONE_APP_MAIL_PASSWORD; it is kept in the keyring, where
    there is one. The same command again fetches what is new; so does `sources refresh ID`.
    """
    account = Account(
        host=host.strip(), user=user.strip(), port=port or 0, security=Security(security)
    )
    if account.security is Security.PLAIN and not account.local:
        say("The password and the mail will cross the network unencrypted.", err=True)
    if only_list:
        with _perhaps_open(home) as app:
            _list(app, account, as_json=as_json)
        return
    with opened(home, creating=True) as app:
        password = mail_password(app, account)
        if forget_password:
            app.forget_mail_password(account)
        with shown_progress() as progress:
            report = app.import_mail(
                account,
                password,
                folders=folders,
                me=me,
                remember=not forget_password,
                vectors=not no_vectors,
                progress=progress,
            )
    print_report(report, as_json=as_json)


def mail_password(app: App, account: Account) -> str:
    """Return an account's password: from the environment, the keyring, or the person who is asked."""
    known = os.environ.get(MAIL_PASSWORD_VARIABLE) or app.mail_password(account)
    if known:
        return known
    if not sys.stdin.isatty():
        raise MailPasswordError(
            f"The password for {account.user} is needed. Set {MAIL_PASSWORD_VARIABLE}."
        )
    return str(click.prompt(f"Password for {account.user}", hide_input=True, err=True))


@contextmanager
def _perhaps_open(home: Path) -> Iterator[App]:
    """Open the profile if there is one: looking into an account makes none."""
    app = App(home)
    if app.state() is ProfileState.NEW:
        yield app
        return
    with opened(home) as app:
        yield app


def _list(app: App, account: Account, *, as_json: bool) -> None:
    with shown_progress() as progress:
        found = app.look_into_mailbox(account, mail_password(app, account), progress=progress)
    if as_json:
        print_json([asdict(folder) for folder in found.folders])
        return
    for folder in found.folders:
        read = "read" if folder.usual else "left out unless named"
        say(f"{folder.messages:8} {folder.path}  {folder.use}  {read}")
