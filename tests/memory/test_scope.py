"""What is found is narrowed, widened and shared out as it should be."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from clone_app.entries import Cutoff, Item
from clone_app.memory.embedding import embed_pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.recall import recall
from clone_app.memory.recipes import BM25, DEFAULT, SEARCH, Recipe, Scope
from clone_app.memory.store import Store
from clone_app.models.fakes import FakeEmbedder
from clone_app.progress import Progress

from .conftest import NOW, entry, take_in

IDA = "ida@x.org"
LIFE = [
    entry("I mended the sail.", "2024-03-01", key="mine"),
    entry("The sail is torn again.", "2024-03-02", key="ida", mine=False, author=f"Ida <{IDA}>"),
    entry("About the sail: ask Ida.", "2024-03-03", key="to ida", recipients=(f"Ida <{IDA}>",)),
    entry("A sail for sale.", "2024-03-04", key="shop", mine=False, author="Shop"),
]


def days(count: int, year: int = 2023) -> list[Item]:
    return [
        entry(f"Nothing of note, {at}.", f"{year}-{1 + at // 28:02}-{1 + at % 28:02}")
        for at in range(count)
    ]


def keys(
    store: Store,
    question: str,
    *,
    recipe: Recipe = DEFAULT,
    scope: Scope | None = None,
    k: int = 10,
) -> list[str]:
    found = recall(
        store,
        question,
        NOW,
        index=None,
        embedder=None,
        home=UTC,
        recipe=recipe,
        scope=scope or Scope(),
        k=k,
    )
    return [hit.item.key for hit in found.hits]


@pytest.mark.parametrize("recipe", [DEFAULT, SEARCH])
def test_mine_or_others_keeps_the_rest_out_whatever_found_it(store: Store, recipe: Recipe) -> None:
    take_in(store, [*days(100), *LIFE])
    mine = keys(store, "the sail", recipe=recipe, scope=Scope(whose="mine"))
    others = keys(store, "the sail", recipe=recipe, scope=Scope(whose="others"))
    assert {"mine", "to ida"} <= set(mine)
    assert not {"ida", "shop"} & set(mine)
    assert set(others) == {"ida", "shop"}


def test_only_those_it_is_about_is_what_they_wrote_or_got(store: Store) -> None:
    take_in(store, [*days(100), *LIFE])
    about = Scope(about=frozenset({IDA}), only=True)
    assert set(keys(store, "the sail", scope=about)) == {"ida", "to ida"}
    nobody = Scope(about=frozenset({"nobody@x.org"}), only=True)
    assert keys(store, "the sail", scope=nobody) == []


def test_whom_a_question_names_stands_higher_and_needs_no_shared_word(store: Store) -> None:
    take_in(store, [*days(100), *LIFE])
    found = recall(store, "What about Ida's sail?", NOW, index=None, embedder=None, home=UTC).hits
    assert {hit.item.key for hit in found[:2]} == {"ida", "to ida"}
    told = {each.ranker: each for each in found[0].found}
    assert told["people"].probe == "Ida"
    assert told["people"].standing > 0
    # The seam for aliases: whoever knows that "Mum" is Ida says so.
    first = keys(store, "What did Mum write?", scope=Scope(about=frozenset({IDA})))[:2]
    assert set(first) == {"ida", "to ida"}


def test_the_kind_of_entry_a_question_names_stands_higher(store: Store) -> None:
    told = [
        entry("The lake was frozen.", "2024-05-01", key="diary"),
        entry("The lake was frozen!", "2024-06-20", key="chat", medium="chat"),
    ]
    take_in(store, [*days(100), *told])
    assert keys(store, "the frozen lake")[0] == "diary"
    assert keys(store, "the message about the frozen lake")[0] == "chat"


def test_a_time_in_which_nothing_stands_is_widened(store: Store) -> None:
    take_in(
        store,
        [
            *days(200),
            entry("The heron stood in the reeds.", "2024-05-02", key="spring"),
            entry("The heron stood in the reeds again.", "2024-11-20", key="autumn"),
        ],
    )
    assert keys(store, "Where was the heron in early June 2024?")[0] == "spring"
    assert keys(store, "Where was the heron in December 2024?")[0] == "autumn"


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("What did we eat at Christmas?", "2023-12-20"),
        ("What did we eat at Easter?", "2023-04-04"),
        ("What did we do at New Year?", "2022-12-27"),
        ("What did we eat last Christmas?", "2025-12-20"),
        ("What did we eat at Christmas 2024?", "2024-12-20"),
    ],
)
def test_a_feast_without_a_year_is_that_of_the_latest_year_that_was_written_in(
    store: Store, question: str, start: str
) -> None:
    take_in(store, [*days(200, 2023), entry("Nut roast.", "2023-12-25", key="roast")])
    found = recall(store, question, NOW, index=None, embedder=None, home=UTC)
    assert [time.start for time in found.intervals] == [start]


@pytest.mark.parametrize("question", ["At CHRİSTMAS?", "An Eıd feast?", "On New Year's Eve?"])
def test_no_feast_and_no_date_ends_a_question(store: Store, question: str) -> None:
    take_in(store, [entry("A null date.", "0001-01-01"), entry("Another.", "9999-12-31")])
    recall(store, question, NOW, index=None, embedder=None, home=UTC)


@pytest.mark.parametrize("recipe", [DEFAULT, SEARCH, BM25])
@pytest.mark.parametrize(
    "scope",
    [
        Scope(medium="diary"),
        Scope(whose="mine"),
        Scope(since="2024-01-01", until="2025-01-01"),
        Scope(about=frozenset({IDA}), only=True),
    ],
)
def test_a_scope_is_kept_before_anything_is_ranked(
    store: Store, tmp_path: Path, recipe: Recipe, scope: Scope
) -> None:
    crowd = [
        entry(
            f"Dinner {n} again?", "2023-05-01", medium="chat", mine=False, author="Shop", key=f"{n}"
        )
        for n in range(900)
    ]
    wanted = entry(
        "A long day at the quay, and then dinner with the crew of the other boat until late.",
        "2024-05-01",
        key="wanted",
        recipients=(f"Ida <{IDA}>",),
    )
    take_in(store, [*crowd, wanted])
    embedder = FakeEmbedder()
    index = VectorIndex(tmp_path / "i", rotation_seed=1, dimensions=embedder.dimensions)
    embed_pending(store, index, embedder, progress=Progress())
    for sight in ((index, embedder), (None, None)):
        found = recall(
            store,
            "dinner",
            NOW,
            index=sight[0],
            embedder=sight[1],
            home=UTC,
            recipe=recipe,
            scope=scope,
        )
        assert [hit.item.key for hit in found.hits] == ["wanted"]


@pytest.mark.parametrize("day", ["2025-06-01", None])
def test_the_only_entry_there_is_is_hidden_from_the_past(store: Store, day: str | None) -> None:
    take_in(store, [entry("The heron.", day)])
    past = Cutoff(datetime(2020, 1, 1, tzinfo=UTC), undated=False)
    assert not recall(store, "the heron", past, index=None, embedder=None, home=UTC).hits


def test_a_day_with_one_entry_is_not_widened(store: Store) -> None:
    take_in(store, [*days(200), entry("Moved the piano.", "2024-08-20", key="piano")])
    assert keys(store, "What happened on 20 August 2024?")[0] == "piano"


def test_one_situation_does_not_take_every_place(store: Store) -> None:
    burst = [entry(f"Regatta, race {at}: wind.", "2024-06-01", key=f"r{at}") for at in range(30)]
    lone = entry("The first regatta of my life.", "2020-07-01", key="lone")
    take_in(store, [*days(100), *burst, lone])
    found = keys(store, "regatta race wind", k=10)
    assert len(found) == 10
    assert sum(key.startswith("r") for key in found) == 9
    # Asked about that day, its entries may be all there is.
    asked = keys(store, "regatta race wind on 1 June 2024", k=10)
    assert all(key.startswith("r") for key in asked)


def test_where_nothing_else_was_found_a_situation_takes_the_places_that_are_left(
    store: Store,
) -> None:
    take_in(store, [entry(f"Race {at}.", "2024-06-01", key=f"r{at}") for at in range(30)])
    assert len(keys(store, "race", k=10)) == 10


def test_a_kind_and_a_period_keep_the_rest_out_before_anything_is_ranked(store: Store) -> None:
    told = [
        entry(f"The sail, day {at}.", f"2024-04-{at + 1:02}", key=f"april {at}") for at in range(20)
    ]
    may = entry("The sail.", "2024-05-01", key="may")
    mail = entry("The sail.", "2024-04-02", key="mail", medium="mail")
    undated = entry("The sail, some day.", None, key="undated")
    take_in(store, [*days(60), *told, may, mail, undated])
    assert keys(store, "the sail", scope=Scope(since="2024-05-01"), k=3) == ["may"]
    assert keys(store, "the sail", scope=Scope(medium="mail"), k=3) == ["mail"]
    april = keys(store, "the sail", scope=Scope(since="2024-04-01", until="2024-05-01"), k=50)
    assert set(april) == {"mail", *(each.key for each in told)}
    assert Scope(plain=frozenset({"march"})).open
