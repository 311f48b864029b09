"""What is damaged, empty or another thing than its name says ends one file and no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Moment, Skipped
from clone_app.errors import Cancelled, UnrecognisedError
from clone_app.importers import recognise
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all
from clone_app.importers.recognise import recognise as recognised
from clone_app.progress import Progress, Step
from clone_app.protocols import Claim, Found, Member, Reading

from .dropped import TWEETS, all_of, folder_of, zip_of


def test_a_zip_that_holds_only_evil_says_why_nothing_was_read(tmp_path: Path) -> None:
    evil = zip_of(tmp_path / "a.zip", {"../evil.md": "x"})
    sentence = r"leads outside the archive.*choose the folder"
    with open_tree(evil) as tree, pytest.raises(UnrecognisedError, match=sentence):
        recognised(tree)


def test_a_zip_with_a_password_says_what_to_do(tmp_path: Path) -> None:
    place = zip_of(tmp_path / "a.zip", {"tweets.js": TWEETS})
    data = bytearray(place.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    place.write_bytes(data)
    sentence = r"tweets\.js: is encrypted: unpack the archive with its password"
    with open_tree(place) as tree, pytest.raises(UnrecognisedError, match=sentence):
        recognised(tree)


def test_a_zip_with_evil_and_a_diary_is_read_with_the_evil_named(tmp_path: Path) -> None:
    found = all_of(zip_of(tmp_path / "a.zip", {"../evil.md": "x", "2024-03-02.md": "Up."}))
    assert found[0] == ImportProblem("a.zip!../evil.md", "leads outside the archive")
    assert isinstance(found[1], Item)
    assert found[1].locator == "a.zip!2024-03-02.md"


def test_a_damaged_member_is_a_problem_and_the_others_are_read(tmp_path: Path) -> None:
    place = zip_of(
        tmp_path / "a.zip", {"2024-03-02.md": "Upp.", "2024-03-03.md": "Rain.", "x.bin": "?!"}
    )
    place.write_bytes(place.read_bytes().replace(b"Upp.", b"Down").replace(b"?!", b"!?"))
    found = all_of(place)
    assert {one.locator for one in found if isinstance(one, ImportProblem)} == {
        "a.zip!2024-03-02.md",
        "a.zip!x.bin",
    }
    assert [one.text for one in found if isinstance(one, Item)] == ["Rain."]


@pytest.mark.parametrize("name", ["tweets.js", "result.json", "list.csv", "all.mbox"])
def test_a_page_saved_under_an_exports_name_is_named_with_what_to_do(
    tmp_path: Path, name: str
) -> None:
    page = "<!DOCTYPE html><html><title>Sign in</title></html>"
    folder_of(tmp_path / "drop", {name: page, "2024-03-02.md": "Up."})
    problem, item = (one for one in all_of(tmp_path / "drop"))
    assert isinstance(problem, ImportProblem)
    assert problem.locator == name
    assert "web page" in problem.reason or "no mbox" in problem.reason
    assert "again" in problem.reason
    assert isinstance(item, Item)


def test_a_page_saved_as_the_export_alone_is_refused_with_what_to_do(tmp_path: Path) -> None:
    place = folder_of(tmp_path, {"tweets.js": "<html>Sign in</html>"}) / "tweets.js"
    with open_tree(place) as tree, pytest.raises(UnrecognisedError) as caught:
        recognised(tree)
    assert str(caught.value) == (
        "“tweets.js” is a web page, whatever its name says: sign in and download or export it again."
    )


@pytest.mark.parametrize("name", ["tweets.js", "result.json", "all.mbox", "takeout.zip", "a.ics"])
def test_an_empty_export_is_named_with_what_to_do(tmp_path: Path, name: str) -> None:
    folder_of(tmp_path, {name: "", "2024-03-02.md": "Up."})
    skipped = [one for one in all_of(tmp_path) if isinstance(one, Skipped)]
    assert [one.locator for one in skipped] == [name]
    assert "empty" in skipped[0].reason


@dataclass(frozen=True)
class Shaky:
    """Fall over some of its files, as no importer should."""

    name: str = "shaky"
    title: str = "Shaky"
    help: str = ""
    endings: tuple[str, ...] = (".shaky",)

    def claim(self, members: Sequence[Member]) -> Claim | None:
        return Claim(1.0, frozenset(one.path for one in members if one.path.endswith(".shaky")))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        for member in members:
            with member.open() as stream:
                text = stream.read().decode()
            if text == "fall":
                raise KeyError("a word of a person")
            yield Item(
                key=text, medium="note", moment=Moment.unknown(), text=text, mine=True,
                locator=member.locator,
            )  # fmt: skip


@dataclass(frozen=True)
class Blind(Shaky):
    """Fall over looking at files."""

    name: str = "blind"

    def claim(self, members: Sequence[Member]) -> Claim | None:
        raise RecursionError


@dataclass(frozen=True)
class Idle(Shaky):
    """Fall over before any file is opened."""

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        raise ValueError
        yield


def test_a_fault_of_an_importer_ends_one_file_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognise, "IMPORTERS", (Blind(), Shaky()))
    folder_of(tmp_path, {f"{name}.shaky": name for name in ("a", "fall", "m", "z")})
    folder_of(tmp_path, {"k.shaky": "fall"})
    found = all_of(tmp_path)
    assert [one.text if isinstance(one, Item) else one.locator for one in found] == [
        "a", "fall.shaky", "k.shaky", "m", "z",
    ]  # fmt: skip
    problem = found[1]
    assert isinstance(problem, ImportProblem)
    assert "KeyError" in problem.reason
    assert "a word of a person" not in problem.reason


def test_a_fault_before_any_file_is_opened_names_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognise, "IMPORTERS", (Idle(),))
    folder_of(tmp_path, {"a.shaky": "a", "b.shaky": "b"})
    assert [type(one).__name__ for one in all_of(tmp_path)] == ["ImportProblem"] * 2


def test_progress_counts_bytes_and_can_be_stopped(tmp_path: Path) -> None:
    folder_of(tmp_path, {f"2024-03-{day:02d}.md": "x" * 1000 for day in range(1, 11)})
    steps: list[Step] = []
    ticks = iter(range(1_000_000))
    progress = Progress(steps.append, clock=lambda: float(next(ticks)))
    with open_tree(tmp_path) as tree:
        found = read_all(recognised(tree), Reading(), progress)
        assert len(list(found)) == 10
        assert [step.done for step in steps] == [1000 * count for count in range(1, 11)]
        assert {step.total for step in steps} == {10_000}
        progress.cancel()
        with pytest.raises(Cancelled):
            list(read_all(recognised(tree), Reading(), progress))
