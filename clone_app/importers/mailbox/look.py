"""What an account holds, before anything is fetched for good."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from clone_app.entries import Item
from clone_app.importers import mailfolder
from clone_app.importers.addresses import addresses
from clone_app.importers.mailbox.account import Account
from clone_app.importers.mailbox.fetch import locator_of
from clone_app.importers.mailbox.folders import Folder, list_folders
from clone_app.importers.mailbox.wire import Client, number
from clone_app.importers.message import Origin, read_message
from clone_app.progress import Progress
from clone_app.protocols import Reading

SAMPLES = 3
_SAMPLE_BYTES = 200_000
_SENT_LOOKED_AT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxPreview:
    """Show an account: its folders, when its mail arrived (ISO days), samples, who sends from it."""

    folders: tuple[Folder, ...]
    first: str | None
    last: str | None
    samples: tuple[Item, ...]
    senders: tuple[tuple[str, int], ...]

    @property
    def messages(self) -> int:
        """Return how many messages lie in the folders that are usually read."""
        return sum(folder.messages for folder in self.folders if folder.usual)


def look(client: Client, account: Account, reading: Reading, progress: Progress) -> MailboxPreview:
    """Return what an account holds; messages are peeked at and stay as they are."""
    progress.report(0, 0, "Listing folders")
    folders = list_folders(client)
    client.use_uid = False  # the first and the last of a folder are known by their places alone
    try:
        days: list[datetime] = []
        senders: Counter[str] = Counter()
        samples: list[Item] = []
        for done, folder in enumerate(folders):
            progress.report(done, len(folders), "Looking into folders")
            if not folder.messages or not (folder.usual or folder.use == mailfolder.SENT):
                continue
            opened = client.select_folder(folder.name, readonly=True)
            count = number(opened.get(b"EXISTS"))
            if not count:
                continue
            if folder.usual:
                days += _arrivals(client, count)
            if folder.use == mailfolder.SENT:
                senders.update(_senders(client, count))
            if folder.usual and len(samples) < SAMPLES:
                samples += _samples(client, account, folder, count, reading)
    finally:
        client.use_uid = True
    return MailboxPreview(
        folders=folders,
        first=min(days).date().isoformat() if days else None,
        last=max(days).date().isoformat() if days else None,
        samples=tuple(samples[:SAMPLES]),
        senders=tuple(senders.most_common(8)),
    )


def _arrivals(client: Client, count: int) -> list[datetime]:
    answers = client.fetch(sorted({1, count}), ["INTERNALDATE"])
    found = (answer.get(b"INTERNALDATE") for answer in answers.values())
    return [day for day in found if isinstance(day, datetime)]


def _senders(client: Client, count: int) -> list[str]:
    places = range(max(1, count - _SENT_LOOKED_AT + 1), count + 1)
    answers = client.fetch(list(places), ["BODY.PEEK[HEADER.FIELDS (FROM)]"])
    found: list[str] = []
    for answer in answers.values():
        for name, value in answer.items():
            if name.startswith(b"BODY[") and isinstance(value, bytes):
                header = value.decode("ascii", "surrogateescape").partition(":")[2]
                found += [one.address.lower() for one in addresses(header) if one.address]
    return found


def _samples(
    client: Client, account: Account, folder: Folder, count: int, reading: Reading
) -> list[Item]:
    places = sorted({max(1, count * part // 6) for part in (1, 3, 5)})
    answers = client.fetch(places, ["UID", f"BODY.PEEK[]<0.{_SAMPLE_BYTES}>"])
    found: list[Item] = []
    for answer in answers.values():
        body = next((value for name, value in answer.items() if name.startswith(b"BODY[")), b"")
        locator = locator_of(account, folder, number(answer.get(b"UID")))
        origin = Origin(locator, f"{folder.path}/", labels=folder.labels)
        item = read_message(body or b"", origin, reading=reading)
        if isinstance(item, Item):
            found.append(item)
    return found
