"""Eleven public collections of mail, most of it malformed on purpose: read without a fall."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pytest

from clone_app.entries import ImportProblem, Item
from clone_app.importers.eml import EML
from clone_app.importers.maildir import MAILDIR
from clone_app.importers.mbox import MBOX
from clone_app.importers.message import looks_like_mail
from clone_app.protocols import Found, Member, Reading

pytestmark = pytest.mark.real
IMPORTERS = (EML, MBOX, MAILDIR)


@dataclass(frozen=True)
class DiskMember:
    root: Path
    file: Path

    @property
    def path(self) -> str:
        return self.file.relative_to(self.root).as_posix()

    @property
    def locator(self) -> str:
        return self.path

    @property
    def size(self) -> int:
        return self.file.stat().st_size

    def head(self) -> bytes:
        with self.file.open("rb") as stream:
            return stream.read(4096)

    def open(self) -> BinaryIO:
        return self.file.open("rb")


@pytest.fixture(scope="module")
def corpora(shared_data: Path) -> Path:
    folder = shared_data / "email"
    if not folder.is_dir():
        pytest.skip(f"the collections of mail are not at {folder}")
    return folder


def members_of(folder: Path) -> list[Member]:
    return [DiskMember(folder, file) for file in sorted(folder.rglob("*")) if file.is_file()]


def read(folder: Path) -> Iterator[tuple[Member, Found]]:
    """Yield what each claimed file holds; no file may be claimed by two."""
    members = members_of(folder)
    taken: set[str] = set()
    for importer in IMPORTERS:
        claim = importer.claim(members)
        if claim is None:
            continue
        assert not taken & claim.paths
        taken |= claim.paths
        for member in members:
            if member.path in claim.paths:
                for found in importer.read([member], Reading()):
                    yield member, found


def test_notmuch_holds_283_mails_in_320_files(corpora: Path) -> None:
    found = list(read(corpora / "notmuch-corpora"))
    assert {member.path for member, _ in found}.isdisjoint({"README", "PROVENANCE.txt"})
    assert len(found) == 320
    assert all(isinstance(one, Item) for _, one in found)
    distinct = {(one.key, one.body_hash()) for _, one in found if isinstance(one, Item)}
    assert len(distinct) == 283


def test_a_used_again_id_with_another_body_stays_apart_and_the_same_body_does_not(
    corpora: Path,
) -> None:
    bodies = {
        member.path: (one.key, one.body_hash())
        for member, one in read(corpora / "notmuch-corpora")
        if isinstance(one, Item)
    }

    def distinct(*paths: str) -> int:
        return len({bodies[path] for path in paths})

    def keys(*paths: str) -> int:
        return len({bodies[path][0] for path in paths})

    blank_lines = ("duplicate/msg-1-1:2,", "duplicate/msg-1-2:2,")
    edited = ("duplicate/msg-2-1:2,", "duplicate/msg-2-2:2,")
    # One mail to five bugs: three copies with one list's footer, one with another's, one without.
    footers = tuple(f"duplicate/msg-3-{n}:2," for n in range(1, 6))
    signed = ("pkcs7/smime-onepart-signed.eml", "protected-headers/smime-onepart-signed.eml")
    sealed = ("crypto/encrypted-signed.eml", "protected-headers/encrypted-signed.eml")
    for group in (blank_lines, edited, footers, signed, sealed):
        assert keys(*group) == 1
    assert distinct(*blank_lines) == 2
    assert distinct(*edited) == 2
    assert distinct(*footers) == 3
    assert distinct(*signed) == 2
    assert distinct(*sealed) == 2


def test_sealed_mail_is_named(corpora: Path) -> None:
    texts = {
        member.path: one.text
        for member, one in read(corpora / "notmuch-corpora")
        if isinstance(one, Item)
    }
    assert texts["crypto/encrypted-signed.eml"] == "[encrypted message]"
    assert texts["pkcs7/smime-onepart-signed.eml"] == "[signed message]"
    assert texts["protected-headers/smime-sign+enc.eml"] == "[encrypted message]"


def test_talons_replies_all_say_hello_and_nothing_else(corpora: Path) -> None:
    texts = {
        member.path: one.text for member, one in read(corpora / "talon") if isinstance(one, Item)
    }
    replies = {path: text for path, text in texts.items() if path.startswith("standard_replies/")}
    assert len(replies) == 12
    assert set(replies.values()) == {"Hello"}


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("cpython-test_email", 45),
        ("flanker", 80),
        ("mime4j", 68),
        ("mimekit", 255),
        ("nodemailer", 10),
        ("notmuch-corpora", 320),
        ("ruby-mail", 102),
        ("spamscope-mail-parser", 22),
        ("stalwart-eml", 106),
        ("talon", 14),
        ("tika", 39),
    ],
)
def test_no_collection_makes_a_reader_fall_or_hang(corpora: Path, name: str, least: int) -> None:
    started = time.perf_counter()
    counts: Counter[str] = Counter()
    for _, one in read(corpora / name):
        counts[type(one).__name__] += 1
        if isinstance(one, ImportProblem):
            assert one.reason.endswith("."), one
        elif isinstance(one, Item):
            explained = any(label.startswith("undated:") for label in one.labels)
            assert explained is (one.moment.local is None)
            "\n".join((one.key, one.author, one.title, one.text, one.context)).encode("utf-8")
    assert counts["Item"] >= least
    assert time.perf_counter() - started < 30


def test_of_all_single_mails_97_in_100_are_read_and_dated_or_said_to_be_undated(
    corpora: Path,
) -> None:
    mails = right = 0
    for folder in sorted(corpora.iterdir()):
        found: dict[str, list[Found]] = {}
        for member, one in read(folder):
            found.setdefault(member.path, []).append(one)
        for member in members_of(folder):
            if looks_like_mail(member.head()):
                mails += 1
                ones = found.get(member.path, [])
                right += bool(ones) and isinstance(ones[0], Item)
    assert mails > 800
    assert right / mails >= 0.97
