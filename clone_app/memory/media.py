"""The kinds of entry a question names: "what did the message say", "that photo", 那条短信."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

# What people call it in English and in Chinese, and what the media that are meant have in their names.
_CALLED: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    (r"diar(?:y|ies)\b|journals?\b", "日记", ("diary", "journal")),
    (r"e-?mails?\b", "邮件|邮箱", ("mail",)),
    (
        r"messages?\b|messaged\b|texted\b|chat(?:s|ted|ting)?\b|sms\b|wechat\b|whatsapp\b",
        "微信|短信|消息|聊天",
        ("chat", "message", "sms"),
    ),
    (r"calls?\b|phoned?\b", "电话|通话", ("call",)),
    (r"photo(?:s|graph|graphs)?\b|pictures?\b|selfies?\b", "照片|合影|拍照", ("photo",)),
    (r"notes?\b|memos?\b", "笔记|备忘", ("note", "memo")),
    (r"calendar\b|appointments?\b|scheduled?\b", "日程|日历", ("calendar",)),
    (r"notifications?\b|reminders?\b", "通知|推送", ("notification", "push")),
    (r"posts?\b|posted\b|tweet(?:s|ed)?\b", "朋友圈|帖子|微博", ("post", "social", "moments")),
    (r"to-?dos?\b|task lists?\b", "待办", ("task", "todo")),
    (r"search(?:es|ed)?\b|googled\b", "搜索", ("search",)),
)
_RULES: Final = tuple(
    (re.compile(rf"\b(?:{english})|{chinese}", re.IGNORECASE), roots)
    for english, chinese, roots in _CALLED
)


def media_named(question: str, media: Iterable[str]) -> frozenset[str]:
    """Return those of these media that a question names by one of the words people have for them."""
    roots = {root for rule, named in _RULES if rule.search(question) for root in named}
    return frozenset(medium for medium in media if any(root in medium for root in roots))
