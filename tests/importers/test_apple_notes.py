"""Apple Notes as a privacy export holds them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clone_app.entries import ImportProblem, Item
from clone_app.importers.apple_notes import APPLE_NOTES
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., dict[str, Item]]

HEADER = (
    "Title, Created On, Modified On, Pinned, Deleted, Drawing/Handwriting, ContentHash at Import"
)
ROOT = "iCloud Notes/"


@pytest.fixture
def members(member_of: MakeMember) -> Callable[..., list[Member]]:
    def make(rows: list[str], notes: dict[str, str], **tables: str) -> list[Member]:
        files = {
            f"{ROOT}Notes Details.csv": "\n".join([HEADER, *rows]),
            **{f"{ROOT}{name} Notes Info.csv": text for name, text in tables.items()},
            **{f"{ROOT}{path}": text for path, text in notes.items()},
        }
        return [member_of(path, text.encode()) for path, text in files.items()]

    return make


@pytest.fixture
def read(members: Callable[..., list[Member]]) -> Read:
    """Return a function that reads notes and gives them by the name of their file."""

    def read_notes(rows: list[str], notes: dict[str, str], **tables: str) -> dict[str, Item]:
        made = members(rows, notes, **tables)
        claim = APPLE_NOTES.claim(made)
        assert claim is not None
        assert claim.paths == {one.path for one in made}
        found: list[Found] = list(APPLE_NOTES.read(made, Reading()))
        return {one.locator.rpartition("/")[2]: one for one in found if isinstance(one, Item)}

    return read_notes


def test_a_note_has_the_moment_of_its_row(read: Read) -> None:
    item = read(
        ["Amber Morning,04-12-2026 09:00:00,04-13-2026 09:00:00,Yes,No,No,"],
        {
            "Notes/Home/Amber Morning/Amber Morning.txt": "Amber Morning\n\n\t◦\tMilk\n\t✓\tTea\n\ufffc"
        },
    )["Amber Morning.txt"]
    assert item.moment.iso() == "2026-04-12T09:00:00"
    assert item.key.startswith("apple-notes:2026-04-12:")
    assert item == Item(
        key=item.key,
        medium="note",
        moment=item.moment,
        text="Amber Morning\n\n- [ ] Milk\n- [x] Tea",
        mine=True,
        locator="iCloud Notes/Notes/Home/Amber Morning/Amber Morning.txt",
        title="Amber Morning",
        labels=("pinned",),
    )


def test_a_table_that_shows_the_day_first_is_believed(read: Read) -> None:
    found = read(
        ["One,04-12-2026 09:00:00,,,,,", "Two,25-12-2026 09:00:00,,,,,"],
        {"Notes/One/One.txt": "One", "Notes/Two/Two.txt": "Two"},
    )
    assert found["One.txt"].moment.iso() == "2026-12-04T09:00:00"


def test_notes_of_one_title_have_a_day_only_where_they_share_it(read: Read) -> None:
    found = read(
        [
            "List,04-12-2026 09:00:00,,,,,", "List,04-12-2026 10:00:00,,,,,",
            "Plan,04-12-2026 09:00:00,,,,,", "Plan,05-12-2026 10:00:00,,,,,",
        ],
        {
            "Notes/List/List.txt": "List\na", "Notes/List-1/List-1.txt": "List\nb",
            "Notes/Plan/Plan.txt": "Plan\na", "Notes/Other/Other.txt": "Other",
        },
    )  # fmt: skip
    assert {name: item.moment.iso() for name, item in found.items()} == {
        "List.txt": "2026-04-12", "List-1.txt": "2026-04-12", "Plan.txt": None, "Other.txt": None,
    }  # fmt: skip


def test_what_was_thrown_away_is_labelled_and_what_others_share_is_theirs(read: Read) -> None:
    found = read(
        [],
        {
            "Recently Deleted/Old/Old.txt": "Old",
            "Notes/Trip/Trip.txt": "Trip\nwords of Ann",
        },
        Subscribed="File Name, Owner Details, Shared On\nTrip.txt,Name:Ann B; Email:a***@b.org,x\n",
        Shared="File Name, Shared On, Participants Details\nOld.txt,x,y\n",
    )
    assert (found["Old.txt"].labels, found["Old.txt"].mine) == (("trashed",), True)
    assert (found["Trip.txt"].author, found["Trip.txt"].mine) == ("Ann B", False)


def test_a_broken_table_is_named_and_the_notes_are_read_undated(
    members: Callable[..., list[Member]], member_of: MakeMember
) -> None:
    made = members([], {"Notes/One/One.txt": "One"})
    made[0] = member_of(made[0].path, f'{HEADER}\n"'.encode() + b"x" * 5_000_000)
    problem, item = APPLE_NOTES.read(made, Reading())
    assert isinstance(problem, ImportProblem)
    assert "without dates" in problem.reason
    assert isinstance(item, Item)
    assert item.moment.iso() is None


@pytest.mark.parametrize(
    "files",
    [
        {"Notes/One/One.txt": b"One"},
        {"Notes Details.csv": b"a,b\n1,2\n", "Notes/One/One.txt": b"One"},
    ],
)
def test_other_folders_are_not_claimed(member_of: MakeMember, files: dict[str, bytes]) -> None:
    assert APPLE_NOTES.claim([member_of(path, data) for path, data in files.items()]) is None
