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
        ("data/follower.js", script("follower", [])),
        ("data/tweet-headers.js", script("tweet_headers", [])),
        ("data/deleted-tweets.js", script("deleted_tweets", [{"tweet": post()}])),
        ("tweets.txt", tweets(post())),
        ("tweets.json", '[{"id": 1}]'),
        ("tweets.js", "alert(1)"),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert X.claim([member_of(path, text.encode())]) is None


ME = 'window.YTD.account.part0 = [ {"account": {"username": "robin", "accountId": "11"}} ]'


def message(**changes: Any) -> dict[str, Any]:
    """Return a direct message as archives hold it."""
    return {
        "messageCreate": {
            "recipientId": "22", "reactions": [], "urls": [], "mediaUrls": [], "senderId": "11",
            "text": "Tea &amp; cake?", "id": "900", "createdAt": "2019-09-04T13:51:55.123Z", **changes,
        }
    }  # fmt: skip


def conversation(*entries: dict[str, Any], number: str = "11-22") -> dict[str, Any]:
    return {"dmConversation": {"conversationId": number, "messages": list(entries)}}


def test_a_direct_message_says_all_that_is_known_and_mine_is_what_my_number_sent(
    read: Read,
) -> None:
    mention = {"user_mentions": [{"screen_name": "kim", "id_str": "22"}]}
    files = {
        "data/account.js": ME,
        "data/tweets.js": tweets(post(full_text="@kim hello", entities=mention)),
        "data/direct-messages.js": script(
            "direct_messages",
            [
                conversation(
                    message(), message(senderId="22", recipientId="11", text="Yes", id="901")
                )
            ],
        ),
    }
    _, sent, answer = read(files)
    assert isinstance(sent, Item)
    assert sent == Item(
        key="x:dm:900",
        medium="chat",
        moment=sent.moment,
        text="Tea & cake?",
        mine=True,
        locator="data/direct-messages.js#0/0",
        author="@robin",
        recipients=("@kim",),
        thread="x:dm:11-22",
    )
    assert sent.moment.iso() == "2019-09-04T13:51:55+00:00"
    assert isinstance(answer, Item)
    assert (answer.author, answer.mine, answer.text) == ("@kim", False, "Yes")
    assert answer.recipients == ("@robin",)


@pytest.mark.parametrize("name", ["direct-message", "direct-messages"])
def test_a_talk_of_several_keeps_its_name_and_counts_what_the_program_wrote(
    read: Read, name: str
) -> None:
    talk = conversation(
        {"conversationNameUpdate": {"name": "Garden", "initiatingUserId": "22"}},
        {"joinConversation": {"initiatingUserId": "22"}},
        {"messageCreate": {"senderId": "33", "id": "902", "text": "Hi", "createdAt": "x"}},
        message(text="", mediaUrls=["https://x"], id="903"),
        number="77",
    )
    files = {
        "account.js": ME,
        f"{name}-group.js": script(f"{name}-group".replace("-", "_"), [talk]),
    }
    item, wordless, program = read(files)
    assert isinstance(item, Item)
    assert (item.title, item.thread, item.author) == ("Garden", "x:dm:77", "33")
    assert (item.mine, item.moment.iso()) == (False, None)
    assert [one.reason for one in (wordless, program) if isinstance(one, Skipped)] == [
        "1 picture or file without words",
        "2 notes on who joined, left or named it",
    ]


def test_without_an_account_file_only_the_number_or_name_the_user_gave_is_mine(read: Read) -> None:
    files = {"direct-messages.js": script("direct_messages", [conversation(message())])}
    assert not only(read(files)).mine
    assert only(read(files, "11")).mine


def test_addresses_in_messages_are_written_out_and_broken_ones_named(read: Read) -> None:
    link = {"url": "https://t.co/a", "expanded": "https://example.org/tea", "display": "example"}
    talk = conversation(message(text="See https://t.co/a", urls=[link]))
    files = {"direct-messages.js": script("direct_messages", [talk, {"odd": 1}, conversation({})])}
    item, *problems = read(files)
    assert isinstance(item, Item)
    assert item.text == "See https://example.org/tea"
    assert [(one.locator, one.reason) for one in problems if isinstance(one, ImportProblem)] == [
        ("direct-messages.js#1", "is no conversation"),
        ("direct-messages.js#2/0", "is no message"),
    ]


def test_what_was_liked_is_anothers_and_has_no_invented_time(read: Read) -> None:
    like = {"tweetId": "5", "fullText": "Rain &gt; sun", "expandedUrl": "https://x"}
    files = {"data/like.js": script("like", [{"like": like}, {"like": {"tweetId": "6"}}, {}])}
    item, problem, skipped = read(files)
    assert isinstance(item, Item)
    assert (item.key, item.text, item.context) == ("x:like:5", "", "Rain > sun")
    assert (item.mine, item.author, item.moment.iso()) == (False, "", None)
    assert item.labels == ("liked",)
    assert isinstance(problem, ImportProblem)
    assert isinstance(skipped, Skipped)


def test_lists_about_messages_hold_no_words_and_are_not_claimed(member_of: MakeMember) -> None:
    data = script("direct_message_headers", [{"dmConversation": {"messages": []}}])
    assert X.claim([member_of("data/direct-message-headers.js", data.encode())]) is None


def test_messages_that_break_off_keep_what_came_before(read: Read) -> None:
    whole = script("direct_messages", [conversation(message(), message(id="901", text="Late"))])
    item, problem = read({"account.js": ME, "direct-messages.js": whole[: whole.index("Late")]})
    assert isinstance(item, Item)
    assert item.mine
    assert isinstance(problem, ImportProblem)
    assert problem.locator == "direct-messages.js#0/0"
    assert "breaks off" in problem.reason
