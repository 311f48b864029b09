"""The key of a profile: random, kept in the OS keyring, wrapped too by the passphrase.

`key.json` beside the database holds the wrapped key and a keyed check value. SQLCipher says the same
of a wrong key and of a damaged first page; the check value tells them apart. Without the keyring and
without the passphrase there is no way in, and none falls back to a plain database.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from clone_app.errors import (
    KeyingError,
    PassphraseNeededError,
    ProfileError,
    WrongPassphraseError,
)

PASSPHRASE_VARIABLE = "CLONE_APP_PASSPHRASE"  # noqa: S105
SERVICE = "clone-app"
SHORTEST = 8
# What stretching a passphrase by Argon2id takes: RFC 9106's second recommended choice, for a guess
# costs 64 MB and a tenth of a second. The file names its own cost, so this can be raised later.
COST = {"time": 3, "memory_kib": 64 * 1024, "lanes": 4}


class Vault(Protocol):
    """A place of the operating system that keeps one secret a profile."""

    def works(self) -> bool:
        """Tell whether secrets can be kept here."""
        ...

    def get(self, profile: str) -> bytes | None:
        """Return the profile's key, None if it isn't here."""
        ...

    def put(self, profile: str, key: bytes) -> None:
        """Keep the profile's key."""
        ...


class KeyringVault:
    """Keep keys in the OS keyring through the `keyring` library; imported late, it takes 0.1 s."""

    def works(self) -> bool:
        """Tell whether a real keyring answers; the library's stand-ins for none don't count."""
        import keyring
        import keyring.backends.fail
        import keyring.errors

        try:
            backend = keyring.get_keyring()
            if isinstance(backend, keyring.backends.fail.Keyring) or backend.priority < 1:
                return False
            keyring.get_password(SERVICE, "probe")
        except (keyring.errors.KeyringError, RuntimeError, OSError):
            return False
        return True

    def get(self, profile: str) -> bytes | None:
        """Return the profile's key, None if the keyring has none or can't be reached."""
        import keyring
        import keyring.errors

        try:
            kept = keyring.get_password(SERVICE, profile)
        except (keyring.errors.KeyringError, RuntimeError, OSError):
            return None
        try:
            return base64.b64decode(kept) if kept else None
        except ValueError:
            return None

    def put(self, profile: str, key: bytes) -> None:
        """Keep the profile's key; raise `KeyingError` where the keyring refuses."""
        import keyring
        import keyring.errors

        try:
            keyring.set_password(SERVICE, profile, base64.b64encode(key).decode())
        except (keyring.errors.KeyringError, RuntimeError, OSError) as fault:
            raise KeyingError(
                "This computer's keyring would not keep the key. Choose a passphrase instead."
            ) from fault


class MemoryVault:
    """Keep keys in memory: for tests, and for profiles that live no longer than the program."""

    def __init__(self, *, working: bool = True) -> None:
        self._working = working
        self._kept: dict[str, bytes] = {}

    def works(self) -> bool:
        """Tell whether this vault was made to work."""
        return self._working

    def get(self, profile: str) -> bytes | None:
        """Return the profile's key."""
        return self._kept.get(profile)

    def put(self, profile: str, key: bytes) -> None:
        """Keep the profile's key."""
        if not self._working:
            raise KeyingError("There is no keyring here. Choose a passphrase instead.")
        self._kept[profile] = key


@dataclass(frozen=True, slots=True)
class ProfileKey:
    """Hold the 32 secret bytes everything else of a profile is derived from."""

    secret: bytes

    def database(self) -> str:
        """Return SQLCipher's raw key, 64 hex digits."""
        return self._derive(b"database").hex()

    def rotation_seed(self) -> int:
        """Return the seed of the secret rotation that vectors are stored under."""
        return int.from_bytes(self._derive(b"rotation"), "big")

    def check(self) -> str:
        """Return the value kept beside the base that only this key gives."""
        return self._derive(b"check").hex()

    def _derive(self, purpose: bytes) -> bytes:
        # HKDF-Expand with one block (RFC 5869); the secret is uniformly random, so no extraction.
        return hmac.new(self.secret, purpose + b"\x01", hashlib.sha256).digest()


def create_key(
    path: Path,
    passphrase: str | None,
    vault: Vault,
    *,
    random: Callable[[int], bytes] = os.urandom,
) -> ProfileKey:
    """Make a profile's key and write `key.json`.

    With a passphrase the key is wrapped by it; without one the keyring must work. Where both are
    there, the keyring opens the profile daily and the passphrase recovers it.
    """
    keyring_works = vault.works()
    if passphrase is None and not keyring_works:
        raise PassphraseNeededError(
            "This computer has no keyring to keep the key in. Give a passphrase "
            f"(on the command line: set {PASSPHRASE_VARIABLE})."
        )
    key = ProfileKey(random(32))
    profile = uuid.UUID(bytes=random(16), version=4).hex
    record = {
        "version": 1,
        "profile": profile,
        "check": key.check(),
        "wrapped": None if passphrase is None else _wrap(key.secret, passphrase, random),
        "keyring": keyring_works,
    }
    if keyring_works:
        vault.put(profile, key.secret)
    _write(path, record)
    return key


def has_keyring_key(path: Path, vault: Vault) -> bool:
    """Tell whether the keyring opens this profile without a passphrase."""
    record = _read(path)
    if not record.get("keyring"):
        return False
    kept = vault.get(str(record["profile"]))
    return kept is not None and ProfileKey(kept).check() == record["check"]


def open_key(path: Path, passphrase: str | None, vault: Vault) -> ProfileKey:
    """Return the profile's key: by the passphrase where one is given, else from the keyring."""
    record = _read(path)
    if passphrase is None:
        kept = vault.get(str(record["profile"])) if record.get("keyring") else None
        if kept is None:
            raise PassphraseNeededError(
                "This profile is locked. Give its passphrase "
                f"(on the command line: set {PASSPHRASE_VARIABLE})."
            )
        key = ProfileKey(kept)
    else:
        if not record["wrapped"]:
            raise WrongPassphraseError(
                "This profile has no passphrase; its key is in the keyring of the computer it was "
                f"made on. Unset {PASSPHRASE_VARIABLE} and start again there."
            )
        key = ProfileKey(_unwrap(record["wrapped"], passphrase))
    if not hmac.compare_digest(key.check(), str(record["check"])):
        raise WrongPassphraseError(
            "The keyring holds another key than this profile's. Give the profile's passphrase."
        )
    return key


def change_passphrase(
    path: Path, key: ProfileKey, passphrase: str, *, random: Callable[[int], bytes] = os.urandom
) -> None:
    """Wrap the same key by a new passphrase; the database is not touched."""
    _write(path, _read(path) | {"wrapped": _wrap(key.secret, passphrase, random)})


def check_strength(passphrase: str) -> None:
    """Raise `KeyingError` for a passphrase that guards nothing."""
    if len(passphrase) < SHORTEST:
        raise KeyingError(f"Choose a passphrase of at least {SHORTEST} characters.")


def _wrap(secret: bytes, passphrase: str, random: Callable[[int], bytes]) -> dict[str, object]:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    salt, nonce = random(16), random(12)
    sealed = ChaCha20Poly1305(_stretch(passphrase, salt, COST)).encrypt(nonce, secret, b"key")
    return {"kdf": "argon2id", **COST, "salt": salt.hex(), "nonce": nonce.hex()} | {
        "sealed": sealed.hex()
    }


def _unwrap(wrapped: dict[str, Any], passphrase: str) -> bytes:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    try:
        stretched = _stretch(passphrase, bytes.fromhex(wrapped["salt"]), wrapped)
        cipher = ChaCha20Poly1305(stretched)
        return cipher.decrypt(
            bytes.fromhex(wrapped["nonce"]), bytes.fromhex(wrapped["sealed"]), b"key"
        )
    except (KeyError, ValueError, TypeError) as fault:
        raise ProfileError(
            "The profile's key file is damaged. Put key.json back from a backup of that folder."
        ) from fault
    except InvalidTag as fault:
        raise WrongPassphraseError(
            "That is not this profile's passphrase. Check capitals and keyboard layout, and try again."
        ) from fault


def _stretch(passphrase: str, salt: bytes, cost: dict[str, Any]) -> bytes:
    from argon2.low_level import Type, hash_secret_raw

    return hash_secret_raw(
        passphrase.encode("utf-8", "surrogateescape"),  # a shell may hand over any bytes
        salt,
        time_cost=int(cost["time"]),
        memory_cost=int(cost["memory_kib"]),
        parallelism=int(cost["lanes"]),
        hash_len=32,
        type=Type.ID,
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text("utf-8"))
        if record["version"] != 1:
            raise ProfileError(
                "This profile was made by a newer version of the program. Update the program."
            )
        str(record["profile"]), str(record["check"]), record["wrapped"]  # all must be there
    except OSError as fault:
        raise ProfileError(
            f"The profile's key file {path} can't be read ({fault.strerror}). "
            "Put it back from a backup of the profile folder."
        ) from fault
    except (ValueError, KeyError, TypeError) as fault:
        raise ProfileError(
            f"The profile's key file {path} is damaged. Put it back from a backup of that folder."
        ) from fault
    return dict(record)


def _write(path: Path, record: dict[str, object]) -> None:
    fresh = path.with_suffix(".new")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(record, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as fault:
        raise ProfileError(
            f"The profile folder {path.parent} can't be written ({fault.strerror}). "
            "Make it writable, free some space, or choose another folder."
        ) from fault
