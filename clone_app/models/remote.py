"""A language model on a server the user named: anything that speaks OpenAI's chat completions.

The one part of answering that leaves the machine. Off until a server is set, and nothing is sent
before the user has seen what and agreed (`app.sending`). vLLM, Ollama and llama.cpp speak this.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

import httpx

from clone_app.errors import ModelError
from clone_app.models.server import Server
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling

CONNECT_SECONDS: Final = 10.0
# A server that reads a long prompt on a slow machine is silent for minutes; one that is away is not.
SILENT_SECONDS: Final = 180.0
POLL_SECONDS: Final = 0.1
# Longer than any answer: what still comes is a server gone wild.
LETTERS_AT_MOST: Final = 200_000
LINE_AT_MOST: Final = 1_000_000
_LATIN_LETTERS_A_TOKEN: Final = 3.2
# From Greek on: tokenizers learn mostly from Latin, and cut other scripts into single letters.
_FIRST_OTHER: Final = "\u0370"
_DONE: Final = object()
# Raised before the first byte of a request; whatever else fails, some of it may have gone.
_UNSENT: Final = (
    httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout,
    httpx.UnsupportedProtocol, httpx.InvalidURL,
)  # fmt: skip


class RemoteChat:
    """Write with a model behind an OpenAI-compatible address; fulfils `protocols.ChatModel`.

    Several threads may stream at once. `sent` hears how many bytes go to which host, each time
    before they do; what it returns, if anything, is called where no connection came about.
    """

    def __init__(
        self,
        server: Server,
        *,
        context: int,
        sent: Callable[[str, int], Callable[[], None] | None] = lambda _, __: None,
        silent_seconds: float = SILENT_SECONDS,
    ) -> None:
        self._server = server
        self._context = context
        self._sent = sent
        self._silent = silent_seconds
        if not (server.key.isascii() and server.key.isprintable()):
            raise ModelError(
                f"The key for {server.host} holds a letter that no key has. Set it anew in Preferences."
            )
        headers = {"Authorization": f"Bearer {server.key}"} if server.key else {}
        self._client = httpx.Client(
            headers=headers,
            timeout=httpx.Timeout(silent_seconds, connect=CONNECT_SECONDS),
            follow_redirects=False,  # a redirect would send a person's words to a host nobody named
            trust_env=False,  # neither a proxy nor a .netrc the user didn't set here
        )

    @property
    def name(self) -> str:
        """Return model and host, as stored with every answer."""
        return f"{self._server.model or 'default'} on {self._server.host}"

    @property
    def context(self) -> int:
        """Return how many tokens the user said fit."""
        return self._context

    def load(self, progress: Progress) -> None:
        """Do nothing: the server holds the model."""
        progress.check()

    def count(self, text: str) -> int:
        """Return about how many tokens the text takes: the server's tokenizer isn't here.

        Measured on the high side: a Latin token is some four letters, in other scripts a letter is one.
        """
        wide = sum(letter >= _FIRST_OTHER for letter in text)
        return wide + int((len(text) - wide) / _LATIN_LETTERS_A_TOKEN) + 1

    def stream(
        self, messages: Sequence[Message], sampling: Sampling, progress: Progress
    ) -> Iterator[str]:
        """Yield pieces of the reply; `Cancelled` closes the connection within a fifth of a second."""
        progress.check()
        body: dict[str, Any] = {
            "messages": [{"role": each.role, "content": each.text} for each in messages],
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "seed": sampling.seed,
            "stream": True,
        }
        if self._server.model:
            body["model"] = self._server.model
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        pieces: queue.Queue[object] = queue.Queue(maxsize=1000)
        unwanted = threading.Event()
        reader = threading.Thread(
            target=self._read, args=(content, pieces, unwanted), name="remote", daemon=True
        )
        unsent = self._sent(self._server.host, len(content))
        reader.start()
        try:
            while True:
                progress.check()
                try:
                    piece = pieces.get(timeout=POLL_SECONDS)
                except queue.Empty:
                    continue
                if piece is _DONE:
                    return
                if isinstance(piece, BaseException):
                    if unsent is not None and isinstance(piece.__cause__, _UNSENT):
                        unsent()
                    raise piece
                yield str(piece)
        finally:
            unwanted.set()

    def restart(self) -> None:
        """Do nothing: the server isn't ours to restart."""

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _read(self, content: bytes, pieces: queue.Queue[object], unwanted: threading.Event) -> None:
        """Read the reply in a thread of its own, since a silent socket hears no Stop."""
        last: object = _DONE
        try:
            for piece in self._reply(content):
                if not _put(pieces, piece, unwanted):
                    return
        except Exception as fault:  # carried to the thread that asked
            last = fault
        _put(pieces, last, unwanted)

    def _reply(self, content: bytes) -> Iterator[str]:
        address = f"{self._server.url}/chat/completions"
        host = self._server.host
        letters = 0
        try:
            with self._client.stream(
                "POST", address, content=content, headers={"Content-Type": "application/json"}
            ) as response:
                if response.status_code != httpx.codes.OK:
                    raise ModelError(_refusal(response.status_code, host))
                kind = response.headers.get("content-type", "")
                if "json" in kind:  # a server that doesn't stream answers all at once
                    yield from _whole(_bounded(response), host)
                    return
                if "event-stream" not in kind:
                    raise ModelError(
                        f"What answers at {host} is no language model. Check the address; it "
                        "usually ends in /v1."
                    )
                for line in _lines(response):
                    if not line.startswith("data:"):
                        continue
                    data = line[5:].strip()
                    if data == "[DONE]":
                        return
                    piece = _delta(data, host)
                    letters += len(piece)
                    if piece:
                        yield piece
                    if letters > LETTERS_AT_MOST:
                        return
        except httpx.TimeoutException as fault:
            raise ModelError(
                f"{host} does not answer. See whether the server runs, or choose the model on this "
                "machine in Preferences."
            ) from fault
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as fault:
            raise ModelError(
                f"The connection to {host} failed ({type(fault).__name__}). Check the address and "
                "the network, or choose the model on this machine in Preferences."
            ) from fault


def _put(pieces: queue.Queue[object], piece: object, unwanted: threading.Event) -> bool:
    """Hand a piece over; False once nobody wants any more."""
    while not unwanted.is_set():
        with suppress(queue.Full):
            pieces.put(piece, timeout=POLL_SECONDS)
            return True
    return False


def _bounded(response: httpx.Response) -> bytes:
    whole = b""
    for chunk in response.iter_bytes():
        whole += chunk
        if len(whole) > LINE_AT_MOST:
            raise ModelError("The server sent no end of data. Check what answers at its address.")
    return whole


def _lines(response: httpx.Response) -> Iterator[str]:
    """Yield decoded lines; a line without end is refused rather than gathered."""
    rest = b""
    for chunk in response.iter_bytes():
        rest += chunk
        *complete, rest = rest.split(b"\n")
        for line in complete:
            yield line.decode("utf-8", "replace").rstrip("\r")
        if len(rest) > LINE_AT_MOST:
            raise ModelError("The server sent no end of data. Check what answers at its address.")
    if rest:
        yield rest.decode("utf-8", "replace")


def _whole(content: bytes, host: str) -> Iterator[str]:
    try:
        text = json.loads(content)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as fault:
        raise ModelError(_not_understood(host)) from fault
    if text:
        yield str(text)[:LETTERS_AT_MOST]


def _delta(data: str, host: str) -> str:
    try:
        event = json.loads(data)
        if "error" in event:
            raise ModelError(
                f"{host} stopped with an error of its own. Look at that server's log, then try again."
            )
        choices = event["choices"]
        return str(choices[0].get("delta", {}).get("content") or "") if choices else ""
    except (
        ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError,
    ) as fault:  # fmt: skip
        raise ModelError(_not_understood(host)) from fault


def _not_understood(host: str) -> str:
    return (
        f"{host} answered in a form this program doesn't know. It must speak OpenAI's chat "
        "completions; check the address in Preferences."
    )


def _refusal(status: int, host: str) -> str:
    """Return what a refusal means to a person. The server's own words may quote the prompt."""
    match status:
        case 401 | 403:
            return f"{host} does not accept the key. Set it anew in Preferences."
        case 404:
            return f"{host} knows no such address or model. Check both in Preferences."
        case 413 | 400 | 422:
            return (
                f"{host} refused the request ({status}). Its model may take fewer tokens than "
                "“Context in tokens” in Preferences says."
            )
        case 429:
            return f"{host} has too much to do. Wait a little and ask again."
        case _:
            return f"{host} answered with status {status}. Look at that server, then try again."
