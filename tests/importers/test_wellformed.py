"""The quick reader of mail that follows the rules says what the standard library's says."""

from __future__ import annotations

from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.policy import SMTP, compat32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.importers import mime, wellformed


def library(data: bytes) -> Message:
    return BytesParser(policy=compat32).parsebytes(data)


def shape(message: Message) -> object:
    """What of a message is looked at: fields as they stand, parts, text but for its last line end."""
    payload = message.get_payload()
    if isinstance(payload, list):
        inner: object = [shape(part) for part in payload if isinstance(part, Message)]
    else:
        inner = str(payload).rstrip("\r\n")
    return [(name, str(value)) for name, value in message.raw_items()], inner


def whole() -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ada Merz <ada@example.org>"
    message["To"] = ", ".join(f"Robin {n} <robin{n}@example.org>" for n in range(9))
    message["Subject"] = "Grüße aus Graz: " + "sehr lang " * 12
    message.set_content("Lieber Robin,\n\nDienstag passt.\n\n-- \nAda\n")
    message.add_alternative("<p>Dienstag passt.</p>", subtype="html")
    message.add_attachment(b"\x00\x01" * 9000, maintype="image", subtype="png", filename="é.png")
    message.add_attachment("Liste\n", filename="liste.txt")
    return message


@pytest.mark.parametrize("policy", [SMTP, SMTP.clone(linesep="\n")])
def test_parts_within_parts_are_read_alike(policy) -> None:  # type: ignore[no-untyped-def]
    data = whole().as_bytes(policy=policy)
    read = wellformed.read(data)
    assert read is not None
    assert shape(read) == shape(library(data))
    assert mime.content(read) == mime.content(library(data))


def test_a_file_of_one_part_is_read_alike() -> None:
    data = b"From: a@b.c\nSubject: eins\n zwei\n\nDie erste Zeile.\n\n--\nRest\xff\n"
    read = wellformed.read(data)
    assert read is not None
    assert shape(read) == shape(library(data))


@pytest.mark.parametrize(
    "data",
    [
        b"From: a@b.c\nno field\n\nbody",
        b" folded: first\n\nbody",
        b"From: a@b.c",
        b"From: a@b.c\rTo: x\n\nbody",
        b"Content-Type: message/rfc822\n\nFrom: a@b.c\n\nbody",
        b"Content-Type: multipart/mixed\n\nbody",
        b'Content-Type: multipart/mixed; boundary="b"\n\n--b\n\nnever ended',
        b'Content-Type: multipart/mixed; boundary="b"\n\n--b\nno header\n\nx\n--b--\n',
        b'Content-Type: multipart/digest; boundary="b"\n\n--b\n\nx\n--b--\n',
    ],
)
def test_what_is_not_plainly_right_is_left_to_the_library(data: bytes) -> None:
    assert wellformed.read(data) is None


def test_a_boundary_that_begins_like_another_parts_nothing() -> None:
    data = (
        b'Content-Type: multipart/mixed; boundary="b"\n\n--b\n\none\n--bb\nstill one\n'
        b"--b \n\ntwo\n--b--\n"
    )
    read = wellformed.read(data)
    assert read is not None
    assert shape(read) == shape(library(data))
    assert len(read.get_payload()) == 2


PIECES = (
    "From: a@b.c", "Subject: x", " folded", "Content-Type: text/plain", "odd line", "", "", "--b",
    "--b", "--b--", "--b ", "--bb", "--c", "--c--", 'Content-Type: multipart/mixed; boundary="b"',
    'Content-Type: multipart/alternative; boundary="c"', "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: base64", "RGllbnN0YWc=", "<p>hello</p>", "From there", ": x",
    "a\x0cb: c", "tab\t: d",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=24), st.sampled_from(["\n", "\r\n"]))
def test_whatever_is_read_is_read_alike(lines: list[str], end: str) -> None:
    data = end.join(['Content-Type: multipart/mixed; boundary="b"', "", *lines]).encode()
    for one in (data, end.join(lines).encode()):
        read = wellformed.read(one)
        if read is not None:
            assert shape(read) == shape(library(one))
