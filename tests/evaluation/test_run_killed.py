"""kill -9 anywhere in a run loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from clone_app.app import App
from clone_app.evaluation.report import report_json
from clone_app.evaluation.runs import State
from clone_app.progress import Progress

from .conftest import PASSPHRASE, Writer, figures, life, new_app, plan

# One process imports the program and forks for every kill, which saves seconds each time. lancedb has
# threads and is imported after the fork.
NURSERY = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from clone_app.app import App
from clone_app.app.evaluating import RETRIEVING, Plan
from clone_app.evaluation.runs import Runs
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeEmbedder, FakeModels
from clone_app.progress import Progress

home, suite, passphrase = sys.argv[1:]

def dying(method, left):
    def counted(*arguments, **more):
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return method(*arguments, **more)
    return counted

def work(owner, place, left):
    setattr(owner, place, dying(getattr(owner, place), left))
    app = App(Path(home), now=lambda: datetime(2026, 1, 1, tzinfo=UTC), shelf=FakeModels(),
              vault=MemoryVault(working=False))
    app.unlock(passphrase)
    runs = app.runs()
    run = runs[0].id if runs else app.begin_run(Plan(suites=(suite,), arms=RETRIEVING, k=3))
    app.continue_run(run, Progress())

# While passages, then whole traces, are embedded; before the first, second, third question is kept.
for owner, place, left in (
    (FakeEmbedder, "embed", 1), (FakeEmbedder, "embed", 2),
    (Runs, "keep", 1), (Runs, "keep", 2), (Runs, "keep", 2),
):
    child = os.fork()
    if not child:
        work(owner, place, left)
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""


@pytest.mark.timeout(240)
def test_killed_at_five_points_a_run_ends_with_the_same_report(
    tmp_path: Path, life_file: Writer
) -> None:
    path = life_file(life())
    unbroken = new_app(tmp_path / "unbroken")
    whole = figures(report_json(unbroken.evaluate(plan(path), Progress())))
    unbroken.close()
    home = tmp_path / "home"
    new_app(home).close()
    died = subprocess.run(
        [sys.executable, "-c", NURSERY, str(home), str(path), PASSPHRASE],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
    )
    assert died.stdout.split() == [str(int(signal.SIGKILL))] * 5, died.stderr
    app = App(home, shelf=unbroken._given_shelf, vault=unbroken._vault, now=unbroken._now)
    app.unlock(PASSPHRASE)
    (row,) = app.runs()
    assert row.state is State.RUNNING
    assert app.running_run() is None
    assert 0 < row.done < row.total
    assert figures(report_json(app.continue_run(row.id, Progress()))) == whole
    app.close()
