"""Posts and reblogs of a Tumblr export."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.tumblr import TUMBLR
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
PAGE = (
    '<!DOCTYPE HTML><html><head><meta charset="utf-8"><link rel="stylesheet" href="../style.css"/>'
    '</head><body>{}<div id="footer"><span id="timestamp"> August 31st, 2018 4:19pm </span>'
    '<span class="tag">rain</span> <span class="tag">grey sea</span></div></body></html>'
)
REBLOG = (
    '<p><a href="https://ann.tumblr.com/post/1" class="tumblr_blog">ann</a>:</p>'
    "<blockquote><p>Tea is dull.</p></blockquote>"
)
NAME = "posts/html/177612345678.html"


def read(member_of: MakeMember, body: str, path: str = NAME) -> Found:
    members = [member_of(path, PAGE.format(body).encode())]
    assert TUMBLR.claim(members) is not None
    (found,) = TUMBLR.read(members, Reading())
    return found


def test_a_post_says_all_that_is_known(member_of: MakeMember) -> None:
    item = read(member_of, "<h1>Rain &amp; sea</h1><p>It rained.</p><p>Still.</p>")
    assert isinstance(item, Item)
    assert item.moment.iso() == "2018-08-31T16:19"
    assert item == Item(
        key="tumblr:177612345678",
        medium="post",
        moment=item.moment,
        text="It rained.\n\nStill.",
        mine=True,
        locator=NAME,
        title="Rain & sea",
        labels=("rain", "grey sea"),
    )


def test_what_is_reblogged_with_my_words_is_context(member_of: MakeMember) -> None:
    item = read(member_of, f"{REBLOG}<p>Never.</p>")
    assert isinstance(item, Item)
    assert (item.text, item.mine) == ("Never.", True)
    assert item.context == "ann:\nTea is dull."


def test_a_reblog_without_my_words_is_another_persons(member_of: MakeMember) -> None:
    item = read(member_of, REBLOG)
    assert isinstance(item, Item)
    assert (item.mine, item.author) == (False, "ann")
    assert "Tea is dull." in item.text


def test_a_post_without_words_is_skipped(member_of: MakeMember) -> None:
    assert read(member_of, '<img src="1.jpg">') == Skipped(NAME, "a post without words")


@pytest.mark.parametrize("data", [b"", b"<html><body>Sign in</body></html>"])
def test_another_page_is_named_or_left(member_of: MakeMember, data: bytes) -> None:
    member = member_of(NAME, data)
    assert TUMBLR.claim([member]) is None
    (problem,) = TUMBLR.read([member], Reading())
    assert isinstance(problem, ImportProblem)


@given(st.text(max_size=60))
def test_any_page_is_read(member_of: MakeMember, text: str) -> None:
    for body in (text, f'{REBLOG}<h1>{text}</h1><b id="timestamp" class="tag tumblr_blog">{text}'):
        data = PAGE.format(body).encode("utf-8", "surrogatepass")
        for one in TUMBLR.read([member_of(NAME, data)], Reading()):
            assert isinstance(one, Item | ImportProblem | Skipped)
