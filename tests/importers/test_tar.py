"""Tar archives, packed or not, are listed and streamed where they lie, under the limits of zips."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import tracemalloc
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.errors import ArchiveError, CloneAppError
from clone_app.importers import tarred
from clone_app.importers.archive import Tree, open_tree
from clone_app.importers.member import Limits

KINDS = ["tar", "tar.gz", "tgz"]


def tar_bytes(files: dict[str, bytes], *, packed: bool = False) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz" if packed else "w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def tar_at(place: Path, files: dict[str, bytes]) -> Path:
    place.write_bytes(tar_bytes(files, packed=place.suffix != ".tar"))
    return place


def special(*infos: tarfile.TarInfo) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for info in infos:
            archive.addfile(info, io.BytesIO(b"x" * info.size))
    return out.getvalue()


def info_of(name: str, **attributes: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    for key, value in attributes.items():
        setattr(info, key, value)
    return info


def paths(tree: Tree) -> list[str]:
    return [member.path for member in tree.members()]


def read(tree: Tree, path: str) -> bytes:
    member = next(one for one in tree.members() if one.path == path)
    with member.open() as stream:
        return stream.read()


def reasons(tree: Tree) -> dict[str, str]:
    return {one.locator: one.reason for one in tree.problems}


@pytest.mark.parametrize("kind", KINDS)
def test_members_are_streamed_under_their_inner_names(tmp_path: Path, kind: str) -> None:
    place = tar_at(tmp_path / f"a.{kind}", {"vault/b.md": b"bb", "./vault/a.md": b"a" * 9000})
    with open_tree(place) as tree:
        assert paths(tree) == ["vault/a.md", "vault/b.md"]
        first, second = tree.members()
        assert (first.locator, first.size) == (f"a.{kind}!vault/a.md", 9000)
        assert first.head() == b"a" * 4096
        assert read(tree, "vault/a.md") == b"a" * 9000
        assert (second.head(), read(tree, "vault/b.md")) == (b"bb", b"bb")
        assert tree.problems == ()


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_any_length_and_script_are_read(tmp_path: Path, kind: str) -> None:
    name = "日記/" + "långt " * 50 + "/ünïcode.md"
    place = tar_at(tmp_path / f"a.{kind}", {name: b"x"})
    with open_tree(place) as tree:
        assert paths(tree) == [name]


@pytest.mark.parametrize("kind", KINDS)
def test_an_archive_in_a_folder_or_another_archive_is_opened_in_place(
    tmp_path: Path, kind: str
) -> None:
    inner = tar_bytes({"a.md": b"a"}, packed=kind != "tar")
    (tmp_path / f"one.{kind}").write_bytes(inner)
    for name, packing in (("two.zip", zipfile.ZIP_STORED), ("three.zip", zipfile.ZIP_DEFLATED)):
        with zipfile.ZipFile(tmp_path / name, "w", packing) as outer:
            outer.writestr(f"in.{kind}", inner)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("z.md", b"z")
    tar_at(tmp_path / f"zips.{kind}", {"in.zip": packed.getvalue(), f"deep.{kind}": inner})
    with open_tree(tmp_path) as tree:
        assert tree.problems == ()
        assert {one.locator: one.path for one in tree.members()} == {
            f"one.{kind}!a.md": f"one.{kind}/a.md",
            f"two.zip!in.{kind}!a.md": f"two.zip/in.{kind}/a.md",
            f"three.zip!in.{kind}!a.md": f"three.zip/in.{kind}/a.md",
            f"zips.{kind}!in.zip!z.md": f"zips.{kind}/in.zip/z.md",
            f"zips.{kind}!deep.{kind}!a.md": f"zips.{kind}/deep.{kind}/a.md",
        }
        assert {read(tree, path) for path in paths(tree)} == {b"a", b"z"}


@pytest.mark.parametrize("kind", KINDS)
def test_names_that_lead_elsewhere_are_refused_and_the_rest_is_read(
    tmp_path: Path, kind: str
) -> None:
    evil = {
        "../up.md": b"x", "/etc/passwd": b"x", "C:\\win.md": b"x", "\\\\host\\share\\a.md": b"x",
        "a/../../up.md": b"x", "good.md": b"good",
    }  # fmt: skip
    with open_tree(tar_at(tmp_path / f"a.{kind}", evil)) as tree:
        assert paths(tree) == ["good.md"]
        assert [one.reason for one in tree.problems] == [
            "leads outside the archive", "names an absolute place", "names a place on a drive",
            "names a place on another computer", "leads outside the archive",
        ]  # fmt: skip


def test_links_devices_and_holes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(
        special(
            info_of("soft.md", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
            info_of("hard.md", type=tarfile.LNKTYPE, linkname="good.md"),
            info_of("device", type=tarfile.CHRTYPE),
            info_of("pipe", type=tarfile.FIFOTYPE),
            info_of("good.md", size=3),
        )
    )
    with open_tree(tmp_path / "a.tar") as tree:
        assert paths(tree) == ["good.md"]
        assert reasons(tree) == {
            "a.tar!soft.md": "is a link", "a.tar!hard.md": "is a link",
            "a.tar!device": "is no ordinary file", "a.tar!pipe": "is no ordinary file",
        }  # fmt: skip


def test_of_two_files_with_one_name_the_last_is_read_and_the_first_named(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for data in (b"old", b"newer"):
            archive.addfile(info_of("a.md", size=len(data)), io.BytesIO(data))
    (tmp_path / "a.tar").write_bytes(out.getvalue())
    with open_tree(tmp_path / "a.tar") as tree:
        assert read(tree, "a.md") == b"newer"
        assert "stands twice" in reasons(tree)["a.tar!a.md"]


def test_fifty_megabytes_from_49_kilobytes_are_refused(tmp_path: Path) -> None:
    place = tar_at(tmp_path / "bomb.tgz", {"ok.md": b"ok", "bomb.md": bytes(50_000_000)})
    assert place.stat().st_size < 60_000
    with open_tree(place) as tree:
        assert paths(tree) == ["ok.md"]
        assert "grow" in reasons(tree)["bomb.tgz"]


def test_a_header_that_claims_gigabytes_takes_no_memory(tmp_path: Path) -> None:
    longest = info_of("x", type=tarfile.GNUTYPE_LONGNAME)
    header = bytearray(longest.tobuf(format=tarfile.GNU_FORMAT)[:512])
    header[124:136] = b"77777777777\0"  # eight gigabytes of name
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    (tmp_path / "a.tar").write_bytes(bytes(header) + b"x" * 4096)
    with pytest.raises(ArchiveError, match=r"a\.tar.*damaged"):
        open_tree(tmp_path / "a.tar")


def test_sizes_and_counts_beyond_the_limits_are_refused(tmp_path: Path) -> None:
    place = tar_at(tmp_path / "a.tar", {"a.md": b"a" * 60, "b.md": b"b" * 60, "c.md": b"c" * 200})
    with open_tree(place, limits=Limits(member_bytes=100, total_bytes=100)) as tree:
        assert paths(tree) == ["a.md"]
        assert "too much together" in reasons(tree)["a.tar!b.md"]
        assert "too large" in reasons(tree)["a.tar!c.md"]
    many = tar_at(tmp_path / "many.tgz", {f"{n}.md": b"x" for n in range(30)})
    with open_tree(many, limits=Limits(count=20)) as tree:
        assert any("more than 20 files" in reason for reason in reasons(tree).values())


@pytest.mark.parametrize("kind", KINDS)
def test_what_breaks_off_keeps_the_files_before_and_says_so(tmp_path: Path, kind: str) -> None:
    files = {f"{number}.md": os.urandom(20_000) for number in range(5)}
    data = tar_bytes(files, packed=kind != "tar")
    (tmp_path / f"a.{kind}").write_bytes(data[: len(data) * 7 // 10])
    with open_tree(tmp_path / f"a.{kind}") as tree:
        assert paths(tree) == ["0.md", "1.md", "2.md"]
        assert all(read(tree, name) == files[name] for name in paths(tree))
        assert "Download or copy it again" in reasons(tree)[f"a.{kind}"]


def test_a_damaged_header_is_said_though_tar_itself_would_take_it_for_the_end(
    tmp_path: Path,
) -> None:
    data = bytearray(tar_bytes({"a.md": b"a", "b.md": b"b"}))
    data[1024 + 100] ^= 0xFF
    (tmp_path / "a.tar").write_bytes(data)
    with open_tree(tmp_path / "a.tar") as tree:
        assert paths(tree) == ["a.md"]
        assert "damaged" in reasons(tree)["a.tar"]


def test_a_wrong_checksum_of_the_packed_file_is_said(tmp_path: Path) -> None:
    data = bytearray(tar_bytes({"a.md": os.urandom(9000)}, packed=True))
    data[-6] ^= 0xFF
    (tmp_path / "a.tgz").write_bytes(data)
    with open_tree(tmp_path / "a.tgz") as tree:
        assert "damaged" in reasons(tree)["a.tgz"]


def test_going_back_in_a_packed_file_starts_from_a_mark_and_memory_stays_flat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tarred, "_APART", 200_000)
    monkeypatch.setattr(tarred, "_MARKS", 8)
    files = {f"{number:02d}.md": os.urandom(1000) * 400 for number in range(40)}
    place = tar_at(tmp_path / "a.tgz", files)
    del files["39.md"]
    tracemalloc.start()
    with open_tree(place) as tree:
        for name in reversed(files):
            assert read(tree, name) == files[name]
        _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6_000_000


def test_packed_pieces_behind_each_other_are_one_file(tmp_path: Path) -> None:
    data = tar_bytes({"a.md": b"a" * 3000})
    (tmp_path / "a.tgz").write_bytes(gzip.compress(data[:1500]) + gzip.compress(data[1500:]))
    with open_tree(tmp_path / "a.tgz") as tree:
        assert read(tree, "a.md") == b"a" * 3000


def test_a_packed_file_that_is_no_tar_says_to_unpack_it(tmp_path: Path) -> None:
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(b"{}" * 999))
    with pytest.raises(ArchiveError, match="Unpack it and choose the folder"):
        open_tree(tmp_path / "a.json.gz")


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 6000), st.integers(0, 255)), max_size=8), st.booleans())
def test_any_damage_is_named(
    tmp_path_factory: pytest.TempPathFactory, damage: list[tuple[int, int]], packed: bool
) -> None:
    data = bytearray(tar_bytes({"a.md": b"a" * 700, "b.md": b"b" * 300}, packed=packed))
    for place, byte in damage:
        data[place % len(data)] = byte
    file = tmp_path_factory.mktemp("t") / "a.tar"
    file.write_bytes(data)
    with suppress(CloneAppError), open_tree(file) as tree:  # which is all that may be raised
        for member in tree.members():
            with suppress(ArchiveError), member.open() as stream:
                assert len(stream.read()) == member.size
