"""Exports are the same wherever they lie and however they are packed."""

from __future__ import annotations

import json
import tarfile
import time
from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item

from .dropped import MAIL, TWEETS, all_of, folder_of, sources

# What lies where, as the exports have it; the first part of each path is the export's own folder.
EXPORTS: dict[str, dict[str, str]] = {
    "x": {"twitter-1/data/tweets.js": TWEETS, "twitter-1/Your archive.html": "<html>"},
    "mastodon": {
        "archive/outbox.json": json.dumps(
            {"type": "OrderedCollection", "orderedItems": [
                {"type": "Create", "published": "2022-09-10T20:15:00Z", "to": [], "object":
                 {"type": "Note", "id": "https://m/1", "content": "<p>Hi</p>", "to": []}}]}
        )
    },
    "telegram": {
        "DataExport/result.json": '{"name": "A", "type": "personal_chat", "id": 9, "messages": [{"id": 1, '
        '"type": "message", "date_unixtime": "1579294140", "from": "A", "text": "a"}]}'
    },
    "facebook": {
        "facebook-robin/your_facebook_activity/messages/inbox/ann_1/message_1.json":
        '{"participants": [{"name": "A"}], "messages": [{"sender_name": "A", '
        '"timestamp_ms": 1579294140000, "content": "b"}], "thread_path": "inbox/ann_1"}'
    },
    "whatsapp": {
        "WhatsApp Chat - Ann/_chat.txt":
        "[17/01/20, 08:10:00] Ann: Hi\n[17/01/20, 08:11:00] Bob: Ho\n"
    },
    "dayone": {
        "export/Journal.json": '{"metadata": {"version": "1.0"}, "entries": [{"uuid": "A", "creationDate": '
        '"2024-01-16T04:30:00Z", "timeZone": "America\\/New_York", "text": "Up"}]}'
    },
    "diary": {"graph/journals/2024_03_02.md": "- Up.", "graph/logseq/config.edn": "{}"},
    "maildir": {"Mail/cur/1:2,S": MAIL.format(sender="a@x", to="b@x", id=1).split("\n", 1)[1]},
    "discord": {
        "package/messages/c1000000001/messages.json":
        '[{"ID": 1, "Timestamp": "2020-01-17 20:49:00", "Contents": "d"}]'
    },
    "slack": {
        "workspace/general/2020-01-17.json":
        '[{"type": "message", "user": "U1", "text": "e", "ts": "1579294140.000200"}]'
    },
    "signal": {
        "signal/Zoë/chat.md": "[2020-01-17 20:49:00] Me: f\n[2020-01-17 20:50:00] Zoë: g\n"
    },
    "keep": {
        "Takeout/Keep/note.json": '{"color": "DEFAULT", "isTrashed": false, "textContent": "x", '
        '"userEditedTimestampUsec": 1579294140000000, "title": "t"}'
    },
    "reddit": {
        "reddit/comments.csv": "id,permalink,date,ip,subreddit,gildings,link,parent,body,media\n"
        "a,/r/x,2020-01-17 20:49:00 UTC,,x,0,/r/x,,Hi,\n"
    },
    "wechat": {
        "聊天记录/小明/小明.txt":
        "2021-08-13 22:11:18 小明\n你好\n\n2021-08-13 22:11:19 我\n好\n\n" * 2
    },
}  # fmt: skip


def keys_in(home: Path, importer: str) -> list[str]:
    assert list(sources(home)) == [importer]
    return [one.key for one in all_of(home) if isinstance(one, Item)]


@pytest.mark.parametrize("importer", EXPORTS)
def test_a_folder_one_level_too_high_or_too_low_is_the_same_export(
    tmp_path: Path, importer: str
) -> None:
    home = folder_of(tmp_path / "right", {**EXPORTS[importer]})
    first = next(iter(EXPORTS[importer])).split("/")
    right = keys_in(home / first[0], importer)
    assert right
    assert keys_in(home, importer) == right
    folder_of(tmp_path / "high" / "Downloads" / "old", {**EXPORTS[importer]})
    assert keys_in(tmp_path / "high", importer) == right
    if importer == "slack":  # whose channels don't know their own names
        (problem,) = all_of(home / first[0] / first[1])
        assert isinstance(problem, ImportProblem)
        assert "choose the folder above" in problem.reason
    elif len(first) > 2:
        assert keys_in(home / first[0] / first[1], importer) == right


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_no_moment_moves_with_the_machines_time_zone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    files = {name: text for export in EXPORTS.values() for name, text in export.items()}
    home = folder_of(tmp_path / "all", {**files, "life/2024-03-02.md": "Up at 23:30."})
    here = [one.moment for one in all_of(home) if isinstance(one, Item)]
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        there = [one.moment for one in all_of(home) if isinstance(one, Item)]
    finally:
        monkeypatch.undo()
        time.tzset()
    assert here == there
    assert len(here) > 15


@pytest.mark.parametrize("importer", EXPORTS)
def test_an_export_packed_as_tar_gz_is_the_same_export(tmp_path: Path, importer: str) -> None:
    home = folder_of(tmp_path / "right", {**EXPORTS[importer]})
    with tarfile.open(tmp_path / "export.tar.gz", "w:gz") as archive:
        for place in home.iterdir():
            archive.add(place, place.name)
    assert keys_in(tmp_path / "export.tar.gz", importer) == keys_in(home, importer)


def test_several_exports_dropped_at_once_each_go_to_their_importer(tmp_path: Path) -> None:
    files = {name: text for export in EXPORTS.values() for name, text in export.items()}
    found = sources(folder_of(tmp_path / "all", {**files}))
    assert set(found) == set(EXPORTS)
    for importer, paths in found.items():
        assert set(paths) <= set(EXPORTS[importer]), importer
    alone = {
        key
        for importer, export in EXPORTS.items()
        for key in keys_in(folder_of(tmp_path / importer, {**export}), importer)
    }
    assert {one.key for one in all_of(tmp_path / "all") if isinstance(one, Item)} == alone
