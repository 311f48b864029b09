"""The first start: where the memory lies, what protects it, when a day begins."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from clone_app.ui import theme
from clone_app.ui.plain import wrapped
from clone_app.ui.start.sheet import Sheet
from clone_app.ui.zones import ZoneBox


class FirstStart(Sheet):
    """Ask what a new profile needs; `wanted` says that the user is content."""

    wanted = Signal()

    def __init__(self, *, home: Path, zone: str, keyring: bool) -> None:
        super().__init__(
            "A memory that answers as you",
            "Your diaries, mails and posts stay on this computer, encrypted. Nothing is sent "
            "anywhere. Three things first.",
        )
        self._folder = QLineEdit(str(home))
        self._folder.setAccessibleName("Folder of your memory")
        browse = QPushButton("Choose…")
        browse.setToolTip("Choose another folder")
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.addWidget(self._folder, 1)
        row.addWidget(browse)
        self._heading("Where it lies", self._folder)
        self.body.addLayout(row)

        self._by_keyring = QRadioButton("This computer's keyring alone")
        self._by_phrase = QRadioButton("A passphrase, with this computer's keyring for every day")
        group = QButtonGroup(self)
        group.addButton(self._by_keyring)
        group.addButton(self._by_phrase)
        self.body.addSpacing(10)
        self._heading("What protects it", None)
        self.body.addWidget(self._by_phrase)
        self._phrases = QWidget()
        inner = QVBoxLayout(self._phrases)
        inner.setContentsMargins(26 if keyring else 0, 0, 0, 0)
        inner.setSpacing(8)
        self._first = _secret("Passphrase", "Passphrase: four or five words are good")
        self._second = _secret("Passphrase once more", "The same once more")
        shown = QPushButton("Show")
        shown.setCheckable(True)
        shown.setToolTip("Show or hide the passphrase")
        shown.toggled.connect(self._show)
        line = QHBoxLayout()
        line.addWidget(self._first, 1)
        line.addWidget(shown)
        inner.addLayout(line)
        inner.addWidget(self._second)
        inner.addWidget(
            wrapped("Nobody can recover it: write it down and keep it in a safe place.", "small")
        )
        self.body.addWidget(self._phrases)
        self.body.addWidget(self._by_keyring)
        alone = wrapped("If the keyring is lost, so is your memory.", "small")
        alone.setContentsMargins(26, 0, 0, 0)
        alone.setVisible(keyring)
        self.body.addWidget(alone)
        for choice in (self._by_phrase, self._by_keyring):
            choice.setVisible(keyring)
        self._by_phrase.setChecked(True)
        self._by_phrase.toggled.connect(self._phrases.setEnabled)

        self._zone = ZoneBox(zone)
        self.body.addSpacing(10)
        self._heading("Where you are at home", self._zone)
        self.body.addWidget(self._zone)
        self.body.addWidget(
            wrapped("Decides when a day begins for entries that name no time zone.", "small")
        )
        self.body.addSpacing(10)
        self.body.addWidget(self.fault)
        self._go = QPushButton("Create my memory")
        self._go.setToolTip("Create the memory (Enter)")
        self._go.setDefault(True)
        theme.role(self._go, "primary")
        self._go.clicked.connect(self._submit)
        end = QHBoxLayout()
        end.addStretch()
        end.addWidget(self._go)
        self.body.addLayout(end)
        for field in (self._folder, self._second):
            field.returnPressed.connect(self._submit)
        self._first.returnPressed.connect(self._second.setFocus)
        self._first.setFocus()

    def home(self) -> Path:
        """Return the chosen folder."""
        return Path(self._folder.text().strip()).expanduser()

    def passphrase(self) -> str | None:
        """Return the passphrase, None where the keyring is to keep the key."""
        return None if self._by_keyring.isChecked() else self._first.text()

    def zone(self) -> str:
        """Return the home time zone by its IANA name."""
        return self._zone.zone()

    def set_busy(self, busy: bool) -> None:
        """Show that the memory is being made, which takes a second on purpose."""
        self._go.setEnabled(not busy)
        self._go.setText("Creating…" if busy else "Create my memory")

    def _submit(self) -> None:
        if not self._go.isEnabled():
            return
        self.say("")
        if not self._folder.text().strip():
            self.say("No folder is named. Choose one for your memory.")
            self._folder.setFocus()
        elif self._by_phrase.isChecked() and not self._first.text():
            self.say("The passphrase is empty. Think of four or five words.")
            self._first.setFocus()
        elif self._by_phrase.isChecked() and self._first.text() != self._second.text():
            self.say("The two passphrases differ. Type the second one again.")
            self._second.selectAll()
            self._second.setFocus()
        elif not self._zone.is_known():
            self.say("That time zone is unknown. Choose one from the list.")
            self._zone.setFocus()
        else:
            self.wanted.emit()

    def _heading(self, text: str, buddy: QWidget | None) -> None:
        label = QLabel(text)
        theme.role(label, "heading")
        if buddy is not None:
            label.setBuddy(buddy)
        self.body.addWidget(label)

    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self, "Folder of your memory", self._folder.text()
        )
        if folder:
            self._folder.setText(folder)

    def _show(self, shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        self._first.setEchoMode(mode)
        self._second.setEchoMode(mode)


def _secret(name: str, hint: str) -> QLineEdit:
    field = QLineEdit()
    field.setEchoMode(QLineEdit.EchoMode.Password)
    field.setAccessibleName(name)
    field.setPlaceholderText(hint)
    return field
