"""What a reader is told: traces cut to its budget, oldest first, then the question and the task.

The same beginning for the free answer and for the choice, so that a model with a cache reads the
traces once. Written after CloneMem's two calls (arXiv 2601.07023, appendix).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clone_app.entries import Item, content_hash
from clone_app.evaluation.arms import Given
from clone_app.evaluation.suites import SuiteQuestion
from clone_app.protocols import Message

FREE_TOKENS = 160
CHOICE_TOKENS = 12
# What a chat template adds around a message, counted generously.
AROUND = 40
# A trace cut to less says nothing.
LEAST = 32
CUT = " […]"

SYSTEM = (
    "You are {name}. A friend asks you about your own life. You answer from your notes, in the first "
    "person. What the notes don't say, you don't make up."
)
# Where the question is put to an assistant that knows the user, rather than to the clone.
ASSISTANT = (
    "You are the assistant of {name}. Below are notes about the user and what was said before. You "
    "answer so that it suits this user, and use only what the notes say of them."
)
FREE_TASK = "Answer your friend in two or three sentences. If the notes don't tell, say so."
CHOICE_TASK = (
    "Which of these is your answer?\n{options}\n"
    "Reply with the letter of the right option and nothing else."
)
SEVERAL_TASK = (
    "Which {choose} of these suit the user best?\n{options}\n"
    "Reply with their {choose} letters, as in “A, B”, and nothing else."
)


@dataclass(frozen=True, slots=True)
class Notes:
    """Hold the traces a reader gets. `cut` are those of `read` it gets a part of."""

    text: str
    read: tuple[str, ...]
    cut: tuple[str, ...]
    fits: bool = True


def prompt_hash() -> str:
    """Return what changes when a word of the prompts does."""
    return content_hash(SYSTEM, FREE_TASK, CHOICE_TASK, ASSISTANT, SEVERAL_TASK)


def messages(name: str, notes: Notes, question: SuiteQuestion, task: str) -> tuple[Message, ...]:
    """Return the prompt of one call."""
    person = name.partition(" (")[0]
    fence = content_hash(question.id, question.text)[:8]
    told = f"Notes {fence}:\n\n{notes.text}\n\nEnd of notes {fence}.\n\n" if notes.text else ""
    asks = "The user says" if question.assistant else "Your friend asks"
    today = f"Today is {question.asked_at:%Y-%m-%d}. {asks}: {question.text}"
    if question.assistant:
        task = task.replace("Answer your friend", "Answer the user")
    return (
        Message("system", (ASSISTANT if question.assistant else SYSTEM).format(name=person)),
        Message("user", f"{told}{today}\n\n{task}"),
    )


def choice_task(question: SuiteQuestion) -> str:
    """Return the task of choosing among a question's options."""
    form = CHOICE_TASK if question.choose == 1 else SEVERAL_TASK
    return form.format(
        options="\n".join(f"{each}. {text}" for each, text in question.choices),
        choose=question.choose,
    )


def fit(
    given: Given,
    items: Mapping[str, Item],
    *,
    k: int,
    tokens: int,
    count: Callable[[str], int],
) -> Notes:
    """Return the first `k` traces within so many tokens, oldest first.

    Short ones stay whole and the room they leave goes to the long ones, which are cut to equal parts,
    around the passage that matched where the arm knows it. If the parts would say nothing, the last
    ones are left out. An arm that gives everything gives it whole or not at all.
    """
    if given.document:
        kept = _shortened(given.document, 0, tokens, count)
        return Notes(kept, given.keys, ("document",) if kept != given.document else ())
    keys = list(given.keys if given.whole else given.keys[:k])
    starts = {key: start for key, start, _ in reversed(given.passages)}
    heads = {key: _head(items[key]) for key in keys}
    sizes = {key: count(f"{heads[key]}\n{items[key].text}\n\n") for key in keys}
    if given.whole and sum(sizes.values()) > tokens:
        return Notes("", (), (), fits=False)
    keys = keys[: max(1, tokens // LEAST)]
    share = _share([sizes[key] for key in keys], tokens)
    cut = tuple(key for key in keys if sizes[key] > share)
    parts = []
    chosen = set(keys)
    for key in (each for each in items if each in chosen):  # which are in the order of time
        text = items[key].text
        if key in cut:
            room = share - count(heads[key]) - 4
            text = _shortened(text, starts.get(key, 0), room, count)
        parts.append(f"{heads[key]}\n{text}")
    return Notes("\n\n".join(parts), tuple(keys), cut)


def _head(item: Item) -> str:
    when = item.moment.local
    return f"[{when:%Y-%m-%d %H:%M}, {item.medium}]" if when else f"[undated, {item.medium}]"


def _share(sizes: Sequence[int], tokens: int) -> int:
    """Return the most tokens a trace may take so that all together fit."""
    left, share = tokens, 0
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return share
        left -= size
    return max([share, *sizes])


def _shortened(text: str, start: int, tokens: int, count: Callable[[str], int]) -> str:
    """Return a stretch of a text of at most so many tokens, from `start` on or as early as it fills."""
    size = count(text)
    if size <= tokens:
        return text
    letters = int(len(text) * max(0, tokens - 4) / size)
    while letters > 0:
        first = max(0, min(start, len(text) - letters))
        kept = text[first : first + letters].strip() + CUT
        if count(kept) <= tokens:
            return kept
        letters = letters * 9 // 10
    return CUT.strip()
