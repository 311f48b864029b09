"""The use-cases of the program as methods of one object; window and command line build on this alone."""

from __future__ import annotations

from clone_app.app.evaluating import Evaluating
from clone_app.app.explaining import Explaining
from clone_app.app.importing import Importing
from clone_app.app.mailboxes import MailServers
from clone_app.app.people import People
from clone_app.app.remembering import Remembering
from clone_app.app.sending import Sending
from clone_app.app.watching import Watching
from clone_app.doctor import program
from clone_app.importers.recognise import Preview
from clone_app.memory.conversations import Turn
from clone_app.memory.ingest import ImportReport
from clone_app.memory.store import SourceRow, Stored
from clone_app.profile import ProfileState

__all__ = ["App", "ImportReport", "Preview", "ProfileState", "SourceRow", "Stored", "Turn"]


class App(
    MailServers,
    Watching,
    Importing,
    Remembering,
    People,
    Sending,
    Explaining,
    Evaluating,
):
    """Hold one profile and do with it what a person wants done; see `Parts` for how it is opened."""

    def doctor(self) -> dict[str, object]:
        """Return how the program and the profile are: versions, models, base, index."""
        found = program(self.settings, self.home, keyring=self.keyring_works())
        if self._base is None:
            return found | {"database": "no profile yet"}
        if self.writing:
            self.check_index()
        return found | {
            "database": self._base.quick_check(),
            "items": self.count_items(),
            "sources": len(self.sources()),
            "index": self._index_state,
            "embedder": self._embedder_state(),
            "language model": self._model_state(),
            "vectors pending": self.vectors_pending(),
            "home zone": self.settings.home_zone,
        }

    def _embedder_state(self) -> str:
        """Return which embedder made the index, and what to do where it should be another one."""
        made_by = self._store().fact("index_embedder") or "none yet"
        if self.settings.embedder_folder != self._served():
            made_by += (
                f", until all is read anew by {self.settings.embedder_folder or 'the starter'}"
            )
        advice = self.embedder_advice()
        return f"{made_by}. {advice}" if advice else made_by
