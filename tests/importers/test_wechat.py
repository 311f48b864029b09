# ruff: noqa: E501 - Chinese letters count twice there
"""WeChat chats as the common exporters dump them: whose words, when, and what is no word."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.wechat import WECHAT
from clone_app.importers.whatsapp import WHATSAPP
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that reads one dump, which must be recognised."""

    def read_file(path: str, text: str, *me: str) -> list[Found]:
        member = member_of(path, text.encode())
        claim = WECHAT.claim([member])
        assert claim is not None
        assert claim.paths == {path}
        return list(WECHAT.read([member], Reading(frozenset(me))))

    return read_file


def items(found: list[Found]) -> list[Item]:
    return [one for one in found if isinstance(one, Item)]


def brief(found: list[Found]) -> list[tuple[str | None, str, str, bool]]:
    return [(one.moment.iso(), one.author, one.text, one.mine) for one in items(found)]


def told(found: list[Found]) -> list[str]:
    return [one.reason for one in found if not isinstance(one, Item)]


PROGRAM = "1 line that WeChat wrote and no person"
WORDLESS = "1 picture, sound, sticker, card or file without words"
TWO = [
    ("2021-08-13T22:11:18", "小明", "你好\n在吗？", False),
    ("2021-08-13T22:11:26", "罗宾", "在的[捂脸]", True),
]

MEMOTRACE = (
    "2021-08-13 22:11:00 你已添加了小明，现在可以开始聊天了。\n\n"
    "2021-08-13 22:11:18 小明\n你好\n在吗？\n\n2021-08-13 22:11:26 罗宾\n在的[捂脸]\n\n"
    "2021-08-13 22:12:00 小明\n[图片]\n\n"
)
EXPORTER = (
    "小明 (2021-08-13 22:11:18):你好\n在吗？\n罗宾 (2021-08-13 22:11:26):在的[捂脸]\n"
    "小明 (2021-08-13 22:12:00):[图片]\n"
)
DUMP = (
    "10000|小明:2021-08-13 22:11:00:你已添加了小明\n1|小明:2021-08-13 22:11:18:你好\n在吗？\n"
    "1|罗宾:2021-08-13 22:11:26:在的[捂脸]\n3|小明:2021-08-13 22:12:00:x|img:a.jpg\n"
)


@pytest.mark.parametrize(
    ("text", "rest"),
    [(MEMOTRACE, [PROGRAM, WORDLESS]), (EXPORTER, [WORDLESS]), (DUMP, [PROGRAM, WORDLESS])],
    ids=["MemoTrace", "WechatExporter", "wechat-dump"],
)
def test_texts_of_each_exporter_are_read(read: Read, text: str, rest: list[str]) -> None:
    found = read("聊天记录/小明/小明.txt", text, "罗宾")
    assert brief(found) == TWO
    assert told(found) == rest
    first, second = items(found)
    assert (first.medium, first.title, first.thread) == ("chat", "小明", "wechat:小明")
    assert (first.recipients, second.recipients) == ((), ("小明",))


@pytest.mark.parametrize("name", ["me", "我"])
def test_some_exporters_call_the_user_me(read: Read, name: str) -> None:
    text = f"1|{name}:2021-08-13 22:11:18:Hi\n1|Kim:2021-08-13 22:11:20:Ho\n"
    assert [one.mine for one in items(read("kim.txt", text))] == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        "「小明：明天去吗？」\n- - - - - - - - - - - - - - -\n去的",
        "去的\n引用:小明:明天去吗？",
    ],
)
def test_what_is_quoted_is_anothers_words(read: Read, text: str) -> None:
    (item,) = items(read("微信/a.txt", f"罗宾 (2021-08-13 22:11:26):{text}\n", "罗宾"))
    assert item.text == "去的"
    assert item.mine
    assert "明天去吗？" in item.context


def test_the_table_of_memotrace_is_read_with_instant_and_offset(read: Read) -> None:
    text = (
        "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender\n"
        '1,2,1,0,0,1628863878,,"你好\n在吗？",2021-08-13 22:11:18,小明,Ming,wxid_a\n'
        "2,2,1,0,1,1628863886,,在的[捂脸],2021-08-13 22:11:26,罗宾,罗宾,wxid_me\n"
        "3,2,3,0,0,1628863900,,<msg><img/></msg>,2021-08-13 22:11:40,小明,Ming,wxid_a\n"
        "4,2,10000,0,0,1628863901,,撤回了一条消息,2021-08-13 22:11:41,,,\n"
        "5,2,49,57,0,1628863902,,去的,2021-08-13 22:11:42,小明,Ming,wxid_a\n"
    )
    found = read("小明(wxid_a)/小明.csv", text)
    assert brief(found) == [
        ("2021-08-13T22:11:18+08:00", "小明", "你好\n在吗？", False),
        ("2021-08-13T22:11:26+08:00", "罗宾", "在的[捂脸]", True),
        ("2021-08-13T22:11:42+08:00", "小明", "去的", False),
    ]
    assert told(found) == [PROGRAM, WORDLESS]


PYWX: list[dict[str, Any]] = [
    {"id": 1, "MsgSvrID": "900", "type_name": "文本", "is_sender": 0, "talker": "wxid_a", "room_name": "wxid_a",
     "msg": "你好\n在吗？", "src": "", "extra": {}, "CreateTime": "2021-08-13 22:11:18"},
    {"id": 2, "MsgSvrID": "901", "type_name": "文本", "is_sender": 1, "talker": "我", "room_name": "wxid_a",
     "msg": "在的[捂脸]", "src": "", "extra": {}, "CreateTime": "2021-08-13 22:11:26"},
    {"id": 3, "MsgSvrID": "902", "type_name": "图片", "is_sender": 1, "talker": "我", "room_name": "wxid_a",
     "msg": "图片", "src": "a.jpg", "extra": {}, "CreateTime": "2021-08-13 22:11:27"},
]  # fmt: skip


def test_pywxdump_as_json_and_as_table_say_the_same(read: Read) -> None:
    columns = [
        "id",
        "MsgSvrID",
        "type_name",
        "is_sender",
        "talker",
        "room_name",
        "msg",
        "src",
        "CreateTime",
    ]
    table = ",".join(columns) + "\n"
    table += "".join(",".join(f'"{one[name]}"' for name in columns) + "\n" for one in PYWX)
    as_json = items(read("wxid_a_0_4.json", json.dumps(PYWX, ensure_ascii=False)))
    as_table = items(read("wxid_a_0_4.csv", table))
    assert [one.key for one in as_json] == ["wechat:900", "wechat:901"]
    assert (
        brief([*as_json])
        == brief([*as_table])
        == [
            ("2021-08-13T22:11:18", "wxid_a", "你好\n在吗？", False),
            ("2021-08-13T22:11:26", "我", "在的[捂脸]", True),
        ]
    )
    assert [one.key for one in as_json] == [one.key for one in as_table]


@pytest.mark.parametrize("wrapped", [False, True])
def test_chatlogs_json_is_read(read: Read, wrapped: bool) -> None:
    common = {
        "talker": "77@chatroom",
        "talkerName": "菜园",
        "isChatRoom": True,
        "type": 1,
        "subType": 0,
    }
    rows = [
        {**common, "seq": 1, "time": "2021-08-13T22:11:18+08:00", "sender": "wxid_a", "senderName": "小明",
         "isSelf": False, "content": "你好"},
        {**common, "seq": 2, "time": "2021-08-13T22:11:26+08:00", "sender": "wxid_me", "senderName": "罗宾",
         "isSelf": True, "content": "在的"},
        {**common, "seq": 3, "time": "2021-08-13T22:11:26+08:00", "sender": "wxid_me", "senderName": "罗宾",
         "isSelf": True, "content": "回", "type": 49, "subType": 57,
         "contents": {"refer": {"senderName": "小明", "content": "你好"}}},
    ]  # fmt: skip
    text = json.dumps({"total": 3, "messages": rows} if wrapped else rows)
    found = items(read("chat.json", text))
    assert brief([*found]) == [
        ("2021-08-13T22:11:18+08:00", "小明", "你好", False),
        ("2021-08-13T22:11:26+08:00", "罗宾", "在的", True),
        ("2021-08-13T22:11:26+08:00", "罗宾", "回", True),
    ]
    assert {(one.title, one.thread) for one in found} == {("菜园", "wechat:77@chatroom")}
    assert found[2].context == "小明: 你好"


def test_a_session_with_its_messages_is_read(read: Read) -> None:
    text = json.dumps(
        {
            "session": {"wxid": "wxid_a", "nickname": "Ming", "displayName": "小明"},
            "messages": [
                {"localId": 1, "createTime": 1628863878, "formattedTime": "2021-08-13 22:11:18",
                 "type": "文本消息", "localType": 1, "content": "你好", "isSend": 0, "senderUsername": "wxid_a",
                 "senderDisplayName": "小明"},
                {"localId": 2, "createTime": 1628863886, "formattedTime": "2021-08-13 22:11:26",
                 "type": "图片消息", "localType": 3, "content": "[图片]", "isSend": 1},
            ],
        }
    )  # fmt: skip
    found = read("小明.json", text)
    assert brief(found) == [("2021-08-13T22:11:18+08:00", "小明", "你好", False)]
    assert items(found)[0].thread == "wechat:wxid_a"
    assert told(found) == [WORDLESS]


STYLE = f"<style>{'a {{}} ' * 2000}</style>"
OBJECTS = (
    "<html><head>" + STYLE + "<title>小明</title></head><script>const chatMessages = ["
    "{ type:0, text: '以上是打招呼的内容',is_send:0,avatar_path:'',timestamp:1628863870,is_chatroom:0,displayname:''},"
    "{ type:1, text: '你好 &lt;3\\nit\\'s {me}',is_send:0,avatar_path:'a',timestamp:1628863878,is_chatroom:0,"
    "displayname:'小明'},"
    "{ type:49, text: '去的',is_send:1,sub_type:57,refer_text: '小明：明天 {去} 吗？',avatar_path:'a',"
    "timestamp:1628863886,is_chatroom:0,displayname:'罗宾'},"
    "{ type:3, text: './image/a.png',is_send:1,avatar_path:'a',timestamp:1628863890,is_chatroom:0,"
    "displayname:'罗宾'},]</script></html>"
)
DIV = """\
<div class="msg chat-{side}" msgid="{number}" msgtype="1">
  <div class="avatar-box"><img src="a.jpg" class="avatar"></div>
  <div class="nt-box"><span class="name-{side}">{name}</span> 2021-08-13 22:11:{second}</div>
  <div class="content-box msg"><div class="triangle"></div>
    <span class="dont-break-out">{text}</span></div></div>
"""


def test_memotraces_page_is_read(read: Read) -> None:
    found = read("聊天记录/小明/小明.html", OBJECTS)
    assert brief(found) == [
        ("2021-08-13T14:11:18+00:00", "小明", "你好 <3\nit's {me}", False),
        ("2021-08-13T14:11:26+00:00", "罗宾", "去的", True),
    ]
    assert items(found)[1].context == "小明：明天 {去} 吗？"
    assert told(found) == [PROGRAM, WORDLESS]


def test_wechatexporters_page_is_read_whatever_its_length(read: Read) -> None:
    said = [("left", "小明", "你好<br/>在吗？", 18), ("right", "罗宾", "1 &lt; 2", 26)]
    divs = "".join(
        DIV.format(side=side, number=900 + n, name=name, text=text, second=second)
        for n in range(1500)
        for side, name, text, second in said
    )
    found = items(read("wechat/小明.html", f"<html>{STYLE}<body>{divs}</body></html>"))
    assert len(found) == 3000
    assert brief([*found])[:2] == [
        ("2021-08-13T22:11:18", "小明", "你好\n在吗？", False),
        ("2021-08-13T22:11:26", "罗宾", "1 < 2", True),
    ]
    assert found[-1].key == "wechat:2399"


def test_two_equal_messages_are_two_items_and_a_second_import_has_the_same_keys(read: Read) -> None:
    text = "Kim (2021-08-13 22:11:18):ok\n" * 2
    keys = [one.key for one in items(read("a.txt", text))]
    assert len(set(keys)) == 2
    assert keys == [one.key for one in items(read("a.txt", text))]


def keys(found: list[Found]) -> list[str]:
    return [one.key for one in items(found)]


@pytest.mark.parametrize("text", [MEMOTRACE, EXPORTER, DUMP], ids=["above", "behind", "piped"])
def test_a_chat_of_two_has_the_same_keys_whatever_its_file_is_called_and_however_it_goes_on(
    read: Read, text: str
) -> None:
    first = keys(read("聊天记录/小明/小明.txt", text))
    assert first == keys(read("微信/小明 2021 (2).txt", text))
    assert first == keys(read("聊天记录/小明/小明.txt", text * 2))[: len(first)]


@pytest.mark.parametrize("answer", ["", "{} (2021-01-01 00:00:30):ok\n"])
def test_the_same_wish_to_two_people_in_one_second_is_two_items(read: Read, answer: str) -> None:
    wish = "罗宾 (2021-01-01 00:00:11):新年快乐\n"
    both = [
        keys(read(f"微信/{name}.txt", wish + answer.format(name)))[0] for name in ("小明", "小红")
    ]
    assert len(set(both)) == 2


def test_a_group_is_told_from_others_by_its_name(read: Read) -> None:
    rows = "".join(f"{name} (2021-08-13 22:11:18):ok\n" for name in ("小明", "小红", "罗宾"))
    here, there = keys(read("微信/菜园.txt", rows)), keys(read("微信/球队.txt", rows))
    assert not set(here) & set(there)


def test_messages_that_were_never_sent_bear_a_zero_for_a_number_and_have_keys_of_their_own(
    read: Read,
) -> None:
    rows = [{**row, "MsgSvrID": "0"} for row in PYWX[:2]]
    found = keys(read("wxid_a_0_4.json", json.dumps(rows, ensure_ascii=False)))
    assert len(set(found)) == 2
    assert "wechat:0" not in found


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("diary.txt", "2021-08-13 22:11:18 Tired\nA long day.\n\n2021-08-14 21:00:00 Better\nRain.\n"),
        ("notes.txt", "Kim (2021-08-13 22:11:18):once\nand no more\n"),
        ("list.csv", "type,content\n1,a\n"),
        ("odd.json", '[{"type": 1, "content": "a"}]'),
        ("微信.html", "<html><p>An article on WeChat</p></html>"),
        ("wechat.txt", "An article on WeChat\n"),
        ("page.html", "<html>chat</html>"),
    ],
)  # fmt: skip
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert WECHAT.claim([member_of(path, text.encode())]) is None


def test_whatsapp_leaves_these_texts_alone(member_of: MakeMember) -> None:
    for text in (MEMOTRACE, EXPORTER, DUMP):
        assert WHATSAPP.claim([member_of("a.txt", text.encode())]) is None


def test_a_dump_that_breaks_off_keeps_what_came(read: Read) -> None:
    text = json.dumps(PYWX, ensure_ascii=False)
    found = read("a.json", text[: text.index("902")])
    assert len(items(found)) == 2
    assert "breaks off" in told(found)[0]


def test_an_empty_dump_is_skipped(read: Read) -> None:
    text = "localId,IsSender,CreateTime,StrContent\n"
    assert told(read("a.csv", text)) == ["no messages in it"]


PIECES = st.sampled_from(
    [
        MEMOTRACE, EXPORTER, DUMP, OBJECTS[-700:], DIV, "{ type:1, text: '", "\\'", "'", "{", "}", "「a：b」\n- - -",
        '<div class="msg chat-left"', "2021-99-13 22:11:18 A\n", "1|a:2021-08-13 99:11:18:x\n", "\x00", "<msg",
        '"is_sender"', "[{", '"MsgSvrID":"1","type_name":"x"', "引用:", "[图片]",
    ]
)  # fmt: skip


@settings(max_examples=150)
@given(
    st.lists(PIECES | st.text(max_size=12), max_size=8),
    st.sampled_from(["a.txt", "a.html", "a.csv", "a.json", "wechat/x.html", "微信.txt"]),
)
def test_any_content_gives_items_or_problems(
    member_of: MakeMember, pieces: list[str], name: str
) -> None:
    member = member_of(name, "".join(pieces).encode("utf-8", "surrogatepass"))
    WECHAT.claim([member])
    for one in WECHAT.read([member], Reading()):
        assert isinstance(one, Item | ImportProblem | Skipped)
        if isinstance(one, Item):
            (one.text + one.context + one.author + one.key).encode("utf-8")
