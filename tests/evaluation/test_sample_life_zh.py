"""The Chinese sample life: coherent to the day, fair as a benchmark, the same in both its forms."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections import Counter
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from clone_app.entries import Item

ROOT = Path(__file__).resolve().parents[2]
WEEKDAYS = "一二三四五六日"
TYPES = {
    "single_point_factual", "comparison", "trajectory", "pattern", "causal", "counterfactual",
    "inference", "unanswerable",
}  # fmt: skip
# Solar terms by the sun's longitude, lunar feasts by the new moons, both on Beijing's clock.
FEASTS = {
    "春分": ("2024-03-20", "2025-03-20"), "清明": ("2024-04-04", "2025-04-04"),
    "谷雨": ("2024-04-19", "2025-04-20"), "立夏": ("2024-05-05",),
    "小满": ("2024-05-20", "2025-05-21"), "端午": ("2024-06-10", "2025-05-31"),
    "夏至": ("2024-06-21",), "立秋": ("2024-08-07",), "七夕": ("2024-08-10",),
    "中元": ("2024-08-18",), "中秋": ("2024-09-17",), "重阳": ("2024-10-11",),
    "立冬": ("2024-11-07",), "大雪": ("2024-12-06",), "冬至": ("2024-12-21",),
    "腊八": ("2025-01-07",), "除夕": ("2025-01-28",), "春节": ("2025-01-29",),
    "元宵": ("2025-02-12",), "母亲节": ("2024-05-12", "2025-05-11"),
}  # fmt: skip
# Sundays worked for a longer holiday, as the State Council set them.
WORKED = {"2024-04-07", "2024-04-28", "2024-09-29", "2025-01-26", "2025-04-27"}


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    path = ROOT / "packaging" / "sample_life_zh.py"
    spec = importlib.util.spec_from_file_location("sample_life_zh_builder", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def items(builder: ModuleType) -> list[Item]:
    return list(builder.read_items())


@pytest.fixture(scope="module")
def life(builder: ModuleType) -> dict[str, Any]:
    return dict(json.loads(builder.BUILT.read_text("utf-8")))


@pytest.fixture(scope="module")
def asked(builder: ModuleType) -> list[dict[str, Any]]:
    return list(json.loads((builder.LIFE / "questions.json").read_text("utf-8")))


@pytest.fixture(scope="module")
def days(items: list[Item]) -> dict[date, str]:
    """The first line of each diary day: weekday, feast, weather."""
    diary = (one for one in items if one.medium == "diary")
    return {day: one.text.split("\n", 1)[0] for one in diary if (day := one.moment.day())}


def _when(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_the_committed_file_is_what_the_builder_makes_of_the_exports(builder: ModuleType) -> None:
    assert builder.BUILT.read_text("utf-8") == builder.written()
    assert builder.main(["--check"]) == 0


def test_it_is_small_enough_to_ship(builder: ModuleType) -> None:
    files = (path for path in builder.LIFE.rglob("*") if path.is_file())
    assert sum(path.stat().st_size for path in files) < 250_000


def test_it_holds_a_life_of_fifteen_months_in_four_kinds_of_export(
    life: dict[str, Any], items: list[Item]
) -> None:
    media = Counter(trace["medium"] for trace in life["context"])
    assert media == {"diary": 70, "email": 16, "chat_private": 14, "calendar_event": 14}
    dates = [_when(trace["event_date"]) for trace in life["context"]]
    assert dates == sorted(dates)
    assert dates[-1] - dates[0] > timedelta(days=14 * 30.5)
    assert max(later - earlier for earlier, later in pairwise(dates)) < timedelta(days=16)
    assert {one.author for one in items if one.medium == "chat"} == {"砚秋", "阮青"}
    assert all(one.mine == (one.author == "砚秋") for one in items if one.medium == "chat")


def test_one_mail_is_in_gb18030_and_reads_like_the_others(
    builder: ModuleType, items: list[Item]
) -> None:
    raw = (builder.LIFE / "exports" / "mail.mbox").read_bytes()
    with pytest.raises(UnicodeDecodeError):
        raw.decode("utf-8")
    assert raw.count(b"charset=GB18030") == 1
    mail = next(one for one in items if one.title == "戴师傅荣退，聚一下")
    assert "戴师傅说不要花，花有味道" in mail.text
    assert mail.author.startswith("邵一鸣")
    assert not any("\ufffd" in one.text + one.title + one.author for one in items)


def test_every_diary_day_names_its_true_weekday(days: dict[date, str]) -> None:
    for day, head in days.items():
        assert head.startswith(f"星期{WEEKDAYS[day.weekday()]}"), (day, head)


def test_every_weekday_named_beside_a_date_is_true(items: list[Item]) -> None:
    found = 0
    for one in items:
        written = one.moment.day()
        assert written
        named = re.finditer(r"(?:(\d+)月)?(\d+)日（(?:星期|周)(.)）", one.text)
        for month, day, weekday in (match.groups() for match in named):
            meant = written.replace(month=int(month or written.month), day=int(day))
            assert WEEKDAYS[meant.weekday()] == weekday, (one.locator, meant)
            found += 1
    assert found >= 3


def test_feasts_and_solar_terms_stand_on_their_true_days(days: dict[date, str]) -> None:
    named = 0
    for day, head in days.items():
        for feast, dates in FEASTS.items():
            if feast in head:
                assert day.isoformat() in dates, (day, feast)
                named += 1
            elif day.isoformat() in dates and feast != "小满":
                pytest.fail(f"{day} is {feast}, which its head does not name: {head}")
    assert named == 23


def test_sundays_are_worked_only_where_the_calendar_said_so(days: dict[date, str]) -> None:
    assert {day.isoformat() for day, head in days.items() if "补班" in head} <= WORKED
    for day in map(date.fromisoformat, WORKED & {day.isoformat() for day in days}):
        assert "补班" in days[day], day


def test_the_weather_fits_the_season(days: dict[date, str]) -> None:
    for day, head in days.items():
        if degrees := re.search(r"(零下)?(\d+)℃", head):
            value = int(degrees[2]) * (-1 if degrees[1] else 1)
            low, high = {12: (-5, 12), 1: (-5, 12), 2: (-5, 14), 6: (22, 40), 7: (25, 40),
                         8: (25, 40)}.get(day.month, (4, 32))  # fmt: skip
            assert low <= value <= high, (day, head)
        assert not ("雪" in head.replace("大雪", "") and 4 <= day.month <= 10)
        assert not ("霜" in head and 4 <= day.month <= 9)


def test_the_friends_say_nothing_to_each_other_between_the_quarrel_and_the_winter_solstice(
    items: list[Item],
) -> None:
    talked = sorted({day for one in items if one.medium == "chat" and (day := one.moment.day())})
    quarrel = talked.index(date(2024, 8, 10))
    assert talked[quarrel + 1] == date(2024, 12, 21)


def test_ids_are_unique_and_evidence_names_traces_that_are_there(life: dict[str, Any]) -> None:
    ids = [trace["id"] for trace in life["context"]]
    assert len(set(ids)) == len(ids)
    assert len({one["id"] for one in life["qa_items"]}) == len(life["qa_items"])
    for one in life["qa_items"]:
        assert one["evidence"]
        gold = [key for each in one["evidence"] for key in each["digital_trace_ids"]]
        assert gold
        assert set(gold) == set(one["digital_trace_ids"]) <= set(ids)


def test_every_question_is_asked_after_its_evidence(life: dict[str, Any]) -> None:
    when = {trace["id"]: _when(trace["event_date"]) for trace in life["context"]}
    for one in life["qa_items"]:
        last = max(when[key] for key in one["digital_trace_ids"])
        assert last < _when(one["question_time"]), one["question"]


def test_it_asks_over_all_types_and_dimensions(life: dict[str, Any]) -> None:
    asked = life["qa_items"]
    assert len(asked) == 30
    types = Counter(one["question_type"] for one in asked)
    assert set(types) == TYPES
    assert min(types.values()) >= 3
    assert types["unanswerable"] == 6
    dimensions = Counter(one["dimension"] for one in asked)
    assert set(dimensions) == {"experience", "emotion", "opinion"}
    assert min(dimensions.values()) >= 8


def test_half_of_the_unanswerable_are_near_misses(asked: list[dict[str, Any]]) -> None:
    near = [one for one in asked if one.get("near_miss")]
    assert len(near) == 3
    assert all(one["type"] == "unanswerable" for one in near)


def test_each_question_has_five_options_and_e_is_right_only_where_nothing_is(
    life: dict[str, Any],
) -> None:
    for one in life["qa_items"]:
        texts = {choice["id"]: choice["text"] for choice in one["choices"]}
        assert list(texts) == list("ABCDE")
        assert len(set(texts.values())) == 5
        assert texts["E"] == "根据现有信息无法确定"
        unanswerable = one["question_type"] == "unanswerable"
        assert (one["correct_choice_id"] == "E") == unanswerable
        if not unanswerable:
            assert texts[one["correct_choice_id"]] == one["answer"]
        assert "我" in one["answer"]  # the person speaks


def test_right_options_stand_in_all_places_equally(life: dict[str, Any]) -> None:
    places = Counter(one["correct_choice_id"] for one in life["qa_items"])
    assert places == dict.fromkeys("ABCDE", 6)


def test_length_gives_no_option_away(asked: list[dict[str, Any]]) -> None:
    ranks: Counter[int] = Counter()
    for one in asked:
        texts = [*one["wrong"], *([one["right"]] if "right" in one else [])]
        lengths = [len(text) for text in texts]
        assert len(texts) == 4, one["name"]
        assert max(lengths) <= 1.35 * min(lengths), (one["name"], lengths)
        if "right" in one:
            ranks[sum(len(text) > len(one["right"]) for text in one["wrong"])] += 1
    assert set(ranks) == {0, 1, 2, 3}
    assert max(ranks.values()) <= 8  # of 24: guessing by length is guessing
    mean = [
        sum(len(text) for one in asked if ("right" in one) == answerable for text in one["wrong"])
        / sum(len(one["wrong"]) for one in asked if ("right" in one) == answerable)
        for answerable in (True, False)
    ]
    assert abs(mean[0] - mean[1]) < 4


def test_no_distractor_repeats_the_life_or_stands_in_two_questions(
    asked: list[dict[str, Any]], life: dict[str, Any]
) -> None:
    told = "\n".join(trace["content"] for trace in life["context"])
    wrong = [text for one in asked for text in one["wrong"]]
    assert len(set(wrong)) == len(wrong)
    for text in wrong:
        runs = (text[at : at + 9] for at in range(len(text) - 8))
        assert not [run for run in runs if run in told], text


def test_what_the_unanswerable_ask_is_nowhere_in_the_life(life: dict[str, Any]) -> None:
    told = [trace["content"] for trace in life["context"]]
    assert not [text for text in told if "妈" in text and "分贝" in text and "妈的耳朵" in text]
    assert [text.count("分贝") for text in told if "分贝" in text] == [1]  # father's alone
    assert not [text for text in told if "六百米" in text and "分钟" in text]
    assert not [text for text in told if "小邵" in text and "十二瓶" in text]
    assert not [text for text in told if "离婚" in text and "离婚证" not in text]
    assert not [text for text in told if "澄目" in text and re.search("[万元]", text)]
    assert not [text for text in told if "发件人：戴月华" in text and "2025" in text]


def test_it_imports_from_the_command_line_and_words_of_two_characters_find_their_entries(
    builder: ModuleType, run: Any
) -> None:
    exports = builder.LIFE / "exports"
    me = [
        each for name in (exports / "me.txt").read_text("utf-8").split() for each in ("--me", name)
    ]
    done = run("import", exports, *me, "--no-vectors", "--json")
    assert done.code == 0, done.err
    assert (done.json["seen"], done.json["added"], done.json["undated"]) == (198, 198, 0)
    assert done.json["problems"] == []
    for word, days in {
        "尾音": {"2024-10-02", "2025-01-12", "2025-01-13", "2025-05-31"},
        "水蚤": {"2024-11-07", "2024-11-08"},
    }.items():
        hits = run("search", word, "--json", "-k", 5).json
        held = {hit["when"][:10] for hit in hits if word in hit["passage"]}
        assert days <= held, (word, held)


def test_the_persona_file_is_read_as_such_by_its_own_importer(
    builder: ModuleType, run: Any
) -> None:
    done = run("import", builder.BUILT, "--no-vectors", "--json")
    assert done.code == 0, done.err
    assert (done.json["added"], done.json["problems"]) == (114, [])
