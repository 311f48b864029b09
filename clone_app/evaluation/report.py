"""What a run says: figures by arm, with intervals, by group, with and without leaking questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from clone_app.evaluation import metrics
from clone_app.evaluation.metrics import Interval, Scored
from clone_app.evaluation.runs import Answered, RunLife, RunRow, Runs
from clone_app.evaluation.silence import Judged, Silence, silence
from clone_app.evaluation.stages import Stage
from clone_app.evaluation.suites import SuiteQuestion

MAIN = (
    *("recall_flat@10", "recall_flat@20", "ndcg@10"),
    *metrics.JUDGED,
    *metrics.SELECTED,
    *metrics.CHOICES,
)
TITLES = {
    "recall_flat@10": "Evidence found among the first 10",
    "recall_flat@20": "Evidence found among the first 20",
    "ndcg@10": "Evidence found early (nDCG at 10)",
    "points": "Share of the points an answer must make (judge)",
    "consistency_paper": "Consistent with the evidence (judge, the paper's 0 to 1)",
    "helpfulness_paper": "Helpful (judge, the paper's 0 to 1)",
    "memory_recall": "Evidence told by what was retrieved (judge)",
    "consistency": "Consistent with the evidence (judge, 0 to 3)",
    "helpfulness": "Helpful (judge, 0 to 2)",
    "hallucination": "Contradicts or invents (judge)",
    "perfect": "Uses all of the evidence (judge)",
    "unparsable": "Judge's reply can't be read",
    "selection": "Solutions chosen, from -100 (disliked) to 100 (liked)",
    "choice_strict": "Right option, the reply being nothing but its letter",
    "choice_lenient": "Right option, wherever the reply names it",
    "choice_constrained": "Right option, the reply held to the letters",
    "choice_likelihood": "Right option, by how likely its text is",
    "choice_nearest": "Right option, by nearness to what was found",
    "abstained_rightly": "Says it can't be known where it can't",
    "abstained_wrongly": "Says it can't be known where it can",
}
GROUPS: Mapping[str, Callable[[Scored], str]] = {
    "by_type": lambda row: row.kind,
    "by_dimension": lambda row: row.dimension,
    "by_language": lambda row: row.language,
    "by_tier": lambda row: row.tier,
}


@dataclass(frozen=True)
class ArmReport:
    """Hold one arm's figures. `rows` are its questions in order, `answers` what became of them.

    `silence` says how the clone's answers and silences would fall, None where nobody can tell.
    """

    name: str
    reader: str
    k: int
    rows: tuple[Scored, ...]
    answers: tuple[Answered, ...]
    silence: Silence | None = None

    @cached_property
    def scores(self) -> dict[str, float]:
        """Return each score's macro mean: per life, then over lives."""
        return metrics.macro(self.rows)

    @cached_property
    def micro(self) -> dict[str, float]:
        """Return each score's mean over questions."""
        return metrics.micro(self.rows)

    @cached_property
    def without_leaks(self) -> dict[str, float]:
        """Return the macro means without the questions whose options give the answer away."""
        return metrics.macro([row for row in self.rows if not row.leaks])

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """Return each score's macro mean with its 95 % interval."""
        found = {name: metrics.interval(self.rows, name) for name in metrics.names(self.rows)}
        return {name: each for name, each in found.items() if each is not None}

    @cached_property
    def stages(self) -> dict[Stage, int]:
        """Return how many questions ended at each stage."""
        counted = Counter(answer.stage for answer in self.answers)
        return {stage: counted[stage] for stage in Stage if counted[stage]}

    @property
    def unparsable(self) -> int:
        """Return of how many answers the judge's verdict can't be read."""
        return sum(answer.scores.get("unparsable", 0.0) > 0 for answer in self.answers)

    def grouped(self, group: str) -> dict[str, dict[str, float]]:
        """Return micro means with the number of questions (`n`) by a group of `GROUPS`."""
        found = metrics.grouped(self.rows, GROUPS[group])
        return {
            name: {"n": len(rows), **metrics.micro(rows)}
            for name, rows in sorted(found.items())
            if name
        }

    def of_life(self, life: str) -> dict[str, float]:
        """Return one life's means with the number of questions (`n`)."""
        rows = [row for row in self.rows if row.life == life]
        return {"n": len(rows), **metrics.micro(rows)}


@dataclass(frozen=True)
class Report:
    """Hold a run's figures. `beside` is the arm of the bare options where it wasn't asked for."""

    run: RunRow
    lives: tuple[RunLife, ...]
    arms: tuple[ArmReport, ...]
    beside: ArmReport | None = None
    questions: Mapping[tuple[str, str], SuiteQuestion] = field(default_factory=dict)

    def arm(self, name: str) -> ArmReport:
        """Return an arm by its name, `beside` too; KeyError where the run has no such arm."""
        held = {arm.name: arm for arm in (*self.arms, *([self.beside] if self.beside else []))}
        return held[name]

    @property
    def score_names(self) -> tuple[str, ...]:
        """Return the scores that occur, in order."""
        return metrics.names(row for arm in self.arms for row in arm.rows)

    def difference(self, ours: str, theirs: str, score: str) -> Interval | None:
        """Return by how much one arm is better than another, paired over questions."""
        return metrics.difference(self.arm(ours).rows, self.arm(theirs).rows, score)


def build(runs: Runs, run: int) -> Report:
    """Return the report of what a run has so far."""
    row = runs.row(run)
    lives = runs.lives(run)
    questions = runs.questions(run)
    answers: dict[str, list[Answered]] = {}
    for each in runs.answers(run):
        answers.setdefault(each.arm, []).append(each)
    by_key = {life.key: life for life in lives}
    made = {name: _arm(name, row, found, by_key, questions) for name, found in answers.items()}
    asked = [name for name in row.plan.arms if name in made]
    beside = next((arm for name, arm in made.items() if name not in asked), None)
    return Report(row, lives, tuple(made[name] for name in asked), beside, questions)


@dataclass(frozen=True, slots=True)
class Compared:
    """Hold one arm's score in two runs and the paired gap over the questions both have.

    Where there is no gap, `why` says what it would need.
    """

    ours: float | None
    theirs: float | None
    gap: Interval | None
    why: str = ""


def compare(ours: Report, theirs: Report, score: str) -> dict[str, Compared]:
    """Return, by arm, how a score stands in two runs."""
    found = {}
    for name in dict.fromkeys(arm.name for arm in (*ours.arms, *theirs.arms)):
        one, other = _rows(ours, name), _rows(theirs, name)
        first, second = metrics.macro(one).get(score), metrics.macro(other).get(score)
        gap = metrics.difference(one, other, score)
        lacks = _lacks(ours, name, first) or _lacks(theirs, name, second)
        why = "" if gap is not None else lacks or "no question in common"
        found[name] = Compared(first, second, gap, why)
    return found


def _lacks(report: Report, arm: str, value: float | None) -> str:
    """Return what a run lacks so that its arm could be compared, nothing where it lacks nothing."""
    if value is not None:
        return ""
    if _rows(report, arm):
        return f"not measured in run {report.run.id}"
    planned = arm in report.run.plan.arms
    return f"no answer yet in run {report.run.id}" if planned else f"not in run {report.run.id}"


def _rows(report: Report, arm: str) -> tuple[Scored, ...]:
    try:
        return report.arm(arm).rows
    except KeyError:
        return ()


def _arm(
    name: str,
    row: RunRow,
    answers: Sequence[Answered],
    lives: Mapping[str, RunLife],
    questions: Mapping[tuple[str, str], SuiteQuestion],
) -> ArmReport:
    scored = []
    for answer in answers:
        life, question = lives[answer.life], questions[answer.life, answer.question]
        scored.append(
            Scored(
                life=life.key,
                question=question.id,
                kind=question.kind,
                dimension=question.dimension,
                language=life.language,
                tier=life.tier,
                leaks=question.leaks,
                scores=answer.scores,
            )
        )
    quiet = silence(
        (questions[each.life, each.question], Judged(each.strength, each.silent))
        for each in answers
        if each.strength is not None and each.silent is not None
    )
    return ArmReport(name, row.plan.reader, row.plan.k, tuple(scored), tuple(answers), quiet)


# --- as JSON -----------------------------------------------------------------------------------------


def report_json(report: Report) -> dict[str, Any]:
    """Return a report in the form the command line promises; `scores` are macro means."""
    packed: dict[str, Any] = {
        "suites": _suites(report),
        "arms": [arm_json(arm, report.lives) for arm in report.arms],
        "differences": _differences(report),
        "run": run_json(report.run),
    }
    if report.beside is not None:
        packed["options_only"] = arm_json(report.beside, report.lives)
    return packed


def arm_json(arm: ArmReport, lives: Sequence[RunLife]) -> dict[str, Any]:
    """Return one arm's figures."""
    return {
        "name": arm.name,
        "reader": arm.reader,
        "k": arm.k,
        "n": len(arm.rows),
        "scores": _rounded(arm.scores),
        "micro": _rounded(arm.micro),
        "without_leaks": _rounded(arm.without_leaks),
        "intervals": {
            name: [round(each.low, 4), round(each.high, 4)] for name, each in arm.intervals.items()
        },
        **{
            group: {name: _rounded(means) for name, means in arm.grouped(group).items()}
            for group in GROUPS
        },
        "by_persona": {
            life.key: {
                "name": life.name,
                "suite": life.suite,
                "language": life.language,
                "tier": life.tier,
                **_rounded(arm.of_life(life.key)),
            }
            for life in lives
        },
        "stages": {str(stage): count for stage, count in arm.stages.items()},
        **({"silence": asdict(arm.silence)} if arm.silence is not None else {}),
        "cut_traces": sum(len(answer.cut) for answer in arm.answers),
        "questions_cut": sum(bool(answer.cut) for answer in arm.answers),
        "failures": sum(bool(answer.failure) for answer in arm.answers),
        "unparsable": arm.unparsable,
        "judged": sum("verdict" in answer.said for answer in arm.answers),
        "tokens_read": sum(answer.tokens_read for answer in arm.answers),
        "tokens_written": sum(answer.tokens_written for answer in arm.answers),
        "seconds": round(sum(answer.seconds for answer in arm.answers), 1),
    }


def run_json(run: RunRow) -> dict[str, Any]:
    """Return what a run was and what it was made with."""
    return {
        "id": run.id,
        "state": str(run.state),
        "note": run.note,
        "started_at": run.started_at.isoformat(),
        "finished_at": run.finished_at.isoformat() if run.finished_at else None,
        "done": run.done,
        "total": run.total,
        "suites": [Path(suite).name for suite in run.plan.suites],
        "arms": list(run.plan.arms),
        "reader": run.plan.reader,
        "k": run.plan.k,
        "limit": run.plan.limit,
        "tokens": run.plan.tokens,
        "seed": run.plan.seed,
        "judge": run.plan.judge,
        **run.facts,
    }


def judge_notes(report: Report) -> tuple[str, ...]:
    """Return what must be known before a judge's marks are believed; nothing where nobody judged."""
    arms = (*report.arms, *([report.beside] if report.beside is not None else []))
    if report.run.plan.judge == "none":
        return ()
    found = []
    if report.run.plan.judge == "local":
        found.append("The judge is the model on this machine: its marks are indicative only.")
    unread = sum(arm.unparsable for arm in arms)
    marked = sum("verdict" in answer.said for arm in arms for answer in arm.answers)
    found.append(f"{unread} of the judge's {marked} verdicts could not be read and give no score.")
    return tuple(found)


def _suites(report: Report) -> list[dict[str, Any]]:
    found: dict[str, list[RunLife]] = {}
    for life in report.lives:
        found.setdefault(life.suite, []).append(life)
    return [
        {
            "name": name,
            "lives": [
                {
                    "id": life.key,
                    "name": life.name,
                    "language": life.language,
                    "tier": life.tier,
                    "traces": life.traces,
                    "questions": life.questions,
                    "sha256": life.sha256,
                    "file": str(life.pin),
                    "notes": list(life.notes),
                }
                for life in lives
            ],
        }
        for name, lives in found.items()
    ]


def _differences(report: Report) -> list[dict[str, Any]]:
    """Return, against the best arm that isn't the oracle, every other's paired gap in the main scores."""
    found = []
    for score in MAIN:
        held = [arm for arm in report.arms if score in arm.scores and arm.name != "oracle"]
        if len(held) < 2:
            continue
        best = max(held, key=lambda arm: arm.scores[score])
        for other in held:
            gap = report.difference(best.name, other.name, score) if other is not best else None
            if gap is not None:
                found.append(
                    {
                        "score": score,
                        "best": best.name,
                        "other": other.name,
                        "mean": round(gap.mean, 4),
                        "low": round(gap.low, 4),
                        "high": round(gap.high, 4),
                    }
                )
    return found


def _rounded(means: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) if name != "n" else int(value) for name, value in means.items()}
