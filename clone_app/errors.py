"""The world's faults: each a sentence that ends with what to do. Anything else is ours and a crash."""

from __future__ import annotations


class CloneAppError(Exception):
    """Carry one sentence for the user: what happened, then what to do next."""


class Cancelled(Exception):  # noqa: N818 - cancelling is no error, and nobody shows it
    """Stop a piece of work because the user asked to."""


class UnrecognisedError(CloneAppError):
    """Say that nothing the program knows is in what was dropped.

    `brief` is the sentence without the long list of what is known, for where that stands beside it.
    """

    def __init__(self, sentence: str, *, brief: str = "") -> None:
        super().__init__(sentence)
        self.brief = brief


class ArchiveError(CloneAppError):
    """Say that an archive is damaged, encrypted or dangerous."""


class MailServerError(CloneAppError):
    """Say that a mail server can't be reached or does not give what was asked for."""


class MailPasswordError(MailServerError):
    """Say that a mail server needs a password, or another one."""


class KeyingError(CloneAppError):
    """Base of what can be wrong with the key of a profile."""


class PassphraseNeededError(KeyingError):
    """Say that the profile is locked and no passphrase was given."""


class WrongPassphraseError(KeyingError):
    """Say that the passphrase (or the keyring's key) does not open this profile."""


class ProfileError(CloneAppError):
    """Say that a profile folder can't be read or written."""


class ProfileLockedError(ProfileError):
    """Say that another start of the program is writing to this profile."""


class DamagedError(CloneAppError):
    """Say that the database is damaged, and how to get it back."""


class ModelError(CloneAppError):
    """Say that a model can't be found, loaded or run."""


class ModelStoppedError(ModelError):
    """Say that a model's process ended by itself; it can be started again."""
