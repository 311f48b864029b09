"""Mail servers that answer otherwise than they should: each ends as a sentence, none fills the memory."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.app.mailboxes import Account, Security
from clone_app.errors import CloneAppError, MailServerError
from clone_app.importers.mailbox.account import Account as Named
from clone_app.importers.mailbox.server import connected
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels
from clone_app.progress import Progress

LETTER = (
    b"From: Robin <robin@example.org>\r\nTo: ada@example.org\r\nSubject: Hello\r\n"
    b"Date: Mon, 1 Jan 2024 10:00:00 +0100\r\nMessage-ID: <1@example.org>\r\n\r\nWords.\r\n"
)


def literal(data: bytes) -> bytes:
    return b"{%d}\r\n%s" % (len(data), data)


class Server:
    """Answer each command by what stands for its first word; `*` is the greeting."""

    def __init__(self, **answers: bytes) -> None:
        self.answers = {
            "LIST": b'* LIST () "/" INBOX\r\n',
            "STATUS": b"* STATUS INBOX (MESSAGES 1 UIDVALIDITY 5 UIDNEXT 2)\r\n",
            "EXAMINE": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 5] fine\r\n",
            "SEARCH": b"* SEARCH 1\r\n",
            "SIZES": b"* 1 FETCH (UID 1 RFC822.SIZE 200 FLAGS ())\r\n",
            "BODY": b"* 1 FETCH (UID 1 BODY[] " + literal(LETTER) + b")\r\n",
        } | answers
        self.asked: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.account = Account(
            host="127.0.0.1",
            user="ada@example.org",
            port=self._listener.getsockname()[1],
            security=Security.PLAIN,
        )
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)

    def _serve(self) -> None:
        while True:
            try:
                here, _ = self._listener.accept()
            except OSError:
                return
            with here, here.makefile("rb") as lines:
                try:
                    here.sendall(b"* OK ready\r\n")
                    for line in lines:
                        self.asked.append(line)
                        here.sendall(self._answer(line))
                except OSError:
                    continue

    def _answer(self, line: bytes) -> bytes:
        tag, *words = line.split()
        word = words[1 if words[0] == b"UID" else 0].decode()
        if word == "FETCH":
            word = "BODY" if b"BODY.PEEK[]" in line else "SIZES"
        if word == "CAPABILITY":
            return b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n"
        return self.answers.get(word, b"") + tag + b" OK done\r\n"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    made = App(
        tmp_path / "profile",
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        shelf=FakeModels(),
        vault=MemoryVault(working=False),
    )
    made.create("correct horse battery", home_zone="Europe/Berlin")
    yield made
    made.close()


def fetched(app: App, server: Server, *folders: str):  # type: ignore[no-untyped-def]
    try:
        return app.import_mail(
            server.account, "secret", folders=folders, vectors=False, progress=Progress()
        )
    finally:
        server.close()


def test_a_server_that_answers_as_it_should_gives_its_mail(app: App) -> None:
    report = fetched(app, Server())
    assert (report.seen, report.added) == (1, 1)
    assert [stored.item.text for stored in app.items()] == ["Words."]


@pytest.mark.parametrize(
    ("place", "size"),
    [(place, size) for place in ("LIST", "BODY") for size in ("9" * 14, "200000000")]
    + [("LIST", "9" * 5000)],
)
def test_a_literal_beyond_all_measure_is_never_waited_for(app: App, place: str, size: str) -> None:
    start = b'* LIST () "/" ' if place == "LIST" else b"* 1 FETCH (UID 1 BODY[] "
    with pytest.raises(MailServerError, match=r"(sent more than|not formed as it must)"):
        fetched(app, Server(**{place: start + b"{" + size.encode() + b"}\r\nabc"}))


@pytest.mark.parametrize(
    "answers",
    [
        {"STATUS": b"* STATUS INBOX (MESSAGES many UIDVALIDITY (1 2) UIDNEXT x)\r\n"},
        {"EXAMINE": b"* 1 EXISTS\r\n* OK [UIDVALIDITY abc] fine\r\n"},
        {"EXAMINE": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 99999999999999999999999] fine\r\n"},
        {"SEARCH": b"* SEARCH 1 two 3\r\n"},
        {"SEARCH": b"* SEARCH 1 99999999999999999999999\r\n"},
        {"SIZES": b"* 1 FETCH (UID 1 RFC822.SIZE big FLAGS (99999999999999))\r\n"},
        {"SIZES": b"* 1 FETCH (UID 1 RFC822.SIZE 200 FLAGS 5 X-GM-LABELS 7)\r\n"},
        {"SIZES": b"* 1 FETCH (UID one)\r\n"},
        {"SIZES": b"* 1 FETCH " + b"(" * 5000 + b"\r\n"},
        {"BODY": b"* 1 FETCH (UID 1 BODY[] NIL)\r\n"},
        {"BODY": b"* 1 FETCH (UID 1 BODY[] (1 2))\r\n"},
        {"BODY": b"* 1 FETCH 7\r\n"},
        {"LIST": b'* LIST (999999999999) "/" INBOX\r\n'},
        {"LIST": b'* LIST () "/" "&2AA-"\r\n* LIST () "/" "a&!!-"\r\n* LIST () "/" INBOX\r\n'},
        {"LIST": b"* LIST\r\n"},
    ],
)
def test_whatever_an_answer_holds_it_is_mail_or_a_sentence(
    app: App, answers: dict[str, bytes]
) -> None:
    said, seen, told = ".", 0, 0
    try:
        report = fetched(app, Server(**answers))
    except MailServerError as fault:
        said = str(fault)
    else:
        seen, told = report.seen, report.added + len(report.problems)
    assert seen == told
    assert said.endswith(".")
    assert "password" not in said


def test_a_folders_name_can_say_nothing_to_a_terminal(app: App) -> None:
    server = Server(LIST=b'* LIST () "/" "Mail&ABs-]0;x&AAc-"\r\n')
    found = app.look_into_mailbox(server.account, "secret", progress=Progress())
    assert [folder.path for folder in found.folders] == ["Mail\ufffd]0;x\ufffd"]
    report = fetched(app, server)
    assert report.added == 1
    assert [stored.item.labels for stored in app.items()] == [("Mail\ufffd]0;x\ufffd",)]


def test_a_misspelled_folder_is_named_though_others_are_there(app: App) -> None:
    with pytest.raises(CloneAppError, match="no folder “Inbxo”"):
        fetched(app, Server(), "INBOX", "Inbxo")


def test_a_folder_that_is_gone_stops_no_later_fetch(app: App) -> None:
    two = b'* LIST () "/" INBOX\r\n* LIST () "/" Old\r\n'
    server = Server(LIST=two)
    app.import_mail(server.account, "secret", vectors=False, progress=Progress())
    server.answers["LIST"] = b'* LIST () "/" INBOX\r\n'
    number = app.sources()[0].id
    report = app.fetch_new_mail(number, "secret", vectors=False, progress=Progress())
    server.close()
    assert report.files == 1


def test_what_could_not_be_read_stays_named_when_more_is_fetched(app: App) -> None:
    server = Server(BODY=b"* 1 FETCH (UID 1 BODY[] " + literal(b"not a mail at all") + b")\r\n")
    app.import_mail(server.account, "secret", vectors=False, progress=Progress())
    number = app.sources()[0].id
    assert len(app.source_problems(number)) == 1
    app.fetch_new_mail(number, "secret", vectors=False, progress=Progress())
    assert len(app.source_problems(number)) == 1
    server.answers["EXAMINE"] = b"* 1 EXISTS\r\n* OK [UIDVALIDITY 6] fine\r\n"  # all made anew
    app.fetch_new_mail(number, "secret", vectors=False, progress=Progress())
    server.close()
    ((place, _),) = app.source_problems(number)
    assert "UIDVALIDITY=6" in place


@pytest.mark.parametrize("host", ["imap..example.org", "." + "a" * 70 + ".org", "é" * 70])
def test_a_host_that_can_be_none_is_a_sentence(host: str) -> None:
    with (
        pytest.raises(MailServerError, match="There is no server named"),
        connected(Named(host=host, user="ada"), "secret"),
    ):
        pass
