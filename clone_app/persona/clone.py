"""Answer one question: sources first, then a draft checked as it comes, else one's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from textwrap import shorten
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
from clone_app.memory.words import findable, stems
from clone_app.persona import ground
from clone_app.persona.bearing import meant
from clone_app.persona.change.chain import change, lasts, told
from clone_app.persona.change.sayings import Surety
from clone_app.persona.draft import streamed, without_yes
from clone_app.persona.enough import THRESHOLDS, Thresholds, enough
from clone_app.persona.ground import Evidence, Meaning
from clone_app.persona.likeness import on_one_scale
from clone_app.persona.parts import parts
from clone_app.persona.phrases import phrases_of
from clone_app.persona.prompts import BUDGET, SILENT, Budget, Dialogue, compose, harmless
from clone_app.persona.question.then import timeless, without_times
from clone_app.persona.question.wants import Kind, holds, wants
from clone_app.persona.quote import in_time, quotations, quote_answer, source_quote
from clone_app.persona.slices import Asked, around, without_quoted
from clone_app.persona.style.manner import Sound
from clone_app.persona.style.tongue import same_tongue
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Embedder, Sampling, Vectors
from clone_app.settings import AnswerStyle

NO_MODEL: Final = "There is no language model to write with. Choose one in Preferences."
TOO_SMALL: Final = (
    "The language model holds too few tokens to read notes. Raise Context in Preferences › Models, "
    "or choose another model."
)
NOT_CARRIED: Final = "your entries don't carry what the model drafted"
OTHER_TONGUE: Final = "the model answered in another language"
CHANGED: Final = "your entries say that this changed"
SAMPLING: Final = Sampling()
# How much of quotations the model is told that it answered: it has read them as notes already.
_RETOLD: Final = 200
# Below this many tokens for a prompt not even one note fits beside the instructions.
SMALLEST_ROOM: Final = 150
# What is shown as nearest must bear something of the question.
_NEAR_SHARE: Final = 0.2
_NEAR_COSINE: Final = 0.3
# What bears so much is written about it, and "never" would be untrue.
_ABOUT_IT: Final = 0.4
# In a small archive the answer is among so many nearest in 17 of 20 cases, though nothing tells which.
_NEAREST: Final = 3


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
    embedder: Embedder | None = None,
    digest: str = "",
    voice: Sound = SILENT,
    sampling: Sampling = SAMPLING,
    thresholds: Thresholds = THRESHOLDS,
    budget: Budget = BUDGET,
) -> Iterator[CloneEvent]:
    """Yield the sources, the draft as it comes, each sentence when checked, and last the answer.

    Never worse than a good search result: where the model fails, its words aren't carried by the items
    or are in another language than the question, the answer is quotations; where an entry says that
    what is asked about ended, it is both entries, then and now. Raises `Cancelled` when asked to stop;
    a `ModelError` is told in `Finished.note` instead. `clock` counts seconds; `fence` is a random word
    made for this request; an `embedder` lets meaning have a say in what carries a sentence; `digest` is
    the persona document in short, `voice` how the user sounds: neither carries a sentence.
    """
    begun = clock()
    recalled = on_one_scale(recalled)
    sources = tuple(source(hit, recalled) for hit in recalled.hits)
    yield SourcesFound(sources, recalled.times, recalled.people)
    progress.check()

    def finished(
        said: Sequence[Sentence],
        mode: Mode,
        after: Dialogue,
        *,
        model: str = "",
        note: str = "",
        reason: str = "",
    ) -> Finished:
        between = "\n" if mode in (Mode.QUOTE, Mode.NONE) else " "
        text = between.join(sentence.text for sentence in said)
        whole = Answer(
            question=question,
            text=text,
            sentences=tuple(said),
            sources=sources,
            mode=mode,
            model=model,
            seconds=clock() - begun,
            parts=parts(
                without_times(question, recalled.intervals), recalled.terms, recalled.hits, said
            ),
            reason=reason,
        )
        return Finished(whole, after, note)

    verdict = enough(question, recalled, asked_at, thresholds)
    hits = verdict.hits
    # All hits are from the time that is named: its own words choose nothing among them.
    quotes = quote_answer(timeless(question, recalled), hits, question=question)
    changed = change(question, recalled.terms, hits if verdict.yes else recalled.hits)
    if changed is not None and (verdict.yes or changed.surety is Surety.DENIED):
        quotes = told(question, changed)
    elif not quotes or not verdict.yes:
        yield finished(never(question, recalled), Mode.NONE, dialogue)
        return
    else:
        quotes = lasts(question, recalled.terms, hits, quotes)
    if style is AnswerStyle.QUOTES or chat is None or (changed and style is AnswerStyle.CHECKED):
        note = NO_MODEL if style is not AnswerStyle.QUOTES and chat is None else ""
        said = changed is not None and changed.surety is not Surety.SHOWN
        reason = CHANGED if said and style is not AnswerStyle.QUOTES else ""
        yield finished(quotes, Mode.QUOTE, dialogue, note=note, reason=reason)
        return

    drafted: list[Sentence] = []
    written: list[str] = []
    try:
        chat.load(progress)  # counting below would load it too, but deaf to Stop
        sampling = replace(sampling, max_tokens=min(sampling.max_tokens, chat.context // 3))
        room = chat.context - sampling.max_tokens
        if room < SMALLEST_ROOM:
            raise ModelError(TOO_SMALL)
        sent = compose(
            dialogue,
            question,
            hits,
            recalled.terms,
            name=name,
            asked_at=asked_at,
            fence=fence,
            count=chat.count,
            budget=budget,
            room=room,
            digest=digest,
            voice=voice,
        )
        meaning = None if embedder is None else partial(_vectors, embedder, progress)
        check = _free if style is AnswerStyle.FREE else _checked
        for event in streamed(
            chat,
            sent.messages,
            sampling,
            progress,
            partial(check, [evidence_of(hit) for hit in recalled.hits], meaning),
            as_written=style is AnswerStyle.FREE,
        ):
            if isinstance(event, Drafted):
                written.append(event.piece)
            else:
                drafted.append(event.sentence)
            yield event
    except ModelError as fault:
        note = f"{fault} Until then I answer in my own words."
        yield finished(quotes, Mode.QUOTE, dialogue, model=chat.name, note=note)
        return
    reason = NOT_CARRIED
    if not same_tongue(question, " ".join(each.text for each in drafted)):
        drafted, reason = [], OTHER_TONGUE
    if style is AnswerStyle.FREE and drafted:
        after = sent.answered(_as_written(written, drafted))
        yield finished(drafted, Mode.FREE, after, model=chat.name)
    elif stands(drafted, quotes, question, recalled, thresholds):
        # What the model invented is shown as such, but must not be read by it as said before.
        after = sent.answered(_as_written(written, [each for each in drafted if each.supported]))
        yield finished(drafted, Mode.GROUNDED, after, model=chat.name)
    else:
        after = sent.answered(_in_short(quotes))
        yield finished(quotes, Mode.QUOTE, after, model=chat.name, reason=reason)


def remembered(given: Answer) -> str:
    """Return an answer as the model is told it in a later turn, "" where it takes no part in those.

    What a model invented is left out, unless all its words were the answer; quotations are cut: as it was
    while the conversation went on.
    """
    if given.mode is Mode.NONE:
        return ""
    if given.mode is Mode.QUOTE:
        return _in_short(given.sentences)
    kept = [each for each in given.sentences if each.supported or given.mode is Mode.FREE]
    return harmless(" ".join(each.text for each in kept))


def _in_short(quotes: Sequence[Sentence]) -> str:
    told = harmless(" ".join(quote.text for quote in quotes))
    return shorten(told, _RETOLD, placeholder=" …")


def never(question: str, recalled: Recalled) -> tuple[Sentence, ...]:
    """Return that nothing was written, and the nearest that was, where anything is near at all.

    Where that nearest is about what is asked, though it doesn't answer it, only the answer is missing.
    Of what is near the best by recall are shown and the nearest in meaning, since words alone failed.
    """
    asked = Asked.of(meant(question, recalled.terms))
    phrases = phrases_of(question)
    hits = recalled.hits[: _NEAREST - 1]
    hits += tuple(sorted(recalled.hits[_NEAREST - 1 :], key=lambda hit: -(hit.cosine or 0.0))[:1])
    quoted = [
        each
        for hit in hits
        for each in quotations(recalled.terms, (hit,), question=question, limit=1)
    ]
    near = [
        (each.said, max(asked.share(each.piece.text), each.hit.cosine or 0.0))
        for each in sorted(quoted, key=lambda each: in_time(each.hit.item.moment))
        if asked.share(each.piece.text) >= _NEAR_SHARE or (each.hit.cosine or 0) >= _NEAR_COSINE
    ]
    if not near:
        return (Sentence(phrases.never, False, ()),)
    missing = max(bearing for _, bearing in near) >= _ABOUT_IT
    if not missing:  # of what it was never about, one is enough
        near = [max(near, key=lambda each: each[1])]
    (first, _), *others = near
    return (
        Sentence(phrases.unanswered if missing else phrases.never, False, ()),
        Sentence(phrases.near(first.text), True, first.citations),
        *(said for said, _ in others),
    )


def _vectors(embedder: Embedder, progress: Progress, texts: Sequence[str]) -> Vectors:
    return embedder.embed(texts, progress=progress)


def _free(evidence: Sequence[Evidence], meaning: Meaning | None, text: str) -> Sentence:
    """Return a sentence of a model, word for word, with what carries it."""
    return ground.check(text, evidence, meaning=meaning)


def _checked(evidence: Sequence[Evidence], meaning: Meaning | None, text: str) -> Sentence:
    """Return a sentence with what carries it, without a yes or no before it where the rest is carried.

    "Yes, I run alone now": what follows can be looked up, the word before it is a guess. What nothing
    carries stays as it was written: without its "No" it would say something else.
    """
    rest = without_yes(text)
    if rest and (alone := ground.check(rest, evidence, meaning=meaning)).supported:
        return alone
    return ground.check(text, evidence, meaning=meaning)


def _as_written(pieces: Sequence[str], kept: Sequence[Sentence]) -> str:
    """Return sentences as the model wrote them, where they are how it began; else joined.

    Its own tokens are in its cache: another space between two sentences, and all is read again.
    """
    written = "".join(pieces)
    at = 0
    for each in kept:
        found = written.find(each.text, at)
        if found < 0 or written[at:found].strip():
            return " ".join(each.text for each in kept)
        at = found + len(each.text)
    return written[:at].strip()


def stands(
    drafted: Sequence[Sentence],
    quotes: Sequence[Sentence],
    question: str,
    recalled: Recalled,
    thresholds: Thresholds = THRESHOLDS,
) -> bool:
    """Tell whether a draft may be the answer: enough of it supported, and the question met by it.

    A true sentence beside the point is worse than the quotation that bears the question; so is one
    without the amount or name that is asked for and quoted; one that only repeats the question's
    words ("I did not see the king") says nothing and risks its sense.
    """
    claims = [sentence for sentence in drafted if ground.is_claim(sentence.text)]
    supported = [sentence.text for sentence in claims if sentence.supported]
    if not supported or len(supported) < thresholds.supported * len(claims):
        return False
    said = " ".join(supported)
    quoted = " ".join(quote.text.partition("“")[2] for quote in quotes)
    for want in wants(question):
        if want.kind in (Kind.AMOUNT, Kind.MONEY, Kind.PERSON, Kind.PLACE):
            lacking = not holds(want.kind, said, asked=want.stems)
            if lacking and holds(want.kind, quoted, asked=want.stems):
                return False
    asked = Asked.of(recalled.terms)
    best = max((asked.share(quote.text) for quote in quotes), default=0.0)
    echoed = findable(
        " ".join(word for term in recalled.terms for word in (term.word, *term.spelled))
    )
    fresh = stems(said) - echoed
    return asked.share(said) >= thresholds.bearing * best and len(fresh) >= thresholds.fresh


def source(hit: Hit, recalled: Recalled) -> Source:
    """Return what the sources panel shows of a hit."""
    return Source.of(hit.item_id, hit.item, source_quote(hit, recalled.terms), hit.found_by)


def evidence_of(hit: Hit) -> Evidence:
    """Return what a sentence may rest on of a hit: its own words, never those it quotes."""
    item = hit.item
    text = without_quoted(around(hit)[0])
    return Evidence(key=item.key, text=text, moment=item.moment, mine=item.mine, author=item.author)
