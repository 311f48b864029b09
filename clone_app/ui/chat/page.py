"""The Chat page: ask, read, see where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from clone_app.entries import NO_FILTERS, Answer, AnswerEvent, Dial, Filters, Mode, Source
from clone_app.errors import CloneAppError, ModelStoppedError
from clone_app.persona.declined import LEFT_OUT
from clone_app.persona.document import Audience
from clone_app.progress import Progress, Step
from clone_app.ui.chat.agreement import AgreementDialog, Choice
from clone_app.ui.chat.asof import AsOf, span
from clone_app.ui.chat.composer import Composer
from clone_app.ui.chat.conversations import Conversations
from clone_app.ui.chat.dial import MemoryDial
from clone_app.ui.chat.empty import EmptyChat
from clone_app.ui.chat.question import Question
from clone_app.ui.chat.sources import SourcesPanel
from clone_app.ui.chat.suggestions import suggest
from clone_app.ui.chat.transcript import Transcript
from clone_app.ui.chat.turn import Remedy, TurnView
from clone_app.ui.chips import Chip, ChipRow, chips
from clone_app.ui.flow import Flow
from clone_app.ui.jobs import Job, Lane
from clone_app.ui.messages import announce
from clone_app.ui.page import Page
from clone_app.ui.plain import wrapped
from clone_app.ui.whose import WhoseBox
from clone_app.ui.workspace import LastQuestion, Workspace

if TYPE_CHECKING:
    from clone_app.app import Turn

_AUDIENCES = (
    (Audience.PRIVATE, "Just me listening"),
    (Audience.FRIEND, "A friend listening"),
    (Audience.PUBLIC, "Anybody listening"),
)
_CAUTION_ALONE = "Answers are the model's own, none of them from your entries, and can be wrong."
_CAUTION = "Answers are generated from your entries and can be wrong."
_BUSY = "Another answer is coming. Wait for it or stop it (Esc), then press “From memory” again."


class ChatPage(Page):
    """Hold one conversation at a time; one answer comes at a time."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.conversation: int | None = None
        self.job: Job | None = None
        self._afterwards: Question | None = None
        self._filled = True
        self.transcript = Transcript()
        self.empty = EmptyChat()
        self.empty.asked.connect(self.ask)
        self.empty.import_wanted.connect(lambda: workspace.page_wanted.emit("import"))
        self.composer = Composer()
        self.composer.asked.connect(self.ask)
        self.composer.stopped.connect(self.stop)
        self.sources = SourcesPanel()
        self.sources.opened.connect(self._open)
        self.conversations = Conversations(self.app, self.jobs)
        self.conversations.chosen.connect(self.open_conversation)
        self.conversations.new_wanted.connect(self.new_conversation)
        self.conversations.deleted.connect(self._deleted)
        self.aside = self.conversations
        self._middle = QStackedWidget()
        self._welcome = QScrollArea()  # else it would take the room of what is opened below it
        self._welcome.setWidgetResizable(True)
        self._welcome.setFrameShape(QFrame.Shape.NoFrame)
        self._welcome.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._welcome.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._welcome.setWidget(self.empty)
        self._middle.addWidget(self._welcome)
        self._middle.addWidget(self.transcript)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._middle, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(24, 4, 24, 14)
        foot.setSpacing(6)
        foot.addWidget(self.composer)
        self.asof = AsOf()
        self.asof.changed.connect(self._change_day)
        self.audience = QComboBox()
        self.audience.setAccessibleName("Who listens")
        self.audience.setToolTip(
            "For whom the clone answers: what they must not hear of takes no part. What is private "
            "is marked in About me."
        )
        for who, title in _AUDIENCES:
            self.audience.addItem(title, who)
        self.audience.activated.connect(lambda _: self._change_day())
        self.whose = WhoseBox()
        self.whose.activated.connect(lambda _: self._narrow())
        self.narrowed = ChipRow("Whose entries are asked")
        self.narrowed.pressed.connect(self._widen)
        foot.addWidget(self.narrowed)
        below = Flow(gap=10)
        for part in (self.audience, self.whose, self.asof):
            below.add(part)
        foot.addWidget(below)
        self.dial = MemoryDial(workspace)
        self.dial.changed.connect(self._turn_dial)
        below.add(self.dial.button, at=2)
        self.setTabOrder(self.whose, self.dial.button)
        foot.insertWidget(0, self.dial)
        self._caution = wrapped(_CAUTION, "small")
        foot.addWidget(self._caution)
        column.addLayout(foot)
        self.split = QSplitter()
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(10)
        self.split.addWidget(left)
        self.split.addWidget(self.sources)
        self.split.setStretchFactor(0, 1)
        self.split.setSizes([640, 360])
        self.sources.setMinimumWidth(220)
        left.setMinimumWidth(320)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.split)
        QShortcut(QKeySequence("Esc"), self).activated.connect(self.stop)
        fresh = QShortcut(QKeySequence("Ctrl+N"), self)
        fresh.activated.connect(self.new_conversation)
        workspace.memory_changed.connect(self.refresh)
        self.refresh()
        self._show_middle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the sources below the transcript where there is no room beside it."""
        super().resizeEvent(event)
        narrow = self.is_narrow()
        self.split.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
        self.sources.set_below(narrow)
        self.dial.fit()
        self._caution.setVisible(not narrow)

    def arrive(self) -> None:
        """Let typing ask at once."""
        self.composer.field.setFocus()

    def refresh(self) -> None:
        """Read anew whether there is anything to ask about, and the conversations."""
        self.jobs.run(
            lambda _: self.app.count_items() > 0,
            lane=Lane.READING,
            owner=self,
            done=self.empty.set_filled,
        )
        self.jobs.run(
            lambda _: span(self.app, datetime.now().astimezone().date()),
            lane=Lane.READING,
            owner=self,
            done=lambda days: self.asof.set_span(*days),
        )
        self.jobs.run(
            lambda _: suggest(self.app), lane=Lane.READING, owner=self, done=self.empty.suggest
        )
        self.jobs.run(
            lambda _: self.app.people(),
            lane=Lane.READING,
            owner=self,
            done=self.whose.offer,
            background=True,
        )
        self._list_conversations()

    def ask(self, question: str) -> None:
        """Ask in this conversation, as is set around the question."""
        self.asof.settle()  # or the day just chosen would begin anew, without this question
        whose, who = self.whose.chosen()
        filters = Filters(whose=whose, who=who)
        self._put(Question(question, filters, self.asof.at(), self.dial.chosen()))

    def _put(self, question: Question) -> None:
        """Ask; before a server is asked for the first time, the user is."""
        if self.job is not None:
            return
        if not self.app.settings.remote_server:
            self._ask(question)
            return
        self.jobs.run(
            lambda _: self.app.agreement_wanted(),
            lane=Lane.READING,
            owner=self,
            done=lambda host: self._seek(question, host) if host else self._ask(question),
        )

    def _seek(self, question: Question, host: str) -> None:
        """Show what would leave the machine and go on as the user chooses."""
        dialog = AgreementDialog(
            self.workspace,
            host=host,
            question=question.text,
            conversation=self.conversation,
            filters=question.filters,
            at=question.at,
            audience=Audience(self.audience.currentData()),
            dial=question.dial,
            parent=self,
        )

        def go_on(choice: int) -> None:
            if choice == Choice.SEND:
                app = self.app
                self.jobs.run(
                    lambda _: app.agree_to_send(),
                    lane=Lane.READING,
                    owner=self,
                    done=lambda _: self._ask(question),
                )
            else:
                self._ask(question)

        dialog.chosen.connect(go_on)
        dialog.rejected.connect(lambda: self.composer.set_text(question.text))
        dialog.open()

    def _ask(self, question: Question) -> None:
        """Ask: the sources come first, then the words."""
        if self.job is not None:
            return
        stop, at = question.dial, question.at
        # At "fresh" nothing is looked up that could be narrowed.
        filters = NO_FILTERS if stop is Dial.FRESH else question.filters
        app, conversation = self.app, self.conversation
        turn = self._add(
            TurnView(
                question.text,
                filters=filters,
                who_name=self.whose.name_of(filters.who),
                at=at,
                dial=stop,
            )
        )
        self._show_middle()
        self.sources.show_sources((), alone=stop is Dial.FRESH)
        audience = Audience(self.audience.currentData())
        self._keep_in_mind(turn)

        def work(progress: Progress) -> Iterator[AnswerEvent]:
            return app.ask(
                question.text,
                at=at,
                conversation=conversation,
                audience=audience,
                filters=filters,
                dial=stop,
                progress=progress,
            )

        self.composer.set_busy(True)
        self.job = self.jobs.stream(
            work,
            lane=Lane.MODEL,
            owner=self,
            each=lambda event: self._take(turn, event),
            failed=lambda fault: self._failed(turn, fault),
            step=lambda step: self._step(turn, step),
            ended=lambda: self._ended(turn),
        )

    def stop(self) -> None:
        """Stop the answer that comes, and what was to be asked after it; what is there stays."""
        self._afterwards = None
        if self.job is not None:
            self.job.cancel()

    def new_conversation(self) -> None:
        """Begin with an empty transcript; the old one stays in the list."""
        self.stop()
        self.conversation = None
        self.transcript.clear()
        self.sources.show_sources(())
        self._show_middle()
        self.conversations.list.clearSelection()
        self.composer.field.setFocus()

    def _turn_dial(self) -> None:
        """Say whom the next question goes to; the conversation goes on."""
        alone = self.dial.chosen() is Dial.FRESH
        self.composer.set_alone(alone)
        self.whose.setEnabled(not alone)
        self._caution.setText(_CAUTION_ALONE if alone else _CAUTION)

    def _change_day(self) -> None:
        """Begin anew: the clone of another day has not heard what was said to this one."""
        if self.transcript.turns:
            self.new_conversation()

    def open_conversation(self, number: int) -> None:
        """Show an earlier conversation and go on with it."""
        if number == self.conversation and self.transcript.turns:
            return
        self.stop()
        self.jobs.run(
            lambda _: self.app.turns(number),
            lane=Lane.READING,
            owner=self,
            done=lambda turns: self._show_turns(number, turns),
        )

    def _take(self, turn: TurnView, event: AnswerEvent) -> None:
        turn.take(event)
        if turn not in self.transcript.turns:
            return  # another conversation was opened meanwhile
        if turn.sources:
            self._show_sources(turn)
        if isinstance(event, Answer):
            self.conversation = event.conversation or self.conversation
            self._show_sources(turn)
            announce(self, event.text)
            if event.model and event.mode is not Mode.FRESH:
                self.workspace.try_model()

    def _step(self, turn: TurnView, step: Step) -> None:
        turn.say_working(step.label)

    def _failed(self, turn: TurnView, fault: CloneAppError) -> None:
        if turn not in self.transcript.turns:
            return  # another conversation was opened meanwhile
        stopped = isinstance(fault, ModelStoppedError)
        turn.fail(str(fault), Remedy.RESTART if stopped else Remedy.AGAIN)
        announce(self, str(fault))
        if not self.composer.text().strip():
            self.composer.set_text(turn.question)

    def _ended(self, turn: TurnView) -> None:
        self.job = None
        self.composer.set_busy(False)
        if turn in self.transcript.turns and turn.answer is None and turn.fault.isHidden():
            turn.stop()
        self._list_conversations()
        if self._afterwards is not None:
            afterwards, self._afterwards = self._afterwards, None
            self._put(afterwards)

    def _remedy(self, turn: TurnView) -> None:
        if self.job is not None:
            return
        if self.composer.text().strip() == turn.question:
            self.composer.set_text("")
        self.transcript.remove(turn)
        if turn.remedy is Remedy.RESTART:
            app = self.app
            self.jobs.run(
                lambda _: app.restart_models(),
                lane=Lane.MODEL,
                owner=self,
                title="Starting the language model",
            )
        self._put(self._again(turn, turn.filters))

    def _again(self, turn: TurnView, filters: Filters) -> Question:
        """Return a turn's question of the clone of its moment, at its stop where that is known."""
        return Question(turn.question, filters, turn.at, turn.dial or self.dial.chosen())

    def _refine(self, turn: TurnView, filters: Filters) -> None:
        """Ask once more, understood otherwise or among other entries; the first answer stays.

        One that is still coming is stopped, as it is not the one that is wanted.
        """
        question = self._again(turn, filters)
        if self.job is not None:
            self._afterwards = question
            self.job.cancel()
        else:
            self._put(question)

    def _keep_in_mind(self, turn: TurnView) -> None:
        """Let entries that are looked at say why this question found them, or not."""
        if turn.dial is Dial.FRESH or turn not in self.transcript.turns:
            return
        before = self.transcript.turns[: self.transcript.turns.index(turn)]
        self.workspace.last_question = LastQuestion(
            turn.question,
            turn.at,
            turn.filters,
            tuple(
                each.question
                for each in before
                if each.dial is not Dial.FRESH and each.question != turn.question
            ),
        )

    def _miss(self, turn: TurnView) -> None:
        self._keep_in_mind(turn)
        self.workspace.missing_wanted.emit()

    def _narrow(self) -> None:
        """Show whose entries the next question is asked of."""
        whose, who = self.whose.chosen()
        self.narrowed.show_chips(
            chips(Filters(whose=whose, who=who), who_name=self.whose.name_of(who))
        )

    def _widen(self, chip: Chip) -> None:
        self.whose.choose(chip.filters)
        self._narrow()

    def _compare(self, turn: TurnView) -> None:
        """Show beside an answer what the model says without any memory; ask memory where that was it."""
        if turn.dial is Dial.FRESH and self.job is not None:
            turn.fail_bare(_BUSY)
            return
        if turn.dial is Dial.FRESH:
            turn.bare.hide()
            self._put(Question(turn.question, turn.filters, turn.at, self.dial.usual()))
            return
        app, question, at = self.app, turn.question, turn.at
        turn.await_bare("Asking without your memory…")
        self.jobs.run(
            lambda progress: app.without_memory(question, progress, at=at),
            lane=Lane.MODEL,
            owner=turn,
            done=lambda said: turn.show_bare(f"Without your memory: {said or 'nothing'}"),
            failed=lambda fault: turn.fail_bare(str(fault)),
            ended=turn.end_bare,
        )

    def _add(self, turn: TurnView) -> TurnView:
        turn.cited.connect(self._cite)
        turn.sources_wanted.connect(self._show_sources)
        turn.remedy_wanted.connect(self._remedy)
        turn.bare_wanted.connect(self._compare)
        turn.refined.connect(self._refine)
        turn.missing_wanted.connect(self._miss)
        self.transcript.add(turn)
        return turn

    def _show_turns(self, number: int, turns: tuple[Turn, ...]) -> None:
        self.conversation = number
        self.transcript.clear()
        for kept in turns:
            filters = kept.answer.filters if kept.answer is not None else NO_FILTERS
            name = self.whose.name_of(filters.who)
            turn = self._add(TurnView(kept.question, filters=filters, who_name=name, at=kept.at))
            if isinstance(kept.answer, Answer):
                turn.finish(kept.answer)
            else:
                turn.show_draft(kept.draft)
                turn.fail("This question was not answered to the end.", Remedy.AGAIN)
        self._show_middle()
        if self.transcript.turns:
            self._show_sources(self.transcript.turns[-1])
        self.composer.field.setFocus()

    def _show_sources(self, turn: TurnView) -> None:
        self._keep_in_mind(turn)
        abstained = turn.answer is not None and turn.answer.abstained
        alone = turn.dial is Dial.FRESH
        left_out = turn.answer is not None and turn.answer.reason == LEFT_OUT
        self.sources.show_sources(turn.sources, abstained=abstained, alone=alone, left_out=left_out)

    def _cite(self, turn: TurnView, key: str) -> None:
        self._show_sources(turn)
        self.sources.choose(key)

    def _open(self, source: Source) -> None:
        self.workspace.entry_wanted.emit(source.item_id, source.quote)

    def _show_middle(self) -> None:
        busy = bool(self.transcript.turns)
        self._middle.setCurrentWidget(self.transcript if busy else self._welcome)
        self.sources.setVisible(busy)

    def _deleted(self, number: int) -> None:
        if number == self.conversation:
            self.new_conversation()
        self._list_conversations()

    def _list_conversations(self) -> None:
        self.jobs.run(
            lambda _: self.app.conversations(),
            lane=Lane.READING,
            owner=self,
            done=lambda found: self.conversations.fill(found, self.conversation),
        )
