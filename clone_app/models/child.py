"""What runs in a model's own process: hear requests, serve them one by one, die with the program.

Light on purpose: no numpy, no model library. `serve` gets a function that loads the model, and only
that imports what is heavy.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, NoReturn, Protocol

from clone_app.errors import Cancelled, ModelError
from clone_app.models import wire

FLAG = "--clone-app-model-child"
"""First argument by which a frozen program knows that it was started as a model's process."""

PACKAGE = __name__.rpartition(".")[0] + "."
PDEATHSIG = 1
REFUSED_EVENTS = frozenset({"socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo"})

Stop = Callable[[], bool]


class Served(Protocol):
    """A loaded model as its process sees it; a model that can't do a thing raises `ModelError`."""

    def facts(self) -> dict[str, Any]:
        """Return what the program may want to know: name, context, dimensions."""
        ...

    def stream(self, request: wire.Stream, stop: Stop) -> Iterator[str]:
        """Yield pieces of a reply; raise `Cancelled` soon after `stop()` is true."""
        ...

    def usage(self) -> dict[str, Any]:
        """Return numbers about the last reply."""
        ...

    def likelihoods(self, request: wire.Likelihoods, stop: Stop) -> list[float]:
        """Return the mean log-probability of each option's tokens."""
        ...

    def embed(self, request: wire.Embed, stop: Stop) -> tuple[int, bytes]:
        """Return a vector's length, and the vectors as float32 bytes."""
        ...

    def count(self, text: str) -> int:
        """Return how many tokens the text takes."""
        ...


def serve(load: Callable[[dict[str, Any]], Served]) -> NoReturn:
    """Answer requests from stdin on stdout until the program ends, then end without a word."""
    requests, replies = _take_pipes()
    _behave()
    inbox: queue.SimpleQueue[wire.Talk] = queue.SimpleQueue()
    cancelled: set[int] = set()
    threading.Thread(target=_hear, args=(requests, inbox, cancelled), daemon=True).start()
    model: Served | None = None
    idle: float | None = None
    while True:
        try:
            talk = inbox.get(timeout=idle)
        except queue.Empty:
            wire.write(replies, wire.Asleep())
            os._exit(0)
        try:
            if isinstance(talk, wire.Load):
                idle = talk.idle_seconds or None
                model = load(talk.options)
                _make_way(talk.niceness)  # not before: the first question may be waiting for it
                wire.write(replies, wire.Done(talk.id, model.facts()))
            else:
                _answer(model, talk, replies, cancelled)
        except Cancelled:
            wire.write(replies, wire.Stopped(talk.id))
        except ModelError as fault:
            wire.write(replies, wire.Failed(talk.id, str(fault), True))
        except MemoryError:
            wire.write(replies, wire.Failed(talk.id, _no_memory(), True))
        except BrokenPipeError:
            os._exit(0)
        except Exception:
            wire.write(replies, wire.Failed(talk.id, traceback.format_exc(), False))
        finally:
            cancelled.discard(talk.id)


def _answer(model: Served | None, talk: wire.Talk, replies: IO[bytes], cancelled: set[int]) -> None:
    """Serve one request and write its last reply."""

    def stop() -> bool:
        return talk.id in cancelled

    if stop():
        raise Cancelled
    if isinstance(talk, wire.Ping):
        wire.write(replies, wire.Done(talk.id, {"pid": os.getpid()}))
        return
    if model is None:
        raise ModelError("No model is loaded. Choose one in Preferences › Models.")
    match talk:
        case wire.Stream():
            for piece in model.stream(talk, stop):
                wire.write(replies, wire.Piece(talk.id, piece))
                if stop():
                    raise Cancelled
            wire.write(replies, wire.Done(talk.id, model.usage()))
        case wire.Likelihoods():
            wire.write(replies, wire.Done(talk.id, {"scores": model.likelihoods(talk, stop)}))
        case wire.Embed():
            dimensions, payload = model.embed(talk, stop)
            wire.write(replies, wire.Vectors(talk.id, len(talk.texts), dimensions, payload))
        case wire.Count():
            wire.write(replies, wire.Done(talk.id, {"tokens": model.count(talk.text)}))
        case _:
            raise ValueError(f"{type(talk).__name__} is no request")


def _hear(
    requests: IO[bytes], inbox: queue.SimpleQueue[wire.Talk], cancelled: set[int]
) -> NoReturn:
    """Pass requests on, and end the process once the program is gone, whatever the model is doing.

    The pipe ends when the program does, kill -9 included: the one sign every platform gives.
    """
    with contextlib.suppress(OSError, wire.BrokenPipeTalkError):
        while (talk := wire.read(requests)) is not None:
            if isinstance(talk, wire.Cancel):
                cancelled.add(talk.target)
            else:
                inbox.put(talk)
    os._exit(0)


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Keep the two pipes for messages; what libraries print goes to stderr, which is drained."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


ENVIRONMENT = {
    # How long threads that wait for each other spin before they sleep. The default, 300 times that,
    # is no faster with the cores to oneself, and with an import running it leaves llama.cpp a
    # third of the words a second: its threads spin for one that isn't running.
    "GOMP_SPINCOUNT": "1000",
    "TOKENIZERS_PARALLELISM": "false",  # the threads that embed make their own tokens
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    # Each compiled matrix product takes 1 MB, and torch would keep a thousand.
    "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "256",
}


def _behave() -> None:
    """Make this process one that can't outlive, outweigh or give away what it works for."""
    os.environ.update(ENVIRONMENT)  # before any library that reads it at its import
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the program's to answer
    # Whatever a model library would like to fetch or report: no connection is made from here.
    sys.addaudithook(_refuse_network)
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            # The reading thread that started us lives as long as it reads us, so its end is ours.
            ctypes.CDLL(None, use_errno=True).prctl(PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        # If memory runs out, the model goes and the window stays.
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:  # noqa: PTH123
            score.write("500")
    if sys.platform != "win32":
        import resource

        # A core file would hold the prompt in plain text.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _refuse_network(event: str, _: tuple[Any, ...]) -> None:
    if event in REFUSED_EVENTS:
        raise PermissionError("a model's process has no network")


def _make_way(niceness: int) -> None:
    """Lower the priority of this thread and of those it will start, so that background work yields."""
    if niceness and hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(niceness)


def _no_memory() -> str:
    return (
        "There is not enough memory for this model. "
        "Close other programs or choose a smaller one in Preferences › Models."
    )


def main(module: str) -> NoReturn:
    """Serve the model that `module` knows to load."""
    serve(lambda options: _load(module, options))


def _load(module: str, options: dict[str, Any]) -> Served:
    # Imported at the first request, so that a library which can't be imported is an answer.
    try:
        served: Served = importlib.import_module(module).load(options)
    except ImportError as fault:
        raise ModelError(
            f"A part the model needs can't be loaded ({fault}). "
            "Run `python3 packaging/dev.py run` to install it again."
        ) from fault
    return served


def serve_if_asked(arguments: Sequence[str]) -> None:
    """Become a model's process if a frozen program was started as one; return otherwise.

    Called first of all by `__main__`, since a frozen program has no `python -c`.
    """
    if len(arguments) == 3 and arguments[1] == FLAG and arguments[2].startswith(PACKAGE):
        main(arguments[2])
