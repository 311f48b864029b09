"""To-do lists of Todoist."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.todoist import TODOIST
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
COLUMNS = "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\n"


def read(member_of: MakeMember, rows: str, *me: str) -> list[Found]:
    members = [member_of("Boat [2203306141].csv", f"\ufeff{COLUMNS}{rows}".encode())]
    assert TODOIST.claim(members) is not None
    return list(TODOIST.read(members, Reading(frozenset(me))))


def test_a_task_says_all_that_is_known_and_is_undated(member_of: MakeMember) -> None:
    (item,) = read(
        member_of, 'task,Paint the hull @spring,"Two coats,\nred",1,1,Robin (123),,every May,en,\n'
    )
    assert isinstance(item, Item)
    assert item == Item(
        key=item.key,
        medium="task",
        moment=item.moment,
        text="Paint the hull @spring\nTwo coats,\nred\nDue: every May",
        mine=True,
        locator="Boat [2203306141].csv#1",
        author="Robin",
        title="Paint the hull @spring",
        labels=("Boat", "spring"),
    )
    assert item.moment.iso() is None
    assert item.key.startswith("todoist:undated:")


def test_headings_are_no_tasks_and_empty_rows_none_either(member_of: MakeMember) -> None:
    found = read(member_of, "section,Hull,,,,,,,,\n,,,,1,,,,,\ntask,,,,,,,,,\ntask,Sail,,,,,,,,\n")
    assert found[:3] == [
        Skipped("Boat [2203306141].csv#1", "a heading of the list"),
        Skipped("Boat [2203306141].csv#2", "an empty row"),
        Skipped("Boat [2203306141].csv#3", "a task without words"),
    ]
    assert isinstance(found[3], Item)


@pytest.mark.parametrize(("me", "mine"), [("", [False, False]), ("robin", [True, False])])
def test_in_a_shared_list_the_user_is_the_one_known(
    member_of: MakeMember, me: str, mine: list[bool]
) -> None:
    rows = "task,Sail,,,,Robin (1),,,,\nnote,Which one?,,,,Ann (2),,,,\n"
    found = read(member_of, rows, *((me,) if me else ()))
    assert [one.mine for one in found if isinstance(one, Item)] == mine


def test_other_lists_are_not_claimed(member_of: MakeMember) -> None:
    assert TODOIST.claim([member_of("a.csv", b"TYPE,CONTENT\ntask,x\n")]) is None


@given(st.lists(st.lists(st.text(max_size=9), max_size=10), max_size=5))
def test_any_rows_are_read(member_of: MakeMember, rows: list[list[str]]) -> None:
    text = COLUMNS + "\n".join(",".join(["task", *row]) for row in rows)
    member = member_of("a.csv", text.encode("utf-8", "surrogatepass"))
    for one in TODOIST.read([member], Reading()):
        assert isinstance(one, Item | ImportProblem | Skipped)
        if isinstance(one, Item):
            (one.text + one.key + one.author).encode()
