"""The mail part of the Import page: ask for an account, import it, fetch what is new later."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QObject, Signal

from clone_app.errors import CloneAppError, MailPasswordError
from clone_app.progress import Progress
from clone_app.ui.imports.mailbox import MailboxDialog, PasswordDialog
from clone_app.ui.jobs import Lane
from clone_app.ui.page import Page

if TYPE_CHECKING:
    from clone_app.app import ImportReport, SourceRow


class MailWork(QObject):
    """Import mail on the writing lane; vectors follow in the background."""

    report = Signal(str, object)  # whose mail, ImportReport
    fault = Signal(str)

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._page = page
        self.dialog: MailboxDialog | None = None
        self.password: PasswordDialog | None = None

    def ask(self) -> None:
        """Open the dialog that leads to an account's folders."""
        dialog = MailboxDialog(self._page.workspace, self._page)
        dialog.wanted.connect(lambda: self._import(dialog))
        self.dialog = dialog
        dialog.open()

    def fetch(self, source: SourceRow, password: str | None = None, keep: bool = False) -> None:
        """Fetch what is new of an account; ask for its password where none is kept."""
        app = self._page.app

        def work(progress: Progress) -> ImportReport:
            return app.fetch_new_mail(
                source.id, password, remember=keep, vectors=False, progress=progress
            )

        def failed(fault: CloneAppError) -> None:
            if isinstance(fault, MailPasswordError):
                self._ask_password(source)
            if password or not isinstance(fault, MailPasswordError):
                self.fault.emit(str(fault))

        self._run(work, source.path, failed)

    def _import(self, dialog: MailboxDialog) -> None:
        app, account, password = self._page.app, dialog.account(), dialog.password.text()
        folders, me, keep = dialog.chosen(), dialog.me(), dialog.keep.isChecked()

        def work(progress: Progress) -> ImportReport:
            return app.import_mail(
                account,
                password,
                folders=folders,
                me=me,
                remember=keep,
                vectors=False,
                progress=progress,
            )

        self._run(work, account.user, lambda fault: self.fault.emit(str(fault)))

    def _ask_password(self, source: SourceRow) -> None:
        user = unquote(source.path.partition("://")[2].rpartition("@")[0])
        dialog = PasswordDialog(user, keyring=self._page.app.keyring_works(), parent=self._page)
        dialog.wanted.connect(
            lambda: self.fetch(source, dialog.field.text(), dialog.keep.isChecked())
        )
        self.password = dialog
        dialog.open()

    def _run(
        self,
        work: Callable[[Progress], ImportReport],
        name: str,
        failed: Callable[[CloneAppError], None],
    ) -> None:
        workspace = self._page.workspace

        def ended() -> None:
            # Batches are kept whatever ended it, so there may be something new in any case.
            workspace.memory_changed.emit()
            workspace.finish_vectors()

        self.fault.emit("")
        self._page.jobs.run(
            work,
            lane=Lane.WRITING,
            title="Fetching mail",
            owner=self._page,
            done=lambda report: self.report.emit(name, report),
            failed=failed,
            ended=ended,
        )
