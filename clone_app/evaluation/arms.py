"""What is compared: ways to choose what of a life a question is answered from.

A retrieval arm ranks traces and is measured by recall; the others say what a reader gets instead: the
bare options, everything. Adding one is a function and a line in `ARMS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from clone_app.evaluation.prepare import Prepared
from clone_app.evaluation.silence import Judged, judged
from clone_app.evaluation.suites import SuiteQuestion
from clone_app.memory.recall import recall
from clone_app.memory.recipes import RECIPES, Recipe
from clone_app.persona.document import as_text
from clone_app.persona.traits.build import build
from clone_app.progress import Progress

DEPTH = 20


@dataclass(frozen=True, slots=True)
class Given:
    """Hold what an arm offers for a question.

    `keys` are the traces found, best first; those a document rests on. `passages` are the stretches
    that matched, as (key, start, text), for arms that know them. `document` is a text to read in the
    traces' place. `whole` says that all traces must be read or none. `judged` is what the clone would
    make of it, where the program's own recall found it.
    """

    keys: tuple[str, ...] = ()
    passages: tuple[tuple[str, int, str], ...] = ()
    document: str = ""
    whole: bool = False
    judged: Judged | None = None


Find: TypeAlias = Callable[[Prepared, SuiteQuestion, Progress], Given]


@dataclass(frozen=True, slots=True)
class Arm:
    """Name one way to choose; `about` says in a sentence what it does.

    `retrieves` tells whether it ranks traces, so that recall can be measured. `recipe` is what a run
    keeps to be repeatable. `supposes` says that a language model writes a line for each question first:
    such an arm is run only where it is chosen.
    """

    name: str
    about: str
    find: Find
    retrieves: bool = True
    recipe: Mapping[str, object] = field(default_factory=dict, hash=False)
    supposes: bool = False


def options_only(made: Prepared, question: SuiteQuestion, progress: Progress) -> Given:  # noqa: ARG001
    """Give nothing: what can be guessed from question and options alone."""
    return Given()


def recent(made: Prepared, question: SuiteQuestion, progress: Progress) -> Given:  # noqa: ARG001
    """Give the latest traces, whatever the question is."""
    return Given(tuple(item.key for item in made.visible(question)[::-1][:DEPTH]))


def flat(made: Prepared, question: SuiteQuestion, progress: Progress) -> Given:
    """Give the traces whose one vector is nearest to the question's: CloneMem's own retriever."""
    if not question.text.strip():
        return Given()
    probe = np.asarray(made.embedder.ask([question.text], progress=progress)[0], np.float32)
    near = made.whole.nearest(probe, made.cutoff(question), limit=DEPTH)
    return Given(tuple(made.keys[item] for item in near.items.tolist()))


def bm25(made: Prepared, question: SuiteQuestion, progress: Progress) -> Given:  # noqa: ARG001
    """Give the traces that share the rarest words with the question."""
    scores = made.okapi.scores(question.text)
    seen = {item.key for item in made.visible(question)}
    order = np.argsort(-scores, kind="stable")
    keys = list(made.items)
    found = (keys[place] for place in order if scores[place] > 0)
    return Given(tuple(key for key in found if key in seen)[:DEPTH])


def oracle(made: Prepared, question: SuiteQuestion, progress: Progress) -> Given:  # noqa: ARG001
    """Give the evidence itself: the most that any retriever could."""
    seen = [item.key for item in made.visible(question)]
    return Given(tuple(key for key in seen if key in question.gold)[:DEPTH])


def full_context(made: Prepared, question: SuiteQuestion, progress: Progress) -> Given:  # noqa: ARG001
    """Give everything that can be seen, oldest first, where the reader can hold it."""
    return Given(tuple(item.key for item in made.visible(question)), whole=True)


def persona_document(made: Prepared, question: SuiteQuestion, progress: Progress) -> Given:
    """Give the persona document as it would have been then, and none of the traces it was made from."""
    seen = made.visible(question)
    if len(seen) not in made.documents:  # time only adds, so their number says which they are
        built = build(seen, progress=None)
        progress.check()
        keys = dict.fromkeys(each.key for line in built.lines for each in line.supports)
        made.documents[len(seen)] = (as_text(built), tuple(keys))
    text, keys_of_lines = made.documents[len(seen)]
    return Given(keys_of_lines, document=text)


def aspects(made: Prepared, question: SuiteQuestion, progress: Progress) -> Given:
    """Give what H2Memory's four stores hold for the question, and none of the traces themselves."""
    found = made.aspects.recollect(question.text, made.visible(question), progress)
    return Given(found.keys, document=found.text)


def supposed(made: Prepared, question: SuiteQuestion, progress: Progress) -> tuple[str, ...]:
    """Return the line as the diary might say it, none where nobody writes any."""
    line = made.supposes(question.text, progress) if made.supposes else ""
    return (line,) if line else ()


def by_recipe(recipe: Recipe) -> Find:
    """Return what asks the program's own recall."""

    def find(made: Prepared, question: SuiteQuestion, progress: Progress) -> Given:
        found = recall(
            made.store,
            question.text,
            made.cutoff(question),
            index=made.index,
            embedder=made.embedder,
            home=made.home,
            recipe=recipe,
            lines=supposed(made, question, progress) if recipe.supposed else (),
            k=DEPTH,
            progress=progress,
        )
        return Given(
            tuple(hit.item.key for hit in found.hits),
            tuple((hit.item.key, hit.start, hit.passage) for hit in found.hits if hit.own),
            judged=judged(question, found),
        )

    return find


_ABOUT = {
    "hybrid": "Words and meaning of passages, added",
    "situations": "The program's own: words, meaning, the time named, and what stands around hits",
    "thorough": "The same, the best looked at once more by a model that reads question and trace",
    "supposing": "The program's own, and a line as the diary might say it, by the language model",
}


def _recalling() -> list[Arm]:
    """Return the arms made of the program's recipes, as many as this version has."""
    held = {recipe.name: recipe for recipe in RECIPES}
    return [
        Arm(
            name,
            about,
            by_recipe(held[name]),
            recipe=_settings(held[name]),
            supposes=held[name].supposed > 0,
        )
        for name, about in _ABOUT.items()
        if name in held
    ]


def _settings(recipe: Recipe) -> dict[str, object]:
    return {name: getattr(recipe, name) for name in recipe.__dataclass_fields__}


OPTIONS_ONLY = Arm("options only", "No memory: question and options alone", options_only, False)
ARMS = (
    OPTIONS_ONLY,
    Arm("recent", "The latest traces, whatever was asked", recent),
    Arm("flat", "The paper's: whole traces by meaning, one vector each", flat),
    Arm("bm25", "The textbook's: whole traces by their words", bm25),
    *_recalling(),
    Arm("persona document only", "What is known of the person, no traces", persona_document, False),
    Arm("aspects", "Situations, backgrounds, likes and principles, no traces", aspects, False),
    Arm("full context", "All traces, where the reader can hold them", full_context, False),
    Arm("oracle", "The evidence itself: the most any memory could find", oracle),
)
RETRIEVING = tuple(arm.name for arm in ARMS if arm.retrieves and not arm.supposes)


def arms_named(names: Sequence[str]) -> tuple[Arm, ...]:
    """Return arms by name, in the order of `ARMS`; raise KeyError with the first unknown name."""
    known = {arm.name: arm for arm in ARMS}
    chosen = {known[name].name for name in names}
    return tuple(arm for arm in ARMS if arm.name in chosen)
