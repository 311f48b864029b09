"""Bytes to text for mail: encoded words, and charsets that lie, lack or do not exist."""

from __future__ import annotations

import binascii
import codecs
import contextlib
import re

from clone_app.entries import clean_text

# A header longer than this is an attack or an accident; no sender's list of recipients is.
HEADER_LIMIT = 65_536
_ENCODED = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?(.{0,4000}?)(?:\?=|\Z)", re.DOTALL)
_HEX = re.compile(rb"=([0-9A-Fa-f]{2})")
# Where a header goes on in the next line.
FOLD = re.compile(r"\r?\n(?=[ \t])")
# The label a sender uses, and the superset that senders mean by it.
_SUPERSETS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "euc-cn": "gb18030",
    "cn-gb": "gb18030",
    "hz": "hz",
    "big5": "cp950",
    "x-big5": "cp950",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-6-i": "iso-8859-6",
    "tis-620": "cp874",
    "macintosh": "mac_roman",
    "x-mac-roman": "mac_roman",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-1-1-utf-8": "utf-8",
    "utf8": "utf-8",
    "utf-8mb4": "utf-8",
}
# Text encodings of Python that are no charset of any mail, or slow on purpose-made input.
_REFUSED = frozenset(
    {"unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "oem"}
)
# Labels that programs put on anything: what is valid UTF-8 under one of them is UTF-8.
_GENEROUS = frozenset({"", "ascii", "utf-8", "cp1252", "iso8859-15"})
# What unlabelled mail is written in; the statistics know rarer ones and then prefer them wrongly.
_LIKELY = ["cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256"]
_LIKELY += ["gb18030", "big5", "cp932", "euc_jp", "cp949"]
_WIDE = re.compile(rb"[\x80-\xff]")
_MOJIBAKE = re.compile(
    "[ÃÂ][\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[\u0098-\u009d™œ˜“”¦]|ã[\u0080-\u0083€‚ƒ]"
)


def header(raw: str, *, charset: str = "") -> str:
    """Return a header's value as a person reads it, on one line.

    `raw` is what the standard library's parser gives: raw bytes above ASCII as surrogates. Encoded
    words may be split inside a letter, lack their padding or their end, hold spaces, name no known
    charset, or stand in quotes; `charset` is the body's, for bytes that are not encoded at all.
    """
    value = raw[:HEADER_LIMIT]
    if "\n" in value:
        value = FOLD.sub("", value)
    if "=?" not in value:
        return " ".join(clean_text(_raw(value, charset)).split())
    out: list[str] = []
    waiting, waiting_charset = b"", ""
    position = 0
    for match in _ENCODED.finditer(value):
        between = value[position : match.start()]
        label = match[1].split("*", 1)[0].lower()
        if waiting and (between.strip() or label != waiting_charset):
            out.append(text(waiting, waiting_charset))
            waiting = b""
        if position == 0 or between.strip():
            out.append(_raw(between, charset))
        waiting += _unpacked(match[3], match[2])
        waiting_charset = label
        position = match.end()
    out.append(text(waiting, waiting_charset))
    out.append(_raw(value[position:], charset))
    return " ".join(clean_text("".join(out)).split())


def _raw(value: str, charset: str) -> str:
    """Return a stretch that is not encoded; bytes above ASCII are read as text."""
    if value.isascii() and "\x1b" not in value:
        return value
    data = raw_bytes(value)
    return text(data, "iso-2022-jp" if b"\x1b$" in data else charset)


def raw_bytes(value: str) -> bytes:
    """Return what the parser read; surrogates that stand for no byte go."""
    try:
        return value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return value.encode("utf-8", "ignore")


def _unpacked(value: str, encoding: str) -> bytes:
    data = raw_bytes(value)
    if encoding in "qQ":
        return _HEX.sub(lambda found: bytes([int(found[1], 16)]), data.replace(b"_", b" "))
    data = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    if len(data) % 4 == 1:
        data = data[:-1]
    try:
        return binascii.a2b_base64(data + b"=" * (-len(data) % 4))
    except binascii.Error:
        return b""


def text(data: bytes, charset: str = "") -> str:
    """Return bytes as text, whatever charset they claim; never raises.

    What is valid UTF-8 beyond ASCII is UTF-8, even where Latin-1 is claimed, since Latin-1 prose
    never is. A charset that is unknown or does not fit is guessed: `unknown-8bit` with the byte E9
    is "café".
    """
    if not data:
        return ""
    if data.startswith(codecs.BOM_UTF8):
        return clean_text(data[3:].decode("utf-8", "replace"))
    codec = _codec(charset)
    if codec not in _GENEROUS and len(_WIDE.findall(data[:2000])) >= 12:
        # By chance a dozen bytes above ASCII are valid UTF-8 in no other charset of mail.
        with contextlib.suppress(UnicodeDecodeError):
            return clean_text(data.decode("utf-8"))
    if codec in _GENEROUS:
        try:
            return _mended(clean_text(data.decode("utf-8")))
        except UnicodeDecodeError:
            if codec == "utf-8" and (mixed := _mostly_utf8(data)) is not None:
                return clean_text(mixed)
    if codec in {"", "ascii", "utf-8"}:
        return clean_text(_guessed(data))
    try:
        return clean_text(data.decode(codec))
    except (UnicodeError, ValueError):
        if codec == "cp1252":
            return clean_text(_western(data))
        lenient = data.decode(codec, "replace")
        if lenient.count("\ufffd") * 50 <= len(lenient) + 50:
            return clean_text(lenient)
        return clean_text(_guessed(data))


def _codec(charset: str) -> str:
    """Return Python's name of a charset that is one of mail's; empty where it isn't."""
    name = charset.strip().strip("\"'").lower()
    name = _SUPERSETS.get(name, name)
    if not re.fullmatch(r"[a-z0-9][a-z0-9_.:-]{0,39}", name):
        return ""
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError, ImportError):
        return ""
    python_name = found.name
    # The standard library keeps codecs that turn bytes into bytes (zip, hex) in the same registry.
    if python_name in _REFUSED or not getattr(found, "_is_text_encoding", True):
        return ""
    return "cp1252" if python_name == "iso8859-1" else python_name


def _mostly_utf8(data: bytes) -> str | None:
    """Return UTF-8 with its stray bytes read as Western; None where little of it is UTF-8."""
    kept = data.decode("utf-8", "ignore")
    right = len(_WIDE.findall(kept.encode("utf-8")))
    if right * 2 < len(_WIDE.findall(data)):
        return None
    return data.decode("utf-8", "clone-app-western")


def _stray_as_western(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _western(error.object[error.start : error.end]), error.end


codecs.register_error("clone-app-western", _stray_as_western)


def _western(data: bytes) -> str:
    return (
        data.decode("cp1252")
        if not re.search(rb"[\x81\x8d\x8f\x90\x9d]", data)
        else data.decode("latin-1")
    )


def _guessed(data: bytes) -> str:
    """Return bytes of an unknown charset: Western where they are few, by statistics where many."""
    if len(_WIDE.findall(data[:20_000])) < 16:
        return _western(data)
    import charset_normalizer  # takes longer to import than most mailboxes need it

    try:
        best = charset_normalizer.from_bytes(data[:20_000], cp_isolation=_LIKELY).best()
        return _western(data) if best is None else data.decode(best.encoding, "replace")
    except (UnicodeError, LookupError, ValueError, TypeError, IndexError):
        return _western(data)


def _mended(value: str) -> str:
    """Return text whose sender encoded it twice ("cafÃ©") as it was meant, all else untouched."""
    if len(value) > 500_000 or value.isascii() or not _MOJIBAKE.search(value):
        return value
    import ftfy  # as above

    return str(ftfy.fix_encoding(value))
