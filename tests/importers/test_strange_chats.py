"""Chats made to hurt cost little time and memory, and an answer finds its way to its importer."""

from __future__ import annotations

import json
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.archive import open_tree
from clone_app.importers.discord import DISCORD
from clone_app.importers.facebook import FACEBOOK_EXPORT
from clone_app.importers.instagram import INSTAGRAM_EXPORT
from clone_app.importers.recognise import preview, read_all, recognise
from clone_app.importers.signal import SIGNAL
from clone_app.importers.slack import SLACK
from clone_app.importers.telegram import TELEGRAM
from clone_app.importers.wechat import WECHAT
from clone_app.importers.whatsapp import ORDER, WHATSAPP
from clone_app.progress import Progress
from clone_app.protocols import Importer, Member, Reading

MakeMember = Callable[[str, bytes], Member]
ALL: tuple[Importer, ...] = (
    WHATSAPP, WECHAT, TELEGRAM, FACEBOOK_EXPORT, INSTAGRAM_EXPORT, DISCORD, SLACK, SIGNAL,
)  # fmt: skip
BEGIN = b"17/01/20, 08:10 - Ann: "
TEXT = b'{"messages":[{"sender_name":"a","timestamp_ms":1,"content":"'


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("chat.txt", b"1" * 3_000_000),
        ("chat.txt", b"17/01/20 " * 300_000),
        ("chat.txt", b"[17/01/20, 08:10] " + b":" * 3_000_000),
        ("chat.txt", (BEGIN + b"\n") * 20_000),
        ("chat.txt", BEGIN + b"<" * 3_000_000),
        ("chat.txt", BEGIN + b"<a: " * 700_000),
        ("chat.txt", BEGIN + b"\xe2\x80\x8e" * 1_000_000),
        ("chat.txt", (BEGIN + b"a." * 150 + b"(" * 30 + b"\n") * 2_000),
        ("chat.txt", BEGIN + b"\n" * 400_000),
        ("chat.md", b"[2024-01-17 15:20:11] " + b"a" * 3_000_000),
        ("chat.md", b"[2024-01-17 15:20:11] Me: " + b"[](" * 500_000),
        ("chat.md", b"[2024-01-17 15:20:11] Me: " + b"(( " * 500_000),
        ("chat.md", b"[2024-01-17 15:20:11] Me: " + b"(- : " * 500_000),
        ("chat.md", b"[2024-01-17 15:20:11] Me: \n" + b"> x\n" * 100_000),
        ("wechat/a.html", b"chatMessages" + b"{ type:1, text: '" * 100_000),
        ("wechat/a.html", b"chatMessages" + b"{ type:1, text: ''," + b"a:'{" * 500_000),
        ("wechat/a.html", b'<div class="msg chat-left">' * 100_000),
        ("wechat/a.html", b'<div class="msg chat-left"><span class="name-left">a</span></div>' * 40_000),
        ("wechat/a.txt", b"A (2021-08-13 22:11:18):" + "「a：".encode() * 300_000),
        ("wechat/a.txt", b"A (2021-08-13 22:11:18):" + "\n引用:".encode() * 300_000),
        ("wechat/a.txt", b"(" * 2_000_000),
        ("a.csv", b'IsSender,StrContent,CreateTime\n1,"' + b"<msg" * 700_000),
        ("result.json", b'{"chats":{"list":' + b"[" * 500_000),
        ("result.json", b'{"messages":' + b'{"a":' * 200_000),
        ("result.json", b'{"messages":[{"text":"' + b"\\x0b" * 500_000 + b'"}]}'),
        ("result.json", b'{"messages":[{"text":"' + b"\\" * 1_000_000 + b'"}]}'),
        ("messages/inbox/a/message_1.json", TEXT + b"a" * 3_000_000 + b'"}]}'),
        ("messages/inbox/a/message_1.json", TEXT + b" sent a " * 300_000 + b'"}]}'),
        ("posts/your_posts_1.json", b"[" * 1_000_000),
        ("general/2020-01-17.json", b'[{"ts":"1579294140.000200","text":"' + b"<@" * 500_000 + b'"}]'),
        ("messages/c1000000001/messages.csv", b'ID,Timestamp,Contents\n1,2,"' + b"a" * 3_000_000),
    ],
    ids=lambda value: value[:24].decode("latin-1") if isinstance(value, bytes) else value,
)  # fmt: skip
def test_chats_made_to_hurt_cost_little_time(member_of: MakeMember, name: str, data: bytes) -> None:
    began = time.process_time()
    members = [member_of(name, data)]
    for importer in ALL:
        importer.claim(members)
        for one in importer.read(members, Reading()):
            assert isinstance(one, Item | ImportProblem | Skipped)
    assert time.process_time() - began < 20


def test_a_large_chat_takes_no_more_memory_than_a_small_one(tmp_path: Path) -> None:
    def messages() -> Iterator[str]:
        for number in range(6_000):
            said = {"id": number, "type": "message", "date_unixtime": "1579294140", "from": "Ann"}
            yield json.dumps({**said, "text": f"A message that is number {number} of all"})

    whole = tmp_path / "result.json"
    whole.write_text(
        '{"name": "Ann", "type": "personal_chat", "id": 9, "messages": ['
        + ",".join(messages())
        + "]}"
    )
    lines = tmp_path / "Ann.txt"
    lines.write_text(
        "".join(
            f"{1 + number // 300:02d}/01/2020, 08:{number % 60:02d} - Ann: A message number {number}\n"
            for number in range(6_000)
        )
    )
    for path in (whole, lines):
        with open_tree(path) as tree:
            recognition = recognise(tree)
            tracemalloc.start()
            count = sum(
                isinstance(one, Item) for one in read_all(recognition, Reading(), Progress())
            )
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        assert count == 6_000
        assert peak < 6_000_000


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Return a zip as a phone of Apple's makes it, whose dates can be read in two ways."""
    path = tmp_path / "WhatsApp Chat - Zoë.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "_chat.txt",
            "\u200e[03/04/2024, 08:10:00] Zoë: \u200eMessages and calls are end-to-end encrypted.\n"
            "[03/04/2024, 08:10:01] Zoë: Hi\n[03/04/2024, 08:11:00] Robin: Hello\n"
            "\u200e[03/04/2024, 08:12:00] Robin: \u200e<attached: 1-PHOTO.jpg>\n",
        )
        archive.writestr("1-PHOTO.jpg", b"\xff\xd8\xff")
    return path


def test_a_zip_of_a_phone_is_recognised_and_its_question_asked(export: Path) -> None:
    with open_tree(export) as tree:
        (recognised,) = recognise(tree).recognised
        shown = preview(recognise(tree), Reading(frozenset({"robin"})), Progress())
    assert (recognised.importer, recognised.files) == ("whatsapp", 1)
    assert recognised.question is not None
    assert recognised.question.name == ORDER
    assert [answer for answer, _ in recognised.question.choices] == [
        "day/month/year",
        "month/day/year",
    ]
    assert (shown.items, shown.mine, shown.first) == (2, 1, "2024-01-01")
    assert shown.authors == (("Zoë", 1), ("Robin", 1))
    assert len(shown.problems) == 1


def test_the_answer_is_used(export: Path) -> None:
    reading = Reading(answers={ORDER: "day/month/year"})
    with open_tree(export) as tree:
        found = list(read_all(recognise(tree), reading, Progress()))
    assert [(one.text, one.moment.iso(), one.title) for one in found if isinstance(one, Item)] == [
        ("Hi", "2024-04-03T08:10:01", "Zoë"),
        ("Hello", "2024-04-03T08:11:00", "Zoë"),
    ]
    assert not [one for one in found if isinstance(one, ImportProblem)]


def test_several_exports_at_once_go_to_their_importers(tmp_path: Path, export: Path) -> None:
    files = {
        "telegram/result.json": '{"name": "A", "type": "personal_chat", "id": 9, "messages": [{"id": 1, '
        '"type": "message", "date_unixtime": "1579294140", "from": "A", "text": "a"}]}',
        "facebook-robin/messages/inbox/a/message_1.json": '{"participants": [{"name": "A"}], "messages": '
        '[{"sender_name": "A", "timestamp_ms": 1579294140000, "content": "b"}]}',
        "instagram-robin/messages/inbox/a/message_1.json": '{"participants": [{"name": "A"}], "messages": '
        '[{"sender_name": "A", "timestamp_ms": 1579294140000, "content": "c"}]}',
        "discord/messages/c1000000001/messages.json": '[{"ID": 1, "Timestamp": "2020-01-17 20:49:00", '
        '"Contents": "d"}]',
        "slack/general/2020-01-17.json": '[{"type": "message", "user": "U1", "text": "e", '
        '"ts": "1579294140.000200"}]',
        "signal/Zoë/chat.md": "[2020-01-17 20:49:00] Me: f\n",
        "diary/2020-01-17.md": "Up early.",
    }  # fmt: skip
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    with open_tree(tmp_path) as tree:
        found = {
            one.importer.name: [each.path for each in one.members]
            for one in recognise(tree).claimed
        }
    assert found == {
        "whatsapp": ["WhatsApp Chat - Zoë.zip/_chat.txt"],
        **{name.split("/")[0].split("-")[0]: [name] for name in files},
    }
