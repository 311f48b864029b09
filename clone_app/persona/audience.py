"""Who may hear what: entries an audience must not learn of are taken out before anything is written.

Applied to what recall found, before the prompt and before any quotation, so that the model can't let
slip what it never read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from clone_app.entries import Hit, Recalled
from clone_app.memory.words import content_words, stem
from clone_app.persona.document import Audience, Marks
from clone_app.persona.sensitive import matter

# What was written for everybody; the rest was written for somebody, or for nobody.
PUBLIC_MEDIA: Final = frozenset({"post", "blog", "article"})
# Where much is kept back, so many times the wanted hits are looked through.
SPARE: Final = 4


def heard(recalled: Recalled, audience: Audience, marks: Marks, k: int) -> Recalled:
    """Return the first `k` hits that an audience may hear of.

    The user alone hears all. A friend hears no entry of a private medium, none that a private person
    wrote, got or is named in, none on a private topic, none on a sensitive matter. The public
    hears, of the rest, what was posted.
    """
    if audience is Audience.PRIVATE:
        return recalled
    hits = tuple(hit for hit in recalled.hits if may_hear(hit, audience, marks))
    return replace(recalled, hits=hits[:k])


def may_hear(hit: Hit, audience: Audience, marks: Marks) -> bool:
    """Tell whether an audience may hear of an entry; the whole of it counts, not the passage alone."""
    item = hit.item
    if audience is Audience.PRIVATE:
        return True
    if audience is Audience.PUBLIC and (item.medium not in PUBLIC_MEDIA or not item.mine):
        return False
    if item.medium in marks.media:
        return False
    told = "\n".join((item.title, item.text, item.context))
    if matter(told) is not None:
        return False
    met = "\n".join((item.author, *item.recipients, told))
    stems = {stem(word) for word in content_words(met)}
    return not any(_speaks_of(met, stems, name) for name in _names(marks))


def _names(marks: Marks) -> Iterator[str]:
    yield from marks.people
    yield from marks.topics


def _speaks_of(text: str, stems: set[str], name: str) -> bool:
    wanted = {stem(word) for word in content_words(name)}
    if not wanted:
        return bool(name.strip()) and name.strip().casefold() in text.casefold()
    return wanted <= stems
