"""The fake core up to its sources: a profile, imports, mail accounts, what is watched and removed."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from clone_app.entries import (
    AnswerEvent,
    Item,
    NamedPerson,
    NamedTime,
)
from clone_app.errors import (
    KeyingError,
    MailPasswordError,
    ProfileLockedError,
    UnrecognisedError,
    WrongPassphraseError,
)
from clone_app.importers.mailbox.account import Account
from clone_app.importers.mailbox.look import MailboxPreview
from clone_app.importers.recognise import Preview, Recognised
from clone_app.memory.conversations import Turn
from clone_app.memory.ingest import ImportReport
from clone_app.memory.likeness import Proposal
from clone_app.memory.people import Person
from clone_app.memory.removal import Removal, RemovalCount
from clone_app.memory.sent import Departure
from clone_app.memory.situations import Situation
from clone_app.memory.store import SourceRow, Stored
from clone_app.persona.ability import Ability
from clone_app.profile import ProfileState
from clone_app.progress import Progress
from clone_app.settings import Settings

from .invented import NOW, Kind, entry, folder, source_row


class FakeSources:
    """Be the part of the core that profiles, imports, mail accounts and sources ask for; and its knobs."""

    def __init__(self, home: Path = Path("nowhere"), *, items: int = 0) -> None:
        self.home = home
        self.stored = [Stored(number + 1, entry(number)) for number in range(items)]
        self.settings = Settings()
        self.profile = ProfileState.OPEN
        self.keyring = False
        self.passphrase: str | None = None
        self.locked_elsewhere = False
        self.kept_sources: list[SourceRow] = []
        self.identities: set[str] = set()
        self.talks: dict[int, list[Turn]] = {}
        self.pending = 0
        self.closed = threading.Event()
        self.go_on = threading.Event()  # a slow import or answer waits for it
        self.go_on.set()
        self.script: list[AnswerEvent | Exception | None] | None = None
        self.restarts = 0
        self.folk: tuple[Person, ...] = ()
        self.guesses: tuple[Proposal, ...] = ()
        self.advice = self.unsaid = ""
        self.asked_at: list[str | None] = []
        self.filters: list[object] = []
        self.times: tuple[NamedTime, ...] = ()
        self.named: tuple[NamedPerson, ...] = ()
        self.audiences: list[object] = []
        self.dials: list[object] = []
        self.able: Ability | None = None
        self.outdated = False
        self.agreed = False
        self.untried = False
        self.server_key = ""
        self.departures: list[Departure] = []
        self.calls: list[str] = []
        self.groups: list[Situation] = []
        self.threads: set[str] = set()

    # profile

    def state(self) -> ProfileState:
        return self.profile

    def keyring_works(self) -> bool:
        return self.keyring

    def create(self, passphrase: str | None, *, home_zone: str) -> None:
        self._note("create")
        if passphrase is not None and len(passphrase) < 8:
            raise KeyingError("Choose a passphrase of at least 8 characters.")
        self.passphrase = passphrase
        self.settings = self.settings.model_copy(update={"home_zone": home_zone})
        self.profile = ProfileState.OPEN

    def unlock(self, passphrase: str | None = None, *, writing: bool = True) -> None:
        self._note("unlock")
        if self.locked_elsewhere:
            raise ProfileLockedError("This profile is open elsewhere. Close that one first.")
        if passphrase != self.passphrase:
            raise WrongPassphraseError("That passphrase does not open it. Try again.")
        self.profile = ProfileState.OPEN

    def close(self) -> None:
        self._note("close")
        self.closed.set()

    # settings

    def change_settings(self, **changes: object) -> Settings:
        self._note("change_settings")
        self.settings = Settings.model_validate(self.settings.model_dump() | changes)
        return self.settings

    def me(self) -> frozenset[str]:
        return frozenset(self.identities)

    def add_me(self, *names: str) -> None:
        self.identities |= {name.casefold() for name in names}

    # import

    def importers(self) -> tuple[Kind, ...]:
        return Kind("Diary (Markdown, text)"), Kind("Mail (mbox)")

    def sample_life(self) -> Path:
        return Path("sample_life")

    def preview(self, path: Path, *, progress: Progress, **_: object) -> Preview:
        self._note("preview")
        if path.suffix == ".bin":
            brief = f"{path.name} is no source."
            raise UnrecognisedError(f"{brief} Choose a diary, mail or posts.", brief=brief)
        self._wait(progress)
        return Preview(
            recognised=(Recognised("mbox", "Mail (mbox)", 1.0, 1),),
            items=3,
            mine=1,
            undated=0,
            first="2024-01-01",
            last="2024-03-04",
            samples=(entry(0), entry(1), entry(2)),
            authors=(("ada@example.org", 2), ("<b>Bob</b> & Co", 1)),
            skipped=(("LICENSE", "a licence, no entry"),),
            problems=(),
        )

    def import_(
        self, path: Path, *, me: tuple[str, ...] = (), progress: Progress, **_: object
    ) -> ImportReport:
        self._note("import")
        added = 0
        for number in range(3):
            progress.report(number, 3, "Mail (mbox)")
            self._wait(progress)
            self.stored.append(Stored(len(self.stored) + 1, entry(len(self.stored))))
            added += 1
        self.kept_sources.append(
            SourceRow(
                id=len(self.kept_sources) + 1,
                importer="mbox",
                title="Mail (mbox)",
                path=str(path),
                imported_at=NOW,
                finished=True,
                items=added,
                problems=1,
            )
        )
        self.pending = added
        return ImportReport(
            files=1,
            seen=4,
            added=added,
            problems=(("mail.mbox#4", "the message has no end"),),
            skipped=(("LICENSE", "a licence, no entry"),),
            vectors_pending=added,
        )

    def finish_vectors(self, progress: Progress) -> int:
        self._note("finish_vectors")
        while self.pending:
            progress.report(0, self.pending, "")
            self._wait(progress)
            self.pending -= 1
        return 0

    def vectors_pending(self) -> int:
        return self.pending

    def changed_sources(self) -> tuple[int, ...]:
        return ()

    def watch(self, source_id: int) -> None:
        self._note("watch")
        self._mark(source_id, watched=True)

    def unwatch(self, source_id: int) -> None:
        self._note("unwatch")
        self._mark(source_id, watched=False)

    def remove_gone(self, source_id: int, progress: Progress) -> int:
        self._note("remove_gone")
        self._mark(source_id, gone=0)
        return 1

    def _mark(self, source_id: int, **changes: object) -> None:
        self.kept_sources = [
            replace(source, **changes) if source.id == source_id else source  # type: ignore[arg-type]
            for source in self.kept_sources
        ]

    def look_into_mailbox(
        self, account: Account, password: str, *, progress: Progress
    ) -> MailboxPreview:
        self._note("look_into_mailbox")
        self._wait(progress)
        if password != "blue":
            raise MailPasswordError(f"{account.host} did not accept the password. Type it again.")
        return MailboxPreview(
            folders=(
                folder("INBOX", 1200),
                folder("Gesendete & Rest", 300, use="Sent"),
                folder("Papierkorb", 40, use="Trash", usual=False),
            ),
            first="2009-01-04",
            last="2024-03-01",
            samples=(),
            senders=(("ada@old.example", 280),),
        )

    def import_mail(self, account: Account, password: str, **more: object) -> ImportReport:
        self._note("import_mail")
        self.mail = (account, password, more)
        self.kept_sources.append(source_row(importer="imap", path=account.url))
        return ImportReport(files=2, seen=3, added=3)

    def fetch_new_mail(
        self, source_id: int, password: str | None = None, **more: object
    ) -> ImportReport:
        self._note("fetch_new_mail")
        if password is None:
            raise MailPasswordError("The password is needed. Type it.")
        return ImportReport(files=2, seen=1, added=1)

    def sources(self) -> tuple[SourceRow, ...]:
        return tuple(self.kept_sources)

    def count_removal(self, removal: Removal) -> RemovalCount:
        if removal.source is None:
            number = len(self._filtered(removal.medium, removal.since, removal.until))
        else:
            number = next(one.items for one in self.kept_sources if one.id == removal.source)
        return RemovalCount(items=number, mine=number, answers=0, shared=0, first="", last="")

    def remove(self, removal: Removal, progress: Progress) -> int:
        self._note("remove")
        number = self.count_removal(removal).items
        self.kept_sources = [one for one in self.kept_sources if one.id != removal.source]
        self.stored = self.stored[:-number]
        return number

    def removal(self, **wanted: object) -> Removal:
        handles = wanted.pop("handles", ())
        return Removal(who=frozenset(handles), **wanted)  # type: ignore[arg-type, call-overload]

    # what all of it needs

    def _note(self, call: str) -> None:
        self.calls.append(call)
        self.threads.add(threading.current_thread().name)

    def _wait(self, progress: Progress) -> None:
        while not self.go_on.wait(0.01):
            progress.check()
        progress.check()

    def _filtered(
        self,
        medium: str | None,
        since: str | None,
        until: str | None,
        whose: str = "",
        who: str = "",
    ) -> list[Stored]:
        if (medium, since, until, whose, who) == (None, None, None, "", ""):
            return self.stored

        def fits(item: Item) -> bool:
            day = item.moment.iso() or ""
            return (
                medium in (None, item.medium)
                and (since or "") <= day
                and (until is None or day < until)
                and (not whose or item.mine is (whose == "mine"))
                and who in ("", item.author, *item.recipients)
            )

        return [one for one in self.stored if fits(one.item)]
