"""Text files as streams of lines, whatever they were written with; memory stays flat."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator

from clone_app.protocols import Member

LINE_LIMIT = 1 << 20
_CHUNK = 1 << 20
_SAMPLE = 1 << 18
# Control characters no text holds, save by accident.
_NEVER = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What people's text files are written in besides UTF-8; the statistics know rarer ones and then
# prefer them wrongly.
_LIKELY = ["cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256"]
_LIKELY += ["gb18030", "big5", "cp932", "euc_jp", "cp949"]


def is_binary(head: bytes) -> bool:
    """Tell whether these first bytes are no text in any encoding read here.

    NUL at the start is what a crash of the disk leaves in front of a text, and says nothing.
    """
    if head.startswith(tuple(bom for bom, _ in _BOMS)):
        return False
    head = head.lstrip(b"\0")
    return (len(head) - len(head.translate(None, _NEVER))) * 20 > len(head)


def head_text(head: bytes) -> str:
    """Return the first bytes of a file as text, for looking at; wrong bytes are replaced."""
    for bom, name in _BOMS:
        if head.startswith(bom):
            return head.decode(name, "replace").lstrip("\ufeff")
    return head.decode("utf-8", "replace").replace("\0", "")


def lines(member: Member) -> Iterator[str]:
    """Yield the lines of a text file with line feeds; one of over a million letters in pieces.

    NUL is no letter and is left out, so that a heading behind it is one.
    Read as UTF-8, or what its byte order mark says, else as what its bytes look like; bytes that
    fit nowhere become U+FFFD. Raises `ArchiveError` for what can't be read.
    """
    with io.TextIOWrapper(member.open(), encoding=_encoding(member), errors="replace") as text:
        while line := text.readline(LINE_LIMIT):
            if "\0" in line:
                line = line.replace("\0", "")
            if line:
                yield line


def _encoding(member: Member) -> str:
    head = member.head()
    for bom, name in _BOMS:
        if head.startswith(bom):
            return name
    decoder = codecs.getincrementaldecoder("utf-8")()
    chunk = b""
    try:
        if len(head) == member.size:
            chunk = head
            decoder.decode(head, final=True)
            return "utf-8"
        with member.open() as stream:
            while chunk := stream.read(_CHUNK):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError as fault:
        return _guess(chunk[max(0, fault.start - _SAMPLE // 2) :][:_SAMPLE] or head)
    return "utf-8"


def _guess(sample: bytes) -> str:
    """Return the likeliest encoding of bytes that are not clean UTF-8."""
    as_utf8 = sample.decode("utf-8", "replace")
    broken = as_utf8.count("\N{REPLACEMENT CHARACTER}")
    wide = sum(1 for sign in as_utf8 if sign > "\x7f") - broken
    if wide > broken * 3:  # UTF-8 with a damaged spot
        return "utf-8"
    high = sum(1 for byte in sample if byte > 0x7F)
    if high * 5 < len(sample):  # few letters beyond ASCII: a western European language
        return "cp1252"
    import charset_normalizer  # late: it takes a tenth of a second, and hardly a file needs it

    best = charset_normalizer.from_bytes(sample, cp_isolation=_LIKELY).best()
    return best.encoding if best else "cp1252"
