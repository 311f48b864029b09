"""Events, tasks and journal entries of calendars."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.ics import ICS
from clone_app.importers.rules import spoken
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]


def calendar(*rows: str) -> str:
    return "\r\n".join(("BEGIN:VCALENDAR", "VERSION:2.0", *rows, "END:VCALENDAR", ""))


def event(*rows: str, kind: str = "VEVENT") -> str:
    return "\r\n".join((f"BEGIN:{kind}", *rows, f"END:{kind}"))


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that reads a calendar with these rows."""

    def read_calendar(*rows: str, me: str = "") -> list[Found]:
        members = [member_of("life.ics", calendar(*rows).encode())]
        claim = ICS.claim(members)
        assert claim is not None
        assert claim.confidence > 0.9
        return list(ICS.read(members, Reading(frozenset({me} if me else ()))))

    return read_calendar


def only(found: list[Found]) -> Item:
    (item,) = found
    assert isinstance(item, Item)
    return item


def test_an_event_says_all_that_is_known(read: Read) -> None:
    item = only(
        read(
            event(
                "UID:1@x",
                "DTSTAMP:20260101T000000Z",
                "DTSTART;TZID=Europe/Berlin:20240115T090000",
                "DTEND;TZID=Europe/Berlin:20240115T100000",
                "SUMMARY:Tea\\, with Ann",
                "LOCATION:The Harbour",
                "DESCRIPTION:Bring the\\n",
                "  letters.",
                'ATTENDEE;CN="Ann, B.":mailto:ann@b.org',
                "ATTENDEE:MAILTO:bob@b.org",
                "CATEGORIES:friends",
            )
        )
    )
    assert item == Item(
        key="1@x",
        medium="calendar",
        moment=item.moment,
        text="Tea, with Ann\nPlace: The Harbour\n\nBring the\n letters.",
        mine=True,
        locator="life.ics#1",
        title="Tea, with Ann",
        recipients=("Ann, B. <ann@b.org>", "bob@b.org"),
        labels=("friends",),
    )
    assert item.moment.iso() == "2024-01-15T09:00+01:00"


def test_an_event_of_a_day_is_known_to_the_day_and_its_last_day_is_told(read: Read) -> None:
    one, trip = read(
        event("SUMMARY:Birthday", "DTSTART;VALUE=DATE:20240701", "DTEND;VALUE=DATE:20240702"),
        event("SUMMARY:Trip", "DTSTART;VALUE=DATE:20240701", "DTEND;VALUE=DATE:20240704"),
    )
    assert isinstance(one, Item)
    assert isinstance(trip, Item)
    assert (one.moment.iso(), one.text) == ("2024-07-01", "Birthday")
    assert (trip.moment.iso(), trip.text) == ("2024-07-01", "Trip\nUntil: 2024-07-03")


@pytest.mark.parametrize(
    ("start", "zone", "moment"),
    [
        ("DTSTART:20240115T230000Z", "", "2024-01-15T23:00+00:00"),
        ("DTSTART:20240115T233000Z", "X-WR-TIMEZONE:Europe/Berlin", "2024-01-16T00:30+01:00"),
        ("DTSTART:20240115T090000", "X-WR-TIMEZONE:Europe/Berlin", "2024-01-15T09:00"),
        ("DTSTART;TZID=America/New_York:20240715T233000", "", "2024-07-15T23:30-04:00"),
        ("DTSTART;TZID=W. Europe Standard Time:20240715T090000", "", "2024-07-15T09:00+02:00"),
        ("DTSTART;TZID=/mozilla.org/20070129_1/Europe/Berlin:20240715T090000", "",
         "2024-07-15T09:00+02:00"),
        ("DTSTART;TZID=Nowhere:20240715T090000", "", "2024-07-15T09:00"),
        ("DTSTART:20240230T090000", "", None),
        ("X-NOTHING:1", "", None),
    ],
)  # fmt: skip
def test_an_event_keeps_the_clock_of_its_own_zone(
    read: Read, start: str, zone: str, moment: str | None
) -> None:
    rows = (zone, event("SUMMARY:Tea", start)) if zone else (event("SUMMARY:Tea", start),)
    assert only(read(*rows)).moment.iso() == moment


ZONE = """BEGIN:VTIMEZONE
TZID:Ours
BEGIN:STANDARD
DTSTART:16010101T030000
RRULE:FREQ={often};BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0530
TZOFFSETTO:+0430
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
RRULE:FREQ={often};BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:+0430
TZOFFSETTO:+0530
END:DAYLIGHT
END:VTIMEZONE""".replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("often", "moment"),
    [("YEARLY", "2024-07-15T09:00+05:30"), ("SECONDLY", "2024-07-15T09:00")],
)
def test_a_zone_the_file_defines_is_used_unless_it_was_made_to_hurt(
    read: Read, often: str, moment: str
) -> None:
    zone = ZONE.replace("{often}", often)
    item = only(read(zone, event("SUMMARY:Tea", "DTSTART;TZID=Ours:20240715T090000")))
    assert item.moment.iso() == moment


def test_an_event_that_repeats_is_one_item_that_says_how(read: Read) -> None:
    rule = "RRULE:FREQ=DAILY;COUNT=100000"
    first, moved = read(
        event("UID:1@x", "SUMMARY:Run", "DTSTART:20240101T070000", rule),
        event("UID:1@x", "SUMMARY:Run late", "DTSTART:20240103T090000",
              "RECURRENCE-ID:20240103T070000"),
    )  # fmt: skip
    assert isinstance(first, Item)
    assert isinstance(moved, Item)
    assert first.text == "Run\nRepeats: every day 100000 times"
    assert (first.labels, first.key) == (("repeats",), "1@x")
    assert (moved.key, moved.thread) == ("1@x/20240103T070000", "1@x")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=WEEKLY;BYDAY=MO,WE", "every week on Monday, Wednesday"),
        ("FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR", "every 3 months on the last Friday"),
        ("FREQ=YEARLY;UNTIL=20300101T000000Z", "every year until 2030-01-01"),
        ("FREQ=MONTHLY;BYDAY=+2TU", "every month on the second Tuesday"),
        ("FREQ=OFTEN", ""),
        ("", ""),
    ],
)
def test_a_rule_is_told_in_words(rule: str, words: str) -> None:
    assert spoken(rule) == words


@pytest.mark.parametrize(
    ("rows", "me", "mine"),
    [
        ((), "", True),
        (("ORGANIZER;CN=Ann:mailto:ann@b.org",), "", False),
        (("ORGANIZER;CN=Ann:mailto:ann@b.org",), "robin@x.org", False),
        (("ORGANIZER;CN=Robin:mailto:Robin@x.org",), "robin@x.org", True),
    ],
)
def test_an_event_is_mine_unless_somebody_else_called_it(
    read: Read, rows: tuple[str, ...], me: str, mine: bool
) -> None:
    assert only(read(event("SUMMARY:Tea", *rows), me=me)).mine is mine


def test_a_calendar_called_by_an_address_tells_whose_it_is(read: Read) -> None:
    item = only(
        read("X-WR-CALNAME:robin@x.org", event("SUMMARY:Tea", "ORGANIZER:mailto:robin@x.org"))
    )
    assert (item.mine, item.author) == (True, "robin@x.org")


def test_what_i_declined_and_what_was_cancelled_is_labelled(read: Read) -> None:
    item = only(
        read(
            event(
                "SUMMARY:Tea", "STATUS:CANCELLED", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@b.org",
                "ATTENDEE;PARTSTAT=DECLINED:mailto:robin@x.org",
            ),
            me="robin@x.org",
        )
    )  # fmt: skip
    assert item.labels == ("declined", "cancelled")


def test_html_in_a_description_becomes_text_and_attached_files_are_left(read: Read) -> None:
    item = only(
        read(
            event(
                "SUMMARY:Tea", "DESCRIPTION:<p>One &amp\\; two</p>three\\nfour",
                "ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA", " BBBB", "STATUS:CONFIRMED",
            )
        )
    )  # fmt: skip
    assert item.text == "Tea\n\nOne & two\n\nthree\nfour"


def test_tasks_and_journal_entries_are_kept_as_such(read: Read) -> None:
    task, entry = read(
        event("UID:1", "SUMMARY:Buy tea", "CREATED:20240102T080000Z", "DUE;VALUE=DATE:20240105",
              "STATUS:COMPLETED", kind="VTODO"),
        event("UID:2", "DESCRIPTION:It rained.", "DTSTART;VALUE=DATE:20240103", kind="VJOURNAL"),
    )  # fmt: skip
    assert isinstance(task, Item)
    assert isinstance(entry, Item)
    assert (task.medium, task.text) == ("task", "Buy tea\nDue: 2024-01-05")
    assert (task.moment.iso(), task.labels) == ("2024-01-02T08:00+00:00", ("completed",))
    assert (entry.medium, entry.text, entry.moment.iso()) == ("diary", "It rained.", "2024-01-03")


def test_a_bad_event_never_stops_the_next(read: Read) -> None:
    found = read(
        event("DTSTART:soon", "DURATION:long", "no colon", "RRULE:x"),
        event("SUMMARY:" + "x" * 1_100_000),
        event("SUMMARY:Tea", "DTSTART:20240101T070000"),
    )
    assert found[0] == Skipped("life.ics#1", "an event without words")
    assert found[1] == ImportProblem("life.ics#2", "is larger than any event")
    assert isinstance(found[2], Item)
    assert found[2].locator == "life.ics#3"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", Skipped("life.ics", "an empty file")),
        (b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", Skipped("life.ics", "no events in it")),
        (
            b"<html>Sign in</html>",
            ImportProblem("life.ics", "is no calendar, whatever its name says; export it again"),
        ),
        (
            b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Te",
            ImportProblem("life.ics#1", "breaks off in the middle; download or copy it again"),
        ),
    ],
)
def test_files_without_events_say_what_is_wrong(
    member_of: MakeMember, data: bytes, found: Found
) -> None:
    members = [member_of("life.ics", data)]
    assert ICS.claim(members) is not None
    assert list(ICS.read(members, Reading())) == [found]


def test_a_calendar_is_known_by_what_is_in_it(member_of: MakeMember) -> None:
    members = [
        member_of("calendar.txt", b"BEGIN:VCALENDAR\r\n"),
        member_of("notes.txt", b"BEGIN:VCARD\r\n"),
    ]
    claim = ICS.claim(members)
    assert claim is not None
    assert claim.paths == {"calendar.txt"}


ROWS = st.sampled_from(
    [
        "BEGIN:VEVENT", "END:VEVENT", "BEGIN:VTODO", "END:VTODO", "BEGIN:VTIMEZONE", "TZID:A",
        "END:VTIMEZONE", "BEGIN:VALARM", "END:VALARM", "BEGIN:", "DTSTART:20240101T000000",
        "DTSTART;TZID=A:20240101T000000", "DTSTART;VALUE=DATE:99999999", "DTEND:00010101",
        "DTSTART:99991231T235959Z", "X-WR-TIMEZONE:Pacific/Apia", "RRULE:FREQ=DAILY;UNTIL=x",
        "RECURRENCE-ID:x", "UID:\x00", "SUMMARY:a", "DESCRIPTION:<b>x", "CATEGORIES:,,", "ORGANIZER:",
        "ATTENDEE;CN=\":mailto:", "DUE:x", " folded", "STATUS;X=\"a:b\":CANCELLED", "RRULE:;;=",
        "DTSTART;VALUE=PERIOD:20240101T000000Z/PT1H", "DURATION:P", "EXDATE:x", "LOCATION;LANGUAGE=:",
    ]
)  # fmt: skip


@given(st.lists(ROWS | st.text(max_size=20), max_size=25))
def test_any_rows_are_read(member_of: MakeMember, rows: list[str]) -> None:
    text = calendar(*rows).encode("utf-8", "surrogatepass")
    for one in ICS.read([member_of("life.ics", text)], Reading()):
        assert isinstance(one, Item | ImportProblem | Skipped)
        if isinstance(one, Item):
            assert one.key
            assert one.text
            (one.text + one.key + one.title + one.author).encode()
