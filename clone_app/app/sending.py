"""Answering with a model on a server: what would be sent, the agreement to it, what was sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from clone_app.app.chatting import Chatting
from clone_app.asking import Talks
from clone_app.entries import NO_FILTERS, Dial, Filters
from clone_app.errors import KeyingError, ModelError
from clone_app.memory.sent import Departure, Sent
from clone_app.persona.document import Audience
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Message, Sampling


class Rehearsal:
    """Be sent what a model would be sent, keep it and say nothing: so it can be shown before."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.messages: tuple[Message, ...] = ()

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self._model.name

    @property
    def context(self) -> int:
        """Return how many tokens fit."""
        return self._model.context

    def load(self, progress: Progress) -> None:
        """Do nothing."""

    def count(self, text: str) -> int:
        """Return how many tokens the text takes."""
        return self._model.count(text)

    def stream(self, messages: Sequence[Message], _: Sampling, __: Progress) -> Iterator[str]:
        """Keep the messages."""
        self.messages = tuple(messages)
        yield from ()


class Sending(Chatting):
    """Let a server answer, once the user has seen and agreed to what goes there."""

    def agreement_wanted(self) -> str:
        """Return the host of a server that is set and not agreed to yet, empty for none."""
        server = self._server()
        return server.host if server is not None and self.writing and not self._agreed() else ""

    def would_send(
        self,
        question: str,
        *,
        at: str | None = None,
        conversation: int | None = None,
        audience: Audience = Audience.PRIVATE,
        dial: Dial | None = None,
        filters: Filters = NO_FILTERS,
        progress: Progress,
    ) -> tuple[Message, ...]:
        """Return what would go to the server for a question; nothing is sent, nothing kept.

        Empty where the question would be answered without any model. A server that is not agreed to yet
        has read nothing of a conversation that goes on: it is told again.
        """
        rehearsal = Rehearsal(self._remote_chat())
        with suppress(ModelError):  # of a model that says nothing
            for _ in self._answer(
                question,
                at=at,
                conversation=conversation,
                chat=rehearsal,
                kept=None,
                rehearsed=self._talks.copy() if self._agreed() else Talks(),
                audience=audience,
                dial=dial,
                filters=filters,
                progress=progress,
            ):
                pass
        return rehearsal.messages

    def agree_to_send(self) -> None:
        """Remember that the user agreed to what goes to the server that is set now."""
        self._writer().set_fact("agreed to send", self.settings.remote_server)
        self._talks.forget()

    def use_server_key(self, key: str) -> None:
        """Take the server's key for as long as the profile is open."""
        self._remote_key = key.strip()
        self._hang_up()

    def keep_server_key(self, key: str) -> bool:
        """Take the server's key, and into the keyring where there is one; tell whether it is kept.

        An empty key forgets it.
        """
        self.use_server_key(key)
        if not self._vault.works():
            return False
        with suppress(KeyingError):
            self._vault.put(f"server {self.settings.remote_server}", self._remote_key.encode())
            return True
        return False

    def has_server_key(self) -> bool:
        """Tell whether a key for the server that is set is known."""
        server = self._server()
        return server is not None and bool(server.key)

    def sent(self) -> tuple[Departure, ...]:
        """Return what left this machine, the latest first."""
        return Sent(self._store().base).list()
