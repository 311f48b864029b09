"""A report as one HTML file that needs nothing else: bars with intervals, heat map, stages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from clone_app.evaluation.metrics import SCALES
from clone_app.evaluation.report import MAIN, TITLES, ArmReport, Report, judge_notes
from clone_app.evaluation.silence import Silence, said
from clone_app.evaluation.stages import Stage

_BAR, _GAP, _LEFT, _WIDE, _RIGHT = 22, 8, 150, 460, 150
_STAGE_COLOURS = {
    Stage.RIGHT: "#3a7d44",
    Stage.NOT_VISIBLE: "#8d8d8d",
    Stage.NOT_FOUND: "#c44536",
    Stage.NOT_READ: "#e08e45",
    Stage.IGNORED: "#c9a227",
    Stage.NOT_ABSTAINED: "#7d5ba6",
    Stage.UNKNOWN: "#5b8db8",
}
_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1e; --soft: #6b6b70; --line: #d9d9de; --bar: #4a7fb5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececee; --soft: #a0a0a6; --line: #3c3c42; --bar: #6fa3d8; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.2rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .7rem; text-align: left; border-bottom: 1px solid var(--line) }
td.n { text-align: right } .soft { color: var(--soft) } .wide { overflow-x: auto }
svg { max-width: 100%; height: auto } svg text { fill: var(--ink); font: 13px system-ui, sans-serif }
svg .axis { stroke: var(--line) } svg .bar { fill: var(--bar) } svg .error { stroke: var(--ink) }
.swatch { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em }
"""


def page(report: Report) -> str:
    """Return the whole page."""
    run = report.run
    parts = [
        f"<h1>Evaluation run {run.id}</h1>",
        f"<p>{escape(run.note)}</p>" if run.note else "",
        f"<p><b>{verdict(report)}</b></p>",
        _lives(report),
        *(
            f'<h2>{escape(TITLES[score])} <span class="soft">{escape(score)}</span></h2>'
            f"{bars(report, score)}"
            for score in MAIN
            if any(score in arm.scores for arm in _arms(report))
        ),
        _heat(report),
        _stages(report),
        *(_silence(arm.name, arm.silence) for arm in report.arms if arm.silence is not None),
        _made_with(report),
    ]
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Evaluation run {run.id}</title><style>{_STYLE}</style></head><body>"
        + "\n".join(filter(None, parts))
        + "</body></html>\n"
    )


def verdict(report: Report) -> str:
    """Return the finding in one or two sentences: which arm is best, and whether that is chance.

    Without a reader the evidence found comes first: the option nearest to it is only a stand-in.
    """
    choices = [score for score in reversed(MAIN[3:]) if score != "choice_nearest"]
    order = (*choices, MAIN[0], "choice_nearest")
    found = [sentence for score in order if (sentence := verdict_on(report, score))]
    return escape(" ".join(found[:2]))


def verdict_on(report: Report, score: str) -> str:
    """Return which arm is best by a score and whether its lead is more than chance, empty for none."""
    held = [arm for arm in report.arms if score in arm.scores and arm.name != "oracle"]
    if len(held) < 2:
        return ""
    best, second = sorted(held, key=lambda arm: -arm.scores[score])[:2]
    gap = report.difference(best.name, second.name, score)
    sure = gap is not None and gap.low > 0
    return (
        f"Best by {score}: {best.name} ({best.scores[score]:.3f}), before {second.name} "
        f"({second.scores[score]:.3f}). "
        + (
            "The difference is more than chance."
            if sure
            else "The difference may be chance: its interval holds 0."
        )
    )


def bars(report: Report, score: str) -> str:
    """Return one bar an arm with its 95 % interval."""
    held = [arm for arm in _arms(report) if score in arm.intervals]
    least, most = SCALES.get(score, (0.0, 1.0))
    rows = []

    def place_of(value: float) -> float:
        return (value - least) / (most - least)

    for place, arm in enumerate(held):
        found = arm.intervals[score]
        top = place * (_BAR + _GAP)
        middle = top + _BAR / 2
        low, high = _LEFT + place_of(found.low) * _WIDE, _LEFT + place_of(found.high) * _WIDE
        start, end = sorted((place_of(0.0), place_of(found.mean)))
        rows.append(
            f'<text x="{_LEFT - 8}" y="{middle + 5}" text-anchor="end">{escape(arm.name)}</text>'
            f'<rect class="bar" x="{_LEFT + start * _WIDE:.1f}" y="{top}" height="{_BAR}" rx="3" '
            f'width="{max(1.0, (end - start) * _WIDE):.1f}"/>'
            f'<line class="error" x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}"/>'
            f'<text x="{_LEFT + _WIDE + 10}" y="{middle + 5}">{found.mean:.3f} '
            f"({found.low:.2f}–{found.high:.2f})</text>"
        )
    return _svg(rows, len(held), f"{score} by arm")


def _heat(report: Report) -> str:
    """Return the heat map of types × arms, in the score that says most of this run."""
    score = next((each for each in MAIN if any(each in arm.scores for arm in report.arms)), "")
    if not score:
        return ""
    tables = {arm.name: arm.grouped("by_type") for arm in report.arms}
    kinds = sorted({kind for table in tables.values() for kind in table})
    head = "".join(f"<th>{escape(arm.name)}</th>" for arm in report.arms)
    body = "".join(
        f"<tr><th>{escape(kind)}</th>"
        + "".join(_cell(tables[arm.name].get(kind, {}).get(score), score) for arm in report.arms)
        + "</tr>"
        for kind in kinds
    )
    return (
        f"<h2>{escape(TITLES[score])}, by type of question</h2>"
        f'<div class="wide"><table><tr><th></th>{head}</tr>{body}</table></div>'
    )


def _cell(value: float | None, score: str) -> str:
    if value is None:
        return "<td></td>"
    least, most = SCALES.get(score, (0.0, 1.0))
    share = (value - least) / (most - least)
    return f'<td class="n" style="background: rgba(74,127,181,{share * 0.7:.2f})">{value:.2f}</td>'


def _stages(report: Report) -> str:
    """Return one bar an arm, parted by the stage at which questions failed."""
    rows = []
    for place, arm in enumerate(_arms(report)):
        top, left = place * (_BAR + _GAP), float(_LEFT)
        total = sum(arm.stages.values()) or 1
        rows.append(
            f'<text x="{_LEFT - 8}" y="{top + _BAR / 2 + 5}" text-anchor="end">'
            f"{escape(arm.name)}</text>"
        )
        for stage, count in arm.stages.items():
            width = (_WIDE + _RIGHT - 20) * count / total
            rows.append(
                f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="{_BAR}" '
                f'fill="{_STAGE_COLOURS[stage]}"><title>{escape(stage)}: {count}</title></rect>'
            )
            left += width
    shown = [stage for stage in Stage if any(stage in arm.stages for arm in _arms(report))]
    legend = "".join(
        f'<span class="swatch" style="background:{_STAGE_COLOURS[stage]}"></span>{escape(stage)}'
        for stage in shown
    )
    return f"<h2>Where it went wrong</h2><p>{legend}</p>" + _svg(
        rows, len(_arms(report)), "Stages by arm"
    )


def _silence(name: str, found: Silence) -> str:
    """Return what the clone does, and the curve of its threshold as lines."""
    low, high = found.curve[0].threshold, found.curve[-1].threshold
    high_of = 160.0

    def line(shares: Sequence[float | None], look: str) -> str:
        points = " ".join(
            f"{_LEFT + _WIDE * (each.threshold - low) / (high - low):.1f},{10 + high_of * (1 - share):.1f}"
            for each, share in zip(found.curve, shares, strict=True)
            if share is not None
        )
        return f'<polyline points="{points}" fill="none" stroke-width="2" {look}/>'

    lines = (
        (
            "answered, of what can be answered",
            [each.answered for each in found.curve],
            "#3a7d44",
            "",
        ),
        ("silent, of what can't be", [each.silent for each in found.curve], "#c44536", "8 5"),
        ("right, of the silences", [each.right for each in found.curve], "#7d5ba6", "2 4"),
    )
    drawn = "".join(
        line(shares, f'stroke="{ink}" stroke-dasharray="{dash}"') for _, shares, ink, dash in lines
    )
    ticks = "".join(
        f'<text x="{_LEFT - 8}" y="{15 + high_of * (1 - at / 4):.0f}" text-anchor="end">{at * 25} %</text>'
        for at in range(5)
    ) + "".join(
        f'<text x="{_LEFT + _WIDE * (at - low) / (high - low):.1f}" y="{high_of + 30:.0f}" '
        f'text-anchor="middle">{at:g}</text>'
        for at in (low, 0.5, 1.0, high)
    )
    legend = "".join(
        f'<span class="swatch" style="background:{ink}"></span>{escape(title)}'
        for title, _, ink, _ in lines
    )
    return (
        f"<h2>When it is silent: {escape(name)}</h2><p>{escape(said(found))}</p><p>{legend}</p>"
        f'<svg viewBox="0 0 {_LEFT + _WIDE + _RIGHT} {high_of + 40:.0f}" role="img" '
        f'aria-label="Shares over the threshold">{ticks}{drawn}</svg>'
    )


def _lives(report: Report) -> str:
    rows = "".join(
        f"<tr><td>{escape(f'{life.suite} {life.tier}'.strip())}</td><td>{escape(life.name)}</td>"
        f"<td>{escape(life.language)}</td><td class='n'>{life.traces}</td>"
        f"<td class='n'>{life.questions}</td><td>{escape(life.pin)}</td></tr>"
        for life in report.lives
    )
    notes = [f"{life.name}: {note}" for life in report.lives for note in life.notes]
    notes += [*report.run.facts.get("warnings", ()), *judge_notes(report)]
    notes += [f"{name}: {why}" for name, why in report.run.facts.get("failed_suites", {}).items()]
    return (
        '<div class="wide"><table><tr><th>Suite</th><th>Life</th><th>Language</th><th>Traces</th>'
        f"<th>Questions</th><th>File</th></tr>{rows}</table></div>"
        + "".join(f'<p class="soft">{escape(each)}</p>' for each in notes)
    )


def _made_with(report: Report) -> str:
    run = report.run
    facts = run.facts
    cut = sum(len(answer.cut) for arm in report.arms for answer in arm.answers)
    pairs: Iterable[tuple[str, object]] = (
        ("Reader", run.plan.reader),
        ("Traces given", run.plan.k),
        ("Traces cut to the reader's budget", cut),
        ("Answers", f"{run.done} of {run.total}"),
        ("Program", f"clone-app {facts['versions']['clone-app']}"),
        ("Embedder", f"{facts['embedder']['name']} {facts['embedder']['sha256']}"),
        *((f"Judging: {name}", told) for name, told in facts.get("judging", {}).items()),
        *((f"Reading: {name}", told) for name, told in facts.get("reading", {}).items()),
        ("Machine", f"{facts['versions']['system']}, {facts['machine']['cores']} cores"),
        ("Seed", run.plan.seed),
        ("Started", f"{run.started_at:%Y-%m-%d %H:%M} UTC"),
        *((f"SHA-256 of {life.name}", life.sha256) for life in report.lives),
    )
    rows = "".join(
        f"<tr><td>{escape(str(name))}</td><td>{escape(str(told))}</td></tr>" for name, told in pairs
    )
    return f'<h2>Made with</h2><div class="wide soft"><table>{rows}</table></div>'


def _svg(rows: Sequence[str], count: int, title: str) -> str:
    height = max(1, count) * (_BAR + _GAP)
    return (
        f'<svg viewBox="0 0 {_LEFT + _WIDE + _RIGHT} {height}" role="img" '
        f'aria-label="{escape(title)}"><title>{escape(title)}</title>{"".join(rows)}</svg>'
    )


def _arms(report: Report) -> list[ArmReport]:
    return [*report.arms, *([report.beside] if report.beside else [])]
