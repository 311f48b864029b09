"""Diaries and notes: a file a day, one file with dated headings, or notes without a date."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clone_app.entries import ImportProblem, Item, Skipped, content_hash
from clone_app.importers.diary import DIARY, readable_links
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]


@pytest.fixture
def read(member_of: MakeMember) -> Callable[..., list[Found]]:
    """Return a function that reads files given as path and text."""

    def read_dict(files: dict[str, str]) -> list[Found]:
        members = [member_of(path, text.encode()) for path, text in files.items()]
        return list(DIARY.read(members, Reading()))

    return read_dict


Read = Callable[[dict[str, str]], list[Found]]


def items(found: list[Found]) -> list[Item]:
    return [one for one in found if isinstance(one, Item)]


def brief(found: list[Found]) -> list[tuple[str | None, str]]:
    return [(one.moment.iso(), one.text) for one in items(found)]


class TestOneFileWithDatedHeadings:
    def test_each_heading_begins_an_entry_that_is_exactly_what_was_written(
        self, read: Read
    ) -> None:
        text = "## 1666-09-14\n\nUp, and to work.\n\n  Dined *well*.\n\n## 1666-09-15\n\nRain.\n"
        assert brief(read({"1666.md": text})) == [
            ("1666-09-14", "Up, and to work.\n\n  Dined *well*."),
            ("1666-09-15", "Rain."),
        ]

    def test_an_item_says_all_that_is_known(self, read: Read) -> None:
        (item,) = items(read({"life/1666.md": "## 1666-09-14\n\nUp.\n"}))
        assert item == Item(
            key=f"diary:1666-09-14:{content_hash('Up.')}",
            medium="diary",
            moment=item.moment,
            text="Up.",
            mine=True,
            locator="life/1666.md#1666-09-14",
        )

    def test_several_entries_of_one_day_are_several_items_with_places_of_their_own(
        self, read: Read
    ) -> None:
        text = "## 1661-11-14\n\nOne.\n\n## 1661-11-14\n\nTwo.\n"
        assert [(one.locator, one.text) for one in items(read({"1661.md": text}))] == [
            ("1661.md#1661-11-14", "One."),
            ("1661.md#1661-11-14/2", "Two."),
        ]

    def test_keys_do_not_depend_on_where_the_file_lies(self, read: Read) -> None:
        text = "## 1661-11-14\n\nOne.\n"
        (one,), (other,) = (items(read({path: text})) for path in ("1661.md", "x/y/copy.md"))
        assert one.key == other.key
        assert one.locator != other.locator

    @pytest.mark.parametrize(
        "heading",
        [
            "# 14 September 1666", "## September 14, 1666 ##", "### 1666年9月14日",
            "## [[1666-09-14]]", "## **1666-09-14**", "## Tuesday, September 14, 1666:",
            "1666-09-14",
            "**14 September 1666**", "1666-09-14\n==========",
            "September 14, 1666\n-----------", "   ## 14/09/1666",
        ],
    )  # fmt: skip
    def test_headings_are_read_in_many_forms(self, read: Read, heading: str) -> None:
        text = f"{heading}\n\nUp.\n\nAnd so to bed.\n"
        assert brief(read({"life.md": text})) == [("1666-09-14", "Up.\n\nAnd so to bed.")]

    @pytest.mark.parametrize(
        "text",
        [
            "I was born on\n2001-02-03\nin Rome.",
            "- 2001-02-03\n- 2001-02-04",
            "On 2001-02-03 I went.",
            "```\n## 2001-02-03\n```\nwas code.",
            "#2001-02-03",
            "## Chapter 2001\n\nOnce.",
        ],
    )
    def test_dates_that_are_no_headings_stay_text(self, read: Read, text: str) -> None:
        assert brief(read({"life.md": text})) == [(None, text)]

    def test_code_that_was_never_closed_does_not_swallow_the_days_after_it(
        self, read: Read
    ) -> None:
        text = "## 2024-03-02\n\n```\nx\n\n## 2024-03-03\n\nNext day.\n"
        assert brief(read({"a.md": text})) == [
            ("2024-03-02", "```\nx"),
            ("2024-03-03", "Next day."),
        ]

    def test_a_day_the_calendar_does_not_have_keeps_its_month_and_what_stood_there(
        self, read: Read
    ) -> None:
        (item,) = items(read({"1917.md": "## 1917-11-31\n\n晴。\n"}))
        assert (item.moment.iso(), item.title, item.locator) == (
            "1917-11", "1917-11-31", "1917.md#1917-11-31",
        )  # fmt: skip
        assert item.key.startswith("diary:1917-11:")

    def test_a_heading_with_nothing_under_it_is_skipped(self, read: Read) -> None:
        found = read({"a.md": "## 2024-03-02\n\n- \n\n## 2024-03-03\n\nText.\n"})
        assert Skipped("a.md#2024-03-02", "nothing under the heading") in found
        assert brief(found) == [("2024-03-03", "Text.")]

    def test_the_title_is_the_first_heading_that_is_no_date(self, read: Read) -> None:
        text = "## 2024-03-02\n\n### The [[move|big move]]\n\nWe moved.\n\n### Later\n\nTired.\n"
        (item,) = items(read({"a.md": text}))
        assert item.title == "The big move"
        assert item.text.startswith("### The big move\n\nWe moved.")

    def test_a_title_beside_the_date_is_the_title(self, read: Read) -> None:
        (item,) = items(read({"a.md": "## 2024-03-02 – The move\n\nWe moved.\n"}))
        assert (item.moment.iso(), item.title, item.text) == ("2024-03-02", "The move", "We moved.")

    def test_years_and_months_above_give_days_below_what_they_leave_out(self, read: Read) -> None:
        text = (
            "# 2024\n\n## March\n\nA month of rain.\n\n### March 2\n\nWe moved.\n\n"
            "### 3 March: rest\n\nSlept.\n\n# 2025\n\n### January 1\n\nSnow.\n"
        )
        found = items(read({"life.md": text}))
        assert [(one.moment.iso(), one.text, one.title) for one in found] == [
            ("2024-03", "A month of rain.", ""),
            ("2024-03-02", "We moved.", ""),
            ("2024-03-03", "Slept.", "rest"),
            ("2025-01-01", "Snow.", ""),
        ]

    def test_the_year_of_the_file_name_counts_for_its_headings(self, read: Read) -> None:
        assert brief(read({"1666.md": "A preface.\n\n## September 14\n\nUp.\n"})) == [
            ("1666", "A preface."),
            ("1666-09-14", "Up."),
        ]

    def test_a_year_above_a_list_of_books_does_not_date_it(self, read: Read) -> None:
        (item,) = items(read({"Books.md": "# Books\n\n## 2019\n\n- Emma\n"}))
        assert (item.medium, item.moment.iso(), item.title) == ("note", None, "Books")


class TestDayAndMonthInNumbers:
    def test_one_date_that_can_only_be_read_one_way_decides_for_the_file(self, read: Read) -> None:
        text = "## 03/04/2024\n\nOne.\n\n## 05/04/2024\n\nTwo.\n\n## 25/04/2024\n\nThree.\n"
        assert brief(read({"a.md": text})) == [
            ("2024-04-03", "One."),
            ("2024-04-05", "Two."),
            ("2024-04-25", "Three."),
        ]
        text = text.replace("25/04", "04/25")
        assert [when for when, _ in brief(read({"a.md": text}))] == [
            "2024-03-04", "2024-05-04", "2024-04-25",
        ]  # fmt: skip

    def test_where_nothing_decides_only_the_year_is_kept_and_said_so(self, read: Read) -> None:
        found = read({"a.md": "## 03/04/2024\n\nOne.\n\n## 04/04/2024\n\nTwo.\n"})
        assert brief(found) == [("2024", "One."), ("2024-04-04", "Two.")]
        assert items(found)[0].title == "03/04/2024"
        assert items(found)[0].locator == "a.md#03-04-2024"
        (problem,) = [one for one in found if isinstance(one, ImportProblem)]
        assert problem.locator == "a.md"
        assert "03/04/2024" in problem.reason

    def test_file_names_decide_for_each_other(self, read: Read) -> None:
        found = read({"03-04-2024.md": "One.", "13-04-2024.md": "Two."})
        assert brief(found) == [("2024-04-03", "One."), ("2024-04-13", "Two.")]


class TestOneFileADay:
    @pytest.mark.parametrize(
        "path",
        [
            "2024-03-02.md", "journals/2024_03_02.md", "20240302.md", "2024-03-02 Saturday.md",
            "March 2, 2024.md", "2024/03/02.md", "2024-03-02.txt",
        ],
    )  # fmt: skip
    def test_the_name_gives_the_day(self, read: Read, path: str) -> None:
        (item,) = items(read({path: "We moved.\n"}))
        assert (item.moment.iso(), item.text, item.medium, item.title, item.locator) == (
            "2024-03-02", "We moved.", "diary", "", path,
        )  # fmt: skip

    def test_its_own_heading_is_taken_off(self, read: Read) -> None:
        assert brief(read({"2020-08-02.md": "# August 2nd, 2020\n- Perhaps.\n"})) == [
            ("2020-08-02", "- Perhaps.")
        ]

    def test_a_title_beside_its_own_date_is_the_title(self, read: Read) -> None:
        (item,) = items(read({"2024-03-02.md": "# 2024-03-02 – The move\n\nWe moved.\n"}))
        assert (item.moment.iso(), item.title, item.text) == ("2024-03-02", "The move", "We moved.")

    def test_the_name_was_made_by_a_program_and_the_heading_typed(self, read: Read) -> None:
        found = read({"2024-08-01.md": "# 2023-08-01\n* Back after a few days.\n"})
        assert brief(found) == [("2024-08-01", "* Back after a few days.")]

    def test_a_second_heading_of_that_day_begins_a_second_entry(self, read: Read) -> None:
        text = "# 2020 12 15\n\n- One.\n\n# 2020-12-15\n\n- Two.\n"
        assert [(one.locator, one.text) for one in items(read({"2020-12-15.md": text}))] == [
            ("2020-12-15.md", "- One."),
            ("2020-12-15.md#2020-12-15", "- Two."),
        ]

    def test_headings_with_a_time_begin_entries_known_to_the_minute(self, read: Read) -> None:
        text = "Woke early.\n\n## 08:10\n\nTea.\n\n## 9:30 PM Night\n\nStars.\n\n## Ideas\n\nFly.\n"
        found = items(read({"2024-03-02.md": text}))
        assert [(one.moment.iso(), one.text, one.title, one.locator) for one in found] == [
            ("2024-03-02", "Woke early.", "", "2024-03-02.md"),
            ("2024-03-02T08:10", "Tea.", "", "2024-03-02.md#2024-03-02T08:10"),
            ("2024-03-02T21:30", "Stars.", "Night", "2024-03-02.md#2024-03-02T21:30"),
            ("2024-03-02", "## Ideas\n\nFly.", "Ideas", "2024-03-02.md#2024-03-02"),
        ]
        assert {one.key.split(":")[1] for one in found} == {"2024-03-02"}

    def test_times_count_below_dated_headings_too(self, read: Read) -> None:
        text = (
            "## 2024-03-02\n\n### 08:10\n\nUp.\n\n### 22:00\n\nTo bed.\n\n## 2024-03-03\n\nRain.\n"
        )
        assert brief(read({"a.md": text})) == [
            ("2024-03-02T08:10", "Up."),
            ("2024-03-02T22:00", "To bed."),
            ("2024-03-03", "Rain."),
        ]

    def test_lines_with_a_date_or_a_time_alone_are_text_there(self, read: Read) -> None:
        text = "20:22\nPK: see you\n\n2023-01-01\n\nwas a good day."
        assert brief(read({"2023-09-20.md": text})) == [("2023-09-20", text)]

    @pytest.mark.parametrize("text", ["", "\n \n", "# April 3rd  2020\n\n", "# 2020-04-03\n- \n"])
    def test_an_empty_day_is_skipped(self, read: Read, text: str) -> None:
        (found,) = read({"2020-04-03.md": text})
        assert isinstance(found, Skipped)
        assert found.reason == ("only a heading or properties" if text.strip() else "an empty file")


class TestProperties:
    @pytest.mark.parametrize(
        ("properties", "right"),
        [
            ("date: 2024-03-02", "2024-03-02"),
            ("created: 2024-03-02T08:10:00+01:00", "2024-03-02T08:10:00+01:00"),
            ('date: "March 2, 2024"', "2024-03-02"),
            ("Created: 2024-03-02 08:10", "2024-03-02T08:10"),
            ("date: soon", None),
            ("date: 03/04/2024", None),
            ("title: x", None),
        ],
    )
    def test_they_date_a_note(self, read: Read, properties: str, right: str | None) -> None:
        (item,) = items(read({"Books.md": f"---\n{properties}\n---\n\nEmma.\n"}))
        assert (item.moment.iso(), item.text, item.medium) == (right, "Emma.", "note")

    def test_they_tell_the_hour_of_the_day_in_the_name(self, read: Read) -> None:
        text = "---\ncreated: 2024-03-02T08:10:00\n---\nUp.\n"
        assert brief(read({"2024-03-02.md": text})) == [("2024-03-02T08:10:00", "Up.")]

    def test_when_a_file_was_made_does_not_move_the_day_in_its_name(self, read: Read) -> None:
        text = "---\ncreated: 2024-03-09T08:10:00\n---\nUp.\n"
        assert brief(read({"2024-03-02.md": text})) == [("2024-03-02", "Up.")]

    def test_title_and_tags_are_kept(self, read: Read) -> None:
        text = "---\ntitle: The move\ntags: [home, '#berlin']\n---\nWe moved.\n"
        (item,) = items(read({"2024-03-02.md": text}))
        assert (item.title, item.labels, item.text) == ("The move", ("home", "berlin"), "We moved.")

    @pytest.mark.parametrize(
        "block",
        [
            "---\na: [\n---\n",
            "---\n- a list\n---\n",
            "---\ndate: 2024-13-45\n---\n",
            "---\nnever: closed\n",
            "---\na: &x {b: 1}\nc: {<<: *x}\n---\n",
            "---\na: " + "[" * 5000 + "\n---\n",
            "---\n\nA thought below a line.\n\n---\n",
        ],
    )
    def test_broken_properties_are_text(self, read: Read, block: str) -> None:
        assert brief(read({"2024-03-02.md": block + "Up."})) == [("2024-03-02", block + "Up.")]

    def test_a_note_that_keeps_its_words_in_properties_is_not_lost(self, read: Read) -> None:
        text = "---\ncreated: 2024-03-02\nfelt: much better today\n---\n"
        assert brief(read({"Mood.md": text})) == [
            ("2024-03-02", "created: 2024-03-02\nfelt: much better today")
        ]
        (found,) = read({"Mood.md": "---\ncreated: 2024-03-02\ntags: [a]\n---\n"})
        assert isinstance(found, Skipped)


class TestNotes:
    def test_a_note_is_undated_and_named_after_its_file(self, read: Read) -> None:
        (item,) = items(read({"vault/Books.md": "Emma, again.\n"}))
        assert (item.medium, item.moment.iso(), item.title, item.mine) == (
            "note",
            None,
            "Books",
            True,
        )
        assert item.key == f"diary:undated:{content_hash('Emma, again.')}"

    def test_a_lone_heading_is_skipped(self, read: Read) -> None:
        assert read({"Books.md": "# Books\n"}) == [
            Skipped("Books.md", "only a heading or properties")
        ]

    @pytest.mark.parametrize(
        ("written", "read_as"),
        [
            ("[[Emma]]", "Emma"),
            ("[[Emma|the book]]", "the book"),
            ("[[Emma\\|the book]]", "the book"),
            ("![[cat.png]]", "cat.png"),
            ("[[a [[b]] c]]", "a b c"),
            ("[[broken}]", "[[broken}]"),
            ("if [[ -f x ]]; then", "if [[ -f x ]]; then"),
            ("[a link](http://x)", "[a link](http://x)"),
        ],
    )
    def test_links_within_a_vault_read_as_words(self, written: str, read_as: str) -> None:
        assert readable_links(f"See {written}.") == f"See {read_as}."

    def test_nul_and_lone_surrogates_go_and_emoji_stay(self, read: Read) -> None:
        (item,) = items(read({"a.md": "one \x00two 🦊 \u200fשלום"}))
        assert item.text == "one two 🦊 \u200fשלום"

    @pytest.mark.parametrize("nul", [1, 40, 5000])
    def test_a_file_that_starts_with_nul_is_read_as_what_follows(
        self, read: Read, nul: int
    ) -> None:
        (item,) = read({"life.md": "\0" * nul + "## 2024-03-02\n\nUp early.\n"})
        assert isinstance(item, Item)
        assert (item.moment.iso(), item.text) == ("2024-03-02", "Up early.")
        (short,) = read({"2024-03-03.md": "\0" * nul + "Hi"})
        assert isinstance(short, Item)
        assert short.text == "Hi"

    def test_a_file_of_nul_alone_is_skipped_as_empty(self, read: Read) -> None:
        (found,) = read({"2024-03-02.md": "\0" * 5000})
        assert isinstance(found, Skipped)

    def test_a_binary_file_with_a_text_ending_is_skipped(self, member_of: MakeMember) -> None:
        (found,) = DIARY.read([member_of("a.md", b"\x00\x01\x02\x03" * 50)], Reading())
        assert found == Skipped("a.md", "no text, whatever its ending says")

    def test_an_endless_entry_is_cut_and_said_so(self, read: Read) -> None:
        found = read({"2024-03-02.md": "word " * 1_000_000})
        assert len(items(found)[0].text) < 4_000_001
        assert [type(one) for one in found] == [ImportProblem, Item]


class TestClaim:
    @pytest.mark.parametrize(
        ("files", "confidence"),
        [
            ({"2024-03-02.md": "x"}, 0.9),
            ({"life.md": "# Life\n\n## 1666-09-14\n\nUp.\n"}, 0.9),
            ({"Books.md": "Emma", "2024/03/02.txt": "x"}, 0.9),
            ({"Books.md": "---\ncreated: 2024-03-02\n---\nEmma"}, 0.7),
            ({"1666.md": "x"}, 0.7),
            ({"Books.md": "Emma"}, 0.5),
            ({"books.txt": "Emma"}, 0.3),
        ],
    )
    def test_days_make_it_sure(
        self, member_of: MakeMember, files: dict[str, str], confidence: float
    ) -> None:
        claim = DIARY.claim([member_of(path, text.encode()) for path, text in files.items()])
        assert claim is not None
        assert (claim.confidence, claim.paths) == (confidence, frozenset(files))

    @pytest.mark.parametrize(
        ("path", "text"),
        [
            ("a.html", "<p>x</p>"),
            ("a.json", "{}"),
            ("a.txt", "From a@x.org Sat Mar  2 08:10:00 2024\nFrom: a@x.org\nSubject: x\n\nHi"),
            ("a.txt", "From: a@x.org\nTo: b@x.org\nSubject: Hi\n\nHello"),
            ("a.txt", "[15-01-20 02:22:56] Mary: Hi\n[15-01-20 02:23:10] Tom: Ho\n"),
            ("a.txt", "12/30/21, 10:01 PM - Mary: Hi\n12/30/21, 10:02 PM - Tom: Ho\n"),
            ("a.txt", "a@x.org\nb@x.org\nc@x.org\nd@x.org\ne@x.org\n"),
            ("a.txt", "<!DOCTYPE html><html>"),
            ("a.txt", '{"a": 1}'),
            ("a.md", "\x00\x01\x02\x03"),
            ("logseq/bak/journals/2024_03_02.md", "an old copy"),
        ],
    )
    def test_what_is_no_diary_is_left_to_others(
        self, member_of: MakeMember, path: str, text: str
    ) -> None:
        assert DIARY.claim([member_of(path, text.encode())]) is None

    def test_an_undated_text_file_is_doubtful_beside_other_sources(
        self, member_of: MakeMember
    ) -> None:
        claim = DIARY.claim([member_of("a.txt", b"Emma"), member_of("b.md", b"Emma")])
        assert claim is not None
        assert claim.doubtful == {"a.txt"}
