"""WeChat dumps for reading: texts, whose messages start with a line of a known form, and HTML."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Callable, Iterator
from datetime import datetime

from clone_app.entries import Moment
from clone_app.errors import ArchiveError
from clone_app.importers.chatlines import blocks
from clone_app.importers.html import to_text
from clone_app.importers.stamps import epoch_moment, iso_moment
from clone_app.importers.textfile import head_text, is_binary, lines
from clone_app.importers.wechat_words import Said
from clone_app.protocols import Member

_DAY = r"(?P<day>\d{4}[-/]\d{1,2}[-/]\d{1,2})[ T](?P<clock>\d{1,2}:\d{2}(?::\d{2})?)"
# `Name (2020-01-02 10:00:00):words`, `1|Name:2020-01-02 10:00:00:words`, and `2020-01-02 10:00:00 Name`
# above the words.
_BEHIND = re.compile(rf"(?P<name>[^\n(（]{{1,60}}?) ?[(（]{_DAY}[)）][:：](?P<text>.*)", re.DOTALL)
_PIPED = re.compile(
    rf"(?P<kind>\d{{1,7}})\|(?P<name>[^\n|]{{1,80}}?):{_DAY}:(?P<text>.*)", re.DOTALL
)
_ABOVE = re.compile(rf"{_DAY} (?P<name>\S[^\n]{{0,59}})\n?")
_OWN = {"me", "我"}
_PAGE_MARKS = {
    "exporter": re.compile(rb'class="nt-box|class="msg chat-(?:left|right)'),
    "memotrace": re.compile(rb"\bchatMessages\b|\bis_chatroom:"),
}
PAGES = frozenset(_PAGE_MARKS)
_CHUNK, _PART = 1 << 18, 1 << 20
_MESSAGE = re.compile(
    r'<div class="msg chat-(?P<side>left|right)[^"]*"(?: msgid="(?P<number>\d{0,24})")?[^>]{0,80}>'
    r'(?:(?!<div class="msg chat-).){0,4000}?<span class="name-[a-z]+">(?P<name>[^<]{0,200})</span>'
    r'\s*(?P<when>[^<]{0,40})</div>(?:(?!<div class="msg chat-).){0,800}?'
    r'<span class="dont-break-out">(?P<text>(?:(?!</span>).){0,60000})</span>',
    re.DOTALL,
)
_OBJECT = re.compile(
    r"\{\s*type:\s*(?P<kind>\d{1,6}),\s*(?:sub_type:\s*\d+,\s*)?text:\s*'(?P<text>(?:[^'\\]|\\.){0,60000})',"
    r"(?P<rest>(?:[^{}'\\]|\\.|'(?:[^'\\]|\\.){0,4000}'){0,600})\}"
)
_VALUE = re.compile(r"(\w{1,20}):\s*(?:'((?:[^'\\]|\\.)*)'|(\d{1,20}))")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SMILEY = re.compile(r'<img[^>]{0,300}?alt="([^"]{1,20})"[^>]{0,300}>')


def looks_like_chat(member: Member, *, named: bool) -> bool:
    """Tell whether a text is a chat: lines of one form, most by a few names that come again.

    `named` tells that its place speaks of WeChat, so that a few lines are enough.
    """
    if is_binary(member.head()):
        return False
    rows = head_text(member.head()).splitlines()
    filled = [row for row in rows if row.strip()]
    form = _form(filled)
    if form is None:
        return False
    found = [begin[1] for row in filled if (begin := form(row)) is not None]
    if named:
        return True
    if form is not _above:
        return len(found) >= 2
    people = set(found)
    return len(found) >= 4 and len(people) * 2 <= len(found)


def _form(filled: list[str]) -> Callable[[str], _Begin | None] | None:
    """Return what reads the first line of a text's messages, None where it starts otherwise."""
    return next((form for form in (_behind, _piped, _above) if filled and form(filled[0])), None)


_Begin = tuple[Moment | None, str, str, str]


def _behind(line: str) -> _Begin | None:
    found = _BEHIND.match(line)
    return None if found is None else (_moment(found), found["name"].strip(), found["text"], "")


def _piped(line: str) -> _Begin | None:
    found = _PIPED.match(line)
    return (
        None
        if found is None
        else (_moment(found), found["name"].strip(), found["text"], found["kind"])
    )


def _above(line: str) -> _Begin | None:
    found = _ABOVE.fullmatch(line)
    return None if found is None else (_moment(found), found["name"].strip(), "", "")


def _moment(found: re.Match[str]) -> Moment | None:
    parts = [int(part) for part in re.split(r"[-/]", found["day"])]
    clock = [int(part) for part in found["clock"].split(":")]
    try:
        when = datetime(*parts, *clock)  # type: ignore[arg-type]  # noqa: DTZ001
    except ValueError:
        return None
    return iso_moment(when.isoformat(timespec="seconds" if len(clock) == 3 else "minutes"))


def said_in_text(member: Member) -> Iterator[Said]:
    """Yield the messages of a text; raise `ArchiveError` where it can't be read."""
    form = _form([row for row in head_text(member.head()).splitlines() if row.strip()]) or _behind
    for block in blocks(lines(member), form):
        moment, name, text, kind = block.begin or (None, "", "", "")
        words = "\n".join([text.rstrip("\n"), *block.rows]).strip()
        # MemoTrace writes what the program says where a name would stand, with nothing below it.
        program = block.begin is None or (form is _above and not words) or kind == "10000"
        yield Said(
            place=str(block.place),
            text=words,
            moment=moment,
            name=name,
            mine=name in _OWN,
            program=program,
            wordless=bool(kind) and kind not in {"1", "49"},
        )


def page_kind(member: Member, *, named: bool) -> str:
    """Return which exporter made a page, nothing for any other page.

    Styles fill its first bytes, so where its place speaks of WeChat more of it is looked at.
    """
    head = member.head()
    if named and head.lstrip()[:1] == b"<":
        try:
            with member.open() as stream:
                head = stream.read(_CHUNK)
        except ArchiveError:
            return ""
    return next((kind for kind, mark in _PAGE_MARKS.items() if mark.search(head)), "")


def said_on_page(member: Member, kind: str) -> Iterator[Said]:
    """Yield the messages of a page, read in pieces; raise `ArchiveError` where it can't be read."""
    pattern = _OBJECT if kind == "memotrace" else _MESSAGE
    start = "{" if kind == "memotrace" else '<div class="msg chat-'
    number = 0
    with member.open() as raw, io.TextIOWrapper(raw, encoding="utf-8", errors="replace") as text:
        waiting = ""
        while True:
            data = text.read(_CHUNK)
            waiting += data
            at = 0
            for found in pattern.finditer(waiting):
                number, at = number + 1, found.end()
                yield (
                    _object(found, str(number)) if kind == "memotrace" else _div(found, str(number))
                )
            if not data:
                return
            # What may go on with the next piece; a message never is that long.
            cut = max(at, len(waiting) - _PART)
            begin = waiting.find(start, cut)
            waiting = (
                waiting[begin:] if begin >= 0 else waiting[max(cut, len(waiting) - len(start)) :]
            )


def _div(found: re.Match[str], place: str) -> Said:
    when = re.match(_DAY, found["when"].strip())
    return Said(
        place=place,
        text=to_text(_SMILEY.sub(r"\1", found["text"])),
        moment=_moment(when) if when else None,
        name=html.unescape(found["name"]).strip(),
        mine=found["side"] == "right",
        number=found["number"] or "",
    )


def _object(found: re.Match[str], place: str) -> Said:
    values = {name: text or number for name, text, number in _VALUE.findall(found["rest"])}
    kind, below = found["kind"], values.get("sub_type", "")
    return Said(
        place=place,
        text=_unescaped(found["text"]),
        moment=epoch_moment(values.get("timestamp")),
        name=_unescaped(values.get("displayname", "")),
        mine=values.get("is_send") == "1",
        quoted=_unescaped(values.get("refer_text", "")),
        program=kind == "0",
        wordless=not (kind == "1" or (kind == "49" and below == "57")),
    )


def _unescaped(text: str) -> str:
    text = _ESCAPE.sub(lambda found: "\n" if found[1] == "n" else found[1], text)
    return to_text(_SMILEY.sub(r"\1", text)) if "<" in text or "&" in text else text
