"""Exports of Facebook and Instagram: letters as they were meant, in each layout there was."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.facebook import FACEBOOK_EXPORT
from clone_app.importers.instagram import INSTAGRAM_EXPORT
from clone_app.importers.meta_export import as_meant
from clone_app.protocols import Found, Importer, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]
BOTH: tuple[Importer, ...] = (FACEBOOK_EXPORT, INSTAGRAM_EXPORT)


def broken(text: str) -> str:
    """Return text as these exports write it: each byte of UTF-8 as if it were a letter."""
    return text.encode("utf-8").decode("latin-1")


def thread(*messages: Any, **more: Any) -> dict[str, Any]:
    return {
        "participants": [{"name": broken("Zoë")}, {"name": "Robin Wren"}],
        "messages": list(messages),
        "title": broken("Zoë"),
        "is_still_participant": True,
        "thread_path": "inbox/zoe_12",
        **more,
    }


def said(text: str, **more: Any) -> dict[str, Any]:
    return {
        "sender_name": broken("Zoë"), "timestamp_ms": 1579294140123, "content": broken(text),
        "is_geoblocked_for_viewer": False, **more,
    }  # fmt: skip


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that reads what an importer claims of these files."""

    def read_files(importer: Importer, files: dict[str, Any], *me: str) -> list[Found]:
        members = [
            member_of(path, content if isinstance(content, bytes) else json.dumps(content).encode())
            for path, content in files.items()
        ]
        claim = importer.claim(members)
        assert claim is not None
        claimed = [one for one in members if one.path in claim.paths]
        return list(importer.read(claimed, Reading(frozenset(me))))

    return read_files


def items(found: list[Found]) -> list[Item]:
    return [one for one in found if isinstance(one, Item)]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("caf\u00c3\u00a9", "café"),
        ("naïve", "naïve"),
        ("café", "café"),
        ("\u00f0\u009f\u0098\u0080", "😀"),
        ("\u00e4\u00bd\u00a0\u00e5\u00a5\u00bd", "你好"),
        ("你好 é", "你好 é"),
        ("plain", "plain"),
        ("«CAFÉ»", "«CAFÉ»"),
        (None, ""),
        (5, "5"),
    ],
)
def test_letters_are_read_as_they_were_meant(written: object, meant: str) -> None:
    assert as_meant(written) == meant


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r")))
def test_every_text_survives_being_broken(text: str) -> None:
    assert as_meant(broken(text)) == text


# --- Facebook ------------------------------------------------------------------------------------

PROFILE = {"profile_v2": {"name": {"full_name": "Robin Wren"}, "username": "robin"}}


@pytest.mark.parametrize(
    ("chat", "profile"),
    [
        ("facebook-robin/messages/inbox/zoe_12/message_1.json",
         "facebook-robin/profile_information/profile_information.json"),
        ("messages/inbox/zoe_12/message_1.json", "profile_information/profile_information.json"),
        ("your_activity_across_facebook/messages/inbox/zoe_12/message_1.json",
         "personal_information/profile_information/profile_information.json"),
        ("your_facebook_activity/messages/inbox/zoe_12/message_1.json",
         "personal_information/profile_information/profile_information.json"),
    ],
)  # fmt: skip
def test_chats_of_each_layout_are_read(read: Read, chat: str, profile: str) -> None:
    mine = said("Ça va", sender_name="Robin Wren", timestamp_ms=1579294200000)
    found = read(FACEBOOK_EXPORT, {chat: thread(mine, said("café 😀")), profile: PROFILE})
    first, second = items(found)
    assert (first.text, first.mine, first.recipients) == ("Ça va", True, ("Zoë",))
    assert second == Item(
        key=second.key, medium="chat", moment=second.moment, text="café 😀", mine=False,
        locator=f"{chat}#1", author="Zoë", title="Zoë", recipients=("Robin Wren",),
        thread="facebook:inbox/zoe_12",
    )  # fmt: skip
    assert second.moment.iso() == "2020-01-17T20:49:00+00:00"
    assert second.key.startswith("facebook:2020-01-17:")
    assert found[0] == Skipped(profile, "the profile, whose name tells which messages are yours")


def test_without_a_profile_only_the_named_are_mine(read: Read) -> None:
    files = {"inbox/zoe_12/message_1.json": thread(said("a"), said("b", sender_name="Robin Wren"))}
    assert [one.mine for one in items(read(FACEBOOK_EXPORT, files))] == [False, False]
    assert [one.mine for one in items(read(FACEBOOK_EXPORT, files, "robin wren"))] == [False, True]


def test_all_parts_of_a_chat_are_one_thread(read: Read) -> None:
    found = items(
        read(
            FACEBOOK_EXPORT,
            {
                "messages/inbox/zoe_12/message_1.json": thread(
                    said("late", timestamp_ms=1579294140124)
                ),
                "messages/inbox/zoe_12/message_2.json": thread(said("early")),
            },
        )
    )
    assert [one.text for one in found] == ["late", "early"]
    assert {one.thread for one in found} == {"facebook:inbox/zoe_12"}


def test_equal_messages_at_different_times_are_two(read: Read) -> None:
    chat = thread(said("ok"), said("ok", timestamp_ms=1579294140124))
    found = items(read(FACEBOOK_EXPORT, {"messages/inbox/zoe_12/message_1.json": chat}))
    assert len({one.key for one in found}) == 2


def key_of(
    read: Read, importer: Importer, chat: dict[str, Any], folder: str = "inbox/zoe_12"
) -> str:
    (item,) = items(
        read(importer, {f"{importer.name}-robin/messages/{folder}/message_1.json": chat})
    )
    return item.key


def group(title: str, place: str, *names: str) -> dict[str, Any]:
    people = [{"name": broken(name)} for name in ("Robin Wren", *names)]
    return thread(said("ok"), participants=people, title=broken(title), thread_path=place)


@pytest.mark.parametrize("importer", [FACEBOOK_EXPORT, INSTAGRAM_EXPORT])
def test_the_same_words_at_the_same_instant_to_others_are_another_item(
    read: Read, importer: Importer
) -> None:
    mine = said("Happy New Year", sender_name="Robin Wren")
    kim = {
        "participants": [{"name": "Kim"}, {"name": "Robin Wren"}],
        "title": "Kim",
        "thread_path": "inbox/kim_13",
    }
    found = {
        key_of(read, importer, thread(mine)),
        key_of(read, importer, thread(mine, **kim)),
        key_of(
            read, importer, group("Zoë", "inbox/family_1234", "Zoë", "Kim") | {"messages": [mine]}
        ),
        key_of(
            read, importer, group("Zoë", "inbox/team_1235", "Zoë", "Kim") | {"messages": [mine]}
        ),
    }
    assert len(found) == 4


def test_a_chat_of_two_keeps_its_keys_wherever_a_later_export_has_it(read: Read) -> None:
    first = key_of(read, FACEBOOK_EXPORT, thread(said("ok")))
    moved = thread(said("ok"), thread_path="archived_threads/zoewren_5550001")
    assert key_of(read, FACEBOOK_EXPORT, moved, "archived_threads/zoewren_5550001") == first
    broken_off = json.dumps(thread(said("ok"), said("on"))).encode().partition(b', {"sender')[0]
    found = read(FACEBOOK_EXPORT, {"messages/inbox/zoe_12/message_1.json": broken_off})
    assert [one.key for one in items(found)] == [first]


def test_a_group_keeps_its_keys_when_it_is_renamed_or_somebody_leaves(read: Read) -> None:
    first = key_of(read, FACEBOOK_EXPORT, group("Trip", "inbox/trip_1234", "Zoë", "Kim"))
    later = group("Trip to Rome", "archived_threads/triptorome_1234", "Zoë")
    assert key_of(read, FACEBOOK_EXPORT, later) == first


def test_what_is_no_ones_words_is_counted_and_what_is_shared_is_others(read: Read) -> None:
    chat = thread(
        said("", photos=[{"uri": "a.jpg"}]),
        said("Zoë sent an attachment.", share={"link": "https://example.org"}),
        said("Reacted 😀 to your message "),
        said("Zoë called you.", call_duration=5),
        said("gone", is_unsent=True),
        said("Look", share={"link": "https://example.org", "share_text": broken("Fée")}),
        "nonsense",
    )
    found = read(FACEBOOK_EXPORT, {"messages/inbox/zoe_12/message_1.json": chat})
    assert [(one.text, one.context, one.labels) for one in items(found)] == [
        ("Look", "Fée", ("attachment",))
    ]
    path = "messages/inbox/zoe_12/message_1.json"
    assert [one for one in found if not isinstance(one, Item)] == [
        ImportProblem(f"{path}#6", "is no message"),
        Skipped(f"{path}#program", "2 notes of the program on calls, likes and members"),
        Skipped(
            f"{path}#wordless",
            "3 pictures, sounds, links and stickers without words, or messages taken back",
        ),
    ]


def test_chats_that_were_encrypted_are_read(read: Read) -> None:
    chat = {
        "participants": ["Zoë", "Robin Wren"],
        "threadName": "Zoë_3",
        "messages": [
            {"isUnsent": False, "media": [], "reactions": [], "senderName": "Zoë", "text": "café",
             "timestamp": 1579294140123, "type": "text"}
        ],
    }  # fmt: skip
    (item,) = items(read(FACEBOOK_EXPORT, {"messages/Zoë_3.json": chat}))
    assert (item.text, item.author, item.title) == ("café", "Zoë", "Zoë")
    assert (item.recipients, item.moment.iso()) == (("Robin Wren",), "2020-01-17T20:49:00+00:00")


POST = {
    "timestamp": 1579294140,
    "attachments": [{"data": [{"media": {"uri": "a.jpg", "description": broken("Ein Schloß")}}]}],
    "data": [{"post": broken("Grüße aus Köln")}, {"update_timestamp": 1579294150}],
    "title": "Robin Wren updated his status.",
}


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("posts/your_posts_1.json", [POST]),
        ("posts/your_posts.json", {"status_updates": [POST]}),
        ("your_activity_across_facebook/posts/your_posts_2.json", [POST]),
        ("your_activity_across_facebook/posts/"
         "your_posts__check_ins__photos_and_videos_1.json", [POST]),
        ("groups/your_posts_in_groups.json", {"group_posts_v2": [POST]}),
        ("groups/group_posts_and_comments.json", {"group_posts": {"activity_log_data": [POST]}}),
    ],
)  # fmt: skip
def test_posts_of_each_layout_are_mine(read: Read, path: str, content: Any) -> None:
    profile = {"profile_information/profile_information.json": {"profile": {"name": "Robin Wren"}}}
    (item,) = items(read(FACEBOOK_EXPORT, {path: content, **profile}))
    assert item == Item(
        key=item.key, medium="post", moment=item.moment, text="Grüße aus Köln", mine=True,
        locator=f"{path}#0", author="Robin Wren", title="Robin Wren updated his status.",
    )  # fmt: skip
    assert item.moment.iso() == "2020-01-17T20:49:00+00:00"


def test_what_is_said_of_pictures_is_kept_once_and_posts_without_words_counted(read: Read) -> None:
    pictures = {**POST, "data": [], "attachments": POST["attachments"] * 2}
    found = read(FACEBOOK_EXPORT, {"posts/your_posts_1.json": [pictures, {"timestamp": 1}, 5]})
    assert [one.text for one in items(found)] == ["Ein Schloß"]
    assert found[1:] == [
        ImportProblem("posts/your_posts_1.json#2", "is no post and no comment"),
        Skipped("posts/your_posts_1.json#wordless", "1 post without words"),
    ]


@pytest.mark.parametrize("key", ["comments", "comments_v2"])
def test_comments_are_mine(read: Read, key: str) -> None:
    comment = {
        "timestamp": 1579294140,
        "data": [
            {"comment": {"timestamp": 1579294141, "comment": "Schön", "author": "Robin Wren"}}
        ],
        "title": "Robin Wren commented on Ann's post.",
    }
    (item,) = items(read(FACEBOOK_EXPORT, {"comments/comments.json": {key: [comment]}}))
    assert (item.text, item.mine, item.author, item.labels) == (
        "Schön", True, "Robin Wren", ("comment",),
    )  # fmt: skip
    assert item.moment.iso() == "2020-01-17T20:49:01+00:00"


def test_what_others_wrote_on_the_wall_is_theirs(read: Read) -> None:
    post = {
        "timestamp": 1,
        "data": [{"post": "Happy birthday"}],
        "title": "Ann wrote on your timeline.",
    }
    name = "posts/other_people's_posts_to_your_timeline.json"
    content = {"wall_posts_sent_to_you": {"activity_log_data": [post]}}
    (item,) = items(read(FACEBOOK_EXPORT, {name: content}))
    assert (item.mine, item.author, item.text) == (False, "Ann", "Happy birthday")


def test_pages_for_reading_are_named_with_what_to_do(read: Read) -> None:
    page = b"<html><head><title>Facebook</title></head>"
    found = read(
        FACEBOOK_EXPORT, {"posts/your_posts_1.html": page, "messages/inbox/a/message_1.html": page}
    )
    assert [(type(one), one.locator) for one in found] == [
        (ImportProblem, "posts/your_posts_1.html"),
        (Skipped, "messages/inbox/a/message_1.html"),
    ]
    assert found[0].reason.endswith("request it again and choose the format JSON")  # type: ignore[union-attr]


# --- Instagram -----------------------------------------------------------------------------------

OWNER = {
    "profile_user": [
        {"string_map_data": {"Username": {"value": "robin.w"}, "Name": {"value": broken("Robin Wrén")},
                             "Gender": {"value": "male"}}}
    ]
}  # fmt: skip


@pytest.mark.parametrize(
    ("chat", "profile"),
    [
        ("messages/inbox/zoe_12/message_1.json", "personal_information/personal_information.json"),
        ("your_instagram_activity/messages/inbox/zoe_12/message_1.json",
         "personal_information/personal_information.json"),
        ("your_instagram_activity/messages/inbox/zoe_12/message_1.json",
         "personal_information/personal_information/personal_information.json"),
        ("life/instagram-robin/messages/inbox/zoe_12/message_1.json",
         "life/instagram-robin/personal_information/personal_information.json"),
    ],
)  # fmt: skip
def test_messages_of_each_layout_are_read(
    read: Read, member_of: MakeMember, chat: str, profile: str
) -> None:
    mine = said("Ça va", sender_name=broken("Robin Wrén"), timestamp_ms=1579294200000)
    files = {chat: thread(mine, said("café")), profile: OWNER}
    first, second = items(read(INSTAGRAM_EXPORT, files))
    assert (first.text, first.mine, first.author) == ("Ça va", True, "Robin Wrén")
    assert (second.text, second.mine, second.author) == ("café", False, "Zoë")
    assert second.thread == "instagram:inbox/zoe_12"
    members = [member_of(path, json.dumps(value).encode()) for path, value in files.items()]
    assert FACEBOOK_EXPORT.claim(members) is None


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("content/posts_1.json",
         [{"media": [{"uri": "a.jpg", "creation_timestamp": 1579294140, "title": broken("Déjà vu")}]}]),
        ("your_instagram_activity/content/posts_1.json",
         [{"media": [{"uri": "a.jpg", "creation_timestamp": 1579294140, "title": ""}] * 2,
           "title": broken("Déjà vu"), "creation_timestamp": 1579294140}]),
        ("your_instagram_activity/media/stories.json",
         {"ig_stories": [{"uri": "a.mp4", "creation_timestamp": 1579294140, "title": broken("Déjà vu")}]}),
        ("your_instagram_activity/media/reels.json",
         {"ig_reels_media": [{"media": [{"creation_timestamp": 1579294140, "title": broken("Déjà vu")}]}]}),
        ("media.json",
         {"photos": [{"caption": broken("Déjà vu"), "taken_at": "2020-01-17T20:49:00+00:00"}]}),
    ],
)  # fmt: skip
def test_posts_on_instagram_of_each_layout_are_mine(read: Read, path: str, content: Any) -> None:
    files = {path: content, "personal_information/personal_information.json": OWNER}
    (item,) = items(read(INSTAGRAM_EXPORT, files))
    assert (item.text, item.mine, item.medium, item.author) == (
        "Déjà vu",
        True,
        "post",
        "Robin Wrén",
    )
    assert item.moment.iso() == "2020-01-17T20:49:00+00:00"
    assert item.locator == f"{path}#0"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("comments/comments.json", {"media_comments": [["2020-01-17T20:49:00+00:00", "Oh là là", "zoe"]]}),
        ("comments/post_comments.json",
         {"comments_media_comments": [
             {"title": "zoe", "media_list_data": [],
              "string_list_data": [{"value": broken("Oh là là"), "timestamp": 1579294140}]}]}),
        ("your_instagram_activity/comments/post_comments_1.json",
         [{"media_list_data": [{"uri": ""}],
           "string_map_data": {"Comment": {"value": broken("Oh là là")}, "Media Owner": {"value": "zoe"},
                               "Time": {"timestamp": 1579294140}}}]),
        ("your_instagram_activity/comments/reels_comments.json",
         {"comments_reels_comments": [
             {"string_map_data": {"Kommentar": {"value": broken("Oh là là")},
                                  "Eigentümer der Medien": {"value": "zoe"},
                                  "Zeit": {"timestamp": 1579294140}}}]}),
    ],
)  # fmt: skip
def test_comments_on_instagram_say_on_whose_post(read: Read, path: str, content: Any) -> None:
    (item,) = items(read(INSTAGRAM_EXPORT, {path: content}))
    assert (item.text, item.recipients, item.mine) == ("Oh là là", ("zoe",), True)
    assert item.moment.iso() == "2020-01-17T20:49:00+00:00"


def test_instagrams_pages_are_named(read: Read) -> None:
    (found,) = read(
        INSTAGRAM_EXPORT, {"instagram-robin/messages/inbox/a/message_1.html": b"<html>"}
    )
    assert isinstance(found, ImportProblem)
    assert found.reason.startswith("is Instagram's export for reading (HTML)")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("notes.json", '{"messages": [{"text": "x"}]}'),
        ("comments.json", '{"comments": ["x"]}'),
        ("posts/your_posts_1.txt", json.dumps([POST])),
        ("profile_information/profile_information.json", json.dumps(PROFILE)),
        ("index.html", "<html>facebook</html>"),
        ("message_1.json", ""),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    for importer in BOTH:
        assert importer.claim([member_of(path, text.encode())]) is None


NAMES = (
    "messages/inbox/a/message_1.json", "profile_information/profile_information.json", "media.json",
    "posts/your_posts_1.json", "instagram/posts_1.json", "comments/post_comments_1.json", "comments.json",
    "personal_information/personal_information.json",
)  # fmt: skip
KEYS = st.sampled_from(
    ["messages", "participants", "name", "title", "sender_name", "timestamp_ms", "timestamp", "content",
     "share", "share_text", "data", "post", "comment", "author", "attachments", "media", "description",
     "creation_timestamp", "string_map_data", "string_list_data", "value", "Comment", "profile_v2",
     "full_name", "taken_at", "caption", "media_comments", "profile_user", "thread_path"]
)  # fmt: skip
ODD = st.sampled_from(
    [None, 1579294140, 1579294140123, 10**300, 10**400, -1e300, "\ud800\x00", "Ã©", "x", True]
)
VALUES = st.recursive(
    ODD | st.text(max_size=4) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)


@settings(max_examples=200)
@given(VALUES, st.sampled_from(NAMES), st.integers(0, 30))
def test_any_json_gives_items_or_problems(
    member_of: MakeMember, value: Any, name: str, cut: int
) -> None:
    for whole in (
        value,
        [value],
        thread(value),
        {"comments_v2": [value]},
        {"profile_user": [value]},
    ):
        text = json.dumps(whole)
        members = [member_of(name, (text[:-cut] if cut else text).encode())]
        for importer in BOTH:
            importer.claim(members)
            for one in importer.read(members, Reading()):
                assert isinstance(one, Item | ImportProblem | Skipped)
                if isinstance(one, Item):
                    assert one.text or one.context
                    (
                        one.text + one.context + one.author + one.title + one.key + one.thread
                    ).encode()
