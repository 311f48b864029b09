"""Lines that begin an entry without being headings, and lines that must not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clone_app.entries import Item, Moment
from clone_app.importers.daylines import recur
from clone_app.importers.diary import DIARY
from clone_app.importers.sections import cut
from clone_app.protocols import Member, Reading


def entries(text: str) -> list[tuple[str | None, str]]:
    rows = text.splitlines(keepends=True)
    found = cut(rows, Moment.unknown(), order=lambda: None, recurring=lambda: recur(rows))
    return [(each.moment.iso(), each.text()) for each in found if not each.empty]


def test_a_day_with_words_beside_it_begins_an_entry_where_such_lines_recur() -> None:
    text = "12 May 2021 - Dentist and then\nhome again\n14 May 2021 - A walk\n"

    assert entries(text) == [
        ("2021-05-12", "Dentist and then\nhome again"),
        ("2021-05-14", "A walk"),
    ]


@pytest.mark.parametrize(
    "start",
    [
        "12 May 2021 - ",
        "12 May 2021 – ",
        "12 May 2021: ",
        "2021-05-12: ",
        "Wednesday, 12 May 2021 — ",
        "May 12, 2021: ",
        "**12 May 2021:** ",
        "12. Mai 2021 - ",
        "2021年5月12日：",
    ],
)
def test_the_day_is_read_in_many_forms_and_no_word_is_lost(start: str) -> None:
    text = f"{start}So, I went.\n\n1 June 2021: Rain.\n"

    assert entries(text) == [("2021-05-12", "So, I went."), ("2021-06-01", "Rain.")]


def test_a_time_before_the_sign_is_kept() -> None:
    text = "12 May 2021, 08:10 - Up.\n12 May 2021 21:30: To bed.\n"

    assert entries(text) == [("2021-05-12T08:10", "Up."), ("2021-05-12T21:30", "To bed.")]


def test_days_alone_without_empty_lines_between_begin_entries_where_they_recur() -> None:
    text = "12 May 2021\nDentist\n13 May 2021\nA walk\n14 May 2021 - Rain\n"

    assert entries(text) == [
        ("2021-05-12", "Dentist"),
        ("2021-05-13", "A walk"),
        ("2021-05-14", "Rain"),
    ]


def test_a_month_alone_begins_an_entry_known_to_the_month() -> None:
    text = "12 May 2021\nDentist.\n\nJune 2021\n\nA quiet month.\n\n3 July 2021\nSea.\n"

    assert entries(text) == [
        ("2021-05-12", "Dentist."),
        ("2021-06", "A quiet month."),
        ("2021-07-03", "Sea."),
    ]


def test_a_span_of_days_keeps_its_words() -> None:
    text = "12 May 2021 – 14 May 2021: by the sea\n20 May 2021: home\n"

    assert entries(text)[0] == ("2021-05-12", "12 May 2021 – 14 May 2021: by the sea")


PROSE = "12 May 2021\n\nFirst.\n\n{}\n\n13 May 2021\n\nSecond.\n\n{}\n"


@pytest.mark.parametrize(
    "line",
    [
        "On 12 May 2020 we met - and so on.",
        "On 12 May 2020: we met.",
        "12 May 2020 was the day we met - in the rain.",
        "12 May 2020, I think: we met.",
        "Am 12. Mai 2020 - wir trafen uns.",
        "- 12 May 2020: we met",
        "    12 May 2020: we met",
        "2020-05-12 08:10:03 - INFO started",
        "In June 2020 we met.",
        "June 2020 was wet.",
    ],
)
def test_a_sentence_with_a_date_is_never_split(line: str) -> None:
    found = entries(PROSE.format(line, line))

    assert [day for day, _ in found] == ["2021-05-12", "2021-05-13"]
    assert found[0][1].endswith(line.strip())


@pytest.mark.parametrize(
    "text",
    [
        "We remember.\n\n12 May 2021: we met.\n\nThen nothing.\n",
        "My novel\n\nJune 2021\n\nChapter one.\n",
        "we met on\n12 May 2021 - a Wednesday - and\nagain on\n14 May 2021 - a Friday.\n",
        "Dear Bob,\nYours, Ann\n12 May 2021\n\nDear Bob,\nYours, Ann\n14 May 2021\n",
        "Received: here;\n\t12 May 2021\nReceived: there;\n\t14 May 2021\nHello.\n",
        "12 May 2021: moved\n14 May 2021: painted\n\n# Ideas\n\nA green door.\n",
    ],
)
def test_text_that_is_not_kept_by_days_stays_whole(text: str) -> None:
    assert [day for day, _ in entries(text)] == [None]


def test_a_file_of_such_lines_is_read_as_a_diary_with_places_in_it(
    member_of: Callable[[str, bytes], Member],
) -> None:
    member = member_of("life.txt", b"12 May 2021 - Dentist\n14 May 2021 - A walk\n")
    claim = DIARY.claim([member])
    assert claim is not None
    assert claim.confidence == 0.9
    found = [each for each in DIARY.read([member], Reading()) if isinstance(each, Item)]
    assert [(each.locator, each.text, each.medium) for each in found] == [
        ("life.txt#2021-05-12", "Dentist", "diary"),
        ("life.txt#2021-05-14", "A walk", "diary"),
    ]
