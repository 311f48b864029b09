"""Benchmarks as they are published, and what is said of files that can't be trusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from clone_app.errors import CloneAppError
from clone_app.evaluation.suites import Pin
from clone_app.evaluation.suites.clonemem import read_life
from clone_app.evaluation.suites.opening import open_suite
from clone_app.evaluation.suites.pins import CLONEMEM

from .conftest import life

Writer = Callable[..., Path]


def test_a_clonemem_question_keeps_all_it_is_scored_by(life_file: Writer) -> None:
    read = read_life(life_file(life()))
    assert (read.suite, read.name, read.id) == ("clonemem", "Ada Quill (0000-qui)", "0000-quill")
    assert (read.language, read.tier, read.pin) == ("en", "100k", Pin.OTHER)
    second = read.questions[1]
    assert second.statements == (frozenset({"t2"}), frozenset({"t6"}))
    assert second.evidence == ("s t2", "s t6")
    assert second.asked_at == datetime(2024, 6, 1)  # the Z means nothing
    assert second.correct == "A"
    assert [each for each, _ in second.choices] == list("ABCDE")
    assert second.answer == "The cello lessons in the old mill."
    assert read.questions[2].kind == "inference"  # spelt inferential


def test_a_missing_option_gives_the_answer_away(life_file: Writer) -> None:
    asked = read_life(life_file(life())).questions
    assert [each.leaks for each in asked] == [False, False, False, True]
    assert [each.unanswerable for each in asked] == [False, False, False, True]
    assert {each.abstaining for each in asked} == {"E"}


def test_older_names_of_fields_are_read(life_file: Writer) -> None:
    whole = life()
    whole["questions"] = whole.pop("qa_items")
    for each, name in zip(whole["questions"], ("media_ids", "related_media_id"), strict=False):
        for statement in each["evidence"]:
            statement[name] = statement.pop("digital_trace_ids")
    assert [each.gold for each in read_life(life_file(whole)).questions[:2]] == [
        {"t1"}, {"t2", "t6"},
    ]  # fmt: skip


def test_a_question_without_evidence_is_kept(life_file: Writer) -> None:
    whole = life()
    whole["qa_items"][0]["evidence"] = []
    assert read_life(life_file(whole)).questions[0].gold == frozenset()


def test_a_question_before_every_trace_is_kept_and_named(life_file: Writer) -> None:
    assert read_life(life_file(life())).notes == (
        "Asked before every trace, so nothing can be found: q3.",
    )


def test_ten_official_files_are_known() -> None:
    assert len(CLONEMEM) == 10
    assert sorted(CLONEMEM.values()) == ["100k"] * 3 + ["500k"] * 7


def test_no_pin_is_known_for_chinese_files(life_file: Writer) -> None:
    assert read_life(life_file(life(), "ada_benchmark_zh.json")).pin is Pin.NONE


def spoil(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    whole = life()
    change(whole)
    return whole


@pytest.mark.parametrize(
    ("whole", "said"),
    [
        (
            spoil(lambda each: each["qa_items"][0]["evidence"][0].update(digital_trace_ids=["t9"])),
            "Question q1 rests on trace t9, which ada_0000_benchmark_en.json doesn't hold.",
        ),
        (
            spoil(lambda each: each["context"].append(dict(each["context"][0]))),
            "Trace t4 occurs twice",
        ),
        (
            spoil(lambda each: each["qa_items"].append(dict(each["qa_items"][0]))),
            "Question q1 occurs twice",
        ),
        (spoil(lambda each: each.update(context=[])), "holds no traces of a life"),
        (spoil(lambda each: each.update(qa_items=[])), "holds no questions"),
        (
            spoil(lambda each: each["qa_items"][0].update(correct_choice_id="Z")),
            "The right option of question q1 (Z) is not among its options",
        ),
        (spoil(lambda each: each["qa_items"][0].pop("question_time")), "question_time"),
        (spoil(lambda each: each.pop("person_id")), "person_id"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused_in_a_sentence(
    life_file: Writer, whole: dict[str, Any], said: str
) -> None:
    with pytest.raises(CloneAppError) as fault:
        open_suite(str(life_file(whole)), {})
    assert said in str(fault.value)
    assert str(fault.value).endswith("Download it again from the benchmark's release.".lower()[1:])


@pytest.mark.parametrize("share", [0.05, 0.5, 0.99])
def test_a_truncated_file_is_refused_in_a_sentence(life_file: Writer, share: float) -> None:
    path = life_file(life())
    text = path.read_text()
    path.write_text(text[: int(len(text) * share)])
    with pytest.raises(CloneAppError, match=r"truncated|cut short"):
        open_suite(str(path), {})


def test_another_form_is_refused_with_what_is_known(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"rows": []}')
    with pytest.raises(CloneAppError, match="Give the path of a CloneMem file"):
        open_suite(str(path), {})


def test_a_name_that_leads_nowhere_lists_the_names(tmp_path: Path) -> None:
    with pytest.raises(CloneAppError, match="or a name: sample"):
        open_suite("nowhere", {"sample": tmp_path})


def test_a_folder_is_all_its_lives_and_a_bad_one_fails_it(life_file: Writer) -> None:
    one = life_file(life())
    other = life() | {"person_id": "1111-quill"}
    life_file(other, "bea_1111_benchmark_en.json")
    (one.parent / "SHA256SUMS").write_text("0 x\n")
    assert [each.id for each in open_suite(str(one.parent), {}).lives] == [
        "0000-quill",
        "1111-quill",
    ]
    other["context"] = []
    life_file(other, "bea_1111_benchmark_en.json")
    with pytest.raises(CloneAppError, match="bea_1111"):
        open_suite(str(one.parent), {})


def phone(folder: Path) -> Path:
    """A LifeBench user of two messages and two questions, one with an id that doesn't exist."""
    for name, rows in {
        "sms": [
            {"phone_id": 1, "datetime": "2025-01-03 10:00:00", "contactName": "Zhang Wei",
             "message_content": "Shall we shoot on Sunday?", "message_type": "Receive"},
        ],
        "note": [
            {"phone_id": 1, "datetime": "2025-02-03 10:00:00", "title": "Range", "content": "Loud."},
        ],
    }.items():  # fmt: skip
        path = folder / "phone_data" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(rows))
    asked = [
        {"question": "Who proposed it?", "answer": "Zhang Wei.", "ask_time": "2025-01",
         "score_points": [{"description": "Names Zhang Wei.", "score": 5}],
         "question_type": "Information Extraction",
         "evidence": [{"type": "sms", "id": "1"}, {"type": "call", "id": 7}]},
        {"question": "How was it?", "answer": "B", "ask_time": "2025-02",
         "options": [{"option": "A", "content": "Quiet"}, {"option": "B", "content": "Loud"}],
         "question_type": "Unanswerable"},
    ]  # fmt: skip
    (folder / "QA").mkdir()
    (folder / "QA" / "QA_clean.json").write_text(json.dumps(asked))
    return folder


def test_a_lifebench_user_has_options_or_points_and_counts_what_is_missing(tmp_path: Path) -> None:
    phone(tmp_path / "en" / "lu")
    (read,) = open_suite(str(tmp_path), {}).lives
    first, second = read.questions
    assert (read.suite, read.id, read.language, read.pin) == ("lifebench", "lu", "en", Pin.NONE)
    assert first.statements == (frozenset({"sms:1"}),)  # ids are int here and text there
    assert first.dropped == 1
    assert first.points == (("Names Zhang Wei.", 5.0),)
    assert first.asked_at.isoformat(timespec="hours") == "2025-01-31T23"
    assert second.choices == (("A", "Quiet"), ("B", "Loud"))
    assert (second.correct, second.unanswerable, second.gold) == ("B", True, frozenset())
    assert read.notes == ("1 evidence ids of 1 questions are not in the data and are left out.",)
    assert len(read.sha256) == 64


def test_a_damaged_lifebench_folder_is_refused_in_a_sentence(tmp_path: Path) -> None:
    folder = phone(tmp_path / "lu")
    (folder / "QA" / "QA_clean.json").write_text('[{"question": "Who')
    with pytest.raises(CloneAppError, match="is not a LifeBench user's folder"):
        open_suite(str(folder), {})
