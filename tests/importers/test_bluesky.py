"""Posts and reposts of a Bluesky repository, made block by block."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import libipld
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.bluesky import BLUESKY
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]

DID = "did:plc:me"
POST, REPOST = "app.bsky.feed.post", "app.bsky.feed.repost"
OTHERS = "at://did:plc:ann/app.bsky.feed.post/3kxyz"


def varint(number: int) -> bytes:
    out = b""
    while number >= 0x80:
        out, number = out + bytes([number & 0x7F | 0x80]), number >> 7
    return out + bytes([number])


def block(value: Any) -> tuple[bytes, bytes]:
    """Return the name of a block and its bytes."""
    data = libipld.encode_dag_cbor(value)
    return b"\x01\x71\x12\x20" + hashlib.sha256(data).digest(), data


def car(root: bytes, *blocks: tuple[bytes, bytes]) -> bytes:
    head = libipld.encode_dag_cbor({"version": 1, "roots": [root]})
    parts = [head, *(name + data for name, data in blocks)]
    return b"".join(varint(len(part)) + part for part in parts)


def tree(records: Mapping[str, bytes], below: bytes | None = None) -> tuple[bytes, bytes]:
    """Return a node that lists records, each path cut by what it shares with the one before."""
    entries, last = [], b""
    for path, name in sorted(records.items()):
        key = path.encode()
        shared = next(
            (i for i, (a, b) in enumerate(zip(key, last, strict=False)) if a != b),
            min(len(key), len(last)),
        )
        entries.append({"p": shared, "k": key[shared:], "v": name, "t": None})
        last = key
    return block({"l": below, "e": entries})


def repository(records: Mapping[str, Any], *more: tuple[bytes, bytes]) -> bytes:
    """Return an account's file with these records, by their paths."""
    blocks = {path: block(value) for path, value in records.items()}
    node = tree({path: name for path, (name, _) in blocks.items()})
    commit = block(
        {"did": DID, "version": 3, "data": node[0], "prev": None, "rev": "3k", "sig": b"x"}
    )
    return car(commit[0], commit, node, *blocks.values(), *more)


def post(text: str, **more: Any) -> dict[str, Any]:
    return {"$type": POST, "text": text, "createdAt": "2023-04-26T00:09:58.123-07:00", **more}


def facet(text: str, words: str, **feature: Any) -> dict[str, Any]:
    start = len(text[: text.index(words)].encode())
    return {
        "index": {"byteStart": start, "byteEnd": start + len(words.encode())},
        "features": [feature],
    }


Read = Callable[..., list[Found]]


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads a file of these bytes."""

    def read_file(data: bytes) -> list[Found]:
        members = [member_of("repo.car", data)]
        assert BLUESKY.claim(members) is not None
        return list(BLUESKY.read(members, Reading()))

    return read_file


def only(found: list[Found]) -> Item:
    (item,) = found
    assert isinstance(item, Item)
    return item


def test_a_post_says_all_that_is_known(read: Read) -> None:
    profile = {"$type": "app.bsky.actor.profile", "displayName": "Robin W."}
    item = only(
        read(repository({f"{POST}/3ka": post("Rain."), "app.bsky.actor.profile/self": profile}))
    )
    assert item.moment.iso() == "2023-04-26T00:09:58-07:00"
    assert item == Item(
        key="at://did:plc:me/app.bsky.feed.post/3ka",
        medium="post",
        moment=item.moment,
        text="Rain.",
        mine=True,
        locator="repo.car#app.bsky.feed.post/3ka",
        author="Robin W.",
    )


def test_links_are_counted_in_bytes_and_made_whole(read: Read) -> None:
    text = "Café 🌧 déjà: example.org/a/lon... and here"
    facets = [
        facet(text, "here", **{"$type": "app.bsky.richtext.facet#link", "uri": "https://b.org"}),
        facet(
            text,
            "example.org/a/lon...",
            **{"$type": "app.bsky.richtext.facet#link", "uri": "https://example.org/a/long/way"},
        ),
    ]
    item = only(read(repository({f"{POST}/3ka": post(text, facets=facets)})))
    assert item.text == "Café 🌧 déjà: https://example.org/a/long/way and here (https://b.org)"


def test_the_entities_of_the_first_posts_are_counted_in_utf16(read: Read) -> None:
    entities = [{"type": "link", "index": {"start": 3, "end": 8}, "value": "https://b.org/x"}]
    item = only(read(repository({f"{POST}/3ka": post("🌧 b.org!", entities=entities)})))
    assert item.text == "🌧 https://b.org/x!"


def test_a_stretch_that_leads_nowhere_changes_nothing(read: Read) -> None:
    link = {"$type": "app.bsky.richtext.facet#link", "uri": "https://b.org"}
    facets = [
        {"index": {"byteStart": start, "byteEnd": end}, "features": [link]}
        for start, end in ((1, 900), (-3, 2), (4, 4), (0, 4))  # the last cuts through the é
    ]
    assert only(read(repository({f"{POST}/3ka": post("Café", facets=facets)}))).text == "Café"


def test_a_reply_keeps_whom_it_answers_and_whom_it_names(read: Read) -> None:
    text = "@ann.example yes #rain"
    facets = [
        facet(text, "@ann.example", **{"$type": "app.bsky.richtext.facet#mention", "did": "did:x"}),
        facet(text, "#rain", **{"$type": "app.bsky.richtext.facet#tag", "tag": "rain"}),
    ]
    start = "at://did:plc:bob/app.bsky.feed.post/3k0"
    reply = {"root": {"uri": start}, "parent": {"uri": OTHERS}}
    item = only(read(repository({f"{POST}/3ka": post(text, facets=facets, reply=reply)})))
    assert (item.text, item.mine, item.thread) == (text, True, start)
    assert item.recipients == ("did:plc:ann", "@ann.example")
    assert item.labels == ("rain",)


def test_a_repost_is_another_persons(read: Read) -> None:
    record = {"$type": REPOST, "subject": {"uri": OTHERS}, "createdAt": "2023-02-01T18:32:13.8Z"}
    item = only(read(repository({f"{REPOST}/3kb": record})))
    assert (item.mine, item.author, item.text) == (False, "did:plc:ann", OTHERS)
    assert item.moment.iso() == "2023-02-01T18:32:13+00:00"


def test_words_on_pictures_are_mine_and_those_of_a_link_or_a_quotation_are_not(read: Read) -> None:
    embed = {
        "$type": "app.bsky.embed.recordWithMedia",
        "media": {"images": [{"alt": "A grey cat asleep"}, {"alt": ""}]},
        "record": {"record": {"uri": OTHERS}},
    }
    card = {"external": {"uri": "https://b.org", "title": "B", "description": "All of it"}}
    found = read(
        repository({f"{POST}/3ka": post("Look", embed=embed), f"{POST}/3kb": post("", embed=card)})
    )
    assert [(one.text, one.context) for one in found if isinstance(one, Item)] == [
        ("Look\n\nA grey cat asleep", OTHERS),
        ("https://b.org", "B\nAll of it"),
    ]


def test_other_records_are_left_and_a_post_without_words_is_skipped(read: Read) -> None:
    like = {"$type": "app.bsky.feed.like", "subject": {"uri": OTHERS}}
    assert read(repository({"app.bsky.feed.like/3ka": like})) == [
        Skipped("repo.car", "no posts in it")
    ]
    assert read(repository({f"{POST}/3ka": post("")})) == [
        Skipped("repo.car#app.bsky.feed.post/3ka", "a post without words")
    ]


def test_what_was_deleted_lies_in_the_file_and_stays_deleted(read: Read) -> None:
    gone = block(post("I take this back"))
    found = read(repository({f"{POST}/3ka": post("Rain.")}, tree({f"{POST}/3k0": gone[0]}), gone))
    assert only(found).text == "Rain."


def test_a_post_without_a_readable_date_is_undated(read: Read) -> None:
    item = only(read(repository({f"{POST}/3ka": post("Rain.") | {"createdAt": "soon"}})))
    assert item.moment.iso() is None


def test_a_damaged_post_is_named_and_the_others_are_kept(read: Read) -> None:
    data = repository({f"{POST}/3ka": post("Rain."), f"{POST}/3kb": post("Snow.")})
    first, second = read(data.replace(b"Rain.", b"Ruin."))
    assert first == ImportProblem(
        "repo.car#app.bsky.feed.post/3ka", "is damaged; export the account again"
    )
    assert isinstance(second, Item)


def test_a_file_that_breaks_off_keeps_what_came_before(read: Read) -> None:
    data = repository({f"{POST}/3ka": post("Rain."), f"{POST}/3kb": post("Snow.")})
    item, problem = read(data[:-5])
    assert isinstance(item, Item)
    assert problem == ImportProblem(
        "repo.car", "breaks off in the middle; download or copy it again"
    )


def test_a_part_of_an_account_says_how_many_posts_it_lacks(read: Read) -> None:
    here, gone = block(post("Rain.")), block(post("Snow."))
    node = tree({f"{POST}/3ka": here[0], f"{POST}/3kb": gone[0]})
    commit = block({"did": DID, "version": 3, "data": node[0], "prev": None})
    item, problem = read(car(commit[0], commit, node, here))
    assert isinstance(item, Item)
    assert isinstance(problem, ImportProblem)
    assert "1 post it lists is not in it" in problem.reason


@pytest.mark.parametrize("data", [b"<html>Sign in</html>", b"", b"\xff" * 40, b"\x05hello"])
def test_what_is_no_car_is_named(read: Read, data: bytes) -> None:
    (problem,) = read(data)
    assert isinstance(problem, ImportProblem)
    assert "again" in problem.reason or "import that file" in problem.reason


def test_a_car_of_something_else_is_named(read: Read) -> None:
    one = block({"hello": "world"})
    (problem,) = read(car(one[0], one))
    assert isinstance(problem, ImportProblem)
    assert "no Bluesky account" in problem.reason


KEYS = st.sampled_from(
    ["text", "createdAt", "facets", "index", "byteStart", "byteEnd", "features", "$type", "uri",
     "entities", "start", "end", "type", "value", "embed", "images", "alt", "external", "record",
     "media", "reply", "root", "parent", "labels", "values", "val", "tags", "subject", "e", "l",
     "did", "data"]
)  # fmt: skip
ODD = (
    st.none() | st.booleans() | st.integers(-5, 99) | st.text(max_size=9) | st.binary(max_size=5)
    | st.sampled_from(["link", "x#link", "x#mention", "x#tag", "at://did:x/y", "2023-01-01T00:00Z"])
)  # fmt: skip
VALUES = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)


def check(found: list[Found]) -> None:
    for one in found:
        assert isinstance(one, Item | ImportProblem | Skipped)
        assert one.locator.startswith("repo.car")


@given(st.dictionaries(st.sampled_from([f"{POST}/a", f"{REPOST}/b", "x/y"]), VALUES, max_size=3))
def test_any_records_are_read(member_of: MakeMember, records: dict[str, Any]) -> None:
    check(list(BLUESKY.read([member_of("repo.car", repository(records))], Reading())))


@given(st.binary(max_size=300) | st.integers(0, 400), st.integers(0, 255))
def test_any_bytes_and_any_damage_are_read(
    member_of: MakeMember, data: bytes | int, byte: int
) -> None:
    if isinstance(data, int):
        whole = bytearray(repository({f"{POST}/3ka": post("Rain.")}))
        whole[data % len(whole)] = byte
        data = bytes(whole)
    check(list(BLUESKY.read([member_of("repo.car", data)], Reading())))
