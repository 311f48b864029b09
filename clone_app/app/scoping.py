"""What a person narrows a search or a question to, as the memory takes it."""

from __future__ import annotations

from typing import cast

from clone_app.entries import Filters
from clone_app.errors import CloneAppError
from clone_app.memory.addressbook import AddressBook
from clone_app.memory.people import folded
from clone_app.memory.recipes import Scope, Whose


def scope_of(filters: Filters, book: AddressBook) -> Scope:
    """Return the scope of filters; raise where nobody, or several, go by the name of `who`."""
    if filters.whose not in ("", "mine", "others"):
        raise CloneAppError(f"“{filters.whose}” is nobody's. Choose “mine” or “others”.")
    about = book.find(filters.who).handles if filters.who else ()
    return Scope(
        whose=cast(Whose, filters.whose) if filters.whose else None,
        about=frozenset(handle.key for handle in about),
        only=bool(about),
        medium=filters.medium or None,
        since=filters.since or None,
        until=filters.until or None,
        plain=frozenset(folded(phrase) for phrase in filters.plain),
    )
