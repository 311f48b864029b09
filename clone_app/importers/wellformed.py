"""Mail that follows the rules, parsed without going through it line by line.

The standard library's parser looks at every line of a message and copes with all that is wrong in
one. Most mail is right, and most of it is files and HTML of which no line matters: here headers are
cut at line ends and parts at their boundaries. Whatever is not plainly right is left to the library.
"""

from __future__ import annotations

import re
from email.message import Message
from email.policy import compat32

# More parts or levels than any mail program makes: the library may see to it.
_PARTS, _LEVELS = 200, 10
_LONE_RETURN = re.compile(r"\r(?!\n)")
_FIELD = re.compile(r"[!-9;-~]+:")


def read(data: bytes) -> Message | None:
    """Return a message as the library's parser would, None where it may be wrong in some way.

    What stands before the first part of several and behind the last is left out: nobody reads it.
    """
    text = data.decode("ascii", "surrogateescape")
    if "\r" in text and _LONE_RETURN.search(text):  # the library takes one for the end of a line
        return None
    return _message(text, 0)


def _message(text: str, level: int) -> Message | None:
    message = Message(policy=compat32)
    body = _header(text, message)
    if body < 0 or level > _LEVELS:
        return None
    kind = message.get_content_maintype()
    if kind == "message":
        return None
    if kind != "multipart":
        message.set_payload(text[body:])
        return message
    boundary = message.get_boundary()
    if not boundary or message.get_content_subtype() == "digest":
        return None
    parts = _parts(text, body, f"--{boundary}")
    if not parts:
        return None
    for part in parts:
        child = _message(part, level + 1)
        if child is None:
            return None
        message.attach(child)
    return message


def _header(text: str, message: Message) -> int:
    """Give the message its header's fields; return where its body begins, -1 for an odd header."""
    if text.startswith("\n"):
        return 1
    if text.startswith("\r\n"):
        return 2
    end = text.find("\n\n")
    crlf = text.find("\n\r\n", 0, end if end >= 0 else len(text))
    if crlf >= 0:
        end = crlf
    if end < 0:
        return -1
    name = value = ""
    for line in text[:end].split("\n"):
        if line.startswith((" ", "\t")):
            if not name:
                return -1
            value += f"\n{line}"
            continue
        if not _FIELD.match(line):
            return -1
        if name:
            message.set_raw(name, value.rstrip("\r\n"))
        name, _, value = line.partition(":")
        value = value.lstrip(" \t")
    message.set_raw(name, value.rstrip("\r\n"))
    return end + (3 if text.startswith("\r", end + 1) else 2)


def _parts(text: str, start: int, mark: str) -> list[str]:
    """Return the parts between the lines that begin with a mark; none where the last has no end."""
    found: list[str] = []
    begin = -1
    at = start - 1 if text.startswith(mark, start) else text.find(f"\n{mark}", start)
    while at >= 0 and len(found) < _PARTS:
        after = at + 1 + len(mark)
        line_end = text.find("\n", after)
        rest = text[after : line_end if line_end >= 0 else len(text)].rstrip("\r \t")
        if rest not in {"", "--"}:  # another boundary that begins like this one
            at = text.find(f"\n{mark}", after)
            continue
        if begin >= 0:
            found.append(text[begin : max(begin, at - (text[at - 1] == "\r"))])
        if rest:
            return found
        if line_end < 0:
            return []
        begin = line_end + 1
        at = text.find(f"\n{mark}", line_end)
    return []
