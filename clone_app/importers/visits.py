"""What somebody looked up or opened: one search or visit as one item, whichever program kept it."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from clone_app.entries import Item, Moment, clean_text
from clone_app.importers.stamps import made_key

_SEARCHED = re.compile(
    r"(?:www\.|search\.|m\.)*(?:google|bing|duckduckgo|ecosia|startpage|qwant|brave|yahoo|yandex|baidu"
    r"|youtube|wikipedia|kagi)(?:\.\w{2,3}){1,2}"
)
_QUERIES = ("q", "query", "search_query", "p", "wd", "text", "search")
_ADDRESS_LIMIT, _TITLE_LIMIT = 2_000, 2_000


def searched_for(address: str) -> str:
    """Return the words an address searches for, nothing where it is no search engine's."""
    try:
        parts = urlsplit(address[: _ADDRESS_LIMIT * 2])
        host = parts.hostname or ""
        if parts.path == "/url" or not _SEARCHED.fullmatch(re.sub(r"^[a-z]{2}\.", "", host)):
            return ""
        asked = parse_qs(parts.query, max_num_fields=100)
    except ValueError:
        return ""
    words = next((asked[name][0] for name in _QUERIES if asked.get(name)), "")
    return " ".join(clean_text(words).split())[:_TITLE_LIMIT]


def behind(address: str) -> str:
    """Return where a link of a search engine leads; another address as it is."""
    try:
        parts = urlsplit(address[: _ADDRESS_LIMIT * 2])
        if parts.path != "/url" or ".google." not in f".{parts.hostname or ''}":
            return address
        asked = parse_qs(parts.query, max_num_fields=100)
    except ValueError:
        return address
    target = next((asked[name][0] for name in ("q", "url") if asked.get(name)), "")
    return target if target.startswith(("http://", "https://")) else address


def visit(
    source: str, moment: Moment, *, title: str, address: str, locator: str, said: str = ""
) -> Item:
    """Return one search or visit. What was searched for are the user's words; a page's title is not.

    `said` is how the source itself puts it (“Watched …”); else a visit reads “Visited: title”, so
    that a headline is never taken for an opinion.
    """
    title = " ".join(clean_text(title).split())[:_TITLE_LIMIT]
    address = clean_text(behind(address))[:_ADDRESS_LIMIT]
    query = searched_for(address)
    if said:
        text = said
    elif query:
        text = f"Searched for: {query}"
    else:
        text = f"Visited: {title or address}"
    return Item(
        key=made_key(source, moment, moment.iso() or "", text, address),
        medium="search" if query else "browsing",
        moment=moment,
        text=text,
        mine=True,
        locator=locator,
        title=query or title,
        context=address,
    )
