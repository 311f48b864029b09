"""Posts, messages and boosts of a Mastodon export."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.mastodon import MASTODON
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]

ME = "https://example.social/users/robin"
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"
ACTOR = json.dumps({"type": "Person", "id": ME, "preferredUsername": "robin", "name": "Robin W."})


def create(
    *, to: list[str] | None = None, cc: list[str] | None = None, **note: Any
) -> dict[str, Any]:
    """Return an activity that posts a note."""
    audience = {"to": to if to is not None else [PUBLIC], "cc": cc or []}
    return {
        "id": f"{ME}/statuses/1/activity",
        "type": "Create",
        "actor": ME,
        "published": "2022-11-05T12:00:00Z",
        **audience,
        "object": {
            "id": f"{ME}/statuses/1",
            "type": "Note",
            "summary": None,
            "published": "2022-11-05T12:00:00Z",
            "attributedTo": ME,
            "content": "<p>Hello &amp; welcome</p>",
            **audience,
            **note,
        },
    }


def outbox(*activities: Any) -> str:
    return json.dumps(
        {
            "@context": "https://www.w3.org/ns/activitystreams",
            "id": "outbox.json",
            "type": "OrderedCollection",
            "totalItems": len(activities),
            "orderedItems": list(activities),
        }
    )


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads an outbox with these activities."""

    def read_outbox(*activities: Any, actor: str = ACTOR) -> list[Found]:
        members = [
            member_of("export/actor.json", actor.encode()),
            member_of("export/outbox.json", outbox(*activities).encode()),
        ]
        claim = MASTODON.claim(members)
        assert claim is not None
        assert claim.confidence > 0.9
        return list(MASTODON.read([one for one in members if one.path in claim.paths], Reading()))

    return read_outbox


def only(found: list[Found]) -> Item:
    (item,) = found
    assert isinstance(item, Item)
    return item


def test_a_post_says_all_that_is_known(read: Read) -> None:
    item = only(read(create()))
    assert item.moment.iso() == "2022-11-05T12:00:00+00:00"
    assert item == Item(
        key="https://example.social/users/robin/statuses/1",
        medium="post",
        moment=item.moment,
        text="Hello & welcome",
        mine=True,
        locator="export/outbox.json#0",
        author="@robin@example.social",
    )


def test_html_becomes_text_with_its_paragraphs_and_whole_links(read: Read) -> None:
    content = (
        "<p>One<br>two</p><p>See "
        '<a href="https://example.org/a/long/way"><span class="invisible">https://</span>'
        '<span class="ellipsis">example.org/a/lo</span><span class="invisible">ng/way</span></a> '
        '<span class="h-card"><a href="https://b.org/@ann" class="u-url mention">@<span>ann</span>'
        "</a></span></p>"
    )
    assert only(read(create(content=content))).text == (
        "One\ntwo\n\nSee https://example.org/a/long/way @ann"
    )


def test_a_content_warning_is_the_title_and_hashtags_are_labels(read: Read) -> None:
    tags = [
        {"type": "Hashtag", "name": "#Rain"},
        {"type": "Mention", "name": "@ann@b.org", "href": "https://b.org/users/ann"},
        {"type": "Mention", "name": "@bob", "href": "https://example.social/users/bob"},
    ]
    item = only(read(create(summary="weather", tag=tags)))
    assert (item.title, item.labels) == ("weather", ("Rain",))
    assert item.recipients == ("@ann@b.org", "@bob@example.social")


def test_a_boost_is_another_persons(read: Read) -> None:
    address = "https://mastodon.social/users/Gargron/statuses/1"
    boost = {
        "id": f"{ME}/statuses/2/activity",
        "type": "Announce",
        "actor": ME,
        "published": "2022-11-05T12:00:00Z",
        "object": address,
    }
    item = only(read(boost))
    assert (item.mine, item.medium, item.author) == (False, "post", "@Gargron@mastodon.social")
    assert (item.key, item.text) == (f"{ME}/statuses/2/activity", address)


@pytest.mark.parametrize(
    ("address", "author"),
    [
        ("https://a.social/@ann/123", "@ann@a.social"),
        ("https://a.social/@ann@b.org/123", "@ann@b.org"),
        ("https://pixel.example/p/ann/1", "pixel.example"),
        ("https://[broken", ""),
        ("no address", ""),
    ],
)
def test_the_author_of_a_boost_is_read_from_its_address(
    read: Read, address: str, author: str
) -> None:
    assert only(read({"type": "Announce", "object": address})).author == author


@pytest.mark.parametrize(
    ("to", "cc", "medium"),
    [
        ([PUBLIC], [f"{ME}/followers"], "post"),
        ([f"{ME}/followers"], [PUBLIC], "post"),
        (["as:Public"], [], "post"),
        ([f"{ME}/followers"], ["https://b.org/users/ann"], "post"),
        (["https://b.org/users/ann"], [], "chat"),
        ([], [], "post"),
    ],
)
def test_what_went_to_named_persons_alone_is_a_chat(
    read: Read, to: list[str], cc: list[str], medium: str
) -> None:
    item = only(read(create(to=to, cc=cc)))
    assert (item.medium, item.mine) == (medium, True)


def test_a_poll_keeps_its_options(read: Read) -> None:
    options = [{"type": "Note", "name": "Tea"}, {"type": "Note", "name": "Coffee"}]
    item = only(read(create(type="Question", content="<p>Which?</p>", oneOf=options)))
    assert item.text == "Which?\n\n- Tea\n- Coffee"


def test_what_i_say_of_a_picture_is_kept_and_a_picture_without_words_skipped(read: Read) -> None:
    picture = {"type": "Document", "mediaType": "image/png", "name": "A grey cat asleep"}
    assert only(read(create(content="", attachment=[picture]))).text == "A grey cat asleep"
    assert read(create(content="", attachment=[{**picture, "name": None}])) == [
        Skipped("export/outbox.json#0", "a post without words")
    ]


def test_other_activities_are_counted_and_broken_ones_named(read: Read) -> None:
    found = read(
        {"type": "Update"}, create(), {"type": "Update"}, 5, {"type": "Create", "object": "x"}
    )
    assert [one for one in found if not isinstance(one, Item)] == [
        ImportProblem("export/outbox.json#3", "is no activity"),
        ImportProblem("export/outbox.json#4", "is no post, or one kept elsewhere"),
        Skipped("export/outbox.json#Update", "2 activities that are no posts"),
    ]
    assert len(found) == 4


def test_an_empty_outbox_is_skipped(read: Read) -> None:
    assert read() == [Skipped("export/outbox.json", "no posts in it")]


def test_without_an_actor_file_the_author_is_read_from_the_address(read: Read) -> None:
    found = read(create(), actor="{")
    assert isinstance(found[0], Item)
    assert found[0].author == "@robin@example.social"


def test_a_file_that_breaks_off_keeps_what_came_before(member_of: MakeMember) -> None:
    text = outbox(create(), create())
    member = member_of("outbox.json", text[: text.rindex('"Create"')].encode())
    first, problem = MASTODON.read([member], Reading())
    assert isinstance(first, Item)
    assert isinstance(problem, ImportProblem)
    assert problem.locator == "outbox.json#1"
    assert "breaks off" in problem.reason


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("likes.json", '{"type": "OrderedCollection", "orderedItems": ["https://a/1"]}'),
        ("outbox.json", '{"messages": []}'),
        ("actor.json", ACTOR),
        ("outbox.txt", outbox(create())),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert MASTODON.claim([member_of(path, text.encode())]) is None


def test_an_outbox_is_known_by_what_is_in_it_under_any_name(member_of: MakeMember) -> None:
    claim = MASTODON.claim([member_of("my posts.json", outbox(create()).encode())])
    assert claim is not None
    assert claim.paths == {"my posts.json"}
