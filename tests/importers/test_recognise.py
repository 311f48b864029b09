"""What was dropped is recognised, shown and read, each file by the importer surest of it."""

from __future__ import annotations

import io
import json
import tarfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from clone_app.entries import ImportProblem, Item, Moment, Skipped
from clone_app.errors import Cancelled, CloneAppError, UnrecognisedError
from clone_app.importers import IMPORTERS, recognise
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import Preview, preview, read_all
from clone_app.importers.recognise import recognise as recognised
from clone_app.progress import Progress, Step
from clone_app.protocols import Claim, Found, Member, Reading

MAIL = (
    "From robin@example.org Sat Mar  2 08:10:00 2024\n"
    "From: {sender}\nTo: {to}\nSubject: Hi\nMessage-ID: <{id}@x>\n"
    "Date: Sat, 2 Mar 2024 08:10:00 +0100\n\nHello.\n\n"
)
POST = {"id_str": "7", "created_at": "Wed Sep 04 13:51:55 +0000 2019", "full_text": "Rain"}
TWEETS = f"window.YTD.tweets.part0 = {json.dumps([{'tweet': POST}])}"
PERSONA = json.dumps({"person_name": "Yu", "context": [{"id": "1", "content": "x"}]})


def folder_of(home: Path, files: dict[str, str | bytes]) -> Path:
    home.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        place = home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return home


def sources(home: Path, *, as_source: str | None = None) -> dict[str, list[str]]:
    """Return which importer would read which paths."""
    with open_tree(home) as tree:
        found = recognised(tree, as_source=as_source)
        return {one.importer.name: [member.path for member in one.members] for one in found.claimed}


def all_of(home: Path) -> list[Found]:
    with open_tree(home) as tree:
        return list(read_all(recognised(tree), Reading(), Progress()))


def test_a_whole_life_in_one_folder_goes_to_its_importers(tmp_path: Path) -> None:
    folder_of(
        tmp_path / "life",
        {
            "diary/2024-03-02.md": "Up.",
            "mail/all.mbox": MAIL.format(sender="a@x", to="b@x", id=1),
            "x/data/tweets.js": TWEETS,
            "yu.json": PERSONA,
        },
    )
    assert sources(tmp_path / "life") == {
        "clonemem": ["yu.json"],
        "mbox": ["mail/all.mbox"],
        "x": ["x/data/tweets.js"],
        "diary": ["diary/2024-03-02.md"],
    }


def test_recognised_sources_are_named_with_their_files_and_sureness(tmp_path: Path) -> None:
    folder_of(tmp_path, {"2024-03-02.md": "Up.", "2024-03-03.md": "Up."})
    with open_tree(tmp_path) as tree:
        found = recognised(tree)
        assert found.recognised == (
            recognise.Recognised("diary", "Diary or notes (Markdown, text)", 0.9, 2),
        )
        assert found.files == 2


def test_files_that_are_no_source_are_listed_with_a_reason(tmp_path: Path) -> None:
    folder_of(
        tmp_path / "life",
        {
            "LICENSE": "x", "LICENSE-MIT": "x", "license.md": "x", "COPYING": "x", "README.md": "x",
            "PROVENANCE.txt": "x", "CHANGELOG.md": "x", "SHA256SUMS": "x", "cat.jpg": "x",
            "noname": b"\x89PNG\r\n\x1a\n", "song.mp3": "x", "scan.pdf": "x", "a.tar.gz": "x",
            "life.sqlite": "x", "data.csv": "a,b", "page.html": "<p>", "strange.json": "{}",
            "people.txt": "a@x.org\n" * 5, "odd.xyz": "x", "nothing.xyz": "",
            "2024-03-02.md": "Up.", ".git/config": "x",
        },
    )  # fmt: skip
    with open_tree(tmp_path / "life") as tree:
        found = recognised(tree)
    assert {one.locator: one.reason for one in found.skipped} == {
        "LICENSE": "a licence",
        "LICENSE-MIT": "a licence",
        "license.md": "a licence",
        "COPYING": "a licence",
        "README.md": "a note on what lies beside it",
        "PROVENANCE.txt": "a note on where the files come from",
        "CHANGELOG.md": "a list of changes",
        "SHA256SUMS": "a list of checksums",
        "cat.jpg": "a picture",
        "noname": "a picture",
        "song.mp3": "a sound or film",
        "scan.pdf": "a document this program does not read",
        "a.tar.gz": "packed in a way this program does not open",
        "life.sqlite": "a database",
        "data.csv": "CSV of a kind this program does not read",
        "page.html": "HTML of a kind this program does not read",
        "strange.json": "JSON of a kind this program does not read",
        "people.txt": "reads like a chat, a mail or a list, not like a diary or notes",
        "odd.xyz": "not a kind this program reads",
        "nothing.xyz": "an empty file",
        ".git": "a hidden folder",
    }
    assert [member.path for one in found.claimed for member in one.members] == ["2024-03-02.md"]


def test_a_note_that_only_sounds_like_a_licence_is_read(tmp_path: Path) -> None:
    folder_of(tmp_path, {"Licence to drive.md": "Passed!", "Readmes I like.md": "x"})
    assert sources(tmp_path) == {"diary": ["Licence to drive.md", "Readmes I like.md"]}


def test_undated_text_beside_a_mailbox_is_set_aside_and_alone_it_is_a_note(tmp_path: Path) -> None:
    folder_of(
        tmp_path / "a",
        {"all.mbox": MAIL.format(sender="a@x", to="b@x", id=1), "list.txt": "some words"},
    )
    assert sources(tmp_path / "a") == {"mbox": ["all.mbox"]}
    (aside,) = [one for one in all_of(tmp_path / "a") if isinstance(one, Skipped)]
    assert aside.locator == "list.txt"
    assert "beside other sources" in aside.reason
    folder_of(tmp_path / "b", {"list.txt": "some words"})
    assert sources(tmp_path / "b") == {"diary": ["list.txt"]}


def test_naming_the_source_forces_it(tmp_path: Path) -> None:
    folder_of(tmp_path / "a", {"README.md": "My year.", "diary.log": "Up."})
    assert sources(tmp_path / "a", as_source="diary") == {"diary": ["README.md"]}
    folder_of(tmp_path / "b", {"diary.log": "2024-03-02\n\nUp."})
    assert sources(tmp_path / "b" / "diary.log", as_source="Diary") == {"diary": ["diary.log"]}
    with open_tree(tmp_path / "b" / "diary.log") as tree:
        (item,) = read_all(recognised(tree, as_source="diary"), Reading(), Progress())
    assert isinstance(item, Item)
    assert (item.moment.iso(), item.text) == ("2024-03-02", "Up.")


def test_an_unknown_source_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    folder_of(tmp_path, {"a.md": "x"})
    with open_tree(tmp_path) as tree, pytest.raises(CloneAppError) as caught:
        recognised(tree, as_source="carrier pigeon")
    assert str(caught.value) == (
        "There is no source called “carrier pigeon”. "
        f"Name one of these: {', '.join(importer.name for importer in IMPORTERS)}."
    )


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "holds no files. Choose one"),
        ({"cat.jpg": "x", "a.json": "{}"}, "of a kind this program reads. It reads: "),
        ({"a.json": "[" * 100_000}, "of a kind this program reads. It reads: "),
    ],
)
def test_nothing_recognised_says_what_is_accepted(
    tmp_path: Path, files: dict[str, str | bytes], words: str
) -> None:
    home = folder_of(tmp_path / "drop", files)
    with open_tree(home) as tree, pytest.raises(UnrecognisedError) as caught:
        recognised(tree)
    assert words in str(caught.value)
    assert all(importer.title in str(caught.value) for importer in IMPORTERS)
    if files:
        listed = "; ".join(f"{importer.name} – {importer.title}" for importer in IMPORTERS)
        assert listed in str(caught.value)
        assert "--as and the word before the dash" in str(caught.value)


def test_an_empty_file_is_called_empty(tmp_path: Path) -> None:
    folder_of(tmp_path, {"a.xyz": ""})
    with open_tree(tmp_path / "a.xyz") as tree, pytest.raises(UnrecognisedError, match="is empty"):
        recognised(tree)


def zip_of(place: Path, files: dict[str, str]) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    place.write_bytes(packed.getvalue())
    return place


def test_a_zip_that_holds_only_evil_says_why_nothing_was_read(tmp_path: Path) -> None:
    evil = zip_of(tmp_path / "a.zip", {"../evil.md": "x"})
    sentence = r"leads outside the archive.*choose the folder"
    with open_tree(evil) as tree, pytest.raises(UnrecognisedError, match=sentence):
        recognised(tree)


def test_a_zip_with_a_password_says_what_to_do(tmp_path: Path) -> None:
    place = zip_of(tmp_path / "a.zip", {"tweets.js": TWEETS})
    data = bytearray(place.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    place.write_bytes(data)
    sentence = r"tweets\.js: is encrypted: unpack the archive with its password"
    with open_tree(place) as tree, pytest.raises(UnrecognisedError, match=sentence):
        recognised(tree)


def test_a_zip_with_evil_and_a_diary_is_read_with_the_evil_named(tmp_path: Path) -> None:
    found = all_of(zip_of(tmp_path / "a.zip", {"../evil.md": "x", "2024-03-02.md": "Up."}))
    assert found[0] == ImportProblem("a.zip!../evil.md", "leads outside the archive")
    assert isinstance(found[1], Item)
    assert found[1].locator == "a.zip!2024-03-02.md"


def test_a_damaged_member_is_a_problem_and_the_others_are_read(tmp_path: Path) -> None:
    place = zip_of(
        tmp_path / "a.zip", {"2024-03-02.md": "Upp.", "2024-03-03.md": "Rain.", "x.bin": "?!"}
    )
    place.write_bytes(place.read_bytes().replace(b"Upp.", b"Down").replace(b"?!", b"!?"))
    found = all_of(place)
    assert {one.locator for one in found if isinstance(one, ImportProblem)} == {
        "a.zip!2024-03-02.md",
        "a.zip!x.bin",
    }
    assert [one.text for one in found if isinstance(one, Item)] == ["Rain."]


@pytest.mark.parametrize("name", ["tweets.js", "result.json", "list.csv", "all.mbox"])
def test_a_page_saved_under_an_exports_name_is_named_with_what_to_do(
    tmp_path: Path, name: str
) -> None:
    page = "<!DOCTYPE html><html><title>Sign in</title></html>"
    folder_of(tmp_path / "drop", {name: page, "2024-03-02.md": "Up."})
    problem, item = (one for one in all_of(tmp_path / "drop"))
    assert isinstance(problem, ImportProblem)
    assert problem.locator == name
    assert "web page" in problem.reason or "no mbox" in problem.reason
    assert "again" in problem.reason
    assert isinstance(item, Item)


def test_a_page_saved_as_the_export_alone_is_refused_with_what_to_do(tmp_path: Path) -> None:
    place = folder_of(tmp_path, {"tweets.js": "<html>Sign in</html>"}) / "tweets.js"
    with open_tree(place) as tree, pytest.raises(UnrecognisedError) as caught:
        recognised(tree)
    assert str(caught.value) == (
        "“tweets.js” is a web page, whatever its name says: sign in and download or export it again."
    )


@pytest.mark.parametrize("name", ["tweets.js", "result.json", "all.mbox", "takeout.zip", "a.ics"])
def test_an_empty_export_is_named_with_what_to_do(tmp_path: Path, name: str) -> None:
    folder_of(tmp_path, {name: "", "2024-03-02.md": "Up."})
    skipped = [one for one in all_of(tmp_path) if isinstance(one, Skipped)]
    assert [one.locator for one in skipped] == [name]
    assert "empty" in skipped[0].reason


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
    "signal": {"signal/Zoë/chat.md": "[2020-01-17 20:49:00] Me: f\n"},
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


@dataclass(frozen=True)
class Shaky:
    """Fall over some of its files, as no importer should."""

    name: str = "shaky"
    title: str = "Shaky"
    help: str = ""
    endings: tuple[str, ...] = (".shaky",)

    def claim(self, members: Sequence[Member]) -> Claim | None:
        return Claim(1.0, frozenset(one.path for one in members if one.path.endswith(".shaky")))

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        for member in members:
            with member.open() as stream:
                text = stream.read().decode()
            if text == "fall":
                raise KeyError("a word of a person")
            yield Item(
                key=text, medium="note", moment=Moment.unknown(), text=text, mine=True,
                locator=member.locator,
            )  # fmt: skip


@dataclass(frozen=True)
class Blind(Shaky):
    """Fall over looking at files."""

    name: str = "blind"

    def claim(self, members: Sequence[Member]) -> Claim | None:
        raise RecursionError


@dataclass(frozen=True)
class Idle(Shaky):
    """Fall over before any file is opened."""

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:
        raise ValueError
        yield


def test_a_fault_of_an_importer_ends_one_file_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognise, "IMPORTERS", (Blind(), Shaky()))
    folder_of(tmp_path, {f"{name}.shaky": name for name in ("a", "fall", "m", "z")})
    folder_of(tmp_path, {"k.shaky": "fall"})
    found = all_of(tmp_path)
    assert [one.text if isinstance(one, Item) else one.locator for one in found] == [
        "a", "fall.shaky", "k.shaky", "m", "z",
    ]  # fmt: skip
    problem = found[1]
    assert isinstance(problem, ImportProblem)
    assert "KeyError" in problem.reason
    assert "a word of a person" not in problem.reason


def test_a_fault_before_any_file_is_opened_names_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognise, "IMPORTERS", (Idle(),))
    folder_of(tmp_path, {"a.shaky": "a", "b.shaky": "b"})
    assert [type(one).__name__ for one in all_of(tmp_path)] == ["ImportProblem"] * 2


def test_progress_counts_bytes_and_can_be_stopped(tmp_path: Path) -> None:
    folder_of(tmp_path, {f"2024-03-{day:02d}.md": "x" * 1000 for day in range(1, 11)})
    steps: list[Step] = []
    ticks = iter(range(1_000_000))
    progress = Progress(steps.append, clock=lambda: float(next(ticks)))
    with open_tree(tmp_path) as tree:
        found = read_all(recognised(tree), Reading(), progress)
        assert len(list(found)) == 10
        assert [step.done for step in steps] == [1000 * count for count in range(1, 11)]
        assert {step.total for step in steps} == {10_000}
        progress.cancel()
        with pytest.raises(Cancelled):
            list(read_all(recognised(tree), Reading(), progress))


class TestPreview:
    def shown(self, home: Path, *me: str) -> Preview:
        with open_tree(home) as tree:
            return preview(recognised(tree), Reading(frozenset(me)), Progress())

    def test_it_counts_what_an_import_would_bring(self, tmp_path: Path) -> None:
        folder_of(
            tmp_path,
            {
                "2024-03-02.md": "Up.", "2022-01-01.md": "Rain.", "2025-12-31.md": "",
                "Books.md": "Emma", "tweets.js": TWEETS[:-1] + ", 5]", "cat.jpg": "x",
            },
        )  # fmt: skip
        shown = self.shown(tmp_path)
        assert (shown.items, shown.mine, shown.undated) == (4, 4, 1)
        assert (shown.first, shown.last) == ("2019-09-04", "2024-03-02")
        assert [one.importer for one in shown.recognised] == ["x", "diary"]
        assert shown.skipped == (("cat.jpg", "a picture"), ("2025-12-31.md", "an empty file"))
        assert shown.problems == (("tweets.js#1", "is no post, or one without text"),)

    def test_three_samples_are_spread_over_its_time(self, tmp_path: Path) -> None:
        days = {
            f"2024/{month:02d}/{day:02d}.md": f"{month}-{day}"
            for month in range(1, 13)
            for day in range(1, 29)
        }
        shown = self.shown(folder_of(tmp_path / "d", {**days}))
        months = [one.moment.local.month for one in shown.samples if one.moment.local]
        assert shown.items == 336
        assert len(months) == 3
        assert months[0] in {2, 3}
        assert months[1] in {6, 7}
        assert months[2] in {10, 11}

    def test_a_small_source_is_shown_whole(self, tmp_path: Path) -> None:
        shown = self.shown(folder_of(tmp_path / "d", {"2024-03-02.md": "Up."}))
        assert [one.text for one in shown.samples] == ["Up."]

    def test_it_asks_for_the_names_that_occur_most_in_mail(self, tmp_path: Path) -> None:
        mails = [("ann@x.org", "me@x.org"), ("bob@x.org", "me@x.org"), ("me@x.org", "ann@x.org")]
        text = "".join(
            MAIL.format(sender=sender, to=to, id=number)
            for number, (sender, to) in enumerate(mails)
        )
        folder_of(tmp_path, {"all.mbox": text})
        shown = self.shown(tmp_path)
        assert shown.authors == (("me@x.org", 3), ("ann@x.org", 2), ("bob@x.org", 1))
        assert self.shown(tmp_path, "me@x.org").mine == 1

    def test_it_says_what_will_be_kept_as_others_words_and_whose(self, tmp_path: Path) -> None:
        quoted = "Fine.\n\nOn Monday Ann wrote:\n> Tea?\n"
        mails = [
            ("ann@x.org", "Hi"),
            ("bob@x.org", "Ho"),
            ("ann@x.org", "Hu"),
            ("me@x.org", quoted),
        ]
        text = "".join(
            MAIL.format(sender=sender, to="x@x.org", id=number).replace("Hello.", body)
            for number, (sender, body) in enumerate(mails)
        )
        repost = json.dumps([{"tweet": POST}, {"tweet": {**POST, "full_text": "RT @kim: Rain"}}])
        tweets = f"window.YTD.tweets.part0 = {repost}"
        folder_of(tmp_path, {"all.mbox": text, "tweets.js": tweets, "2024-03-02.md": "Up."})
        shown = self.shown(tmp_path, "me@x.org")
        assert (shown.items, shown.mine, shown.others, shown.quoting) == (7, 3, 4, 1)
        assert shown.by == (("ann@x.org", 2), ("bob@x.org", 1), ("@kim", 1))
        everyone = self.shown(tmp_path)
        assert (everyone.mine, everyone.others) == (2, 5)
        assert ("me@x.org", 1) in everyone.by

    def test_nothing_dated_has_no_span(self, tmp_path: Path) -> None:
        shown = self.shown(folder_of(tmp_path / "d", {"Books.md": "Emma"}))
        assert (shown.first, shown.last, shown.undated) == (None, None, 1)


def test_importers_have_names_of_their_own_and_say_what_a_person_needs() -> None:
    names = [importer.name for importer in IMPORTERS]
    assert names[:7] == ["diary", "mbox", "maildir", "eml", "x", "mastodon", "clonemem"]
    assert len(set(names)) == len(names)
    for importer in IMPORTERS:
        assert importer.title
        assert importer.help.endswith(".")
        assert all(ending == "/" or ending.startswith(".") for ending in importer.endings)
