"""Roam's pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.roam import ROAM
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]

PAGE = {
    "title": "Sapiens",
    "uid": "page-sapiens",
    "create-time": 1600000000000,
    "edit-time": 1700000000000,
    "children": [
        {"string": "Read [[Dune]] too", "children": [{"string": "{{[[TODO]]}} buy\nit"}]},
        {"string": "{{DONE}} lend"},
        {"string": " "},
    ],
}


@pytest.fixture
def read(member_of: MakeMember) -> Callable[..., list[Found]]:
    def read_pages(*pages: Any) -> list[Found]:
        member = member_of("graph.json", json.dumps(pages).encode())
        assert ROAM.claim([member]) is not None
        return list(ROAM.read([member], Reading()))

    return read_pages


def test_a_page_is_its_outline(read: Callable[..., list[Found]]) -> None:
    (item,) = read(PAGE)
    assert isinstance(item, Item)
    assert item.moment.iso() == "2020-09-13T12:26:40+00:00"
    assert item == Item(
        key="page-sapiens",
        medium="note",
        moment=item.moment,
        text="- Read Dune too\n  - [ ] buy\n    it\n- [x] lend",
        mine=True,
        locator="graph.json#0",
        title="Sapiens",
    )


@pytest.mark.parametrize(
    ("changes", "moment"),
    [
        ({"title": "February 10th, 2023"}, "2023-02-10"),
        ({"title": "2019"}, "2020-09-13T12:26:40+00:00"),
        ({"create-time": None}, "2023-11-14T22:13:20+00:00"),
        ({"create-time": None, "edit-time": "x"}, None),
    ],
)
def test_a_daily_page_has_its_day_others_when_they_were_made(
    read: Callable[..., list[Found]], changes: dict[str, Any], moment: str | None
) -> None:
    (item,) = read(PAGE | changes)
    assert isinstance(item, Item)
    assert item.moment.iso() == moment


def test_empty_pages_are_skipped_and_broken_ones_named(
    read: Callable[..., list[Found]], member_of: MakeMember
) -> None:
    _, empty, odd = read(PAGE, {"title": "Only a name"}, 5)
    assert empty == Skipped("graph.json#1", "a page with nothing on it")
    assert odd == ImportProblem("graph.json#2", "is no page")
    cut = json.dumps([PAGE, PAGE]).encode()[:-9]
    item, end = ROAM.read([member_of("graph.json", cut)], Reading())
    assert isinstance(item, Item)
    assert isinstance(end, ImportProblem)
    assert list(ROAM.read([member_of("g.json", b"[]")], Reading())) == [
        Skipped("g.json", "no pages in it")
    ]


@pytest.mark.parametrize("data", [b'[{"title": "x", "text": "y"}]', b'{"title": "x"}', b"[]", b""])
def test_other_json_is_not_claimed(member_of: MakeMember, data: bytes) -> None:
    assert ROAM.claim([member_of("graph.json", data)]) is None
