"""Posts, comments and messages of a Reddit export."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.reddit import REDDIT
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]

POSTS = ("id", "permalink", "date", "ip", "subreddit", "gildings", "title", "url", "body")
COMMENTS = (
    "id", "permalink", "date", "ip", "subreddit", "gildings", "link", "parent", "body", "media"
)  # fmt: skip
MESSAGES = ("id", "permalink", "thread_id", "date", "ip", "from", "to", "subject", "body")
CHATS = (
    "message_id", "created_at", "updated_at", "username", "message", "thread_parent_message_id",
    "channel_url", "subreddit", "channel_name", "conversation_type",
)  # fmt: skip


def table(columns: Sequence[str], *rows: dict[str, str]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def read(member_of: MakeMember, files: dict[str, bytes], *me: str) -> list[Found]:
    members = [member_of(path, data) for path, data in files.items()]
    claim = REDDIT.claim(members)
    assert claim is not None
    assert claim.paths == set(files)
    return list(REDDIT.read(members, Reading(frozenset(me))))


def test_a_post_says_all_that_is_known(member_of: MakeMember) -> None:
    row = {
        "id": "abc", "permalink": "https://www.reddit.com/r/tea/comments/abc/x/",
        "date": "2021-03-04 05:06:07 UTC", "ip": "10.0.0.1", "subreddit": "tea",
        "title": "A pot", "url": "/r/tea/comments/abc/x/", "body": "It leaks,\nbadly.",
    }  # fmt: skip
    row["url"] = row["permalink"]
    files = {
        "posts.csv": table(POSTS, row),
        "statistics.csv": b"statistic,value\naccount name,robin\n",
    }
    account, item = read(member_of, files)
    assert account == Skipped("statistics.csv", "only says whose data it is")
    assert isinstance(item, Item)
    assert item.moment.iso() == "2021-03-04T05:06:07+00:00"
    assert item == Item(
        key="reddit:t3_abc",
        medium="post",
        moment=item.moment,
        text="It leaks,\nbadly.",
        mine=True,
        locator="posts.csv#1",
        author="u/robin",
        title="A pot",
        labels=("r/tea",),
    )


def test_a_post_of_a_link_is_its_title_and_the_link(member_of: MakeMember) -> None:
    row = {"id": "a", "permalink": "https://www.reddit.com/x", "subreddit": "tea",
           "title": "Look", "url": "https://b.org/pot"}  # fmt: skip
    (item,) = read(member_of, {"posts.csv": table(POSTS, row)})
    assert isinstance(item, Item)
    assert (item.text, item.title) == ("Look\n\nhttps://b.org/pot", "Look")
    assert item.moment.iso() is None


def test_a_comment_keeps_its_thread_and_what_it_quotes_is_anothers(member_of: MakeMember) -> None:
    row = {
        "id": "c1", "permalink": "p", "date": "2021-03-04 05:06:07 UTC", "subreddit": "tea",
        "link": "https://www.reddit.com/r/tea/comments/abc/x/", "parent": "c0",
        "body": "> Tea is dull\n\nNever.\n&gt; Always\n>!secret!<",
    }  # fmt: skip
    (item,) = read(member_of, {"comments.csv": table(COMMENTS, row)})
    assert isinstance(item, Item)
    assert (item.key, item.text) == ("reddit:t1_c1", "Never.\n>!secret!<")
    assert (item.context, item.thread) == ("Tea is dull\nAlways", row["link"])


def test_what_was_deleted_or_removed_is_skipped_with_its_reason(member_of: MakeMember) -> None:
    files = {
        "comments.csv": table(
            COMMENTS, {"id": "1", "body": "[deleted]"}, {"id": "2", "body": "[removed]"},
            {"id": "3", "body": "> only a quotation"},
        ),
        "posts.csv": table(POSTS, {"id": "4", "title": "x", "body": "[deleted]"}),
    }  # fmt: skip
    assert read(member_of, files) == [
        Skipped("comments.csv#1", "was deleted by its author"),
        Skipped("comments.csv#2", "was removed by a moderator"),
        Skipped("comments.csv#3", "a comment without words of its own"),
        Skipped("posts.csv#1", "was deleted by its author"),
    ]


@pytest.mark.parametrize(
    ("account", "me", "mine"),
    [("Robin", "", True), ("", "robin", True), ("", "u/robin", True), ("ann", "", False),
     ("", "", False)],
)  # fmt: skip
def test_messages_are_mine_by_who_sent_them(
    member_of: MakeMember, account: str, me: str, mine: bool
) -> None:
    files = {
        "messages.csv": table(
            MESSAGES,
            {"id": "m", "thread_id": "t", "from": "robin", "to": "ann", "subject": "Hi", "body": "Yo"},
        ),
        "statistics.csv": f"statistic,value\naccount name,{account}\n".encode(),
        "chat_history.csv": table(
            CHATS,
            {"message_id": "9", "created_at": "2022-01-02 03:04:05 UTC", "username": "robin",
             "message": "Hello", "channel_url": "room"},
        ),
    }  # fmt: skip
    _, message, chat = read(member_of, files, *((me,) if me else ()))
    assert isinstance(message, Item)
    assert isinstance(chat, Item)
    assert (message.mine, chat.mine) == (mine, mine)
    assert (message.author, message.recipients, message.title) == ("u/robin", ("u/ann",), "Hi")
    assert (chat.thread, chat.text, chat.key) == ("room", "Hello", "reddit:9")
    assert chat.moment.iso() == "2022-01-02T03:04:05+00:00"


def test_other_lists_are_not_claimed(member_of: MakeMember) -> None:
    members = [
        member_of("comment_votes.csv", b"id,permalink,direction\n1,2,up\n"),
        member_of("statistics.csv", b"statistic,value\n"),
        member_of("posts.txt", table(POSTS)),
    ]
    assert REDDIT.claim(members) is None


def test_an_empty_list_is_skipped_and_a_broken_one_named(member_of: MakeMember) -> None:
    assert read(member_of, {"posts.csv": table(POSTS)}) == [Skipped("posts.csv", "no rows in it")]
    broken = table(POSTS, {"title": "x"}) + b'"' + b"y" * 5_000_000
    first, problem = read(member_of, {"posts.csv": broken})
    assert isinstance(first, Item)
    assert isinstance(problem, ImportProblem)
    assert problem.locator == "posts.csv#2"


@given(
    st.sampled_from([POSTS, COMMENTS, MESSAGES, CHATS, ("statistic", "value")]),
    st.lists(st.lists(st.text(max_size=9), max_size=10), max_size=4),
)
def test_any_rows_are_read(
    member_of: MakeMember, columns: Sequence[str], rows: list[list[str]]
) -> None:
    text = "\n".join(",".join(row) for row in (columns, *rows))
    member = member_of("posts.csv", text.encode("utf-8", "surrogatepass"))
    for one in REDDIT.read([member], Reading()):
        assert isinstance(one, Item | ImportProblem | Skipped)
        if isinstance(one, Item):
            assert one.key
            (one.text + one.key + one.author).encode()
