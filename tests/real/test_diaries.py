"""Three real diaries: Pepys, Lu Xun, and a garden of daily notes."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Precision, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Found, Reading

pytestmark = pytest.mark.real


def read(place: Path) -> list[Found]:
    with open_tree(place) as tree:
        found = recognise(tree)
        assert [one.importer for one in found.recognised] == ["diary"]
        return list(read_all(found, Reading(), Progress()))


def items(found: list[Found]) -> list[Item]:
    assert not [one for one in found if isinstance(one, ImportProblem)]
    return [one for one in found if isinstance(one, Item)]


def printed(place: Path) -> list[tuple[str, str]]:
    """Return day and text of every entry, read from the files in the plainest way."""
    entries = []
    for file in sorted(place.glob("1*.md")):
        parts = re.split(r"(?m)^## (\d{4}-\d\d-\d\d)$", file.read_text("utf-8"))
        assert not parts[0].strip()
        entries += [(day, text.strip()) for day, text in zip(parts[1::2], parts[2::2], strict=True)]
    return entries


def test_pepys_has_3413_entries_on_the_days_printed_above_them(shared_data: Path) -> None:
    folder = shared_data / "diary" / "pepys"
    found = items(read(folder))
    assert len(found) == 3413
    assert [(one.moment.iso(), one.text) for one in found] == printed(folder)
    assert {one.moment.precision for one in found} == {Precision.DAY}
    assert len({one.moment.iso() for one in found}) == 3410
    assert (found[0].moment.iso(), found[-1].moment.iso()) == ("1660-01-11", "1669-06-10")
    assert {(one.medium, one.mine, one.author) for one in found} == {("diary", True, "")}
    (cheese,) = [one for one in found if "Parmazan" in one.text]
    assert cheese.locator == "1666.md#1666-09-14"


def test_lu_xun_has_7461_entries_and_one_day_no_calendar_has(shared_data: Path) -> None:
    folder = shared_data / "diary" / "luxun"
    found = items(read(folder))
    right = printed(folder)
    assert (
        len(found) == 7461 == len({one.key for one in found}) == len({one.locator for one in found})
    )
    assert [one.text for one in found] == [text for _, text in right]
    odd = [(one.moment.iso(), day) for one, (day, _) in zip(found, right, strict=True)]
    assert [pair for pair in odd if pair[0] != pair[1]] == [("1917-11", "1917-11-31")]
    assert len({day for day, _ in right}) == 7461 - 80
    assert (found[0].moment.iso(), found[-1].moment.iso()) == ("1912-05-05", "1936-10-17")


def test_a_garden_of_daily_notes_is_dated_by_its_file_names(shared_data: Path) -> None:
    folder = shared_data / "diary" / "flancian-garden"
    files = sorted(folder.rglob("20*.md"))
    assert len(files) == 1481
    kinds: Counter[str] = Counter()
    days: dict[str, set[str]] = {"filled": set(), "with text": set()}
    for file in files:
        lines = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
        below = [line.strip() for line in lines if not line.startswith("#")]
        kind = (
            "text"
            if set(below) - {"-", "*"}
            else "dash"
            if below
            else "heading"
            if lines
            else "empty"
        )
        kinds[kind] += 1
        if lines:
            days["filled"].add(file.stem)
        if below:
            days["with text"].add(file.stem)
    assert kinds == {"text": 1454, "dash": 3, "heading": 22, "empty": 2}
    # 1,437 days lie in 1,481 files of three folders. Two of them are empty: 1,435 days hold something,
    # 22 of these a heading alone, and of the 1,413 others one has a single “-” below its heading.
    assert {kind: len(stems) for kind, stems in days.items()} == {"filled": 1435, "with text": 1413}

    found = read(folder)
    skipped = [one for one in found if isinstance(one, Skipped)]
    assert Counter(one.reason for one in skipped) == {
        "only a heading or properties": 22 + 3,
        "an empty file": 2,
        "a licence": 1,
        "a note on where the files come from": 1,
    }
    entries = items(found)
    assert len(entries) == 1454 + 1  # 2020-12-15 holds two
    assert len({one.moment.iso() for one in entries}) == 1413 - 1
    assert all(one.moment.iso() == Path(one.locator.split("#")[0]).stem for one in entries)
    (march,) = [one for one in entries if one.locator == "2021-03-08.md"]
    assert march.text.startswith("- work planning on 10-19:30 only, let's see\n- chess\n")


@pytest.mark.parametrize("way", ["copy", "zip", "zip in a folder"])
def test_keys_are_the_same_wherever_the_archive_lies(
    shared_data: Path, tmp_path: Path, way: str
) -> None:
    folder = shared_data / "diary" / "pepys"
    place = tmp_path / "elsewhere"
    if way == "copy":
        shutil.copytree(folder, place)
    else:
        place.mkdir()
        with zipfile.ZipFile(place / "diary.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for file in folder.iterdir():
                archive.write(file, f"my diary/{file.name}")
        place = place / "diary.zip" if way == "zip" else place
    here, there = items(read(folder)), items(read(place))
    assert [(one.key, one.text) for one in here] == [(one.key, one.text) for one in there]
