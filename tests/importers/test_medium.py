"""Posts and drafts of a Medium export."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.medium import MEDIUM
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]

PAGE = """<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html;
charset=utf-8"><title>Rain</title><style>
      * {{
        font-family: Georgia, Cambria, "Times New Roman", Times, serif;
      }}
    </style></head><body><article class="h-entry"><header><h1 class="p-name">Rain &amp; sea</h1>
</header><section data-field="subtitle" class="p-summary">It rai…</section>
<section data-field="body" class="e-content"><section class="section"><div class="section-inner">
<h3 class="graf graf--h3 graf--title">Rain &amp; sea</h3><p class="graf graf--p">It rained
<em>all</em> day.</p><p class="graf graf--p">Café.</p></div></section></section><footer>{}
<p><a href="https://medium.com/p/abc123def456" class="p-canonical">Canonical link</a></p>
</footer></article></body></html>"""
PUBLISHED = (
    '<p>By <a href="https://medium.com/@r" class="p-author h-card">Robin W.</a> on '
    '<a href="x"><time class="dt-published" datetime="2019-05-01T23:30:00.123Z">May 1</time></a></p>'
)
NAME = "posts/2019-05-01_Rain---sea-abc123def456.html"


def read(member_of: MakeMember, path: str, text: str) -> Found:
    members = [member_of(path, text.encode())]
    assert MEDIUM.claim(members) is not None
    (found,) = MEDIUM.read(members, Reading())
    return found


def test_a_post_says_all_that_is_known(member_of: MakeMember) -> None:
    item = read(member_of, NAME, PAGE.format(PUBLISHED))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2019-05-01T23:30:00+00:00"
    assert item == Item(
        key="medium:abc123def456",
        medium="post",
        moment=item.moment,
        text="It rained all day.\n\nCafé.",
        mine=True,
        locator=NAME,
        author="Robin W.",
        title="Rain & sea",
    )


def test_a_draft_is_labelled_and_undated(member_of: MakeMember) -> None:
    item = read(member_of, "posts/draft_Rain-abc123def456.html", PAGE.format(""))
    assert isinstance(item, Item)
    assert (item.labels, item.moment.iso()) == (("draft",), None)


def test_without_a_date_on_the_page_its_name_tells_the_day(member_of: MakeMember) -> None:
    item = read(member_of, NAME, PAGE.format(""))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2019-05-01"


@pytest.mark.parametrize("text", ["", "<h1 class='p-name'>Rain</h1>", PAGE[:380]])
def test_a_page_without_a_post_is_named(member_of: MakeMember, text: str) -> None:
    (found,) = MEDIUM.read([member_of(NAME, text.encode())], Reading())
    assert isinstance(found, ImportProblem)


def test_the_lists_beside_the_posts_are_not_claimed(member_of: MakeMember) -> None:
    page = PAGE.format(PUBLISHED).encode()
    members = [member_of("claps/claps-0001.html", page), member_of("README.html", page)]
    assert MEDIUM.claim(members) is None
    assert MEDIUM.claim([member_of(NAME, b"<html><body>Hello</body></html>")]) is None


@given(
    st.text(max_size=60), st.sampled_from(["p-name", "e-content", "dt-published", "p-canonical"])
)
def test_any_page_is_read(member_of: MakeMember, text: str, name: str) -> None:
    for page in (
        text,
        PAGE.format(f'<b class="{name}" datetime="{text}" href="{text}">{text}</b>'),
    ):
        data = page.encode("utf-8", "surrogatepass")
        for one in MEDIUM.read([member_of(NAME, data)], Reading()):
            assert isinstance(one, Item | ImportProblem | Skipped)
