"""Every folder of real mail, posts and diaries is imported, and every thing in it accounted for."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def folders() -> Iterator[ModuleType]:
    """The script that tells what became of a folder: the test asserts what it prints."""
    script = Path(__file__).parents[2] / "packaging" / "bench" / "folders.py"
    spec = importlib.util.spec_from_file_location("bench_folders", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize("group", ["email", "social", "diary"])
def test_seen_is_the_sum_of_what_became_of_it_and_nothing_is_missing(
    shared_data: Path, folders: ModuleType, group: str
) -> None:
    places = sorted(place for place in (shared_data / group).iterdir() if place.is_dir())
    assert places
    total = folders.Mails()
    for place in places:
        told = folders.tell(place)
        assert told.faults() == (), "\n".join(folders.lines(told))
        for locator, reason in (*told.first.problems, *told.first.skipped):
            assert locator
            assert reason
        total += told.mails
    if group == "email":
        assert (total.single, total.in_mailboxes) == (830, 224)
        assert (total.dated + total.undated) / total.all >= 0.97
        assert total.dated + total.undated + total.named == total.all
