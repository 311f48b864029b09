"""What the clone says in words of its own, each language in one place: frames, silence, change."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Final

from clone_app.entries import Item, Moment, Precision
from clone_app.memory.chinese import mainly
from clone_app.persona.facts import MONTHS

_VERBS: Final = {
    "post": "posted",
    "social_media": "posted",
    "search": "searched for",
    "search_history": "searched for",
    "calendar": "noted",
    "calendar_event": "noted",
    "todo": "noted",
    "todo_list": "noted",
    "note": "noted",
    "memo": "noted",
}
_CHINESE_VERBS: Final = {
    "post": "发文说",
    "social_media": "发文说",
    "search": "搜索了",
    "search_history": "搜索了",
    "calendar": "记下",
    "calendar_event": "记下",
    "todo": "记下",
    "todo_list": "记下",
    "note": "记下",
    "memo": "记下",
}
_ADDRESS = re.compile(r"<[^>]*>|\([^)]*@[^)]*\)|\S+@\S+")
_UNFIT = re.compile(r"[\s<>“”\"|\[\]{}]+")


class Phrases(ABC):
    """Say in one language what no entry says.

    `never` and `unanswered` are silence, `nearest` leads to the nearest that was found.
    """

    never: ClassVar[str]
    unanswered: ClassVar[str]
    nearest: ClassVar[str]

    @abstractmethod
    def framed(self, item: Item, quoted: str) -> str:
        """Return a quotation under its day and author."""

    @abstractmethod
    def changed(self, before: Moment, now: Moment) -> str:
        """Return that something changed between two days."""

    @abstractmethod
    def left_out(self, topics: Sequence[str]) -> str:
        """Return that topics are left out of the clone at the user's wish, and where that is changed."""

    def near(self, quoted: str) -> str:
        """Return a framed quotation as the nearest that was found."""
        return f"{self.nearest} {quoted}"


class English(Phrases):
    """Say it in English: for every question but a Chinese one."""

    never = "I never wrote about that."
    unanswered = "I find no clear answer to that in what I wrote."
    nearest = "The nearest I find:"

    def framed(self, item: Item, quoted: str) -> str:
        """Return `On 14 September 1666 I wrote: “…”`."""
        return f"{frame(item)} “{quoted}”"

    def changed(self, before: Moment, now: Moment) -> str:
        """Return that something changed between two days."""
        return f"That changed between {spoken(before)} and {spoken(now)}."

    def left_out(self, topics: Sequence[str]) -> str:
        """Return that topics are left out of the clone at the user's wish, and where that is changed."""
        named = " and ".join(f"“{topic}”" for topic in topics)
        return (
            f"What I wrote about {named} is left out of me, as you wished; that is changed in About me, "
            "under What is left out of me."
        )


class Chinese(Phrases):
    """Say it in Chinese."""

    never = "这件事我没有写过。"
    unanswered = "我写下的东西里找不到明确的答案。"
    nearest = "最接近的是："

    def framed(self, item: Item, quoted: str) -> str:
        """Return `2024年5月3日，我写道：“…”`."""
        verb = _CHINESE_VERBS.get(item.medium, "写道") if item.mine else "写道"
        who = "我" if item.mine else display_name(item.author) or "别人"
        # An author in Latin letters stands apart from the Chinese around.
        who = f" {who} " if who.isascii() else who
        day = chinese_day(item.moment)
        return (
            f"{day}，{who.lstrip()}{verb}：“{quoted}”"
            if day
            else f"{who.lstrip()}{verb}：“{quoted}”"
        )

    def changed(self, before: Moment, now: Moment) -> str:
        """Return that something changed between two days."""
        return f"从{chinese_day(before)}到{chinese_day(now)}，这件事变了。"

    def left_out(self, topics: Sequence[str]) -> str:
        """Return that topics are left out of the clone at the user's wish, and where that is changed."""
        named = "和".join(f"“{topic}”" for topic in topics)
        return f"按你的意愿，我不谈{named}；要更改，请到 About me 的 What is left out of me。"

    def near(self, quoted: str) -> str:
        """Return a framed quotation as the nearest that was found."""
        return f"{self.nearest}{quoted}"


ENGLISH: Final[Phrases] = English()
CHINESE: Final[Phrases] = Chinese()


def phrases_of(question: str) -> Phrases:
    """Return the words of the language a question is asked in, English where there are no others."""
    return CHINESE if mainly(question) else ENGLISH


def chinese_day(moment: Moment) -> str:
    """Return a moment's day as `2024年5月3日` at its precision, "" if undated."""
    if moment.local is None:
        return ""
    day = f"{moment.local.year}年"
    if moment.precision is not Precision.YEAR:
        day += f"{moment.local.month}月"
        if moment.precision is not Precision.MONTH:
            day += f"{moment.local.day}日"
    return day


def frame(item: Item) -> str:
    """Return what stands before a quotation: `On 14 September 1666 I wrote:`."""
    verb = _VERBS.get(item.medium, "wrote") if item.mine else "wrote"
    who = "I" if item.mine else display_name(item.author) or "somebody else"
    return f"{when(item.moment)} {who} {verb}:"


def when(moment: Moment) -> str:
    """Return `On 14 September 1666`, `In March 2022`, `In 2022` or `At some time`, in English."""
    if moment.local is None:
        return "At some time"
    stated = spoken(moment)
    return (
        f"In {stated}" if moment.precision in (Precision.MONTH, Precision.YEAR) else f"On {stated}"
    )


def spoken(moment: Moment) -> str:
    """Return a moment's day in English long form at its precision, "" if undated."""
    if moment.local is None:
        return ""
    year, month = str(moment.local.year), MONTHS[moment.local.month - 1]
    if moment.precision is Precision.YEAR:
        return year
    if moment.precision is Precision.MONTH:
        return f"{month} {year}"
    return f"{moment.local.day} {month} {year}"


def display_name(author: str) -> str:
    """Return an author's name without the address; what stands before the @ where that is all."""
    name = _UNFIT.sub(" ", _ADDRESS.sub(" ", author)).strip(" ,;:'()")
    if not name and "@" in author:
        name = _UNFIT.sub(" ", author.strip(" <").partition("@")[0]).strip()
    return name[:60].strip()
