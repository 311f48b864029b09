"""Structured headers of mail: people, and the parameters of a part."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clone_app.importers import decode


@dataclass(frozen=True, slots=True)
class Address:
    """Hold one sender or recipient: the display name, decoded, and the address as written."""

    name: str
    address: str

    def __str__(self) -> str:
        """Return `Name <address>`, or whichever of the two there is."""
        if self.name and self.address and self.name.casefold() != self.address.casefold():
            return f"{self.name} <{self.address}>"
        return self.address or self.name


_TOKEN = re.compile(
    r'(?P<quoted>"(?:[^"\\]|\\.)*+(?:"|\\?\Z))'
    r"|(?P<comment>\((?:[^()\\]|\\.)*+\)?)"
    r"|(?P<word>=\?[^?\s]{1,60}\?[bBqQ]\?.{0,400}?\?=)"
    r"|(?P<angle><[^<>]*+>?)"
    r"|(?P<comma>[,;])"
    r"|(?P<group>:)"
    r"|(?P<other>[^\"(<,;:=]++|.)",
    re.DOTALL,
)


def addresses(raw: str, *, charset: str = "") -> tuple[Address, ...]:
    """Return who stands in a From, To or Cc header, in order; never raises, linear in its length.

    The header is cut into people first and decoded after, so that a comma in an encoded name stays
    in the name. `Name (comment) <a@b>`, `a@b (Name)`, `Group: a@b, c@d;` and bare names are read.
    """
    found: list[Address] = []
    name: list[str] = []
    comments: list[str] = []
    angle = ""

    def finish() -> None:
        nonlocal angle
        words = decode.header("".join(name), charset=charset).strip().strip("'\"").strip()
        address = "".join(angle.split())
        if not address and re.fullmatch(r"\S+@\S+", words):
            address, words = words, ""
        words = words or decode.header(" ".join(comments), charset=charset)
        if words or address:
            found.append(Address(words, decode.header(address, charset=charset)))
        name.clear()
        comments.clear()
        angle = ""

    for match in _TOKEN.finditer(decode.FOLD.sub("", raw[: decode.HEADER_LIMIT])):
        token = match[0]
        match match.lastgroup:
            case "quoted":
                name.append(re.sub(r"\\(.)", r"\1", token[1:].removesuffix('"'), flags=re.DOTALL))
            case "comment":
                comments.append(token.strip("()"))
            case "angle":
                angle = angle or token.strip("<>").strip()
            case "comma":
                finish()
            case "group" if not angle and "@" not in "".join(name):
                name.clear()
            case _:
                name.append(token)
    finish()
    return tuple(found)


def parameters(raw: str) -> tuple[str, dict[str, str]]:
    """Return the main word of a Content-Type or -Disposition, lower case, and its parameters.

    Reads continued and percent-encoded ones (RFC 2231) and encoded words in quotes: senders mix
    them.
    """
    value = decode.FOLD.sub("", raw[: decode.HEADER_LIMIT])
    main, _, rest = value.partition(";")
    if not rest:
        return decode.header(main).lower(), {}
    plain: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[bool, str]]] = {}
    for match in _PARAMETER.finditer(rest):
        key, got = match[1].lower(), match[2].strip()
        if got.startswith('"'):
            got = re.sub(r"\\([\\\"])", r"\1", got[1:].removesuffix('"'))
        base, star, order = key.partition("*")
        if not star:
            plain.setdefault(base, decode.header(got))
            continue
        number = order.strip("*")
        place = int(number) if number.isdecimal() and len(number) < 4 else 0
        pieces.setdefault(base, {})[place] = (key.endswith("*"), got)
    for base, numbered in pieces.items():
        plain[base] = _joined([numbered[place] for place in sorted(numbered)])
    return decode.header(main).lower(), plain


_PARAMETER = re.compile(
    r'([^\s=;"]{1,80})\s*+=\s*+("(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[^;]*+)', re.DOTALL
)


def _joined(pieces: list[tuple[bool, str]]) -> str:
    charset, data = "", b""
    for place, (encoded, piece) in enumerate(pieces):
        if encoded and place == 0 and piece.count("'") >= 2:
            charset, _, piece = piece.split("'", 2)
        raw = decode.raw_bytes(piece)
        if encoded:
            raw = re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), raw)
        data += raw
    return " ".join(decode.text(data, charset).split())
