"""What the program and a model's process say to each other, and how it looks in the pipe.

A frame is two lengths, a JSON object and raw bytes. Not pickle: the child reads files that
strangers made, and nothing it answers may ever run as code in the program's own process.
"""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, dataclass, field, fields
from typing import IO, Any, ClassVar, TypeAlias

LENGTHS = struct.Struct(">II")
LARGEST = 64 * 1024 * 1024
"""Bytes of a frame's part beyond which the other side is broken, not busy."""


class BrokenPipeTalkError(Exception):
    """Say that what came through the pipe is no message: the other side is not to be trusted."""


@dataclass(frozen=True, slots=True)
class Load:
    """Ask for the model. `options` are the model's own; the rest is how its process behaves."""

    id: int
    options: dict[str, Any]
    niceness: int = 0
    idle_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Stream:
    """Ask for a reply to messages, each a (role, text), piece by piece."""

    id: int
    messages: list[list[str]]
    max_tokens: int
    temperature: float
    seed: int
    choices: list[str] = field(default_factory=list)
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """Ask how likely each option is as the reply to messages."""

    id: int
    messages: list[list[str]]
    options: list[str]


@dataclass(frozen=True, slots=True)
class Embed:
    """Ask for one vector a text; `question` tells what is asked from what may answer it."""

    id: int
    texts: list[str]
    question: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """Ask how many tokens a text takes."""

    id: int
    text: str


@dataclass(frozen=True, slots=True)
class Ping:
    """Ask whether anybody is there."""

    id: int


@dataclass(frozen=True, slots=True)
class Cancel:
    """Ask to stop request `target`, whether it runs or waits. Has no reply of its own."""

    id: int
    target: int


@dataclass(frozen=True, slots=True)
class Piece:
    """Hand over a piece of a reply; more follow until `Done`."""

    id: int
    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """End a request well. `facts` are numbers and names about it or about the model."""

    id: int
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Vectors:
    """Hand over vectors: `count` × `dimensions` float32, row after row, as the frame's bytes."""

    id: int
    count: int
    dimensions: int
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class Stopped:
    """End a request that was cancelled."""

    id: int


@dataclass(frozen=True, slots=True)
class Failed:
    """End a request badly. `world` tells a sentence for the user from a traceback of ours."""

    id: int
    text: str
    world: bool


@dataclass(frozen=True, slots=True)
class Asleep:
    """Say goodbye: nothing was asked for a while, and the memory is wanted elsewhere."""

    id: int = 0


Talk: TypeAlias = (
    Load
    | Stream
    | Likelihoods
    | Embed
    | Count
    | Ping
    | Cancel
    | Piece
    | Done
    | Vectors
    | Stopped
    | Failed
    | Asleep
)


class Kinds:
    """Name every message that may travel; anything else in the pipe is a broken pipe."""

    BY_NAME: ClassVar[dict[str, type[Talk]]] = {
        kind.__name__: kind
        for kind in (
            *(Load, Stream, Likelihoods, Embed, Count, Ping, Cancel),
            *(Piece, Done, Vectors, Stopped, Failed, Asleep),
        )
    }


def write(pipe: IO[bytes], talk: Talk) -> None:
    """Write one message and flush; raise `OSError` or `ValueError` where the pipe is closed."""
    if isinstance(talk, Vectors):
        payload = talk.payload
        body = {"id": talk.id, "count": talk.count, "dimensions": talk.dimensions}
    else:
        payload = b""
        body = asdict(talk)
    # ASCII: a lone surrogate in someone's text travels as an escape instead of raising here.
    head = json.dumps([type(talk).__name__, body]).encode("ascii")
    pipe.write(LENGTHS.pack(len(head), len(payload)) + head + payload)
    pipe.flush()


def read(pipe: IO[bytes]) -> Talk | None:
    """Read one message; None where the pipe has ended (also in the middle of a message)."""
    lengths = _exactly(pipe, LENGTHS.size)
    if lengths is None:
        return None
    head_size, payload_size = LENGTHS.unpack(lengths)
    if head_size > LARGEST or payload_size > LARGEST:
        raise BrokenPipeTalkError(f"a frame of {head_size} + {payload_size} bytes")
    head = _exactly(pipe, head_size)
    payload = _exactly(pipe, payload_size)
    if head is None or payload is None:
        return None
    try:
        name, body = json.loads(head)
        kind = Kinds.BY_NAME[name]
        if set(body) - {part.name for part in fields(kind)} or not isinstance(body["id"], int):
            raise BrokenPipeTalkError(f"strange parts in {name}")
        if kind is Vectors:
            body["payload"] = payload
            if body["count"] * body["dimensions"] * 4 != len(payload):
                raise BrokenPipeTalkError("vectors of another size than announced")
        return kind(**body)
    except (ValueError, TypeError, KeyError, RecursionError) as fault:
        raise BrokenPipeTalkError(f"no message: {type(fault).__name__}") from fault


def _exactly(pipe: IO[bytes], size: int) -> bytes | None:
    """Read just so many bytes, None where the pipe ends before."""
    read_so_far = pipe.read(size)
    return read_so_far if read_so_far is not None and len(read_so_far) == size else None
