"""WeChat chats as its common exporters dump them: text, pages, tables and JSON, one chat a file.

WeChat itself exports nothing to read. Known are the dumps of WechatExporter (text, HTML), MemoTrace or
WeChatMsg (text, CSV, HTML), wechat-dump (text), PyWxDump (CSV, JSON), chatlog and WeFlow (JSON).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.chatlines import Repeats, who_talks
from clone_app.importers.claims import claim_kinds
from clone_app.importers.csvrows import CsvFault
from clone_app.importers.jsonstream import JsonFault
from clone_app.importers.left_out import left_out
from clone_app.importers.stamps import made_key
from clone_app.importers.wechat_pages import (
    PAGES,
    looks_like_chat,
    page_kind,
    said_in_text,
    said_on_page,
)
from clone_app.importers.wechat_rows import is_json, is_table, said_in_json, said_in_table
from clone_app.importers.wechat_words import Said, spoken
from clone_app.protocols import Claim, Found, Member, Reading

_NAMED = re.compile(r"wechat|微信|聊天记录|wxid_|weixin", re.IGNORECASE)
# A folder's or file's name as exporters make it: the chat's name, then the account's in brackets.
_ACCOUNT = re.compile(r"[(（](?:wxid_\w+|[\w-]+@chatroom|\d+)[)）]$|_\d+_\d+$")
_TOLD = {
    "program": ("line that WeChat wrote and no person", "lines that WeChat wrote and no person"),
    "wordless": (
        "picture, sound, sticker, card or file without words",
        "pictures, sounds, stickers, cards and files without words",
    ),
}


@dataclass(frozen=True, slots=True)
class WeChat:
    """Read the messages people wrote; what is quoted in them is others' words."""

    name: str = "wechat"
    title: str = "WeChat chats (text, HTML, CSV, JSON)"
    help: str = (
        "WeChat itself exports nothing to read: run WechatExporter, MemoTrace (WeChatMsg) or a like "
        "program and choose the folder it fills."
    )
    endings: tuple[str, ...] = (".txt", ".html", ".csv", ".json", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim dumps by their columns and keys; texts by lines as these programs write them."""
        # A diary may have a time above each entry, as one of these programs has above each message.
        return claim_kinds(
            members, _kind, {"text": 0.85, **dict.fromkeys(("csv", "json", *PAGES), 0.92)}
        )

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        """Yield an item for each message with words, then what had none, counted."""
        for member in members:
            yield from _file(member, _kind(member) or "text", reading)


WECHAT = WeChat()


def _kind(member: Member) -> str:
    match PurePosixPath(member.path).suffix.lower():
        case ".csv":
            return "csv" if is_table(member) else ""
        case ".json":
            return "json" if is_json(member.head()) else ""
        case ".html" | ".htm":
            return page_kind(member, named=bool(_NAMED.search(member.locator)))
        case ".txt":
            return (
                "text" if looks_like_chat(member, named=bool(_NAMED.search(member.locator))) else ""
            )
    return ""


def _file(member: Member, kind: str, reading: Reading) -> Iterator[Found]:
    told: Counter[str] = Counter()
    repeats = Repeats()
    title = _title(member)
    who = _who_talks(member, kind, title)
    number = 0
    try:
        for said in _said(member, kind):
            number += 1
            locator = f"{member.locator}#{said.place}"
            text, context, wordless = spoken(said)
            if said.program:
                told["program"] += 1
            elif wordless or not (text or context):
                told["wordless"] += 1
            else:
                yield _item(said, text, context, locator, title, who, reading, repeats)
    except (JsonFault, CsvFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{number + 1}", str(fault))
    yield from left_out(member, told, _TOLD)
    if not number:
        yield Skipped(member.locator, "no messages in it")


def _said(member: Member, kind: str) -> Iterator[Said]:
    if kind == "csv":
        return said_in_table(member)
    if kind == "json":
        return said_in_json(member)
    return said_on_page(member, kind) if kind in PAGES else said_in_text(member)


def _item(
    said: Said,
    text: str,
    context: str,
    locator: str,
    title: str,
    who: tuple[str, ...],
    reading: Reading,
    repeats: Repeats,
) -> Item:
    moment = said.moment or Moment.unknown()
    author = _author(said)
    told = clean_text(said.title).strip()
    title = told or title
    talk = said.talk or title
    known = (said.talk or told,) if said.talk or told else who
    mine = said.mine or reading.is_me(said.sender, author)
    made = made_key("wechat", moment, moment.iso() or "", author, text, context, *known)
    return Item(
        key=f"wechat:{said.number}" if _numbered(said) else repeats.key(made),
        medium="chat",
        moment=moment,
        text=text,
        mine=mine and bool(text),
        locator=locator,
        author=author,
        title=title,
        recipients=(title,) if title and title != author else (),
        thread=f"wechat:{talk}",
        context=context,
    )


def _who_talks(member: Member, kind: str, title: str) -> tuple[str, ...]:
    """Return what tells a chat from others in every dump; nothing where its messages do."""
    names: set[str] = set()
    try:
        for said in _said(member, kind):
            if _numbered(said) or said.talk or said.title:
                return ()
            if not said.program and (author := _author(said)):
                names.add(author)
            if len(names) > 2:
                break
    except (JsonFault, CsvFault, ArchiveError):
        pass  # told where the messages are read
    return who_talks(names, title)


def _numbered(said: Said) -> bool:
    """Tell whether a message bears WeChat's number; what was never sent has a zero there."""
    return bool(said.number.strip("0"))


def _author(said: Said) -> str:
    return clean_text(said.name).strip() or clean_text(said.sender).strip()


def _title(member: Member) -> str:
    stem = _ACCOUNT.sub("", PurePosixPath(member.path).stem).strip()
    return clean_text(stem)
