"""The document as text, as a digest, as an audience may hear it, and as the user may change it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from clone_app.errors import CloneAppError
from clone_app.memory.lines import Line, Section, Support
from clone_app.persona.document import (
    LONGEST_DOCUMENT,
    LONGEST_LINE,
    Audience,
    Document,
    Marks,
    as_text,
    checked_text,
    differences,
    digest,
    estimate,
    shown,
    subject,
    verbatim,
    visible,
)
from clone_app.persona.privacy.sensitive import Matter, matter


def line(section: Section, text: str, days: int = 1, **more: object) -> Line:
    """A line resting on that many entries, a month apart."""
    supports = tuple(
        Support(f"{text}:{n}", date(2023, 1, 5) + timedelta(days=31 * n), medium="diary")
        for n in range(days)
    )
    fields: dict[str, object] = {"topic": text, "supports": supports}
    return Line(section=section, text=text, **(fields | more))  # type: ignore[arg-type]


SMALL = Document(
    (
        line(Section.WHO, "“I'm an aunt.”"),
        line(Section.PEOPLE, "Bridie, my sister", 12),
        line(Section.PEOPLE, "Tom", 4),
        line(Section.HEALTH, "Migraine: “My migraine again.”", 3, private=True),
        line(Section.LIKES, "running: hate (May 2023) → love (June 2024)", 2),
    )
)


def test_each_line_says_from_when_to_when_it_is_known() -> None:
    assert [shown(each) for each in SMALL.lines] == [
        "“I'm an aunt.” (5 January 2023)",
        "Bridie, my sister (12 entries, January 2023 – December 2023)",
        "Tom (4 entries, January 2023 – April 2023)",
        "Migraine: “My migraine again.” (3 entries, January 2023 – March 2023)",
        "running: hate (May 2023) → love (June 2024)",
    ]


def test_as_text_has_a_heading_for_each_section_that_has_lines() -> None:
    assert as_text(SMALL).split("\n") == [
        "## Who I am",
        "- “I'm an aunt.” (5 January 2023)",
        "",
        "## People",
        "- Bridie, my sister (12 entries, January 2023 – December 2023)",
        "- Tom (4 entries, January 2023 – April 2023)",
        "",
        "## Health",
        "- Migraine: “My migraine again.” (3 entries, January 2023 – March 2023)",
        "",
        "## Likes and dislikes",
        "- running: hate (May 2023) → love (June 2024)",
    ]


def test_as_text_stays_below_its_tokens_by_shortening_the_longest_section() -> None:
    many = Document(
        (
            line(Section.WHO, "“I'm an aunt.”"),
            *(line(Section.PEOPLE, f"Somebody number {n} whom I met", 3) for n in range(300)),
        )
    )
    text = as_text(many)
    assert estimate(text) <= 2000
    assert "“I'm an aunt.”" in text
    assert as_text(many, lambda text: len(text.split()), tokens=55).count("Somebody") == 3


def test_a_digest_never_exceeds_its_tokens_and_takes_something_of_every_section() -> None:
    found = digest(SMALL, estimate)
    assert found.split("\n") == [
        "Who I am: “I'm an aunt.”",
        "People: Bridie, my sister; Tom",
        "Health: Migraine: “My migraine again.”",
        "Likes and dislikes: running: hate (May 2023) → love (June 2024)",
    ]
    many = Document(
        tuple(
            line(section, f"{section} {n} says something of some length here")
            for section in Section
            for n in range(30)
        )
    )
    for tokens in (300, 60, 5):
        assert estimate(digest(many, estimate, tokens=tokens)) <= tokens
    assert all(str(section) in digest(many, estimate) for section in Section)


def test_the_user_hears_all_a_friend_nothing_private_the_public_nobody_else() -> None:
    def heard(audience: Audience, marks: Marks | None = None) -> list[str]:
        return [each.text[:6] for each in visible(SMALL.lines, audience, marks)]

    assert heard(Audience.PRIVATE) == ["“I'm a", "Bridie", "Tom", "Migrai", "runnin"]
    assert heard(Audience.FRIEND) == ["“I'm a", "Bridie", "Tom", "runnin"]
    assert heard(Audience.PUBLIC) == ["“I'm a", "runnin"]
    assert heard(Audience.FRIEND, Marks(people=frozenset({"Bridie"}))) == [
        "“I'm a",
        "Tom",
        "runnin",
    ]
    assert heard(Audience.FRIEND, Marks(topics=frozenset({"run"}))) == ["“I'm a", "Bridie", "Tom"]
    assert heard(Audience.FRIEND, Marks(media=frozenset({"diary"}))) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("I live in Leeds", "I lived in Leeds → York", "− live   + lived   + → York"),
        ("I love strong coffee", "I love coffee", "− strong"),
        ("I like tea", "I like tea", ""),
        ("我喜欢茶", "我喜欢咖啡", ""),
    ],
)
def test_another_wording_is_told_by_the_words_that_go_and_come(
    before: str, after: str, told: str
) -> None:
    assert differences(before, after) == told


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My therapist says so", Matter.HEALTH),
        ("The doctor rang about the heart monitor", Matter.HEALTH),
        ("星期三去体检", Matter.HEALTH),
        ("My heart sank at the doctoral thesis", None),
        ("I'm gay", Matter.SEXUALITY),
        ("I pray every night", Matter.FAITH),
        ("I voted for the greens", Matter.POLITICS),
        ("My mortgage is paid", Matter.MONEY),
        ("I owe Tom £4,000", Matter.MONEY),
        ("我有抑郁症", Matter.HEALTH),
        ("我的工资不高", Matter.MONEY),
        ("I like boats", None),
        ("I bought tea for £4", None),
    ],
)
def test_sensitive_matters_are_known_by_their_words(text: str, found: Matter | None) -> None:
    assert matter(text) is found
    hears = bool(visible([line(Section.HOLD, text)], Audience.FRIEND))
    assert hears is (found is None)


def test_a_line_is_tidied_and_what_is_none_is_refused_with_a_sentence() -> None:
    assert checked_text("  I like\n\n tea\x00 \x07now ") == "I like tea now"
    with pytest.raises(CloneAppError, match="A line needs words"):
        checked_text("!!! \x00 ---")
    with pytest.raises(CloneAppError, match=r"50,000 characters; a line holds 400"):
        checked_text("x" * 50_000)
    whole = ["y" * LONGEST_LINE] * (LONGEST_DOCUMENT // LONGEST_LINE)
    with pytest.raises(CloneAppError, match="Shorten or delete other lines first"):
        checked_text("one more", whole)


def test_a_quoted_line_is_found_in_its_entry_as_it_stands_there() -> None:
    text = "Rain.\n\nI can’t  stand\n*coriander*, ever. Bed."
    assert verbatim(text, "“I can't stand coriander, ever.”") == "I can’t  stand\n*coriander*, ever"
    assert verbatim(text, "I like tea") == ""


@pytest.mark.parametrize(
    ("section", "text", "about"),
    [
        (Section.PEOPLE, "Bridie, my sister", "Bridie"),
        (Section.PEOPLE, "Hazel Quantock", "Hazel Quantock"),
        (Section.HEALTH, "Heart: “The heart hasn't done its stairs.”", "Heart"),
        (Section.LIKES, "I don't like fish", "fish"),
        (Section.HOLD, "“I've stopped going to the front door.”", "door"),
        (Section.HOLD, "“I need a city: noise, a choice of curries, strangers, and a bus.”", ""),
    ],
)
def test_what_a_line_is_about_is_guessed_where_it_is_short(
    section: Section, text: str, about: str
) -> None:
    assert subject(Line(section=section, topic="t", text=text, supports=())) == about
