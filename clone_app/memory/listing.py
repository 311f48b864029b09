"""Items listed by page and counted: those of the user or of others, what one person wrote or got."""

from __future__ import annotations

from typing import Any

from clone_app.memory.database import rows
from clone_app.memory.recipes import Scope
from clone_app.memory.scoped import within
from clone_app.memory.store import WORDED, ItemFilter, Store, Stored


def count(store: Store, scope: Scope, words: str | None = None) -> int:
    """Return how many items are in a scope; `words` is a match of the word index that narrows it."""
    if scope.whose is None and not scope.only:
        return store.count(_plainly(scope, words))
    where, parameters = _where(store, scope, words)
    return int(rows(store.base.db(), f"SELECT count(*) FROM items i {where}", parameters)[0][0])


def page(
    store: Store,
    scope: Scope,
    words: str | None = None,
    *,
    limit: int | None = None,
    offset: int = 0,
    newest_first: bool = False,
) -> tuple[Stored, ...]:
    """Return items of a scope by their local time; undated ones come last either way."""
    if scope.whose is None and not scope.only:
        return store.items(
            _plainly(scope, words), limit=limit, offset=offset, newest_first=newest_first
        )
    where, parameters = _where(store, scope, words)
    order = "DESC" if newest_first else "ASC"
    found = rows(
        store.base.db(),
        f"SELECT i.id FROM items i {where} ORDER BY i.local IS NULL, i.local {order}, i.id {order} "
        "LIMIT :limit OFFSET :offset",
        parameters | {"limit": -1 if limit is None else limit, "offset": offset},
    )
    numbers = [int(row[0]) for row in found]
    items = store.by_id(numbers)
    return tuple(items[number] for number in numbers if number in items)


def _plainly(scope: Scope, words: str | None) -> ItemFilter:
    return ItemFilter(medium=scope.medium, since=scope.since, until=scope.until, words=words)


def _where(store: Store, scope: Scope, words: str | None) -> tuple[str, dict[str, Any]]:
    kept = within(store, scope)
    clauses, parameters = list(kept.clauses), dict(kept.parameters)
    if words:
        clauses.append(WORDED)
        parameters["words"] = words
    return "WHERE " + " AND ".join(clauses), parameters
