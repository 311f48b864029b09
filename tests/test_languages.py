"""Chinese, Japanese and Arabic sources import with their days and are found by their words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from clone_app.app import App
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeModels
from clone_app.progress import Progress

FILES = {
    "日记/2024-03-02.md": "早上去公园散步，遇见老同学。下午搬家到南京路。",
    "日记/2024年3月3日.txt": "今天下雨，在家读鲁迅的《野草》。",
    "聊天记录/小明/小明.txt": (
        "2021-08-13 22:11:18 小明\n明天去爬山吗？\n\n2021-08-13 22:11:26 我\n好，带上雨伞。\n\n"
    ),
    "日記/2024-03-04.md": "今日は図書館で勉強した。夕方、駅前でラーメンを食べた。",
    "يوميات/2024-03-05.md": "ذهبت اليوم إلى السوق مع أمي واشترينا تمراً.",
    "WhatsApp Chat with سارة.txt": (
        "\u200f١٦/٤/٢٠٢٤، ٨:١٠\u202fم - سارة: مساء الخير\n"
    ),
    "واتساب/WhatsApp Chat with ليلى.txt": (
        "[16/04/2024، 8:10:00 م] ليلى: نلتقي غداً في المقهى\n"
        "[16/04/2024، 8:11:00 م] Robin: تمام\n"
    ),
    "mail.eml": (
        "From: =?utf-8?b?546L6Iqz?= <wang@example.org>\nTo: robin@example.org\n"
        "Subject: =?gb18030?b?xOO6ww==?=\nMessage-ID: <1@example.org>\n"
        "Date: Sat, 2 Mar 2024 08:10:00 +0800\nContent-Type: text/plain; charset=gb18030\n"
        "Content-Transfer-Encoding: 8bit\n\n"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    home = tmp_path_factory.mktemp("life")
    for name, text in FILES.items():
        place = home / "drop" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        if name == "mail.eml":
            data += "周末一起吃火锅吧。".encode("gb18030")
        place.write_bytes(data)
    app = App(
        home / "profile",
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        shelf=FakeModels(),
        vault=MemoryVault(working=False),
    )
    app.create("correct horse battery", home_zone="Asia/Shanghai")
    app.import_(home / "drop", me=["Robin"], vectors=False, progress=Progress())
    yield app
    app.close()


def test_every_file_became_an_entry_on_its_day(app: App) -> None:
    days = {one.item.locator.split("#")[0]: one.item.moment.iso() for one in app.items()}
    assert days == {
        "日记/2024-03-02.md": "2024-03-02",
        "日记/2024年3月3日.txt": "2024-03-03",
        "日記/2024-03-04.md": "2024-03-04",
        "يوميات/2024-03-05.md": "2024-03-05",
        "聊天记录/小明/小明.txt": "2021-08-13T22:11:26",
        "WhatsApp Chat with سارة.txt": "2024-04-16T20:10",
        "واتساب/WhatsApp Chat with ليلى.txt": "2024-04-16T20:11:00",
        "mail.eml": "2024-03-02T08:10:00+08:00",
    }


@pytest.mark.parametrize(
    ("words", "locator"),
    [
        ("散步", "日记/2024-03-02.md"),
        ("搬家", "日记/2024-03-02.md"),
        ("鲁迅", "日记/2024年3月3日.txt"),
        ("爬山", "聊天记录/小明/小明.txt#1"),
        ("雨伞", "聊天记录/小明/小明.txt#4"),
        ("火锅", "mail.eml"),
        ("図書館", "日記/2024-03-04.md"),
        ("ラーメン", "日記/2024-03-04.md"),
        ("السوق", "يوميات/2024-03-05.md"),
        ("المقهى", "واتساب/WhatsApp Chat with ليلى.txt#1"),
    ],
)
def test_a_word_of_two_letters_or_more_finds_its_entry(app: App, words: str, locator: str) -> None:
    assert [hit.item.locator for hit in app.search(words)][:1] == [locator]


def test_whose_words_they_are_is_known_in_any_script(app: App) -> None:
    mine = {one.item.locator: one.item.mine for one in app.items()}
    assert mine["聊天记录/小明/小明.txt#4"]
    assert not mine["聊天记录/小明/小明.txt#1"]
    assert mine["واتساب/WhatsApp Chat with ليلى.txt#2"]
    assert not mine["واتساب/WhatsApp Chat with ليلى.txt#1"]
    assert not mine["mail.eml"]
    (mail,) = (one.item for one in app.items() if one.item.medium == "mail")
    assert (mail.author, mail.title) == ("王芳 <wang@example.org>", "你好")
