"""The look at a file before native code sees it (the GGUF format, versions 2 and 3)."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.errors import ModelError
from clone_app.models.gguf import GgufHeader, read_gguf

Write = Callable[[bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(content: bytes) -> Path:
        path = tmp_path / "some.gguf"
        path.write_bytes(content)
        return path

    return write_file


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def entry(key: str, kind: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + value


def gguf(*entries: bytes, version: int = 3, tensors: int = 1, keys: int | None = None) -> bytes:
    head = struct.pack("<4sIQQ", b"GGUF", version, tensors, len(entries) if keys is None else keys)
    return head + b"".join(entries) + b"\0" * 64


WHOLE = (
    entry("general.architecture", 8, text("llama")),
    entry("general.name", 8, text("Small")),
    entry("general.license", 8, text("apache-2.0")),
    entry("general.tags", 9, struct.pack("<IQ", 8, 2) + text("a") + text("b")),
    entry("some.numbers", 9, struct.pack("<IQ3i", 5, 3, 1, 2, 3)),
    entry("llama.rope", 6, struct.pack("<f", 0.5)),
    entry("llama.flag", 7, b"\1"),
    entry("llama.context_length", 4, struct.pack("<I", 8192)),
)


def test_the_header_tells_what_the_file_says_of_itself(write: Write) -> None:
    assert read_gguf(write(gguf(*WHOLE))) == GgufHeader(
        version=3,
        tensors=1,
        keys=8,
        architecture="llama",
        name="Small",
        licence="apache-2.0",
        context=8192,
    )


def test_a_file_that_says_little_is_still_a_model(write: Write) -> None:
    header = read_gguf(write(gguf(entry("a", 7, b"\1"), version=2)))
    assert (header.version, header.architecture, header.name, header.context) == (2, "", "", 0)


def test_what_follows_the_tokenizer_is_not_read(write: Write) -> None:
    absurd = entry("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 2**60))
    assert read_gguf(write(gguf(*WHOLE, absurd))).context == 8192


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is not a GGUF model file"),
        (b"GG", "is not a GGUF model file"),
        (b"<!DOCTYPE html><html>", "is not a GGUF model file"),
        (b"PK\3\4" + b"\0" * 100, "is not a GGUF model file"),
        (b"GGUF", "ends too early"),
        (b"GGUF" + b"\0" * 8, "version 0, which is not known"),
        (gguf(*WHOLE, version=1), "version 1, which is not known"),
        (gguf(*WHOLE, version=0x03000000), "version 50331648, which is not known"),
        (gguf(*WHOLE, tensors=0), "claims 0 tensors"),
        (gguf(*WHOLE, tensors=2**63), "claims 9223372036854775808 tensors"),
        (gguf(*WHOLE, tensors=50), "claims 50 tensors"),  # more than the file has room for
        (gguf(*WHOLE, keys=2**64 - 1), "claims 18446744073709551615 keys"),
        (gguf(*WHOLE, keys=0), "claims 0 keys"),
        (gguf(entry("", 4, b"\0\0\0\0")), "a key has no name"),
        (gguf(struct.pack("<Q", 2**62)), "a text claims 4611686018427387904 bytes"),
        (gguf(entry("a", 8, struct.pack("<Q", 2**40))), "a text claims 1099511627776 bytes"),
        (gguf(entry("a", 9, struct.pack("<IQ", 8, 2**61))), "a list claims"),
        (gguf(entry("a", 9, struct.pack("<IQ", 4, 2**61))), "a list claims"),
        (gguf(entry("a", 9, struct.pack("<IQ", 9, 1))), "a list claims 1 values"),
        (gguf(entry("a", 77, b"")), "a value has an unknown type"),
        (gguf(*WHOLE)[:120], "ends too early"),
    ],
)
def test_a_file_that_is_no_model_is_a_sentence_with_a_next_step(
    write: Write, content: bytes, reason: str
) -> None:
    with pytest.raises(ModelError) as caught:
        read_gguf(write(content))
    sentence = str(caught.value)
    assert sentence.startswith(("some.gguf is a ", "some.gguf is not a "))
    assert reason in sentence
    assert sentence.endswith("Choose another file in Preferences › Models.")


def test_a_path_without_a_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"There is no model file at .*none\.gguf\. Choose"):
        read_gguf(tmp_path / "none.gguf")
    with pytest.raises(ModelError, match=r"is a folder, not a GGUF model file\. Choose"):
        read_gguf(tmp_path)


@given(st.binary(max_size=300))
def test_no_bytes_bring_forth_anything_but_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes
) -> None:
    path = tmp_path_factory.mktemp("gguf") / "noise.gguf"
    for content in (noise, b"GGUF\3\0\0\0" + noise, gguf(noise)):
        path.write_bytes(content)
        # Anything but a ModelError fails the test; some noise happens to read as an empty model.
        with contextlib.suppress(ModelError):
            read_gguf(path)
