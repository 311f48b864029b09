"""A report as files: JSON for programs, CSV a line a question, Markdown and HTML for people."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

from clone_app.errors import CloneAppError
from clone_app.evaluation.metrics import Interval
from clone_app.evaluation.page import page
from clone_app.evaluation.report import ArmReport, Report, judge_notes, report_json
from clone_app.evaluation.silence import said
from clone_app.evaluation.suites import Pin

_BEFORE = ("suite", "life", "question", "type", "dimension", "leaks", "arm", "reader", "k")
_AFTER = (
    "stage", "found", "read", "cut", "tokens_read", "tokens_written", "seconds", "failure",
)  # fmt: skip


def write(report: Report, folder: Path) -> tuple[Path, ...]:
    """Write `run-<id>.json`, `.csv`, `.md` and `.html`; return their paths."""
    forms: dict[str, Callable[[Report], str]] = {
        "json": lambda each: json.dumps(report_json(each), ensure_ascii=False, indent=2) + "\n",
        "csv": as_csv,
        "md": as_markdown,
        "html": page,
    }
    made = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for ending, form in forms.items():
            path = folder / f"run-{report.run.id}.{ending}"
            path.write_text(form(report), "utf-8", newline="")
            made.append(path)
    except OSError as fault:
        raise CloneAppError(
            f"The report can't be written in {folder} ({fault.strerror}). "
            "Choose a folder that can be written, with some space left."
        ) from fault
    return tuple(made)


def as_csv(report: Report) -> str:
    """Return one line a question and arm, a column a score."""
    names = _all_names(report)
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow([*_BEFORE, *names, *_AFTER])
    suites = {life.key: life.suite for life in report.lives}
    for arm in _all_arms(report):
        for row, answer in zip(arm.rows, arm.answers, strict=True):
            table.writerow(
                [suites[row.life], row.life, row.question, row.kind, row.dimension, int(row.leaks)]
                + [arm.name, arm.reader, arm.k]
                + [f"{row.scores[name]:.4f}" if name in row.scores else "" for name in names]
                + [answer.stage, " ".join(answer.found), len(answer.read), len(answer.cut)]
                + [answer.tokens_read, answer.tokens_written, f"{answer.seconds:.3f}"]
                + [answer.failure]
            )
    return out.getvalue()


def silences_as_markdown(report: Report) -> list[str]:
    """Return, of each arm that knows, what the clone does and the curve over its threshold."""
    lines = []
    for arm in report.arms:
        if arm.silence is None:
            continue
        lines += [
            "",
            f"## When it is silent: {arm.name}",
            "",
            said(arm.silence),
            "",
            "| threshold | answered of the answerable | silent of the rest | right of the silences |",
            "|-|-|-|-|",
        ]
        lines += [
            f"| {each.threshold:.2f} | {each.answered:.2f} | {each.silent:.2f} | "
            f"{'' if each.right is None else f'{each.right:.2f}'} |"
            for each in arm.silence.curve
        ]
    return lines


def as_markdown(report: Report) -> str:
    """Return the report as a page of Markdown tables."""
    run = report.run
    lines = [f"# Evaluation run {run.id}", ""]
    if run.note:
        lines += [run.note, ""]
    if run.done < run.total:
        lines += [f"Not finished: {run.done} of {run.total} answers.", ""]
    lines += [
        "| suite | life | language | traces | questions | file | SHA-256 |",
        "|-|-|-|-|-|-|-|",
    ]
    lines += [
        f"| {life.suite} {life.tier} | {life.name} | {life.language} | {life.traces} | "
        f"{life.questions} | {life.pin} | {life.sha256[:12]}… |"
        for life in report.lives
    ]
    lines += ["", *(f"- {life.name}: {note}" for life in report.lives for note in life.notes)]
    lines += [f"- {note}" for note in (*run.facts.get("warnings", ()), *judge_notes(report))]
    lines += [f"- {name}: {why}" for name, why in dict(run.facts.get("failed_suites", {})).items()]
    names = [name for name in _all_names(report) if name.startswith(("recall_flat", "ndcg"))]
    names += [name for name in _all_names(report) if not name.startswith(("recall_", "ndcg"))]
    lines += ["", "## Scores (macro, with 95 % intervals)", ""]
    lines += _table(report, names, lambda arm, name: shown(arm.intervals.get(name)))
    lines += ["", "## All recalls (macro)", ""]
    recalls = [name for name in _all_names(report) if name.startswith("recall_")]
    lines += _table(
        report, recalls, lambda arm, name: f"{arm.scores[name]:.3f}" if name in arm.scores else ""
    )
    if any(row.leaks for arm in report.arms for row in arm.rows):
        lines += ["", "## Without the questions whose options give the answer away (macro)", ""]
        lines += _table(
            report,
            names,
            lambda arm, name: f"{arm.without_leaks[name]:.3f}" if name in arm.without_leaks else "",
        )
    lines += ["", "## Where it went wrong (questions)", ""]
    stages = list(dict.fromkeys(stage for arm in _all_arms(report) for stage in arm.stages))
    lines += [f"| arm | {' | '.join(stages)} |", "|-" * (len(stages) + 1) + "|"]
    lines += [
        f"| {arm.name} | {' | '.join(str(arm.stages.get(stage, 0)) for stage in stages)} |"
        for arm in _all_arms(report)
    ]
    lines += silences_as_markdown(report)
    official = sum(life.pin is Pin.OFFICIAL for life in report.lives)
    lines += [
        "",
        f"Reader {run.plan.reader}, {run.plan.k} traces; {official} of {len(report.lives)} files "
        f"verified official; clone-app {run.facts['versions']['clone-app']}, embedder "
        f"{run.facts['embedder']['name']}; {run.started_at:%Y-%m-%d %H:%M} UTC.",
        "",
    ]
    return "\n".join(lines)


def shown(interval: Interval | None) -> str:
    """Return a mean with its interval for a table."""
    if interval is None:
        return ""
    return f"{interval.mean:.3f} ({interval.low:.2f}–{interval.high:.2f})"


def _table(report: Report, names: list[str], cell: Callable[[ArmReport, str], str]) -> list[str]:
    return [
        f"| arm | {' | '.join(names)} |",
        "|-" * (len(names) + 1) + "|",
        *(
            f"| {arm.name} | {' | '.join(cell(arm, name) for name in names)} |"
            for arm in _all_arms(report)
        ),
    ]


def _all_arms(report: Report) -> list[ArmReport]:
    return [*report.arms, *([report.beside] if report.beside else [])]


def _all_names(report: Report) -> list[str]:
    return list(dict.fromkeys(name for arm in _all_arms(report) for name in arm.scores))
