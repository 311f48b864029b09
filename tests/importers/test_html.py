"""HTML becomes what a reader sees, and nothing makes it fall."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.importers.html import to_text


def test_paragraphs_stay_apart_and_line_breaks_stay_lines() -> None:
    assert to_text("<p>One.</p><p>Two<br>three.</p>") == "One.\n\nTwo\nthree."


def test_a_link_keeps_its_text_and_loses_its_address() -> None:
    assert (
        to_text('See <a href="http://example.org/x?y">the plan</a> today') == "See the plan today"
    )


def test_scripts_styles_comments_and_the_head_are_dropped() -> None:
    page = (
        "<html><head><title>T</title><style>p{color:red}</style></head><body><!-- no -->"
        "<script>if (a<b) alert('x')</script><p>Seen</p></body></html>"
    )
    assert to_text(page) == "Seen"


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display: none">obey</div>',
        '<div style="DISPLAY:NONE !important">obey</div>',
        '<span style="visibility:hidden">obey</span>',
        "<p hidden>obey</p>",
        '<span style="font-size:0px">obey</span>',
        '<span style="mso-hide:all">obey</span>',
        "<template>obey</template>",
    ],
)
def test_what_a_reader_cannot_see_is_dropped(hidden: str) -> None:
    assert to_text(f"<p>before</p>{hidden}<p>after</p>") == "before\n\nafter"


def test_what_follows_a_hidden_part_stays() -> None:
    assert to_text('a <span style="display:none">x</span>b') == "a b"


def test_layout_tables_become_lines() -> None:
    table = "<table><tr><td>Mon</td><td>9:00</td></tr><tr><td>Tue</td><td>10:00</td></tr></table>"
    assert to_text(table) == "Mon 9:00\nTue 10:00"


def test_list_items_keep_a_bullet() -> None:
    assert to_text("<ul><li>milk</li><li>bread</li></ul>") == "* milk\n* bread"


def test_entities_become_letters() -> None:
    assert to_text("caf&eacute; &amp; cr&#232;me &#128512; &lt;b&gt;") == "café & crème 😀 <b>"


def test_quotations_are_marked_as_in_plain_mail_if_asked_for() -> None:
    inner = "<blockquote>Tea?<blockquote>Hm</blockquote></blockquote>"
    page = f"Yes.<div>On Monday Robin wrote:</div>{inner}"
    assert to_text(page, quotes=True) == "Yes.\nOn Monday Robin wrote:\n\n> Tea?\n>\n>> Hm"
    assert ">" not in to_text(page)


def test_plain_text_passes_through() -> None:
    assert to_text("Just words & signs.\n\n\n\nMore.") == "Just words & signs.\n\nMore."


def test_nul_and_lone_surrogates_are_dropped() -> None:
    assert to_text("<p>a\x00b\ud800c</p>") == "abc"


def test_a_style_cannot_blow_up_memory() -> None:
    page = '<div style="padding-left:99999999em;margin-top:99999999em">x</div>'
    assert to_text(page) == "x"


@pytest.mark.parametrize("tag", ["div", "b", "table><tr><td", "ul><li", "blockquote", "font"])
def test_a_hundred_thousand_nested_tags_keep_their_text(tag: str) -> None:
    started = time.perf_counter()
    text = to_text(f"<{tag}>a" * 100_000 + "the end", quotes=True)
    assert text.endswith("the end")
    assert text.count("a") == 100_000
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize(
    "page",
    [
        "<" * 2_000_000,
        "<a" * 1_000_000,
        "<!--" * 500_000,
        "<" + "a" * 3_000_000,
        "[" * 100_000 + "<b>",
    ],
    ids=["angles", "open tags", "open comments", "one long tag", "brackets"],
)
def test_senseless_input_finishes_quickly(page: str) -> None:
    started = time.perf_counter()
    to_text(page)
    assert time.perf_counter() - started < 20


def test_more_than_a_tree_can_hold_is_stripped_of_its_tags() -> None:
    started = time.perf_counter()
    text = to_text("<p>some words here</p>" * 190_000 + "<style>p{}</style><p>the end</p>")
    assert text.endswith("some words here\n\nthe end")
    assert time.perf_counter() - started < 30


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from('<>/!-"=& \nabpdiv;\x00\ud800é'), max_size=200))
def test_no_markup_raises(page: str) -> None:
    for text in (to_text(page), to_text(page, quotes=True)):
        text.encode("utf-8")
        assert "\x00" not in text
