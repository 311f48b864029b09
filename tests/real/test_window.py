"""The window with the real starter models, as a process of its own, driven from inside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.real,
    pytest.mark.timeout(600),
    pytest.mark.usefixtures("starter_models"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc"),
]

SCRIPT = '''
import json, os, pathlib, signal, sys, time

from PySide6.QtWidgets import QApplication

from clone_app.entries import Dial
from clone_app.ui import theme
from clone_app.ui.main import build_app
from clone_app.ui.window import Window

NEVER = ("torch", "llama_cpp", "sentence_transformers")


def children():
    """Return the processes that have this one for a parent, but Python's own resource tracker."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                line = (entry / "cmdline").read_text()
            except (OSError, IndexError):
                continue
            if parent == os.getpid() and "resource_tracker" not in line:
                found.append(int(entry.name))
    return found


def until(so, seconds=180.0):
    deadline = time.monotonic() + seconds
    while not so():
        if time.monotonic() > deadline:
            raise SystemExit(f"not within {seconds} s: {told}")
        application.processEvents()
        time.sleep(0.002)


def drafted(turn):
    return lambda: not turn.view.is_blank() or turn.answer is not None


told = {}
application = QApplication([])
theme.apply(application, theme="light", text_size=100)
window = Window(
    home=pathlib.Path(sys.argv[1]),
    build=lambda home: build_app(home, throw_away=True),
    sample=True,
)
window.show()
until(lambda: window.frame is not None)
until(lambda: window.app.count_items(medium="diary", since="2024-03-02", until="2024-03-03"))
chat = window.frame.pages["chat"]
chat.dial.choose(Dial.FREE)  # the starter model would leave it to quotations

chat.ask("What happened to the green sofa on moving day?")
told["asked_while_working"] = [job.title for job in window.jobs.active() if job.title]
until(lambda: chat.job is None)
first = chat.transcript.turns[0]
told["first"] = {
    "answer": first.view.plain(),
    "fault": first.fault.text(),
    "sources": [card.source.moment.iso()[:10] for card in chat.sources.cards],
}
until(lambda: not window.jobs.active())

chat.new_conversation()
chat.ask("Why did you resign in the end?")
turn = chat.transcript.turns[0]
until(lambda: bool(turn.sources))  # the prompt is being read now
begun = time.monotonic()
chat.stop()
until(lambda: chat.job is None)
told["stopped_within"] = time.monotonic() - begun

chat.new_conversation()
chat.ask("Who is Hazel and how did you meet her?")
turn = chat.transcript.turns[0]
until(lambda: bool(turn.sources))
for number in children():
    os.kill(number, signal.SIGKILL)
until(lambda: chat.job is None)
told["killed"] = {
    "question": turn.question,
    "fault": turn.fault.text(),
    "button": turn.button.text() if turn.button.isVisible() else "",
}
if told["killed"]["button"]:
    turn.button.click()
    until(lambda: chat.job is None)
    turn = chat.transcript.turns[-1]
    told["restarted"] = {
        "question": turn.question,
        "answer": turn.view.plain(),
        "fault": turn.fault.text(),
    }

for name in ("memories", "import", "preferences"):
    window.frame.go(name)
window.frame.pages["preferences"].check.click()
until(lambda: not window.jobs.active())
told["loaded"] = [name for name in NEVER if name in sys.modules]
told["children"] = len(children())
window.close()
application.exec()
until(lambda: not children(), 10)
told["ended_well"] = window.ended_well
print(json.dumps(told))
'''


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What one window told of a session: import, ask, stop, kill, restart, close."""
    place = tmp_path_factory.mktemp("window")
    script = place / "drive.py"
    script.write_text(SCRIPT, "utf-8")
    run = subprocess.run(
        [sys.executable, str(script), str(place / "profile")],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=580,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def test_the_sample_life_answers_with_the_entry_among_its_sources(told: dict[str, Any]) -> None:
    assert told["first"]["answer"]
    assert told["first"]["fault"] == ""
    assert "2024-03-02" in told["first"]["sources"]


def test_stop_ends_an_answer_within_half_a_second_while_the_prompt_is_read(
    told: dict[str, Any],
) -> None:
    assert told["stopped_within"] < 0.5


def test_killing_the_models_leaves_the_window_with_a_sentence_and_a_restart(
    told: dict[str, Any],
) -> None:
    assert told["killed"]["question"] == "Who is Hazel and how did you meet her?"
    assert told["killed"]["fault"]
    assert told["killed"]["button"] == "Restart and ask again"
    assert told["restarted"]["question"] == told["killed"]["question"]
    assert told["restarted"]["answer"]
    assert told["restarted"]["fault"] == ""


def test_the_windows_process_never_loads_what_the_models_run_on(told: dict[str, Any]) -> None:
    assert told["children"] >= 1
    assert told["loaded"] == []


def test_closing_ends_the_models_processes(told: dict[str, Any]) -> None:
    assert told["ended_well"]
