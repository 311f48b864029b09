"""The key: random, in the keyring, wrapped by the passphrase, told from damage by its check value."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from clone_app import keys
from clone_app.errors import (
    KeyingError,
    PassphraseNeededError,
    ProfileError,
    WrongPassphraseError,
)
from clone_app.keys import (
    COST,
    KeyringVault,
    MemoryVault,
    change_passphrase,
    check_strength,
    create_key,
    has_keyring_key,
    open_key,
)

PASSPHRASE = "correct horse battery"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "key.json"


def test_the_passphrase_opens_what_it_made(path: Path) -> None:
    none = MemoryVault(working=False)
    key = create_key(path, PASSPHRASE, none)
    assert open_key(path, PASSPHRASE, none) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_guess_costs_what_rfc_9106_recommends(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "COST", COST)  # as users have it: elsewhere in the tests it is cheap
    key = create_key(path, PASSPHRASE, MemoryVault(working=False))
    wrapped = json.loads(path.read_text())["wrapped"]
    assert wrapped["kdf"] == "argon2id"
    assert (wrapped["time"], wrapped["memory_kib"], wrapped["lanes"]) == (3, 64 * 1024, 4)
    assert open_key(path, PASSPHRASE, MemoryVault(working=False)) == key


def test_neither_key_nor_passphrase_is_in_the_file(path: Path) -> None:
    key = create_key(path, PASSPHRASE, MemoryVault(working=False))
    written = path.read_text()
    for secret in (key.secret.hex(), key.database(), PASSPHRASE):
        assert secret not in written


def test_a_wrong_passphrase_is_said_to_be_wrong(path: Path) -> None:
    create_key(path, PASSPHRASE, MemoryVault(working=False))
    with pytest.raises(WrongPassphraseError, match="try again"):
        open_key(path, "wrong horse", MemoryVault(working=False))


def test_without_keyring_and_passphrase_there_is_no_profile_rather_than_a_plain_one(
    path: Path,
) -> None:
    with pytest.raises(PassphraseNeededError):
        create_key(path, None, MemoryVault(working=False))
    assert not path.exists()


def test_the_keyring_opens_without_a_passphrase_and_the_passphrase_recovers(path: Path) -> None:
    vault = MemoryVault()
    key = create_key(path, PASSPHRASE, vault)
    assert has_keyring_key(path, vault)
    assert open_key(path, None, vault) == key
    assert not has_keyring_key(path, MemoryVault())
    with pytest.raises(PassphraseNeededError):
        open_key(path, None, MemoryVault())
    assert open_key(path, PASSPHRASE, MemoryVault()) == key


def test_another_key_in_the_keyring_is_not_taken_for_damage(path: Path) -> None:
    vault = MemoryVault()
    create_key(path, PASSPHRASE, vault)
    vault.put(json.loads(path.read_text())["profile"], bytes(32))
    with pytest.raises(WrongPassphraseError, match="another key"):
        open_key(path, None, vault)


def test_a_new_passphrase_wraps_the_same_key(path: Path) -> None:
    none = MemoryVault(working=False)
    key = create_key(path, PASSPHRASE, none)
    change_passphrase(path, key, "another passphrase")
    assert open_key(path, "another passphrase", none) == key
    with pytest.raises(WrongPassphraseError):
        open_key(path, PASSPHRASE, none)


@pytest.mark.parametrize("content", ["", "{}", "[]", "null", '{"version": 1}', "\x00\x01"])
def test_a_damaged_key_file_is_a_sentence_with_a_next_step(path: Path, content: str) -> None:
    path.write_text(content)
    with pytest.raises(ProfileError, match="backup"):
        open_key(path, PASSPHRASE, MemoryVault(working=False))


def test_a_key_file_that_lost_a_field_is_damaged_not_a_crash(path: Path) -> None:
    create_key(path, PASSPHRASE, MemoryVault(working=False))
    record = json.loads(path.read_text())
    del record["wrapped"]["salt"]
    path.write_text(json.dumps(record))
    with pytest.raises(ProfileError, match="damaged"):
        open_key(path, PASSPHRASE, MemoryVault(working=False))


def test_a_passphrase_that_guards_nothing_is_refused() -> None:
    with pytest.raises(KeyingError, match="8 characters"):
        check_strength("short")


def test_each_purpose_has_a_key_of_its_own(path: Path) -> None:
    key = create_key(path, PASSPHRASE, MemoryVault(working=False))
    derived = {key.database(), key.check(), f"{key.rotation_seed():064x}", key.secret.hex()}
    assert len(derived) == 4


def test_a_machine_without_a_keyring_is_recognised_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring
    import keyring.backends.fail

    monkeypatch.setattr(keyring, "get_keyring", keyring.backends.fail.Keyring)
    assert not KeyringVault().works()


def test_a_passphrase_may_hold_bytes_that_are_no_text(path: Path) -> None:
    none = MemoryVault(working=False)
    odd = os.fsdecode(b"correct \xff horse")
    key = create_key(path, odd, none)
    assert open_key(path, odd, none) == key
    with pytest.raises(WrongPassphraseError):
        open_key(path, os.fsdecode(b"correct \xfe horse"), none)
