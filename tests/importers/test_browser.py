"""The histories Firefox, Chrome and Safari keep."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.browser import BROWSER
from clone_app.importers.no_source import no_source
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]

FIREFOX = """
CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT, title TEXT);
CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, place_id INT, visit_date INT, visit_type INT);
INSERT INTO moz_places VALUES (1, 'https://b.org/', 'Presses'), (2, 'about:config', NULL);
INSERT INTO moz_historyvisits VALUES (1, 1, 1606150000000000, 1), (2, 1, 1606150001000000, 4),
  (3, 2, 1606150002000000, 1), (4, 1, NULL, 2);
"""
CHROME = """
CREATE TABLE urls (id INTEGER PRIMARY KEY, url TEXT, title TEXT);
CREATE TABLE visits (id INTEGER PRIMARY KEY, url INT, visit_time INT, transition INT);
INSERT INTO urls VALUES (1, 'https://www.google.com/search?q=book+press', 'book press - Google');
INSERT INTO visits VALUES (1, 1, 13250623600000000, 805306369), (2, 1, 13250623600000000, 3);
"""
SAFARI = """
CREATE TABLE history_items (id INTEGER PRIMARY KEY, url TEXT);
CREATE TABLE history_visits (id INTEGER PRIMARY KEY, history_item INT, visit_time REAL, title TEXT);
INSERT INTO history_items VALUES (1, 'https://b.org/');
INSERT INTO history_visits VALUES (1, 1, 627842800.5, 'Presses');
"""


def database(script: str, *, wal: bool = False) -> bytes:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(script)
        data = bytearray(db.serialize())
    if wal:
        data[18:20] = b"\x02\x02"
    return bytes(data)


def read(member_of: MakeMember, path: str, data: bytes) -> list[Found]:
    members = [member_of(path, data)]
    assert BROWSER.claim(members) is not None
    assert no_source(members[0]) == ""
    return list(BROWSER.read(members, Reading()))


def test_firefox_keeps_visits_of_a_person_alone(member_of: MakeMember) -> None:
    one, undated, left = read(member_of, "profile/places.sqlite", database(FIREFOX))
    assert isinstance(one, Item)
    assert isinstance(undated, Item)
    assert (one.text, one.context, one.mine) == ("Visited: Presses", "https://b.org/", True)
    assert one.moment.iso() == "2020-11-23T16:46:40+00:00"
    assert one.locator == "profile/places.sqlite#1"
    assert undated.moment.iso() is None
    assert left == Skipped(
        "profile/places.sqlite#pages", "1 visit to a page that is not on the web"
    )


def test_chrome_counts_from_1601_and_a_search_keeps_its_words(member_of: MakeMember) -> None:
    (item,) = read(member_of, "Default/History", database(CHROME))
    assert isinstance(item, Item)
    assert (item.text, item.medium) == ("Searched for: book press", "search")
    assert item.moment.iso() == "2020-11-23T16:46:40+00:00"


def test_safari_counts_from_2001(member_of: MakeMember) -> None:
    (item,) = read(member_of, "History.db", database(SAFARI))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2020-11-23T16:46:40+00:00"


def test_a_database_that_names_a_journal_is_read_without_one(
    member_of: MakeMember, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    found = read(member_of, "places.sqlite", database(FIREFOX, wal=True))
    assert isinstance(found[0], Item)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE cookies (id INT)",
        "CREATE VIEW urls AS SELECT 1 id; CREATE TABLE visits (id INT, url INT)",
        # A view in a table's place could count forever.
        "CREATE TABLE moz_places (id INT); CREATE VIEW moz_historyvisits AS WITH RECURSIVE c(id) AS "
        "(SELECT 1 UNION ALL SELECT id + 1 FROM c) SELECT id FROM c",
    ],
)
def test_another_database_is_named(member_of: MakeMember, script: str) -> None:
    assert read(member_of, "History", database(script)) == [
        ImportProblem("History", "holds no browser's history; choose another file")
    ]


def test_columns_that_are_missing_are_named(member_of: MakeMember) -> None:
    script = "CREATE TABLE urls (id INT); CREATE TABLE visits (id INT)"
    (problem,) = read(member_of, "History", database(script))
    assert isinstance(problem, ImportProblem)
    assert "damaged or in use" in problem.reason


def test_other_databases_and_other_files_are_not_claimed(member_of: MakeMember) -> None:
    assert BROWSER.claim([member_of("cookies.sqlite", database(FIREFOX))]) is None
    assert BROWSER.claim([member_of("History", b"1066: Hastings")]) is None


@given(st.integers(0, 12_000), st.binary(min_size=1, max_size=60), st.booleans())
def test_any_damage_is_named(member_of: MakeMember, place: int, damage: bytes, cut: bool) -> None:
    data = bytearray(database(FIREFOX))
    place %= len(data)
    data[place : place + len(damage)] = damage
    if cut:
        del data[place:]
    for one in BROWSER.read([member_of("places.sqlite", bytes(data))], Reading()):
        assert isinstance(one, Item | ImportProblem | Skipped)
