"""No importer of exports falls, hangs or swallows memory, whatever the bytes."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.bluesky import BLUESKY
from clone_app.importers.browser import BROWSER
from clone_app.importers.feed import FEED
from clone_app.importers.ics import ICS
from clone_app.importers.linkedin import LINKEDIN
from clone_app.importers.medium import MEDIUM
from clone_app.importers.msg import MSG
from clone_app.importers.photos import PHOTOS
from clone_app.importers.pst import PST
from clone_app.importers.reddit import REDDIT
from clone_app.importers.takeout import TAKEOUT
from clone_app.importers.todoist import TODOIST
from clone_app.importers.tumblr import TUMBLR
from clone_app.importers.wordpress import WORDPRESS
from clone_app.protocols import Importer, Member, Reading

MakeMember = Callable[[str, bytes], Member]
OURS: tuple[Importer, ...] = (
    BLUESKY, ICS, TAKEOUT, BROWSER, REDDIT, LINKEDIN, WORDPRESS, FEED, MEDIUM, MSG, PST, PHOTOS,
    TODOIST, TUMBLR,
)  # fmt: skip
NAMES = (
    "repo.car", "a.ics", "MyActivity.html", "MyActivity.json", "BrowserHistory.json", "History",
    "posts.csv", "Shares.csv", "blog.xml", "posts/a-0123456789ab.html", "a.msg", "a.pst",
    "posts/html/1.html",
)  # fmt: skip


def check(members: list[Member]) -> int:
    """Read the members with every importer, claimed or not, and look at what comes."""
    count = 0
    for importer in OURS:
        claim = importer.claim(members)
        assert claim is None or claim.paths <= {member.path for member in members}
        for found in importer.read(members, Reading()):
            count += 1
            assert isinstance(found, Item | ImportProblem | Skipped)
            assert found.locator.split("#")[0] in {member.path for member in members}
            if isinstance(found, Item):
                for text in (found.key, found.text, found.title, found.author, found.context):
                    text.encode("utf-8")
                    assert "\x00" not in text
                assert found.key
                assert found.medium
    return count


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.binary() | st.text()), max_size=3))
def test_any_bytes_under_any_name_are_named(
    member_of: MakeMember, files: list[tuple[str, bytes | str]]
) -> None:
    check(
        [
            member_of(path, data if isinstance(data, bytes) else data.encode("utf-8", "ignore"))
            for path, data in dict(files).items()
        ]
    )


RSS = b'<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>'
CELL = b'<div class="outer-cell"><div class="mdl-typography--body-1">'
PAGE = b"<html><head><title>My Activity</title><style>x</style></head>"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("repo.car", b"\x80" * 2_000_000),
        ("repo.car", b"\x01\xa0" * 1_000_000),
        ("a.ics", b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\n" * 200_000),
        ("a.ics", b"BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + b"ATTENDEE:a\n" * 80_000 + b"END:VEVENT\n"),
        (
            "a.ics",
            b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:" + b"\\," * 400_000 + b"\nEND:VEVENT\n",
        ),
        (
            "a.ics",
            b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDESCRIPTION:" + b"<b " * 300_000 + b"\nEND:VEVENT",
        ),
        ("a.ics", b"BEGIN:VCALENDAR\n" + b"x" * 5_000_000),
        ("posts.csv", b"id,permalink,subreddit,title,body\n" + b'"' * 3_000_000),
        ("posts.csv", b"," * 3_000_000),
        ("comments.csv", b'permalink,subreddit,parent,body\n,,,"' + b">\n" * 1_000_000 + b'"'),
        ("Shares.csv", b'Date,ShareCommentary\n,"' + b"<p " * 900_000 + b'"'),
        ("blog.xml", RSS + b"<item>" * 300_000),
        ("blog.xml", RSS + b"<item><content:encoded>" + b"[caption " * 400_000),
        ("blog.xml", RSS + b"<item><title>" + b"&lt;b&gt;" * 300_000 + b"</title></item>"),
        ("feed.xml", b"<rss>" + b"<item><content>" + b"<p>" * 300_000),
        ("feed.xml", b"<rss>" + b"<item><title>a</title></item>" * 10_000),
        ("MyActivity.html", PAGE + CELL * 30_000),
        ("MyActivity.html", PAGE + CELL + b"<b>" * 300_000),
        ("MyActivity.json", b'[{"header":' + b"[" * 500_000),
        ("posts/a-0123456789ab.html", b'<h1 class="p-name">' + b"<div>" * 300_000),
        ("History", b"SQLite format 3\x00" + b"\x10\x00\x02\x02" + b"\xff" * 2_000_000),
        ("a.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 2_000_000),
        ("a.pst", b"!BDN" + b"\x0e\x00" * 1_000_000),
    ],
    ids=lambda value: value[:20].decode("latin-1") if isinstance(value, bytes) else value,
)
def test_input_made_to_hurt_costs_little_time(
    member_of: MakeMember, name: str, data: bytes
) -> None:
    began = time.process_time()
    check([member_of(name, data)])
    assert time.process_time() - began < 10
