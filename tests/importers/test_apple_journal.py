"""Apple's Journal: pages of HTML with a date in the writer's language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clone_app.entries import Item, Skipped
from clone_app.importers.apple_journal import APPLE_JOURNAL
from clone_app.protocols import Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., Item]

# The marks lie as the program writes them: blocks within paragraphs that close them.
ENTRY = """<!DOCTYPE html>
<html dir="auto"><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<title></title></head><body>
<p class="p1"><span class="s1"><div class='pageContainer'>    <div class="pageHeader">{date}</div>
<div class="assetGrid"><div id="1" class="gridItem assetType_multiPinMap">
<div class="gridItemOverlayFooter">Old Town</div></div></div>
<div class='reflectionPrompt'>How was your day?</div><div class='title'>A walk</div>
<div class='bodyText'></span></p>
<p class="p2"><span class="s2">Paragraph one.</span></p>
<p class="p2"><span class="s2">Two &amp; three.</span></p>
<p class="p1"><span class="s1"></div></div></span></p></body></html>"""


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads an entry with this date above it."""

    def read_entry(date: str, path: str = "Entries/entry.html") -> Item:
        member = member_of(path, ENTRY.format(date=date).encode())
        claim = APPLE_JOURNAL.claim([member])
        assert claim is not None
        assert claim.confidence > 0.9
        (item,) = APPLE_JOURNAL.read([member], Reading())
        assert isinstance(item, Item)
        return item

    return read_entry


def test_an_entry_is_what_was_written_without_what_the_program_put_around_it(read: Read) -> None:
    item = read("Sunday, 17 December 2023")
    assert item.key.startswith("apple-journal:2023-12-17:")
    assert item == Item(
        key=item.key,
        medium="diary",
        moment=item.moment,
        text="Paragraph one.\n\nTwo & three.",
        mine=True,
        locator="Entries/entry.html",
        title="A walk",
        context="How was your day?",
    )


@pytest.mark.parametrize(
    "written",
    [
        "Sunday, 17 December 2023",
        "Sunday, December 17, 2023",
        "Sonntag, 17. Dezember 2023",
        "dimanche 17 décembre 2023",
        "domingo, 17 de diciembre de 2023",
        "domenica 17 dicembre 2023",
        "domingo, 17 de dezembro de 2023",
        "zondag 17 december 2023",
        "2023年12月17日 星期日",
        "2023年12月17日星期日",
        "2023年12月17日 日曜日",
        "2023年12月17日日曜日",
        "2023년 12월 17일 일요일",
    ],
)
def test_the_day_is_read_in_the_writers_language(read: Read, written: str) -> None:
    assert read(written).moment.iso() == "2023-12-17"


def test_a_date_in_a_language_not_known_is_taken_from_the_name_else_left_open(read: Read) -> None:
    strange = "ሰኞ ፲፯ ታኅሣሥ"
    assert read(strange, "Entries/2023-12-17_A_walk.html").moment.iso() == "2023-12-17"
    assert read(strange).moment.iso() is None


def test_an_entry_of_pictures_alone_is_skipped(member_of: MakeMember) -> None:
    html = ENTRY.format(date="Sunday, 17 December 2023")
    for words in ("How was your day?", "A walk", "Paragraph one.", "Two &amp; three."):
        html = html.replace(words, "")
    member = member_of("e.html", html.encode())
    assert list(APPLE_JOURNAL.read([member], Reading())) == [
        Skipped("e.html", "nothing written in it")
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("index.html", "<html><a href='Entries/entry.html'>A walk</a></html>"),
        ("e.md", ENTRY),
        ("e.html", '<div class="pageHeader">x</div>'),
    ],
)
def test_other_pages_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert APPLE_JOURNAL.claim([member_of(path, text.encode())]) is None
