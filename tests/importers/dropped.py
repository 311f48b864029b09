"""Folders and zips as somebody drops them, and what becomes of them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all
from clone_app.importers.recognise import recognise as recognised
from clone_app.progress import Progress
from clone_app.protocols import Found, Reading

MAIL = (
    "From robin@example.org Sat Mar  2 08:10:00 2024\n"
    "From: {sender}\nTo: {to}\nSubject: Hi\nMessage-ID: <{id}@x>\n"
    "Date: Sat, 2 Mar 2024 08:10:00 +0100\n\nHello.\n\n"
)
POST = {"id_str": "7", "created_at": "Wed Sep 04 13:51:55 +0000 2019", "full_text": "Rain"}
TWEETS = f"window.YTD.tweets.part0 = {json.dumps([{'tweet': POST}])}"
PERSONA = json.dumps({"person_name": "Yu", "context": [{"id": "1", "content": "x"}]})


def folder_of(home: Path, files: dict[str, str | bytes]) -> Path:
    home.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        place = home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return home


def sources(home: Path, *, as_source: str | None = None) -> dict[str, list[str]]:
    """Return which importer would read which paths."""
    with open_tree(home) as tree:
        found = recognised(tree, as_source=as_source)
        return {one.importer.name: [member.path for member in one.members] for one in found.claimed}


def all_of(home: Path) -> list[Found]:
    with open_tree(home) as tree:
        return list(read_all(recognised(tree), Reading(), Progress()))


def zip_of(place: Path, files: dict[str, str]) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    place.write_bytes(packed.getvalue())
    return place
