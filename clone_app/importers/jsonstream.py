"""JSON files of any size, one part of a list at a time; what follows a broken place is not guessed.

Not ijson: its memory grows with the square of the nesting, and 100,000 brackets take it all.
"""

from __future__ import annotations

import codecs
import itertools
import json
from collections.abc import Container, Iterator
from typing import Any, BinaryIO

from clone_app.entries import clean_text
from clone_app.protocols import Member

PART_LIMIT = 16_000_000
_BLOCK = 1 << 18
_SPACE = " \t\r\n\ufeff"
_NUMBER = (*"0123456789.eE+-", "")
_DECODER = json.JSONDecoder(strict=False)  # control characters within strings are let pass


class JsonFault(Exception):  # noqa: N818 - becomes a listed problem; nobody sees it as an error
    """Say where a file stops being JSON; what came before it has been read."""


class _Reader:
    """Read values off a stream; only the part being read is in memory."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text, self._at, self._ended = "", 0, False

    def skip_to_bracket(self) -> None:
        """Pass over the JavaScript in front of the data: `window.YTD.tweets.part0 = `."""
        self._more()
        starts = [at for at in (self._text.find("["), self._text.find("{")) if at >= 0]
        self._at = min(starts, default=0)

    def peek(self) -> str:
        """Return the next sign that is no white space, nothing at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _SPACE:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def take(self, signs: str) -> str:
        """Take the next sign, which must be one of these."""
        sign = self.peek()
        if not sign or sign not in signs:
            raise self.fault()
        self._at += 1
        return sign

    def value(self) -> Any:
        """Take the next value whole."""
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError as deep:
                raise JsonFault("is nested deeper than any export; the rest was not read") from deep
            except json.JSONDecodeError as early:
                if not self._more():
                    cut = early.msg.startswith("Unterminated") or early.pos >= len(self._text)
                    raise (_broken_off() if cut else self.fault()) from early
            except ValueError as odd:  # a number of thousands of digits
                raise self.fault() from odd
            else:
                # A number at the end of what has been read may go on: "45" of "45.5", "45." too.
                goes_on = self._text[end : end + 1] in _NUMBER and self._text[end - 1] not in '"]}'
                if not goes_on or not self._more():
                    self._at = end
                    return value

    def items(self) -> Iterator[Any]:
        """Take a list, one value at a time."""
        for _ in self.places():
            yield self.value()

    def places(self) -> Iterator[int]:
        """Take a list; whoever asks for the places takes the value at each."""
        self.take("[")
        if self.peek() == "]":
            self.take("]")
            return
        for index in itertools.count():
            yield index
            if self.take(",]") == "]":
                return

    def names(self) -> Iterator[str]:
        """Take an object; whoever asks for the keys takes the value behind each."""
        self.take("{")
        if self.peek() == "}":
            self.take("}")
            return
        while True:
            if self.peek() != '"':
                raise self.fault()
            key = str(self.value())
            self.take(":")
            yield key
            if self.take(",}") == "}":
                return

    def fault(self) -> JsonFault:
        """Return the fault at the present place."""
        if self._ended and self._at >= len(self._text):
            return _broken_off()
        return JsonFault("is no JSON from here on; download or copy it again")

    def _more(self) -> bool:
        """Read on, twice as much as is waiting, so that a long part is not looked at too often."""
        if self._ended:
            return False
        waiting = self._text[self._at :]
        if len(waiting) > PART_LIMIT:
            raise JsonFault("has a part longer than sixteen million letters; the rest was not read")
        data = self._stream.read(max(_BLOCK, len(waiting)))
        self._ended = not data
        self._text, self._at = waiting + self._decoder.decode(data, final=self._ended), 0
        return True


def _broken_off() -> JsonFault:
    return JsonFault("breaks off in the middle; download or copy it again")


def elements(member: Member, *, script: bool = False) -> Iterator[Any]:
    """Yield the values of a file that is one list; with `script`, of one behind `name = `.

    Raises `JsonFault` where the file breaks off or is no JSON, `ArchiveError` where it can't be
    read.
    """
    with member.open() as stream:
        reader = _Reader(stream)
        if script:
            reader.skip_to_bracket()
        yield from reader.items()


def pairs(member: Member, *, streamed: str) -> Iterator[tuple[str, Any]]:
    """Yield the pairs of a file that is one object; the list at `streamed` comes value by value.

    Raises what `elements` raises.
    """
    with member.open() as stream:
        reader = _Reader(stream)
        for key in reader.names():
            if key == streamed and reader.peek() == "[":
                for value in reader.items():
                    yield key, value
            else:
                yield key, reader.value()


def branches(
    stream: BinaryIO, opened: Container[tuple[str, ...]], *, script: bool = False
) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield each value with the way to it; lists and objects at the `opened` places in their parts.

    A place is the way to it with `*` for a place in a list: `("chats", "list", "*", "messages")`.
    With `script`, what stands before the first bracket is passed over. Raises `JsonFault` as
    `elements` does.
    """
    reader = _Reader(stream)
    if script:
        reader.skip_to_bracket()
    yield from _branches(reader, (), (), opened)


def _branches(
    reader: _Reader,
    way: tuple[str | int, ...],
    place: tuple[str, ...],
    opened: Container[tuple[str, ...]],
) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    sign = reader.peek() if place in opened else ""
    if sign == "{":
        for key in reader.names():
            yield from _branches(reader, (*way, key), (*place, key), opened)
    elif sign == "[":
        for index in reader.places():
            yield from _branches(reader, (*way, index), (*place, "*"), opened)
    else:
        yield way, reader.value()


def text_of(value: object) -> str:
    """Return a value that should be a text, a whole number too, as clean text; else nothing."""
    if isinstance(value, str):
        return clean_text(value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def list_of(value: object) -> list[Any]:
    """Return a value that should be a list, an empty one where it is something else."""
    return value if isinstance(value, list) else []


def dicts_of(value: object) -> list[dict[str, Any]]:
    """Return the objects of a value that should be a list of objects."""
    return [part for part in list_of(value) if isinstance(part, dict)]


def dict_of(value: object) -> dict[str, Any]:
    """Return a value that should be an object, an empty one where it is something else."""
    return value if isinstance(value, dict) else {}
