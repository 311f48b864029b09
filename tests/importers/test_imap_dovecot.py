"""Mail from a real server: Box on loopback over a Maildir that the test fills."""

from __future__ import annotations

import itertools
import json
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from clone_app.app import App
from clone_app.app.mailboxes import Account, Security
from clone_app.cli import cli, commands, mail
from clone_app.errors import Cancelled, CloneAppError, MailPasswordError, MailServerError
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels
from clone_app.progress import Progress, Step

from .dovecot import PASSWORD, Box, Dovecot, present

pytestmark = pytest.mark.skipif(not present(), reason="there is no Dovecot (dovecot-imapd)")

ADA, ROBIN = "Ada <ada@example.org>", "Robin <robin@example.org>"


def letter(
    number: int, text: str = "", *, sender: str = ROBIN, to: str = ADA, extra: str = ""
) -> bytes:
    return (
        f"From: {sender}\r\nTo: {to}\r\nSubject: Letter {number}\r\n"
        f"Date: Mon, {number % 27 + 1:02} Jan 2024 10:00:00 +0100\r\n"
        f"Message-ID: <{number}@example.org>\r\n{extra}\r\n{text or f'This is letter {number}.'}\r\n"
    ).encode()


@pytest.fixture(scope="module")
def running() -> Iterator[Dovecot]:
    # Not pytest's own folder, which only its owner may enter: Dovecot reads mail as somebody else.
    folder = Path(tempfile.mkdtemp(prefix="clone-app-dovecot-"))
    folder.chmod(0o755)
    with Dovecot(folder / "server") as server:
        yield server
    shutil.rmtree(folder)


@pytest.fixture
def server(running: Dovecot, request: pytest.FixtureRequest) -> Box:
    made = Box(running, f"{request.node.name[:40].strip('_')}@example.org")
    made.deliver("INBOX", [letter(n) for n in range(1, 6)])
    train = letter(11, "Der Zug nach Graz fährt um neun.")
    made.deliver("Reisen/Österreich", [train])
    made.deliver("Gesendete Sachen", [letter(21, "Dienstag passt.", sender="me@old.example")])
    made.deliver("Papierkorb & Müll", [letter(31)])
    made.deliver("Alles", [letter(1), letter(2), train, letter(41, "Only in Alles.")])
    return made


@pytest.fixture
def vault() -> MemoryVault:
    return MemoryVault()


@pytest.fixture
def app(tmp_path: Path, vault: MemoryVault) -> Iterator[App]:
    made = App(
        tmp_path / "profile",
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        shelf=FakeModels(),
        vault=vault,
    )
    made.create("correct horse battery", home_zone="Europe/Berlin")
    yield made
    made.close()


def account(server: Box, **more: object) -> Account:
    fields = {
        "host": "127.0.0.1",
        "user": server.user,
        "port": server.port,
        "security": Security.PLAIN,
    }
    return Account(**(fields | more))  # type: ignore[arg-type]


def fetched(app: App, server: Box, **more: object):  # type: ignore[no-untyped-def]
    wanted = {"vectors": False, "progress": Progress()} | more
    return app.import_mail(account(server), PASSWORD, **wanted)  # type: ignore[arg-type]


def titles(app: App) -> list[str]:
    return sorted(stored.item.title for stored in app.items())


def test_what_lies_in_the_folders_is_shown_before_anything_is_fetched(
    app: App, server: Box
) -> None:
    found = app.look_into_mailbox(account(server), PASSWORD, progress=Progress())
    assert [
        (folder.path, folder.messages, folder.use, folder.usual) for folder in found.folders
    ] == [
        ("INBOX", 5, "", True),
        ("Gesendete Sachen", 1, "Sent", True),
        ("Papierkorb & Müll", 1, "Trash", False),
        ("Reisen/Österreich", 1, "", True),
        ("Alles", 4, "All", True),
    ]
    assert found.messages == 11
    assert found.senders == (("me@old.example", 1),)
    assert [item.title for item in found.samples] == ["Letter 1", "Letter 2", "Letter 4"]
    assert app.count_items() == 0


def test_mail_comes_in_once_with_its_folder_as_label_and_the_sent_ones_as_mine(
    app: App, server: Box
) -> None:
    report = fetched(app, server)
    assert (report.seen, report.added, report.duplicates) == (11, 8, 3)
    assert report.problems == ()
    items = {stored.item.title: stored.item for stored in app.items()}
    assert items["Letter 21"].mine
    assert items["Letter 21"].labels == ("Sent",)
    assert not items["Letter 1"].mine
    assert items["Letter 11"].labels == ("Reisen/Österreich",)
    assert items["Letter 11"].text == "Der Zug nach Graz fährt um neun."
    assert "Letter 31" not in items
    place = items["Letter 11"].locator
    assert place.startswith(f"{account(server).url}/Reisen/%C3%96")
    assert place.endswith("/;UID=1")


def test_nothing_on_the_server_changes_not_even_what_is_unread(app: App, server: Box) -> None:
    server.deliver("INBOX", [letter(6)], flags="S")
    before = server.files()
    app.look_into_mailbox(account(server), PASSWORD, progress=Progress())
    fetched(app, server)
    assert server.files() == before
    assert sum(name.endswith(":2,S") for name in before) == 1


def test_a_second_time_only_what_is_new_is_fetched(app: App, server: Box) -> None:
    fetched(app, server)
    assert fetched(app, server).seen == 0
    server.deliver("INBOX", [letter(7)])
    number = app.sources()[0].id
    app.import_mail(
        account(server), PASSWORD, folders=["INBOX"], vectors=False, progress=Progress()
    )
    assert "Letter 7" in titles(app)
    box = app.mailbox(number)
    assert box is not None
    assert box.folders == ("Alles", "Gesendete Sachen", "INBOX", "Reisen/Österreich")
    assert len(app.sources()) == 1


def test_folders_are_chosen_by_name_and_an_unknown_one_is_named(app: App, server: Box) -> None:
    report = fetched(app, server, folders=["Reisen/Österreich", "Papierkorb & Müll"])
    assert (report.files, report.added) == (2, 2)
    labels = {stored.item.title: stored.item.labels for stored in app.items()}
    assert labels["Letter 31"] == ("Trash",)
    with pytest.raises(CloneAppError, match=r"no folder “Nirgends”. There are: INBOX"):
        fetched(app, server, folders=["Nirgends"])


def test_a_folder_that_was_made_anew_is_read_again_and_adds_nothing(app: App, server: Box) -> None:
    fetched(app, server, folders=["Reisen/Österreich"])
    shutil.rmtree(server.folder("Reisen/Österreich"))
    server.deliver("Reisen/Österreich", [letter(11, "Der Zug nach Graz fährt um neun.")])
    report = fetched(app, server, folders=["Reisen/Österreich"])
    assert (report.seen, report.unchanged) == (1, 1)


def test_malformed_messages_come_in_too_and_empty_ones_are_listed(app: App, server: Box) -> None:
    server.deliver(
        "Seltsam",
        [
            b"From: Robin\nMessage-ID: <[a]@x>\nDate: Thu, 31 Feb 2015\n"
            b"Content-Type: text/plain; charset=unknown-8bit\n\ncaf\xe9",
            b"not a mail at all",
            b"\n",
        ],
    )
    report = fetched(app, server, folders=["Seltsam"])
    assert (report.seen, report.added, len(report.problems)) == (2, 1, 1)
    assert "no mail" in report.problems[0][1]
    (item,) = [stored.item for stored in app.items()]
    assert (item.text, item.key, item.moment.local) == ("café", "[a]@x", None)


def test_a_cancelled_import_keeps_its_batches_and_goes_on_there(app: App, server: Box) -> None:
    server.deliver("Viele", [letter(n) for n in range(1000, 1120)])
    progress = Progress(clock=itertools.count().__next__)  # as if each batch took a second

    def stop(step: Step) -> None:
        if step.done >= 50:
            progress.cancel()

    progress._listener = stop
    with pytest.raises(Cancelled):
        fetched(app, server, folders=["Viele"], progress=progress)
    kept = app.count_items()
    assert 50 <= kept < 120
    assert not app.sources()[0].finished
    report = fetched(app, server, folders=["Viele"])
    assert (report.seen, report.added, app.count_items()) == (120 - kept, 120 - kept, 120)


def test_a_connection_that_breaks_off_is_a_sentence_and_the_rest_follows_later(
    app: App, server: Box
) -> None:
    server.deliver("Viele", [letter(n, "A few words. " * 200) for n in range(2000, 2120)])
    with Cutting(server.port, after=150_000) as cut:
        with pytest.raises(MailServerError, match=r"broke off\. What was fetched stays"):
            app.import_mail(
                account(server, port=cut.port),
                PASSWORD,
                folders=["Viele"],
                vectors=False,
                progress=Progress(),
            )
        kept = app.count_items()
        assert 0 < kept < 120
        cut.after = 10**9
        report = app.import_mail(
            account(server, port=cut.port),
            PASSWORD,
            folders=["Viele"],
            vectors=False,
            progress=Progress(),
        )
    assert (report.seen, report.added, report.unchanged) == (120 - kept, 120 - kept, 0)
    assert app.count_items() == 120


def test_a_wrong_password_is_a_sentence_and_is_not_kept(
    app: App, server: Box, vault: MemoryVault
) -> None:
    with pytest.raises(MailPasswordError, match=r"did not accept the password for .*@example.org"):
        app.import_mail(account(server), "wrong", remember=True, progress=Progress())
    assert app.mail_password(account(server)) == ""
    assert app.sources() == ()


def test_the_password_lies_in_the_keyring_alone_and_fetches_what_is_new(
    app: App, server: Box, vault: MemoryVault
) -> None:
    fetched(app, server, remember=True)
    number = app.sources()[0].id
    server.deliver("INBOX", [letter(8)])
    report = app.fetch_new_mail(number, vectors=False, progress=Progress())
    assert report.added == 1
    for path in app.home.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()
    app.forget_mail_password(account(server))
    with pytest.raises(MailPasswordError, match="is needed"):
        app.fetch_new_mail(number, vectors=False, progress=Progress())


def test_a_removed_account_takes_its_mail_its_marks_and_its_password_along(
    app: App, server: Box
) -> None:
    fetched(app, server, remember=True)
    number = app.sources()[0].id
    assert app.remove(app.removal(source=number), Progress()) == 8
    assert (app.count_items(), app.mailbox(number)) == (0, None)
    assert app.mail_password(account(server)) == ""
    assert fetched(app, server).added == 8


def test_the_command_lists_imports_and_fetches_what_is_new(
    server: Box, tmp_path: Path, vault: MemoryVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(folder: Path) -> App:
        return App(folder, shelf=FakeModels(), vault=vault)

    monkeypatch.setattr(commands, "App", make)
    monkeypatch.setattr(mail, "App", make)
    monkeypatch.setenv(mail.MAIL_PASSWORD_VARIABLE, PASSWORD)

    def run(*words: str) -> str:
        given = ["--profile", str(tmp_path / "cli"), *words]
        result = CliRunner().invoke(cli, given, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    where = ["--host", "127.0.0.1", "--port", str(server.port), "--user", server.user]
    where += ["--security", "plain"]
    listed = run("import-mail", *where, "--list").splitlines()
    assert listed[0].split() == ["5", "INBOX", "read"]
    assert listed[2] == "       1 Papierkorb & Müll  Trash  left out unless named"
    assert not (tmp_path / "cli" / "memory.db").exists()
    done = run("import-mail", *where, "--folder", "INBOX", "--folder", "Gesendete Sachen")
    assert done.startswith("6 seen: 6 added, 0 updated, 0 unchanged, 0 duplicates, 0 problems.")
    server.deliver("INBOX", [letter(9)])
    monkeypatch.delenv(mail.MAIL_PASSWORD_VARIABLE)  # by now the keyring has it
    assert json.loads(run("sources", "refresh", "1", "--json"))["added"] == 1


def test_tls_is_checked_before_anything_is_sent(
    app: App, server: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe = account(server, port=server.tls_port, security=Security.TLS)
    with pytest.raises(MailServerError, match=r"can't prove that it is 127\.0\.0\.1"):
        app.look_into_mailbox(safe, PASSWORD, progress=Progress())
    monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))
    assert app.look_into_mailbox(safe, PASSWORD, progress=Progress()).messages == 11
    later = account(server, security=Security.STARTTLS)
    assert app.look_into_mailbox(later, PASSWORD, progress=Progress()).messages == 11


def test_what_does_not_answer_or_speaks_otherwise_is_named(app: App, server: Box) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
        with pytest.raises(MailServerError, match=f"Nothing answers at 127.0.0.1, port {free}"):
            app.look_into_mailbox(account(server, port=free), PASSWORD, progress=Progress())
    with pytest.raises(MailServerError, match=f"does not speak TLS on port {server.port}"):
        app.look_into_mailbox(account(server, security=Security.TLS), PASSWORD, progress=Progress())


class Cutting:
    """Stand between program and server, and hang up after so many bytes of answers."""

    def __init__(self, port: int, *, after: int) -> None:
        self._to, self.after = port, after
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Cutting:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(5)

    def _start(self, work, *given: socket.socket) -> None:  # type: ignore[no-untyped-def]
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listener.accept()
            except OSError:
                return
            there = socket.create_connection(("127.0.0.1", self._to))
            self._start(self._pass_on, here, there)
            self._start(self._answer, there, here)

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        target.close()

    def _answer(self, source: socket.socket, target: socket.socket) -> None:
        passed = 0
        try:
            while data := source.recv(4096):
                passed += len(data)
                if passed > self.after:
                    break
                target.sendall(data)
            target.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        target.close()
        source.close()
