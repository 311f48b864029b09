"""Feeds of a blog in their two forms, and Blogger's export."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.feed import FEED
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]

RSS = (
    '<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Blog</title>'
    "<pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>{}</channel></rss>"
)
ATOM = '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>B</title>{}</feed>'


def read(member_of: MakeMember, text: str, *me: str, path: str = "feed.xml") -> list[Found]:
    members = [member_of(path, text.encode())]
    assert FEED.claim(members) is not None
    return list(FEED.read(members, Reading(frozenset(me))))


def test_an_rss_post_says_all_that_is_known(member_of: MakeMember) -> None:
    entry = (
        "<item><title>Rain &amp;amp; sea</title><guid>https://b.org/1</guid>"
        "<pubDate>Wed, 01 May 2019 23:30:00 -0400</pubDate><dc:creator>Robin</dc:creator>"
        "<description>It rai…</description><category>weather</category>"
        "<content:encoded><![CDATA[<p>It rained.</p><p>Still.</p>]]></content:encoded></item>"
    )
    (item,) = read(member_of, RSS.format(entry))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2019-05-01T23:30:00-04:00"
    assert item == Item(
        key="https://b.org/1",
        medium="post",
        moment=item.moment,
        text="It rained.\n\nStill.",
        mine=True,
        locator="feed.xml#1",
        author="Robin",
        title="Rain & sea",
        labels=("weather",),
    )


@pytest.mark.parametrize(
    "content",
    [
        '<content type="html">&lt;p&gt;It &amp;lt; rained.&lt;/p&gt;</content>',
        '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>It &lt; <b>rained</b>.'
        "</p></div></content>",
        '<content type="text">It &lt; rained.</content>',
    ],
)
def test_an_atom_post_is_read_in_all_its_forms(member_of: MakeMember, content: str) -> None:
    entry = (
        "<entry><id>urn:1</id><title>Rain</title><published>2019-05-01T23:30:00.000-04:00</published>"
        f"<updated>2020-01-01T00:00:00Z</updated>{content}<author><name>Robin</name></author>"
        '<category term="weather"/></entry>'
    )
    (item,) = read(member_of, ATOM.format(entry))
    assert isinstance(item, Item)
    assert (item.text, item.key, item.title) == ("It < rained.", "urn:1", "Rain")
    assert (item.author, item.labels, item.mine) == ("Robin", ("weather",), True)
    assert item.moment.iso() == "2019-05-01T23:30:00-04:00"


def test_of_several_authors_the_user_is_the_one_known(member_of: MakeMember) -> None:
    text = RSS.format(
        "<item><title>a</title><dc:creator>Robin</dc:creator></item>"
        "<item><title>b</title><dc:creator>Ann</dc:creator></item>"
    )
    for me, mine in (((), [False, False]), (("robin",), [True, False])):
        found = read(member_of, text, *me)
        assert [one.mine for one in found if isinstance(one, Item)] == mine
        assert [one.moment.iso() for one in found if isinstance(one, Item)] == [None, None]


def test_bloggers_comments_are_others_and_its_settings_no_posts(member_of: MakeMember) -> None:
    kind = '<category term="http://schemas.google.com/blogger/2008/kind#{}" scheme="x"/>'
    entries = (
        f"<entry><id>1</id>{kind.format('post')}<title>Rain</title><content>It rained.</content>"
        "<author><name>Robin</name></author><app:control><app:draft>yes</app:draft></app:control>"
        "</entry>"
        f"<entry><id>2</id>{kind.format('comment')}<title>Here t…</title><content>Here too.</content>"
        '<author><name>Ann</name></author><thr:in-reply-to ref="1"/></entry>'
        f"<entry><id>3</id>{kind.format('settings')}<content>x</content></entry>"
    )
    post, comment, settings = read(member_of, ATOM.format(entries))
    assert isinstance(post, Item)
    assert isinstance(comment, Item)
    assert (post.mine, post.labels) == (True, ("draft",))
    assert (comment.mine, comment.author, comment.thread) == (False, "Ann", "1")
    assert settings == Skipped("feed.xml#settings", "1 part of the blog that is no post")


@pytest.mark.parametrize("ending", ["", "</rss>"])
def test_a_broken_or_empty_feed_is_named(member_of: MakeMember, ending: str) -> None:
    whole = RSS.format("<item><title>a</title></item>")
    item, problem = read(member_of, whole.replace("</channel></rss>", "<item>" + ending))
    assert isinstance(item, Item)
    assert isinstance(problem, ImportProblem)
    assert read(member_of, RSS.format("")) == [Skipped("feed.xml", "no posts in it")]


def test_entities_are_never_followed(member_of: MakeMember) -> None:
    text = RSS.format("<item><title>&a;</title></item>").replace(
        "<rss", '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/hostname">]><rss', 1
    )
    (problem,) = read(member_of, text)
    assert isinstance(problem, ImportProblem)
    assert "shorthands" in problem.reason


def test_other_xml_is_not_claimed(member_of: MakeMember) -> None:
    wordpress = b'<rss xmlns:wp="http://wordpress.org/export/1.2/">'
    for path, data in (("a.xml", b"<opml/>"), ("a.xml", wordpress), ("a.html", b"<rss>")):
        assert FEED.claim([member_of(path, data)]) is None


TAGS = st.sampled_from(
    ["<item>", "</item>", "<title>", "</title>", "<content>", "</content>", "<p>", "</p>", "<b/>",
     "&lt;", "<author><name>x</name></author>", "<pubDate>soon</pubDate>", "<guid/>", "\x01"]
)  # fmt: skip


@given(st.lists(TAGS | st.text(max_size=5), max_size=10), st.sampled_from([RSS, ATOM]))
def test_any_parts_are_read(member_of: MakeMember, parts: list[str], form: str) -> None:
    text = form.replace("{}", "".join(parts)).replace(
        "item>", "entry>" if form is ATOM else "item>"
    )
    member = member_of("feed.xml", text.encode("utf-8", "surrogatepass"))
    for one in FEED.read([member], Reading()):
        assert isinstance(one, Item | ImportProblem | Skipped)
        if isinstance(one, Item):
            (one.text + one.key + one.author + one.title).encode()
