"""Exports of Bluesky, Google and Outlook; the counts were verified by hand against the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.msg import MSG
from clone_app.importers.pst import PST
from clone_app.importers.recognise import read_all, recognise
from clone_app.progress import Progress
from clone_app.protocols import Found, Importer, Reading

pytestmark = pytest.mark.real


def read(place: Path) -> list[Found]:
    with open_tree(place) as tree:
        return list(read_all(recognise(tree), Reading(), Progress()))


def items(found: list[Found]) -> list[Item]:
    return [one for one in found if isinstance(one, Item)]


BLUESKY = "social/bluesky-car"


@pytest.mark.parametrize(
    ("name", "posts", "reposts", "wordless"),
    [
        # The list of a repository's newest state names as many; older states lie in the files too
        # (fakermaker's holds 143 of them), and paul_staging's has 14 posts of pictures alone.
        ("bafyreieovfuizojpw3zresz7sx3nk4trm2by23pt5rxbey3jme4uo5ogiu.car", 5, 0, 0),
        ("fakermaker.repo.car", 26, 15, 0),
        ("paul_staging.repo.car", 87, 15, 14),
        ("greenground.repo.car", 0, 0, 1),
    ],
)
def test_a_repository_holds_what_its_newest_state_lists(
    shared_data: Path, name: str, posts: int, reposts: int, wordless: int
) -> None:
    found = read(shared_data / BLUESKY / name)
    kept = items(found)
    assert (sum(one.mine for one in kept), sum(not one.mine for one in kept)) == (posts, reposts)
    assert len({one.key for one in kept}) == posts + reposts
    assert sum(isinstance(one, Skipped) for one in found) == wordless
    assert not any(isinstance(one, ImportProblem) for one in found)
    assert all(one.moment.offset is not None for one in kept)


def test_a_post_of_a_repository_is_right_in_all_its_parts(shared_data: Path) -> None:
    kept = {one.key: one for one in items(read(shared_data / BLUESKY / "paul_staging.repo.car"))}
    own = "at://did:plc:cmpvykrzb2l22kj4ojlv3ox4/app.bsky.feed."
    linked = kept[f"{own}post/3jqrdogvhes2s"]
    assert linked.text.startswith("test https://atproto.com cool https://example.com yeah")
    assert (linked.author, linked.moment.iso()) == ("Paul", "2023-03-12T21:09:26+00:00")
    reply = kept[f"{own}post/3jrzqhrg6ek2m"]
    assert reply.text == "End of an age. Unrelatedly, here are some flowers."
    assert reply.recipients == ("did:plc:52h2g25cka2totzv3ooc364t",)
    repost = kept[f"{own}repost/3jnplh227pc22"]
    assert (repost.mine, repost.author) == (False, "did:plc:wqzurwm3kmaig6e6hnc2gqwo")


def test_a_slice_of_a_repository_says_what_it_lacks(shared_data: Path) -> None:
    item, problem = read(shared_data / BLUESKY / "repo_slice.car")
    assert isinstance(item, Item)
    assert item.text.endswith("choir lastly luxury before.\n\nSausage sandwich italian style")
    assert item.moment.iso() == "2023-03-13T19:48:20-07:00"
    assert isinstance(problem, ImportProblem)
    assert "3 posts it lists are not in it" in problem.reason


def test_a_page_of_googles_activities_has_three(shared_data: Path) -> None:
    forum, page, search = items(read(shared_data / "social" / "google-takeout-parser"))
    assert forum.text == "Visited https://productforums.google.com/forum/"
    assert forum.moment.iso() == "2018-01-31T22:54:50"
    assert (page.medium, page.context) == ("browsing", "http://www.adobe.com/creativecloud.html")
    assert (search.text, search.title) == (
        "Searched for adobe creative cloud",
        "adobe creative cloud",
    )
    assert (search.medium, search.moment.iso()) == ("search", "2017-02-08T00:32:36")


@pytest.fixture
def outlook(shared_data: Path) -> Path:
    """The folder of Tika's Outlook files."""
    pytest.importorskip("olefile", reason="the optional extra `sources` is not installed")
    pytest.importorskip("pypff", reason="the optional extra `sources` is not installed")
    (folder,) = {one.parent for one in (shared_data / "email").rglob("testPST.pst")}
    return folder


def claimed(folder: Path, importer: Importer) -> list[Found]:
    with open_tree(folder) as tree:
        claim = importer.claim(tree.members())
        assert claim is not None
        members = [one for one in tree.members() if one.path in claim.paths]
        return list(importer.read(members, Reading()))


def test_outlooks_messages_are_read_like_any_mail(outlook: Path) -> None:
    found = claimed(outlook, MSG)
    kept = {one.locator: one for one in items(found)}
    assert len(kept) == 8
    assert {one.locator for one in found if isinstance(one, Skipped)} == {
        "testMSG_Appointment.msg", "testMSG_Contact.msg", "testMSG_StickyNote.msg",
        "testMSG_Task.msg",
    }  # fmt: skip
    first = kept["testMSG.msg"]
    assert first.author == "Jukka Zitting <jukka.zitting@gmail.com>"
    assert first.key == "510143ac0901291116s5f368dfby9d6423ce61acc36a@mail.gmail.com"
    assert first.moment.iso() == "2009-01-29T19:16:40+00:00"
    assert first.text.startswith("Hi,\n\nAs discussed, I've been working on")
    chinese = kept["testMSG_chinese.msg"]
    assert chinese.title == "Alfresco MSG format testing ( MSG 格式測試 )"
    assert chinese.recipients == ("Tests Chang@FT (張毓倫) <tests.chang@fengttt.com>",)
    attached = kept["testMSG_att_doc.msg"]
    assert attached.labels == ("attachment:test-unicode.doc", "attachment:pj1.txt")
    assert "euro : € (20AC)" in attached.context


def test_outlooks_mailboxes_hold_seven_and_four_mails(outlook: Path) -> None:
    found = claimed(outlook, PST)
    kept = items(found)
    assert kept == found
    assert [one.locator.split("#")[0] for one in kept] == (
        ["testPST.pst"] * 7 + ["testPST_variousBodyTypes.pst"] * 4
    )
    first = kept[0]
    assert first.title == "Re: Feature Generators"
    assert first.author == "Jörn Kottmann <kottmann@gmail.com>"
    assert first.moment.iso() == "2014-02-26T08:50:04+01:00"
    assert first.text.startswith("Hello,\n\nthe PreviousMapFeatureGenerator")
    assert "Is there documentation" in first.context
    assert kept[7].text == "This is the original email (html)"
    assert [one.title for one in kept[8:]] == ["FW: original email"] * 3
