"""What becomes of a line: proposed, accepted, edited, locked, deleted, forgotten with its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

import pytest

from clone_app.entries import Item, Moment
from clone_app.errors import CloneAppError
from clone_app.memory.database import Base, rows
from clone_app.memory.ingest import Ingest
from clone_app.memory.lines import KeptLine, Line, Lines, LineState, Proposed, Section, Support
from clone_app.memory.removal import Removal, remove
from clone_app.memory.store import ItemFilter, Store


def note(number: int) -> Item:
    """The diary entry of that day of March."""
    return Item(
        key=f"day{number}",
        medium="diary",
        moment=Moment.on(date(2024, 3, number)),
        text=f"Day {number}. I can't stand coriander.",
        mine=True,
        locator=f"{number}.md",
    )


def line(text: str, days: Sequence[int], vital: Sequence[int] = (), **more: object) -> Line:
    """A line resting on those days."""
    fields: dict[str, object] = {
        "section": Section.LIKES,
        "topic": "likes:coriander",
        "supports": tuple(Support(f"day{n}", date(2024, 3, n), n in vital) for n in days),
    }
    return Line(text=text, **(fields | more))  # type: ignore[arg-type]


@pytest.fixture
def numbers(store: Store) -> Mapping[str, int]:
    """Nine entries, by their keys."""
    source = store.begin_source("diary", "Diary", "/d", datetime(2026, 1, 1, tzinfo=UTC))
    Ingest(store, source, UTC).run([note(n) for n in range(1, 10)])
    return {each.item.key: each.id for each in store.items(ItemFilter())}


@pytest.fixture
def lines(base: Base) -> Lines:
    return Lines(base)


def only(lines: Lines) -> KeptLine:
    kept = lines.all()
    assert len(kept) == 1
    return kept[0]


HATE = line("I hate coriander", [1, 2, 3], vital=[3])
LOVE = line("coriander: hate → love", [1, 2, 3, 4], vital=[1, 4])


def test_what_is_built_waits_in_the_inbox_with_its_entries(
    lines: Lines, numbers: Mapping[str, int]
) -> None:
    assert lines.propose([HATE], numbers) == Proposed(added=1, changed=0)
    kept = only(lines)
    assert (kept.state, kept.waiting, kept.line.text) == (
        LineState.PROPOSED,
        True,
        "I hate coriander",
    )
    assert kept.line.supports == tuple(
        Support(f"day{n}", date(2024, 3, n), n == 3, "diary", numbers[f"day{n}"]) for n in (1, 2, 3)
    )


def test_building_again_changes_nothing(lines: Lines, numbers: Mapping[str, int]) -> None:
    lines.propose([HATE], numbers)
    before = lines.all()
    assert lines.propose([HATE], numbers) == Proposed(0, 0)
    assert lines.all() == before
    lines.accept([before[0].id])
    before = lines.all()
    assert lines.propose([HATE], numbers) == Proposed(0, 0)
    assert lines.all() == before


def test_a_proposal_that_is_no_longer_built_vanishes_an_accepted_line_stays(
    lines: Lines, numbers: Mapping[str, int]
) -> None:
    lines.propose([HATE, line("I like tea", [5], topic="likes:tea")], numbers)
    lines.accept([lines.all()[0].id])
    lines.propose([], numbers)
    assert [(each.line.text, each.state) for each in lines.all()] == [
        ("I hate coriander", LineState.ACCEPTED)
    ]


def test_a_new_wording_of_an_accepted_line_waits_as_a_change(
    lines: Lines, numbers: Mapping[str, int]
) -> None:
    lines.propose([HATE], numbers)
    lines.accept([only(lines).id])
    assert lines.propose([LOVE], numbers) == Proposed(added=0, changed=1)
    kept = only(lines)
    assert (kept.line.text, kept.offered, kept.waiting) == (HATE.text, LOVE.text, True)
    assert lines.accept([kept.id]) == 1
    kept = only(lines)
    assert (kept.line.text, kept.offered, kept.state) == (LOVE.text, None, LineState.ACCEPTED)
    assert [each.key for each in kept.line.supports if each.vital] == ["day1", "day4"]


def test_a_refused_wording_is_not_offered_again(lines: Lines, numbers: Mapping[str, int]) -> None:
    lines.propose([HATE], numbers)
    lines.accept([only(lines).id])
    lines.propose([LOVE], numbers)
    assert lines.reject([only(lines).id]) == 1
    assert lines.propose([LOVE], numbers) == Proposed(0, 0)
    assert (only(lines).line.text, only(lines).offered) == (HATE.text, None)


def test_the_users_wording_stays_and_a_locked_line_is_left_alone(
    lines: Lines, numbers: Mapping[str, int]
) -> None:
    lines.propose([HATE], numbers)
    number = only(lines).id
    lines.edit(number, "I can't eat coriander")
    assert only(lines).state is LineState.EDITED
    lines.propose([HATE], numbers)
    assert only(lines).line.text == "I can't eat coriander"
    lines.lock(number)
    assert lines.propose([LOVE], numbers) == Proposed(0, 0)
    assert (only(lines).line.text, only(lines).offered) == ("I can't eat coriander", None)
    with pytest.raises(CloneAppError, match="Unlock it first"):
        lines.edit(number, "x")
    lines.lock(number, locked=False)
    assert only(lines).state is LineState.EDITED


def test_deleted_never_comes_back_and_leaves_no_words(
    lines: Lines, numbers: Mapping[str, int], base: Base
) -> None:
    lines.propose([HATE], numbers)
    lines.delete(only(lines).id)
    assert lines.propose([LOVE], numbers) == Proposed(0, 0)
    assert lines.all() == ()
    left = rows(base.db(), "SELECT * FROM persona_lines")
    assert "coriander" not in repr(left)
    assert rows(base.db(), "SELECT count(*) FROM persona_supports") == [(0,)]


def test_a_rejected_proposal_is_deleted(lines: Lines, numbers: Mapping[str, int]) -> None:
    lines.propose([HATE], numbers)
    assert lines.reject([only(lines).id]) == 1
    lines.propose([HATE], numbers)
    assert lines.all() == ()


@pytest.mark.parametrize("state", list(LineState))
def test_a_line_goes_with_the_entry_that_gave_it_its_words(
    lines: Lines, numbers: Mapping[str, int], base: Base, state: LineState
) -> None:
    lines.propose([HATE], numbers)
    number = only(lines).id
    if state is not LineState.PROPOSED:
        lines.accept([number])
    if state is LineState.EDITED:
        lines.edit(number, "mine")
    if state is LineState.LOCKED:
        lines.lock(number)
    remove(base, Removal(since="2024-03-01", until="2024-03-03"))
    assert [each.key for each in only(lines).line.supports] == ["day3"]
    remove(base, Removal(since="2024-03-03", until="2024-03-04"))
    assert lines.all() == ()
    assert rows(base.db(), "SELECT count(*) FROM persona_lines") == [(0,)]


def test_a_trait_goes_when_fewer_entries_are_left_than_it_needs(
    lines: Lines, numbers: Mapping[str, int], base: Base
) -> None:
    lines.propose([line("Tom", [1, 2, 3, 4], needed=3)], numbers)
    lines.accept([only(lines).id])
    remove(base, Removal(since="2024-03-01", until="2024-03-02"))
    assert len(only(lines).line.supports) == 3
    remove(base, Removal(since="2024-03-02", until="2024-03-03"))
    assert lines.all() == ()


def test_a_waiting_wording_goes_alone_with_its_entry(
    lines: Lines, numbers: Mapping[str, int], base: Base
) -> None:
    lines.propose([HATE], numbers)
    lines.accept([only(lines).id])
    lines.propose([LOVE], numbers)
    remove(base, Removal(since="2024-03-04", until="2024-03-05"))
    assert (only(lines).line.text, only(lines).offered) == (HATE.text, None)


def test_a_wording_taken_over_no_longer_hangs_on_the_old_ones_entry(
    lines: Lines, numbers: Mapping[str, int], base: Base
) -> None:
    lines.propose([HATE], numbers)
    lines.accept([only(lines).id])
    lines.propose([LOVE], numbers)
    lines.accept([only(lines).id])
    remove(base, Removal(since="2024-03-03", until="2024-03-04"))
    assert only(lines).line.text == LOVE.text


def test_a_forgotten_topic_takes_its_lines_with_it_and_can_be_allowed_again(
    lines: Lines, numbers: Mapping[str, int]
) -> None:
    lines.propose([HATE], numbers)
    lines.forget("coriander", [only(lines).id])
    assert (lines.all(), lines.forgotten()) == ((), ("coriander",))
    lines.allow("coriander")
    assert lines.forgotten() == ()
    assert lines.propose([HATE], numbers) == Proposed(1, 0)


def test_marks_of_what_is_private_come_and_go(lines: Lines) -> None:
    lines.mark("medium", "chat")
    lines.mark("person", "Bridie")
    lines.mark("person", "Bridie")
    assert lines.marked() == (("medium", "chat"), ("person", "Bridie"))
    lines.mark("medium", "chat", private=False)
    assert lines.marked() == (("person", "Bridie"),)


def test_a_line_that_is_not_there_is_named(lines: Lines) -> None:
    for change in (lines.lock, lines.delete, lambda number: lines.edit(number, "x")):
        with pytest.raises(CloneAppError, match="There is no line 7"):
            change(7)


def test_sections_come_in_the_documents_order(lines: Lines, numbers: Mapping[str, int]) -> None:
    lines.propose(
        [
            line("a habit", [1], topic="1", section=Section.HABITS),
            line("a name", [1], topic="2", section=Section.WHO),
            line("a person", [1], topic="3", section=Section.PEOPLE),
        ],
        numbers,
    )
    assert [each.line.text for each in lines.all()] == ["a name", "a person", "a habit"]
