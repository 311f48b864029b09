"""The sample life: coherent to the day, fair as a benchmark, the same in both its forms."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import snowballstemmer

from clone_app.entries import Item
from clone_app.evaluation.suites.clonemem import read_life

ROOT = Path(__file__).resolve().parents[2]
TYPES = {
    "single_point_factual", "comparison", "trajectory", "pattern", "causal", "counterfactual",
    "inference", "unanswerable",
}  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DAY, _MONTH = f"({'|'.join(DAYS)})", f"({'|'.join(MONTHS)})"
_NUMBER = r"(\d{1,2})(?:st|nd|rd|th)?"
DATED = re.compile(rf"{_DAY},? (?:the )?{_NUMBER},? (?:of )?{_MONTH}(?: (\d{{4}}))?")
# Words of a statement that say how it is told, and not what happened.
TELLING = frozenset(
    re.findall(
        r"\w+",
        """
        she he they her his him them their herself marnie mother friend said say says told
        tell asked wrote written called took take had has have was were been being are the
        and that this which who whom when while after before then than with without from
        into onto over out off for not but also only still now one two some any all would
        could should did does done again about because though there where what used use
        put back came come time first last says january february march april may june july
        august september october november december monday tuesday wednesday thursday
        friday saturday sunday
        """,
    )
)


def load(name: str) -> ModuleType:
    """Load a script of `packaging`, which is a folder of scripts and no package."""
    spec = importlib.util.spec_from_file_location(
        f"packaging_{name}", ROOT / f"packaging/{name}.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    return load("sample_life")


@pytest.fixture(scope="module")
def items(builder: ModuleType) -> list[Item]:
    return list(builder.items_of(builder.LIFE))


@pytest.fixture(scope="module")
def traces(builder: ModuleType, items: list[Item]) -> dict[str, Any]:
    return {trace.ref: trace for trace in builder.traces_of(items)}


@pytest.fixture(scope="module")
def asked(builder: ModuleType) -> list[dict[str, Any]]:
    return list(builder.read_questions()["asked"])


@pytest.fixture(scope="module")
def path(builder: ModuleType) -> Path:
    return Path(builder.OUTPUT / builder.file_name(builder.read_questions()))


@pytest.fixture(scope="module")
def life(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text("utf-8")))


@pytest.fixture(scope="module")
def answerable(life: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in life["qa_items"] if one["question_type"] != "unanswerable"]


@pytest.fixture(scope="module")
def cast() -> dict[str, Any]:
    return dict(json.loads((ROOT / "packaging/sample_life_cast.json").read_text("utf-8")))


# The two forms


def test_the_committed_file_is_what_the_builder_makes_of_the_exports(
    builder: ModuleType, items: list[Item], path: Path
) -> None:
    made = builder.benchmark(builder.traces_of(items), builder.read_questions())
    written = path.read_text("utf-8")
    assert written == builder.as_written(made), "run: python packaging/sample_life.py"


def test_every_imported_item_stands_in_exactly_one_trace(
    items: list[Item], traces: dict[str, Any]
) -> None:
    held = Counter(key for trace in traces.values() for key in trace.keys)
    assert held == Counter(item.key for item in items)
    assert set(held.values()) == {1}


def test_a_days_page_comes_at_the_end_of_its_day_and_a_mail_on_her_own_clock(
    traces: dict[str, Any],
) -> None:
    assert traces["diary:2024-03-10"].when == datetime(2024, 3, 10, 23, 30)
    assert traces["diary:2023-10-17T22:40"].when == datetime(2023, 10, 17, 22, 40)
    # Paloma wrote at 11:40 in Valparaíso, three hours behind Greenwich; it was British summer time.
    assert traces["email:2023-09-06T15:40"].when == datetime(2023, 9, 6, 15, 40, 37)


def test_a_chats_day_is_one_trace_that_comes_with_its_last_message(traces: dict[str, Any]) -> None:
    trace = traces["chat:Femi O:2024-04-03"]
    assert (trace.medium, trace.when) == ("chat_private", datetime(2024, 4, 3, 18, 10))
    assert trace.content.startswith("Chat with Femi O\n18:04 Marnie: On the 17:38, standing")
    assert traces["chat:Thursday tea:2024-03-21"].medium == "chat_group"


def test_a_mail_quoted_whole_is_told_once_and_lines_picked_out_stay_with_their_answer(
    traces: dict[str, Any],
) -> None:
    assert "Lines of the mail" not in traces["email:2024-03-14T17:44"].content
    assert "> in April you told me" in traces["email:2024-08-20T08:30"].content


def test_the_program_reads_the_file_as_a_suite(path: Path, life: dict[str, Any]) -> None:
    read = read_life(path)
    assert len(read.items) == len(life["context"])
    assert len(read.questions) == len(life["qa_items"])
    assert not [one for one in read.questions if not one.statements]


# How much there is


def test_there_are_387_entries_of_six_kinds_over_fifteen_months(life: dict[str, Any]) -> None:
    when = [datetime.fromisoformat(trace["event_date"]) for trace in life["context"]]
    assert min(when).date() == date(2023, 9, 1)
    assert max(when).date() == date(
        2024, 12, 12
    )  # a parcel to come; the last day told is 30 November
    assert len({(one.year, one.month) for one in when if one < datetime(2024, 12, 1)}) == 15
    assert Counter(trace["medium"] for trace in life["context"]) == {
        "diary": 106, "email": 97, "social_media": 70, "chat_private": 52, "calendar_event": 51,
        "chat_group": 11,
    }  # fmt: skip


def test_every_type_and_dimension_is_asked_about_often_enough(
    life: dict[str, Any], asked: list[dict[str, Any]]
) -> None:
    kinds = Counter(one["question_type"] for one in life["qa_items"])
    assert set(kinds) == TYPES
    assert min(kinds.values()) >= 8
    assert sum(kinds.values()) >= 88
    assert kinds["unanswerable"] >= 24
    dimensions = Counter(one["dimension"] for one in life["qa_items"])
    assert set(dimensions) == {"experience", "emotion", "opinion"}
    assert min(dimensions.values()) >= 20
    assert sum(bool(one.get("near_miss")) for one in asked) >= 5


# Ids, evidence and dates


def test_ids_are_unique_and_every_evidence_id_is_a_trace(life: dict[str, Any]) -> None:
    ids = [trace["id"] for trace in life["context"]]
    assert len(set(ids)) == len(ids)
    assert len({one["id"] for one in life["qa_items"]}) == len(life["qa_items"])
    for one in life["qa_items"]:
        named = {name for said in one["evidence"] for name in said["digital_trace_ids"]}
        assert named
        assert named <= set(ids)
        assert named == set(one["digital_trace_ids"])
        assert len(named) == len(one["digital_trace_ids"])


def test_a_question_is_asked_after_all_its_evidence(life: dict[str, Any]) -> None:
    when = {trace["id"]: trace["event_date"] for trace in life["context"]}
    for one in life["qa_items"]:
        last = max(when[name] for name in one["digital_trace_ids"])
        assert last <= one["question_time"], one["question"]


def test_what_a_statement_names_and_counts_stands_in_its_traces(
    asked: list[dict[str, Any]], traces: dict[str, Any]
) -> None:
    stem = snowballstemmer.stemmer("english").stemWord
    for one in asked:
        for said in one["evidence"]:
            told = " ".join(_with_its_date(traces[ref]) for ref in said["traces"])
            words = set(re.findall(r"[a-z0-9]+", told.lower().replace("'s ", " ").replace("'", "")))
            stems = {stem(word) for word in words}
            plain = said["statement"].replace("'s ", " ").replace("'", "")
            for number in re.findall(r"\d+", plain):
                assert number in re.findall(r"\d+", told), (one["id"], number)
            for name in re.findall(r"(?<=[a-z,] )[A-Z][a-z]+", plain):
                assert name in told or name == "Marnie", (one["id"], name)
            wanted = {
                stem(word)
                for word in re.findall(r"[a-z]{3,}", plain.lower())
                if word not in TELLING
            }
            missing = wanted - stems
            assert len(missing) <= 0.35 * len(wanted), (one["id"], said["statement"], missing)


def _with_its_date(trace: Any) -> str:
    day = trace.when
    return f"{trace.content} {day:%A} {day.day} {day:%B %Y}"


# Fair options


def test_each_question_has_five_different_options_and_e_says_that_nothing_tells(
    life: dict[str, Any], builder: ModuleType
) -> None:
    unknown = builder.read_questions()["unknown"]
    for one in life["qa_items"]:
        assert [choice["id"] for choice in one["choices"]] == list("ABCDE")
        texts = [choice["text"] for choice in one["choices"]]
        assert len(set(texts)) == 5
        assert texts[-1] == unknown
        right = one["correct_choice_id"] == "E"
        assert right == (one["question_type"] == "unanswerable"), one["question"]


def test_the_right_option_stands_in_each_place_equally_often(
    answerable: list[dict[str, Any]],
) -> None:
    places = Counter(one["correct_choice_id"] for one in answerable)
    assert set(places) == set("ABCD")
    assert max(places.values()) - min(places.values()) <= 1


def test_options_of_a_question_are_alike_in_length(answerable: list[dict[str, Any]]) -> None:
    for one in answerable:
        lengths = [len(choice["text"]) for choice in one["choices"][:4]]
        assert max(lengths) - min(lengths) <= 24, one["question"]


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9£']{3,}", text.lower()))


def _likeness(text: str, others: list[str]) -> float:
    mine = _words(text)
    return sum(len(mine & _words(one)) / len(mine | _words(one)) for one in others)


Guess = Callable[[str, list[str], str], float]
GUESSES: dict[str, Guess] = {
    "longest": lambda text, _others, _question: len(text),
    "shortest": lambda text, _others, _question: -len(text),
    "likest to the question": lambda text, _o, question: len(_words(text) & _words(question)),
    "likest to the others": lambda text, others, _question: _likeness(text, others),
    "least like the others": lambda text, others, _question: -_likeness(text, others),
    "most figures": lambda text, _others, _question: len(re.findall(r"\d", text)),
    "most commas": lambda text, _others, _question: text.count(","),
    "most sentences": lambda text, _others, _question: text.count("."),
    "most noes": lambda text, _o, _q: len(
        re.findall(r"\b(?:no|not|never|nobody)\b|n't", text.lower())
    ),
}


@pytest.mark.parametrize("name", GUESSES)
def test_who_knows_nothing_of_her_guesses_no_better_than_chance(
    answerable: list[dict[str, Any]], name: str
) -> None:
    hits = 0.0
    for one in answerable:
        texts = {choice["id"]: choice["text"] for choice in one["choices"][:4]}
        scores = {
            place: GUESSES[name](
                text, [each for each in texts.values() if each != text], one["question"]
            )
            for place, text in texts.items()
        }
        best = [place for place, score in scores.items() if score == max(scores.values())]
        hits += (one["correct_choice_id"] in best) / len(best)
    # A quarter is chance; two standard deviations over these questions are a tenth.
    assert hits / len(answerable) <= 0.35


def test_no_wrong_option_stands_in_the_life_word_for_word(
    life: dict[str, Any],
) -> None:
    told = [_words(trace["content"]) for trace in life["context"]]
    for one in life["qa_items"]:
        for choice in one["choices"][:4]:
            if choice["id"] == one["correct_choice_id"]:
                continue
            words = _words(choice["text"])
            share = max(len(words & trace) / len(words) for trace in told)
            assert share < 0.85, (one["question"], choice["text"])


# A life that holds together


def test_a_weekday_named_beside_a_date_is_that_dates(traces: dict[str, Any]) -> None:
    seen = 0
    for ref, trace in traces.items():
        for found in DATED.finditer(trace.content):
            day, number, month, year = found.groups()
            about = trace.when.year
            years = [int(year)] if year else [about - 1, about, about + 1]
            near = [date(each, MONTHS.index(month) + 1, int(number)) for each in years]
            on = min(near, key=lambda one: abs((one - trace.when.date()).days))
            assert DAYS[on.weekday()] == day, (ref, found.group(), on)
            seen += 1
    assert seen > 60


def test_an_entry_that_begins_with_a_weekday_was_written_on_it(traces: dict[str, Any]) -> None:
    seen = 0
    for ref, trace in traces.items():
        if trace.medium != "diary":
            continue
        found = re.match(rf"(?:[^.\n]{{0,30}}\. )?(?:It's )?{_DAY}[,.]", trace.content)
        if found:
            assert DAYS[trace.when.weekday()] == found[1], ref
            seen += 1
    assert seen >= 5


def test_letters_follow_freezes_and_the_tea_keeps_its_day(traces: dict[str, Any]) -> None:
    freezes = {
        trace.when.date() for trace in traces.values() if trace.content.startswith("FREEZE\n")
    }
    assert {DAYS[day.weekday()] for day in freezes} == {"Thursday"}
    letters = {
        int(found[1]): trace.when.date()
        for trace in traces.values()
        if trace.medium == "diary"
        and (found := re.search(r"^.{0,600}resignation_v(\d+)\.docx", trace.content, re.DOTALL))
    }
    assert sorted(letters) == list(range(1, 12))
    for number, day in letters.items():
        assert (day - timedelta(days=3) in freezes) == (number < 11), number
    minutes = [trace.when for trace in traces.values() if "For the minutes" in trace.content]
    assert len(minutes) == 8
    assert {DAYS[when.weekday()] for when in minutes} == {"Thursday"}


def test_mails_and_messages_are_dated_in_order(builder: ModuleType, items: list[Item]) -> None:
    for start in ("mail.mbox", "whatsapp/"):
        places: dict[str, list[datetime]] = {}
        for item in items:
            if item.locator.startswith(start):
                when = item.moment.start(builder.HOME)
                assert when
                places.setdefault(item.locator.split("#")[0], []).append(when)
        assert places
        assert all(times == sorted(times) for times in places.values())


def test_everyone_and_every_place_is_first_named_when_the_cast_says(
    cast: dict[str, Any], traces: dict[str, Any]
) -> None:
    for one in (*cast["people"], *cast["places"]):
        word = re.compile(rf"\b{re.escape(one.get('called') or one['name'])}\b")
        first = next(ref for ref, trace in traces.items() if word.search(trace.content))
        assert first == one["first"], one["name"]


def test_everyone_who_writes_is_in_the_cast(cast: dict[str, Any], items: list[Item]) -> None:
    offices = {
        "Bramblecote Vets", "Adult Education Centre, Bookings", "Quire & Folly", "Wrackline Bindery",
        "Wrackham Harbour Trust", "Mawsby Harbour Office", "Desmond Flat 6",
    }  # fmt: skip
    called = {one["called"].lower() for one in cast["people"]}
    for item in items:
        if item.medium in {"mail", "chat"} and not item.mine:
            name = item.author.split("<")[0].strip().strip('"')
            known = {word.strip(".").lower() for word in name.split()} & (called | {"elaine"})
            assert known or name in offices, name


AGES = {
    "thirty-four": 34, "thirty-five": 35, "thirty-six": 36, "seventy": 70, "seventy-one": 71,
    "seventy-two": 72,
}  # fmt: skip


def test_people_are_as_old_as_their_birthdays_make_them(
    cast: dict[str, Any], traces: dict[str, Any]
) -> None:
    born = {one["name"]: date.fromisoformat(one["born"]) for one in cast["people"] if "born" in one}
    for one in cast["ages"]:
        trace, birth = traces[one["trace"]], born[one["who"]]
        on = trace.when.date()
        age = on.year - birth.year - ((on.month, on.day) < (birth.month, birth.day))
        assert one["words"] in trace.content, one
        assert AGES[one["words"].lower()] == age, one


def test_a_secret_reaches_nobody_before_its_day(
    cast: dict[str, Any], traces: dict[str, Any]
) -> None:
    for secret in cast["kept_from"]:
        told, whom = re.compile(secret["words"], re.IGNORECASE), secret["whom"]
        reached = False
        for trace in traces.values():
            head = "\n".join(trace.content.splitlines()[:2])
            if trace.medium not in {"email", "chat_private", "chat_group"} or whom not in head:
                continue
            early = trace.when < datetime.fromisoformat(secret["until"])
            reached = reached or not early
            assert not (early and told.search(trace.content)), (trace.ref, secret)
        assert reached, secret


def test_the_folder_stays_small() -> None:
    files = [path for path in (ROOT / "resources/sample_life/en").rglob("*") if path.is_file()]
    files += (ROOT / "resources/sample_life/clonemem").glob("marnie_*.json")
    assert sum(path.stat().st_size for path in files) < 700_000
