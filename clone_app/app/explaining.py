"""Why a question found what it found, and why it did not find something else."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from clone_app.app.chatting import Chatting
from clone_app.app.scoping import scope_of
from clone_app.entries import NO_FILTERS, Filters
from clone_app.errors import CloneAppError, ModelError
from clone_app.memory import log
from clone_app.memory.database import encodable
from clone_app.memory.index import DamagedIndexError
from clone_app.memory.log import Logged
from clone_app.memory.reasons import Reason, Verdict, why


class Explaining(Chatting):
    """Explain recall, for a question anew and for an answer given earlier."""

    def why(
        self,
        question: str,
        item_id: int,
        *,
        at: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> Reason:
        """Return what became of an item for a question, asked as `ask` would ask it now.

        Raises where there is no such item.
        """
        store, scope = self._store(), scope_of(filters, self._addressbook())
        item = store.by_id([item_id]).get(item_id)
        if item is None:
            raise CloneAppError(
                f"There is no entry {item_id}. `search` and `items` show the numbers."
            )
        look = partial(
            why,
            store,
            encodable(question),
            item_id,
            self.cutoff(at),
            home=self.home_zone(),
            calendar=self.calendar(),
            recipe=self._recipe(),
            scope=scope,
            reranker=self._models().reranker(),
            k=self.settings.sources_shown,
        )
        try:
            reason = look(index=self._vectors(), embedder=self._models().embedder())
        except (DamagedIndexError, ModelError):
            reason = look(index=None, embedder=None)
        return reason if scope.fits(item.item) else replace(reason, verdict=Verdict.OUTSIDE)

    def found_for(self, turn: int) -> tuple[Logged, ...]:
        """Return what recall found for an earlier answer, best first, with who found it."""
        return log.logged(self._store().base, turn)
