"""The parts of a mail: which text a reader saw, what was forwarded with it, what was attached."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from itertools import islice

from clone_app.importers import decode, wellformed
from clone_app.importers.addresses import parameters
from clone_app.importers.html import to_text
from clone_app.importers.mailtext import ENCRYPTED, unarmoured, unflowed, without_files

SIGNED = "[signed message]"
# An attached text longer than this is a log or a table, not something to remember word for word.
_ATTACHED_LIMIT = 200_000
_DEPTH_LIMIT = 40
_BOUNDED, _MANY_BOUNDARIES = 2_000_000, 100
# No mail has more header lines; a file of nothing else would be gone through for each of them.
_HEADER_LINES = 2_000
_SIGNATURES = re.compile(r"application/(?:pgp-signature|(?:x-)?pkcs7-signature)")
_READABLE = re.compile(r"text/(?:plain|calendar|markdown)")
_READABLE_NAME = re.compile(r".*\.(?:txt|ics|md|text)", re.IGNORECASE | re.DOTALL)
_NOT_SHOWN = re.compile(
    r"text/(?:rfc822-headers|css|x-amp-html|x-watch-html|(?:x-)?vcard|directory)"
)
_STUB = re.compile(r"html|browser|navigateur|navegador|浏览器|ブラウザ", re.IGNORECASE)
_META_CHARSET = re.compile(
    rb"""<meta[^<>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.I
)

_BOUNDARY = re.compile(rb"^--([^\s\"\\-][^\s\"\\]{0,200})\s*\n[A-Za-z-]{1,60}:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Content:
    """Hold what a mail's parts say.

    `body` is the text a mail program shows, quotations still in it; `others` are forwarded messages
    and attached texts, each under a line that names it; `attachments` are names (a type where there
    is none), embedded pictures and signatures left out.
    """

    body: str
    others: tuple[str, ...]
    attachments: tuple[str, ...]


@dataclass(slots=True)
class _Found:
    body: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)


def parse(data: bytes) -> Message:
    """Return the parsed message. May raise `RecursionError` on parts nested a thousand deep.

    The parser compares each line with the boundaries of all parts around it, so of a message that
    names very many boundaries only the beginning is read.
    """
    if len(data) > _BOUNDED and data.count(b"boundary=") > _MANY_BOUNDARIES:
        data = data[:_BOUNDED]
    return wellformed.read(data) or BytesParser(policy=compat32).parsebytes(data)


def content(message: Message) -> Content:
    """Return what a message's parts say: plain text first, HTML where there is only that."""
    found = _Found()
    _walk(message, found, depth=0)
    return Content("\n".join(found.body), tuple(found.others), tuple(found.attachments))


def raw(message: Message, name: str) -> str:
    """Return a header's value as it stands in the file, the first of that name, empty for none."""
    return next(every(message, name), "")


def every(message: Message, name: str) -> Iterator[str]:
    """Yield the values of all headers of one (lower-case) name as they stand in the file."""
    length = len(name)
    for key, value in islice(message.raw_items(), _HEADER_LINES):
        if len(key) == length and key.lower() == name:
            yield str(value)


def body_charset(message: Message) -> str:
    """Return the charset of the first part: what unencoded header bytes are most likely in."""
    part = message
    for _ in range(_DEPTH_LIMIT):
        children = _children(part)
        if not children:
            break
        part = children[0]
    return _charset(parameters(raw(part, "content-type"))[1])


def _walk(part: Message, found: _Found, *, depth: int, shown: bool = True) -> None:
    """Gather a part and those within it; `shown` is false for versions of a text already shown."""
    if depth > _DEPTH_LIMIT:
        return
    kind, options = _kind(part)
    if kind == "multipart/encrypted":
        _seal(found, ENCRYPTED, *_leaves(part), shown=shown)
    elif part.is_multipart():
        children = _children(part)
        if kind == "multipart/alternative":
            _choose(children, found, depth=depth, shown=shown)
        elif kind.startswith("message/"):
            if kind in {"message/rfc822", "message/global", "message/news"} and children:
                _forwarded(part, children[0], found, depth=depth)
        else:
            for child in children:
                _walk(child, found, depth=depth + 1, shown=shown)
    elif kind.startswith("multipart/"):
        # No boundary was named, or not the one in use: the first line that looks like one is it.
        data = _data(part)
        if boundary := _BOUNDARY.search(data):
            head = b'Content-Type: multipart/mixed; boundary="' + boundary[1] + b'"\n\n'
            again = parse(head + data)
            if again.is_multipart():
                _walk(again, found, depth=depth + 1, shown=shown)
        else:
            _show(found, decode.text(data), shown=shown)
    elif _SIGNATURES.fullmatch(kind):
        return
    elif kind in {"application/pkcs7-mime", "application/x-pkcs7-mime"}:
        signed = options.get("smime-type", "").lower() in {"signed-data", "certs-only"}
        _seal(found, SIGNED if signed else ENCRYPTED, *_leaves(part), shown=shown)
    else:
        _leaf(part, found, kind=kind, options=options, depth=depth, shown=shown)


def _children(part: Message) -> list[Message]:
    # Asked only of a part that has some: a leaf would be decoded here, by any charset it names.
    payload = part.get_payload() if part.is_multipart() else []
    return [child for child in payload if isinstance(child, Message)]


def _data(part: Message) -> bytes:
    """Return a leaf's bytes, its transfer encoding undone as far as that goes."""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _kind(part: Message) -> tuple[str, dict[str, str]]:
    kind, options = parameters(raw(part, "content-type"))
    if not re.fullmatch(r"[^\s/]+/[^\s/]+", kind):
        kind = part.get_default_type()
    return kind, options


def _leaf(
    part: Message, found: _Found, *, kind: str, options: dict[str, str], depth: int, shown: bool
) -> None:
    disposition = parameters(raw(part, "content-disposition"))[0]
    name = _name(part, options)
    if not kind.startswith("text/"):
        embedded = (
            kind.startswith("image/") and raw(part, "content-id") and disposition != "attachment"
        )
        if not embedded and kind != "application/pgp-encrypted":
            found.attachments.append(name or kind)
        if _READABLE_NAME.fullmatch(name):
            _attach(found, name, _text(part, kind="text/plain", options=options))
        return
    named = bool(name) and depth > 0 and bool(found.body)
    if (
        disposition == "attachment"
        or named
        or kind == "text/calendar"
        or _NOT_SHOWN.fullmatch(kind)
    ):
        if kind != "text/rfc822-headers" and (name or kind != "text/calendar"):
            found.attachments.append(name or kind)
        if _READABLE.fullmatch(kind) or _READABLE_NAME.fullmatch(name):
            _attach(found, name or kind, _text(part, kind="text/plain", options=options))
    elif shown:
        text, files = without_files(_text(part, kind=kind, options=options))
        text, sealed = unarmoured(text)
        found.attachments.extend(_bare(file) for file in files)
        found.others.extend(_fingerprint(block.encode("utf-8")) for block in sealed)
        _show(found, text, shown=True)


def _leaves(part: Message) -> Iterator[bytes]:
    return (_data(one) for one in part.walk() if not one.is_multipart())


def _seal(found: _Found, name: str, *data: bytes, shown: bool) -> None:
    """Name a body nobody can read here; its fingerprint keeps two of them apart."""
    if shown:
        found.body.append(name)
        found.others.append(_fingerprint(*data))


def _fingerprint(*data: bytes) -> str:
    digest = hashlib.sha256(b"\0".join(piece.strip() for piece in data)).hexdigest()
    return f"Sealed content, fingerprint {digest[:16]}"


def _show(found: _Found, text: str, *, shown: bool) -> None:
    if shown and text.strip():
        found.body.append(text)


def _attach(found: _Found, name: str, text: str) -> None:
    if text.strip():
        found.others.append(f"Attachment {name}:\n{text.strip()[:_ATTACHED_LIMIT]}")


def _choose(children: list[Message], found: _Found, *, depth: int, shown: bool) -> None:
    """Take the plain version of a text unless it is empty or only points to the HTML one."""
    plain, rich = _Found(), _Found()
    for child in children:
        if _kind(child)[0] == "text/plain":
            _walk(child, plain, depth=depth + 1, shown=shown and not plain.body)
    text = "\n".join(plain.body).strip()
    stub = not text or (len(text) < 500 and bool(_STUB.search(text)))
    for child in children:
        if _kind(child)[0] != "text/plain":
            _walk(child, rich, depth=depth + 1, shown=shown and stub and not rich.body)
    better = "\n".join(rich.body)
    if stub and better.strip() and (not text or len(better) > 1.5 * len(text)):
        found.body.extend(rich.body)
    else:
        found.body.extend(plain.body or rich.body)
    for one in (plain, rich):
        found.others.extend(one.others)
        found.attachments.extend(one.attachments)


def _forwarded(part: Message, inner: Message, found: _Found, *, depth: int) -> None:
    """Add a message within the message: its words are somebody's, with who, when and about what."""
    if not inner.keys() and raw(part, "content-transfer-encoding").strip().lower() == "base64":
        inner["Content-Transfer-Encoding"] = "base64"  # RFC 2045 forbids it, programs do it
        inner = parse(_data(inner))
    inside = _Found()
    _walk(inner, inside, depth=depth + 1)
    charset = body_charset(inner)
    lines = [
        f"{name}: {value}"
        for name in ("From", "Date", "Subject")
        if (value := decode.header(raw(inner, name.lower()), charset=charset))
    ]
    text = "\n".join(["Forwarded message:", *lines, "", *inside.body]).strip()
    if lines or inside.body:
        found.others.append(text)
    found.others.extend(inside.others)
    found.attachments.extend(inside.attachments)


def _text(part: Message, *, kind: str, options: dict[str, str]) -> str:
    """Return a text part as it was meant to be read."""
    data = _data(part)
    charset = _charset(options)
    if kind == "text/html" and not charset and (meta := _META_CHARSET.search(data[:4096])):
        charset = meta[1].decode("ascii")
    text = decode.text(data, charset)
    if kind == "text/html" or text[:300].lstrip().lower().startswith(("<html", "<!doctype html")):
        return to_text(text, quotes=True)
    if kind in {"text/enriched", "text/richtext"}:
        return re.sub(r"</?[A-Za-z-]{1,60}>", "", text)
    if options.get("format", "").lower() == "flowed":
        return unflowed(text, delete_space=options.get("delsp", "").lower() == "yes")
    return text


def _charset(options: dict[str, str]) -> str:
    words = options.get("charset", "").split()
    return words[0] if words else ""


def _name(part: Message, options: dict[str, str]) -> str:
    """Return the name of a part that is a file, empty for none."""
    more = parameters(raw(part, "content-disposition"))[1]
    return _bare(more.get("filename") or options.get("name") or "")


def _bare(name: str) -> str:
    """Return a file's bare name: senders put whole paths of their machine into it."""
    return re.split(r"[/\\]", name.strip())[-1].strip()[:200]
