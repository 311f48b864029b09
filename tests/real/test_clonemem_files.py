"""The official CloneMem files, byte for byte."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from clone_app.entries import Item
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Reading

pytestmark = pytest.mark.real


@pytest.mark.parametrize(
    ("pattern", "count", "person"),
    [("guiling_chen_*", 324, "Guilin Chen"), ("yu_zhou_*", 363, "Yu Zhou")],
)
def test_every_trace_becomes_an_item_as_it_is(
    shared_data: Path, pattern: str, count: int, person: str
) -> None:
    (file,) = (shared_data / "clonemem" / "100k").glob(f"{pattern}.json")
    with open_tree(file) as tree:
        found = recognise(tree)
        assert [one.importer for one in found.recognised] == ["clonemem"]
        items = list(read_all(found, Reading(), Progress()))
    traces = json.loads(file.read_text("utf-8"))["context"]
    assert len(items) == count == len(traces)
    for item, trace in zip(items, traces, strict=True):
        assert isinstance(item, Item)
        assert (item.key, item.medium, item.text, item.moment.iso(), item.author, item.mine) == (
            trace["id"], trace["medium"], trace["content"], trace["event_date"], person, True,
        )  # fmt: skip


def test_the_folder_holds_both_lives_and_papers_beside_them(shared_data: Path) -> None:
    with open_tree(shared_data / "clonemem") as tree:
        found = recognise(tree)
        assert found.files == 2
        assert {one.locator for one in found.skipped} == {"PROVENANCE.txt", "SHA256SUMS"}
        kinds = Counter(type(one).__name__ for one in read_all(found, Reading(), Progress()))
    assert kinds == {"Item": 687, "Skipped": 2}
