"""The command line: every use-case, JSON as promised, one sentence for the world's faults."""

from __future__ import annotations

import functools
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clone_app import cli
from clone_app.app import App
from clone_app.cli import commands, state
from clone_app.cli.asking import print_answer
from clone_app.entries import Answer, Mode, Sentence
from clone_app.errors import ModelError
from clone_app.importers import IMPORTERS
from clone_app.keys import MemoryVault
from clone_app.models.fakes import FakeChat, FakeModels

DIARY = """## 2024-03-01

We moved house today. Robin broke the blue lamp.

## 2024-04-02

I regret the move. The flat by the harbour is cold.
"""


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    path = tmp_path / "diary.md"
    path.write_text(DIARY)
    return path


def test_import_reports_in_items_and_counts_add_up(run: Any, diary: Path) -> None:
    report = run("import", diary, "--json").json
    assert report == {
        "files": 1,
        "seen": 2,
        "added": 2,
        "updated": 0,
        "unchanged": 0,
        "duplicates": 0,
        "undated": 0,
        "mine": 2,
        "problems": [],
        "skipped": [],
        "vectors_pending": 0,
    }
    again = run("import", diary, "--json").json
    assert (again["added"], again["updated"], again["unchanged"]) == (0, 0, 2)


def test_without_vectors_the_text_is_searchable_and_the_rest_is_made_up_for(
    run: Any, diary: Path
) -> None:
    assert run("import", diary, "--no-vectors", "--json").json["vectors_pending"] == 2
    assert run("search", "blue lamp", "--json").json[0]["when"] == "2024-03-01"
    assert run("doctor", "--json").json["vectors pending"] == 0


def test_items_have_the_promised_form_and_half_open_days(run: Any, diary: Path) -> None:
    run("import", diary)
    found = run("items", "--json", "--since", "2024-03-01", "--until", "2024-04-02").json
    assert len(found) == 1
    item = found[0]
    assert item["medium"] == "diary"
    assert (item["when"], item["precision"]) == ("2024-03-01", "day")
    assert item["mine"] is True
    assert item["text"] == "We moved house today. Robin broke the blue lamp."
    assert item["key"].startswith("diary:2024-03-01:")
    assert item["locator"].startswith("diary.md")
    assert {"id", "author", "title"} <= set(item)
    assert len(run("items", "--json").json) == 2
    assert len(run("items", "--json", "--limit", 1).json) == 1
    assert run("items", "--json", "--medium", "mail").json == []


def test_search_and_ask_have_the_promised_form(run: Any, diary: Path) -> None:
    run("import", diary)
    hit = run("search", "blue lamp", "-k", 1, "--json").json[0]
    assert set(hit) == {"key", "when", "medium", "score", "passage"}
    answer = run("ask", "Who broke the blue lamp?", "--json").json
    assert {"answer", "sentences", "sources", "abstained", "mode", "model", "seconds"} <= set(
        answer
    )
    assert answer["mode"] in ("quote", "grounded", "free", "none")
    assert answer["sources"][0].keys() == {"key", "when", "medium", "quote"}
    keys = {source["key"] for source in answer["sources"]}
    for sentence in answer["sentences"]:
        assert set(sentence["citations"]) <= keys
    more = run("ask", "And the flat?", "--conversation", answer["conversation"], "--json").json
    assert more["conversation"] == answer["conversation"]


def test_at_hides_what_came_later(run: Any, diary: Path) -> None:
    run("import", diary)
    before = run("search", "flat by the harbour", "--at", "2024-04-01", "--json").json
    assert {hit["when"] for hit in before} == {"2024-03-01"}
    found = run("search", "flat by the harbour", "--at", "2024-04-02", "--json").json
    assert [hit["when"] for hit in found][:1] == ["2024-04-02"]


def test_a_source_can_be_taken_out_again(run: Any, diary: Path) -> None:
    run("import", diary)
    source = run("sources", "--json").json[0]
    assert (source["importer"], source["items"], source["problems"]) == ("diary", 2, 0)
    assert run("sources", "remove", source["id"], "--json").json == {"removed": 2}
    assert run("items", "--json").json == []
    gone = run("sources", "remove", source["id"])
    assert gone.code == 1
    assert "sources" in gone.err


def test_the_profile_can_stand_before_or_after_the_command(
    run: Any, diary: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    run("--profile", elsewhere, "import", diary)
    assert len(run("items", "--json", "--profile", elsewhere).json) == 2
    assert len(run("--profile", elsewhere, "sources", "--json").json) == 1
    assert len(run("sources", "--profile", elsewhere, "--json").json) == 1
    assert run("items").code == 1


@pytest.mark.parametrize("words", [["items"], ["search", "x"], ["ask", "x"], ["sources"]])
def test_reading_without_a_profile_says_how_to_make_one(run: Any, words: list[str]) -> None:
    ran = run(*words)
    assert ran.code == 1
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert "import" in ran.err


def test_the_worlds_faults_are_one_sentence_and_code_1(
    run: Any, diary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("import", diary)
    nothing = tmp_path / "nothing.bin"
    nothing.write_bytes(bytes(range(256)) * 9)
    faults = [run("import", nothing), run("import", tmp_path / "nowhere")]
    faults.append(run("search", "x", "--at", "yesterday"))
    faults.append(run("import", diary, "--as", "nonsense"))
    monkeypatch.setenv("CLONE_APP_PASSPHRASE", "wrong horse battery")
    faults.append(run("items"))
    monkeypatch.delenv("CLONE_APP_PASSPHRASE")
    faults.append(run("items"))
    for ran in faults:
        assert ran.code == 1
        assert ran.out == ""
        assert ran.err.count("\n") == 1
        assert "Traceback" not in ran.err


@pytest.mark.parametrize("words", [["items", "--limit", "x"], ["nonsense"], ["search"], ["ask"]])
def test_wrong_usage_is_code_2(run: Any, words: list[str]) -> None:
    assert run(*words).code == 2


def test_help_names_every_source(run: Any) -> None:
    said = run("import", "--help").out
    for importer in IMPORTERS:
        assert importer.name in said
        assert importer.title in said


def test_settings_are_listed_and_set(run: Any, diary: Path) -> None:
    run("import", diary)
    assert run("settings", "answer_style", "quotes", "--json").json == {"answer_style": "quotes"}
    assert run("settings", "--json").json["answer_style"] == "quotes"
    assert run("settings", "answer_style", "poetry").code == 2
    assert run("settings", "nonsense").code == 2


def test_text_for_people_names_the_sources_too(run: Any, diary: Path) -> None:
    run("import", diary)
    said = run("ask", "Who broke the blue lamp?").out
    assert "[1]" in said
    assert "2024-03-01" in said
    assert "blue lamp" in run("search", "blue lamp").out
    assert "2024-03-01" in run("items").out
    assert "diary.md" in run("sources").out


def test_a_quotation_of_several_lines_stays_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    said = Sentence("On 1 March 2024 I wrote: “It broke\nat\u00a0the\r\n  neck.”", True, ())
    print_answer(
        Answer(
            question="",
            text="",
            sentences=(said,),
            sources=(),
            mode=Mode.QUOTE,
            model="",
            seconds=0.0,
        )
    )
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("On 1 March 2024 I wrote: “It broke at the neck.”")


@pytest.mark.parametrize("day", ["foo", "2024-3-2", "2024-02-30", "2024-03-02T10:00"])
def test_what_is_no_day_is_wrong_usage_and_never_an_empty_list(
    run: Any, diary: Path, day: str
) -> None:
    run("import", diary)
    for option in ("--since", "--until"):
        ran = run("items", option, day, "--json")
        assert ran.code == 2
        assert "is not a day" in ran.err


def test_a_month_or_a_year_stands_for_its_first_day(run: Any, diary: Path) -> None:
    run("import", diary)
    assert len(run("items", "--json", "--since", "2024-04").json) == 1
    assert len(run("items", "--json", "--until", "2024-04").json) == 1
    assert len(run("items", "--json", "--since", "2024", "--until", "2025").json) == 2


def test_bytes_that_are_no_text_do_no_harm_in_a_question_or_a_path(
    run: Any, tmp_path: Path, diary: Path
) -> None:
    odd = tmp_path / os.fsdecode(b"dir\xff")
    try:
        odd.mkdir()
    except OSError:
        pytest.skip("this file system takes only text as names")
    assert run("import", shutil.copy(diary, odd)).code == 0
    assert "dir" in run("sources", "--json").json[0]["path"]
    for command in ("ask", "search"):
        assert run(command, os.fsdecode(b"the blue \xff lamp"), "--json").code == 0


def test_an_index_that_was_lost_is_made_again_before_a_search(
    run: Any, diary: Path, tmp_path: Path
) -> None:
    run("import", diary)
    before = run("search", "harbour", "--json").json
    shutil.rmtree(tmp_path / "profile" / "index")
    assert run("search", "harbour", "--json").json == before
    assert (tmp_path / "profile" / "index").is_dir()


def test_what_is_wrong_with_the_model_is_said_with_the_answer(
    run: Any, diary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: int) -> None:
        raise ModelError("The model is broken. Choose another.")

    run("import", diary)
    models = FakeModels(chat=FakeChat(before_word=broken))
    made = functools.partial(App, shelf=models, vault=MemoryVault(working=False))
    for place in (commands, state):
        monkeypatch.setattr(place, "App", made)
    assert "Choose another" in run("ask", "Who broke the blue lamp?", "--json").json["note"]
    assert "Choose another" in run("ask", "Who broke the blue lamp?").out


def test_a_file_that_is_no_model_is_not_set(run: Any, diary: Path, tmp_path: Path) -> None:
    run("import", diary)
    for path in (diary, tmp_path, tmp_path / "nowhere.gguf"):
        ran = run("settings", "chat_model", path)
        assert ran.code == 1
        assert ran.err.count("\n") == 1
    assert run("settings", "chat_model", "--json").json == {"chat_model": ""}


def test_a_profile_that_is_a_file_is_a_sentence(run: Any, diary: Path) -> None:
    assert "no profile" in run("items", "--profile", diary).err
    ran = run("import", diary, "--profile", diary)
    assert ran.code == 1
    assert "choose another folder" in ran.err


def test_a_terminal_that_lacks_letters_shows_their_numbers(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "2024-03-01.md").write_text("Sparks \u2728 over \u65e5\u672c.")
    run("import", tmp_path / "2024-03-01.md")
    for words in (["items", "--json"], ["items"]):
        out = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", out)
            patched.setattr(sys, "argv", ["clone-app", *words])
            cli.main()
        out.seek(0)
        said = out.read()
        assert "\\u2728" in said
        if "--json" in words:
            assert "\u2728" in json.loads(said)[0]["text"]


def test_closed_error_output_is_no_error(
    run: Any, diary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("import", diary)
    monkeypatch.setattr(sys, "stderr", None)
    assert run("ask", "Who broke the blue lamp?", "--json").code == 0


def test_a_reader_that_has_gone_is_no_error_and_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "clone_app", "settings", "--profile", str(tmp_path / "profile")]
    reader, writer = os.pipe()
    os.close(reader)
    gone = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (gone.returncode, gone.stderr) == (0, "")
    if not Path("/dev/full").exists():
        pytest.skip("this system has no disk that is always full")
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.count("\n") == 1
    assert "No space left" in ran.stderr


def test_importing_what_is_not_there_makes_no_profile(run: Any, tmp_path: Path) -> None:
    ran = run("import", tmp_path / "nowhere")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert not (tmp_path / "profile").exists()


def test_importing_what_nobody_reads_makes_no_profile(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    ran = run("import", tmp_path / "a.json")
    assert ran.code == 1
    assert "of a kind this program reads" in ran.err
    assert not (tmp_path / "profile").exists()


def test_an_answer_to_no_question_makes_no_profile_and_lists_what_is_asked(
    run: Any, diary: Path, tmp_path: Path
) -> None:
    orders = "day/month/year, month/day/year, year/month/day, year/day/month"
    for answer, says in (
        (
            "whatsapp.order=sideways",
            f"“sideways” is no answer to whatsapp.order. Choose one of these: {orders}.",
        ),
        (
            "whatsapp.zone=UTC",
            "No source asks “whatsapp.zone”. Answer one of these: whatsapp.order.",
        ),
    ):
        ran = run("import", diary, "--answer", answer)
        assert ran.code == 1
        assert says in ran.err
        assert not (tmp_path / "profile").exists()
    run("import", diary)
    assert "no answer to" in run("import", diary, "--answer", "whatsapp.order=sideways").err


def test_a_folder_that_holds_the_profile_is_imported_without_it(
    run: Any, diary: Path, tmp_path: Path
) -> None:
    run("import", diary)
    report = run("import", tmp_path, "--json").json
    assert report["skipped"] == [{"locator": "profile", "reason": "this program's own memory"}]
    assert report["problems"] == []
    refused = run("import", tmp_path / "profile")
    assert refused.code == 1
    assert "belongs to this program's own memory" in refused.err


def test_the_doctor_names_a_damaged_database_among_the_rest(
    run: Any, diary: Path, tmp_path: Path
) -> None:
    run("import", diary)
    base = tmp_path / "profile" / "memory.db"
    base.write_bytes(b"x" * base.stat().st_size)
    found = run("doctor", "--json").json
    assert "damaged" in found["database"]
    assert found["versions"]["clone-app"]
