"""WeChat dumps in tables and JSON: the columns and keys of the exporters there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from clone_app.importers.csvrows import header, rows
from clone_app.importers.jsonstream import branches, dict_of, text_of
from clone_app.importers.notes import names
from clone_app.importers.stamps import wall_with_instant
from clone_app.importers.wechat_words import Said
from clone_app.protocols import Member

_TABLES = (
    ("issender", "strcontent", "createtime"),  # MemoTrace
    ("issender", "strcontent", "strtime"),
    ("is_sender", "msg", "createtime"),  # PyWxDump
)
_TEXT, _SYSTEM, _CARD, _QUOTE = "1", {"10000", "10002", "0"}, "49", "57"
_MINE = {"1", "true", "yes"}
_SENT = ("is_sender", "isSelf", "isSend", "isSender", "is_send")
_TYPE = re.compile(r"文本|text|引用|quote", re.IGNORECASE)
_SYSTEM_TYPE = re.compile(r"系统|system|撤回", re.IGNORECASE)
_OPENED = frozenset({(), ("messages",), ("msgs",), ("data",), ("list",)})
_LISTS = {"messages", "msgs", "data", "list"}


def is_table(member: Member) -> bool:
    """Tell whether a CSV file has the columns of a WeChat dump."""
    return any(header(member, *needed) for needed in _TABLES)


def is_json(head: bytes) -> bool:
    """Tell whether JSON begins as one of the dumps does: who is the sender, in their words."""
    if (
        names(head, "is_sender")
        and names(head, "MsgSvrID", "type_name", "room_name", "talker") >= 2
    ):
        return True
    if names(head, "isSelf") and names(head, "talker", "talkerName", "isChatRoom", "seq") >= 2:
        return True
    sender = names(head, "isSender", "isSend", "is_send")
    return (
        bool(sender)
        and names(head, "createTime") == 1
        and names(head, "talker", "nickName", "wxid", "isChatroom", "localType", "senderUsername")
        >= 1
    )


def said_in_table(member: Member) -> Iterator[Said]:
    """Yield the messages of a table; raise what `csvrows.rows` raises."""
    needed = next(columns for columns in _TABLES if header(member, *columns))
    for row in rows(member, *needed):
        kind = row.first("type", "type_name")
        wall, instant = row.first("strtime", "createtime"), row["createtime"]
        yield Said(
            place=str(row.number),
            text=row.first("strcontent", "msg"),
            moment=wall_with_instant(wall, instant),
            sender=row.first("sender", "talker"),
            name=row.first("remark", "nickname"),
            mine=row.first("issender", "is_sender").casefold() in _MINE,
            number=row["msgsvrid"],
            talk=row["room_name"],
            program=_is_program(kind),
            wordless=_is_wordless(kind, row["subtype"]),
        )


def said_in_json(member: Member) -> Iterator[Said]:
    """Yield the messages of a list, or of an object that holds one; raise what `branches` raises."""
    talk: dict[str, Any] = {}
    with member.open() as stream:
        for way, value in branches(stream, _OPENED):
            if way and isinstance(way[-1], int):
                yield _message(dict_of(value), "/".join(map(str, way)), talk)
            elif len(way) == 1 and isinstance(value, str | int | dict):
                talk[str(way[0])] = value


def _message(said: dict[str, Any], place: str, talk: dict[str, Any]) -> Said:
    def told(*keys: str) -> str:
        return next((text for key in keys if (text := text_of(said.get(key)))), "")

    about = talk | dict_of(talk.get("session"))
    kind = told("type_name", "type", "localType")
    mine = next((said[key] for key in _SENT if key in said), 0)
    content = said.get("content", said.get("msg", said.get("text", said.get("strContent"))))
    room = told("room_name", "talker") or text_of(about.get("talker")) or text_of(about.get("wxid"))
    refer = dict_of(dict_of(said.get("contents")).get("refer"))
    number = told("MsgSvrID", "serverId", "msgSvrId")
    return Said(
        place=place,
        text=text_of(content),
        moment=wall_with_instant(
            told("time", "strTime", "formattedTime", "CreateTime"),
            told("createTime", "CreateTime", "time"),
        ),
        sender=told("sender", "senderUsername", "talker"),
        name=told("senderName", "senderDisplayName", "nickName", "remark"),
        mine=mine is True or text_of(mine) == "1",
        number=number,
        talk=room,
        title=told("talkerName")
        or text_of(about.get("displayName") or about.get("nickname"))
        or text_of(about.get("nickName")),
        quoted=": ".join(
            filter(None, map(text_of, (refer.get("senderName"), refer.get("content"))))
        ),
        program=_is_program(kind),
        wordless=_is_wordless(kind, told("subType")),
    )


def _is_program(kind: str) -> bool:
    return kind in _SYSTEM or bool(_SYSTEM_TYPE.search(kind))


def _is_wordless(kind: str, below: str) -> bool:
    """Tell whether a kind of message has no words: neither text nor an answer that quotes."""
    if not kind:
        return False
    if kind.isdecimal():
        return kind != _TEXT and not (kind == _CARD and below == _QUOTE)
    return not _TYPE.search(kind)
