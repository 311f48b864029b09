"""What was said in a WeChat message: its words, what it quotes, and what stands for a picture."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clone_app.entries import Moment, clean_text

# Instead of what has no words. Single smileys are written in brackets too: those are words.
_STANDS_FOR = re.compile(
    r"\[(?:图片|语音|视频|文件|表情包|动画表情|表情|音乐分享|音乐|链接|分享链接|位置|名片|语音通话|视频通话|通话|红包|转账|小程序"
    r"|视频号|聊天记录|合并转发的聊天记录|图片消息|圖片|語音|影片|檔案|貼圖|連結|photo|image|voice|audio|video|sticker|file"
    r"|link|location|emoji|contact card|mini program)\](?::[^\n]{0,300})?",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\s*(?:wxid_\w+:\s*)?(?:<\?xml|<msg\b|<sysmsg|<revokemsg|<voipmsg|<appmsg)")
# 「Name：words」, a line of strokes, then the answer; or the answer, then 引用:Name:words.
_QUOTED_ABOVE = re.compile(r"「([^\n：:]{1,60}[：:].*?)」\n[- ]{6,}\n", re.DOTALL)
_QUOTED_BELOW = re.compile(r"\n\s*引用[:：]\s*(.+)\Z", re.DOTALL)
_UNKNOWN = {"未知"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Hold one message as a dump tells it. `number` is WeChat's own, the same in every dump."""

    place: str
    text: str
    moment: Moment | None
    sender: str = ""
    name: str = ""
    mine: bool = False
    number: str = ""
    talk: str = ""
    title: str = ""
    quoted: str = ""
    program: bool = False
    wordless: bool = False


def spoken(said: Said) -> tuple[str, str, bool]:
    """Return a message's own words, the words it quotes, and whether it has none of either."""
    text, context = clean_text(said.text).strip(), clean_text(said.quoted).strip()
    if found := _QUOTED_ABOVE.match(text):
        text, context = text[found.end() :], found[1]
    elif found := _QUOTED_BELOW.search(f"\n{text}"):
        text, context = f"\n{text}"[: found.start()], found[1]
    text, context = text.strip(), "" if context.strip() in _UNKNOWN else context.strip()
    if _MARKUP.match(text) or _STANDS_FOR.fullmatch(text):
        text = ""
    return text, context, said.wordless or not (text or context)
