"""How surely a person's voice is told from the others', on text it was not learned from.

    python3 packaging/bench/voice.py DATA [--model GGUF ...] [--starter] [--keep FOLDER]

DATA holds `email/notmuch-corpora` (the mail of public lists) and `clonemem/*/*.json`. Each author with
ten chunks of about 150 words or more is the user once; a fifth of the chunks is held out at a time.
`mine` is the share of held-out chunks of the user's found nearer to the user than to the others,
`others` the share of the others' chunks found nearer to the others; 0.5 would be chance for their
mean. Names and numbers are masked. The sample life comes with the program.

With a model, its drafts to some questions of the sample life and of the CloneMem personas are held
against each other: written without the voice in the prompt, with its line of measures, and with the
exemplars too, all else alike. `nearness` is where a draft stands between the others' voice (-1) and the
user's (+1), by a voice learned from text without the exemplars' entries; `supported` the share of its
claims that the entries carry; `stands` how many drafts are the answer; `repeats` counts sentences that
say an exemplar again, and how many of those are shown as supported. `--keep` keeps bases and replies for
the next run.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from answers import lives, recalled
from answers_lives import Case, Life, Recorded

from clone_app.entries import Checked, Item, Mode
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.memory.store import ItemFilter
from clone_app.memory.words import stems
from clone_app.models.llama import LlamaChat
from clone_app.models.shelf import Models
from clone_app.paths import resources
from clone_app.persona.clone import Finished, answer
from clone_app.persona.ground import is_claim
from clone_app.persona.phrases import display_name
from clone_app.persona.prompts import SILENT, Dialogue, front
from clone_app.persona.style.manner import Sound, manners, sound
from clone_app.persona.style.nearness import (
    HeldOut,
    Voice,
    chunks,
    held_out,
    others_chunks,
    own_chunks,
)
from clone_app.persona.traits.remarks import BLANK, own_text
from clone_app.persona.voice import cards_of
from clone_app.progress import Progress
from clone_app.protocols import Embedder, Reading
from clone_app.settings import AnswerStyle

CHUNKS = 10
AUTHORS = 12
MOST = 60  # chunks of one author
QUESTIONS = 12  # of each life
LIVES = ("sample en", "clonemem")


def items(path: Path, me: Sequence[str] = ()) -> list[Item]:
    """Return what a source holds."""
    reading = Reading(frozenset(name.casefold() for name in me))
    with open_tree(path) as tree:
        found = read_all(recognise(tree), reading, Progress())
        return [thing for thing in found if isinstance(thing, Item)]


def authors(found: Sequence[Item]) -> dict[str, list[str]]:
    """Return the chunks of the authors who wrote most."""
    written: dict[str, list[str]] = {}
    for item in found:
        name = display_name(item.author).casefold()
        if name and item.text.strip():
            written.setdefault(name, []).append(own_text(item).replace(BLANK, ""))
    made = {name: chunks(texts)[:MOST] for name, texts in written.items()}
    ranked = sorted(made.items(), key=lambda each: -len(each[1]))[:AUTHORS]
    return {name: texts for name, texts in ranked if len(texts) >= CHUNKS}


def each_as_user(written: dict[str, list[str]]) -> Iterator[tuple[str, HeldOut]]:
    """Yield how each author is told from the others."""
    for name in written:
        found = held_out(written[name], {one: written[one] for one in written if one != name})
        if found is not None:
            yield name, found


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Hold what a model drafted to one question: its claims, how many are carried, whether it stands."""

    text: str
    claims: int
    supported: int
    stands: bool
    repeats: int
    repeats_supported: int


def draft(life: Life, case: Case, chat: Recorded, embedder: Embedder, voice: Sound) -> Written:
    """Let a model answer as the program does; what it wrote counts, whether it is shown or not."""
    said = []
    stands = False
    for event in answer(
        case.text, recalled(life, case, embedder), dialogue=Dialogue(), chat=chat,
        style=AnswerStyle.CHECKED, name=life.person, asked_at=case.asked_at, clock=time.perf_counter,
        fence=hashlib.sha256(case.text.encode()).hexdigest()[:8], progress=Progress(),
        embedder=embedder, voice=voice,
    ):  # fmt: skip
        if isinstance(event, Checked):
            said.append(event.sentence)
        elif isinstance(event, Finished):
            stands = event.answer.mode is Mode.GROUNDED
    shown = [stems(each) for each in voice.exemplars]
    again = [
        each
        for each in said
        if any(len(stems(each.text) & one) >= max(2, 0.6 * len(stems(each.text))) for one in shown)
    ]
    claims = [each for each in said if is_claim(each.text)]
    return Written(
        text=" ".join(each.text for each in said),
        claims=len(claims),
        supported=sum(each.supported for each in claims),
        stands=stands,
        repeats=len(again),
        repeats_supported=sum(each.supported for each in again),
    )


def with_and_without(
    life: Life, others: Mapping[str, Sequence[str]], chat: Recorded, embedder: Embedder
) -> None:
    """Print how a model's drafts for a life sound with its voice in the prompt and without.

    What is nearer by how much is the mean over the questions, with its standard error.
    """
    held = {each.id: each.item for each in life.store.items(ItemFilter())}
    me = life.store.identities()
    found = manners(
        cards_of(held.values(), me),
        held.values(),
        {item.key: number for number, item in held.items()},
        me=me,
    )
    voice = sound(found, held, me=me, may_use=lambda _: True)
    examples = {number for each in found for number, _ in each.exemplars}
    known = Voice.fit(
        own_chunks((item for number, item in held.items() if number not in examples), me), others
    )
    chat.load(Progress())
    arms = {"without": SILENT, "its line": Sound(voice.line), "and exemplars": voice}
    asked = [case for case in life.cases if case.answerable]
    asked = asked[:: max(1, len(asked) // QUESTIONS)][:QUESTIONS]
    rows = [[draft(life, case, chat, embedder, each) for each in arms.values()] for case in asked]
    rows = [row for row in rows if all(each.text for each in row)]
    print(f"\n{life.name}, {chat.name}: {len(rows)} of {len(asked)} questions drafted")
    bare = chat.count(front(life.person, "", SILENT, chat.count))
    near = [[known.nearness(each.text) for each in row] for row in rows]
    for at, (name, told) in enumerate(arms.items()):
        written = [row[at] for row in rows]
        claims = sum(each.claims for each in written)
        gains = [row[at] - row[0] for row in near]
        error = statistics.stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else float("nan")
        print(
            f"  {name:13} {chat.count(front(life.person, '', told, chat.count)) - bare:3} tokens"
            f"  nearness {statistics.mean(row[at] for row in near):5.2f}"
            f"  nearer by {statistics.mean(gains):5.2f} ± {error:.2f}"
            f"  supported {sum(each.supported for each in written) / max(1, claims):.2f} of {claims:2}"
            f"  stands {sum(each.stands for each in written):2}"
            f"  repeats {sum(each.repeats for each in written)}"
            f" ({sum(each.repeats_supported for each in written)} as supported)"
        )


def drafts(data: Path, keep: Path, chosen: Sequence[Path], *, starter: bool) -> None:
    """Print that for each model and each life whose author others can be held against."""
    models = Models()
    writing = [Recorded(LlamaChat(path), keep) for path in chosen]
    writing += [Recorded(models.chat(), keep)] if starter else []
    for chat in writing:
        asked = [each for only in LIVES for each in lives(data, keep, models.embedder(), only)]
        texts = {
            each.name: own_chunks(
                (one.item for one in each.store.items(ItemFilter())), each.store.identities()
            )
            for each in asked
        }
        for life in asked:
            others = others_chunks(each.item for each in life.store.items(ItemFilter()))
            if (
                not others
            ):  # a benchmark's persona writes alone: another one's text stands beside it
                others = {
                    name: text for name, text in texts.items()
                    if name != life.name and name.startswith("clonemem")
                }  # fmt: skip
            with_and_without(life, others, chat, models.embedder())
            life.store.base.close()
    models.close()


def main() -> None:
    """Print a line an archive."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", type=Path, action="append", default=[])
    parser.add_argument("--starter", action="store_true")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    data: Path = options.data
    if options.model or options.starter:
        with tempfile.TemporaryDirectory() as made:
            keep = options.keep or Path(made)
            drafts(data, keep, options.model, starter=options.starter)
        return
    life = resources() / "sample_life" / "en"
    me = [name for name in (life / "me.txt").read_text("utf-8").split("\n") if name]
    sample = items(life, me)
    named = frozenset(name.casefold() for name in me)
    whole = held_out(own_chunks(sample, named), others_chunks(sample))
    if whole is not None:
        show("sample life", [whole])
    mail = data / "email" / "notmuch-corpora"
    if mail.is_dir():
        found = list(each_as_user(authors(items(mail))))
        show("notmuch's list mail", [result for _, result in found])
    personas = {
        path.stem.split("_")[0]: own_chunks(items(path))[:MOST]
        for path in sorted((data / "clonemem").glob("*/*.json"))
    }
    if len(personas) > 1:
        show("CloneMem personas", [result for _, result in each_as_user(personas)])


def show(name: str, results: Sequence[HeldOut]) -> None:
    """Print the means over users."""
    number = max(1, len(results))
    mine = sum(each.mine for each in results) / number
    theirs = sum(each.theirs for each in results) / number
    lowest = min((each.balanced for each in results), default=0.0)
    print(
        f"{name:22} users {len(results):2}  mine {mine:.2f}  others {theirs:.2f}  "
        f"balanced {(mine + theirs) / 2:.2f}  lowest user {lowest:.2f}"
    )


if __name__ == "__main__":
    main()
