"""Find what a question is about: words, meaning, time, people, and what stands near good hits in time.

Each ranker puts its scores on one scale (standard scores over what could be seen at the time), they
are added, what the question names is raised, and so is what was written around the best hits: what
happened together was written together. The cut-off comes before all of it, so nothing later
takes a place in any ranking. Measured in packaging/bench/recall.py.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, tzinfo
from functools import partial
from typing import Any

import numpy as np
from sqlite_utils import Database

from clone_app.entries import Cutoff, Hit, Recalled
from clone_app.memory.asked import Asked, people_shown, times_shown, understood
from clone_app.memory.database import rows
from clone_app.memory.embedding import pending
from clone_app.memory.index import VectorIndex
from clone_app.memory.lexical import by_words as holding
from clone_app.memory.lexical import coverage
from clone_app.memory.probes import by_lines
from clone_app.memory.rankers import (
    by_meaning,
    by_medium,
    by_nearness,
    by_others,
    by_people,
    by_time,
    by_words,
    facts_of,
)
from clone_app.memory.ranking import Column, Numbers, Ranking, finders
from clone_app.memory.recipes import DEFAULT, By, Recipe, Scope
from clone_app.memory.rerank import LETTERS, echo_terms, reviewed
from clone_app.memory.scoped import Within, within
from clone_app.memory.store import Store
from clone_app.memory.when import NORTHERN, Calendar, Interval
from clone_app.memory.wholes import by_wholes
from clone_app.progress import Progress
from clone_app.protocols import Embedder, Reranker

# Members of a time or a person named stand for election though no word is shared, where they are few.
MEMBERS_AT_MOST = 500


def recall(
    store: Store,
    question: str,
    cutoff: Cutoff,
    *,
    index: VectorIndex | None,
    embedder: Embedder | None,
    home: tzinfo,
    calendar: Calendar = NORTHERN,
    recipe: Recipe = DEFAULT,
    scope: Scope = Scope(),  # noqa: B008 - frozen
    reranker: Reranker | None = None,
    evidence: Collection[str] = (),
    lines: Sequence[str] = (),
    k: int = 10,
    progress: Progress | None = None,
) -> Recalled:
    """Return the `k` items that answer a question best, best first.

    Without an index or an embedder words and time decide, and `pending` says how many passages were
    out of the sight of meaning. The same memory, recipe, question and moment give the same hits.
    `reranker` is what a thorough recipe uses instead of its own; `evidence` are the keys of an answer
    key, for the one recipe of evaluations that needs them; `lines` what who asks supposes the memory
    to hold, for a recipe that looks for that too.
    """
    asked = understood(
        store,
        question,
        cutoff,
        index=index,
        embedder=embedder,
        home=home,
        calendar=calendar,
        recipe=recipe,
        scope=scope,
    )
    ranking = ranked(
        store,
        replace(asked, lines=tuple(lines)),
        index=index,
        embedder=embedder,
        reranker=reranker,
        evidence=evidence,
        progress=progress,
    )
    chosen = shared_out(ranking, asked, k)
    covered = coverage(store.base.db(), asked.terms, chosen)
    hits = _hits(store, ranking, chosen, covered)
    return Recalled(
        tuple(hits),
        asked.terms,
        pending(store),
        asked.total,
        intervals=times_shown(asked),
        people=people_shown(asked),
        plain=scope.plain,
        usual=ranking.usual,
    )


def ranked(
    store: Store,
    asked: Asked,
    *,
    index: VectorIndex | None,
    embedder: Embedder | None,
    reranker: Reranker | None = None,
    evidence: Collection[str] = (),
    progress: Progress | None = None,
) -> Ranking:
    """Return everything that the recipe's rankers say, added up."""
    db, recipe = store.base.db(), asked.recipe
    if recipe.by is By.LATEST:
        return _scoped(db, _latest(asked), asked)
    if recipe.by is By.EVIDENCE:
        return _scoped(db, _evidence(store, asked, evidence), asked)
    limit, kept = recipe.pool, within(store, asked.scope)
    columns = _looking(db, asked, index, embedder, kept, progress)
    columns += by_lines(asked, index, embedder, limit=limit, where=kept.index, progress=progress)
    if recipe.by is By.WHOLE:
        ranking = _scoped(db, Ranking.of(columns), asked)
        return ranking if embedder is None else by_wholes(store, ranking, asked.question, embedder)
    ranking = Ranking.of(columns, _members(store, asked))
    ranking = ranking.plus(*_named(asked, ranking.ids, store))
    if recipe.near and asked.seen:
        lift = by_nearness(ranking, asked.timeline, asked.seen, asked.total, recipe)
        ranking = ranking if lift is None else ranking.plus(lift)
    ranking = _scoped(db, ranking, asked)
    if recipe.echo:
        ranking = _echoed(store, ranking, asked, kept)
    if recipe.rerank and asked.question.strip():
        ranking = reviewed(
            store, ranking, asked.question, recipe, reranker or LETTERS, progress=progress
        )
    return ranking


def shared_out(ranking: Ranking, asked: Asked, k: int) -> list[int]:
    """Return the `k` best items, of which no stretch of time takes more than its share.

    Asked about a day, its entries may be all there is: the share counts only where no time is named.
    """
    recipe = asked.recipe
    if recipe.share >= 1 or asked.intervals or k < 2:
        return [int(item) for item in ranking.best(k)]
    order = ranking.best(k * 4)
    places = asked.timeline.places(order)
    days = asked.timeline.days
    at_most = math.ceil(recipe.share * k)
    chosen: list[int] = []
    spared: list[int] = []
    taken: list[float] = []
    for item, place in zip(order.tolist(), places.tolist(), strict=True):
        if len(chosen) == k:
            break
        day = float(days[place]) if place >= 0 else math.inf
        if sum(abs(day - other) <= recipe.reach for other in taken) >= at_most:
            spared.append(item)
            continue
        chosen.append(item)
        taken.append(day)
    return chosen + spared[: k - len(chosen)]


def _looking(
    db: Database,
    asked: Asked,
    index: VectorIndex | None,
    embedder: Embedder | None,
    kept: Within,
    progress: Progress | None,
) -> list[Column]:
    """Return what the two rankers say that look into texts, together of length 1 whatever they weigh.

    They look at the same time: words in this thread, whose connection to the base is its own.
    """
    recipe = asked.recipe
    size = math.hypot(recipe.meaning, recipe.words) or 1.0
    words = recipe.words / size
    if not recipe.meaning or index is None or embedder is None or not asked.question.strip():
        return [_words(db, asked, kept, words)] if recipe.words else []
    look = partial(_meaning, asked, index, embedder, kept, recipe.meaning / size, progress)
    if not recipe.words:
        near = look()
        return [] if near is None else [near]
    beside = ThreadPoolExecutor(1, "meaning")
    try:
        looking = beside.submit(look)
        found = _words(db, asked, kept, words)
        near = looking.result()
    finally:
        beside.shutdown(wait=False)  # who is interrupted need not wait for a model that loads
    return [found] if near is None else [found, near]


def _words(db: Database, asked: Asked, kept: Within, weight: float) -> Column:
    """Return what the words of the question say."""
    timeline = asked.timeline
    found = holding(
        db,
        asked.terms,
        asked.cutoff,
        limit=asked.recipe.pool,
        hidden=asked.seen < len(timeline.ids)
        or bool(timeline.undated and not asked.cutoff.undated),
        clauses=kept.clauses,
        parameters=kept.parameters,
    )
    return by_words(found, weight=weight, total=asked.total, probe="the question", name="words")


def _meaning(
    asked: Asked,
    index: VectorIndex,
    embedder: Embedder,
    kept: Within,
    weight: float,
    progress: Progress | None,
) -> Column | None:
    """Return what the meaning of the question says, None where nothing can be seen."""
    vectors = np.asarray(embedder.ask(asked.probes, progress=progress), dtype=np.float32)
    middle = vectors.sum(axis=0)
    return by_meaning(
        index,
        (middle / (float(np.linalg.norm(middle)) or 1.0)).astype(np.float32),
        asked.cutoff,
        weight=weight,
        limit=asked.recipe.pool,
        where=kept.index,
        probe="the question, with and without its time"
        if len(asked.probes) > 1
        else "the question",
    )


def _members(store: Store, asked: Asked) -> list[Numbers]:
    """Return the items of times and people named, where they are few enough to tell something."""
    timeline = asked.timeline
    found: list[Numbers] = []
    for interval in asked.intervals:
        inside = timeline.within(interval, asked.seen)
        if len(inside) <= MEMBERS_AT_MOST:
            found.append(timeline.ids[inside])
    if 0 < sum(each.count for each in asked.bearers) <= MEMBERS_AT_MOST:
        theirs = store.borne_by((each.author, each.recipients) for each in asked.bearers)
        ids = np.array(theirs, dtype=np.int64)
        places = timeline.places(ids)
        visible = (places >= 0) & (places < asked.seen)
        found.append(ids[visible | ((places < 0) & asked.cutoff.undated)])
    scope = asked.scope
    if scope.since is not None or scope.until is not None:
        inside = timeline.within(_period(scope), asked.seen)
        if len(inside) <= MEMBERS_AT_MOST:
            found.append(timeline.ids[inside])
    return found


def _period(scope: Scope) -> Interval:
    """Return the days of a scope as an interval."""
    start = date.fromisoformat(scope.since) if scope.since else date.min
    return Interval(start, date.fromisoformat(scope.until) if scope.until else date.max, "")


def _named(asked: Asked, ids: Numbers, store: Store) -> list[Column]:
    """Return the columns of what a question names."""
    recipe = asked.recipe
    columns = []
    if recipe.others:
        columns.append(by_others(ids, store.others(), weight=recipe.others))
    times = [
        by_time(ids, asked.timeline, interval, asked.seen, weight=recipe.when)
        for interval in asked.intervals
    ]
    columns += _highest(times)
    facts = facts_of(store.base.db(), ids.tolist()) if asked.bearers or asked.media else {}
    if asked.bearers:
        columns.append(
            by_people(
                facts,
                asked.bearers,
                asked.total,
                weight=recipe.people or DEFAULT.people,
                probe=", ".join(asked.people),
            )
        )
    if asked.media:
        columns.append(by_medium(facts, asked.media, dict(store.media()), weight=recipe.medium))
    return columns


def _highest(columns: Sequence[Column]) -> list[Column]:
    """Return columns in which each item stands in the one alone that raises it the most."""
    if len(columns) < 2:
        return list(columns)
    ids = np.unique(np.concatenate([column.ids for column in columns]))
    standings = np.stack([column.over(ids) for column in columns])
    first = standings.argmax(axis=0)
    return [
        Column(column.ranker, column.probe, ids[first == at], standings[at][first == at])
        for at, column in enumerate(columns)
    ]


def _echoed(store: Store, ranking: Ranking, asked: Asked, kept: Within) -> Ranking:
    """Look once more, for the words that the best hits share and the question lacks."""
    db = store.base.db()
    terms = echo_terms(store, ranking.best(5).tolist(), asked.terms)
    found = holding(
        db,
        terms,
        asked.cutoff,
        limit=asked.recipe.pool,
        clauses=kept.clauses,
        parameters=kept.parameters,
    )
    if not found:
        return ranking
    echo = by_words(
        found,
        weight=asked.recipe.echo,
        total=asked.total,
        probe="words of the best hits",
        name="echo",
    )
    return _scoped(db, ranking.plus(echo), asked)


def _scoped(db: Database, ranking: Ranking, asked: Asked) -> Ranking:
    """Return a ranking without what is out of its scope; the undated are in no period."""
    scope = asked.scope
    if scope.open:
        return ranking
    facts = facts_of(db, ranking.ids.tolist())
    theirs = {(each.author, each.recipients) for each in asked.bearers}

    def fits(item: int) -> bool:
        known = facts.get(item)
        if known is None:
            return False
        mine, medium, author, recipients = known
        if scope.whose is not None and mine != (scope.whose == "mine"):
            return False
        if scope.medium is not None and medium != scope.medium:
            return False
        return not scope.only or (author, recipients) in theirs

    kept = np.array([fits(item) for item in ranking.ids.tolist()], dtype=bool)
    if scope.since is not None or scope.until is not None:
        places = asked.timeline.places(ranking.ids)
        kept &= (places >= 0) & (asked.timeline.outside(_period(scope), places) == 0)
    return ranking.only(kept)


def _latest(asked: Asked) -> Ranking:
    """Rank by time alone, the latest first."""
    from_ = max(0, asked.seen - asked.recipe.pool)
    ids = asked.timeline.ids[from_ : asked.seen]
    order = np.argsort(ids)
    places = np.arange(from_, asked.seen, dtype=np.float64)
    return Ranking.of([Column("recent", "the latest", ids[order], places[order] - from_)])


def _evidence(store: Store, asked: Asked, keys: Collection[str]) -> Ranking:
    """Rank what the answer key names, as far as it can be seen."""
    found = rows(
        store.base.db(),
        "SELECT id FROM items WHERE key IN (" + ",".join("?" * len(keys)) + ")",
        sorted(keys),
    )
    ids = np.array(sorted(row[0] for row in found), dtype=np.int64)
    places = asked.timeline.places(ids)
    ids = ids[(places >= 0) & (places < asked.seen)]
    return Ranking.of([Column("evidence", "the answer key", ids, np.ones(len(ids)))])


def _hits(
    store: Store, ranking: Ranking, chosen: Sequence[int], covered: Mapping[int, float]
) -> Iterable[Hit]:
    items = store.by_id(chosen)
    spans = _spans(store.base.db(), {item: ranking.passage(item) for item in chosen})
    floor = float(ranking.totals.min()) if len(ranking.totals) else 0.0
    totals = dict(zip(ranking.ids.tolist(), ranking.totals.tolist(), strict=True))
    for number in chosen:
        stored = items.get(number)
        if stored is None or number not in spans:
            continue  # removed between ranking and reading, or nothing in it to show
        start, end, own = spans[number]
        whole = stored.item.text if own else stored.item.context
        found = ranking.found(number)
        yield Hit(
            item_id=number,
            item=stored.item,
            passage=whole[start:end],
            start=start,
            own=own,
            score=totals[number] - floor,
            cosine=ranking.cosine(number),
            coverage=covered[number],
            found_by=finders(found),
            found=found,
        )


def _spans(db: Database, passages: Mapping[int, int | None]) -> dict[int, tuple[int, int, bool]]:
    """Return where each item's best passage stands; its first one where no ranker saw any."""
    best = ",".join(str(passage) for passage in passages.values() if passage is not None)
    rest = ",".join(str(item) for item, passage in passages.items() if passage is None)
    found: list[tuple[Any, ...]] = rows(
        db,
        f'SELECT item_id, start, "end", own FROM passages WHERE id IN ({best}) UNION ALL '
        f'SELECT item_id, start, "end", own FROM passages WHERE number = 0 AND item_id IN ({rest})',
    )
    return {row[0]: (row[1], row[2], bool(row[3])) for row in found}
