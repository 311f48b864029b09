"""Chats of the Signal messenger as signal-export writes them: Markdown, a folder a chat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import PurePosixPath

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text
from clone_app.importers.chatlines import Repeats, blocks, who_talks
from clone_app.importers.claims import claim_by_sureness
from clone_app.importers.each_file import each_file
from clone_app.importers.left_out import left_out
from clone_app.importers.stamps import iso_moment, made_key
from clone_app.importers.textfile import head_text, is_binary, lines
from clone_app.protocols import Claim, Found, Member, Reading

# `[2019-05-29, 15:04] Me: …` of its first years, `[2024-01-02 10:11:12] Me: …` since.
_BEGIN = re.compile(
    r"\ufeff?\[(?P<day>\d{4}-\d{2}-\d{2})(?P<comma>,?) (?P<time>\d{2}:\d{2}(?::\d{2})?)\] "
    r"(?P<author>[^\n]{1,120}?):(?: |$)(?P<text>[^\n]*)"
)
_NAMES = {"chat.md", "index.md"}
_OWNER = "Me"
_NOBODY = {"No-Sender", "None", ""}
_STICKER = re.compile(
    r"\(\( [^()\n]{0,60} \)\)|\[[^\]\n]{0,300}\]\(\.\./exported_stickers/[^)\n]{0,600}\)"
)
_ATTACHED = re.compile(r"!?\[[^\]\n]{0,300}\]\(\./?media/[^)\n]{0,600}\)")
_PROGRAM = re.compile(
    r"\(This message was deleted\)|(?:Incoming|Outgoing|Missed)(?: voice| video)? call(?: \([^)\n]*\))?"
)
_PEOPLE = 20
_TOLD = {
    "program": ("call or deleted message", "calls and deleted messages"),
    "wordless": (
        "picture, sound or sticker without words",
        "pictures, sounds and stickers without words",
    ),
}


@dataclass(frozen=True, slots=True)
class Signal:
    """Read the messages; `Me` is the one who exported, and a quotation is another's words."""

    name: str = "signal"
    title: str = "Signal chats (signal-export)"
    help: str = (
        "Signal itself exports nothing to read: run signal-export and choose the folder it fills."
    )
    endings: tuple[str, ...] = (".md", ".txt", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim the text files that start as signal-export writes them."""
        return claim_by_sureness(members, _sureness)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each message with words, then what had none, counted."""
        yield from each_file(members, lambda member: _chat(member, reading))


SIGNAL = Signal()


def _sureness(member: Member) -> float:
    path = PurePosixPath(member.path.lower())
    if path.suffix not in {".md", ".txt"} or is_binary(member.head()):
        return 0.0
    filled = [line for line in head_text(member.head()).splitlines() if line.strip()]
    found = _BEGIN.match(filled[0]) if filled else None
    if found is None:
        return 0.0
    if path.name in _NAMES:
        return 0.97
    # Without seconds or a comma it may be jrnl's; WhatsApp writes Markdown never, a comma seldom.
    stamped = bool(found["comma"]) != (len(found["time"]) > 5)
    return 0.85 if stamped and (path.suffix == ".md" or found["comma"]) else 0.0


def _chat(member: Member, reading: Reading) -> Iterator[Found]:
    title = _title_of(member)
    people = _people(member)
    talk = who_talks({*people, _OWNER}, title)
    told: Counter[str] = Counter()
    repeats = Repeats()
    seen = False
    for block in blocks(lines(member), _BEGIN.match):
        place = f"{member.locator}#{block.place}"
        if block.begin is None:
            yield ImportProblem(place, "stands before the first message, so nobody is its author")
            continue
        seen = True
        text, quoted, labels = _words([block.begin["text"], *block.rows])
        author = clean_text(block.begin["author"]).strip()
        author = "" if author in _NOBODY else author
        if not text:
            told["wordless" if labels else "program"] += 1
        else:
            moment = iso_moment(f"{block.begin['day']} {block.begin['time']}") or Moment.unknown()
            key = made_key("signal", moment, moment.iso() or "", author, text, *talk)
            others = tuple(name for name in people if name != author)
            yield Item(
                key=repeats.key(key), medium="chat", moment=moment, text=text,
                mine=author == _OWNER or reading.is_me(author), locator=place, author=author,
                title=title, recipients=others if len(others) < _PEOPLE else (title,),
                thread=f"signal:{title or ', '.join(sorted(people))}", context=quoted, labels=labels,
            )  # fmt: skip
        if block.cut:
            yield ImportProblem(place, "is longer than any message; its end was not read")
    yield from left_out(member, told, _TOLD)
    if not seen:
        yield Skipped(member.locator, "no messages of Signal in it")


def _people(member: Member) -> tuple[str, ...]:
    """Return who writes in a chat, as they come."""
    names: dict[str, None] = {}
    for line in lines(member):
        found = _BEGIN.match(line)
        if (
            found
            and len(names) < _PEOPLE
            and (name := clean_text(found["author"]).strip()) not in _NOBODY
        ):
            names[name] = None
    return tuple(names)


def _words(rows: list[str]) -> tuple[str, str, tuple[str, ...]]:
    """Return what was written, what it quotes (it stands above), and labels for what came with it."""
    rows = [clean_text(row) for row in rows]
    quoted: list[str] = []
    if not rows[0].strip():
        above = len(list(takewhile(lambda row: not row.strip(), rows)))
        quoted = list(takewhile(lambda row: row.startswith("> "), rows[above:]))
        rows = rows[above + len(quoted) :]
    attached = any(_ATTACHED.search(row) or _STICKER.search(row) for row in rows)
    kept = [
        _STICKER.sub("", _ATTACHED.sub("", row)).rstrip()
        for row in rows
        if not _are_reactions(row.strip())
    ]
    text = "\n".join(kept).strip()
    if _PROGRAM.fullmatch(text):
        return "", "", ()
    quotation = "\n".join(row.removeprefix("> ") for row in quoted).strip()
    return text, quotation, ("attachment",) if attached else ()


def _are_reactions(row: str) -> bool:
    """Tell whether a line holds what others thought of a message: `(- Zoë: 👍, Ann: 😀 -)`."""
    return row.startswith("(- ") and row.endswith(" -)") and ": " in row


def _title_of(member: Member) -> str:
    """Return the chat's name: its folder's, or the file's where it was given another name."""
    path = PurePosixPath(member.locator.replace("!", "/"))
    if path.name.lower() not in _NAMES:
        return path.stem
    return path.parent.name.removesuffix(".zip")
