"""What a scope lets through, as the base and as the vector index ask for it: before anything is ranked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from clone_app.memory.moments import microseconds
from clone_app.memory.names import Bearers
from clone_app.memory.recipes import Scope
from clone_app.memory.store import Store, narrowing

# A local day may begin or end so far from the same day in UTC.
_ZONES = timedelta(days=1)
# More items than this are not named one by one to the index: what it offers is then filtered after.
NAMED_AT_MOST = 5000


@dataclass(frozen=True, slots=True)
class Within:
    """Hold what a scope lets through: `clauses` over `items i` with their `parameters`, and `index`.

    `index` is a filter over the columns of the vector index; it may let more through than the clauses.
    Empty ones keep nothing out.
    """

    clauses: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    index: str = ""


EVERYTHING = Within()


def within(store: Store, scope: Scope) -> Within:
    """Return what a scope lets through."""
    if scope.open:
        return EVERYTHING
    clauses, parameters = narrowing(medium=scope.medium, since=scope.since, until=scope.until)
    index = []
    if scope.medium is not None:
        index.append("medium = '" + scope.medium.replace("'", "''") + "'")
    if scope.since is not None:
        index.append(f"starts_at >= {_instant(scope.since, -_ZONES)}")
    if scope.until is not None:
        index.append(f"starts_at < {_instant(scope.until, _ZONES)}")
    if scope.whose is not None:
        clauses.append("i.mine" if scope.whose == "mine" else "NOT i.mine")
        index.append(f"mine = {'true' if scope.whose == 'mine' else 'false'}")
    if scope.only:
        bearers = store.names().bearing(scope.about)
        # One parameter: a person may have written to thousands of different rounds of recipients.
        clauses.append(
            "(i.author, i.recipients) IN (SELECT json_extract(value, '$[0]'), "
            "json_extract(value, '$[1]') FROM json_each(:bearers))"
        )
        parameters["bearers"] = json.dumps([(each.author, each.recipients) for each in bearers])
        if 0 < sum(each.count for each in bearers) <= NAMED_AT_MOST:
            numbers = ", ".join(str(number) for number in store.borne_by(_pairs(bearers)))
            index.append(f"item_id IN ({numbers})")
    return Within(tuple(clauses), parameters, " AND ".join(index))


def _pairs(bearers: Sequence[Bearers]) -> list[tuple[str, str]]:
    return [(each.author, each.recipients) for each in bearers]


def _instant(day: str, shift: timedelta) -> int:
    """Return the start of an ISO day in UTC, shifted, within what the calendar has."""
    start = datetime.fromisoformat(day).replace(tzinfo=UTC)
    try:
        return microseconds(start + shift)
    except OverflowError:
        return microseconds(start)
