"""Chats of other programs' test files, counted by hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.importers.whatsapp_lines import header_of, layout_of, moment_of
from clone_app.progress import Progress
from clone_app.protocols import Found, Reading

pytestmark = pytest.mark.real
Read = Callable[..., tuple[str, list[Item], list[Found]]]


@pytest.fixture
def read(shared_data: Path) -> Read:
    """Return a function that reads a file: the one source it is, its items, and the rest."""

    def read_file(name: str, *me: str) -> tuple[str, list[Item], list[Found]]:
        with open_tree(shared_data / "social" / name) as tree:
            recognition = recognise(tree)
            found = list(read_all(recognition, Reading(frozenset(me)), Progress()))
        (source,) = recognition.recognised
        assert source.question is None
        assert source.confidence >= 0.75
        rest = [one for one in found if not isinstance(one, Item)]
        return source.importer, [one for one in found if isinstance(one, Item)], rest

    return read_file


@pytest.mark.parametrize(
    ("name", "authors", "first", "last"),
    [
        (
            "lorem",
            {"+1 123 456 789": 145, "John": 124, "Giuseppe": 118, "Mary": 113},
            "2020-01-15T02:22:56",
            "2020-05-11T22:32:48",
        ),
        (
            "lorem-2000",
            {"Giuseppe": 516, "+1 123 456 789": 507, "Mary": 496, "John": 481},
            "2019-04-16T02:09",
            "2020-06-13T00:00",
        ),
        (
            "lorem-merge-part1",
            {"Mary": 80, "+1 123 456 789": 78, "Giuseppe": 75, "John": 67},
            "2019-10-20T10:16",
            "2020-01-10T00:00",
        ),
        (
            "lorem-merge-part2",
            {"+1 123 456 789": 78, "Giuseppe": 75, "John": 67, "Maria": 51, "Maria2": 29},
            "2020-06-20T10:16",
            "2020-09-10T00:00",
        ),
    ],
)
def test_whatstks_chats_are_read_line_by_line(
    read: Read, name: str, authors: dict[str, int], first: str, last: str
) -> None:
    source, items, rest = read(f"whatsapp-whatstk/whatsapp/{name}.txt", "mary")
    assert source == "whatsapp"
    assert Counter(one.author for one in items) == authors
    assert (items[0].moment.iso(), items[-1].moment.iso()) == (first, last)
    assert len({one.key for one in items}) == sum(authors.values())
    assert {one.author for one in items if one.mine} <= {"Mary"}
    assert not rest


def test_whatstks_group_has_two_lines_of_the_program(read: Read) -> None:
    source, items, rest = read("whatsapp-whatstk/whatsapp/pokemon.txt")
    assert (source, len(items)) == ("whatsapp", 18)
    assert [one.reason for one in rest if isinstance(one, Skipped)] == [
        "2 lines that WhatsApp wrote and no person"
    ]
    assert (items[0].text, items[-1].text) == ("Hey guys!", "Wo-bbu-ffet")


@pytest.mark.parametrize(
    "name", ["[mmddyy]_24hrs", "ddmmyy_24hrs", "mmddyy_24hrs", "mmddyyyy_12hrs", "yyyymmdd_24hrs"]
)
def test_chat_miners_whatsapp_layouts_hold_the_same_six_messages(
    read: Read, shared_data: Path, name: str
) -> None:
    source, items, rest = read(f"chat-miner/whatsapp/test_{name}.txt")
    target = json.loads(
        (shared_data / "social" / "chat-miner" / "whatsapp" / "target.json").read_text("utf-8")
    )
    assert source == "whatsapp"
    assert [
        {
            "timestamp": one.moment.local.isoformat() if one.moment.local else None,
            "author": one.author,
            "message": one.text.replace("\n", " "),
        }
        for one in items
    ] == target[::-1]
    assert len(items) == 6
    assert [one.reason for one in rest] == ["3 lines that WhatsApp wrote and no person"]


def test_every_header_format_whatstk_names_is_read(shared_data: Path) -> None:
    assets = shared_data / "social" / "whatsapp-whatstk" / "whatstk" / "whatsapp" / "assets"
    formats = json.loads((assets / "header_format_support.json").read_text("utf-8"))
    times = [
        datetime(2019, 12, 24, 12, 5),
        datetime(2019, 12, 25, 0, 30),
        datetime(2020, 1, 17, 21),
    ]
    assert len(formats) == 96
    for one in formats:
        lines = [when.strftime(one["format"].replace("%name", "Ann")) + " Hi" for when in times]
        orders = layout_of(lines, authors=1).orders
        for line, when in zip(lines, times, strict=True):
            header = header_of(line)
            assert header is not None, line
            moment = moment_of(header, orders[header.style])
            assert moment is not None
            assert (header.author, header.text, moment.local) == ("Ann", "Hi", when), line


@pytest.mark.parametrize(("name", "title"), [("single", ""), ("batch", "Chatname")])
def test_chat_miners_telegram_exports_hold_two_messages(read: Read, name: str, title: str) -> None:
    source, items, rest = read(f"chat-miner/telegram/test_{name}_export.json", "author 2")
    assert source == "telegram"
    assert [(one.moment.iso(), one.author, one.text, one.mine) for one in items] == [
        ("2018-12-05T10:39:10+00:00", "Author 1", "Minimal Message", False),
        ("2018-12-05T10:49:24+00:00", "Author 2", "Link:https://telegram.org/", True),
    ]
    assert {one.title for one in items} == {title}
    assert not rest


def test_chat_miners_instagram_export_holds_two_messages(shared_data: Path) -> None:
    with open_tree(shared_data / "social" / "chat-miner") as tree:
        recognition = recognise(tree)
        found = list(read_all(recognition, Reading(frozenset({"john doe"})), Progress()))
    assert [
        (one.moment.iso(), one.author, one.text, one.mine)
        for one in found
        if isinstance(one, Item) and one.locator.startswith("instagram/")
    ] == [
        ("2020-01-17T20:49:00+00:00", "John Doe", "Hello Jane!", True),
        ("2019-12-24T11:23:00+00:00", "Jane Doe", "Hello John!", False),
    ]


def test_chat_miners_signal_export_holds_two_messages(read: Read) -> None:
    source, items, rest = read("chat-miner/signal/test_export.txt", "jane doe")
    assert source == "signal"
    assert [(one.moment.iso(), one.author, one.text, one.mine) for one in items] == [
        ("2019-12-24T12:23", "Jane Doe", "Hello John!", True),
        ("2020-01-17T21:49", "John Doe", "Hello\nJane!", False),
    ]
    assert not rest


def test_no_chat_is_a_problem(shared_data: Path) -> None:
    for name in ("chat-miner", "whatsapp-whatstk"):
        with open_tree(shared_data / "social" / name) as tree:
            found = list(read_all(recognise(tree), Reading(), Progress()))
        assert not [one for one in found if isinstance(one, ImportProblem)]
