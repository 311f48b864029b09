"""Pages whose parts mean something: a tree to look for them in, made without any network."""

from __future__ import annotations

from typing import Any

from lxml import etree  # type: ignore[import-untyped, unused-ignore]
from lxml.html import (  # type: ignore[import-untyped, unused-ignore]
    HTMLParser,
    document_fromstring,
    tostring,
)

from clone_app.entries import clean_text
from clone_app.importers.html import to_text

TREE_LIMIT = 4_000_000


def tree(markup: str) -> Any | None:
    """Return the root of a page's tree; None for what is no page, too large or too deep for one."""
    if len(markup) > TREE_LIMIT:
        return None
    parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        found = document_fromstring(clean_text(markup).encode("utf-8"), parser=parser)
        found.text_content()
    except (etree.LxmlError, ValueError, TypeError, AssertionError, RecursionError):
        return None
    return found


def words(element: Any | None, *, quotes: bool = False) -> str:
    """Return what a reader sees of an element, as `html.to_text` does; nothing for none."""
    if element is None:
        return ""
    return to_text(tostring(element, encoding="unicode", with_tail=False), quotes=quotes).strip()


def first(root: Any, name: str) -> Any | None:
    """Return the first element of a class, None where there is none."""
    return next(iter(root.find_class(name)), None)
