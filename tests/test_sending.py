"""Answering with a model on a server: nothing leaves before the user has seen what and agreed."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from clone_app.app import App
from clone_app.entries import Answer, AnswerEvent
from clone_app.errors import ModelError
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels
from clone_app.progress import Progress

QUESTION = "Where did I walk with Robin?"
NOTE = "I walked to the harbour with Robin and talked about the boat."


class Server:
    """A chat server on loopback that keeps what it was sent."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                outer.keys.append(self.headers.get("Authorization", ""))
                said = {"choices": [{"message": {"content": NOTE}}]}
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(said).encode())

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()
        self.host = f"127.0.0.1:{self._server.server_port}"
        self.url = f"http://{self.host}/v1"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    (tmp_path / "2024-03-02.md").write_text(NOTE)
    made = App(tmp_path / "profile", shelf=FakeModels(), vault=MemoryVault())
    made.create("long enough", home_zone="UTC")
    made.import_(tmp_path / "2024-03-02.md", progress=Progress())
    yield made
    made.close()


def ask(app: App) -> tuple[Answer, list[AnswerEvent]]:
    events = list(app.ask(QUESTION, progress=Progress()))
    assert isinstance(events[-1], Answer)
    return events[-1], events


def masked(messages: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return messages without the random word that each request gets for its fence."""
    return [(role, re.sub(r"(?i)(notes )[0-9a-f]{8}", r"\1…", text)) for role, text in messages]


def test_a_server_that_was_only_set_is_sent_nothing_and_the_local_model_answers(
    app: App, server: Server
) -> None:
    app.change_settings(remote_server=server.url, remote_model="big")
    assert app.agreement_wanted() == server.host
    answer, _ = ask(app)
    assert server.asked == []
    assert server.host not in answer.model


def test_what_would_be_sent_is_shown_and_is_what_is_sent(app: App, server: Server) -> None:
    app.change_settings(remote_server=server.url, remote_model="big")
    shown = app.would_send(QUESTION, progress=Progress())
    assert server.asked == []
    assert app.conversations() == ()
    assert any("harbour" in message.text for message in shown)
    app.agree_to_send()
    assert app.agreement_wanted() == ""
    answer, _ = ask(app)
    assert answer.model == f"big on {server.host}"
    roles = [{"role": each.role} for each in shown]
    sent = server.asked[0]["messages"]
    assert isinstance(sent, list)
    assert [{"role": each["role"]} for each in sent] == roles
    assert sent[0]["content"] == shown[0].text


def test_in_a_talk_that_goes_on_what_is_shown_is_all_that_is_sent(app: App, server: Server) -> None:
    before, _ = ask(app)
    app.change_settings(remote_server=server.url)
    talk: dict[str, Any] = {"conversation": before.conversation, "progress": Progress()}
    shown = app.would_send("And what about Robin?", **talk)
    app.agree_to_send()
    list(app.ask("And what about Robin?", **talk))
    (asked,) = server.asked
    assert [each.text for each in shown[1:3]] == [QUESTION, before.text]
    assert masked((each.role, each.text) for each in shown) == masked(
        (each["role"], each["content"]) for each in asked["messages"]
    )
    # Once it is agreed to, the server's cache holds the talk as it was sent.
    again = app.would_send("Where is the boat?", **talk)
    list(app.ask("Where is the boat?", **talk))
    assert masked((each.role, each.text) for each in again) == masked(
        (each["role"], each["content"]) for each in server.asked[-1]["messages"]
    )
    assert len(app.turns(before.conversation or 0)) == 3


def test_a_trial_that_waited_while_a_server_was_agreed_to_sends_nothing(
    app: App, server: Server
) -> None:
    app.change_settings(remote_server=server.url)
    app.agree_to_send()
    with pytest.raises(ModelError, match="A model on a server is not tried"):
        app.try_model(Progress(), fresh=True)
    assert server.asked == []


def test_what_left_is_listed_without_its_words(app: App, server: Server) -> None:
    app.change_settings(remote_server=server.url)
    app.agree_to_send()
    ask(app)
    (line,) = app.sent()
    assert (line.host, line.purpose) == (server.host, "a question")
    assert line.bytes > len(NOTE)
    assert "harbour" not in repr(line)


def test_agreement_is_to_one_server_alone(app: App, server: Server) -> None:
    app.change_settings(remote_server=server.url)
    app.agree_to_send()
    app.change_settings(remote_server="http://127.0.0.1:9/v1")
    assert app.agreement_wanted() == "127.0.0.1:9"
    ask(app)
    assert server.asked == []


def test_the_key_goes_to_the_keyring_and_to_its_server(app: App, server: Server) -> None:
    app.change_settings(remote_server=server.url)
    assert app.keep_server_key(" s3cret ")
    app.agree_to_send()
    ask(app)
    assert server.keys == ["Bearer s3cret"]
    kept = (app.home / "settings.json").read_text()
    assert "s3cret" not in kept
    app.keep_server_key("")
    assert not app.has_server_key()


def test_a_server_that_is_away_leaves_the_users_own_words(app: App) -> None:
    app.change_settings(remote_server="http://127.0.0.1:9/v1")
    app.agree_to_send()
    answer, _ = ask(app)
    assert "127.0.0.1:9 failed" in answer.note
    assert "harbour" in answer.text


def test_an_unsafe_address_is_refused_and_not_kept(app: App) -> None:
    with pytest.raises(ModelError, match="https"):
        app.change_settings(remote_server="http://models.example.org/v1")
    assert app.settings.remote_server == ""


def test_what_reached_nobody_is_listed_as_not_sent(app: App, server: Server) -> None:
    app.change_settings(remote_server=server.url)
    app.agree_to_send()
    server.close()
    ask(app)
    (line,) = app.sent()
    assert line.failed
    assert line.bytes > 0
