"""Frames in the pipe: what goes in comes out, and what is no message is refused."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.models import wire

ANY_TEXT = st.text(st.characters(codec=None))


def through(talk: wire.Talk) -> wire.Talk | None:
    pipe = io.BytesIO()
    wire.write(pipe, talk)
    pipe.seek(0)
    return wire.read(pipe)


def frame(head: bytes, payload: bytes = b"") -> io.BytesIO:
    return io.BytesIO(wire.LENGTHS.pack(len(head), len(payload)) + head + payload)


@pytest.mark.parametrize(
    "talk",
    [
        wire.Load(1, {"path": "/x", "threads": 0}, niceness=10, idle_seconds=2.5),
        wire.Stream(2, [["user", "hi"]], max_tokens=3, temperature=0.5, seed=7),
        wire.Stream(
            2, [["user", "hi"]], max_tokens=3, temperature=0.5, seed=7, choices=["A"], fresh=True
        ),
        wire.Likelihoods(3, [["user", "hi"]], ["A", ""]),
        wire.Embed(3, ["a", ""]),
        wire.Count(4, "a"),
        wire.Ping(5),
        wire.Cancel(6, 2),
        wire.Piece(7, "é"),
        wire.Done(8, {"tokens": 3}),
        wire.Vectors(9, 1, 2, b"\0\0\x80\x3f\0\0\0\0"),
        wire.Stopped(10),
        wire.Failed(11, "A sentence. Do this.", True),
        wire.Asleep(),
    ],
)
def test_every_message_arrives_as_it_was_sent(talk: wire.Talk) -> None:
    assert through(talk) == talk


@given(ANY_TEXT)
def test_any_text_travels_lone_surrogates_included(text: str) -> None:
    assert through(wire.Count(1, text)) == wire.Count(1, text)


def test_messages_follow_each_other_until_the_pipe_ends() -> None:
    pipe = io.BytesIO()
    wire.write(pipe, wire.Ping(1))
    wire.write(pipe, wire.Ping(2))
    pipe.seek(0)
    assert [wire.read(pipe), wire.read(pipe), wire.read(pipe)] == [wire.Ping(1), wire.Ping(2), None]


@pytest.mark.parametrize("cut", [1, 7, 8, 12, -1])
def test_a_pipe_that_ends_within_a_message_has_ended(cut: int) -> None:
    pipe = io.BytesIO()
    wire.write(pipe, wire.Count(1, "some text"))
    assert wire.read(io.BytesIO(pipe.getvalue()[:cut])) is None


@pytest.mark.parametrize(
    "head",
    [
        b"\xff\xfe",
        b"null",
        b"[]",
        b'["Ping"]',
        b'["Ping", null]',
        b'["Ping", {}]',
        b'["Ping", {"id": "1"}]',
        b'["Ping", {"id": 1, "more": 2}]',
        b'["os.system", {"id": 1}]',
        b'["Piece", {"id": 1}]',
        b'["Vectors", {"id": 1, "count": 1000000, "dimensions": 384}]',
        b'["Vectors", {"id": 1, "count": "a", "dimensions": 384}]',
        b"[" * 100_000,
    ],
)
def test_what_is_no_message_is_refused(head: bytes) -> None:
    with pytest.raises(wire.BrokenPipeTalkError):
        wire.read(frame(head))


def test_a_length_beyond_reason_is_refused_before_anything_is_read() -> None:
    with pytest.raises(wire.BrokenPipeTalkError, match="4294967295"):
        wire.read(io.BytesIO(b"\xff" * 8))


@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_end_the_talk(noise: bytes) -> None:
    for pipe in (io.BytesIO(noise), frame(noise)):
        try:
            talk = wire.read(pipe)
        except wire.BrokenPipeTalkError:
            continue
        assert talk is None


def test_a_frame_is_json_and_no_pickle() -> None:
    pipe = io.BytesIO()
    wire.write(pipe, wire.Ping(1))
    assert json.loads(pipe.getvalue()[8:]) == ["Ping", {"id": 1}]
