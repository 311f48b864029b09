"""A model on a server: what is sent, what comes back, and every way a server can be wrong."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from clone_app.errors import Cancelled, ModelError
from clone_app.models.remote import RemoteChat
from clone_app.models.server import Server, checked_url
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling

ASK = [Message("system", "You are Ada."), Message("user", "Where do you live? 你住哪里")]
Reply = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serving(reply: Reply) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Run a server that keeps each request it gets and answers with `reply`."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            asked.append({"path": self.path, "headers": dict(self.headers), "body": body})
            reply(self)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def answering(status: int, kind: str, *chunks: bytes) -> Reply:
    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        for chunk in chunks:
            handler.wfile.write(chunk)
            handler.wfile.flush()

    return reply


def event(text: str) -> bytes:
    return b"data: " + json.dumps({"choices": [{"delta": {"content": text}}]}).encode() + b"\n\n"


def ask(url: str, *, key: str = "", **options: Any) -> list[str]:
    chat = RemoteChat(Server(url=url, model="small", key=key), context=4096, **options)
    try:
        return list(chat.stream(ASK, Sampling(max_tokens=9, seed=3), Progress()))
    finally:
        chat.close()


def test_pieces_arrive_in_order_and_the_request_is_a_chat_completion() -> None:
    reply = answering(
        200,
        "text/event-stream",
        event("In "),
        event("Leeds"),
        b": a comment\n\n",
        b"data: [DONE]\n\n",
    )
    sent: list[tuple[str, int]] = []
    with serving(reply) as (url, asked):
        assert ask(url, key="s3cret", sent=lambda *each: sent.append(each)) == ["In ", "Leeds"]
    body = json.loads(asked[0]["body"])
    assert asked[0]["path"] == "/v1/chat/completions"
    assert asked[0]["headers"]["Authorization"] == "Bearer s3cret"
    assert body == {
        "model": "small",
        "messages": [{"role": each.role, "content": each.text} for each in ASK],
        "max_tokens": 9,
        "temperature": 0.2,
        "seed": 3,
        "stream": True,
    }
    assert sent == [(url.split("/")[2], len(asked[0]["body"]))]


def test_a_letter_cut_between_two_packets_arrives_whole() -> None:
    whole = b"data: " + json.dumps(
        {"choices": [{"delta": {"content": "利兹"}}]}, ensure_ascii=False
    ).encode("utf-8")
    cut = whole.index("利".encode()) + 1
    reply = answering(
        200, "text/event-stream", whole[:cut], whole[cut:] + b"\r\n\r\ndata: [DONE]\n"
    )
    with serving(reply) as (url, _):
        assert ask(url) == ["利兹"]


def test_a_server_that_does_not_stream_is_heard_too() -> None:
    whole = json.dumps({"choices": [{"message": {"content": "In Leeds."}}]}).encode()
    with serving(answering(200, "application/json", whole)) as (url, _):
        assert ask(url) == ["In Leeds."]


@pytest.mark.parametrize(
    ("status", "says"),
    [(401, "key"), (404, "address or model"), (400, "tokens"), (429, "Wait"), (500, "status 500")],
)
def test_a_refusal_is_a_sentence_that_says_what_to_do(status: int, says: str) -> None:
    private = b'{"error": "your prompt was: dear diary"}'
    with (
        serving(answering(status, "application/json", private)) as (url, _),
        pytest.raises(ModelError, match=says) as fault,
    ):
        ask(url)
    assert "dear diary" not in str(fault.value)


@pytest.mark.parametrize(
    ("kind", "content", "says"),
    [
        ("text/html", b"<html>Log in to the hotel's network</html>", "no language model"),
        ("text/event-stream", b"data: {not json\n\n", "form this program doesn't know"),
        ("text/event-stream", b'data: {"error": {"message": "x"}}\n\n', "error of its own"),
        ("application/json", b"[]", "form this program doesn't know"),
        (
            "text/event-stream",
            b"data: " + b"[" * 90_000 + b"\n\n",
            "form this program doesn't know",
        ),
        ("application/json", b"[" * 90_000, "form this program doesn't know"),
        ("application/json", b"", "form this program doesn't know"),
        ("text/event-stream", b"data: " + b"x" * 1_200_000, "no end"),
    ],
)
def test_a_server_that_talks_nonsense_is_named(kind: str, content: bytes, says: str) -> None:
    with serving(answering(200, kind, content)) as (url, _), pytest.raises(ModelError, match=says):
        ask(url)


def test_a_key_that_no_server_could_have_given_is_a_sentence() -> None:
    with pytest.raises(ModelError, match="Set it anew in Preferences"):
        ask("http://localhost:9/v1", key="schlüssel")


def test_a_redirect_is_not_followed() -> None:
    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(307)
        handler.send_header("Location", "http://127.0.0.1:9/v1/chat/completions")
        handler.end_headers()

    with serving(reply) as (url, asked):
        with pytest.raises(ModelError, match="status 307"):
            ask(url)
        assert len(asked) == 1


def test_nobody_at_the_address_is_a_sentence() -> None:
    with pytest.raises(ModelError, match=r"127\.0\.0\.1:9 failed .*Preferences"):
        ask("http://127.0.0.1:9/v1")


def test_a_server_that_falls_silent_is_given_up() -> None:
    free = threading.Event()
    with serving(lambda _: free.wait(5) and None) as (url, _):
        with pytest.raises(ModelError, match="does not answer"):
            ask(url, silent_seconds=0.2)
        free.set()


def test_stop_is_heard_while_the_server_is_silent() -> None:
    free, progress = threading.Event(), Progress()

    def reply(handler: BaseHTTPRequestHandler) -> None:
        answering(200, "text/event-stream", event("In "))(handler)
        free.wait(10)

    with serving(reply) as (url, _):
        chat = RemoteChat(Server(url=url, model=""), context=4096)
        stream = chat.stream(ASK, Sampling(), progress)
        assert next(stream) == "In "
        begun = time.monotonic()
        threading.Timer(0.05, progress.cancel).start()
        with pytest.raises(Cancelled):
            next(stream)
        assert time.monotonic() - begun < 5
        free.set()
        chat.close()


def test_several_questions_are_in_flight_at_once() -> None:
    meeting = threading.Barrier(3, timeout=10)

    def reply(handler: BaseHTTPRequestHandler) -> None:
        meeting.wait()  # nobody is answered before all three have asked
        answering(200, "text/event-stream", event("here"), b"data: [DONE]\n\n")(handler)

    with serving(reply) as (url, _):
        chat = RemoteChat(Server(url=url, model=""), context=4096)
        said: list[str] = []

        def one() -> None:
            said.extend(chat.stream(ASK, Sampling(), Progress()))

        threads = [threading.Thread(target=one) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        chat.close()
    assert said == ["here"] * 3


def test_tokens_are_counted_on_the_high_side_in_either_script() -> None:
    chat = RemoteChat(Server(url="http://localhost/v1", model=""), context=4096)
    assert chat.count("I walked to the harbour.") >= 6
    assert chat.count("我昨天去了港口") >= 7
    assert chat.count("ذهبت إلى الميناء أمس") >= 17
    chat.close()


@pytest.mark.parametrize(
    "url",
    [
        "https://models.example.org/v1",
        "http://localhost:8080/v1/",
        "http://192.168.1.5:8000/v1",
        "http://tower:8000/v1",
        "http://[fd00::5]:8000/v1",
    ],
)
def test_addresses_with_tls_or_within_the_house_are_taken(url: str) -> None:
    assert checked_url(f" {url} ") == url.rstrip("/")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://models.example.org/v1", "https"),
        ("http://8.8.8.8/v1", "https"),
        ("http://134744072/v1", "https"),  # 8.8.8.8 in one number
        ("http://0x08080808/v1", "https"),
        ("http://[::ffff:8.8.8.8]/v1", "https"),
        ("localhost:8080", "not a server's address"),
        ("ftp://localhost/", "not a server's address"),
        ("http://[::1", "not a server's address"),
        ("http://localhost:99999/", "not a server's address"),
        ("https://me:pw@models.example.org/v1", "its own field"),
    ],
)
def test_other_addresses_are_refused_with_what_to_do(url: str, says: str) -> None:
    with pytest.raises(ModelError, match=says):
        checked_url(url)


def test_a_key_is_never_shown_with_its_server() -> None:
    assert "s3cret" not in repr(Server(url="http://localhost/v1", model="m", key="s3cret"))


def test_only_a_connection_that_never_was_is_taken_back() -> None:
    def counting(back: list[int]) -> Callable[[str, int], Callable[[], None]]:
        return lambda _, size: lambda: back.append(size)

    back: list[int] = []
    with serving(answering(500, "text/plain")) as (url, _), pytest.raises(ModelError):
        ask(url, sent=counting(back))
    assert back == []
    with pytest.raises(ModelError):  # the server is gone now
        ask(url, sent=counting(back))
    assert len(back) == 1
