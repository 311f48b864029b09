"""The files Google Photos puts beside pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.photos import PHOTOS
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]


def about(**more: Any) -> dict[str, Any]:
    return {
        "title": "IMG_1.jpg",
        "description": "The harbour in fog",
        "photoTakenTime": {"timestamp": "1556990000", "formatted": "May 4, 2019, 5:13:20 PM UTC"},
        "geoData": {"latitude": 54.1, "longitude": -8.25, "altitude": 3.0},
        "people": [{"name": "Ann"}],
        "url": "https://photos.google.com/photo/a",
        **more,
    }


def read(member_of: MakeMember, *files: tuple[str, Any]) -> list[Found]:
    members = [member_of(path, json.dumps(value).encode()) for path, value in files]
    assert PHOTOS.claim(members) is not None
    return list(PHOTOS.read(members, Reading()))


def test_a_picture_says_all_that_is_known(member_of: MakeMember) -> None:
    path = "Takeout/Google Photos/Ireland/IMG_1.jpg.supplemental-metadata.json"
    (item,) = read(member_of, (path, about()))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2019-05-04T17:13:20+00:00"
    assert item == Item(
        key="https://photos.google.com/photo/a",
        medium="photo",
        moment=item.moment,
        text="The harbour in fog\nPlace: 54.10000, -8.25000\nWith: Ann",
        mine=True,
        locator=path,
        title="IMG_1.jpg",
        recipients=("Ann",),
        labels=("Ireland",),
    )


@pytest.mark.parametrize("folder", ["Photos from 2019", "Fotos von 2019", "Google Photos"])
def test_folders_google_made_are_no_labels(member_of: MakeMember, folder: str) -> None:
    (item,) = read(member_of, (f"Takeout/{folder}/a.json", about()))
    assert isinstance(item, Item)
    assert item.labels == ()


def test_pictures_of_which_only_the_time_is_known_are_skipped(member_of: MakeMember) -> None:
    nowhere = {"latitude": 0.0, "longitude": 0.0}
    bare = about(description="", people=[], geoData=nowhere)
    skipped, item = read(member_of, ("a/1.json", bare), ("a/3.json", about()))
    assert skipped == Skipped("a/1.json", "a picture of which only the time is known")
    assert isinstance(item, Item)


def test_a_picture_in_the_trash_is_skipped(member_of: MakeMember) -> None:
    assert read(member_of, ("1.json", about(trashed=True))) == [
        Skipped("1.json", "was put in the trash")
    ]


@pytest.mark.parametrize("taken", [{}, {"timestamp": "0"}, {"timestamp": "x"}, 5, None])
def test_a_time_nobody_can_read_is_not_invented(member_of: MakeMember, taken: Any) -> None:
    (item,) = read(member_of, ("1.json", about(photoTakenTime=taken)))
    assert isinstance(item, Item)
    assert item.moment.iso() is None


def test_a_broken_file_never_stops_the_next(member_of: MakeMember) -> None:
    whole = json.dumps(about())
    members = [member_of("1.json", whole[:-9].encode()), member_of("2.json", whole.encode())]
    problem, item = PHOTOS.read(members, Reading())
    assert isinstance(problem, ImportProblem)
    assert isinstance(item, Item)


def test_other_json_is_not_claimed(member_of: MakeMember) -> None:
    assert PHOTOS.claim([member_of("metadata.json", b'{"title": "Trip"}')]) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["timestamp", "latitude", "longitude", "name"]), inner)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(about())), VALUES))
def test_any_content_is_read(member_of: MakeMember, value: Any) -> None:
    data = json.dumps({**value, "photoTakenTime": value.get("photoTakenTime")}).encode()
    for one in PHOTOS.read([member_of("a/1.json", data)], Reading()):
        assert isinstance(one, Item | ImportProblem | Skipped)
        if isinstance(one, Item):
            (one.text + one.key + one.title).encode()
