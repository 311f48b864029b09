"""A CloneMem persona file is a life: its traces become items."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped, content_hash
from clone_app.importers.clonemem import CLONEMEM
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]


def trace(**changes: Any) -> dict[str, Any]:
    return {
        "id": "cfd47081-39ee-4c52-82cf-05065fbd4858",
        "medium": "calendar_event",
        "event_date": "2022-09-10T20:15:00",
        "content": "# Follow-up - Sept 28\n\n**Time**: 14:30\n",
        **changes,
    }


def persona(*traces: Any) -> str:
    return json.dumps(
        {"person_name": "Guilin Chen", "person_id": "11cc", "context": list(traces), "qa_items": []}
    )


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads a file of this text."""

    def read_text(text: str) -> list[Found]:
        member = member_of("life.json", text.encode())
        claim = CLONEMEM.claim([member])
        assert claim is not None
        assert (claim.confidence, claim.paths) == (0.98, {"life.json"})
        return list(CLONEMEM.read([member], Reading()))

    return read_text


def test_a_trace_is_kept_whole_with_its_own_medium(read: Read) -> None:
    (item,) = read(persona(trace()))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2022-09-10T20:15:00"
    assert item == Item(
        key="cfd47081-39ee-4c52-82cf-05065fbd4858",
        medium="calendar_event",
        moment=item.moment,
        text="# Follow-up - Sept 28\n\n**Time**: 14:30\n",
        mine=True,
        locator="life.json#context/0",
        author="Guilin Chen",
        title="Follow-up - Sept 28",
    )


@pytest.mark.parametrize(
    ("date", "right"),
    [
        ("2022-09-10T20:15:00Z", "2022-09-10T20:15:00"),
        ("2022-09-10", "2022-09-10"),
        ("2022-13-10T20:15:00", None),
        (None, None),
    ],
)
def test_dates_are_naive_and_odd_ones_unknown(
    read: Read, date: str | None, right: str | None
) -> None:
    (item,) = read(persona(trace(event_date=date)))
    assert isinstance(item, Item)
    assert item.moment.iso() == right


def test_traces_come_in_the_order_of_the_file(read: Read) -> None:
    found = read(persona(trace(id="b"), trace(id="a", event_date="2020-01-01T00:00:00")))
    assert [one.key for one in found if isinstance(one, Item)] == ["b", "a"]


def test_odd_traces_are_problems_with_their_index_and_the_rest_is_read(read: Read) -> None:
    found = read(persona(trace(), 5, trace(content=" "), {}, trace(id=None, medium=None)))
    assert [one.locator for one in found if isinstance(one, ImportProblem)] == [
        "life.json#context/1", "life.json#context/2", "life.json#context/3",
    ]  # fmt: skip
    last = found[-1]
    assert isinstance(last, Item)
    assert last.medium == "other"
    assert last.key == f"clonemem:2022-09-10:{content_hash(last.text)}"


def test_the_name_counts_wherever_it_stands(read: Read) -> None:
    text = json.dumps({"person_id": "1", "context": [trace()], "person_name": "Yu Zhou"})
    (item,) = read(text)
    assert isinstance(item, Item)
    assert item.author == "Yu Zhou"


def test_a_file_that_breaks_off_keeps_what_came_before(read: Read) -> None:
    text = persona(trace(), trace(id="second"))
    first, problem = read(text[: text.index('"second"')])
    assert isinstance(first, Item)
    assert isinstance(problem, ImportProblem)
    assert problem.locator == "life.json#context/1"


def test_a_life_without_traces_is_skipped(read: Read) -> None:
    assert read(persona()) == [Skipped("life.json", "no traces in it")]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", "{}"),
        ("a.json", '{"context": [], "messages": []}'),
        ("a.json", '{"person_name": "x"}'),
        ("a.json", '[{"person_name": "x", "context": []}]'),
        ("a.json", '{"entries": [{"text": "context: ["}]}'),
        ("a.txt", persona(trace())),
    ],
)
def test_other_json_is_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert CLONEMEM.claim([member_of(path, text.encode())]) is None


def test_a_file_is_known_by_what_is_in_it_in_any_order(member_of: MakeMember) -> None:
    text = json.dumps({"context": [trace()], "person_name": "Yu Zhou"})
    assert CLONEMEM.claim([member_of("whatever.json", text.encode())]) is not None


def test_a_mail_is_whose_its_head_says(read: Read) -> None:
    def mail(name: str) -> str:
        return f"From: {name} <someone@example.org>\nTo: Any One\nSubject: Boat\n\nI sold it."

    names = ("Guilin Chen", "Chen", "Ola Falk", '"Falk, Ola"')
    found = read(persona(*(trace(id=name, content=mail(name)) for name in names)))
    assert [(item.mine, item.author) for item in found if isinstance(item, Item)] == [
        (True, "Guilin Chen"),
        (True, "Guilin Chen"),
        (False, "Ola Falk"),
        (False, "Falk, Ola"),
    ]
