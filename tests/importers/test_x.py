"""Posts of X archives, in all the forms the archive has had."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.x import X
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]

ACCOUNT = (
    'window.YTD.account.part0 = [ {"account": {"username": "robin", "accountDisplayName": "R"}} ]'
)


def post(**changes: Any) -> dict[str, Any]:
    """Return a post as today's archives hold it."""
    return {
        "id_str": "1169246717864136705",
        "created_at": "Wed Sep 04 13:51:55 +0000 2019",
        "full_text": "Hello &amp; welcome",
        "entities": {"hashtags": [], "urls": [], "user_mentions": []},
        **changes,
    }


def script(name: str, values: list[Any]) -> str:
    return f"window.YTD.{name}.part0 = {json.dumps(values)}"


def tweets(*posts: dict[str, Any]) -> str:
    return script("tweets", [{"tweet": one} for one in posts])


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads files given as path and text."""

    def read_files(files: dict[str, str], *me: str) -> list[Found]:
        members = [member_of(path, text.encode()) for path, text in sorted(files.items())]
        claim = X.claim(members)
        assert claim is not None
        assert claim.confidence > 0.9
        chosen = [member for member in members if member.path in claim.paths]
        return list(X.read(chosen, Reading(frozenset(me))))

    return read_files


def only(found: list[Found]) -> Item:
    (item,) = found
    assert isinstance(item, Item)
    return item


def test_a_post_says_all_that_is_known(read: Read) -> None:
    files = {"data/account.js": ACCOUNT, "data/tweets.js": tweets(post())}
    item = only(read(files))
    assert item.moment.iso() == "2019-09-04T13:51:55+00:00"
    assert item == Item(
        key="1169246717864136705",
        medium="post",
        moment=item.moment,
        text="Hello & welcome",
        mine=True,
        locator="data/tweets.js#0",
        author="@robin",
    )


GRAILBIRD = (
    'Grailbird.data.tweets_2013_05 = \n [ {"id_str": "7", "created_at": "%s", "text": "Old"} ]'
)


@pytest.mark.parametrize(
    ("path", "text", "when"),
    [
        ("tweets-part1.js", tweets(post()).replace("t0", "t1"), "2019-09-04T13:51:55+00:00"),
        ("tweet.js", script("tweet", [post()]), "2019-09-04T13:51:55+00:00"),
        (
            "data/tweets.js",
            tweets(post(created_at="2019-09-04T13:51:55.000Z")),
            "2019-09-04T13:51:55+00:00",
        ),
        (
            "data/js/tweets/2013_05.js",
            GRAILBIRD % "2013-05-28 23:15:16 +0000",
            "2013-05-28T23:15:16+00:00",
        ),
        # These archives fill up with zeros where they know no more than the day.
        ("data/js/tweets/2013_05.js", GRAILBIRD % "2009-05-28 00:00:00 +0000", "2009-05-28"),
        ("data/community-tweet.js", script("community_tweet", [{"tweet": post()}]),
         "2019-09-04T13:51:55+00:00"),
        ("data/tweets.js", tweets(post(created_at="soon")), None),
    ],
)  # fmt: skip
def test_all_forms_of_the_archive_are_read(
    read: Read, path: str, text: str, when: str | None
) -> None:
    assert only(read({path: text})).moment.iso() == when


def test_the_oldest_archives_say_whose_they_are_in_another_place(read: Read) -> None:
    files = {
        "data/js/user_details.js": 'var user_details =  {"screen_name": "robin", "id": "1"}',
        "data/js/tweets/2013_05.js": GRAILBIRD % "2013-05-28 23:15:16 +0000",
    }
    assert only(read(files)).author == "@robin"


def test_a_repost_is_another_persons(read: Read) -> None:
    text = tweets(
        post(full_text="RT @drvox: My new post: an explainer on “carbon capture &amp; u…")
    )
    item = only(read({"account.js": ACCOUNT, "tweets.js": text}))
    assert (item.mine, item.author, item.medium) == (False, "@drvox", "post")
    assert item.text == "My new post: an explainer on “carbon capture & u…"


def test_a_repost_that_carries_the_original_is_not_cut(read: Read) -> None:
    original = post(full_text="The whole of it", user={"screen_name": "drvox"})
    text = tweets(post(full_text="RT @drvox: The who…", retweeted_status=original))
    item = only(read({"tweets.js": text}))
    assert (item.mine, item.author, item.text) == (False, "@drvox", "The whole of it")


def test_words_before_a_quoted_repost_are_mine_and_the_rest_is_context(read: Read) -> None:
    item = only(read({"tweets.js": tweets(post(full_text="So true! RT @bob: Rain again"))}))
    assert (item.mine, item.text, item.context) == (True, "So true!", "RT @bob: Rain again")


def test_shortened_addresses_are_written_out(read: Read) -> None:
    entities = {
        "urls": [{"url": "https://t.co/a", "expanded_url": "https://example.org/x?a=1&b=2"}],
        "media": [{"url": "https://t.co/ab", "expanded_url": "https://x.com/p/photo/1"}],
        "hashtags": [{"text": "rain"}],
    }
    text = tweets(post(full_text="See https://t.co/a and https://t.co/ab #rain", entities=entities))
    item = only(read({"tweets.js": text}))
    assert item.text == "See https://example.org/x?a=1&b=2 and https://x.com/p/photo/1 #rain"
    assert item.labels == ("rain",)


def test_a_reply_keeps_whom_it_answers(read: Read) -> None:
    text = tweets(
        post(
            full_text="@Ann @bob quite so",
            in_reply_to_screen_name="ann",
            in_reply_to_status_id_str="12",
        )
    )
    item = only(read({"tweets.js": text}))
    assert (item.recipients, item.thread) == (("@ann", "@bob"), "12")
    assert item.text == "@Ann @bob quite so"


def note(text: str, created: str = "2023-05-01T10:00:01.000Z") -> dict[str, Any]:
    core = {"text": text, "hashtags": ["rain"], "urls": []}
    return {"noteTweet": {"noteTweetId": "99", "createdAt": created, "core": core}}


LONG = "It rained & rained. " * 30
CUT = LONG[:270].replace("&", "&amp;") + "… https://t.co/xyz"


def test_a_long_post_has_its_full_text_once(read: Read) -> None:
    files = {
        "data/note-tweet.js": script("note_tweet", [note(LONG)]),
        "data/tweets.js": tweets(post(full_text=CUT, created_at="Mon May 01 10:00:00 +0000 2023")),
    }
    item = only(read(files))
    assert (item.key, item.text, item.labels) == ("1169246717864136705", LONG.strip(), ("rain",))


def test_a_long_reply_is_found_though_only_one_of_both_names_whom_it_answers(read: Read) -> None:
    files = {
        "note-tweet.js": script("note_tweet", [note(LONG)]),
        "tweets.js": tweets(post(full_text=f"@ann {CUT}", created_at="2023-05-01T10:00:00Z")),
    }
    assert only(read(files)).text == LONG.strip()


def test_a_full_text_without_its_post_is_an_item_of_its_own(read: Read) -> None:
    files = {
        "account.js": ACCOUNT,
        "note-tweet.js": script("note_tweet", [note(LONG, "2020-01-01T00:00:00.000Z")]),
        "tweets.js": tweets(post(full_text=CUT)),
    }
    cut, whole = read(files)
    assert isinstance(cut, Item)
    assert isinstance(whole, Item)
    assert cut.text.endswith("… https://t.co/xyz")
    assert (whole.key, whole.text, whole.author) == ("99", LONG.strip(), "@robin")
    assert whole.locator == "note-tweet.js#0"


def test_one_bad_post_never_stops_the_rest(read: Read) -> None:
    text = script(
        "tweets", [{"tweet": post()}, {"tweet": 5}, "x", {"tweet": {}}, {"tweet": post()}]
    )
    found = read({"tweets.js": text})
    assert [type(one).__name__ for one in found] == [
        "Item", "ImportProblem", "ImportProblem", "ImportProblem", "Item",
    ]  # fmt: skip
    assert found[1] == ImportProblem("tweets.js#1", "is no post, or one without text")


def test_a_file_that_breaks_off_keeps_what_came_before(read: Read) -> None:
    text = tweets(post(), post(id_str="2"))
    first, problem = read({"tweets.js": text[: text.index('"id_str": "2"')]})
    assert isinstance(first, Item)
    assert isinstance(problem, ImportProblem)
    assert (problem.locator, "breaks off" in problem.reason) == ("tweets.js#1", True)


def test_an_empty_archive_is_skipped(read: Read) -> None:
    assert read({"tweets.js": tweets()}) == [Skipped("tweets.js", "no posts in it")]


def test_a_list_from_the_interface_is_mine_only_where_the_names_agree(read: Read) -> None:
    own, other = (post(user={"screen_name": name}) for name in ("robin", "ann"))
    text = json.dumps([own, other])
    for files, me in (
        ({"tweets.json": text}, ["robin"]),
        ({"tweets.json": text, "account.js": ACCOUNT}, []),
    ):
        found = read(files, *me)
        assert [(one.author, one.mine) for one in found if isinstance(one, Item)] == [
            ("@robin", True),
            ("@ann", False),
        ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("account.js", ACCOUNT),
        ("data/like.js", script("like", [])),
        ("data/tweet-headers.js", script("tweet_headers", [])),
        ("data/deleted-tweets.js", script("deleted_tweets", [{"tweet": post()}])),
        ("tweets.txt", tweets(post())),
        ("tweets.json", '[{"id": 1}]'),
        ("tweets.js", "alert(1)"),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert X.claim([member_of(path, text.encode())]) is None
