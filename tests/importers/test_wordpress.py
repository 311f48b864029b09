"""Posts, drafts and comments of a WordPress export."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.wordpress import WORDPRESS
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]

AUTHOR = (
    "<wp:author><wp:author_login><![CDATA[robin]]></wp:author_login><wp:author_email>"
    "r@x.org</wp:author_email><wp:author_display_name>Robin W.</wp:author_display_name></wp:author>"
)


def item(body: str = "", **fields: str) -> str:
    """Return a post; names of fields have `_` for the `:` after `wp`, `dc` and `content`."""
    rows = {
        "title": "Rain", "guid": "https://b.org/?p=1", "dc:creator": "robin",
        "content:encoded": "<p>It rained.</p>", "wp:post_id": "1",
        "wp:post_date": "2019-05-01 23:30:00", "wp:post_date_gmt": "2019-05-02 03:30:00",
        "wp:post_type": "post", "wp:status": "publish",
    }  # fmt: skip
    rows |= {name.replace("__", ":"): value for name, value in fields.items()}
    inside = "".join(f"<{name}><![CDATA[{value}]]></{name}>" for name, value in rows.items())
    return f"<item>{inside}{body}</item>"


def comment(**fields: str) -> str:
    rows = {
        "id": "7", "author": "Ann", "author_email": "ann@b.org", "date": "2019-05-02 08:00:00",
        "date_gmt": "2019-05-02 12:00:00", "content": "Here too.", "approved": "1", "type": "",
        "user_id": "0",
    }  # fmt: skip
    inside = "".join(
        f"<wp:comment_{name}><![CDATA[{value}]]></wp:comment_{name}>"
        for name, value in (rows | fields).items()
    )
    return f"<wp:comment>{inside}</wp:comment>"


def site(*parts: str, before: str = "") -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8" ?>{before}<rss version="2.0" '
        'xmlns:content="http://purl.org/rss/1.0/modules/content/" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:wp="http://wordpress.org/export/1.2/">'
        f"<channel><title>Blog</title>{''.join(parts)}</channel></rss>"
    )


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that reads a site with these parts."""

    def read_site(*parts: str, me: str = "", before: str = "") -> list[Found]:
        members = [member_of("blog.xml", site(*parts, before=before).encode())]
        assert WORDPRESS.claim(members) is not None
        return list(WORDPRESS.read(members, Reading(frozenset({me} if me else ()))))

    return read_site


def test_a_post_says_all_that_is_known(read: Read) -> None:
    (post,) = read(AUTHOR, item("<category domain='post_tag'>weather &amp; sea</category>"))
    assert isinstance(post, Item)
    assert post.moment.iso() == "2019-05-01T23:30:00-04:00"
    assert post == Item(
        key="https://b.org/?p=1",
        medium="post",
        moment=post.moment,
        text="It rained.",
        mine=True,
        locator="blog.xml#1",
        author="Robin W.",
        title="Rain",
        labels=("weather & sea",),
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("One <em>two</em>\nthree\n\nfour", "One two\nthree\n\nfour"),
        ("<!-- wp:paragraph -->\n<p>One</p>\n<!-- /wp:paragraph -->\n<p>two</p>", "One\n\ntwo"),
        ('[caption id="a" width="3"]<img src="x"> A cat[/caption]\n\nAfter [sic]',
         "A cat\n\nAfter [sic]"),
        ("plain\n\ntext &amp; more", "plain\n\ntext & more"),
    ],
)  # fmt: skip
def test_the_old_editors_line_ends_are_paragraphs(read: Read, content: str, text: str) -> None:
    (post,) = read(item(content__encoded=content))
    assert isinstance(post, Item)
    assert post.text == text


def test_drafts_are_labelled_and_have_no_moment_in_utc(read: Read) -> None:
    draft, undated, gone = read(
        item(wp__status="draft", wp__post_date_gmt="0000-00-00 00:00:00"),
        item(
            wp__status="draft",
            wp__post_date="0000-00-00 00:00:00",
            wp__post_date_gmt="0000-00-00 00:00:00",
        ),
        item(wp__status="trash", wp__post_id="3"),
    )
    assert isinstance(draft, Item)
    assert isinstance(undated, Item)
    assert (draft.labels, draft.moment.iso()) == (("draft",), "2019-05-01T23:30:00")
    assert undated.moment.iso() is None
    assert gone == Skipped("blog.xml#3", "was put in the trash")


def test_comments_are_their_writers_and_mine_by_my_address(read: Read) -> None:
    mine = comment(id="8", author="Robin W.", author_email="r@x.org", user_id="1", content="Yes.")
    posing = comment(id="9", author="Robin W.", author_email="other@b.org")
    spam = comment(id="10", approved="spam")
    ping = comment(id="11", type="pingback")
    post, hers, own, others, *rest = read(AUTHOR, item(comment() + mine + posing + spam + ping))
    assert isinstance(post, Item)
    assert isinstance(hers, Item)
    assert isinstance(own, Item)
    assert isinstance(others, Item)
    assert (hers.mine, hers.author, hers.text) == (False, "Ann", "Here too.")
    assert (hers.thread, hers.recipients) == (post.key, ("Robin W.",))
    assert hers.key == "https://b.org/?p=1#comment-7"
    assert hers.moment.iso() == "2019-05-02T08:00:00-04:00"
    assert (own.mine, own.text) == (True, "Yes.")
    assert not others.mine
    assert rest == [
        Skipped("blog.xml#1/comment-10", "a comment marked as spam"),
        Skipped("blog.xml#1/comment-11", "a link from another site"),
    ]


def test_comments_of_which_parts_are_missing_are_nobodys(read: Read) -> None:
    bare = "<wp:comment><wp:comment_content>Who?</wp:comment_content></wp:comment>"
    post, problem = read(item(comment() + bare))
    assert isinstance(post, Item)
    assert isinstance(problem, ImportProblem)
    assert "parts are missing" in problem.reason


@pytest.mark.parametrize(("me", "mine"), [("", (False, False)), ("r@x.org", (True, False))])
def test_of_several_authors_the_user_is_the_one_known(
    read: Read, me: str, mine: tuple[bool, bool]
) -> None:
    found = read(AUTHOR, item(), item(dc__creator="ann", guid="2"), me=me)
    assert tuple(one.mine for one in found if isinstance(one, Item)) == mine


def test_other_parts_of_a_site_are_counted(read: Read) -> None:
    found = read(item(wp__post_type="attachment"), item(wp__post_type="attachment"), item())
    assert found[1:] == [Skipped("blog.xml#attachment", "2 parts of the site that are no posts")]
    assert read() == [Skipped("blog.xml", "no posts in it")]


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "{}">]>'.format("&a;" * 1000)
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize("before", [LAUGHS, OUTSIDE])
def test_entities_are_never_followed(read: Read, before: str) -> None:
    began = time.process_time()
    (problem,) = read(item().replace("It rained.", "]]>&b;&a;<![CDATA["), before=before)
    assert isinstance(problem, ImportProblem)
    assert "shorthands" in problem.reason
    assert time.process_time() - began < 1


def test_an_external_dtd_is_never_fetched(read: Read) -> None:
    (post,) = read(item(), before='<!DOCTYPE rss SYSTEM "http://203.0.113.1/x.dtd">')
    assert isinstance(post, Item)


def test_a_file_that_breaks_off_keeps_what_came_before(member_of: MakeMember) -> None:
    whole = site(item(), item(guid="2"))
    data = whole[: whole.rindex("<title>")].encode()
    first, problem = WORDPRESS.read([member_of("blog.xml", data)], Reading())
    assert isinstance(first, Item)
    assert isinstance(problem, ImportProblem)
    assert "breaks off" in problem.reason


def test_a_page_where_xml_was_promised_is_named(member_of: MakeMember) -> None:
    member = member_of("blog.xml", b"<html><body>Sign in<br></body></html>")
    assert WORDPRESS.claim([member]) is None
    (problem,) = WORDPRESS.read([member], Reading())
    assert isinstance(problem, ImportProblem)


@given(st.lists(st.sampled_from(["<item>", "</item>", "<title>", "]]>", "<wp:comment>", "&lt;", "&x;",
    "<wp:comment_content>a</wp:comment_content>", "<wp:comment_id/>", "</wp:comment>", item(),
    item(comment(date="x", id="")), item(wp__post_date="9999-99-99 00:00:00"), "\x00", "<!--"])
    | st.text(max_size=5), max_size=8))  # fmt: skip
def test_any_parts_are_read(member_of: MakeMember, parts: list[str]) -> None:
    data = site(AUTHOR, *parts).encode("utf-8", "surrogatepass")
    for one in WORDPRESS.read([member_of("blog.xml", data)], Reading()):
        assert isinstance(one, Item | ImportProblem | Skipped)
        if isinstance(one, Item):
            assert one.key
            (one.text + one.key + one.author).encode()
