"""What was dropped is listed and streamed where it lies, and nothing in it can hurt."""

from __future__ import annotations

import io
import os
import stat
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from clone_app.errors import ArchiveError, CloneAppError
from clone_app.importers.archive import Tree, open_tree
from clone_app.importers.member import Limits

Content = str | bytes


def folder_of(home: Path, files: dict[str, Content]) -> Path:
    for name, content in files.items():
        place = home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return home


def zip_bytes(files: dict[str, Content], *, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", packing) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def zip_at(place: Path, files: dict[str, Content], *, packing: int = zipfile.ZIP_DEFLATED) -> Path:
    place.write_bytes(zip_bytes(files, packing=packing))
    return place


def paths(tree: Tree) -> list[str]:
    return [member.path for member in tree.members()]


def read(tree: Tree, path: str) -> bytes:
    member = next(one for one in tree.members() if one.path == path)
    with member.open() as stream:
        return stream.read()


def reasons(tree: Tree) -> dict[str, str]:
    return {one.locator: one.reason for one in tree.problems}


class TestFolders:
    def test_members_come_sorted_by_path_whatever_the_disk_says(self, tmp_path: Path) -> None:
        folder_of(tmp_path, {"b.md": "b", "a/z.md": "z", "a/c.md": "c", "B.md": "B"})
        with open_tree(tmp_path) as tree:
            assert paths(tree) == ["B.md", "a/c.md", "a/z.md", "b.md"]
            assert [one.locator for one in tree.members()] == paths(tree)
            assert tree.is_folder

    def test_a_lone_file_is_its_own_name(self, tmp_path: Path) -> None:
        folder_of(tmp_path, {"notes.md": "x" * 5000})
        with open_tree(tmp_path / "notes.md") as tree:
            (member,) = tree.members()
            assert (member.path, member.locator, member.size) == ("notes.md", "notes.md", 5000)
            assert member.head() == b"x" * 4096

    def test_hidden_folders_are_named_once_and_litter_not_at_all(self, tmp_path: Path) -> None:
        folder_of(
            tmp_path,
            {
                ".git/config": "x", ".git/objects/aa": "x", "vault/.obsidian/app.json": "{}",
                ".DS_Store": "x", "__MACOSX/._a.md": "x", "Thumbs.db": "x", ".hidden": "x",
                "._a.md": "x", "a.md": "a",
            },
        )  # fmt: skip
        with open_tree(tmp_path) as tree:
            assert paths(tree) == ["a.md"]
            assert [(one.locator, one.reason) for one in tree.skipped] == [
                (".git", "a hidden folder"),
                ("vault/.obsidian", "a hidden folder"),
            ]
            assert tree.problems == ()

    def test_a_folder_of_a_maildir_is_no_hidden_one_though_it_starts_with_a_dot(
        self, tmp_path: Path
    ) -> None:
        folder_of(tmp_path / "Mail", {"cur/1:2,S": "a", ".Sent/cur/2:2,S": "b", ".Sent/new/3": "c"})
        with open_tree(tmp_path / "Mail") as tree:
            assert paths(tree) == [".Sent/cur/2:2,S", ".Sent/new/3", "cur/1:2,S"]

    def test_links_that_lead_out_are_refused_and_others_not_read_twice(
        self, tmp_path: Path
    ) -> None:
        secret = folder_of(tmp_path / "elsewhere", {"secret.md": "secret"})
        home = folder_of(tmp_path / "home", {"a.md": "a", "sub/b.md": "b"})
        (home / "out.md").symlink_to(secret / "secret.md")
        (home / "outdir").symlink_to(secret)
        (home / "in.md").symlink_to(home / "a.md")
        (home / "circle").symlink_to(home)
        (home / "gone.md").symlink_to(home / "nothing.md")
        with open_tree(home) as tree:
            assert paths(tree) == ["a.md", "sub/b.md"]
            assert "outside" in reasons(tree)["out.md"]
            assert "outside" in reasons(tree)["outdir"]
            assert "nowhere" in reasons(tree)["gone.md"]
            assert {one.locator for one in tree.skipped} == {"in.md", "circle"}

    def test_a_pipe_is_not_opened(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.md")
        folder_of(tmp_path, {"a.md": "a"})
        with open_tree(tmp_path) as tree:
            assert paths(tree) == ["a.md"]
            assert [one.locator for one in tree.skipped] == ["pipe.md"]
        with pytest.raises(CloneAppError, match=r"neither a file nor a folder.*Choose"):
            open_tree(tmp_path / "pipe.md")

    def test_names_that_are_no_unicode_can_be_stored_and_read(self, tmp_path: Path) -> None:
        raw = os.fsencode(tmp_path) + b"/caf\xe9.md"
        with open(raw, "wb") as stream:  # noqa: PTH123 - a Path can't be made of bytes
            stream.write(b"x")
        with open_tree(tmp_path) as tree:
            assert paths(tree) == ["café.md"]
            assert read(tree, "café.md") == b"x"
            tree.members()[0].locator.encode("utf-8")

    def test_a_folder_that_cannot_be_listed_is_a_problem_and_the_rest_is_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder_of(tmp_path, {"a.md": "a", "locked/b.md": "b"})
        scan = os.scandir

        def refuse(place: Path) -> object:
            if Path(place).name == "locked":
                raise PermissionError(13, "Permission denied")
            return scan(place)

        monkeypatch.setattr("clone_app.importers.archive.os.scandir", refuse)
        with open_tree(tmp_path) as tree:
            assert paths(tree) == ["a.md"]
            assert reasons(tree) == {"locked": "can't be read (Permission denied)"}
        with pytest.raises(CloneAppError, match=r"Permission denied.*Check"):
            open_tree(tmp_path / "locked")

    def test_a_file_that_vanished_is_an_archive_error_with_a_next_step(
        self, tmp_path: Path
    ) -> None:
        folder_of(tmp_path, {"a.md": "a"})
        with open_tree(tmp_path) as tree:
            (tmp_path / "a.md").unlink()
            (member,) = tree.members()
            assert member.head() == b""
            with pytest.raises(ArchiveError, match=r"a\.md.*import again"):
                member.open()

    @pytest.mark.parametrize("name", ["nothing", "nothing/below", "a\x00b", "n" * 5000])
    def test_a_path_that_leads_nowhere_says_what_to_do(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(CloneAppError, match="Check"):
            open_tree(tmp_path / name)

    def test_heads_beyond_the_budget_are_read_again_instead_of_kept(self, tmp_path: Path) -> None:
        folder_of(tmp_path, {"a.md": "a" * 10, "b.md": "b" * 10})
        with open_tree(tmp_path, limits=Limits(heads_bytes=15)) as tree:
            kept, read_again = tree.members()
            assert (kept.head(), read_again.head()) == (b"a" * 10, b"b" * 10)
            (tmp_path / "a.md").write_bytes(b"c" * 10)
            (tmp_path / "b.md").write_bytes(b"c" * 10)
            assert (kept.head(), read_again.head()) == (b"a" * 10, b"c" * 10)


class TestZips:
    @pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    def test_members_are_streamed_under_their_inner_names(
        self, tmp_path: Path, packing: int
    ) -> None:
        file = zip_at(tmp_path / "life.zip", {"b/x.md": "x", "a.md": "a"}, packing=packing)
        before = sorted(tmp_path.rglob("*"))
        with open_tree(file) as tree:
            assert paths(tree) == ["a.md", "b/x.md"]
            assert [one.locator for one in tree.members()] == ["life.zip!a.md", "life.zip!b/x.md"]
            assert read(tree, "b/x.md") == b"x"
        assert sorted(tmp_path.rglob("*")) == before

    def test_two_members_can_be_read_by_turns(self, tmp_path: Path) -> None:
        file = zip_at(tmp_path / "a.zip", {"a": b"a" * 300_000, "b": b"b" * 300_000})
        with open_tree(file) as tree:
            one, other = (member.open() for member in tree.members())
            with one, other:
                pieces = [stream.read(100_000) for _ in range(3) for stream in (one, other)]
        assert pieces == [b"a" * 100_000, b"b" * 100_000] * 3

    @pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    def test_a_zip_in_a_zip_is_opened_in_place(self, tmp_path: Path, packing: int) -> None:
        inner = zip_bytes({"x.md": "x" * 10_000, "y.md": "y"})
        file = zip_at(tmp_path / "o.zip", {"p/in.zip": inner, "z.md": "z"}, packing=packing)
        with open_tree(file) as tree:
            assert paths(tree) == ["p/in.zip/x.md", "p/in.zip/y.md", "z.md"]
            assert tree.members()[0].locator == "o.zip!p/in.zip!x.md"
            assert read(tree, "p/in.zip/x.md") == b"x" * 10_000

    def test_a_zip_in_a_folder_is_opened_in_place(self, tmp_path: Path) -> None:
        folder_of(tmp_path, {"a.md": "a", "takeout.zip": zip_bytes({"m/x.md": "x"})})
        with open_tree(tmp_path) as tree:
            assert {one.path: one.locator for one in tree.members()} == {
                "a.md": "a.md",
                "takeout.zip/m/x.md": "takeout.zip!m/x.md",
            }

    def test_a_stored_zip_in_a_zip_is_not_held_in_memory(self, tmp_path: Path) -> None:
        inner = zip_bytes({"x.bin": os.urandom(3_000_000)}, packing=zipfile.ZIP_STORED)
        stored = zip_at(tmp_path / "s.zip", {"in.zip": inner}, packing=zipfile.ZIP_STORED)
        packed = zip_at(tmp_path / "p.zip", {"in.zip": inner})
        narrow = Limits(held_bytes=1_000_000)
        with open_tree(stored, limits=narrow) as tree:
            assert paths(tree) == ["in.zip/x.bin"]
        with open_tree(packed, limits=narrow) as tree:
            assert paths(tree) == []
            assert "too large to look into" in reasons(tree)["p.zip!in.zip"]

    def test_names_in_utf8_that_do_not_say_so_are_read_right(self, tmp_path: Path) -> None:
        data = bytearray(zip_bytes({"Tagebuch – März.md": "x"}))
        for start, flags in ((data.index(b"PK\x03\x04"), 6), (data.index(b"PK\x01\x02"), 8)):
            assert struct.unpack_from("<H", data, start + flags) == (0x800,)
            struct.pack_into("<H", data, start + flags, 0)
        (tmp_path / "a.zip").write_bytes(data)
        with open_tree(tmp_path / "a.zip") as tree:
            assert paths(tree) == ["Tagebuch – März.md"]
            assert read(tree, "Tagebuch – März.md") == b"x"

    def test_back_slashes_of_old_programs_separate_folders(self, tmp_path: Path) -> None:
        file = zip_at(tmp_path / "a.zip", {"2024\\03\\02.md": "x"})
        with open_tree(file) as tree:
            assert paths(tree) == ["2024/03/02.md"]

    def test_hidden_folders_and_litter_within_are_left_out(self, tmp_path: Path) -> None:
        file = zip_at(
            tmp_path / "a.zip",
            {
                "v/.obsidian/app.json": "{}",
                "__MACOSX/._a": "x",
                "v/a.md": "a",
                "v/.Sent/cur/1": "m",
            },
        )
        with open_tree(file) as tree:
            assert paths(tree) == ["v/.Sent/cur/1", "v/a.md"]
            assert [one.locator for one in tree.skipped] == ["v/.obsidian"]


class TestDangers:
    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("../evil.md", "outside"),
            ("a/../../evil.md", "outside"),
            ("..\\evil.md", "outside"),
            ("/etc/evil.md", "absolute"),
            ("C:\\evil.md", "drive"),
            ("C:evil.md", "drive"),
            ("c:/evil.md", "drive"),
            ("\\\\server\\share\\evil.md", "another computer"),
            ("//server/share/evil.md", "another computer"),
        ],
    )
    def test_names_that_lead_elsewhere_are_refused_and_the_rest_is_read(
        self, tmp_path: Path, name: str, reason: str
    ) -> None:
        file = zip_at(tmp_path / "a.zip", {name: "evil", "good.md": "good"})
        with open_tree(file) as tree:
            assert paths(tree) == ["good.md"]
            ((locator, why),) = reasons(tree).items()
            assert locator == f"a.zip!{name}"
            assert reason in why
        assert [one.name for one in tmp_path.iterdir()] == ["a.zip"]

    def test_links_and_devices_within_are_refused(self, tmp_path: Path) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, kind in (("link.md", stat.S_IFLNK), ("pipe.md", stat.S_IFIFO)):
                info = zipfile.ZipInfo(name)
                info.create_system = 3
                info.external_attr = (kind | 0o777) << 16
                archive.writestr(info, "/etc/passwd")
            archive.writestr("good.md", "good")
        (tmp_path / "a.zip").write_bytes(packed.getvalue())
        with open_tree(tmp_path / "a.zip") as tree:
            assert paths(tree) == ["good.md"]
            assert reasons(tree) == {
                "a.zip!link.md": "is a link",
                "a.zip!pipe.md": "is no ordinary file",
            }

    def test_fifty_megabytes_from_49_kilobytes_are_refused(self, tmp_path: Path) -> None:
        file = zip_at(tmp_path / "bomb.zip", {"bomb.md": b"\0" * 50_000_000, "good.md": "good"})
        assert file.stat().st_size < 60_000
        with open_tree(file) as tree:
            assert paths(tree) == ["good.md"]
            assert "times its packed size" in reasons(tree)["bomb.zip!bomb.md"]

    def test_a_large_member_is_read_in_flat_memory(self, tmp_path: Path) -> None:
        line = "".join(f"{number:07d} words of a day\n" for number in range(800_000))
        file = zip_at(tmp_path / "a.zip", {"big.md": line})
        size = len(line)
        del line
        with open_tree(file) as tree:
            (member,) = tree.members()
            tracemalloc.start()
            with member.open() as stream:
                total = sum(len(part) for part in iter(lambda: stream.read(65_536), b""))
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        assert total == size > 15_000_000
        assert peak < 2_000_000

    def test_members_that_share_their_bytes_are_refused(self, tmp_path: Path) -> None:
        data = zip_bytes({"a.md": "a" * 5_000, "b.md": "b" * 5_000}, packing=zipfile.ZIP_STORED)
        second = data.index(b"PK\x03\x04", 10)
        entry = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
        forged = bytearray(data)
        struct.pack_into("<I", forged, entry + 42, second - 2_000)
        (tmp_path / "a.zip").write_bytes(forged)
        with open_tree(tmp_path / "a.zip") as tree:
            assert paths(tree) == []
            assert len(tree.problems) == 2
            assert all("shares its bytes" in one.reason for one in tree.problems)

    def test_a_wrong_checksum_is_found_when_the_member_is_read(self, tmp_path: Path) -> None:
        data = zip_bytes({"bad.md": "a" * 9_000, "good.md": "good"}, packing=zipfile.ZIP_STORED)
        (tmp_path / "a.zip").write_bytes(data.replace(b"a" * 9_000, b"b" + b"a" * 8_999))
        with open_tree(tmp_path / "a.zip") as tree:
            assert paths(tree) == ["bad.md", "good.md"]
            with pytest.raises(ArchiveError, match=r"bad\.md.*checksum is wrong.*again"):
                read(tree, "bad.md")
            assert read(tree, "good.md") == b"good"

    def test_encrypted_members_are_named_and_the_rest_is_read(self, tmp_path: Path) -> None:
        data = bytearray(zip_bytes({"secret.md": "s", "good.md": "good"}))
        struct.pack_into("<H", data, data.index(b"PK\x03\x04") + 6, 1)
        struct.pack_into("<H", data, data.index(b"PK\x01\x02") + 8, 1)
        (tmp_path / "a.zip").write_bytes(data)
        with open_tree(tmp_path / "a.zip") as tree:
            assert paths(tree) == ["good.md"]
            assert "is encrypted" in reasons(tree)["a.zip!secret.md"]

    def test_of_two_members_with_one_name_the_last_is_read_and_the_first_named(
        self, tmp_path: Path
    ) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("a.md", "first")
            with pytest.warns(UserWarning, match="Duplicate name"):
                archive.writestr("a.md", "second")
        (tmp_path / "a.zip").write_bytes(packed.getvalue())
        with open_tree(tmp_path / "a.zip") as tree:
            assert read(tree, "a.md") == b"second"
            assert "stands twice" in reasons(tree)["a.zip!a.md"]

    def test_six_zips_within_each_other_are_not_followed_to_the_end(self, tmp_path: Path) -> None:
        data = zip_bytes({"core.md": "core"})
        for _ in range(5):
            data = zip_bytes({"in.zip": data, "beside.md": "beside"})
        (tmp_path / "o.zip").write_bytes(data)
        with open_tree(tmp_path / "o.zip") as tree:
            assert paths(tree) == ["beside.md", "in.zip/beside.md", "in.zip/in.zip/beside.md"]
            assert "archives within archives" in reasons(tree)["o.zip!in.zip!in.zip!in.zip"]

    @pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_unusual_packing_is_refused(self, tmp_path: Path, method: int) -> None:
        file = zip_at(tmp_path / "a.zip", {"a.md": "a" * 100}, packing=method)
        with open_tree(file) as tree:
            assert "unusual way" in reasons(tree)["a.zip!a.md"]

    def test_more_files_than_the_limit_end_with_a_sentence(self, tmp_path: Path) -> None:
        names = {f"{number}.md": "x" for number in range(11)}
        with pytest.raises(ArchiveError, match=r"more than 10 files.*choose the folder"):
            open_tree(zip_at(tmp_path / "a.zip", names), limits=Limits(count=10))
        folder = folder_of(tmp_path / "f", {"a.md": "a", "many.zip": zip_bytes(names)})
        with open_tree(folder, limits=Limits(count=10)) as tree:
            assert paths(tree) == ["a.md"]
            assert "more than 10 files" in reasons(tree)["many.zip"]

    def test_files_over_several_zips_are_counted_together(self, tmp_path: Path) -> None:
        each = {f"{number}.md": "x" for number in range(6)}
        folder_of(tmp_path, {"a.zip": zip_bytes(each), "b.zip": zip_bytes(each)})
        with open_tree(tmp_path, limits=Limits(count=10)) as tree:
            assert len(tree.members()) == 10
            assert "more than 10 files" in reasons(tree)["b.zip"]

    def test_archives_beyond_the_limit_are_named(self, tmp_path: Path) -> None:
        folder_of(tmp_path, {f"{name}.zip": zip_bytes({"x.md": "x"}) for name in "abc"})
        with open_tree(tmp_path, limits=Limits(archives=2)) as tree:
            assert paths(tree) == ["a.zip/x.md", "b.zip/x.md"]
            assert "choose it by itself" in reasons(tree)["c.zip"]

    def test_sizes_beyond_the_limits_are_refused_one_by_one(self, tmp_path: Path) -> None:
        file = zip_at(tmp_path / "a.zip", {"a.md": "a" * 60, "b.md": "b" * 60, "c.md": "c" * 200})
        with open_tree(file, limits=Limits(member_bytes=100, total_bytes=100)) as tree:
            assert paths(tree) == ["a.md"]
            assert "too much together" in reasons(tree)["a.zip!b.md"]
            assert "too large" in reasons(tree)["a.zip!c.md"]

    @pytest.mark.parametrize("keep", [3, 30, 200, -1])
    def test_a_cut_zip_is_called_damaged(self, tmp_path: Path, keep: int) -> None:
        data = zip_bytes({"a.md": os.urandom(400)})
        (tmp_path / "a.zip").write_bytes(data[:keep])
        with pytest.raises(ArchiveError, match=r"a\.zip.*damaged or incomplete.*again"):
            open_tree(tmp_path / "a.zip")

    def test_an_empty_zip_is_called_empty(self, tmp_path: Path) -> None:
        (tmp_path / "a.zip").write_bytes(b"")
        with pytest.raises(CloneAppError, match=r"a\.zip” is empty.*again\.$"):
            open_tree(tmp_path / "a.zip")

    @pytest.mark.parametrize("ending", ["crdownload", "part", "partial", "download", "opdownload"])
    def test_a_download_that_is_not_finished_is_named_with_what_to_do(
        self, tmp_path: Path, ending: str
    ) -> None:
        name = f"takeout.zip.{ending}"
        folder_of(tmp_path, {"a.md": "a", name: zip_bytes({"x.md": "x"})[:60]})
        with open_tree(tmp_path) as tree:
            assert paths(tree) == ["a.md"]
            assert "wait until it is, or download it again" in reasons(tree)[name]
        with pytest.raises(CloneAppError, match=r"not finished; wait until it is.*choose that\.$"):
            open_tree(tmp_path / name)

    def test_a_page_to_sign_in_that_was_saved_as_a_zip_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "a.zip").write_bytes(b"<!DOCTYPE html><title>Sign in</title>")
        with pytest.raises(ArchiveError, match=r"a\.zip” is a web page.*download it again\.$"):
            open_tree(tmp_path / "a.zip")

    def test_a_damaged_zip_in_a_folder_is_a_problem_and_the_rest_is_read(
        self, tmp_path: Path
    ) -> None:
        folder_of(tmp_path, {"a.md": "a", "bad.zip": zip_bytes({"x.md": "x" * 99})[:-30]})
        with open_tree(tmp_path) as tree:
            assert paths(tree) == ["a.md"]
            assert "damaged" in reasons(tree)["bad.zip"]

    @pytest.mark.parametrize(
        ("name", "start"),
        [("a.tar.gz", b"\x1f\x8b\x08\0"), ("a.7z", b"7z\xbc\xaf\x27\x1c"), ("a.tar", b"x" * 600)],
    )
    def test_other_archives_say_to_unpack_them(
        self, tmp_path: Path, name: str, start: bytes
    ) -> None:
        folder_of(tmp_path, {name: start})
        with pytest.raises(ArchiveError, match="Unpack it and choose the folder"):
            open_tree(tmp_path / name)
