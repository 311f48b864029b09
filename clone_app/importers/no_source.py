"""Files that hold nothing a person wrote for themselves, told by their names and first bytes."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from clone_app.importers.textfile import is_binary
from clone_app.protocols import Member

_PAPERS = (
    (re.compile(r"(?i)(?:licen[cs]e|copying|unlicense)(?:[-_.].*)?"), "a licence"),
    (re.compile(r"(?i)readme(?:[-_.].*)?"), "a note on what lies beside it"),
    (re.compile(r"(?i)provenance(?:[-_.].*)?"), "a note on where the files come from"),
    (re.compile(r"(?i)change(?:s|log)(?:[-_.].*)?|(?i:history\.(?:md|rst))"), "a list of changes"),
    (re.compile(r"(?:NOTICE|AUTHORS|CONTRIBUTORS|CONTRIBUTING)(?:\.\w+)?"), "a project's paper"),
    (re.compile(r"(?i)(?:sha\d+|md5)sums?(?:\.txt)?"), "a list of checksums"),
)
_KINDS = {
    "a picture": "png jpg jpeg gif webp heic heif svg bmp tif tiff ico avif raw cr2 nef dng psd",
    "a sound or film": "mp3 m4a wav ogg opus flac aac aiff mp4 m4v mov avi mkv webm 3gp caf",
    "a document this program does not read": "pdf doc docx odt rtf pages xls xlsx ods numbers ppt "
    "pptx key epub mobi azw3 ps xcf one",
    "packed in a way this program does not open": "gz tgz bz2 xz tar 7z rar zst dmg iso cab",
    "a program or a part of one": "exe dll so dylib app jar apk py pyc class o a wasm css scss map "
    "woff woff2 ttf otf",
    "a database": "sqlite sqlite3 db db3 mdb accdb wal shm msf",
}  # fmt: skip
_REASON_OF = {ending: reason for reason, endings in _KINDS.items() for ending in endings.split()}
_STARTS = (
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\x00", "a picture"),
    (b"%PDF-", "a document this program does not read"),
    (b"\xd0\xcf\x11\xe0", "a document this program does not read"),
    (b"PK\x03\x04", "packed in a way this program does not open"),
    (b"\x1f\x8b\x08", "packed in a way this program does not open"),
    (b"7z\xbc\xaf", "packed in a way this program does not open"),
    (b"SQLite format 3\x00", "a database"),
    (b"\x7fELF", "a program or a part of one"),
    (b"MZ\x90", "a program or a part of one"),
    (b"ID3", "a sound or film"),
    (b"OggS", "a sound or film"),
)
# Databases that an importer does read, by the names their programs give them.
BROWSERS = re.compile(r"(?:^|/)(?:places\.sqlite|History|History\.db)$")
MESSAGES = re.compile(r"(?:^|/)(?:chat|sms)\.db$", re.IGNORECASE)
NOTES = re.compile(r"(?:^|/)NoteStore[^/]*\.sqlite$")
# What an export calls a file after a note's title, so that "Changes.json" is a note.
_EXPORTED = frozenset(("json", "enex", "note", "html", "htm"))
# What comes out of a program or off a site: never a page, and empty by accident only.
_EXPORTS = frozenset(
    ("json", "js", "csv", "zip", "tar", "tgz", "mbox", "ics", "enex", "jex", "car", "pst", "msg")
)
_PAGE = (b"<!doctype", b"<html")
# Endings whose files are text, so that their first bytes need no look here.
_TEXT = frozenset(
    ("md", "markdown", "txt", "text", "eml", "emlx", "mbox", "json", "js", "csv", "html", "xml")
)


def no_source(member: Member) -> str:
    """Return what a file is if it can be no source, nothing if an importer should look at it."""
    name = PurePosixPath(member.path).name
    if any(known.search(member.path) for known in (BROWSERS, MESSAGES, NOTES)):
        return ""
    if name.lower().endswith((".msg", ".oft")):
        return ""
    ending = PurePosixPath(name).suffix.lower().lstrip(".")
    for pattern, reason in _PAPERS:
        if pattern.fullmatch(name) and ending not in _EXPORTED:
            return reason
    if ending in _REASON_OF:
        return _REASON_OF[ending]
    if ending in _TEXT:
        return ""
    head = member.head()
    return next((reason for start, reason in _STARTS if head.startswith(start)), "")


def failed_download(member: Member) -> str:
    """Return what to do about a web page that was saved under an export's name, nothing for others."""
    ending = PurePosixPath(member.path).suffix.lower().lstrip(".")
    if ending not in _EXPORTS or not member.head().lstrip()[:9].lower().startswith(_PAGE):
        return ""
    return "is a web page, whatever its name says: sign in and download or export it again"


def unclaimed(member: Member) -> str:
    """Return why nobody reads a file that might have been a source."""
    ending = PurePosixPath(member.path).suffix.lower().lstrip(".")
    if not member.size:
        again = ": if something should be in it, download or export it again"
        return f"an empty file{again if ending in _EXPORTS else ''}"
    if ending in {"json", "js", "xml", "csv", "html", "htm"}:
        return f"{ending.upper()} of a kind this program does not read"
    if ending in {"txt", "text", "md", "markdown"}:
        if is_binary(member.head()):
            return "no text, whatever its ending says"
        return "reads like a chat, a mail or a list, not like a diary or notes"
    return "not a kind this program reads"
