"""Answer one question: sources first, then a draft checked as it comes, else one's own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from clone_app.entries import (
    Answer,
    Checked,
    Drafted,
    Hit,
    Mode,
    Recalled,
    Sentence,
    Source,
    SourcesFound,
)
from clone_app.errors import ModelError
from clone_app.memory.words import CJK, stem, stems
from clone_app.persona import ground
from clone_app.persona.draft import Draft
from clone_app.persona.ground import Evidence
from clone_app.persona.prompts import BUDGET, Budget, Dialogue, compose
from clone_app.persona.quote import quote_answer, source_quote
from clone_app.persona.slices import Asked, around
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Sampling
from clone_app.settings import AnswerStyle

NEVER: Final = "I never wrote about that."
NO_MODEL: Final = "There is no language model to write with. Choose one in Preferences."
SAMPLING: Final = Sampling()
_CJK: Final = re.compile(f"[{CJK}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Say when what was found is enough to answer from, and when a draft may be the answer.

    `unknown_cosine`: the question's heaviest word is nowhere in memory, so the meaning alone must
    be this near. `coverage`: the share of the question's weight that one item must hold for its
    words to be enough; below it `alone_cosine` must be reached. `supported`: the share of a draft's
    claims that must be supported; `bearing`: how much of the weight that the best quotation bears
    the supported ones must bear together; `fresh`: how many words of content they must add to the
    question's own.
    """

    unknown_cosine: float = 0.5
    coverage: float = 0.5
    alone_cosine: float = 0.4
    supported: float = 0.65
    bearing: float = 0.6
    fresh: int = 2


THRESHOLDS: Final = Thresholds()


@dataclass(frozen=True, slots=True)
class Enough:
    """Say whether what was found is enough to answer from, and why."""

    yes: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Finished:
    """Arrive last: the answer, the conversation as the model holds it, what went wrong if so."""

    answer: Answer
    dialogue: Dialogue
    note: str = ""


CloneEvent: TypeAlias = SourcesFound | Drafted | Checked | Finished


def answer(
    question: str,
    recalled: Recalled,
    *,
    dialogue: Dialogue,
    chat: ChatModel | None,
    style: AnswerStyle,
    name: str,
    asked_at: datetime,
    clock: Callable[[], float],
    fence: str,
    progress: Progress,
    sampling: Sampling = SAMPLING,
    thresholds: Thresholds = THRESHOLDS,
    budget: Budget = BUDGET,
) -> Iterator[CloneEvent]:
    """Yield the sources, the draft as it comes, each sentence when checked, and last the answer.

    Never worse than a good search result: where the model fails or its words aren't carried by the
    items, the answer is quotations. Raises `Cancelled` when asked to stop; a `ModelError` is told
    in `Finished.note` instead. `clock` counts seconds; `fence` is a random word made for this
    request.
    """
    begun = clock()
    sources = tuple(source(hit, recalled) for hit in recalled.hits)
    yield SourcesFound(sources)
    progress.check()

    def finished(
        said: Sequence[Sentence], mode: Mode, after: Dialogue, *, model: str = "", note: str = ""
    ) -> Finished:
        between = "\n" if mode is Mode.QUOTE else " "
        text = between.join(sentence.text for sentence in said)
        whole = Answer(
            question=question,
            text=text,
            sentences=tuple(said),
            sources=sources,
            mode=mode,
            model=model,
            seconds=clock() - begun,
        )
        return Finished(whole, after, note)

    quotes = quote_answer(recalled.terms, recalled.hits)
    if not quotes or not enough(recalled, thresholds).yes:
        yield finished((Sentence(NEVER, False, ()),), Mode.NONE, dialogue)
        return
    if style is AnswerStyle.QUOTES or chat is None:
        note = NO_MODEL if style is not AnswerStyle.QUOTES else ""
        yield finished(quotes, Mode.QUOTE, dialogue, note=note)
        return

    drafted: list[Sentence] = []
    try:
        chat.load(progress)  # counting below would load it too, but deaf to Stop
        sent = compose(
            dialogue,
            question,
            recalled.hits,
            recalled.terms,
            name=name,
            asked_at=asked_at,
            fence=fence,
            count=chat.count,
            budget=budget,
            room=chat.context - sampling.max_tokens,
        )
        yield from _draft(chat, sent, sampling, progress, recalled.hits, drafted)
    except ModelError as fault:
        note = f"{fault} Until then I answer in my own words."
        yield finished(quotes, Mode.QUOTE, dialogue, model=chat.name, note=note)
        return
    if style is AnswerStyle.FREE and drafted:
        after = sent.answered(" ".join(sentence.text for sentence in drafted))
        yield finished(drafted, Mode.FREE, after, model=chat.name)
    elif stands(drafted, quotes, recalled, thresholds):
        # What the model invented is shown as such, but must not be read by it as said before.
        after = sent.answered(" ".join(each.text for each in drafted if each.supported))
        yield finished(drafted, Mode.GROUNDED, after, model=chat.name)
    else:
        after = sent.answered("\n".join(quote.text for quote in quotes))
        yield finished(quotes, Mode.QUOTE, after, model=chat.name)


def _draft(
    chat: ChatModel,
    sent: Dialogue,
    sampling: Sampling,
    progress: Progress,
    hits: Sequence[Hit],
    drafted: list[Sentence],
) -> Iterator[Drafted | Checked]:
    """Let the model write; yield its pieces and each sentence when checked, kept in `drafted`."""
    evidence = [evidence_of(hit) for hit in hits]
    draft = Draft()

    def checked(complete: Iterator[str]) -> Iterator[Checked]:
        for text in complete:
            drafted.append(ground.check(text, evidence))
            yield Checked(drafted[-1])

    stream = chat.stream(sent.messages, sampling, progress)
    try:
        for piece in stream:
            progress.check()
            yield Drafted(piece)
            yield from checked(draft.add(piece))
            if draft.full:
                break
    finally:
        if isinstance(stream, Generator):
            stream.close()  # the model stops writing now, not when this is collected
    yield from checked(draft.finish())


def enough(recalled: Recalled, thresholds: Thresholds = THRESHOLDS) -> Enough:
    """Tell whether what was found is enough to answer from.

    A question's heaviest word that memory holds under no spelling (his "smartphone") outweighs all
    its other words. A question that names nothing but a time ("What happened on 2 September?") is
    answered by what was written then. Pairs of CJK characters don't count there: many are no word at all.
    """
    if not recalled.hits:
        return Enough(False, "nothing was found")
    cosine = max((hit.cosine for hit in recalled.hits if hit.cosine is not None), default=-1.0)
    coverage = max(hit.coverage for hit in recalled.hits)
    if not recalled.terms and any("when" in hit.found_by for hit in recalled.hits):
        return Enough(True, "it was written in the time that was asked for")
    words = [term for term in recalled.terms if not _CJK.match(term.word)]
    heaviest = max(words, key=lambda term: term.weight, default=None)
    if heaviest is not None and not heaviest.spelled:
        near = cosine >= thresholds.unknown_cosine
        return Enough(near, "the meaning is near" if near else "its heaviest word is nowhere")
    if coverage >= thresholds.coverage:
        return Enough(True, "an item holds the words")
    near = cosine >= thresholds.alone_cosine
    return Enough(near, "the meaning is near" if near else "too few of its words stand together")


def stands(
    drafted: Sequence[Sentence],
    quotes: Sequence[Sentence],
    recalled: Recalled,
    thresholds: Thresholds = THRESHOLDS,
) -> bool:
    """Tell whether a draft may be the answer: enough of it supported, and the question met by it.

    A true sentence beside the point is worse than the quotation that bears the question; one that
    only repeats the question's words ("I did not see the king") says nothing and risks its sense.
    """
    claims = [sentence for sentence in drafted if ground.is_claim(sentence.text)]
    supported = [sentence.text for sentence in claims if sentence.supported]
    if not supported or len(supported) < thresholds.supported * len(claims):
        return False
    told = " ".join(supported)
    asked = Asked.of(recalled.terms)
    best = max((asked.share(quote.text) for quote in quotes), default=0.0)
    echoed = {stem(word) for term in recalled.terms for word in (term.word, *term.spelled)}
    fresh = stems(told) - echoed
    return asked.share(told) >= thresholds.bearing * best and len(fresh) >= thresholds.fresh


def source(hit: Hit, recalled: Recalled) -> Source:
    """Return what the sources panel shows of a hit."""
    return Source(
        item_id=hit.item_id,
        key=hit.item.key,
        moment=hit.item.moment,
        medium=hit.item.medium,
        quote=source_quote(hit, recalled.terms),
        title=hit.item.title,
        author=hit.item.author,
        mine=hit.item.mine,
    )


def evidence_of(hit: Hit) -> Evidence:
    """Return what a sentence may rest on of a hit: its own words, never those it quotes."""
    item = hit.item
    text, _ = around(hit)
    return Evidence(key=item.key, text=text, moment=item.moment, mine=item.mine, author=item.author)
