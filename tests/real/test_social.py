"""Exports of many programs: what is read is right, what is not is listed, and nothing falls."""

from __future__ import annotations

from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import preview, read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Found, Reading

pytestmark = pytest.mark.real


def read(place: Path, *me: str) -> list[Found]:
    with open_tree(place) as tree:
        return list(read_all(recognise(tree), Reading(frozenset(me)), Progress()))


def test_posts_from_the_interface_are_the_accounts_own(shared_data: Path) -> None:
    found = read(shared_data / "social" / "twitter-dogsheep-tests")
    repost, reply, own = (one for one in found if isinstance(one, Item))
    assert (repost.key, repost.author, repost.mine) == ("1169246717864136705", "@drvox", False)
    assert repost.moment.iso() == "2019-09-04T13:51:55+00:00"
    assert repost.text.startswith(
        "My new post: an explainer on “carbon capture & utilization” (CCU)."
    )
    assert (reply.author, reply.mine) == ("@simonw", True)
    assert reply.recipients[:2] == ("@scientiffic", "@Wikipedia")
    assert own.mine
    assert not any("https://t.co/" in one.text for one in (reply, own))


def test_a_vault_of_notes_is_read_with_its_one_dated_post(shared_data: Path) -> None:
    found = read(shared_data / "social" / "obsidian-dataview-vault")
    items = [one for one in found if isinstance(one, Item)]
    assert len(items) == 20
    assert {one.locator: one.moment.iso() for one in items if one.moment.local} == {
        "blog/2020-08-08-an-earlier-post.md": "2020-08-08"
    }
    assert {one.locator for one in found if isinstance(one, Skipped)} == {
        ".obsidian", "LICENSE.txt", "PROVENANCE.txt", "blog/2021-08-08-a-post.md",
        "untracked/README.md",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["social", "email", "diary", "clonemem", "."])
def test_every_file_is_read_or_listed(shared_data: Path, name: str) -> None:
    with open_tree(shared_data / name) as tree:
        recognition = recognise(tree)
        found = list(read_all(recognition, Reading(), Progress()))
        spoken_of = {one.locator for one in found} | {
            one.locator.rpartition("#")[0] for one in found
        }
        spoken_of |= {one.locator for one in tree.members() if one.path.endswith("/account.js")}
        for member in tree.members():  # the account file alone brings no item, but a name
            assert member.locator in spoken_of, f"{member.locator} is lost"
        shown = preview(recognition, Reading(), Progress())
    assert shown.items == sum(isinstance(one, Item) for one in found)
    assert len(shown.problems) == sum(isinstance(one, ImportProblem) for one in found)
    assert len(shown.samples) == 3
    for one in found:
        if isinstance(one, Item):
            (one.text + one.title + one.author + one.key + one.locator).encode("utf-8")
            assert one.key
            assert one.moment.local is None or 1000 <= one.moment.local.year <= 2100
