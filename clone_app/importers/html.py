"""HTML to text: paragraphs and links' text stay, what a reader would not see goes."""

from __future__ import annotations

import html as entities
import re

from inscriptis import Inscriptis
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement as Look
from lxml import etree  # type: ignore[import-untyped, unused-ignore]
from lxml.html import (  # type: ignore[import-untyped, unused-ignore]
    HtmlElement,
    HTMLParser,
    document_fromstring,
)

from clone_app.entries import clean_text

# Beyond this size the tree would take hundreds of megabytes; stripping tags keeps memory flat.
_TREE_LIMIT = 4_000_000
_UNSEEN = re.compile(
    "head|title|script|style|template|noscript|svg|canvas|object|iframe|applet|audio|video"
)
_HIDDEN_STYLE = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|(?:^|;)opacity:0(?:\.0+)?(?:;|!|$)", re.IGNORECASE
)
_TINY = re.compile(r"(?:^|;)font-size:[01](?:px|pt)?(?:;|!|$)", re.IGNORECASE)
# Private-use letters stand for the start and end of a quotation until the lines are known.
_OPEN, _CLOSE = "\ue0f0", "\ue0f1"
_MARKS = {ord(_OPEN): None, ord(_CLOSE): None}
_CSS = {
    **STRICT_CSS_PROFILE,
    "ul": Look(display=Display.block),
    "ol": Look(display=Display.block),
    "dt": Look(display=Display.block),
    "dd": Look(display=Display.block),
    "form": Look(display=Display.block),
    "section": Look(display=Display.block),
    "center": Look(display=Display.block),
    "fieldset": Look(display=Display.block),
    "blockquote": Look(display=Display.block, margin_before=1, margin_after=1),
}
_SPACES = re.compile(r"[ \t\xa0]+")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:]{0,30})(?![a-zA-Z0-9:])[^<>]*+>")
_INLINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label|mark|q"
    "|rp|rt|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr"
)


def to_text(html: str, *, quotes: bool = False) -> str:
    """Return what a reader sees of an HTML document or fragment, one paragraph a block.

    Scripts, styles and hidden parts go; links keep their text, list items their bullet, table rows
    become lines. With `quotes` each line of a blockquote starts with `> `, as in plain mail. Never
    raises: what is too large or too deep for a tree is stripped of its tags instead.
    """
    html = clean_text(html).translate(_MARKS)
    if not re.search(r"<[A-Za-z/!?]", html):  # no markup: its line ends are meant
        return _tidy(entities.unescape(html))
    text = None if len(html) > _TREE_LIMIT else _through_tree(html, quotes=quotes)
    return _tidy(_without_tags(html) if text is None else text)


def _through_tree(html: str, *, quotes: bool) -> str | None:
    """Return the text by way of a tree; None where the tree would have lost some of it."""
    parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        tree = document_fromstring(html.encode("utf-8"), parser=parser)
        if any(error.level == etree.ErrorLevels.FATAL for error in parser.error_log):
            return None  # too deep or too long for the parser: it has dropped the rest
        _prepare(tree, quotes=quotes)
        text: str = Inscriptis(tree, ParserConfig(css=_CSS)).get_text()
    except (etree.LxmlError, RecursionError, ValueError, TypeError, LookupError, AssertionError):
        return None
    return text


def _prepare(tree: HtmlElement, *, quotes: bool) -> None:
    """Take out the unseen, flatten tables and mark quotations, all in place.

    Styles go wholly: a padding of a million columns would be drawn. Tables become lines, because
    mail uses them for layout and drawing columns pads every line to the width of the longest.
    """
    for element in list(tree.iter()):
        tag = element.tag
        if _UNSEEN.fullmatch(tag) or _is_hidden(element):
            if element is not tree:
                element.drop_tree()
            continue
        element.attrib.clear()
        if tag in {"table", "tbody", "thead", "tfoot", "tr", "caption"}:
            element.tag = "div"
        elif tag in {"td", "th"}:
            element.tag = "span"
            element.tail = f"  {element.tail or ''}"
        elif tag == "hr":
            element.tag = "p"
        elif tag == "blockquote" and quotes:
            element.text = _OPEN + (element.text or "")
            _append(element, _CLOSE)


def _is_hidden(element: HtmlElement) -> bool:
    if "hidden" in element.attrib:
        return True
    style = element.attrib.get("style")
    if not style:
        return False
    style = "".join(style.split())
    # A tiny font on a container only closes gaps between its columns; on a leaf it hides words.
    return bool(_HIDDEN_STYLE.search(style) or (len(element) == 0 and _TINY.search(style)))


def _append(element: HtmlElement, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def _without_tags(html: str) -> str:
    """Return the text between the tags, in time linear in the input's length."""
    html = _without_comments(html)
    out: list[str] = []
    position, unseen = 0, ""
    for match in _TAG.finditer(html):
        closing, tag = match[1], match[2].lower()
        if not unseen:
            out.append(html[position : match.start()])
            if not _INLINE.fullmatch(tag):
                out.append("\n\n" if tag == "p" else "\n")
            if not closing and _UNSEEN.fullmatch(tag):
                unseen = tag
        elif closing and tag == unseen:
            unseen = ""
        position = match.end()
    if not unseen:
        out.append(html[position:])
    return entities.unescape("".join(out))


def _without_comments(html: str) -> str:
    out: list[str] = []
    position = 0
    while (start := html.find("<!--", position)) >= 0:
        end = html.find("-->", start + 4)
        if end < 0:
            break
        out.append(html[position:start])
        position = end + 3
    out.append(html[position:])
    return "".join(out)


def _tidy(text: str) -> str:
    """Return lines without padding, runs of blank lines as one, quotation marks as `> `."""
    lines: list[str] = []
    depth = 0
    for raw in clean_text(text).split("\n"):
        depth += raw.count(_OPEN)
        line = _SPACES.sub(" ", raw.translate(_MARKS)).strip()
        if line or (lines and lines[-1].strip("> ")):
            lines.append((f"{'>' * min(depth, 9)} {line}".rstrip()) if depth else line)
        depth = max(depth - raw.count(_CLOSE), 0)
    while lines and not lines[-1].strip("> "):
        lines.pop()
    return "\n".join(lines)
