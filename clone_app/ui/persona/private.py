"""What is kept private: people, kinds of entry, topics, and how much a friend or the public misses."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QVBoxLayout, QWidget

from clone_app.memory.lines import KeptLine
from clone_app.persona.privacy.sensitive import Matter, matter
from clone_app.persona.privacy.withheld import Mark, Withheld
from clone_app.progress import Progress, Step
from clone_app.ui import theme, words
from clone_app.ui.jobs import Job, Lane
from clone_app.ui.messages import announce
from clone_app.ui.persona.names import NameList
from clone_app.ui.plain import wrapped
from clone_app.ui.workspace import Workspace

_OFF = "Let others hear it"
_OFF_TIP = "Take the mark away: a friend or the public may hear of it again"
_ALSO_SHOWN = 4
_NOT_COUNTED = (
    "What is kept back could not be counted. Marks hold all the same; open this page again."
)


@dataclass(frozen=True, slots=True)
class Marked:
    """Hold what the pane shows before anything is counted."""

    marks: tuple[Mark, ...]
    media: tuple[tuple[str, int], ...]
    people: tuple[str, ...]
    lines: tuple[KeptLine, ...]


class PrivatePane(QWidget):
    """Show the marks, each with the number of entries it covers, and what they do together."""

    line_opened = Signal(int)  # the number of a line that others may hear again

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self._counting: Job | None = None
        self._said = ""
        self.effect = wrapped("", "heading")
        self.unmarked = wrapped("", "small")
        self.people = NameList(
            field="A person's name or address",
            add="Keep private",
            tip="Nobody but you hears of what this person wrote, got or is named in",
            off=_OFF,
            off_tip=_OFF_TIP,
        )
        self.topics = NameList(
            field="A topic, in a word or two",
            add="Keep private",
            tip="Nobody but you hears of what speaks of this",
            off=_OFF,
            off_tip=_OFF_TIP,
        )
        self.lines = NameList(field="", add="", tip="", off=_OFF, off_tip=_OFF_TIP)
        self.lines.field.hide()
        self.lines.add.hide()
        for kind, names in (("person", self.people), ("topic", self.topics)):
            names.added.connect(lambda name, kind=kind: self._mark(kind, name, private=True))
            names.taken_off.connect(lambda name, kind=kind: self._mark(kind, name, private=False))
        self._numbers: dict[str, int] = {}
        self.lines.taken_off.connect(lambda text: self.line_opened.emit(self._numbers[text]))
        self.media: dict[str, QCheckBox] = {}
        self._media_card = QFrame()
        theme.role(self._media_card, "card")
        self._media = QVBoxLayout(self._media_card)
        self._media.setContentsMargins(16, 10, 16, 10)
        self._no_media = wrapped("Nothing is remembered yet.", "muted")
        self._media.addWidget(self._no_media)
        card = QFrame()
        theme.role(card, "card")
        told = QVBoxLayout(card)
        told.setContentsMargins(16, 10, 16, 10)
        told.setSpacing(4)
        told.addWidget(self.effect)
        told.addWidget(self.unmarked)
        told.addWidget(
            wrapped(
                "In Chat you choose who listens. What they must not hear of takes no part in the answer.",
                "small",
            )
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(card)
        for title, part in (
            ("People", self.people),
            ("Topics", self.topics),
            ("Kinds of entry", self._media_card),
        ):
            column.addWidget(_heading(title))
            column.addWidget(part)
        self._lines_heading = _heading("Lines of the document")
        column.addWidget(self._lines_heading)
        column.addWidget(self.lines)

    def refresh(self) -> None:
        """Read the marks anew, then count."""
        app = self.workspace.app

        def read(_: Progress) -> Marked:
            return Marked(
                app.marked(),
                app.media(),
                tuple(person.name for person in app.people() if not person.mine),
                tuple(each for each in app.persona_lines() if each.line.private),
            )

        self.workspace.jobs.run(read, lane=Lane.READING, owner=self, done=self.fill)

    def fill(self, found: Marked) -> None:
        """Show the marks; their numbers come when they are counted."""
        self.people.complete(list(dict.fromkeys(found.people)))
        self.people.fill(name for kind, name in found.marks if kind == "person")
        self.topics.fill(name for kind, name in found.marks if kind == "topic")
        self._numbers = {each.line.text: each.id for each in found.lines}
        self.lines.fill(self._numbers)
        touched = {text: matter(text) for text in self._numbers}
        self.lines.tell({text: _touches(found) for text, found in touched.items() if found})
        self._lines_heading.setVisible(bool(self._numbers))
        self.lines.setVisible(bool(self._numbers))
        counts = dict(found.media)
        private = {name for kind, name in found.marks if kind == "medium"}
        for name in [name for name in self.media if name not in counts and name not in private]:
            box = self.media.pop(name)
            box.hide()
            box.deleteLater()
        for name in sorted({*counts, *private}, key=words.medium):
            if name not in self.media:
                box = self.media[name] = QCheckBox()
                box.setToolTip("Nobody but you hears of entries of a kind that is ticked")
                box.clicked.connect(
                    lambda on, name=name: self._mark("medium", name, private=bool(on))
                )
                self._media.addWidget(box)
            number = words.entries(counts.get(name, 0))
            self.media[name].setText(f"{words.medium(name)} ({number})")
            self.media[name].setChecked(name in private)
        self._no_media.setVisible(not self.media)
        self._count()

    def _count(self) -> None:
        """Count what is kept from whom, behind whatever else is read."""
        if self._counting is not None:
            self._counting.cancel()
        if not self.effect.text():
            self.effect.setText("Counting…")
        job = self._counting = self.workspace.jobs.run(
            self.workspace.app.withheld,
            lane=Lane.READING,
            owner=self,
            done=self.show_effect,
            step=self._step,
            ended=lambda: self._end(job),
            background=True,
        )

    def _end(self, job: Job) -> None:
        """Say that nothing was counted where that failed."""
        if self._counting is job:
            self._counting, self._said = None, ""
            self.effect.setText(_NOT_COUNTED)
            self.unmarked.setText("")
            self.unmarked.hide()

    def _step(self, step: Step) -> None:
        self.effect.setText(f"Counting… {words.left(step)}")

    def show_effect(self, found: Withheld) -> None:
        """Show what each mark covers and what all together keep back."""
        self._counting = None
        if not found.entries:
            said, more = "Nothing is remembered yet.", ""
        else:
            kept = "none" if not found.friend else f"{found.friend:,}"
            said = (
                f"Of your {words.entries(found.entries)}, a friend would not hear of {kept}, "
                f"the public of {found.public:,}."
            )
            more = (
                f"{found.unmarked:,} of them touch health, sexuality, faith, politics or money and are "
                "kept back without a mark. "
                if found.unmarked
                else ""
            )
            more += (
                f"Of {found.partly:,} more, others hear only a part: not the sentences on an ailment, a "
                "private line or what is left out of you. "
                if found.partly
                else ""
            )
            more += "The public hears only of what you posted yourself."
        if self._said not in ("", said):
            announce(self, said)
        self._said = said
        self.effect.setText(said)
        self.unmarked.setText(more)
        self.unmarked.setVisible(bool(more))
        for kind, names in (("person", self.people), ("topic", self.topics)):
            names.tell(
                {
                    name: _covers(number, found.names[each], name)
                    for each, number in found.marks.items()
                    for name in [each[1]]
                    if each[0] == kind
                }
            )

    def _mark(self, kind: str, name: str, *, private: bool) -> None:
        app = self.workspace.app
        self.workspace.jobs.run(
            lambda _: app.mark_private(kind, name, private=private),
            lane=Lane.WRITING,
            title="Keeping this private" if private else "Taking a mark away",
            owner=self,
            ended=self.refresh,
        )


def _covers(number: int, names: tuple[str, ...], name: str) -> str:
    """Return `34 entries · also Bridie, bridie@example.org`."""
    others = [each for each in names if each != name]
    more = f" and {len(others) - _ALSO_SHOWN:,} more" if len(others) > _ALSO_SHOWN else ""
    also = f" · also {', '.join(others[:_ALSO_SHOWN])}{more}" if others else ""
    return (words.entries(number) if number else "No entry yet") + also


def _touches(what: Matter) -> str:
    return f"It touches {what}: others would not hear it without the mark either."


def _heading(title: str) -> QLabel:
    heading = QLabel(title)
    heading.setContentsMargins(2, 10, 0, 0)
    theme.role(heading, "heading")
    return heading
