"""Google's activities, as lists and as pages, and Chrome's history."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.takeout import TAKEOUT
from clone_app.importers.visits import behind, searched_for
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[[str, str | bytes], list[Found]]


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that claims and reads a file."""

    def read_file(path: str, data: str | bytes) -> list[Found]:
        members = [member_of(path, data.encode() if isinstance(data, str) else data)]
        assert TAKEOUT.claim(members) is not None
        return list(TAKEOUT.read(members, Reading()))

    return read_file


def only(found: list[Found]) -> Item:
    (item,) = found
    assert isinstance(item, Item)
    return item


def activity(**more: Any) -> dict[str, Any]:
    return {
        "header": "Search",
        "title": "Searched for book press",
        "titleUrl": "https://www.google.com/search?q=book+press",
        "time": "2018-01-31T22:54:50.123Z",
        "products": ["Search"],
        **more,
    }


def test_a_search_is_kept_as_google_puts_it(read: Read) -> None:
    item = only(read("My Activity/Search/MyActivity.json", json.dumps([activity()])))
    assert item == Item(
        key=item.key,
        medium="search",
        moment=item.moment,
        text="Searched for book press",
        mine=True,
        locator="My Activity/Search/MyActivity.json#0",
        title="book press",
        context="https://www.google.com/search?q=book+press",
        labels=("Search",),
    )
    assert item.moment.iso() == "2018-01-31T22:54:50+00:00"
    assert item.key.startswith("takeout:2018-01-31:")


def test_who_made_what_was_watched_is_context(read: Read) -> None:
    watched = activity(
        title="Watched How to bind",
        titleUrl="https://www.youtube.com/watch?v=x",
        subtitles=[{"name": "Ann Binds", "url": "https://www.youtube.com/channel/a"}],
        products=["YouTube"],
    )
    item = only(read("watch-history.json", json.dumps([watched])))
    assert (item.medium, item.text) == ("browsing", "Watched How to bind")
    assert item.context == "Ann Binds\nhttps://www.youtube.com/watch?v=x"


def test_the_same_search_twice_a_day_is_two_items_and_imported_twice_still_two(read: Read) -> None:
    two = json.dumps([activity(), activity(time="2018-01-31T23:00:00Z")])
    keys = [one.key for one in read("a.json", two) + read("b.json", two) if isinstance(one, Item)]
    assert len(keys) == 4
    assert len(set(keys)) == 2


def test_a_broken_activity_is_named_and_the_next_is_read(read: Read) -> None:
    first, second, third = read(
        "a.json", json.dumps([activity(title="", titleUrl=None), activity(), 7])
    )
    reason = "is no activity, or one without a title"
    assert (first, third) == (ImportProblem("a.json#0", reason), ImportProblem("a.json#2", reason))
    assert isinstance(second, Item)


def page(*cells: str) -> str:
    style = "<style type='text/css'>.outer-cell { x: y }" + " " * 9000 + "</style>"
    return (
        f"<html><head><title>My Activity History</title>{style}</head><body>"
        f'<div class="mdl-grid">{"".join(cells)}</div></body></html>'
    )


def cell(body: str, product: str = "Search") -> str:
    return (
        '<div class="outer-cell mdl-cell mdl-cell--12-col"><div class="mdl-grid">'
        '<div class="header-cell mdl-cell"><p class="mdl-typography--title">'
        f"{product}<br></p></div>"
        f'<div class="content-cell mdl-cell mdl-typography--body-1">{body}</div>'
        '<div class="content-cell mdl-cell mdl-typography--body-1 mdl-typography--text-right"></div>'
        '<div class="content-cell mdl-typography--caption"><b>Products:</b><br>&emsp;Search</div>'
        "</div></div>"
    )


def test_a_page_is_read_like_a_list(read: Read) -> None:
    body = (
        'Watched&nbsp;<a href="https://www.youtube.com/watch?v=x">Bind &amp; sew</a><br>'
        '<a href="https://www.youtube.com/channel/a">Ann Binds</a><br>Jan 31, 2018, 10:54:50 PM'
    )
    item = only(read("My Activity/YouTube/MyActivity.html", page(cell(body, "YouTube"))))
    assert (item.text, item.labels, item.mine) == ("Watched Bind & sew", ("YouTube",), True)
    assert item.context == "Ann Binds\nhttps://www.youtube.com/watch?v=x"
    assert item.moment.iso() == "2018-01-31T22:54:50"
    assert item.locator == "My Activity/YouTube/MyActivity.html#0"


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("Jan 31, 2018, 10:54:50\u202fPM PST", "2018-01-31T22:54:50-08:00"),
        ("31.01.2018, 22:54:50 CET", "2018-01-31T22:54:50+01:00"),
        ("31 janv. 2018, 22:54:50 GMT+01:00", "2018-01-31T22:54:50+01:00"),
        ("31 Jan 2018, 22:54:50 UTC", "2018-01-31T22:54:50+00:00"),
        ("2018年1月31日 22:54:50 XYZ", "2018-01-31T22:54:50"),
    ],
)
def test_the_date_is_read_as_google_writes_it_in_many_languages(
    read: Read, written: str, moment: str
) -> None:
    item = only(read("MyActivity.html", page(cell(f"Searched for&nbsp;tea<br>{written}"))))
    assert (item.text, item.moment.iso()) == ("Searched for tea", moment)


def test_a_date_nobody_can_read_is_not_invented(read: Read) -> None:
    item = only(read("MyActivity.html", page(cell("Searched for tea<br>yesterday"))))
    assert item.moment.iso() is None
    assert "yesterday" in item.context


def test_pages_of_many_chunks_lose_no_cell(read: Read) -> None:
    cells = [
        cell(f"Searched for&nbsp;{number:05d}<br>Jan 31, 2018, 10:54:50 PM")
        for number in range(1500)
    ]
    found = read("MyActivity.html", page(*cells))
    assert [one.text for one in found if isinstance(one, Item)] == [
        f"Searched for {number:05d}" for number in range(1500)
    ]


def test_a_cell_made_to_hurt_is_named(read: Read) -> None:
    found = read("MyActivity.html", page(cell("x" * 3_000_000), cell("Searched for tea<br>x")))
    assert found[0] == ImportProblem("MyActivity.html#0", "is larger than any activity")


def test_chromes_history_keeps_visits_and_searches(read: Read) -> None:
    visits = [
        {"title": "Presses", "url": "https://b.org/", "time_usec": 1606150000000000},
        {"title": "tea - Search", "url": "https://duckduckgo.com/?q=tea+pots", "time_usec": "soon"},
        {"title": "New tab", "url": "chrome://newtab/", "time_usec": 1606150000000000},
        {"title": "?"},
    ]
    data = json.dumps({"Typed Url": [{"url": "a"}], "Browser History": visits, "Session": []})
    one, search, tab, broken = read("Takeout/Chrome/BrowserHistory.json", data)
    assert isinstance(one, Item)
    assert isinstance(search, Item)
    assert (one.text, one.context, one.medium) == ("Visited: Presses", "https://b.org/", "browsing")
    assert one.moment.iso() == "2020-11-23T16:46:40+00:00"
    assert (search.text, search.medium) == ("Searched for: tea pots", "search")
    assert search.moment.iso() is None
    assert isinstance(tab, Skipped)
    assert isinstance(broken, ImportProblem)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("https://www.google.co.uk/search?q=a+b&hl=en", "a b"),
        ("https://www.youtube.com/results?search_query=caf%C3%A9", "café"),
        ("https://en.wikipedia.org/w/index.php?search=tea", "tea"),
        ("https://www.google.com/url?q=http://b.org", ""),
        ("https://notgoogle.com/search?q=a", ""),
        ("https://b.org/?q=a", ""),
        ("https://[broken?q=a", ""),
        ("", ""),
    ],
)
def test_what_an_address_searches_for(address: str, words: str) -> None:
    assert searched_for(address) == words


def test_a_link_of_a_search_engine_leads_where_it_says() -> None:
    assert behind("https://www.google.com/url?q=http://b.org/x&usg=1") == "http://b.org/x"
    assert behind("https://www.google.com/url?q=javascript:x").startswith("https://www.google.com")
    assert behind("https://b.org/url?q=http://c.org") == "https://b.org/url?q=http://c.org"


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("a.json", b'[{"head": "x"}]'),
        ("a.html", page().encode()),
        ("MyActivity.html", b"<html><body>Hello</body></html>"),
        ("BrowserHistory.json", b'{"a": 1}'),
        ("My Activity.txt", b"x"),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, data: bytes) -> None:
    assert TAKEOUT.claim([member_of(path, data)]) is None


def test_a_list_that_breaks_off_keeps_what_came_before(read: Read) -> None:
    text = json.dumps([activity(), activity()])
    first, problem = read("a.json", text[:-20])
    assert isinstance(first, Item)
    assert isinstance(problem, ImportProblem)
    assert "breaks off" in problem.reason


ODD = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["https://www.google.com/search?q=\ud800", "https://[", "2020-01-01T00:00Z"])
)  # fmt: skip
KEYS = st.sampled_from(
    ["header", "title", "titleUrl", "time", "subtitles", "name", "products", "url", "time_usec"]
)
VALUES = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)


@given(VALUES, st.text(max_size=40))
def test_any_content_is_read(member_of: MakeMember, value: Any, text: str) -> None:
    cells = page(cell(text), f'<div class="outer-cell">{text}', cell(f"{text}<br>{text}"))
    for path, data in (
        ("a.json", json.dumps([value])),
        ("BrowserHistory.json", json.dumps({"Browser History": [value], "time_usec": 1})),
        ("MyActivity.html", cells),
    ):
        member = member_of(path, data.encode("utf-8", "surrogatepass"))
        for one in TAKEOUT.read([member], Reading()):
            assert isinstance(one, Item | ImportProblem | Skipped)
            if isinstance(one, Item):
                (one.text + one.context + one.title + one.key).encode()
