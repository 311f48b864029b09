"""Grounding and quoting on a real diary: what stands in it is found, what was changed is not."""

from __future__ import annotations

import random
import re
from datetime import date
from pathlib import Path

import pytest

from clone_app.entries import Hit, Item, Moment, Term
from clone_app.memory.words import content_words, negated, sentences
from clone_app.persona import facts
from clone_app.persona.ground import Evidence, check, is_claim
from clone_app.persona.quote import quote_answer, source_quote

pytestmark = pytest.mark.real
SAMPLE = 150
_COUNTED_FROM_THEN = re.compile(
    r"\b(?:will|shall|yesterday|today|tonight|tomorrow|ago|"
    r"(?:last|next|this) (?:night|week|month|year|winter))\b",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def diary(shared_data: Path) -> list[Evidence]:
    found = []
    for file in sorted((shared_data / "diary" / "pepys").glob("16*.md")):
        parts = re.split(r"^## (\d{4}-\d\d-\d\d)[^\n]*\n", file.read_text("utf-8"), flags=re.M)
        for at, (day, text) in enumerate(zip(parts[1::2], parts[2::2], strict=True)):
            moment = Moment.on(date.fromisoformat(day))
            key = f"{day} {at}"
            found.append(Evidence(key=key, text=text.strip(), moment=moment, mine=True))
    return found


@pytest.fixture(scope="module")
def drawn(diary: list[Evidence]) -> list[tuple[Evidence, str]]:
    """Draw sentences of ordinary length that claim something, each with its entry."""
    chance = random.Random(5)
    found: list[tuple[Evidence, str]] = []
    while len(found) < SAMPLE:
        entry = chance.choice(diary)
        spans = sentences(entry.text)
        if spans:
            start, end = chance.choice(spans)
            text = entry.text[start:end]
            if _COUNTED_FROM_THEN.search(text):
                continue  # "yesterday" and "will" are never right when they are read again
            if 40 < end - start < 220 and is_claim(text) and len(content_words(text)) > 3:
                found.append((entry, text))
    return found


def test_a_sentence_of_an_entry_is_supported_by_it(drawn: list[tuple[Evidence, str]]) -> None:
    found = sum(check(text, [entry]).citations == (entry.key,) for entry, text in drawn)
    # A reason, a wish, another's word is looked at strictly; a long period trips over one of them.
    assert found >= 0.9 * len(drawn)


def test_a_sentence_is_seldom_supported_by_other_days(
    diary: list[Evidence], drawn: list[tuple[Evidence, str]]
) -> None:
    chance = random.Random(6)
    wrong = 0
    for entry, text in drawn:
        others = [each for each in chance.sample(diary, 9) if each.key != entry.key][:8]
        wrong += check(text, others).supported
    # "So home, to supper and to bed" is true of many days.
    assert wrong <= 0.1 * len(drawn)


def test_another_name_number_or_denial_is_never_supported(
    drawn: list[tuple[Evidence, str]],
) -> None:
    changed = 0
    for entry, text in drawn:
        names = facts.names(text)
        if names:
            changed += 1
            assert not check(text.replace(names[-1], "Zebulon"), [entry]).supported
        if re.search(r"\d", text):
            changed += 1
            assert not check(re.sub(r"\d+", "98765", text), [entry]).supported
        did = re.sub(r"\bI did\b(?! not)", "I did not", text, count=1)
        if did != text and not negated(text):
            changed += 1
            assert not check(did, [entry]).supported
    assert changed > SAMPLE / 2


def test_quotations_and_sources_stand_verbatim(diary: list[Evidence]) -> None:
    chance = random.Random(7)
    for _ in range(40):
        entries = chance.sample(diary, 6)
        words = [word for word in content_words(entries[0].text) if word.isalpha()]
        asked = [Term(word, (word,), 3.0) for word in chance.sample(words, min(3, len(words)))]
        hits = [
            Hit(
                item_id=at,
                item=Item(
                    key=each.key, medium="diary", moment=each.moment, text=each.text, mine=True,
                    locator="pepys",
                ),
                passage=each.text[:600], start=0, own=True, score=1.0, cosine=None, coverage=1.0,
                found_by=("words",),
            )
            for at, each in enumerate(entries)
        ]  # fmt: skip
        texts = {each.key: each.text for each in entries}
        for sentence in quote_answer(asked, hits):
            opened = sentence.text.index("“") + 1
            assert sentence.text[opened:-1] in texts[sentence.citations[0]]
        assert all(source_quote(hit, asked) in hit.item.text for hit in hits)
