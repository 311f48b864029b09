"""Mail on a server: look at an account, import it, fetch what is new; only when asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clone_app.app.importing import Importing
from clone_app.app.people import People
from clone_app.errors import CloneAppError, KeyingError, MailPasswordError
from clone_app.importers.mailbox.account import Account, Security
from clone_app.memory.ingest import ImportReport, Ingest
from clone_app.memory.mailboxes import Mailboxes, MailboxRow
from clone_app.memory.removal import Removal
from clone_app.memory.sent import Sent
from clone_app.progress import Progress

if TYPE_CHECKING:  # the library that speaks to servers is loaded when one is spoken to
    from clone_app.importers.mailbox.folders import Folder
    from clone_app.importers.mailbox.look import MailboxPreview

IMPORTER = "imap"
TITLE = "Mail server (IMAP)"


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Hold an account that is a source, the folders read of it, and whether its password is kept."""

    source_id: int
    account: Account
    folders: tuple[str, ...]
    keeps_password: bool


class MailServers(Importing, People):
    """Import mail from servers. The password lies in the keyring or is asked for each time."""

    def look_into_mailbox(
        self, account: Account, password: str, *, progress: Progress
    ) -> MailboxPreview:
        """Log in and return what the account holds; nothing is kept, nothing changed there."""
        from clone_app.importers.mailbox.look import look
        from clone_app.importers.mailbox.server import connected

        self._note_departure(account)
        with connected(account, password) as client:
            return look(client, account, self._reading((), None), progress)

    def mailbox(self, source_id: int) -> Mailbox | None:
        """Return the account of a source, None where the source is none."""
        row = Mailboxes(self._store().base).find(source_id)
        if row is None:
            return None
        account = _account(row)
        return Mailbox(source_id, account, tuple(row.marks), bool(self.mail_password(account)))

    def import_mail(
        self,
        account: Account,
        password: str,
        *,
        folders: Sequence[str] = (),
        me: Sequence[str] = (),
        remember: bool = False,
        vectors: bool = True,
        progress: Progress,
    ) -> ImportReport:
        """Fetch what is new in an account's folders (by name or path; those usual if none is named).

        A name that no folder has is an error.

        Each batch is kept together with the mark up to which its folder is read, so a run that was
        cancelled or broken off goes on where it was. With `remember` the password goes into the
        keyring, once the server has accepted it, and nowhere else.
        """
        return self._fetch(
            account,
            password,
            lambda there: _chosen(there, folders),
            me=me,
            remember=remember,
            vectors=vectors,
            progress=progress,
        )

    def _fetch(
        self,
        account: Account,
        password: str,
        choose: Callable[[Sequence[Folder]], list[Folder]],
        *,
        me: Sequence[str] = (),
        remember: bool,
        vectors: bool,
        progress: Progress,
    ) -> ImportReport:
        from clone_app.importers.mailbox.fetch import Mail, Mark, place_of
        from clone_app.importers.mailbox.folders import list_folders
        from clone_app.importers.mailbox.server import connected

        store = self._writer()
        self._note_departure(account)
        with connected(account, password) as client:
            if remember:
                self._keep_mail_password(account, password)
            chosen = choose(list_folders(client))
            store.add_identities(me)
            number = store.begin_source(IMPORTER, TITLE, account.url, self._now(), anew=False)
            kept = Mailboxes(store.base)
            kept.keep(
                number,
                host=account.host,
                port=account.usual_port,
                user=account.user,
                security=str(account.security),
            )
            row = kept.find(number)
            ingest = Ingest(store, number, self.home_zone())
            mail = Mail(client, account, self._reading(me, None))
            copies = 0
            for folder in chosen:
                known = row.marks.get(folder.name) if row else None
                opened, uids = mail.new(folder, Mark(*known) if known else Mark())
                if known is None or known[0] != opened.validity:  # read from its start
                    kept.forget_problems(number, place_of(account, folder))
                label = f"Fetching {folder.path}"
                progress.report(0, len(uids), label)
                if known is None:  # remembered as chosen, though there may be nothing in it yet
                    kept.mark(number, folder.name, validity=opened.validity, uid=0)
                done = 0
                for batch in mail.read(opened, uids, progress):
                    with store.base.write():
                        ingest.take(batch.found)
                        mark = batch.mark
                        kept.mark(number, folder.name, validity=mark.validity, uid=mark.uid)
                    done += len(batch.found) + batch.copies
                    copies += batch.copies
                    progress.report(done, len(uids), label)
            report = ingest.finish()
        report = replace(
            report,
            files=len(chosen),
            seen=report.seen + copies,
            duplicates=report.duplicates + copies,
        )
        if vectors:
            self.finish_vectors(progress)
        return replace(report, vectors_pending=self.vectors_pending())

    def fetch_new_mail(
        self,
        source_id: int,
        password: str | None = None,
        *,
        remember: bool = False,
        vectors: bool = True,
        progress: Progress,
    ) -> ImportReport:
        """Fetch what came since into the folders of an account that is a source.

        Without a password the one in the keyring is used; raises `MailPasswordError` where none is.
        """
        box = self.mailbox(source_id)
        if box is None:
            raise CloneAppError(
                f"Source {source_id} is no mail account. `sources` lists those there are."
            )
        known = password or self.mail_password(box.account)
        if not known:
            raise MailPasswordError(f"The password for {box.account.user} is needed. Type it.")
        return self._fetch(
            box.account,
            known,
            lambda there: _still_there(there, box.folders),
            remember=remember,
            vectors=vectors,
            progress=progress,
        )

    def remove(self, removal: Removal, progress: Progress) -> int:
        """Take it out with all that came of it; a whole account's password goes from the keyring."""
        whole = removal.source is not None and removal == Removal(source=removal.source)
        box = self.mailbox(removal.source) if whole and removal.source is not None else None
        gone = super().remove(removal, progress)
        if box is not None:
            self.forget_mail_password(box.account)
        return gone

    def forget_mail_password(self, account: Account) -> None:
        """Take an account's password out of the keyring."""
        if self._vault.works():
            with suppress(KeyingError):
                self._vault.put(_secret(account), b"")

    def mail_password(self, account: Account) -> str:
        """Return the password the keyring has for an account, empty for none."""
        return (self._vault.get(_secret(account)) or b"").decode("utf-8", "replace")

    def _keep_mail_password(self, account: Account, password: str) -> None:
        if self._vault.works():
            with suppress(KeyingError):  # then it is asked for next time
                self._vault.put(_secret(account), password.encode())

    def _note_departure(self, account: Account) -> None:
        """Add to the list of what left the machine; a server on this machine is none of it."""
        if self._base is not None and self.writing and not account.local:
            Sent(self._base).note(self._now(), account.host, "reading your mail", 0)


def _secret(account: Account) -> str:
    return f"mail {account.url}"


def _account(row: MailboxRow) -> Account:
    return Account(host=row.host, user=row.user, port=row.port, security=Security(row.security))


def _chosen(there: Sequence[Folder], wanted: Sequence[str]) -> list[Folder]:
    """Return the wanted folders in the server's order; raise for a name that none has."""
    if not wanted:
        return [folder for folder in there if folder.usual]
    named = {name for folder in there for name in (folder.name, folder.path)}
    for name in wanted:
        if name not in named:
            paths = ", ".join(folder.path for folder in there)
            raise CloneAppError(f"There is no folder “{name}”. There are: {paths}. Name one.")
    return [folder for folder in there if folder.name in wanted or folder.path in wanted]


def _still_there(there: Sequence[Folder], read: Sequence[str]) -> list[Folder]:
    """Return the folders that were read before; where none of them is left, raise."""
    left = [name for name in read if any(folder.name == name for folder in there)]
    return _chosen(there, left or read)


__all__ = ["Account", "MailServers", "Mailbox", "Security"]
