"""Control characters are taken out of JSON wherever a block ends, and nothing else is touched."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.importers.mended import Mended


class Dripping(io.BytesIO):
    """Give so few bytes at a time that every place is an end of a block once."""

    step = 1

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self.step)


def mend(data: bytes, step: int) -> tuple[bytes, int]:
    stream = Dripping(data)
    stream.step = step
    mended = Mended(stream)
    out = b"".join(iter(mended.read, b""))
    return out, mended.count


@pytest.mark.parametrize("step", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    ("data", "right", "count"),
    [
        (b'"a\\x1Fb"', b'"ab"', 1),
        (b'"a\\x0Bb"', b'"a\\nb"', 1),
        (b'"a\x00\x1f\x7fb"', b'"ab"', 3),
        (b'"a\\\\x1Fb"', b'"a\\\\x1Fb"', 0),
        (b'"a\\\\\\x1Fb"', b'"a\\\\b"', 1),
        (b'"\\n\\u00e9\\"\t\n"', b'"\\n\\u00e9\\"\t\n"', 0),
        (b"\\", b"\\", 0),
        (b"\\x", b"\\x", 0),
    ],
)
def test_what_json_does_not_know_is_taken_out(
    data: bytes, right: bytes, count: int, step: int
) -> None:
    assert mend(data, step) == (right, count)


@given(st.text(), st.integers(1, 9))
def test_right_json_stays_as_it_is(text: str, step: int) -> None:
    data = json.dumps(text.replace("\x7f", "")).encode()
    assert mend(data, step) == (data, 0)
