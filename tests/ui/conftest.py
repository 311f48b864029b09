"""A core in memory for the window's tests: the methods of `clone_app.app.App`, no disk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from clone_app.entries import (
    NO_FILTERS,
    Answer,
    AnswerEvent,
    Checked,
    Dial,
    Drafted,
    Filters,
    Hit,
    Item,
    Mode,
    Moment,
    NamedPerson,
    NamedTime,
    Recalled,
    Sentence,
    Source,
    SourcesFound,
)
from clone_app.errors import (
    CloneAppError,
    KeyingError,
    MailPasswordError,
    ModelStoppedError,
    ProfileLockedError,
    UnrecognisedError,
    WrongPassphraseError,
)
from clone_app.evaluation.arms import ARMS, Arm
from clone_app.evaluation.runs import RunRow
from clone_app.evaluation.suites.own import OwnQuestion
from clone_app.importers.mailbox.account import Account
from clone_app.importers.mailbox.folders import Folder
from clone_app.importers.mailbox.look import MailboxPreview
from clone_app.importers.recognise import Preview, Recognised
from clone_app.memory.conversations import Turn
from clone_app.memory.ingest import ImportReport
from clone_app.memory.likeness import Proposal
from clone_app.memory.lines import KeptLine
from clone_app.memory.people import Person
from clone_app.memory.reasons import Reason, Verdict
from clone_app.memory.removal import Removal, RemovalCount
from clone_app.memory.sent import Departure
from clone_app.memory.situations import Situation
from clone_app.memory.store import SourceRow, Stored
from clone_app.persona.ability import Ability, Effect
from clone_app.profile import ProfileState
from clone_app.progress import Progress
from clone_app.protocols import Message
from clone_app.settings import Settings
from clone_app.ui import theme
from clone_app.ui.jobs import Jobs
from clone_app.ui.workspace import Workspace

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Kind:
    """Name one kind of source."""

    title: str
    help: str = "Where one gets it."


def entry(number: int, **changes: object) -> Item:
    """Return an invented diary entry; the higher the number, the later."""
    day = date(2024, 1, 1) + timedelta(days=number)
    item = Item(
        key=f"diary:{day}:{number:04x}",
        medium="diary",
        moment=Moment.on(day),
        text=f"Day {number}. Walked to the harbour and thought about the move again.",
        mine=True,
        locator=f"diary/{day}.md",
    )
    return replace(item, **changes)  # type: ignore[arg-type]


def folder(name: str, messages: int, *, use: str = "", usual: bool = True) -> Folder:
    """Return a folder of a mail account."""
    return Folder(
        name=name, path=name, use=use, messages=messages, validity=1, next_uid=1, usual=usual
    )


def source_row(**changes: object) -> SourceRow:
    """Return an imported source."""
    row = SourceRow(
        id=1,
        importer="diary",
        title="Diary (Markdown, text)",
        path="/home/ada/diary",
        imported_at=NOW,
        finished=True,
        items=3,
        problems=0,
    )
    return replace(row, **changes)  # type: ignore[arg-type]


class FakeApp:
    """Behave like the core, as fast as memory allows; knobs make it slow or faulty."""

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
            raise UnrecognisedError(f"{path.name} is no source. Choose a diary, mail or posts.")
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

    # memories

    def items(
        self,
        *,
        medium: str | None = None,
        since: str | None = None,
        until: str | None = None,
        whose: str = "",
        who: str = "",
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = False,
    ) -> tuple[Stored, ...]:
        self._note("items")
        found = self._filtered(medium, since, until, whose, who)
        found = found[::-1] if newest_first else found
        return tuple(found[offset : None if limit is None else offset + limit])

    def count_items(
        self,
        *,
        medium: str | None = None,
        since: str | None = None,
        until: str | None = None,
        whose: str = "",
        who: str = "",
    ) -> int:
        return len(self._filtered(medium, since, until, whose, who))

    def media(self) -> tuple[tuple[str, int], ...]:
        counts: dict[str, int] = {}
        for one in self.stored:
            counts[one.item.medium] = counts.get(one.item.medium, 0) + 1
        return tuple(counts.items())

    def count_situations(self) -> int:
        return len(self.groups)

    def situations(self, *, limit: int, offset: int = 0) -> tuple[Situation, ...]:
        return tuple(self.groups[offset : offset + limit])

    def count_situation_items(self, situation: int) -> int:
        return next(one.items for one in self.groups if one.id == situation)

    def situation_items(
        self, situation: int, *, limit: int | None = None, offset: int = 0
    ) -> tuple[Stored, ...]:
        place = next(at for at, one in enumerate(self.stored) if one.id == situation)
        return tuple(self.stored[place : place + self.count_situation_items(situation)])

    def embedder_advice(self) -> str:
        return self.advice

    def advise_once(self) -> str:
        said, self.unsaid = self.unsaid, ""
        return said

    def situations_waiting(self) -> bool:
        return False

    def item(self, item_id: int) -> Stored:
        for one in self.stored:
            if one.id == item_id:
                return one
        raise CloneAppError("That entry has been removed. Search again.")

    def situation_of(self, item_id: int) -> Situation | None:
        return next((one for one in self.groups if self._within(one, item_id)), None)

    def beside(self, item_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
        return {
            item: (group.id, group.items)
            for item in item_ids
            if (group := self.situation_of(item)) is not None
        }

    def _within(self, group: Situation, item_id: int) -> bool:
        return group.id <= item_id < group.id + group.items

    def look_up(
        self, text: str, *, k: int = 10, at: str | None = None, filters: Filters = NO_FILTERS
    ) -> Recalled:
        self._note(f"search {text}")
        self.filters.append(filters)
        narrow = (filters.medium or None, filters.since or None, filters.until or None)
        found = [
            one
            for one in self._filtered(*narrow, filters.whose, filters.who)
            if text.casefold() in one.item.text.casefold()
        ]
        hits = tuple(
            Hit(
                item_id=one.id,
                item=one.item,
                passage=one.item.text,
                start=0,
                own=True,
                score=1.0,
                cosine=None,
                coverage=1.0,
                found_by=("words",),
            )
            for one in found[:k]
        )
        times = tuple(time for time in self.times if time.phrase not in filters.plain)
        people = tuple(each for each in self.named if each.phrase not in filters.plain)
        return Recalled(hits, (), intervals=times, people=people)

    # chat

    def ask(
        self,
        question: str,
        *,
        at: str | None = None,
        conversation: int | None = None,
        progress: Progress,
        **_: object,
    ) -> Iterator[AnswerEvent]:
        self._note("ask")
        self.asked_at.append(at)
        self.audiences.append(_.get("audience"))
        self.filters.append(_.get("filters", NO_FILTERS))
        self.dials.append(_.get("dial"))
        number = conversation or len(self.talks) + 1
        turns = self.talks.setdefault(number, [])
        turn = Turn(id=len(turns) + 1, question=question, asked_at=NOW, draft="", answer=None)
        turns.append(turn)
        for event in self.script if self.script is not None else spoken(question, number):
            if isinstance(event, Exception):
                raise event
            if event is None:  # a model that thinks long, until `go_on` is set
                self.go_on.clear()
                self._wait(progress)
                continue
            yield event
            self._wait(progress)
            if isinstance(event, Answer):
                turns[-1] = replace(turn, answer=event)

    def why(
        self, question: str, item_id: int, *, at: str | None = None, filters: Filters = NO_FILTERS
    ) -> Reason:
        self.filters.append(filters)
        return Reason(
            verdict=Verdict.FOUND,
            k=8,
            rank=item_id,
            ranked=9,
            score=2.0,
            needed=1.0,
            found=(),
            words=(),
            lacking=(),
            times=(),
            people=(),
            waiting=False,
        )

    def conversations(self) -> tuple[tuple[int, str, datetime], ...]:
        return tuple((number, turns[0].question, NOW) for number, turns in self.talks.items())

    def turns(self, conversation: int) -> tuple[Turn, ...]:
        return tuple(self.talks[conversation])

    def without_memory(self, question: str, progress: Progress) -> str:
        return f"I like {question}"

    def restart_models(self) -> None:
        self.restarts += 1
        self.script = None

    def doctor(self) -> dict[str, object]:
        return {"version": "0.1.0", "database": "sound"}

    # the persona document

    def persona_lines(self) -> tuple[KeptLine, ...]:
        return ()

    # about me

    def persona_outdated(self) -> bool:
        return self.outdated

    def build_persona(self, progress: Progress) -> None:
        self._note("build_persona")
        self.outdated = False

    # people

    def people(self) -> tuple[Person, ...]:
        return self.folk

    def proposals(self) -> tuple[Proposal, ...]:
        return self.guesses

    def merge_people(self, one: str, other: str) -> None:
        self._note(f"merge {one} {other}")

    def part_people(self, one: str, other: str) -> None:
        self._note(f"part {one} {other}")

    def split_person(self, handle: str) -> None:
        self._note(f"split {handle}")

    def call_person(self, who: str, name: str) -> None:
        self._note(f"call {who} {name}")

    # evaluation

    def arms(self) -> tuple[Arm, ...]:
        return ARMS

    def sample_suites(self) -> dict[str, Path]:
        return {"sample": Path("sample")}

    def runs(self) -> tuple[RunRow, ...]:
        return ()

    def own_questions(self) -> tuple[OwnQuestion, ...]:
        return ()

    # what a model is able to

    def ability(self) -> Ability | None:
        return self.able

    def model_name(self) -> str:
        return "fake"

    def model_triable(self) -> bool:
        return True

    def model_untried(self) -> bool:
        return self.untried

    def try_model(self, progress: Progress, *, fresh: bool = False) -> Ability:
        self._note("try_model")
        progress.check()
        self.untried = False
        stops = [stop for stop in Dial if fresh or stop is not Dial.FRESH]
        self.able = Ability(
            1,
            4,
            tuple(
                Effect(dial=stop, right=at, asked=4, carried=at, sentences=9, seconds=at / 2)
                for at, stop in enumerate(stops)
            ),
        )
        return self.able

    # a model on a server

    def agreement_wanted(self) -> str:
        return "" if self.agreed else "house.local:8080"

    def would_send(self, question: str, **_: object) -> tuple[Message, ...]:
        self._note("would_send")
        return Message("system", "You are Ada."), Message("user", f"Notes. {question}")

    def agree_to_send(self) -> None:
        self._note("agree_to_send")
        self.agreed = True

    def keep_server_key(self, key: str) -> bool:
        self.server_key = key
        return self.keyring

    def sent(self) -> tuple[Departure, ...]:
        return tuple(self.departures)

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


SOURCES = (
    Source(
        item_id=1,
        key="diary:2024-01-01:0000",
        moment=Moment.on(date(2024, 1, 1)),
        medium="diary",
        quote="thought about the move again",
        title="",
        author="",
        mine=True,
    ),
    Source(
        item_id=2,
        key="<a@example.org>",
        moment=Moment.of(datetime(2024, 1, 2, 9, 30)),
        medium="mail",
        quote="Walked to the harbour",
        title="The <b>move</b>",
        author="Bob",
        mine=False,
    ),
)
SAID = (
    Sentence("I thought about the move on New Year's Day.", True, (SOURCES[0].key,)),
    Sentence("I wanted to live in Norway.", False, ()),
)


def spoken(question: str, conversation: int = 1) -> list[AnswerEvent]:
    """Return the events of an answer with one supported and one unsupported sentence."""
    return [
        SourcesFound(SOURCES),
        Drafted(" I thought about"),
        Drafted(" the move on New Year's Day."),
        Checked(SAID[0]),
        Drafted(" I wanted to live in Norway."),
        Checked(SAID[1]),
        Answer(
            question=question,
            text=" ".join(sentence.text for sentence in SAID),
            sentences=SAID,
            sources=SOURCES,
            mode=Mode.GROUNDED,
            model="fake",
            seconds=1.5,
            conversation=conversation,
        ),
    ]


STOPPED = ModelStoppedError("The language model ended by itself. Restart it and ask again.")


@pytest.fixture
def dressed(qapp: QApplication) -> QApplication:
    """The application in the window's own colours."""
    theme.apply(qapp, theme="light", text_size=100)
    return qapp


@pytest.fixture
def jobs(dressed: QApplication) -> Iterator[Jobs]:
    """Lanes that end with the test; a thread that stays is a failure."""
    jobs = Jobs()
    yield jobs
    assert jobs.close(), "a lane's thread did not end"
    jobs.deleteLater()
    settle(dressed)


@pytest.fixture(autouse=True)
def nothing_leaks(qapp: QApplication) -> Iterator[None]:
    """Fail a test that leaves a widget on the screen or a lane's thread behind."""
    yield
    settle(qapp)
    left = [widget for widget in qapp.topLevelWidgets() if widget.isVisible()]
    for widget in left:
        widget.close()
    assert not left, f"left open: {left}"
    lanes = [thread.name for thread in threading.enumerate() if thread.name.startswith("lane-")]
    assert not lanes, f"left running: {lanes}"


def settle(application: QApplication) -> None:
    """Let Qt delete what is to be deleted."""
    for _ in range(3):
        application.processEvents()
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def make_workspace(jobs: Jobs) -> Callable[[FakeApp], Workspace]:
    """Make what pages work with, around a core."""

    def make(app: FakeApp) -> Workspace:
        return Workspace(app, jobs, jobs)  # type: ignore[arg-type]  # the fake has App's methods

    return make


@pytest.fixture(scope="session")
def fake() -> SimpleNamespace:
    """What tests need of this file by name: conftest can't be imported."""
    return SimpleNamespace(
        App=FakeApp, entry=entry, spoken=spoken, SOURCES=SOURCES, SAID=SAID, STOPPED=STOPPED
    )


@pytest.fixture
def app() -> FakeApp:
    """A core with ten entries in it."""
    return FakeApp(items=10)


@pytest.fixture
def workspace(app: FakeApp, make_workspace: Callable[[FakeApp], Workspace]) -> Workspace:
    """What pages work with, around ten entries."""
    return make_workspace(app)


@pytest.fixture
def waited() -> Callable[[Callable[[], bool]], None]:
    """Wait, with Qt's loop turning, until something is so."""

    def wait(so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 20
        while not so():
            assert time.monotonic() < deadline, "it did not come about within 20 s"
            QApplication.processEvents()
            time.sleep(0.002)

    return wait
