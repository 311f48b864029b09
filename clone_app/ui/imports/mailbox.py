"""From a mail server: who and where, then which folders, then whose addresses are the user's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from clone_app.app.mailboxes import Account, Security
from clone_app.errors import CloneAppError
from clone_app.importers.mailbox.account import likely_host
from clone_app.progress import Progress
from clone_app.ui import theme, words
from clone_app.ui.jobs import Job, Lane
from clone_app.ui.messages import announce
from clone_app.ui.plain import PlainLabel, wrapped
from clone_app.ui.workspace import Workspace

if TYPE_CHECKING:
    from clone_app.importers.mailbox.look import MailboxPreview

_SECURITIES = (
    (Security.TLS, "TLS (usual)"),
    (Security.STARTTLS, "STARTTLS"),
    (Security.PLAIN, "None: only for a server on this computer"),
)
_UNSAFE = "Without encryption, your password and your mail can be read by whoever is on the way."


class MailboxDialog(QDialog):
    """Lead from an address to a choice of folders; `wanted` tells that they are to be imported."""

    wanted = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("From a mail server")
        self.workspace = workspace
        self.job: Job | None = None
        self._typed_host = False
        self.folders: list[tuple[str, QCheckBox]] = []
        self.names: list[tuple[str, QCheckBox]] = []
        self.fault = wrapped("", "warn")
        self.fault.hide()
        self._pages = QStackedWidget()
        self._pages.addWidget(self._form())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 20)
        layout.setSpacing(12)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self.fault)
        layout.addLayout(self._buttons())
        letter = self.fontMetrics().height()
        self.resize(letter * 36, letter * 28)
        self.user.setFocus()

    def account(self) -> Account:
        """Return the account as typed."""
        return Account(
            host=self.host.text().strip(),
            user=self.user.text().strip(),
            port=self.port.value(),
            security=Security(self.security.currentData()),
        )

    def chosen(self) -> tuple[str, ...]:
        """Return the folders that are ticked, by the server's names."""
        return tuple(name for name, box in self.folders if box.isChecked())

    def me(self) -> tuple[str, ...]:
        """Return the addresses that the user ticked as theirs."""
        return tuple(name for name, box in self.names if box.isChecked())

    def done(self, result: int) -> None:
        """Stop what is under way, and let the password go with the window."""
        if self.job is not None:
            self.job.cancel()
        super().done(result)

    # --- who and where ----------------------------------------------------------------------------

    def _form(self) -> QWidget:
        self.user, self.host, self.password = QLineEdit(), QLineEdit(), QLineEdit()
        self.user.setPlaceholderText("you@example.org")
        self.user.textChanged.connect(self._guess)
        self.host.textEdited.connect(self._typed)
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.security = QComboBox()
        for value, label in _SECURITIES:
            self.security.addItem(label, value)
        self.security.currentIndexChanged.connect(self._warn)
        self.port = QSpinBox()
        self.port.setRange(0, 65535)
        self.port.setSpecialValueText("usual")
        self.keep = QCheckBox("Keep the password in this computer's keyring")
        self.keep.setChecked(True)
        self.unsafe = wrapped("", "warn")
        self.unsafe.hide()
        for field in (self.user, self.host, self.password):
            field.returnPressed.connect(self._go)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(PlainLabel("Your mail account", "heading"))
        column.addWidget(
            wrapped(
                "Mail is only read (over IMAP): nothing on the server is changed or marked as read. "
                "Gmail, iCloud, Yahoo and Fastmail want an app password, which you make in your "
                "account's security settings there.",
                "muted",
            )
        )
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setSpacing(10)
        fields: tuple[tuple[str, QWidget], ...] = (
            ("Address or user name", self.user),
            ("Password", self.password),
            ("Server", self.host),
            ("Encryption", self.security),
            ("Port", self.port),
        )
        for label, widget in fields:
            widget.setAccessibleName(label)
            form.addRow(label, widget)
        column.addLayout(form)
        column.addWidget(self.unsafe)
        if self.workspace.app.keyring_works():
            column.addWidget(self.keep)
        else:
            self.keep.setChecked(False)
            column.addWidget(
                wrapped(
                    "This computer has no keyring: the password is asked for each time.", "small"
                )
            )
        column.addStretch()
        return page

    def _guess(self, address: str) -> None:
        if not self._typed_host:
            self.host.setText(likely_host(address))

    def _typed(self, text: str) -> None:
        self._typed_host = bool(text)
        self._warn()

    def _warn(self, *_: object) -> None:
        account = self.account()
        risky = account.security is Security.PLAIN and not account.local
        self.unsafe.setText(_UNSAFE if risky else "")
        self.unsafe.setVisible(risky)

    # --- what is there ----------------------------------------------------------------------------

    def _buttons(self) -> QHBoxLayout:
        self.go = QPushButton("Look into it")
        self.go.setToolTip("Log in and list the folders; nothing is imported yet (Enter)")
        self.go.clicked.connect(self._go)
        return _beside_cancel(self, self.go, "Close without importing (Esc)")

    def _go(self) -> None:
        if self.job is not None or not self.go.isEnabled():
            return
        if self._pages.currentIndex() == 1:
            self.wanted.emit()
            self.accept()
            return
        account, password = self.account(), self.password.text()
        for field, what in (
            (self.user, "address"),
            (self.password, "password"),
            (self.host, "server"),
        ):
            if not field.text().strip():
                self._say(f"The {what} is missing. Type it.")
                field.setFocus()
                return
        self._say("")
        self.go.setEnabled(False)
        self.go.setText("Looking…")
        app = self.workspace.app

        def look(progress: Progress) -> MailboxPreview:
            return app.look_into_mailbox(account, password, progress=progress)

        self.job = self.workspace.jobs.run(
            look,
            lane=Lane.WRITING,
            title=f"Looking into {account.host}",
            owner=self,
            done=self._show,
            failed=self._failed,
            ended=self._ended,
        )

    def _ended(self) -> None:
        self.job = None
        if self._pages.count() == 1:
            self.go.setEnabled(True)
            self.go.setText("Look into it")

    def _failed(self, fault: CloneAppError) -> None:
        self._say(str(fault))
        self.password.selectAll()
        self.password.setFocus()

    def _say(self, sentence: str) -> None:
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))
        if sentence:
            announce(self, sentence)

    def _show(self, found: MailboxPreview) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(6)
        column.addWidget(PlainLabel("Which folders?", "heading"))
        if found.first and found.last:
            column.addWidget(
                wrapped(
                    f"Mail that arrived from {words.iso_day(found.first)} to "
                    f"{words.iso_day(found.last)}.",
                    "muted",
                )
            )
        for folder in found.folders:
            box = QCheckBox(f"{folder.path} ({folder.messages:,})".replace("&", "&&"))
            box.setChecked(folder.usual)
            box.toggled.connect(self._count)
            self.folders.append((folder.name, box))
            column.addWidget(box)
        column.addSpacing(10)
        column.addWidget(PlainLabel("Is this you?", "heading"))
        column.addWidget(
            wrapped(
                "What these addresses wrote counts as your own words. Tick all that are you.",
                "small",
            )
        )
        own = self.account().user
        senders = dict(found.senders)
        for name in dict.fromkeys((*([own] if "@" in own else []), *senders)):
            sent = f" ({senders[name]:,} sent)" if name in senders else ""
            box = QCheckBox(f"{name}{sent}".replace("&", "&&"))
            box.setChecked(True)
            self.names.append((name, box))
            column.addWidget(box)
        column.addStretch()
        self._counts = {folder.name: folder.messages for folder in found.folders}
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inner)
        self._pages.addWidget(scroll)
        self._pages.setCurrentIndex(1)
        self.go.setToolTip("Fetch these folders into your memory (Enter)")
        self._count()
        self.go.setFocus()
        announce(self, f"{len(found.folders)} folders found")

    def _count(self) -> None:
        number = sum(self._counts[name] for name in self.chosen())
        self.go.setText(f"Import {words.count(number, 'message')}")
        self.go.setEnabled(bool(self.chosen()))


class PasswordDialog(QDialog):
    """Ask for the password of an account whose new mail is to be fetched."""

    wanted = Signal()

    def __init__(self, user: str, *, keyring: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Password needed")
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName("Password")
        self.field.returnPressed.connect(self._go)
        self.keep = QCheckBox("Keep it in this computer's keyring")
        self.keep.setChecked(keyring)
        self.keep.setVisible(keyring)
        go = QPushButton("Get new mail")
        go.setToolTip("Log in and fetch what is new (Enter)")
        go.clicked.connect(self._go)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 20)
        layout.setSpacing(12)
        layout.addWidget(wrapped(f"The password for {user}"))
        layout.addWidget(self.field)
        layout.addWidget(self.keep)
        layout.addLayout(_beside_cancel(self, go, "Close without fetching (Esc)"))
        self.setMinimumWidth(self.fontMetrics().height() * 22)

    def _go(self) -> None:
        if self.field.text():
            self.wanted.emit()
            self.accept()


def _beside_cancel(dialog: QDialog, go: QPushButton, closing: str) -> QHBoxLayout:
    """Return a dialog's last row: its own button, which Enter presses, beside one that closes it."""
    go.setDefault(True)
    theme.role(go, "primary")
    cancel = QPushButton("Cancel")
    cancel.setToolTip(closing)
    cancel.setAutoDefault(False)
    cancel.clicked.connect(dialog.reject)
    row = QHBoxLayout()
    row.addStretch()
    row.addWidget(cancel)
    row.addWidget(go)
    return row
