"""No importer falls, hangs or swallows memory, whatever the bytes; it yields problems at most."""

from __future__ import annotations

import json
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.clonemem import CLONEMEM
from clone_app.importers.diary import DIARY
from clone_app.importers.mastodon import MASTODON
from clone_app.importers.x import X
from clone_app.protocols import Importer, Reading

from .conftest import MemoryMember

OURS: tuple[Importer, ...] = (DIARY, X, MASTODON, CLONEMEM)
NAMES = (
    "2024-03-02.md", "life.txt", "03-04-2024.md", "tweets.js", "note-tweet.js", "account.js",
    "user_details.js", "2013_05.js", "tweets.json", "outbox.json", "actor.json", "life.json", "x",
)  # fmt: skip


def check(members: list[MemoryMember]) -> None:
    """Read the members with every importer, claimed or not, and look at what comes."""
    for importer in OURS:
        claim = importer.claim(members)
        assert claim is None or claim.paths <= {member.path for member in members}
        for found in importer.read(members, Reading()):
            assert isinstance(found, Item | ImportProblem | Skipped)
            assert found.locator.split("#")[0] in {member.path for member in members}
            if isinstance(found, Item):
                for text in (found.key, found.text, found.title, found.author, found.context):
                    text.encode("utf-8")
                    assert "\x00" not in text
                assert found.key
                assert found.medium


LINES = st.sampled_from(
    [
        "## 2024-03-02", "# 08:10", "2024-03-02", "====", "---", "```", "~~~", "# 2024", "## March",
        "## 03/04/2024", "date: 2024-03-02", "text", "", "# ", "#", "[[a|b]]", "\x00", "\ud800", "\ufeff",
        "[2024-03-02 08:10] Ann: Hi", "From a@b Sat Mar 2", "tags: [a", "## 2024-02-31", "> x",
    ]
)  # fmt: skip


@given(st.lists(LINES | st.text(max_size=30), max_size=25), st.sampled_from(NAMES[:3]))
def test_any_lines_are_read_and_no_word_is_lost(rows: list[str], name: str) -> None:
    text = "\n".join(rows)
    check([MemoryMember(name, text.encode("utf-8", "surrogatepass"))])


@given(st.lists(st.text("abc dé ", min_size=1).filter(str.strip), min_size=1, max_size=8))
def test_every_paragraph_below_a_date_is_in_its_entry(paragraphs: list[str]) -> None:
    text = "".join(
        f"## 2024-03-{day:02d}\n\n{words}\n\n" for day, words in enumerate(paragraphs, 1)
    )
    found = list(DIARY.read([MemoryMember("life.md", text.encode())], Reading()))
    assert [one.text for one in found if isinstance(one, Item)] == [
        words.strip() for words in paragraphs
    ]


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.binary()), max_size=3))
def test_any_bytes_under_any_name_are_read(files: list[tuple[str, bytes]]) -> None:
    check([MemoryMember(path, data) for path, data in dict(files).items()])


KEYS = st.sampled_from(
    [
        "tweet", "id_str", "id", "created_at", "full_text", "text", "entities", "urls", "hashtags",
        "media", "url", "expanded_url", "user", "screen_name", "retweeted_status", "noteTweet", "core",
        "account", "username", "in_reply_to_screen_name", "in_reply_to_status_id_str", "type", "object",
        "orderedItems", "to", "cc", "tag", "name", "href", "content", "summary", "oneOf", "attachment",
        "dmConversation", "messages", "messageCreate", "senderId", "conversationId", "like", "tweetId",
        "fullText", "published", "actor", "attributedTo", "context", "person_name", "medium", "event_date",
    ]
)  # fmt: skip
WORDS = st.sampled_from(
    ["Create", "Announce", "Note", "Question", "Mention", "Hashtag", "RT @a: b", "x RT @a: b",
     "Wed Sep 04 13:51:55 +0000 2019", "Wed Sep 99 13:51:55 +9900 2019", "2013-05-28 00:00:00 +0000",
     "2022-09-10T20:15:00Z", "0000-00-00", "https://[", "@a@b", "# x", "\ud800\x00", "a" * 300]
)  # fmt: skip
ODD = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=8)
VALUES = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=25,
)


@settings(max_examples=150)
@given(VALUES, st.sampled_from(NAMES[3:]))
def test_any_json_in_any_place_is_read(value: Any, name: str) -> None:
    text = json.dumps(value)
    for whole in (
        text,
        f"window.YTD.tweets.part0 = [{text}]",
        f"window.YTD.note_tweet.part0 = [{text}]",
        f"window.YTD.direct_messages.part0 = [{text}]",
        f'window.YTD.direct_messages.part0 = [{{"dmConversation": {{"messages": [{text}]}}}}]',
        f"window.YTD.like.part0 = [{text}]",
        f"Grailbird.data.tweets_2013_05 = [{text}]",
        f"var user_details = {text}",
        f'{{"type": "OrderedCollection", "orderedItems": [{text}]}}',
        f'{{"type": "Person", "preferredUsername": {text}, "id": {text}}}',
        f'{{"person_name": {text}, "context": [{text}]}}',
    ):
        check([MemoryMember(name, whole.encode())])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("2024-03-02.md", b"[" * 100_000),
        ("2024-03-02.md", b"[[" * 500_000),
        ("2024-03-02.md", b"# " + b" " * 2_000_000 + b"x"),
        ("2024-03-02.md", b"#" * 2_000_000),
        ("2024-03-02.md", b"---\n" * 300_000),
        ("2024-03-02.md", b"---\na: " + b"[" * 60_000 + b"\n---\n"),
        ("2024-03-02.md", b"---\n" + b"a: &a [x]\n" + b"b: [*a,*a]\n" * 300 + b"---\nx"),
        ("2024-03-02.md", b"```\n" * 200_000),
        ("2024-03-02.md", b"\n" * 2_000_000),
        ("life.md", b"## 2024-03-02\n" * 50_000),
        ("life.md", b"## 03/04/2024\n\nx\n\n" * 20_000),
        ("life.txt", b"2024-03-02 " * 300_000),
        ("life.txt", b"a: \n" * 1_000_000),
        ("life.txt", b"\xff" * 3_000_000),
        ("life.txt", b"\x00" * 3_000_000),
        ("life.txt", b"x" * 10_000_000),
        ("tweets.js", b"window.YTD.tweets.part0 = " + b"[" * 1_000_000),
        ("tweets.js", b"window.YTD.tweets.part0 = [" + b"1" * 5_000 + b"]"),
        ("tweets.js", b'window.YTD.tweets.part0 = [{"text": "' + b" " * 3_000_000 + b'x"}]'),
        ("tweets.js", b'window.YTD.tweets.part0 = [{"text": "' + b"@a " * 1_000_000 + b'"}]'),
        ("tweets.js", b'window.YTD.tweets.part0 = [{"text": "' + b"a RT " * 1_000_000 + b'"}]'),
        ("outbox.json", b'{"type":"OrderedCollection","orderedItems":' + b'{"a":' * 200_000),
        ("life.json", b'{"person_name":"x","context":[{"content":"' + b"#" * 3_000_000 + b'"}]}'),
        ("life.json", b'{"person_name":"x","context":[{"content":"' + b"# " * 2_000_000 + b'"}]}'),
    ],
    ids=lambda value: value[:20].decode("latin-1") if isinstance(value, bytes) else value,
)
def test_input_made_to_hurt_costs_little_time(name: str, data: bytes) -> None:
    began = time.process_time()
    check([MemoryMember(name, data)])
    assert time.process_time() - began < 10


def test_a_post_cannot_be_made_to_multiply(tmp_path: Path) -> None:
    links = [{"url": "http://t", "expanded_url": "http://" + "x" * 1_000_000}]
    post = {"id_str": "1", "full_text": "http://t" * 50_000, "entities": {"urls": links}}
    (tmp_path / "tweets.js").write_text(f"window.YTD.tweets.part0 = {json.dumps([post])}")
    with open_tree(tmp_path / "tweets.js") as tree:
        tracemalloc.start()
        (found,) = X.read(tree.members(), Reading())
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert isinstance(found, Item)
    assert peak < 60_000_000
