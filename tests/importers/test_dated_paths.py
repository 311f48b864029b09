"""A file's name and folders say which day it is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.importers.dated_paths import order_of_names, place
from clone_app.importers.days import Order


@pytest.mark.parametrize(
    ("path", "right", "title"),
    [
        ("2024-03-02.md", "2024-03-02", ""),
        ("journals/2024_03_02.md", "2024-03-02", ""),
        ("20240302.txt", "2024-03-02", ""),
        ("2024-03-02 Saturday.md", "2024-03-02", ""),
        ("March 2, 2024.md", "2024-03-02", ""),
        ("2024/03/02.md", "2024-03-02", ""),
        ("2024/03/2.md", "2024-03-02", ""),
        ("2024/03 March/02 Saturday.md", "2024-03-02", ""),
        ("diary/2024/March/02 A walk.md", "2024-03-02", "A walk"),
        ("2024-03/02.md", "2024-03-02", ""),
        ("2024/03-02.md", "2024-03-02", ""),
        ("2024-03-02/notes.md", "2024-03-02", ""),
        ("blog/2020-08-08-an-earlier-post.md", "2020-08-08", "an-earlier-post"),
        ("Daily note 2024-03-02.md", "2024-03-02", "Daily note"),
        ("202403020810 idea.md", "2024-03-02T08:10", "idea"),
        ("archive.zip/2024/03/02.md", "2024-03-02", ""),
        ("1666.md", "1666", ""),
        ("2024-03.md", "2024-03", ""),
        ("2024-03-02 to 2024-03-08.md", "2024-03", "2024-03-02 to 2024-03-08"),
        ("2024-02-30.md", "2024-02", ""),
        ("13-04-2024.md", "2024-04-13", ""),
        ("Books.md", None, "Books"),
        ("letters/12.md", None, "12"),
        ("v1.2.md", None, "v1.2"),
        ("2020/08/should-be-ignored.txt", None, "should-be-ignored"),
        ("diary", None, "diary"),
    ],
)
def test_a_path_is_read(path: str, right: str | None, title: str) -> None:
    placed = place(path)
    assert (placed.moment.iso(), placed.title, placed.unsure) == (right, title, False)


def test_names_in_numbers_are_decided_over_all_files_together() -> None:
    assert place("03-04-2024.md").unsure
    assert place("03-04-2024.md").moment.iso() == "2024"
    order = order_of_names(["a/03-04-2024.md", "a/13-04-2024.md"])
    assert order is Order.DAY_FIRST
    assert place("03-04-2024.md", order=order).moment.iso() == "2024-04-03"


@given(st.text(max_size=40) | st.from_regex(r"[0-9./_ a-zA-Z-]{0,30}(\.md)?", fullmatch=True))
def test_no_path_makes_reading_fail(path: str) -> None:
    place(path)
    order_of_names([path])
