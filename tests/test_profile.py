"""A profile on a disk that fails, fills up, is read-only or damaged: a sentence, nothing lost."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from clone_app import profile
from clone_app.errors import (
    CloneAppError,
    DamagedError,
    ProfileError,
    ProfileLockedError,
    WrongPassphraseError,
)
from clone_app.keys import MemoryVault, ProfileKey
from clone_app.memory.database import Base, rows
from clone_app.paths import ProfilePaths
from clone_app.profile import ProfileState

PASSPHRASE = "correct horse battery"
NONE = MemoryVault(working=False)


@pytest.fixture
def paths(tmp_path: Path) -> ProfilePaths:
    return ProfilePaths(tmp_path / "profile")


def made(paths: ProfilePaths) -> ProfileKey:
    return profile.create(paths, PASSPHRASE, NONE)


def test_a_new_profile_is_its_owners_alone(paths: ProfilePaths) -> None:
    made(paths)
    assert paths.home.stat().st_mode & 0o077 == 0
    for path in paths.home.iterdir():
        assert path.stat().st_mode & 0o077 == 0, path.name


def test_states_follow_a_profiles_life(paths: ProfilePaths) -> None:
    assert profile.state_of(paths, NONE) is ProfileState.NEW
    made(paths)
    assert profile.state_of(paths, NONE) is ProfileState.LOCKED
    vault = MemoryVault()
    shutil.rmtree(paths.home)
    profile.create(paths, None, vault)
    assert profile.state_of(paths, vault) is ProfileState.KEYED


def test_a_lost_key_file_never_makes_a_new_profile_over_the_old(paths: ProfilePaths) -> None:
    made(paths)
    paths.key.unlink()
    with pytest.raises(DamagedError, match="backup"):
        profile.state_of(paths, NONE)
    with pytest.raises(DamagedError):
        made(paths)


def test_a_wrong_passphrase_and_a_damaged_first_page_are_told_apart(paths: ProfilePaths) -> None:
    made(paths)
    with pytest.raises(WrongPassphraseError):
        profile.unlock(paths, "wrong horse battery", NONE)
    content = bytearray(paths.database.read_bytes())
    content[100:200] = bytes(100)
    paths.database.write_bytes(content)
    key = profile.unlock(paths, PASSPHRASE, NONE)
    with pytest.raises(DamagedError, match="Restore"):
        Base(paths.database, key)


@pytest.mark.parametrize("size", [0, 1, 1000])
def test_a_truncated_base_is_damage_not_a_new_one(paths: ProfilePaths, size: int) -> None:
    key = made(paths)
    paths.database.write_bytes(paths.database.read_bytes()[:size])
    with pytest.raises(DamagedError):
        Base(paths.database, key)
    assert paths.database.stat().st_size == size


def test_a_missing_base_beside_its_key_is_damage(paths: ProfilePaths) -> None:
    key = made(paths)
    paths.database.unlink()
    with pytest.raises(DamagedError, match="missing"):
        Base(paths.database, key)


def test_a_newer_schema_is_left_alone(paths: ProfilePaths) -> None:
    key = made(paths)
    base = Base(paths.database, key)
    with base.write() as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
            "VALUES ('clone_app', '9999_future', '')"
        )
    base.close()
    before = paths.database.read_bytes()
    with pytest.raises(ProfileError, match="newer version"):
        Base(paths.database, key)
    assert paths.database.read_bytes() == before


def test_a_creation_cut_short_is_finished_by_opening(paths: ProfilePaths) -> None:
    made(paths)
    paths.database.replace(paths.database.with_suffix(".fresh"))
    key = profile.unlock(paths, PASSPHRASE, NONE)
    assert Base(paths.database, key).quick_check() == "ok"


def test_two_programs_do_not_write_to_one_profile(paths: ProfilePaths) -> None:
    made(paths)
    first = profile.take_lock(paths)
    with pytest.raises(ProfileLockedError, match="Close that one"):
        profile.take_lock(paths)
    first.release()
    profile.take_lock(paths).release()


def test_a_killed_program_leaves_no_lock_behind(paths: ProfilePaths) -> None:
    made(paths)
    code = (
        "import sys, time; from pathlib import Path; from clone_app import profile;"
        "from clone_app.paths import ProfilePaths;"
        "lock = profile.take_lock(ProfilePaths(Path(sys.argv[1]))); print('held', flush=True);"
        "time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(paths.home)], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(ProfileLockedError):
            profile.take_lock(paths)
        holder.kill()
    profile.take_lock(paths).release()


@pytest.fixture
def frozen(tmp_path: Path) -> Iterator[Path]:
    """A folder that even root can't write to."""
    folder = tmp_path / "frozen"
    folder.mkdir()
    if shutil.which("chattr") is None:
        pytest.skip("chattr is not installed")
    if subprocess.run(["chattr", "+i", folder], capture_output=True).returncode:
        pytest.skip("this file system knows no immutable folders")
    yield folder
    subprocess.run(["chattr", "-R", "-i", folder], check=True)


def test_a_read_only_place_is_a_sentence_with_a_next_step(frozen: Path) -> None:
    for home in (frozen, frozen / "inside"):
        with pytest.raises(ProfileError, match="Make it writable"):
            made(ProfilePaths(home))


def test_a_read_only_profile_is_a_sentence_with_a_next_step(paths: ProfilePaths) -> None:
    made(paths)
    if subprocess.run(["chattr", "+i", paths.home], capture_output=True).returncode:
        pytest.skip("this file system knows no immutable folders")
    try:
        with pytest.raises(ProfileError, match="writable"):
            profile.take_lock(paths)
    finally:
        subprocess.run(["chattr", "-i", paths.home], check=True)
    profile.take_lock(paths).release()


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no right to mount a disk here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_is_a_sentence_and_what_was_there_stays(tiny_disk: Path) -> None:
    paths = ProfilePaths(tiny_disk / "profile")
    key = made(paths)
    base = Base(paths.database, key)
    with base.write() as db:
        db.execute("INSERT INTO facts VALUES ('kept', 'yes')")
    with pytest.raises(ProfileError, match="Free some space"), base.write() as db:
        db.execute("INSERT INTO facts VALUES ('big', ?)", ["x" * 3_000_000])
    assert {"kept"} == {row[0] for row in db.execute("SELECT name FROM facts")} - {"changed"}
    base.close()
    assert Base(paths.database, key).quick_check() == "ok"


def test_no_profile_fits_on_a_disk_that_is_full_already(tiny_disk: Path) -> None:
    (tiny_disk / "filler").write_bytes(bytes(900_000))
    with pytest.raises(CloneAppError, match="space"):
        made(ProfilePaths(tiny_disk / "profile"))


def test_a_disk_too_full_to_open_a_base_is_not_called_damage(tiny_disk: Path) -> None:
    paths = ProfilePaths(tiny_disk / "profile")
    key = made(paths)
    with (tiny_disk / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(bytes(1024))
    with pytest.raises(ProfileError, match="Free some space"):
        Base(paths.database, key)
    (tiny_disk / "filler").unlink()
    assert Base(paths.database, key).quick_check() == "ok"


def test_a_damaged_page_is_said_in_words_when_it_is_read(paths: ProfilePaths) -> None:
    key = made(paths)
    base = Base(paths.database, key)
    with base.write() as db:
        for number in range(400):
            db.execute("INSERT INTO facts VALUES (?, ?)", [str(number), "x" * 1000])
    base.checkpoint()
    base.close()
    held = bytearray(paths.database.read_bytes())
    held[-2000] ^= 0x55
    paths.database.write_bytes(held)
    damaged = Base(paths.database, key)
    with pytest.raises(DamagedError, match="Restore"):
        rows(damaged.db(), "SELECT * FROM facts")
    damaged.close()
