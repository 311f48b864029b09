"""How much of the evidence recall finds, recipe beside recipe, on the public benchmarks.

    python3 packaging/bench/recall.py DATA [--keep FOLDER] [--only WORD] [--choose] [--brief]
                                           [--pepys FOLDER] [--supposing GGUF] [--every N]

DATA holds `clonemem/*/*.json` and `lifebench/<language>/<user>`, as the benchmarks publish them. All
recipes answer the same questions over the same vectors in one run; a question sees only what was there
when it was asked. `flat` is CloneMem's own retriever (cosine over whole traces cut at what the
embedder reads), `bm25` the textbook's, both over whole traces; `oracle` gives the evidence itself.
Then the default without each of its parts, recall's variants, and recall by question type.
Intervals: 95 %, paired bootstrap over questions against `flat`. `--keep` keeps the bases with their
vectors for the next run.

`--choose` tries settings around the default on each benchmark alone and reports the best one on the
other, both ways; the shipped default is the one whose worst ratio to the better of `flat` and `bm25`,
over all lives, is highest. It answers some 700 questions per setting: give it half an hour.

`--pepys` adds a life nothing was chosen on: Pepys' diary, with the questions of pepys_questions.json
(see pepys.py). `--only pepys` beside it asks these alone.

`--supposing` adds the recipe for which a language model writes a line as the diary might say it, and
beside it the same weight given to the question once more: what is gained over that is the line's. A
line takes seconds, so they are kept beside the bases; `--every 3` asks every third question alone.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pepys
from numpy.typing import NDArray

from clone_app.entries import Cutoff
from clone_app.evaluation import arms
from clone_app.evaluation.metrics import (
    RECALLS,
    Scored,
    difference,
    grouped,
    macro,
    micro,
    retrieval_scores,
)
from clone_app.evaluation.prepare import Prepared, prepare
from clone_app.evaluation.suites import Life, SuiteQuestion, clonemem, lifebench
from clone_app.keys import ProfileKey
from clone_app.memory.index import Nearest, VectorIndex
from clone_app.memory.recall import recall
from clone_app.memory.recipes import (
    BM25,
    DEFAULT,
    HYBRID,
    PASSAGES,
    SEARCH,
    SUPPOSING,
    THOROUGH,
    Recipe,
)
from clone_app.models.llama import LlamaChat
from clone_app.models.shelf import Models
from clone_app.persona.supposed import supposed_line
from clone_app.progress import Progress

AT10, AT20 = "recall_flat@10", "recall_flat@20"
Finder: TypeAlias = Callable[[Prepared, SuiteQuestion], Sequence[str]]
Rows: TypeAlias = Mapping[str, Sequence[Scored]]

WITHOUT: Mapping[str, Mapping[str, float | bool]] = {
    "nearness in time": {"near": 0.0},
    "the time named": {"when": 0.0},
    "the people named": {"people": 0.0},
    "the kind named": {"medium": 0.0},
    "words": {"words": 0.0},
    "meaning": {"meaning": 0.0},
    "the question without its time": {"timeless": False},
    "mine before others'": {"others": 0.0},
    "shares": {"share": 1.0},
}
SETTINGS: Mapping[str, Sequence[float]] = {
    "near": (1.0, 1.5, 2.0),
    "reach": (0.5, 1.0, 2.0),
    "seeds": (20, 40, 80),
}


class Kept:
    """Search the index once a question, whatever settings its findings are then fused with."""

    def __init__(self, index: VectorIndex) -> None:
        self._index = index
        self._found: dict[tuple[bytes, Cutoff, int, str], Nearest] = {}
        self.spread = index.spread

    def nearest(
        self, probe: NDArray[np.float32], cutoff: Cutoff, *, limit: int, where: str = ""
    ) -> Nearest:
        """Return what the index returned the first time."""
        asked = (probe.tobytes(), cutoff, limit, where)
        if asked not in self._found:
            self._found[asked] = self._index.nearest(probe, cutoff, limit=limit, where=where)
        return self._found[asked]


@dataclass
class Table:
    """Gather what each finder found: figures by question, milliseconds by call."""

    rows: dict[str, list[Scored]] = field(default_factory=dict)
    took: dict[str, list[float]] = field(default_factory=dict)

    def ask(self, made: Prepared, finders: Mapping[str, Finder], *, every: int = 1) -> None:
        """Have every finder answer every question of a life that has evidence, or each n-th of them."""
        for question in [each for each in made.life.questions if each.gold][::every]:
            for name, find in finders.items():
                begun = time.perf_counter()
                keys = find(made, question)
                self.took.setdefault(name, []).append(time.perf_counter() - begun)
                self.rows.setdefault(name, []).append(_scored(made.life, question, keys))

    def of(self, suite: str) -> dict[str, list[Scored]]:
        """Return the rows of one benchmark by finder."""
        return {
            name: [row for row in some if row.life.startswith(suite)]
            for name, some in self.rows.items()
        }


def _scored(life: Life, question: SuiteQuestion, keys: Sequence[str]) -> Scored:
    return Scored(
        life=f"{life.suite}: {life.name}",
        question=question.id,
        kind=question.kind,
        dimension=question.dimension,
        language="",
        tier="",
        leaks=False,
        scores=retrieval_scores(question, keys),
    )


def lives(data: Path, only: str, diary: Path | None = None) -> Iterator[Life]:
    """Yield every benchmark life below a folder, and Pepys', in whose suite or name a word stands."""
    found = [clonemem.read_life(path) for path in sorted(data.glob("clonemem/*/*.json"))]
    found += [
        lifebench.read_life(path)
        for path in sorted(data.glob("lifebench/*/*"))
        if (path / "QA").is_dir()
    ]
    if diary:
        found.append(pepys.read_life(diary))
    yield from (life for life in found if only.casefold() in f"{life.suite} {life.name}".casefold())


def by_arm(name: str) -> Finder:
    """Return one of the evaluation's own arms."""
    (arm,) = arms.arms_named([name])
    return lambda made, question: arm.find(made, question, Progress()).keys


def by_recipe(recipe: Recipe, supposing: Callable[[str], str] | None = None) -> Finder:
    """Return what finds keys by a recipe; `supposing` writes a line for a question."""

    def find(made: Prepared, question: SuiteQuestion) -> list[str]:
        found = recall(
            made.store,
            question.text,
            made.cutoff(question),
            index=made.index,
            embedder=made.embedder,
            home=UTC,
            recipe=recipe,
            evidence=question.gold,
            lines=[each for each in (supposing(question.text),) if each] if supposing else (),
            k=arms.DEPTH,
        )
        return [hit.item.key for hit in found.hits]

    return find


class Supposing:
    """Write a line as the diary might say it, each question's once: they are kept in a file."""

    def __init__(self, model: Path, keep: Path) -> None:
        self._chat = LlamaChat(model)
        keep.mkdir(parents=True, exist_ok=True)
        self._file = keep / f"lines {self._chat.name}.json"
        self._lines: dict[str, str] = (
            json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}
        )

    def __call__(self, question: str) -> str:
        """Return the line for a question, empty for none."""
        if question not in self._lines:
            self._lines[question] = supposed_line(question, self._chat, progress=Progress())
            self._file.write_text(json.dumps(self._lines, ensure_ascii=False, indent=0), "utf-8")
        return self._lines[question]

    def close(self) -> None:
        """End the model's process."""
        self._chat.close()


def finders(*, brief: bool, supposing: Supposing | None = None) -> dict[str, Finder]:
    """Return what is compared, the baselines first, then the default without each part."""
    found = {"flat": by_arm("flat"), "bm25": by_arm("bm25")}
    recipes = (PASSAGES, replace(BM25, name="bm25 ours"), HYBRID, SEARCH, DEFAULT, THOROUGH)
    found |= {recipe.name: by_recipe(recipe) for recipe in recipes}
    if supposing is not None:
        found[SUPPOSING.name] = by_recipe(SUPPOSING, supposing)
        found["the question twice"] = by_recipe(SUPPOSING, lambda question: question)
    if not brief:
        found |= {name: by_arm(name) for name in ("recent", "oracle")}
        found |= {
            f"- {part}": by_recipe(replace(DEFAULT, **changed))  # type: ignore[arg-type]
            for part, changed in WITHOUT.items()
        }
    return found


def show(title: str, rows: Rows, took: Mapping[str, Sequence[float]]) -> None:
    """Print one table: a line a finder, its gain over `flat` with the interval."""
    print(f"\n{title}")
    print(f"  {'':32} @10    @20   nDCG@10  over flat at 10      times  ms")
    base = rows["flat"]
    for name, some in rows.items():
        figures, gain = macro(some), difference(some, base, AT10)
        assert gain is not None
        print(
            f"  {name:32} {figures[AT10]:.3f}  {figures[AT20]:.3f}  {figures['ndcg@10']:.3f}   "
            f"{gain.low:+.3f} to {gain.high:+.3f}  {figures[AT10] / macro(base)[AT10]:5.2f}  "
            f"{statistics.median(took[name]) * 1000:4.0f}"
        )


def show_variants(title: str, rows: Rows) -> None:
    """Print recall's five variants at 10 and 20, for the finders a user can choose."""
    names = [f"recall_{kind}@{k}" for k in (10, 20) for kind in RECALLS[1:]]
    print(f"\n{title}: recall's variants")
    print("  " + " " * 14 + "".join(f"{name.removeprefix('recall_'):>12}" for name in names))
    for finder in ("flat", "bm25", DEFAULT.name, THOROUGH.name):
        figures = macro(rows[finder])
        print(f"  {finder:14}" + "".join(f"{figures[name]:12.3f}" for name in names))


def show_kinds(title: str, rows: Rows) -> None:
    """Print recall_flat@10 by question type and, where questions have one, by dimension."""
    print(f"\n{title}: recall_flat@10 by question type and dimension")
    for key in (lambda row: row.kind, lambda row: row.dimension):  # type: ignore[misc]
        for kind, base in grouped(rows["flat"], key).items():
            if not kind:
                continue
            told = "  ".join(
                f"{name} {micro(grouped(rows[name], key)[kind])[AT10]:.3f}"
                for name in ("flat", "bm25", DEFAULT.name, THOROUGH.name)
            )
            print(f"  {kind:34} {len(base):4}  {told}")


def settings() -> Iterator[Recipe]:
    """Yield recipes around the default: the three numbers of nearness in time, each at three values."""
    for values in itertools.product(*SETTINGS.values()):
        changed = dict(zip(SETTINGS, values, strict=True))
        changed["seeds"] = int(changed["seeds"])
        name = ", ".join(f"{part} {value:g}" for part, value in changed.items())
        yield replace(DEFAULT, name=name, **changed)  # type: ignore[arg-type]


def ratios(rows: Rows, name: str) -> dict[str, float]:
    """Return by life how a finder's recall at 10 compares with the better of the two baselines."""
    means = {
        each: {life: micro(some)[AT10] for life, some in grouped(rows[each], _life).items()}
        for each in ("flat", "bm25", name)
    }
    return {
        life: means[name][life] / max(means["flat"][life], means["bm25"][life])
        for life in means[name]
    }


def _life(row: Scored) -> str:
    return row.life


def choose(table: Table, tried: Sequence[str]) -> None:
    """Print the setting each benchmark would choose, what it brings on the other, the best of all."""
    print("\nChosen by the worst ratio to the better of flat and bm25")
    suites = {"clonemem": table.of("clonemem"), "lifebench": table.of("lifebench")}
    chosen = {
        f"chosen on {suite}": max(tried, key=lambda name: min(ratios(rows, name).values()))
        for suite, rows in suites.items()
        if rows["flat"]
    }
    chosen["chosen on both"] = max(tried, key=lambda name: min(ratios(table.rows, name).values()))
    chosen["shipped"] = DEFAULT.name
    for why, name in chosen.items():
        told = "  ".join(
            f"{suite} {macro(rows[name])[AT10]:.3f} / {macro(rows[name])[AT20]:.3f}"
            for suite, rows in suites.items()
            if rows["flat"]
        )
        worst = min(ratios(table.rows, name).values())
        print(f"  {why:20} {told}  worst ratio {worst:.2f}  ({name})")


def main() -> None:
    """Print a table a life and one a benchmark, or which setting each benchmark would choose."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--keep", type=Path, help="where made bases are kept")
    parser.add_argument("--only", default="", help="lives in whose suite or name this stands")
    parser.add_argument("--choose", action="store_true", help="compare settings, both ways")
    parser.add_argument("--brief", action="store_true", help="without the ablation")
    parser.add_argument("--pepys", type=Path, help="the folder of Pepys' diary, asked too")
    parser.add_argument("--supposing", type=Path, metavar="GGUF", help="a model that writes lines")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="each n-th question alone"
    )
    told = parser.parse_args()
    if told.supposing and not told.keep:
        parser.error("--supposing needs --keep: the lines are kept there")
    models, table, supposing = Models(), Table(), None
    if told.choose:
        tried = [DEFAULT, *settings()]
        asked = {"flat": by_arm("flat"), "bm25": by_arm("bm25")}
        asked |= {recipe.name: by_recipe(recipe) for recipe in tried}
    else:
        if told.supposing:
            supposing = Supposing(told.supposing, told.keep)
        asked = finders(brief=told.brief, supposing=supposing)
    with tempfile.TemporaryDirectory() as temporary:
        for life in lives(told.data, told.only, None if told.choose else told.pepys):
            made = prepare(
                life,
                (told.keep or Path(temporary)) / f"{life.suite} {life.name}",
                key=ProfileKey(bytes(32)),
                embedder=models.embedder(),
                now=datetime.now(UTC),
                progress=Progress(),
            )
            if told.choose:
                made = replace(made, index=Kept(made.index))  # type: ignore[arg-type]
            table.ask(made, asked, every=told.every)
            made.close()
            title = f"{life.suite}: {life.name}"
            of_life = {
                name: [row for row in some if row.life == title]
                for name, some in table.rows.items()
            }
            if not told.choose:
                show(f"{title}, {len(life.items)} items", of_life, table.took)
    models.close()
    if supposing is not None:
        supposing.close()
    if told.choose:
        choose(table, [recipe.name for recipe in tried])
        return
    for suite in ("clonemem", "lifebench", "pepys"):
        rows = table.of(suite)
        if rows["flat"]:
            show(f"{suite}, mean over its lives", rows, table.took)
            show_variants(suite, rows)
            show_kinds(suite, rows)


if __name__ == "__main__":
    main()
