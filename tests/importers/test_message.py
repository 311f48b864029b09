"""One mail becomes one item: whose words, when, to whom, under which key."""

from __future__ import annotations

import base64
import time
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Moment, Precision
from clone_app.importers.message import Origin, looks_like_mail, read_message
from clone_app.protocols import Reading

BASE = "From: Robin Weber <robin@example.org>\nTo: Me <me@example.org>\n"
DATED = BASE + "Date: Mon, 5 Jan 2015 10:00:00 +0100\nMessage-ID: <1@example.org>\nSubject: Tea\n"


def read(
    message: str | bytes,
    *,
    path: str = "1.eml",
    posted: Moment | None = None,
    me: str = "me@example.org",
) -> Item:
    data = message.encode() if isinstance(message, str) else message
    found = read_message(data, Origin(path, path, posted), reading=Reading(frozenset({me})))
    assert isinstance(found, Item), found
    return found


def multipart(kind: str, *parts: str) -> str:
    head = f'{DATED}MIME-Version: 1.0\nContent-Type: multipart/{kind}; boundary="=-="\n\n'
    return head + "".join(f"--=-=\n{part}\n" for part in parts) + "--=-=--\n"


def plain(text: str, *, head: str = "") -> str:
    return f"Content-Type: text/plain; charset=utf-8\n{head}\n{text}\n"


NESTED = DATED.encode() + b"".join(
    b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(300)
)


def html(text: str) -> str:
    return f"Content-Type: text/html; charset=utf-8\n\n{text}\n"


def test_a_mail_tells_who_wrote_what_when_to_whom() -> None:
    assert read(DATED + "Cc: Kim <kim@example.org>\n\nTea at five?\n\n-- \nRobin\n") == Item(
        key="1@example.org",
        medium="mail",
        moment=Moment(datetime(2015, 1, 5, 10), Precision.SECOND, timedelta(hours=1)),
        text="Tea at five?",
        mine=False,
        locator="1.eml",
        author="Robin Weber <robin@example.org>",
        title="Tea",
        recipients=("Me <me@example.org>", "Kim <kim@example.org>"),
        thread="1@example.org",
        context="\n--\nRobin",
        labels=(),
    )


# Whose words


@pytest.mark.parametrize("me", ["robin@example.org", "robin weber"])
def test_mine_by_the_senders_address_or_name(me: str) -> None:
    assert read(DATED + "\nx", me=me).mine


def test_mine_by_a_sent_folder_or_label_in_any_language() -> None:
    assert read(DATED + "\nx", path="Gesendet/1.eml").mine
    labels = "X-Gmail-Labels: =?UTF-8?Q?Envoy=C3=A9s,Important?=\n"
    item = read(DATED + labels + "\nx")
    assert item.mine
    assert item.labels == ("Sent", "Important")


def test_never_mine_by_guess() -> None:
    assert not read(DATED + "\nx").mine
    assert not read("Subject: Tea\nTo: me@example.org\n\nx").mine


def test_drafts_spam_trash_and_chats_stay_labels() -> None:
    item = read(DATED + "X-Gmail-Labels: Drafts,Spam,Trash,Chats\n\nx")
    assert item.labels == ("Drafts", "Spam", "Trash", "Chats")


def test_only_the_new_words_of_a_reply_are_text() -> None:
    body = "Dienstag passt.\n\nAm 05.01.2015 um 09:00 schrieb Kim:\n> Passt Dienstag?\n"
    item = read(DATED + "\n" + body)
    assert item.text == "Dienstag passt."
    assert item.context == "\nAm 05.01.2015 um 09:00 schrieb Kim:\n> Passt Dienstag?"


def test_only_a_quotation_is_still_an_item() -> None:
    item = read(DATED + "\n> Passt Dienstag?\n")
    assert (item.text, item.context) == ("", "> Passt Dienstag?")


# When


@pytest.mark.parametrize(
    "date",
    [
        "Date: Thu, 31 Feb 2015 10:00:00 +0000\n",
        "Date: Mon, 5 Jan 2015 10:00:00 -9900\n",
        "Date: Mon, 5 Jan 1915 10:00:00 +0000\n",
        "Date:\n",
        "",
    ],
)
def test_without_a_possible_date_the_topmost_sensible_received_line_counts(date: str) -> None:
    received = (
        "Received: from a by b; nonsense\n"
        "Received: from b by c\n (x); Tue, 6 Jan 2015 08:00:00 +0000\n"
        "Received: from c by d; Mon, 5 Jan 2015 07:59:00 +0000\n"
    )
    item = read(received + BASE + date + "\nx")
    assert item.moment.iso() == "2015-01-06T08:00:00+00:00"
    assert item.labels == ("date:received",)


def test_then_the_mboxs_line_then_the_file_name_then_undated() -> None:
    posted = Moment(datetime(2015, 1, 7, 9), Precision.SECOND)
    assert read(BASE + "\nx", posted=posted).moment == posted
    assert read("From a@b Wed Jan  7 09:00:00 2015\n" + BASE + "\nx").moment == posted
    named = read(BASE + "\nx", path="2015-01-08 Tea.eml")
    assert (named.moment.iso(), named.labels) == ("2015-01-08", ("date:filename",))
    missing = read(BASE + "\nx")
    assert (missing.moment, missing.labels) == (Moment.unknown(), ("undated:missing",))
    assert read(BASE + "Date: Whenever\n\nx").labels == ("undated:unreadable",)


# Under which key


@pytest.mark.parametrize(
    ("header", "key"),
    [
        ("<1@example.org>", "1@example.org"),
        ("<[a]@x>", "[a]@x"),
        ("< 1@example.org >", "1@example.org"),
        ("<1@\n example.org>", "1@example.org"),
        ("1@example.org", "1@example.org"),
        ("<1@example.org> (added by x)", "1@example.org"),
    ],
)
def test_the_key_is_the_message_id_without_its_brackets(header: str, key: str) -> None:
    assert read(f"{BASE}Message-ID: {header}\n\nx").key == key


@pytest.mark.parametrize("header", ["", "Message-ID:\n", "Message-ID: <>\n"])
def test_without_an_id_the_key_is_day_and_content_wherever_the_mail_lies(header: str) -> None:
    dated = BASE + header + "Date: Mon, 5 Jan 2015 10:00:00 +0100\n"
    key = read(dated + "\nx", path="a/1.eml").key
    assert key.startswith("mail:2015-01-05:")
    assert read("From x Mon Jan  5 10:00:00 2015\n" + dated + "\nx", path="b/2.eml").key == key
    assert read(dated + "\ny").key != key
    assert read(BASE + header + "\nx").key.startswith("mail:undated:")


def test_same_text_by_another_way_is_the_same_and_other_text_is_not() -> None:
    one = read("Received: by a; Mon, 5 Jan 2015 10:00:00 +0100\n" + multipart("mixed", plain("Hi")))
    other = read(multipart("mixed", plain("Hi")).replace("=-=", "another"))
    assert (one.key, one.body_hash()) == (other.key, other.body_hash())
    assert read(multipart("mixed", plain("Ho"))).body_hash() != one.body_hash()


def test_the_thread_is_the_root_of_the_references_else_what_is_answered_else_oneself() -> None:
    assert read(DATED + "References: <a@x>\n <b@x>\nIn-Reply-To: <b@x>\n\nx").thread == "a@x"
    assert read(DATED + "In-Reply-To: Robin's message <b@x>\n\nx").thread == "b@x"
    assert read(DATED + "\nx").thread == "1@example.org"


# Headers and charsets


def test_encoded_headers_are_read() -> None:
    item = read(
        "From: =?utf-8?Q?J=C3=B6rg?= <j@x.org>\nTo: =?utf-8?B?S8OkdGhl?= <k@x.org>\n"
        "Subject: =?utf-8?Q?Caf=C3?=\n =?utf-8?Q?=A9?=\n\nx"
    )
    assert (item.author, item.recipients, item.title) == (
        "Jörg <j@x.org>",
        ("Käthe <k@x.org>",),
        "Café",
    )


def test_an_unknown_charset_is_read() -> None:
    data = DATED.encode() + b"Content-Type: text/plain; charset=unknown-8bit\n\ncaf\xe9\n"
    assert read(data).text == "café"


def test_quoted_printable_base64_and_flowed_text_are_read() -> None:
    quoted = (
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n"
    )
    assert read(DATED + quoted + "\ncaf=C3=A9 =\nau lait").text == "café au lait"
    packed = base64.b64encode("café".encode()).decode()
    coded = quoted.replace("quoted-printable", "base64")
    assert read(f"{DATED}{coded}\n{packed}").text == "café"
    flowed = "Content-Type: text/plain; charset=utf-8; format=flowed\n"
    assert read(DATED + flowed + "\nOne long \nline.\n> and \n> a quote\n").text == "One long line."


# Parts


def test_html_only_mail_keeps_its_paragraphs_and_its_date() -> None:
    page = "<html><body><p>Dear Kim,</p><p>see <a href='http://x'>this</a>.</p></body></html>"
    item = read(DATED + html(page))
    assert item.text == "Dear Kim,\n\nsee this."
    assert item.moment.iso() == "2015-01-05T10:00:00+01:00"


def test_a_quotation_in_html_is_context() -> None:
    page = "<div>Yes.</div><div>On 5 Jan 2015, Kim wrote:</div><blockquote>Tea?</blockquote>"
    item = read(DATED + html(page))
    assert item.text == "Yes."
    assert "> Tea?" in item.context


def test_of_two_versions_the_plain_one_is_taken() -> None:
    assert read(multipart("alternative", plain("Plain."), html("<p>Rich.</p>"))).text == "Plain."


@pytest.mark.parametrize(
    "stub", ["", "  \n", "Your mail program does not show HTML.", "View in browser"]
)
def test_unless_it_is_empty_or_a_stub(stub: str) -> None:
    page = html("<p>The rich text is what was written here, at length, for a patient reader.</p>")
    item = read(multipart("alternative", plain(stub), page))
    assert item.text.startswith("The rich text")


def test_a_short_plain_text_that_mentions_html_stays_if_the_rich_one_says_the_same() -> None:
    words = "I learn HTML now."
    assert read(multipart("alternative", plain(words), html(f"<p>{words}</p>"))).text == words


def test_attachments_are_named_and_the_text_of_txt_and_ics_is_context() -> None:
    item = read(
        multipart(
            "mixed",
            plain("See attached."),
            plain("buy cheese", head='Content-Disposition: attachment; filename="list.txt"\n'),
            'Content-Type: text/calendar; name="tea.ics"\n\nSUMMARY:Tea\n',
            'Content-Type: application/pdf; name="C:\\docs\\plan.pdf"\n'
            "Content-Transfer-Encoding: base64\n\nAAAA\n",
            "Content-Type: image/png\nContent-ID: <logo>\n\nAAAA\n",
        )
    )
    assert item.text == "See attached."
    assert item.labels == ("attachment:list.txt", "attachment:tea.ics", "attachment:plan.pdf")
    assert item.context == "Attachment list.txt:\nbuy cheese\n\nAttachment tea.ics:\nSUMMARY:Tea"


def test_only_an_attachment_is_still_an_item() -> None:
    item = read(DATED + 'Content-Type: application/pdf; name="plan.pdf"\n\nAAAA\n')
    assert (item.text, item.labels) == ("", ("attachment:plan.pdf",))


def test_a_message_within_the_message_is_context_with_its_own_header() -> None:
    inner = "Content-Type: message/rfc822\n\nFrom: Kim <k@x.org>\nSubject: Old\n\nHer words.\n"
    item = read(multipart("mixed", plain("FYI"), inner))
    assert item.text == "FYI"
    assert item.context == "Forwarded message:\nFrom: Kim <k@x.org>\nSubject: Old\n\nHer words."


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (
            multipart("encrypted", "Content-Type: application/octet-stream\n\nhQEMA7bSecretBlob\n"),
            "[encrypted message]",
        ),
        (
            DATED + "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nhQEMA7b",
            "[encrypted message]",
        ),
        (
            DATED + "Content-Type: application/pkcs7-mime; smime-type=signed-data\n\nhQEMA7b",
            "[signed message]",
        ),
        (
            DATED + "\n-----BEGIN PGP MESSAGE-----\n\nhQEMA7b\n-----END PGP MESSAGE-----\n",
            "[encrypted message]",
        ),
    ],
)
def test_sealed_bodies_are_named_and_not_indexed_as_words(message: str, name: str) -> None:
    item = read(message)
    assert item.text == name
    assert "hQEMA7b" not in item.text + item.context
    assert read(message.replace("hQEMA7b", "hQEMA8c")).body_hash() != item.body_hash()


def test_what_is_only_signed_stays_readable() -> None:
    signature = "Content-Type: application/pgp-signature\n\n-----BEGIN PGP SIGNATURE-----\niQ\n"
    item = read(multipart("signed", plain("I promise."), signature))
    assert (item.text, item.context, item.labels) == ("I promise.", "", ())
    inline = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nI promise.\n- -- \nR\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----\n"
    )
    item = read(DATED + "\n" + inline)
    assert (item.text, item.context) == ("I promise.", "--\nR")


def test_files_written_into_the_text_are_named_and_left_out() -> None:
    item = read(DATED + "\nSee this.\nbegin 644 cat.gif\nM9V%R8F%G90\n`\nend\nBye\n")
    assert (item.text, item.labels) == ("See this.\nBye", ("attachment:cat.gif",))


def test_a_packed_message_within_the_message_is_unpacked() -> None:
    packed = base64.b64encode(b"From: k@x.org\n\nHer words.\n").decode()
    inner = f"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{packed}\n"
    assert "Her words." in read(multipart("mixed", plain("FYI"), inner)).context


@pytest.mark.parametrize("charset", ["a*b", "\x00", "utf-8\xff", "idna", "*0*=utf-8''x", ""])
def test_no_name_of_a_charset_makes_a_mail_unreadable(charset: str) -> None:
    data = f'{DATED}Content-Type: text/plain; charset="{charset}"\n\ncaf\xe9\n'.encode("latin-1")
    assert read(data).text == "café"


@pytest.mark.parametrize("kind", ["multipart/mixed", 'multipart/mixed; boundary="wrong"'])
def test_a_lost_boundary_is_found_again(kind: str) -> None:
    body = "--real\nContent-Type: text/plain\n\nHello\n--real--\n"
    assert read(f"{DATED}Content-Type: {kind}\n\n{body}").text == "Hello"


def test_a_message_cut_off_in_the_middle_keeps_what_is_there() -> None:
    whole = multipart(
        "mixed", plain("See attached."), "Content-Type: image/png; name=a.png\n\nAAAA"
    )
    assert read(whole[: whole.index("AAAA")]).text == "See attached."
    assert read(DATED[:-8]).title == ""


# What is none, and what is wrong


@pytest.mark.parametrize(
    "data", [b"", b"\x00\x01\x02", b"just words", b"<html><p>x", b"\xff" * 100]
)
def test_what_is_no_mail_is_a_problem_with_a_place_and_a_way_out(data: bytes) -> None:
    found = read_message(data, Origin("a.eml", "a.eml"), reading=Reading())
    assert isinstance(found, ImportProblem)
    assert found.locator == "a.eml"
    assert "export it again" in found.reason


@pytest.mark.parametrize(
    ("head", "right"),
    [
        (b"From: a\nSubject: b\n\nx", True),
        (b"X-Foo: 1\n folded\nReceived: x\nDATE: y\n\n", True),
        (b"From a@b Mon Jan  5 10:00:00 2015\r\nFrom: a\r\nTo: b\r\n\r\n", True),
        (b"Subject: only one\n\nDate: in the body\nFrom: too", False),
        (b"# Title\nDate: 2015\nFrom: me", False),
        (b"---\nDate: 2015\nFrom: me\n---\n", False),
        (b"Dear Robin,\n\nFrom: x\nTo: y", False),
        (b"", False),
    ],
)
def test_a_mail_is_recognised_by_two_of_its_headers(head: bytes, right: bool) -> None:
    assert looks_like_mail(head) is right


def test_parts_nested_a_thousand_deep_are_a_problem_or_an_item_and_never_a_crash() -> None:
    head = "".join(
        f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(2_000)
    )
    found = read_message((DATED + head + "\nx").encode(), Origin("a", "a"), reading=Reading())
    assert isinstance(found, Item | ImportProblem)


@pytest.mark.parametrize(
    "data",
    [
        DATED.encode() + b"\n" + b"x" * 10_000_000,
        DATED.encode() + b"Content-Type: text/html\n\n" + b"<div>" * 100_000 + b"deep",
        b"Subject: " + b"[" * 100_000 + b"\nFrom: " + b"(" * 100_000 + b"\n\nx",
        b"Subject: " + b"a" * 10_000_000 + b"\nFrom: x\n\nx",
        b"From: x\nContent-Type: a/b" + b"; a=b" * 100_000 + b"\n\nx",
        b"From: x\nTo: " + b"a@b.c, " * 100_000 + b"\n\nx",
        DATED.encode() + b"Content-Type: text/plain; format=flowed\n\n" + b"soft line \n" * 500_000,
        DATED.encode() + b"\n" + b"begin 644 x\n" * 200_000,
        NESTED + b"\n" + b"some words in a line\n" * 200_000,
        DATED.encode() + b"\n" + b"-----BEGIN PGP MESSAGE-----\n" * 100_000,
    ],
    ids=[
        "long line",
        "deep html",
        "brackets",
        "long subject",
        "options",
        "people",
        "flowed",
        "uu",
        "nested",
        "pgp",
    ],
)
def test_large_and_senseless_messages_finish_quickly(data: bytes) -> None:
    started = time.perf_counter()
    read(data)
    assert time.perf_counter() - started < 20


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    for before in (b"", DATED.encode() + b"\n", b"From: x\nContent-Type: "):
        found = read_message(before + data, Origin("a", "a"), reading=Reading())
        assert isinstance(found, Item | ImportProblem)


SAMPLE = multipart(
    "mixed",
    plain("Ja =?utf-8?q?=C3?= gern.\n> Tee?\n-- \nR"),
    html("<p>x</p>"),
    "Content-Type: message/rfc822\n\nFrom: k@x\n\nHer words.\n",
    "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\nAAAA\n",
).encode()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(SAMPLE)), st.integers(0, 30), st.binary(max_size=12)),
        max_size=6,
    )
)
def test_no_mutation_of_a_message_raises(cuts: list[tuple[int, int, bytes]]) -> None:
    data = SAMPLE
    for place, length, put in cuts:
        data = data[:place] + put + data[place + length :]
    found = read_message(data, Origin("a", "a"), reading=Reading())
    if isinstance(found, Item):
        "\n".join((found.key, found.text, found.context, found.title, found.author)).encode("utf-8")
        assert "\x00" not in found.text + found.context
