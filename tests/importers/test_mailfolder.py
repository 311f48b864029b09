"""Folder names and labels say which mail the user sent, in the words mail programs use."""

from __future__ import annotations

import unicodedata

import pytest

from clone_app.importers.mailfolder import of_flags, of_gmail, of_path


@pytest.mark.parametrize(
    "path",
    [
        "Sent",
        "Sent.mbox",
        "Mail/Sent Items/3.eml",
        "INBOX.Sent/cur/1:2,S",
        ".Sent/cur/1:2,S",
        "Local Folders/Sent.sbd/2019",
        "[Gmail]/Sent Mail/cur/1",
        "Gesendet/1.eml",
        "Gesendete Elemente/1.eml",
        "Envoyés.mbox/mbox",
        "Éléments envoyés/1.eml",
        "Enviados/1.eml",
        "Elementos enviados/1.eml",
        "已发送/1.eml",
        "送信済みメール/1.eml",
        ".Envoy&AOk-s/cur/1:2,S",
    ],
)
def test_sent_folders_are_known_in_many_languages(path: str) -> None:
    assert of_path(path) == ("Sent",)


def test_accents_as_letters_of_their_own_are_known_as_macos_writes_them() -> None:
    assert of_path(unicodedata.normalize("NFD", "Éléments envoyés/1.eml")) == ("Sent",)


@pytest.mark.parametrize(
    "path",
    ["INBOX/cur/1:2,S", "Presentation/1.eml", "sent to Kim.eml", "Absent/1.eml", "&!!-/1.eml", ""],
)
def test_other_folders_are_none_of_the_known(path: str) -> None:
    assert of_path(path) == ()


def test_spam_trash_and_drafts_are_known() -> None:
    assert of_path("Papierkorb/1.eml") == ("Trash",)
    assert of_path("Junk-E-Mail/1.eml") == ("Spam",)
    assert of_path("Brouillons/1.eml") == ("Drafts",)


def test_gmails_labels_are_kept_and_its_own_ones_read_in_english() -> None:
    assert of_gmail("Gesendet,Wichtig,Familie") == ("Sent", "Wichtig", "Familie")
    assert of_gmail('Inbox,"Rome, 2019",Inbox') == ("Inbox", "Rome, 2019")
    assert of_gmail("Entwürfe,Spam,Trash,Chat") == ("Drafts", "Spam", "Trash", "Chats")
    assert of_gmail("") == ()


def test_the_flags_of_a_maildir_name_are_read() -> None:
    assert of_flags("51:2,S") == ()
    assert of_flags("51:2,DT") == ("Drafts", "Trash")
    assert of_flags("51;2,T") == ("Trash",)
    assert of_flags("note.txt") == ()
