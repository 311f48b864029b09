"""Evaluating: benchmarks opened, runs made, resumed, compared, exported."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clone_app.app.ability import Trying
from clone_app.app.testing import Testing
from clone_app.doctor import versions
from clone_app.errors import CloneAppError, DamagedError
from clone_app.evaluation import export
from clone_app.evaluation.arms import ARMS, RETRIEVING, Arm, arms_named
from clone_app.evaluation.estimate import Estimate, estimate
from clone_app.evaluation.judge import JUDGES, Judge, judge_all
from clone_app.evaluation.model_reader import ModelReader
from clone_app.evaluation.own_life import prepare_own
from clone_app.evaluation.prepare import Prepared, folder_name, prepare
from clone_app.evaluation.readers import Nearest, Reader
from clone_app.evaluation.report import Report, build
from clone_app.evaluation.run import answer_all, arms_run, described, life_keys
from clone_app.evaluation.runs import Plan, RunLife, RunRow, Runs, State
from clone_app.evaluation.suites import Life, Suite
from clone_app.evaluation.suites.opening import open_suite
from clone_app.evaluation.suites.own import ME
from clone_app.evaluation.suites.pins import hash_file
from clone_app.memory.database import Base
from clone_app.memory.embedding import embed_pending
from clone_app.memory.store import ItemFilter, Store
from clone_app.models.catalogue import EMBEDDER
from clone_app.paths import resources
from clone_app.persona.supposed import supposed_line
from clone_app.progress import Progress
from clone_app.protocols import ChatModel

# A server with continuous batching answers so many as fast as one.
IN_FLIGHT = 16
READERS = ("none", "local", "remote")


@dataclass(frozen=True, slots=True)
class TraceMark:
    """Hold one trace of a life for its time line: no text, so that a year of them is light."""

    key: str
    moment: str | None
    medium: str
    title: str


class Evaluating(Testing, Trying):
    """Measure memory and clone on benchmarks."""

    _running: int | None = None

    # --- what there is ------------------------------------------------------------------------------

    def arms(self) -> tuple[Arm, ...]:
        """Return the arms that can be compared, in order."""
        return ARMS

    def sample_suites(self) -> dict[str, Path]:
        """Return the benchmarks that come along: names and where they lie."""
        found = {}
        for name, folder in (("sample", "sample_life"), ("sample-zh", "sample_life/zh")):
            place = resources() / folder / "clonemem"
            if place.is_dir():
                found[name] = place
        return found

    def open_suite(self, source: str) -> Suite:
        """Return the benchmark at a path or of a name; raise `CloneAppError` for what can't be used."""
        return self._own_suite() if source == ME else open_suite(source, self.sample_suites())

    def estimate_run(self, plan: Plan, progress: Progress) -> Estimate:
        """Return how long a run will take, measured with a few of its own questions."""
        self._check(plan)
        suites, _ = self._open(plan.suites)
        lives = [life for suite in suites for life in suite.lives]
        reader = self._reader(plan)
        embedder = self._models().embedder()
        supposes = self._supposing(plan, progress)
        return estimate(
            lives,
            arms_run(arms_named(plan.arms), lives),
            k=plan.k,
            limit=plan.limit,
            reader=reader if isinstance(reader, ModelReader) else None,
            unprepared=[
                life
                for life in lives
                if life.suite != ME
                and not (self._paths.evaluation / folder_name(life, embedder.name)).is_dir()
            ],
            embedder=embedder,
            judge=self._judge(plan),
            supposes=supposes,
            progress=progress,
        )

    # --- running ------------------------------------------------------------------------------------

    def begin_run(self, plan: Plan) -> int:
        """Note a new run and return its number; `continue_run` does the work.

        A suite that can't be opened is noted in the run's `failed_suites` as long as another can.
        """
        runs = Runs(self._writer().base)
        self._check(plan)
        suites, failed = self._open(plan.suites)
        lives = [life for suite in suites for life in suite.lives]
        arms = arms_run(arms_named(plan.arms), lives)
        embedder = self._models().embedder_name()
        kept = [
            (described(life, key, _folder(life, embedder)), life)
            for life, key in zip(lives, life_keys(lives), strict=True)
        ]
        facts = self._facts(plan, arms, lives) | {"failed_suites": failed}
        return runs.begin(plan, kept, arms=len(arms), facts=facts, now=self._now())

    def continue_run(self, run: int, progress: Progress) -> Report:
        """Answer what a run has no answers to yet, and return its report.

        Raises `Cancelled` when asked to stop: the run is then paused, and this goes on with it. The
        same is true after a kill.
        """
        runs = Runs(self._writer().base)
        plan = runs.row(run).plan
        with ExitStack() as stack:
            runs.set_state(run, State.RUNNING)
            self._running = run
            stack.callback(self._stopped, runs, run)
            reader = self._reader(plan)
            supposes = self._supposing(plan, progress)
            made = {
                key: replace(each, supposes=supposes)
                for key, each in self._prepared(runs, run, plan, stack, progress).items()
            }
            arms = arms_run(arms_named(plan.arms), [each.life for each in made.values()])
            answer_all(
                plan,
                run,
                runs,
                lives=made,
                arms=arms,
                reader=reader,
                make_way=self._models().wait_until_quiet,
                progress=progress,
            )
            if (judge := self._judge(plan)) is not None:
                judge_all(
                    run,
                    runs,
                    lives=made,
                    arms=arms,
                    judge=judge,
                    make_way=self._models().wait_until_quiet,
                    progress=progress,
                )
            runs.set_state(run, State.FINISHED, self._now())
        return self.report(run)

    def evaluate(self, plan: Plan, progress: Progress) -> Report:
        """Begin a run and do it to its end."""
        return self.continue_run(self.begin_run(plan), progress)

    # --- runs ---------------------------------------------------------------------------------------

    def runs(self) -> tuple[RunRow, ...]:
        """Return all runs, the latest first. One that is `RUNNING` and isn't `running_run` was killed."""
        return Runs(self._store().base).list()

    def running_run(self) -> int | None:
        """Return the run this program is working on, None for none."""
        return self._running

    def report(self, run: int) -> Report:
        """Return a run's figures, of as much of it as is done."""
        return build(Runs(self._store().base), run)

    def note_run(self, run: int, text: str) -> None:
        """Keep the user's own words about a run."""
        Runs(self._writer().base).note(run, text)

    def delete_run(self, run: int) -> None:
        """Delete a run, and the prepared lives that no other run needs."""
        runs = Runs(self._writer().base)
        if run == self._running:
            raise CloneAppError("This run is going on. Stop it first, then delete it.")
        runs.delete(run)
        needed = {life.folder for row in runs.list() for life in runs.lives(row.id)}
        with suppress(FileNotFoundError):
            for folder in self._paths.evaluation.iterdir():
                if folder.name not in needed:
                    shutil.rmtree(folder, ignore_errors=True)
        self._writer().base.checkpoint()

    def export_run(self, run: int, folder: Path) -> tuple[Path, ...]:
        """Write a run's report as JSON, CSV, Markdown and HTML; return the files."""
        return export.write(self.report(run), folder)

    def life_traces(self, life: RunLife) -> tuple[TraceMark, ...]:
        """Return a life's traces for its time line, oldest first."""
        with self._life_store(life) as store:
            return tuple(
                TraceMark(each.item.key, each.item.moment.iso(), each.item.medium, each.item.title)
                for each in store.items(ItemFilter())
            )

    def life_texts(self, life: RunLife, keys: Sequence[str]) -> dict[str, str]:
        """Return the texts of some of a life's traces, by key."""
        with self._life_store(life) as store:
            found = (store.by_key(key) for key in dict.fromkeys(keys))
            return {each.item.key: each.item.text for each in found if each is not None}

    # --- parts --------------------------------------------------------------------------------------

    def _check(self, plan: Plan) -> None:
        known = [arm.name for arm in ARMS]
        for name in plan.arms:
            if name not in known:
                raise CloneAppError(f"There is no arm “{name}”. Choose among: {', '.join(known)}.")
        if plan.reader not in READERS:
            raise CloneAppError(
                f"There is no reader “{plan.reader}”. Choose among: {', '.join(READERS)}."
            )
        if plan.judge not in JUDGES:
            raise CloneAppError(
                f"There is no judge “{plan.judge}”. Choose among: {', '.join(JUDGES)}."
            )
        if plan.judge != "none" and plan.reader == "none":
            raise CloneAppError(
                "A judge marks free answers, and without a reader there are none. Choose a reader "
                "too, or no judge."
            )

    def _open(self, sources: Sequence[str]) -> tuple[list[Suite], dict[str, str]]:
        suites, failed = [], {}
        for source in dict.fromkeys(sources):
            try:
                suites.append(self.open_suite(source))
            except CloneAppError as fault:
                failed[source] = str(fault)
        if not suites:
            raise CloneAppError(" ".join(failed.values()) or "Name a benchmark to run.")
        return suites, failed

    def _reader(self, plan: Plan) -> Reader:
        """Return what answers; raise `CloneAppError` for a server that was not agreed to."""
        if plan.reader == "none":
            return Nearest()
        if plan.reader == "local":
            chat = self._models().chat()
            return ModelReader("local", chat, plan.tokens, plan.seed)
        return ModelReader("remote", self._agreed_server(), plan.tokens, plan.seed, IN_FLIGHT)

    def _judge(self, plan: Plan) -> Judge | None:
        """Return who marks free answers, None for nobody."""
        if plan.judge == "none":
            return None
        if plan.judge == "local":
            return Judge("local", self._models().chat(), plan.seed)
        return Judge("remote", self._agreed_server(), plan.seed, IN_FLIGHT)

    def _supposing(self, plan: Plan, progress: Progress) -> Callable[[str, Progress], str] | None:
        """Return what writes a line a question, where an arm needs one; tries the model before.

        Raises `CloneAppError` where the model on this machine isn't good enough: its lines would say
        how it invents, not what such lines are worth.
        """
        if not any(arm.supposes for arm in arms_named(plan.arms)):
            return None
        chat = self._models().chat()
        if not self._reads_well(chat, progress):
            raise CloneAppError(
                f"{chat.name} invents too freely to suppose what a diary says. Choose a better language "
                "model in Preferences › Models, or leave out the arm “supposing”."
            )
        return lambda question, asking: supposed_line(question, chat, progress=asking)

    def _agreed_server(self) -> ChatModel:
        if self._server() is None or not self._agreed():
            raise CloneAppError(
                "No server is set and agreed to. Set one with `clone-app remote set URL` or in "
                "Preferences › Models, and agree to what is sent; or use the model on this machine."
            )
        return self._remote_chat()

    def _prepared(
        self, runs: Runs, run: int, plan: Plan, stack: ExitStack, progress: Progress
    ) -> dict[str, Prepared]:
        """Return a run's lives, ready; refuse files that are no longer what the run began with."""
        failed = runs.row(run).facts.get("failed_suites", {})
        suites, _ = self._open([each for each in plan.suites if each not in failed])
        lives = [life for suite in suites for life in suite.lives]
        kept = {life.key: life for life in runs.lives(run)}
        opened = dict(zip(life_keys(lives), lives, strict=True))
        if {key: life.sha256 for key, life in kept.items()} != {
            key: life.sha256 for key, life in opened.items()
        }:
            raise CloneAppError(
                "The benchmark's files have changed since this run began. Start a new run."
            )
        assert self._key is not None
        made = {}
        for key, life in opened.items():
            if life.suite == ME:
                made[key] = self._prepared_own(life, progress)
                continue
            made[key] = prepare(
                life,
                self._paths.evaluation / kept[key].folder,
                key=self._key,
                embedder=self._models().background_embedder(progress),
                now=self._now(),
                progress=progress,
            )
            stack.callback(made[key].close)
        return made

    def _prepared_own(self, life: Life, progress: Progress) -> Prepared:
        """Return the profile's own memory as a life, its vectors finished."""
        store, index = self._writer(), self._vectors()
        embedder = self._models().background_embedder(progress)
        self.check_index()
        embed_pending(store, index, embedder, progress=progress)
        return prepare_own(life, store, index, embedder=embedder, home=self.home_zone())

    def _stopped(self, runs: Runs, run: int) -> None:
        """Note that nobody works on a run any more; a full disk must not hide why it stopped."""
        self._running = None
        with suppress(CloneAppError):
            if runs.row(run).state is State.RUNNING:
                runs.set_state(run, State.PAUSED)

    def _facts(self, plan: Plan, arms: Sequence[Arm], lives: Sequence[Life]) -> dict[str, Any]:
        embedder, judge = self._models().embedder_name(), self._judge(plan)
        return {
            "versions": versions(),
            "machine": {"processor": platform.machine(), "cores": os.cpu_count()},
            "embedder": {"name": embedder, "sha256": _sha_of(embedder)},
            "recipes": {arm.name: dict(arm.recipe) for arm in arms if arm.recipe},
            "reading": self._reader(plan).facts() | self._weights(plan.reader),
            **(self._supposer() if any(arm.supposes for arm in arms) else {}),
            **({"judging": judge.facts() | self._weights(judge.name)} if judge else {}),
            "warnings": _warnings(lives, embedder),
        }

    def _supposer(self) -> dict[str, object]:
        return {"supposing": {"model": self._models().chat().name} | self._weights("local")}

    def _weights(self, who: str) -> dict[str, object]:
        """Return the hash of the model's file, where who reads or judges is one on this machine."""
        path = getattr(self._models().chat(), "path", None) if who == "local" else None
        return {"sha256": hash_file(path)} if path else {}

    @contextmanager
    def _life_store(self, life: RunLife) -> Iterator[Store]:
        if life.suite == ME:
            yield self._store()
            return
        base = self._life_base(life)
        try:
            yield Store(base)
        finally:
            base.close()

    def _life_base(self, life: RunLife) -> Base:
        assert self._key is not None
        path = self._paths.evaluation / life.folder / "memory.db"
        try:
            return Base(path, self._key)
        except DamagedError as fault:
            raise CloneAppError(
                f"The prepared life of {life.name} is gone. Run this benchmark again to make it anew."
            ) from fault


def _folder(life: Life, embedder: str) -> str:
    """Return where a prepared life lies; the user's own is where it always was."""
    return "" if life.suite == ME else folder_name(life, embedder)


def _sha_of(embedder: str) -> str:
    return EMBEDDER.sha256 if embedder.startswith(EMBEDDER.name) else ""


def _warnings(lives: Sequence[Life], embedder: str) -> list[str]:
    """Return what makes a run's figures mean less than they seem to."""
    foreign = [life.name for life in lives if life.language != "en"]
    if foreign and embedder.startswith(EMBEDDER.name):
        return [
            f"The embedder {EMBEDDER.name} reads English only: for {', '.join(foreign)} the arms that "
            "work by meaning say little. Choose a multilingual embedder in Preferences › Models."
        ]
    return []


__all__ = ["JUDGES", "READERS", "RETRIEVING", "Evaluating", "Plan", "TraceMark"]
