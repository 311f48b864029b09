"""The rich text of Bluesky: which stretch of a post is a link, a mention or a tag.

Facets count in bytes of UTF-8; the `entities` of the first posts counted in UTF-16 code units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from clone_app.entries import clean_text
from clone_app.importers.jsonstream import dict_of, dicts_of, text_of

# Beyond what any post has: a made-up one must not multiply its addresses.
_FACETS, _ADDRESS_LIMIT = 300, 4_000


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Hold what lies between two places of an encoded text."""

    start: int
    end: int
    link: str = ""
    mention: bool = False
    tag: str = ""


def linked(record: dict[str, Any]) -> str:
    """Return a post's text in which shortened links are whole, and links behind words follow them."""
    codec, stretches = _stretches(record)
    data = _body(record).encode(codec, "ignore")
    out: list[bytes] = []
    at = 0
    for stretch in sorted(stretches, key=lambda one: one.start):
        if not stretch.link or stretch.start < at:
            continue
        words = _between(data, stretch, codec)
        if words is None:
            continue
        out += [data[at : stretch.start], _whole(words, stretch.link).encode(codec, "ignore")]
        at = stretch.end
    return clean_text(b"".join([*out, data[at:]]).decode(codec, "replace"))


def mentioned(record: dict[str, Any]) -> list[str]:
    """Return whom a post mentions, as its text has them: `@name.bsky.social`."""
    codec, stretches = _stretches(record)
    data = _body(record).encode(codec, "ignore")
    found = (_between(data, one, codec) for one in stretches if one.mention)
    return [name.strip() for name in found if name and name.strip().startswith("@")]


def tagged(record: dict[str, Any]) -> list[str]:
    """Return the tags that stand in a post's text."""
    return [one.tag for one in _stretches(record)[1] if one.tag]


def _body(record: dict[str, Any]) -> str:
    value = record.get("text")
    return value if isinstance(value, str) else ""  # unclean, since the offsets count all of it


def _stretches(record: dict[str, Any]) -> tuple[str, list[_Stretch]]:
    if facets := dicts_of(record.get("facets")):
        return "utf-8", [one for facet in facets[:_FACETS] for one in _facet(facet)]
    entities = dicts_of(record.get("entities"))[:_FACETS]
    return "utf-16-le", [one for entity in entities for one in _entity(entity)]


def _facet(facet: dict[str, Any]) -> Iterator[_Stretch]:
    index = dict_of(facet.get("index"))
    start, end = index.get("byteStart"), index.get("byteEnd")
    if not isinstance(start, int) or not isinstance(end, int):
        return
    for feature in dicts_of(facet.get("features"))[:_FACETS]:
        kind = text_of(feature.get("$type")).rpartition("#")[2]
        if kind == "link":
            yield _Stretch(start, end, link=_link(feature.get("uri")))
        elif kind == "mention":
            yield _Stretch(start, end, mention=True)
        elif kind == "tag":
            yield _Stretch(start, end, tag=text_of(feature.get("tag")).lstrip("#"))


def _entity(entity: dict[str, Any]) -> Iterator[_Stretch]:
    index = dict_of(entity.get("index"))
    start, end = index.get("start"), index.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        return
    kind = text_of(entity.get("type"))
    if kind == "link":
        yield _Stretch(start * 2, end * 2, link=_link(entity.get("value")))
    elif kind == "mention":
        yield _Stretch(start * 2, end * 2, mention=True)


def _link(value: object) -> str:
    address = text_of(value)
    return address if len(address) <= _ADDRESS_LIMIT else ""


def _between(data: bytes, stretch: _Stretch, codec: str) -> str | None:
    """Return the words of a stretch; None for one that leads outside or cuts through a letter."""
    if not 0 <= stretch.start < stretch.end <= len(data):
        return None
    try:
        return data[stretch.start : stretch.end].decode(codec)
    except UnicodeDecodeError:
        return None


def _whole(words: str, link: str) -> str:
    visible = words.strip().removesuffix("...").removesuffix("…").casefold().rstrip("/")
    if visible and visible in link.casefold():
        return words.replace(words.strip(), link, 1)
    return f"{words} ({link})"
