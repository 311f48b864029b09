"""Make, open and lock a profile: the folder that holds one person's key, base, index and settings."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import filelock

from clone_app.errors import DamagedError, ProfileError, ProfileLockedError
from clone_app.keys import ProfileKey, Vault, check_strength, create_key, has_keyring_key, open_key
from clone_app.memory.database import Base
from clone_app.paths import ProfilePaths


class ProfileState(StrEnum):
    """What it takes to open a profile."""

    NEW = "new"
    LOCKED = "locked"
    KEYED = "keyed"
    OPEN = "open"


def state_of(paths: ProfilePaths, vault: Vault) -> ProfileState:
    """Return what it takes to open a profile; raise where its key is lost.

    A base without its key file is never taken for a new profile: that would hide the old one.
    """
    try:
        keyed, base = paths.key.exists(), paths.database.exists()
    except OSError as fault:
        raise _unusable(paths.home, fault) from fault
    if not keyed and base:
        raise DamagedError(
            f"The profile's key file {paths.key} is missing, and without it the memory can't be opened. "
            "Put it back from a backup of the profile folder."
        )
    if not keyed:
        return ProfileState.NEW
    return ProfileState.KEYED if has_keyring_key(paths.key, vault) else ProfileState.LOCKED


def create(paths: ProfilePaths, passphrase: str | None, vault: Vault) -> ProfileKey:
    """Make a new profile's folder, key and empty base; a kill in between leaves nothing half-made.

    The base is made under another name, the key file is written, then the base takes its name: so a
    key file without a base but with a fresh one beside it is a creation to be finished.
    """
    if passphrase is not None:
        check_strength(passphrase)
    make_folder(paths.home)
    if state_of(paths, vault) is not ProfileState.NEW:
        raise ProfileError(
            f"There is a profile in {paths.home} already. Open it, or choose an empty folder."
        )
    for leftover in paths.home.glob(f"{_fresh(paths).name}*"):
        leftover.unlink()
    staged_key = paths.key.with_suffix(".fresh")
    key = create_key(staged_key, passphrase, vault)
    base = Base(_fresh(paths), key, create=True)
    try:
        base.migrate()
        base.checkpoint()
    finally:
        base.close()
    try:
        staged_key.replace(paths.key)
        _fresh(paths).replace(paths.database)
    except OSError as fault:
        raise _unusable(paths.home, fault) from fault
    return key


def unlock(paths: ProfilePaths, passphrase: str | None, vault: Vault) -> ProfileKey:
    """Return the key of an existing profile, finishing its creation if that was cut short."""
    key = open_key(paths.key, passphrase, vault)
    if not paths.database.exists() and _fresh(paths).exists():
        _fresh(paths).replace(paths.database)
    return key


def take_lock(paths: ProfilePaths) -> filelock.FileLock:
    """Return the lock of the one who writes; raise `ProfileLockedError` if somebody has it.

    The operating system frees it when a process ends, killed or not.
    """
    lock = filelock.FileLock(paths.lock, timeout=0, mode=0o600)
    try:
        lock.acquire()
    except filelock.Timeout as fault:
        raise ProfileLockedError(
            "This profile is open in another window or command. Close that one first; "
            "looking things up works meanwhile."
        ) from fault
    except (OSError, NotImplementedError) as fault:
        raise _unusable(paths.home, fault) from fault
    return lock


def make_folder(home: Path) -> None:
    """Make the profile folder, readable by its owner alone; a folder that is there stays as it is."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as fault:
        raise _unusable(home, fault) from fault


def _fresh(paths: ProfilePaths) -> Path:
    return paths.database.with_suffix(".fresh")


def _unusable(home: Path, fault: BaseException) -> ProfileError:
    said = fault.strerror if isinstance(fault, OSError) else str(fault)
    return ProfileError(
        f"The profile folder {home} can't be used ({said}). "
        "Make it writable, free some space, or choose another folder."
    )
