"""Notion exports in both forms."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.notion import NOTION
from clone_app.importers.recognise import read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., Item]

ID = "152bb52ee2b58053ad50ffb72303b147"
OTHER = "1580080aa5a38194a9c0e77779ee82d5"


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads one page of this text."""

    def read_page(text: str, path: str = f"A walk {ID}.md") -> Item:
        member = member_of(path, text.encode())
        claim = NOTION.claim([member])
        assert claim is not None
        assert claim.confidence > 0.9
        (item,) = NOTION.read([member], Reading())
        assert isinstance(item, Item)
        return item

    return read_page


def page(properties: str = "", body: str = "<p>Words</p>", title: str = "Espresso") -> str:
    return (
        "<html><head><title>x</title><style>body { color: red }</style></head><body>"
        f'<article id="1590080a-a5a3-8024-88c2-e857dea7aa7e" class="page sans"><header>'
        f'<h1 class="page-title">{title}</h1><table class="properties"><tbody>{properties}'
        f'</tbody></table></header><div class="page-body">{body}</div></article></body></html>'
    )


def row(kind: str, name: str, value: str) -> str:
    return f'<tr class="property-row property-row-{kind}"><th>{name}</th><td>{value}</td></tr>'


def test_a_page_in_markdown_says_all_that_is_known(read: Read) -> None:
    item = read(
        "# A walk\n\nCreated: March 25, 2025 7:05 AM\nTags: home, far away\nMood: good\n\n"
        "We went out.\n\nAnd back."
    )
    assert item.moment.iso() == "2025-03-25T07:05"
    assert item == Item(
        key=ID,
        medium="note",
        moment=item.moment,
        text="Mood: good\n\nWe went out.\n\nAnd back.",
        mine=True,
        locator=f"A walk {ID}.md",
        title="A walk",
        labels=("home", "far away"),
    )


@pytest.mark.parametrize(
    ("title", "properties", "moment"),
    [
        ("Thoughts", "", None),
        ("Thoughts", "Date: March 1, 2024\n", "2024-03-01"),
        ("Thoughts", "Date: March 1, 2024 8:45 AM (GMT+1) → March 2, 2024\n", "2024-03-01T08:45"),
        ("Thoughts", "Datum: 1. März 2024\n", "2024-03-01"),
        ("Thoughts", "作成日時: 2024年3月1日 8:45\n", "2024-03-01T08:45"),
        ("@March 25, 2025", "", "2025-03-25"),
        ("@March 25, 2025", "Created: March 25, 2025 6:02 AM\n", "2025-03-25T06:02"),
        ("@March 25, 2025", "Created: April 2, 2025 6:02 AM\n", "2025-03-25"),
        ("Thoughts", "Due date: March 1, 2024\n", None),
        ("Thoughts", "Date: 03/04/2024\n", None),
        ("Thoughts", "Created: soon\n", None),
    ],
)
def test_the_day_is_a_property_or_the_title_and_never_made_up(
    read: Read, title: str, properties: str, moment: str | None
) -> None:
    gap = "\n" if properties else ""
    item = read(f"# {title}\n\n{properties}{gap}Words", path=f"Name {ID}.md")
    assert item.moment.iso() == moment


def test_ids_are_taken_off_names_and_links(read: Read) -> None:
    item = read(
        f"# Home\n\nSee [My tasks](Home%20{ID}/My%20tasks%20{OTHER}.md), "
        f"[](Home%20{ID}/A%20(b)%20{OTHER}.csv) and [a page](https://example.org/{OTHER}).\n\n"
        f"![a.png](Home%20{ID}/a.png)\n\nEnd"
    )
    assert item.text == (
        f"See My tasks, A (b) and [a page](https://example.org/{OTHER}).\n\n\n\nEnd"
    )
    untitled = read("Only words", path=f"Folder {OTHER}/Some page {ID}.md")
    assert (untitled.title, untitled.key) == ("Some page", ID)


def test_a_journal_kept_on_one_page_is_cut_at_its_days(member_of: MakeMember) -> None:
    text = (
        "# Journal\n\nWhat this is.\n\n# October 4, 2024 — A walk\n\nWent out.\n\n"
        "## October 5, 2024\n\nStayed in.\n"
    )
    found = list(NOTION.read([member_of(f"Journal {ID}.md", text.encode())], Reading()))
    seen = [
        (one.moment.iso(), one.title, one.text, one.key) for one in found if isinstance(one, Item)
    ]
    assert seen == [
        (None, "Journal", "What this is.", f"{ID}#top"),
        ("2024-10-04", "A walk", "Went out.", f"{ID}#2024-10-04"),
        ("2024-10-05", "Journal", "Stayed in.", f"{ID}#2024-10-05"),
    ]


def test_a_page_in_html_says_the_same(read: Read) -> None:
    properties = (
        row("date", "Date", "<time>@March 1, 2024</time>")
        + row("multi_select", "Tags", "<span>home office</span><span>coffee</span>")
        + row("select", "Status", '<span class="selected-value">Owned</span>')
        + row("checkbox", "Sold", '<div class="checkbox checkbox-off"></div>')
        + row("checkbox", "Used", '<div class="checkbox checkbox-on"></div>')
        + row("text", "Empty", "")
    )
    body = (
        '<h2 id="a">Why</h2><p>It was cold &amp; dark.</p><ul class="to-do-list"><li>Milk</li></ul>'
    )
    item = read(page(properties, body), path=f"Espresso {ID}.html")
    assert (item.key, item.title, item.moment.iso()) == (ID, "Espresso", "2024-03-01")
    assert item.labels == ("home office", "coffee")
    assert item.text == (
        "Status: Owned\nSold: No\nUsed: Yes\n\n## Why\n\nIt was cold & dark.\n\n* Milk"
    )


def test_a_page_in_html_without_an_id_in_its_name_has_it_inside(read: Read) -> None:
    item = read(page(), path="Espresso.html")
    assert (item.key, item.text) == ("1590080aa5a3802488c2e857dea7aa7e", "Words")


def test_rows_of_a_table_that_are_no_pages_are_read(member_of: MakeMember) -> None:
    table = '\ufeffName,Date,Tags,Note\nOne,,,x\nTwo/2,"March 1, 2024","a, b",y\n,,,\n'
    members = [
        member_of(f"Books {ID}.csv", b"Name\nOne\n"),
        member_of(f"Books {ID}_all.csv", table.encode()),
        member_of(f"Books {ID}/One {OTHER}.md", b"# One\n\nNote: x"),
    ]
    one, fewer, two = NOTION.read(members, Reading())
    assert fewer == Skipped(f"Books {ID}.csv", "the same table with fewer rows or columns")
    assert isinstance(two, Item)
    assert (two.title, two.text, two.labels) == ("Two/2", "Note: y", ("a", "b"))
    assert two.moment.iso() == "2024-03-01"
    assert two.key.startswith("notion:2024-03-01:")
    assert two.locator == f"Books {ID}_all.csv#2"
    assert isinstance(one, Item)
    assert one.text == "Note: x"
    (own,) = NOTION.read([members[0]], Reading())
    assert isinstance(own, Item)
    assert own.text == "One"


def test_a_page_called_last_friday_has_the_day_of_its_row(member_of: MakeMember) -> None:
    table = 'Date,Ran,Kind\n"@August 1, 2025 ",No,a\n"@August 2, 2025 ",Yes,b\n'
    members = [
        member_of(f"Habits {ID}.csv", table.encode()),
        member_of(f"Habits {ID}/@Last Friday {OTHER}.md", b"# @Last Friday\n\nRan: No\nKind: a"),
        member_of(f"Habits {ID}/@Someday {ID}.md", b"# @Someday\n\nRan: No\nKind: z"),
    ]
    friday, someday, row = NOTION.read(members, Reading())
    assert isinstance(friday, Item)
    assert (friday.title, friday.moment.iso()) == ("Last Friday", "2025-08-01")
    assert isinstance(someday, Item)
    assert someday.moment.iso() is None
    assert isinstance(row, Item)
    assert (row.title, row.moment.iso()) == ("August 2, 2025", "2025-08-02")


def test_a_table_whose_rows_are_pages_and_an_empty_one_are_skipped(member_of: MakeMember) -> None:
    pages = [
        member_of(f"Books {ID}.csv", b"Name,Note\nOne: two?,x\n"),
        member_of(f"Books/One two {OTHER}.md", b"# One: two?\n\nWords"),
    ]
    assert list(NOTION.read(pages, Reading()))[-1] == Skipped(
        f"Books {ID}.csv", "a table whose rows are pages of their own"
    )
    assert list(NOTION.read([member_of(f"B {ID}.csv", b"Name\n")], Reading())) == [
        Skipped(f"B {ID}.csv", "an empty table")
    ]
    broken = member_of(f"B {ID}.csv", b'Name\n"' + b"x" * 4_100_000)
    (problem,) = NOTION.read([broken], Reading())
    assert isinstance(problem, ImportProblem)


def test_zips_within_zips_and_paths_of_300_letters_are_read(tmp_path: Path) -> None:
    inner = io.BytesIO()
    long = "/".join(f"{name * 8} {ID}" for name in ("deep", "down", "here", "still"))
    long = f"{long}/{'A very long name ' * 5}{OTHER}.md"
    assert len(long) > 300
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr(f"Export-1/{long}", "# Long\n\nWords")
        archive.writestr("Export-1/index.html", "<html><h3>Workspace details:</h3></html>")
        archive.writestr("Export-1/plain notes.md", "Not of Notion")
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("Export-1-Part-1.zip", inner.getvalue())
    with open_tree(tmp_path / "export.zip") as tree:
        recognition = recognise(tree)
        found: list[Found] = list(read_all(recognition, Reading(), Progress()))
    (item,) = (one for one in found if isinstance(one, Item) and one.key == OTHER)
    assert item.text == "Words"
    assert {one.importer for one in recognition.recognised} == {"notion", "diary"}
    assert "the export's table of contents" in {
        one.reason for one in found if isinstance(one, Skipped)
    }


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (f"{ID}.md", "# Joplin\n\nWords"),
        ("2024-03-02.md", "Words"),
        ("page.html", "<html><article class='page'>"),
        ("index.html", "<html>Workspace details</html>"),
        (f"picture {ID}.png", "x"),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert NOTION.claim([member_of(path, text.encode())]) is None
