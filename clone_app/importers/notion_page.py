"""A page of a Notion export: its title, properties and words, from Markdown or HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from clone_app.entries import Moment, Precision, clean_text
from clone_app.importers.dated_paths import place
from clone_app.importers.days import read_day
from clone_app.importers.html import to_text
from clone_app.importers.htmltree import first, tree, words

NAMED = re.compile(r"(?P<name>.*\S)[ -](?P<id>[0-9a-f]{32})(?P<all>_all)?")
_ID = re.compile(r"[ -]?(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
_IMAGE = re.compile(
    r"!\[([^\[\]\n]{0,500})\]\(([^()\s]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,500})?)\)"
)
_LINK = re.compile(
    r"\[([^\[\]\n]{0,500})\]\(([^()\s]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,500})?)\)"
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_PROPERTY = re.compile(r"([^:\n]{1,80}): ?(.*)")
_HEADING = re.compile(r"(<h([1-6])\b[^<>]{0,500}>)")
_DATE_NAMES = {
    "date", "day", "datum", "tag", "fecha", "día", "data", "дата", "日付", "日期", "날짜",
    "event date", "entry date", "journal date",
}  # fmt: skip
_MADE_NAMES = {
    "created", "created time", "created at", "created on", "date created", "creation date",
    "date added", "erstellt", "erstellt am", "erstellungsdatum", "créé", "créé le",
    "date de création", "creado", "creado el", "fecha de creación", "criado em", "作成日時",
    "作成日", "创建时间", "创建日期", "建立時間", "생성 일시", "생성일",
}  # fmt: skip
_LABEL_NAMES = {"tags", "tag", "labels", "schlagwörter", "étiquettes", "etiquetas", "タグ", "标签"}


@dataclass(slots=True)
class Page:
    """Hold what a page says; `properties` in their order, `labels` taken from them."""

    title: str = ""
    own_id: str = ""
    text: str = ""
    properties: list[tuple[str, str]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def moment(self) -> Moment:
        """Return the day it is about, else when it was made, else that nobody knows.

        The day is a property's or the title's; the time of making tells the hour of that same day.
        """
        made = self._dated(_MADE_NAMES)
        about = self._dated(_DATE_NAMES) or titled(self.title)
        if about is None or (
            made is not None and made.day() == about.day() and about.precision is Precision.DAY
        ):
            return made or Moment.unknown()
        return about

    def _dated(self, wanted: set[str]) -> Moment | None:
        for name, value in self.properties:
            if name.strip().casefold() in wanted and (moment := read_moment(value)):
                return moment
        return None

    def said(self) -> Iterator[str]:
        """Yield the properties as lines, without those that say when and about what."""
        for name, value in self.properties:
            known = name.strip().casefold()
            if known in _LABEL_NAMES or not value.strip():
                continue
            if known in _DATE_NAMES | _MADE_NAMES and read_moment(value):
                continue
            yield f"{name.strip()}: {value.strip()}"


def read_moment(value: str) -> Moment | None:
    """Read a date as Notion writes it: `@March 1, 2024 8:45 AM (GMT+1) → …`."""
    dated = read_day(value.strip().lstrip("@")[:80])
    return dated.moment if dated is not None and not dated.unsure else None


def titled(title: str) -> Moment | None:
    """Return the moment a title names, None where it names none."""
    placed = place(title.strip().lstrip("@").replace("/", " ")[:200] + ".md")
    return None if placed.moment.local is None or placed.unsure else placed.moment


def without_id(name: str) -> str:
    """Return a page's name without the id that the export puts behind it."""
    return _ID.sub("", name).strip()


def named_page(path: str) -> Page:
    """Return a page of which only its file's name is known."""
    stem = PurePosixPath(path).stem
    found = NAMED.fullmatch(stem)
    return Page(title=found["name"], own_id=found["id"]) if found else Page(title=stem)


def from_markdown(text: str, path: str) -> Page:
    """Read a page in Markdown: its title as heading, properties in lines, then its words."""
    page = named_page(path)
    text = clean_text(text).lstrip("\ufeff\n ")
    first, _, rest = text.partition("\n")
    if first.startswith("# "):
        page.title, text = first[2:].strip(), rest.lstrip("\n")
        block, gap, body = text.partition("\n\n")
        found = [_PROPERTY.fullmatch(line) for line in block.split("\n")]
        if all(found) and len(found) <= 200 and block.strip():
            page.properties = [(one[1], without_links(one[2])) for one in found if one]
            text = body if gap else ""
    page.labels += label_names(page.properties)
    page.text = without_links(text).strip()
    return page


def label_names(properties: list[tuple[str, str]]) -> list[str]:
    """Return the labels among properties, which are written with commas between them."""
    values = [value for name, value in properties if name.strip().casefold() in _LABEL_NAMES]
    return [label for value in values for label in value.split(",")]


def without_links(text: str) -> str:
    """Return Markdown in which links to other parts of the export read as their names."""
    text = _IMAGE.sub(lambda image: image[0] if _SCHEME.match(image[2]) else "", text)
    return _LINK.sub(_named_link, text)


def _named_link(link: re.Match[str]) -> str:
    if _SCHEME.match(link[2]):
        return link[0]
    return link[1].strip() or without_id(PurePosixPath(unquote(link[2])).stem)


def from_html(html: str, path: str) -> Page:
    """Read a page in HTML; one that is too large or too broken for a tree is stripped of its tags."""
    page = named_page(path)
    root = tree(_HEADING.sub(_marked, html))
    if root is None:
        page.text = to_text(html)
        return page
    article = next(root.iter("article"), None)
    if article is not None and not page.own_id:
        page.own_id = clean_text(article.get("id") or "").replace("-", "")
    # The title is a heading too, so that it has got the mark of one.
    page.title = _line(first(root, "page-title")).removeprefix("# ") or page.title
    for row in root.find_class("property-row"):
        cells = list(row)
        if len(cells) != 2:
            continue
        name = _line(cells[0])
        page.properties.append((name, _value(cells[1], row.get("class"))))
        if name.casefold() in _LABEL_NAMES:
            page.labels += [_line(span) for span in cells[1].iter("span")]
    body = first(root, "page-body")
    page.text = words(root if body is None else body)
    return page


def _marked(heading: re.Match[str]) -> str:
    return f"{heading[1]}{'#' * int(heading[2])} "


def _line(element: Any | None) -> str:
    return "" if element is None else " ".join(clean_text(element.text_content()).split())


def _value(cell: Any, kind: str) -> str:
    if "property-row-checkbox" in kind:
        return "Yes" if cell.find_class("checkbox-on") else "No"
    spans = [_line(span) for span in cell.iter("span")]
    return ", ".join(spans) if "select" in kind and spans else _line(cell)
