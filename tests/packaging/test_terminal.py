"""The sample life in the terminal: imported, asked, printed, and gone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from starting import shell, terminal


@pytest.fixture
def life(tmp_path: Path) -> Path:
    folder = tmp_path / "sample_life"
    folder.mkdir()
    (folder / "me.txt").write_text("# her addresses\nAda Example\n\nada@example.org\n")
    asked = [{"question": f"Question {n}?", "expects": []} for n in range(1, 6)]
    (folder / "questions.json").write_text(json.dumps(asked))
    return folder


def test_the_sample_life_is_imported_as_its_person(life: Path) -> None:
    assert terminal.import_command(["py"], life) == [
        *["py", "import", str(life)],
        *["--me", "Ada Example", "--me", "ada@example.org", "--json"],
    ]


@pytest.mark.parametrize("shape", [lambda asked: asked, lambda asked: {"questions": asked}])
def test_the_first_three_questions_are_asked(life: Path, shape: object) -> None:
    asked = ["One?", {"question": "Two?"}, "Three?", "Four?"]
    (life / "questions.json").write_text(json.dumps(shape(asked)))  # type: ignore[operator]
    assert terminal.sample_questions(life) == ["One?", "Two?", "Three?"]


def test_the_passphrase_is_another_each_time_and_easily_copied() -> None:
    made = {terminal.generated_passphrase() for _ in range(50)}
    assert len(made) == 50
    assert all(len(one.split("-")) == 5 and one.replace("-", "").isalpha() for one in made)


ANSWER = {
    "answer": "I moved in May. It was a joy.",
    "sentences": [
        {"text": "I moved in May.", "supported": True, "citations": ["b", "a"]},
        {"text": "It was a joy.", "supported": False, "citations": []},
    ],
    "sources": [
        {"key": "a", "when": "2023-05-04", "medium": "diary", "quote": "Moved\n\nat last."},
        {"key": "b", "when": None, "medium": "mail", "quote": "word " * 60},
    ],
    "abstained": False,
    "mode": "grounded",
    "model": "starter",
    "seconds": 2.34,
    "conversation": 1,
}


def test_an_answer_is_shown_with_its_numbered_sources_and_its_doubts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = terminal.shown_answer("When did you move?", ANSWER).splitlines()
    assert lines[0] == "> When did you move?"
    assert lines[2] == "  I moved in May. [1][2] It was a joy. (not in the sources)"
    assert lines[4:6] == ["  Sources:", "  [1] 2023-05-04, diary: “Moved at last.”"]
    assert lines[6].startswith("  [2] undated, mail: “word word")
    assert "word …”" in terminal.shown_answer("?", ANSWER)
    assert lines[-1] == "  (grounded, starter, 2.3 s)"
    assert max(map(len, lines)) <= 96


def test_each_quotation_has_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    quotes = [
        {"text": "In May I wrote: “Moved\nat   last.”", "supported": True, "citations": ["a"]},
        {"text": "In June I wrote: “It rained.”", "supported": True, "citations": []},
    ]
    shown = terminal.shown_answer(
        "?", {**ANSWER, "mode": "quote", "model": "", "sentences": quotes}
    ).splitlines()
    assert shown[2:4] == [
        "  In May I wrote: “Moved at last.” [1]",
        "  In June I wrote: “It rained.”",
    ]
    assert shown[-1] == "  (quote, no model was asked, 2.3 s)"


def test_a_moment_is_shown_to_the_minute() -> None:
    source = {"key": "a", "when": "2024-02-07T08:58:30+00:00", "medium": "mail", "quote": "Hello."}
    shown = terminal.shown_answer("?", {**ANSWER, "sources": [source]})
    assert "  [1] 2024-02-07 08:58, mail: “Hello.”\n" in shown


def test_an_abstention_is_shown_with_the_nearest_finds() -> None:
    reply = {**ANSWER, "answer": "I never wrote about that.", "sentences": [], "abstained": True}
    shown = terminal.shown_answer("Your smartphone?", reply)
    assert "  I never wrote about that.\n" in shown
    assert "Nearest finds:" in shown
    assert "not in the sources" not in shown


PROGRAM = """
import json, os, pathlib, sys
home = pathlib.Path(os.environ["CLONE_APP_HOME"])
home.mkdir(exist_ok=True)
keyring = os.environ["PYTHON_KEYRING_BACKEND"]
with open(NOTES, "a") as notes:
    print(json.dumps([sys.argv[1:], str(home), os.environ["CLONE_APP_PASSPHRASE"], keyring]),
          file=notes)
if sys.argv[1] == "import":
    print(json.dumps({"seen": 42, "added": 41}))
elif FAILING:
    sys.exit("The model can't be found. Install it again.")
else:
    print(json.dumps(ANSWER))
"""


def program(folder: Path, *, failing: bool = False) -> list[str]:
    values = f"NOTES, FAILING, ANSWER = {str(folder / 'notes')!r}, {failing}, {ANSWER!r}\n"
    script = folder / "program.py"
    script.write_text(values + PROGRAM)
    return [sys.executable, str(script)]


@pytest.fixture
def _own_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal.signal, "signal", lambda *_: None)


@pytest.mark.usefixtures("_own_signals")
def test_without_a_display_the_sample_life_is_imported_and_asked_in_a_profile_that_goes(
    life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert terminal.show_in_terminal(program(tmp_path), life) == 0
    notes = [json.loads(line) for line in (tmp_path / "notes").read_text().splitlines()]
    assert [arguments[0] for arguments, *_ in notes] == ["import", "ask", "ask", "ask"]
    assert [arguments[1] for arguments, *_ in notes[1:]] == [f"Question {n}?" for n in (1, 2, 3)]
    homes, passphrases, keyrings = ({note[place] for note in notes} for place in (1, 2, 3))
    assert len(homes) == len(passphrases) == 1
    assert keyrings == {"keyring.backends.fail.Keyring"}
    assert not Path(homes.pop()).parent.exists()
    shown = capsys.readouterr().out
    assert f"Its passphrase: {passphrases.pop()}" in shown
    assert "41 of 42 items are in memory now." in shown
    assert shown.count("  Sources:") == 3
    assert "To see the window" in shown


@pytest.mark.usefixtures("_own_signals")
def test_a_fault_of_the_program_ends_the_show_and_the_profile_goes_all_the_same(
    life: Path, tmp_path: Path
) -> None:
    with pytest.raises(shell.Refusal, match="ended with code 1"):
        terminal.show_in_terminal(program(tmp_path, failing=True), life)
    home = json.loads((tmp_path / "notes").read_text().splitlines()[0])[1]
    assert not Path(home).parent.exists()
