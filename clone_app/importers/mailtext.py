"""The plain text of a mail as it was meant: soft line ends joined, armour and files taken out."""

from __future__ import annotations

import re

ENCRYPTED = "[encrypted message]"
_ARMOURED = (("MESSAGE", ENCRYPTED), ("PUBLIC KEY BLOCK", "[public key]"), ("SIGNATURE", ""))
_WRITTEN_IN = (
    ("\nend", re.compile(r"^begin [0-7]{3,4} (\S[^\n]*)\n", re.MULTILINE), "\nend"),
    ("=ybegin ", re.compile(r"^=ybegin [^\n]*name=([^\n]*)\n", re.MULTILINE), "\n=yend "),
)


def unflowed(text: str, *, delete_space: bool) -> str:
    """Return format=flowed text (RFC 3676), soft line ends joined within one depth of quotation."""
    out: list[str] = []
    paragraph: list[str] = []
    open_depth = -1
    for raw_line in text.split("\n"):
        line = raw_line.lstrip(">")
        depth = len(raw_line) - len(line)
        line = line.removeprefix(" ")
        soft = line.endswith(" ") and line != "-- "
        if depth != open_depth or line == "-- ":
            out.append("".join(paragraph))
            paragraph = ["> " if depth == 1 else f"{'>' * depth} " if depth else ""]
        paragraph.append(line[:-1] if soft and delete_space else line)
        open_depth = depth if soft else -1
    out.append("".join(paragraph))
    return "\n".join(out[1:])


def unarmoured(text: str) -> tuple[str, list[str]]:
    """Return a text whose inline PGP is named, and the blocks that were sealed.

    What was only signed stays readable, without the armour around it.
    """
    sealed: list[str] = []
    if "-----BEGIN PGP " not in text:
        return text, sealed
    if "-----BEGIN PGP SIGNED MESSAGE-----" in text:
        text = re.sub(r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:Hash: [^\n]*\n)*\n?", "", text)
        text = re.sub(r"(?m)^- (?=-)", "", text)
    for kind, name in _ARMOURED:
        begin, end = f"-----BEGIN PGP {kind}-----", f"-----END PGP {kind}-----"
        pieces: list[str] = []
        position = 0
        while (start := text.find(begin, position)) >= 0:
            stop = text.find(end, start)
            pieces += [text[position:start], name]
            position = len(text) if stop < 0 else stop + len(end)
            if kind == "MESSAGE":
                sealed.append(text[start:position])
        text = "".join([*pieces, text[position:]])
    return text, sealed


def without_files(text: str) -> tuple[str, list[str]]:
    """Return a text without files written into it (uuencode, yEnc), and their names."""
    names: list[str] = []
    for sign, begin, end in _WRITTEN_IN:
        if sign not in text:
            continue
        pieces: list[str] = []
        position = 0
        for match in begin.finditer(text):
            if match.start() < position:
                continue
            stop = text.find(end, match.end() - 1)
            if stop < 0:
                break
            names.append(match[1].strip())
            pieces.append(text[position : match.start()])
            line_end = text.find("\n", stop + 1)
            position = len(text) if line_end < 0 else line_end + 1
        text = "".join([*pieces, text[position:]])
    return text, names
