"""Why a question found what it found, and why it did not find something else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from clone_app.app.chatting import Chatting
from clone_app.app.scoping import scope_of
from clone_app.entries import NO_FILTERS, Filters
from clone_app.errors import CloneAppError
from clone_app.memory import log
from clone_app.memory.database import encodable
from clone_app.memory.log import Logged
from clone_app.memory.reasons import Reason, why
from clone_app.persona.question.follow import resolved


class Explaining(Chatting):
    """Explain recall, for a question anew and for an answer given earlier."""

    def why(
        self,
        question: str,
        item_id: int,
        *,
        at: str | None = None,
        earlier: Sequence[str] = (),
        filters: Filters = NO_FILTERS,
    ) -> Reason:
        """Return what became of an item for a question, asked as `ask` would ask it now.

        `earlier` are the questions before it in its conversation. Raises where there is no such item.
        """
        store = self._store()
        if item_id not in store.by_id([item_id]):
            raise CloneAppError(
                f"There is no entry {item_id}. `search` and `items` show the numbers."
            )
        look = partial(
            why,
            store,
            encodable(resolved(question, earlier)),
            item_id,
            self.cutoff(at),
            home=self.home_zone(),
            calendar=self.calendar(),
            recipe=self._recipe(),
            scope=scope_of(filters, self._addressbook()),
            reranker=self._models().reranker(),
            k=self.settings.sources_shown,
        )
        return self._by_meaning_too(look)

    def found_for(self, turn: int) -> tuple[Logged, ...]:
        """Return what recall found for an earlier answer, best first, with who found it."""
        return log.logged(self._store().base, turn)
