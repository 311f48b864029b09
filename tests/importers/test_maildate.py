"""Dates of mail: what is written is read, what is impossible is no date."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.importers.maildate import day_in_name, moment_in


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("Mon, 5 Jan 2015 10:00:00 +0100", "2015-01-05T10:00:00+01:00"),
        ("Mon, 5 Jan 2015 10:00 +0100", "2015-01-05T10:00+01:00"),
        ("5 Jan 2015 10:00:00 -0000", "2015-01-05T10:00:00+00:00"),
        ("Mon, 5 Jan 15 10:00:00 GMT", "2015-01-05T10:00:00+00:00"),
        ("Mon, 5 Jan 98 10:00:00 EST", "1998-01-05T10:00:00-05:00"),
        ("Wed, 5 Jan 105 10:00:00 GMT", "2005-01-05T10:00:00+00:00"),
        ("Mon, 05 Jan 2015 10:00:00 +0200 (CEST)", "2015-01-05T10:00:00+02:00"),
        ("Mon, 05 Jan 2015 10:00:00 GMT+0200", "2015-01-05T10:00:00+02:00"),
        ("Mon, 05 Jan 2015 10:00:00", "2015-01-05T10:00:00"),
        ("Mon, 05 Jan 2015 10:00:00 Nowhere", "2015-01-05T10:00:00"),
        ("Wed 29 May 2019 06:09:22 PM EDT", "2019-05-29T18:09:22-04:00"),
        ("Monday, January 5, 2015 10:00 AM", "2015-01-05T10:00"),
        ("Mon Jan  5 10:00:00 2015", "2015-01-05T10:00:00"),
        ("Mon Jan  5 10:00:00 +0000 2015", "2015-01-05T10:00:00+00:00"),
        ("2015-01-05T10:00:00Z", "2015-01-05T10:00:00+00:00"),
        ("Mon, 5 Jan 2015", "2015-01-05"),
        ("Sat, 31 Dec 2016 23:59:60 +0000", "2016-12-31T23:59:59+00:00"),
        ("Fri, 21 Nov 1997 09(comment):   55  :  06 -0600", "1997-11-21T09:55:06-06:00"),
        ("Mon,\r\n 5 Jan 2015\r\n\t10:00:00 +0530", "2015-01-05T10:00:00+05:30"),
    ],
)
def test_a_date_is_read_at_its_precision_with_its_offset(written: str, right: str) -> None:
    moment = moment_in(written)
    assert moment is not None
    assert moment.iso() == right


@pytest.mark.parametrize(
    "written",
    [
        "Thu, 31 Feb 2015 10:00:00 +0000",
        "Mon, 5 Jan 2015 10:00:00 -9900",
        "Mon, 5 Jan 2015 10:00:00 +12345",
        "Mon, 5 Jan 2015 25:00:00 +0000",
        "Mon, 5 Foo 2015 10:00:00 +0000",
        "Thu, 1 Jan 1970 00:00:00 +0000",
        "Mon, 5 Jan 1920 10:00:00 +0000",
        "Mon, 5 Jan 2130 10:00:00 +0000",
        "Mon, 01 Jan 0001 00:00:00 +0000",
        "03/02/2015",
        "Whenever",
        "",
        "9" * 5000,
    ],
)
def test_what_cannot_be_a_mails_date_is_none(written: str) -> None:
    assert moment_in(written) is None


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("2015-03-02 Re plan.eml", "2015-03-02"),
        ("20150302-0001.eml", "2015-03-02"),
        ("2015-13-02.eml", None),
        ("1382298793.002018:2,", None),
        ("report 2015-03-02.eml", None),
    ],
)
def test_a_day_that_starts_a_file_name(name: str, right: str | None) -> None:
    moment = day_in_name(name)
    assert (moment.iso() if moment else None) == right


@given(st.text(alphabet=st.sampled_from("0123456789:+-, MonJafeb()GTZ."), max_size=60))
def test_no_text_raises(written: str) -> None:
    moment_in(written)
