"""How far the clone's answers can be trusted: citations, support, abstention, contradiction.

    python3 packaging/bench/answers.py DATA [--keep FOLDER] [--model GGUF ...] [--only NAME]
                                            [--quotes] [--draft] [--seed N] [--every N] [--pepys] [--times]
                                            [--calibrate] [--print]

Asks the sample life's own questions and, below DATA, `clonemem/*/*.json` as the benchmark publishes
them. Everything as the program does it: recall, draft, grounding. A citation is right where it is among
the question's evidence. Whether a model's sentence shown as supported is so was read by a person (or a
session that read both texts), its verdict kept in answers_verdicts.json under a hash of question,
sentence and cited texts: no text of a benchmark is in there. What nobody has read is counted and written
to `unread.txt` in the kept folder. An answer contradicts the gold where a sentence shown as supported
shares most of a gold statement's words and differs in its denial or its figures.

`--calibrate` prints the abstention curve over what thresholds were calibrated on: answers_calibration.json,
questions put to the Pepys diary for this alone, and every second question of the sample life's benchmark;
the other half is what is reported ("held out"). A model that fails its reading test answers by quotation,
as in the program, but drafts with `--draft`; with another `--seed` it drafts other sentences, which the
checker has not seen. `--every` asks each Nth question. `--keep` keeps bases, replies and answers for the
next run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from typing import Any

from answers_lives import (
    HERE,
    NOW,
    Case,
    Life,
    Recorded,
    clonemem_life,
    folder_life,
    pepys_cases,
    plain_cases,
)

from clone_app.entries import Answer, Checked, Cutoff, Drafted, Mode, Recalled, Sentence
from clone_app.memory.recall import recall
from clone_app.memory.words import negated, stems
from clone_app.models.llama import LlamaChat
from clone_app.models.shelf import Models
from clone_app.paths import resources
from clone_app.persona.ability import measure
from clone_app.persona.change.chain import looked_further
from clone_app.persona.clone import SAMPLING, Finished, answer
from clone_app.persona.enough import Thresholds, enough
from clone_app.persona.facts import numbers
from clone_app.persona.ground import is_claim
from clone_app.persona.prompts import Dialogue
from clone_app.persona.question.follow import resolved
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Embedder, Sampling
from clone_app.settings import AnswerStyle

SOURCES = 8
# The sample's short list of questions takes no part in calibrating, every second of the long one does.
_CALIBRATED_FROM = 40
# Hashes of (question, sentence, cited texts) that were read: true where the texts carry it.
VERDICTS = HERE / "answers_verdicts.json"
CALIBRATION = HERE / "answers_calibration.json"
# Of whole answers to the Pepys questions: true where they claim nothing that the diary does not hold.
PEPYS = HERE / "answers_pepys.json"


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold a question with its answer, what a model drafted for it, and the texts that are cited."""

    case: Case
    answer: Answer
    drafted: tuple[Sentence, ...]
    texts: dict[str, str]


def ask(
    life: Life,
    case: Case,
    chat: ChatModel | None,
    embedder: Embedder,
    sampling: Sampling = SAMPLING,
) -> Asked:
    """Answer one question as the program does, with what was there when it is asked."""
    found = recalled(life, case, embedder)
    last: Any = None
    drafted: list[Sentence] = []
    for event in answer(
        case.text,
        found,
        dialogue=Dialogue(),
        chat=chat,
        style=AnswerStyle.CHECKED,
        name=life.person,
        asked_at=case.asked_at,
        clock=time.perf_counter,
        fence=hashlib.sha256(case.text.encode()).hexdigest()[:8],
        progress=Progress(),
        embedder=embedder,
        sampling=sampling,
    ):
        last = event
        if isinstance(event, Checked):
            drafted.append(event.sentence)
    assert isinstance(last, Finished)
    texts = {hit.item.key: hit.item.text for hit in found.hits}
    return Asked(case, last.answer, tuple(drafted), texts)


def recalled(life: Life, case: Case, embedder: Embedder) -> Recalled:
    """Return what recall finds for a question."""

    def look(words: str) -> Recalled:
        return recall(
            life.store,
            words,
            Cutoff(case.asked_at.replace(tzinfo=UTC)),
            index=life.index,
            embedder=embedder,
            home=UTC,
            k=SOURCES,
        )

    return looked_further(case.text, look(case.text), look)


def cited(asked: Asked) -> bool:
    """Tell whether an answer, not the nearest beside a silence, cites evidence of the question."""
    return not asked.answer.abstained and shown(asked)


def shown(asked: Asked) -> bool:
    """Tell whether evidence of the question is cited, be it beside a silence."""
    days = {each.key: (each.moment.iso() or "")[:10] for each in asked.answer.sources}
    keys = {key for each in asked.answer.sentences if each.supported for key in each.citations}
    return any(key in asked.case.keys or days[key] in asked.case.days for key in keys)


def hashed(asked: Asked, sentence: Sentence) -> str:
    """Return what a verdict on one sentence is kept under: do the cited texts, or any, carry it?"""
    parts = [asked.case.text, sentence.text, *(asked.texts[key] for key in sentence.citations)]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def whole_hash(asked: Asked) -> str:
    """Return what a verdict on a whole answer is kept under: does it claim what isn't there?"""
    parts = [asked.case.text, *(each.text for each in asked.answer.sentences)]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def claims(asked: Asked) -> list[Sentence]:
    """Return the sentences shown as supported that are a model's, or ours about several items.

    A quotation stands verbatim in its item: a test sees to that, nobody needs to read it.
    """
    return [each for each in asked.answer.sentences if each.supported and "“" not in each.text]


def refused(asked: Asked) -> list[Sentence]:
    """Return of the drafted claims that were not passed every fourth, drawn by its hash."""
    found = [each for each in asked.drafted if not each.supported and is_claim(each.text)]
    return [each for each in found if hashed(asked, each)[0] in "0123"]


def contradicts(asked: Asked) -> bool:
    """Tell whether a supported sentence denies a gold statement, or has other figures than it."""
    for text in (each.text for each in claims(asked)):
        said = stems(text)
        for gold in (*asked.case.statements, asked.case.gold):
            told = stems(gold)
            if len(said & told) < max(3, 0.6 * min(len(said), len(told))):
                continue
            figures = numbers(text), numbers(gold)
            if negated(text) != negated(gold) or (
                all(figures) and figures[0].isdisjoint(figures[1])
            ):
                return True
    return False


def report(name: str, answers: Sequence[Asked], verdicts: dict[str, bool]) -> list[str]:
    """Print one life's figures; return the sentences nobody has read, with their texts."""
    yes = [each for each in answers if each.case.answerable]
    no = [each for each in answers if not each.case.answerable]
    silent = [each for each in answers if each.answer.abstained]
    right_silence = [each for each in silent if not each.case.answerable]
    standing = sum(sentence.supported for each in answers for sentence in each.answer.sentences)
    read = [(each, sentence) for each in answers for sentence in claims(each)]
    passed = [
        (each, sentence) for each in answers for sentence in each.drafted if sentence.supported
    ]
    failed = [(each, sentence) for each in answers for sentence in refused(each)]
    known, passing, alarms = (
        [verdicts[hashed(*pair)] for pair in pairs if hashed(*pair) in verdicts]
        for pairs in (read, passed, failed)
    )
    modes = {mode: sum(each.answer.mode is mode for each in answers) for mode in Mode}
    print(
        f"\n{name}: {len(yes)} answerable, {len(no)} unanswerable; "
        + ", ".join(f"{count} {mode}" for mode, count in modes.items() if count)
    )
    _share("right citation, of the answerable", sum(map(cited, yes)), len(yes))
    _share("answered, of the answerable", sum(not e.answer.abstained for e in yes), len(yes))
    _share(
        "evidence shown, beside a silence too, of the answerable", sum(map(shown, yes)), len(yes)
    )
    _share("abstained, of the unanswerable (recall)", len(right_silence), len(no))
    _share("abstained rightly, of the abstentions (precision)", len(right_silence), len(silent))
    wrong = known.count(False)
    _share("a model's sentence wrongly shown as supported, of those read", wrong, len(known))
    _share("the same, of all sentences shown as supported", wrong, standing)
    _share(
        "wrongly passed in drafts, shown or not, of those read", passing.count(False), len(passing)
    )
    _share("false alarms, of a quarter of what was not passed", sum(alarms), len(alarms))
    _share("contradicts gold, of the answered", sum(map(contradicts, yes)), len(yes))
    seconds = sorted(each.answer.seconds for each in answers)
    print(f"  {'seconds, median (replies may be remembered)':58} {statistics.median(seconds):6.2f}")
    unread = {
        hashed(*pair): _unread(*pair)
        for pair in (*read, *passed, *failed)
        if hashed(*pair) not in verdicts
    }
    if unread:
        print(
            f"  {len(unread)} sentences are unread, {len(read) - len(known)} of them shown: see unread.txt"
        )
    return list(unread.values())


def halves(name: str, answers: Sequence[Asked]) -> Iterator[tuple[str, Sequence[Asked]]]:
    """Yield the answers to report: of the sample's benchmark apart what thresholds were calibrated on."""
    if name.startswith("sample") and len(answers) > _CALIBRATED_FROM and "fresh" not in name:
        yield name, answers
        yield f"{name}, held out", answers[1::2]
        yield f"{name}, calibrated on", answers[::2]
    else:
        yield name, answers


def _share(what: str, part: int, whole: int) -> None:
    print(f"  {what:58} {part / whole if whole else float('nan'):6.2f}   ({part} of {whole})")


def _unread(asked: Asked, sentence: Sentence) -> str:
    """Return a sentence with the texts it cites, or with all where it was not passed."""
    keys = sentence.citations or asked.texts
    texts = "\n".join(f"    [{key}] {asked.texts[key]}" for key in keys)
    mark = "+" if sentence.supported else "-"
    return (
        f"{hashed(asked, sentence)} {mark}\n  Q {asked.case.text}\n  S {sentence.text}\n{texts}\n"
    )


def calibrate(life: Life, embedder: Embedder) -> None:
    """Print the abstention curve over questions that are put for nothing else."""
    print(f"\n{life.name}: strength, + for answerable")
    found = []
    for case in life.cases:
        verdict = enough(case.text, recalled(life, case, embedder), case.asked_at)
        found.append((verdict.strength, case.answerable))
        print(
            f"  {'+' if case.answerable else '-'} {verdict.strength:5.2f}  {case.text}   ({verdict.reason})"
        )
    print("\n  threshold   answered of the answerable   silent of the rest   right of the silences")
    for step in range(50, 140, 5):
        yes = [reached >= step / 100 for reached, answerable in found if answerable]
        no = [reached < step / 100 for reached, answerable in found if not answerable]
        silences = sum(no) + len(yes) - sum(yes)
        right = sum(no) / silences if silences else float("nan")
        print(
            f"  {step / 100:9.2f} {sum(yes) / len(yes):20.2f} {sum(no) / len(no):24.2f} {right:19.2f}"
        )


TALKS = (
    ("Who is Hazel?", "What does she do at work?"),
    ("Where was Appendix found?", "And who found him?"),
    ("What do you think of decaf?", "Why did you change your mind?"),
    ("How do you feel about living in Wrackham?", "What do you like best there?"),
    ("Why did you leave Corrabell?", "Do you miss it?"),
    ("What did the doctor say about your heart?", "Were you afraid?"),
)
# Whatever there is gets drafted from: what is measured is time.
_ANY = Thresholds(enough=0.0, least=0.0, fact=0.0, story=0.0)


def times(life: Life, chat: LlamaChat, embedder: Embedder) -> None:
    """Print the time from the sources to the first word, second turn against first, and whole answers.

    In seconds on the clock and in seconds of the model's process, which other work on the machine
    doesn't touch. A first turn finds an empty cache, as the first question of a day does.
    """
    waits: dict[str, list[list[float]]] = {"on the clock": [], "of processor": []}
    wholes: list[float] = []
    chat.load(Progress())
    for number, talk in enumerate(TALKS):
        dialogue = Dialogue()
        clock: list[float] = []
        worked: list[float] = []
        tokens: list[int] = []
        for turn, text in enumerate(talk):
            case = Case(text=text, asked_at=NOW, answerable=True)
            found = recalled(life, replace(case, text=resolved(text, talk[:turn])), embedder)
            begun, busy = time.perf_counter(), _processor(chat)
            for event in answer(
                text, found, dialogue=dialogue, chat=chat, style=AnswerStyle.FREE, name=life.person,
                asked_at=NOW, clock=time.perf_counter, fence=f"{number}f{turn}", progress=Progress(),
                embedder=embedder, sampling=Sampling(fresh=turn == 0), thresholds=_ANY,
            ):  # fmt: skip
                if isinstance(event, Drafted) and len(clock) == turn:
                    clock.append(time.perf_counter() - begun)
                    worked.append(_processor(chat) - busy)
                if isinstance(event, Finished):
                    dialogue = event.dialogue
                    if turn == 0 and len(clock) == 1:
                        wholes.append(event.answer.seconds)
            tokens.append(sum(chat.count(each.text) for each in dialogue.messages[-2:-1]))
        if len(clock) == len(talk):
            waits["on the clock"].append(clock)
            waits["of processor"].append(worked)
            print(
                f"  first word after {clock[0]:5.2f} s, then {clock[1]:5.2f} s; notes and question "
                f"{tokens[0]}, then {tokens[1]} tokens   {talk[0]}"
            )
    for kind, pairs in waits.items():
        ratio = statistics.median(second / first for first, second in pairs)
        print(f"  second turn to first, seconds {kind}: {ratio:.2f}")
    print(f"  whole first answer, median {statistics.median(wholes):.1f} s on the clock")


def _processor(chat: LlamaChat) -> float:
    """Return the processor time the model's process has taken, in seconds, as Linux counts it."""
    fields = Path(f"/proc/{chat.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def told(asked: Asked) -> str:
    """Return a question and its answer as a person reads them."""
    marks = {True: "+", False: "-"}
    lines = [f"Q {asked.case.text}   [{asked.answer.mode}]"]
    lines += [f"  {marks[each.supported]} {each.text}" for each in asked.answer.sentences]
    return "\n".join(lines)


def lives(data: Path | None, keep: Path, embedder: Embedder, only: str) -> Iterator[Life]:
    """Yield the sample lives, the grown benchmark of one if it is there, and the CloneMem files.

    The questions of answers_fresh_*.json were written by somebody who had not seen the rules: the rules
    have since seen `a`, `b` and what failed of `c`; `d`, and the Chinese `b` to `d`, only in figures.
    """
    sample = resources() / "sample_life"
    for questions in sorted(sample.glob("en/questions.json")):
        name = f"sample {questions.parent.name}"
        if only in name:
            cases = plain_cases(questions)
            yield folder_life(name, questions.parent, cases, keep, embedder)
    for questions in sorted(Path(__file__).parent.glob("answers_fresh_*.json")):
        name = "sample " + questions.stem.removeprefix("answers_").replace("_", " ")
        folder = sample / ("zh/exports" if "_zh_" in questions.name else "en")
        if only in name:
            yield folder_life(name, folder, plain_cases(questions), keep, embedder)
    paths = [*sorted((sample / "clonemem").glob("*.json"))]
    paths += sorted(data.glob("clonemem/*/*.json")) if data else []
    for path in paths:
        name = (
            f"sample {path.stem[:20]}"
            if path.is_relative_to(sample)
            else f"clonemem {path.stem[:20]}"
        )
        if only in name:
            yield clonemem_life(name, path, keep, embedder)


def main() -> None:
    """Print a table a model and life."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("data", type=Path, nargs="?")
    arguments.add_argument("--keep", type=Path)
    arguments.add_argument("--model", type=Path, action="append", default=[])
    arguments.add_argument("--only", default="")
    arguments.add_argument("--quotes", action="store_true")
    arguments.add_argument("--draft", action="store_true")
    arguments.add_argument("--every", type=int, default=1)
    arguments.add_argument("--seed", type=int, default=SAMPLING.seed)
    arguments.add_argument("--pepys", action="store_true")
    arguments.add_argument("--times", action="store_true")
    arguments.add_argument("--calibrate", action="store_true")
    arguments.add_argument("--print", action="store_true", dest="printed")
    chosen = arguments.parse_args()
    verdicts: dict[str, bool] = json.loads(VERDICTS.read_text("utf-8")) if VERDICTS.exists() else {}
    models = Models()
    with tempfile.TemporaryDirectory() as temporary:
        keep = chosen.keep or Path(temporary)
        if chosen.calibrate:
            cases = plain_cases(CALIBRATION)
            diary = chosen.data / "diary" / "pepys"
            calibrate(
                folder_life("pepys", diary, cases, keep, models.embedder()), models.embedder()
            )
            for life in lives(None, keep, models.embedder(), "sample"):
                if len(life.cases) > _CALIBRATED_FROM:
                    calibrate(replace(life, cases=life.cases[::2]), models.embedder())
            models.close()
            return
        chats: list[ChatModel | None] = [LlamaChat(path) for path in chosen.model]
        chats = [None] if chosen.quotes else chats or [models.chat()]
        for chat in chats:
            able = measure(chat, clock=time.perf_counter, progress=Progress()) if chat else None
            if able is not None and chat is not None:
                print(f"\n{chat.name} {able}")
                if able.style is AnswerStyle.QUOTES and not (chosen.draft or chosen.times):
                    chat = None
            writing = Recorded(chat, keep) if chat else None
            print(f"\n=== {writing.name if writing else 'quotations only'}")
            unread: list[str] = []
            if chosen.times and isinstance(chat, LlamaChat):
                for life in lives(None, keep, models.embedder(), chosen.only or "sample en"):
                    times(life, chat, models.embedder())
                continue
            if chosen.pepys:
                diary = chosen.data / "diary" / "pepys"
                pepys = folder_life("pepys", diary, pepys_cases(PEPYS), keep, models.embedder())
                answers = [ask(pepys, case, writing, models.embedder()) for case in pepys.cases]
                for each in answers:
                    read = verdicts.get(whole_hash(each), "unread")
                    print(f"{told(each)}\n  ({whole_hash(each)}: {read})")
                read = [verdicts[key] for key in map(whole_hash, answers) if key in verdicts]
                _share(
                    "answers that claim what the diary doesn't hold", read.count(False), len(read)
                )
                silent = sum(each.answer.abstained for each in answers)
                _share("silent (all of these are counted as no claim)", silent, len(answers))
                continue
            for life in lives(chosen.data, keep, models.embedder(), chosen.only):
                cases = life.cases[:: chosen.every]
                sampling = replace(SAMPLING, seed=chosen.seed)
                answers = [ask(life, case, writing, models.embedder(), sampling) for case in cases]
                if chosen.printed:
                    print("\n".join(map(told, answers)))
                named = halves(life.name, answers) if chosen.every == 1 else [(life.name, answers)]
                for name, part in named:
                    unread += report(name, part, verdicts)
                life.store.base.close()
            (keep / "unread.txt").write_text("\n".join(unread), "utf-8")
    models.close()


if __name__ == "__main__":
    main()
