"""What the author wrote is told from what they quote, forward and sign with."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.importers.reply import Reply, split

ANNOUNCED = {
    "de, Thunderbird": "Am 05.01.2024 um 10:00 schrieb Robin Weber:",
    "de, Gmail": "Am Fr., 5. Jan. 2024 um 10:00 Uhr schrieb Robin <robin@example.org>:",
    "de, plain": "Am Freitag schrieb Robin:",
    "de, wrapped": "Am Fr., 5. Jan. 2024 um 10:00 Uhr schrieb Robin Weber <\nrobin@example.org>:",
    "en, Gmail": "On Fri, Jan 5, 2024 at 10:00 AM Robin <robin@example.org> wrote:",
    "en, wrapped": "On Fri, Jan 5, 2024 at 10:00 AM Robin Weber <robin@example.org>\nwrote:",
    "en, mutt": "Robin <robin@example.org> writes:",
    "en, Apple": "On 5 Jan 2024, at 10:00, Robin wrote:",
    "fr": "Le ven. 5 janv. 2024 à 10:00, Robin <robin@example.org> a écrit\xa0:",
    "es": "El vie, 5 ene 2024 a las 10:00, Robin (<robin@example.org>) escribió:",
    "it": "Il giorno ven 5 gen 2024 alle 10:00 Robin <robin@example.org> ha scritto:",
    "pt": "Em sex., 5 de jan. de 2024 às 10:00, Robin <robin@example.org> escreveu:",
    "nl": "Op vr 5 jan 2024 om 10:00 schreef Robin <robin@example.org>:",
    "ru": '05.01.2024 10:00 пользователь "Robin" <\nrobin@example.org> написал:',
    "zh, Gmail": "张三 <zhang@example.org> 于2024年1月5日周五 10:30写道：",
    "zh, NetEase": '在 2024-01-05 10:30:00，"张三" <zhang@example.org> 写道：',
    "ja, Gmail": "2024年1月5日(金) 10:30 山田太郎 <taro@example.org>:",
    "ja, Apple": "2024/01/05 10:30、山田太郎 <taro@example.org>のメール:",
}
HEADERS = {
    "en": "From: Robin <robin@example.org>\nSent: Friday, January 5, 2024\nTo: Me\nSubject: Tea",
    "en, starred": "*From:* Robin <robin@example.org>\n*Sent:* Friday\n*To:* Me\n*Subject:* Tea",
    "de": "Von: Robin <robin@example.org>\nGesendet: Freitag, 5. Januar\nAn: Ich\nBetreff: Tee",
    "fr": "De\xa0: Robin <robin@example.org>\nEnvoyé\xa0: vendredi\nÀ\xa0: Moi\nObjet\xa0: Thé",
    "es": "De: Robin <robin@example.org>\nEnviado el: viernes\nPara: Yo\nAsunto: Té",
    "zh": "发件人: 张三 <zhang@example.org>\n发送时间: 2024年1月5日\n收件人: 我\n主题: 茶",
    "ja": "差出人: 山田 <taro@example.org>\n送信日時: 2024年1月5日\n宛先: 私\n件名: お茶",
    "ruled": "____________________\nFrom: Robin <r@x.org>\nSent: Friday\nTo: Me\nSubject: Tea",
    "separator": "-----Original Message-----\nFrom: Robin",
    "separator, de": "-----Ursprüngliche Nachricht-----\nVon: Robin",
    "separator, zh": "------------------ 原始邮件 ------------------\n发件人: 张三",
    "forward": "---------- Forwarded message ---------\nFrom: Robin <r@x.org>",
    "forward, Apple": "Begin forwarded message:\n\nFrom: Robin",
}


@pytest.mark.parametrize("announcement", ANNOUNCED.values(), ids=ANNOUNCED)
def test_an_announced_quotation_is_not_the_authors(announcement: str) -> None:
    body = f"Dienstag passt.\n\n{announcement}\n\n> Passt Dienstag?\n> Robin\n"
    reply = split(body)
    assert reply.own == "Dienstag passt."
    assert reply.quoted == f"\n{announcement}\n\n> Passt Dienstag?\n> Robin"


@pytest.mark.parametrize(
    "announcement", [text for name, text in ANNOUNCED.items() if name not in {"de, plain", "ru"}]
)
def test_a_quotation_without_marks_ends_the_authors_words(announcement: str) -> None:
    assert (
        split(f"Dienstag passt.\n\n{announcement}\n\nPasst Dienstag?\nRobin").own
        == "Dienstag passt."
    )


@pytest.mark.parametrize("block", HEADERS.values(), ids=HEADERS)
def test_a_block_of_headers_ends_the_authors_words(block: str) -> None:
    reply = split(f"Tuesday works.\nM\n\n{block}\n\nDoes Tuesday suit you?\n")
    assert reply.own == "Tuesday works.\nM"
    assert reply.quoted.endswith("Does Tuesday suit you?")


def test_a_forwarded_mail_without_a_word_of_ones_own_is_all_context() -> None:
    reply = split("---------- Forwarded message ---------\nFrom: R <r@x.org>\n\nHello")
    assert reply.own == ""
    assert reply.quoted.endswith("Hello")


def test_replies_between_quoted_lines_keep_each_own_line() -> None:
    body = (
        "Hi Robin,\n\n> Tuesday?\nYes.\n> At eight?\n\nRather nine.\nI bring cake.\n\n> Fine\n\nBye"
    )
    assert split(body) == Reply(
        "Hi Robin,\nYes.\n\nRather nine.\nI bring cake.\n\nBye",
        "\n> Tuesday?\n> At eight?\n\n> Fine",
    )


def test_a_reply_below_the_quotation_is_the_authors() -> None:
    assert split("On 04/02/2012 06:26 PM, Megan wrote:\n> Hi\nHello").own == "Hello"


@pytest.mark.parametrize(
    "signature",
    [
        "-- \nRobin\nTel. 123",
        "--\nRobin\nTel. 123",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Gesendet von Mail für Windows",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "发自我的iPhone",
        "iPhoneから送信",
        "Get Outlook for Android<https://aka.ms/x>",
        "_______________________________________________\ntea mailing list\ntea@example.org",
    ],
)
def test_signatures_are_context(signature: str) -> None:
    assert split(f"Hello\nagain\n\n{signature}\n") == Reply(
        "Hello\nagain", f"\n{signature.replace('-- ', '--')}"
    )


@pytest.mark.parametrize(
    "body",
    [
        "From Paris we take the train.\nFrom there: a bus.",
        "I need:\n- milk\n- bread\n\nThis is what I wrote:\nbuy cheese",
        "On Monday I went to the doctor.\n\nHe said: rest.",
        "Here is the original message:\nbuy cheese",
        "Date with Kim was nice.\nTo: do\n\nsee you",
        "One\n----------------------------------------\nTwo",
        "Sent from Berlin with love, because I could not find words for this when we met there.",
        "a > b",
        "",
    ],
)
def test_words_of_ones_own_that_look_like_a_quotation_stay(body: str) -> None:
    assert split(body) == Reply(body, "")


def test_two_bodies_that_differ_in_blank_lines_stay_two() -> None:
    assert split("Hello\n\n\n\n-- \nR") != split("Hello\n\n-- \nR")


def test_line_ends_of_all_kinds_read_the_same() -> None:
    body = "Yes.\n\nOn 5 Jan 2024, at 10:00, Robin wrote:\n> Tea?\n"
    assert split(body) == split(body.replace("\n", "\r\n")) == split(body.replace("\n", "\r"))


@pytest.mark.parametrize(
    "body",
    [
        "x" * 10_000_000,
        "> a quoted line of words\n" * 400_000,
        "a line of words as long as one writes them\n" * 230_000,
        "On 2024-01-01 a:\n" * 300_000,
        "From: a\n" * 600_000,
        "____________________\nFrom: \n" * 150_000,
        ("On " + "a " * 220 + "2024-01-01:\n") * 5_000,
        "--\n" * 1_000_000,
        "[" * 100_000,
    ],
    ids=["one line", "quoted", "own", "colons", "headers", "rules", "long", "dashes", "brackets"],
)
def test_ten_megabytes_take_linear_time(body: str) -> None:
    started = time.perf_counter()
    split(body)
    assert time.perf_counter() - started < 30


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*ANNOUNCED.values(), *HEADERS.values(), "", "> q", "own", "-- ", "--", "a:", "_" * 30]
        ),
        max_size=12,
    )
)
def test_no_word_of_a_body_is_lost(lines: list[str]) -> None:
    body = "\n".join(lines)
    reply = split(body)
    assert sorted((reply.own + "\n" + reply.quoted).split()) == sorted(body.split())


def test_an_answer_above_the_first_quoted_line_is_own_where_only_a_greeting_precedes() -> None:
    body = (
        "Femi,\n\nOn Mon, 19 Aug 2024 at 21:48, Femi O. <femi@example.net> wrote:\n\n"
        "No, thank you. It took me four seconds.\n\n"
        "> you told me that you'd crawl\n\nI did, and I would've.\n\nM\n"
    )
    reply = split(body)
    assert "It took me four seconds." in reply.own
    assert "I did, and I would've." in reply.own
    assert "you'd crawl" not in reply.own


def test_unmarked_words_below_an_announcement_are_the_others_where_the_author_wrote_above() -> None:
    body = (
        "Thank you, that suits me well and I will be there at ten.\n\n"
        "On Mon, 19 Aug 2024 at 21:48, Femi O. <femi@example.net> wrote:\n\n"
        "Can you come on Tuesday?\n\n> older words\n"
    )
    assert split(body).own == "Thank you, that suits me well and I will be there at ten."
