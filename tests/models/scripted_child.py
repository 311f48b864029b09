"""A model's process whose behaviour is written in the request: `crash`, `hang`, `say N SECONDS` …

Run by path with the load's script in its options, so that tests need no weights and no torch.
"""

from __future__ import annotations

import os
import struct
import sys
import time
from collections.abc import Iterator
from typing import Any

from clone_app.errors import Cancelled, ModelError
from clone_app.models import wire
from clone_app.models.child import Stop, serve


class Scripted:
    """Do what the last message says."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.said = 0
        self.nice = os.nice(0)

    def facts(self) -> dict[str, Any]:
        return {"spins": os.environ.get("GOMP_SPINCOUNT"), "nice": self.nice}

    def usage(self) -> dict[str, Any]:
        return {"said": self.said}

    def stream(self, request: wire.Stream, stop: Stop) -> Iterator[str]:
        role, text = request.messages[-1]
        word, *numbers = text.split()
        self.said = 0
        if word == "say":  # say COUNT SECONDS: a word each so many seconds
            for number in range(int(numbers[0])):
                self._wait(float(numbers[1]), stop)
                self.said += 1
                yield f"{number} "
        elif word == "echo":
            yield from (role, text, str(request.max_tokens), str(request.temperature))
        elif word == "read":  # a long prompt, as far as a stop is concerned
            self._wait(float(numbers[0]), stop)
            yield "read"
        elif word == "crash":
            yield "before "
            os.abort()
        elif word == "exit":
            os._exit(int(numbers[0]))
        elif word == "hang":  # ignores that it is asked to stop
            time.sleep(float(numbers[0]))
            yield "woke"
        elif word == "noise":
            print("to stdout")
            os.write(1, b"native to stdout\n")
            os.write(2, b"native to stderr\n" * 5000)
            yield "quiet"
        elif word == "world":
            raise ModelError("The prompt is too long. Start a new conversation.")
        elif word == "memory":
            raise MemoryError
        elif word == "bug":
            raise KeyError("ours")
        elif word == "network":
            import socket

            try:
                socket.create_connection(("127.0.0.1", 9), timeout=1)
            except PermissionError:
                yield "refused"
        elif word == "garbage":
            # What a process taken over by a malicious file might send.
            os.write(int(os.environ["REPLIES"]), b"\xff" * 64)
            time.sleep(5)
        else:
            raise AssertionError(text)

    def embed(self, request: wire.Embed, stop: Stop) -> tuple[int, bytes]:
        if self.options.get("embed_seconds"):
            self._wait(self.options["embed_seconds"], stop)
        kind = 2.0 if request.question else 1.0
        return 2, b"".join(struct.pack("<ff", len(text), kind) for text in request.texts)

    def count(self, text: str) -> int:
        return len(text.split())

    def _wait(self, seconds: float, stop: Stop) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if stop():
                raise Cancelled
            time.sleep(0.005)


def load(options: dict[str, Any]) -> Scripted:
    match options.get("load"):
        case "refuse":
            raise ModelError("x.gguf is not a model. Choose another file.")
        case "crash":
            os.abort()
        case "slow":
            time.sleep(options["seconds"])
        case "once":  # crashes at the first start alone
            try:
                os.close(os.open(options["mark"], os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.abort()
    return Scripted(options)


if __name__ == "__main__":
    if len(sys.argv) > 1:  # fd of the replies, before `serve` hides it
        os.environ["REPLIES"] = str(os.dup(1))
    serve(load)
