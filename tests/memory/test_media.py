"""The kinds of entry a question names."""

from __future__ import annotations

import pytest

from clone_app.memory.media import media_named

MEDIA = (
    "diary", "mail", "email", "chat", "chat_private", "call", "photo", "note", "memo",
    "calendar_event", "notification", "todo_list",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What did her last message say?", {"chat", "chat_private"}),
        ("Who was in that photo?", {"photo"}),
        ("Find the e-mail about the lease", {"mail", "email"}),
        ("What did you write in your diary?", {"diary"}),
        ("Do you recall the notebook?", set()),
        ("Whom did you call, and what is in your notes?", {"call", "note", "memo"}),
        ("What was on your calendar?", {"calendar_event"}),
        ("那条短信说了什么？", {"chat", "chat_private"}),
        ("那天的照片里有谁？", {"photo"}),
        ("通话是什么时候？", {"call"}),
        ("", set()),
    ],
)
def test_words_people_have_for_a_kind_name_its_media(question: str, named: set[str]) -> None:
    assert media_named(question, MEDIA) == named


def test_a_kind_that_memory_does_not_hold_is_none() -> None:
    assert media_named("the photo", ("diary",)) == frozenset()
