"""The persona document over real personas and the sample life: what it must find, and that it quotes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clone_app.entries import Item
from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import read_all, recognise
from clone_app.memory.lines import Section
from clone_app.paths import resources
from clone_app.persona.document import TOKENS, Document, as_text, estimate, verbatim
from clone_app.persona.traits.build import build
from clone_app.progress import Progress
from clone_app.protocols import Reading

pytestmark = pytest.mark.real


def items(path: Path, me: frozenset[str] = frozenset()) -> list[Item]:
    with open_tree(path) as tree:
        found = read_all(recognise(tree), Reading(me), Progress())
        return [thing for thing in found if isinstance(thing, Item)]


def check(document: Document, held: list[Item]) -> None:
    """Every line has supports that exist, enough of them, and quotes only what one of them says."""
    texts = {item.key: item.text for item in held}
    assert estimate(as_text(document)) <= TOKENS
    for line in document.lines:
        assert len(line.supports) >= line.needed
        assert all(support.key in texts for support in line.supports)
        vital = [texts[support.key] for support in line.supports if support.vital]
        if vital and "…" not in line.text:
            for quoted in re.findall("“([^”]+)”", line.text):
                assert len(quoted.split()) < 2 or any(
                    verbatim(text.replace("’", "'").replace("*", ""), f"“{quoted}”")
                    for text in vital
                ), line.text


def test_a_clonemem_persona_is_known_by_name_age_family_and_change(shared_data: Path) -> None:
    path = next((shared_data / "clonemem" / "100k").glob("yu_zhou*.json"))
    held = items(path)
    document = build(held)
    check(document, held)
    people = [line.text for line in document.section(Section.PEOPLE)]
    assert {"Li Xiaolin", "Xinyu", "Mom", "Dad"} <= set(people[:6])
    assert "“I'm 39 years old.”" in [line.text for line in document.section(Section.WHO)]
    assert [line.text for line in document.section(Section.PLACES)] == ["Hangzhou"]
    assert any("project manager" in line.text for line in document.section(Section.WORK))
    assert any("stability" in line.text for line in document.section(Section.HOLD))
    assert all(line.private for line in document.section(Section.HEALTH))


def test_the_sample_life_is_known_by_its_people_places_work_and_coffees() -> None:
    folder = resources() / "sample_life" / "en"
    me = frozenset(name.casefold() for name in (folder / "me.txt").read_text("utf-8").split("\n"))
    held = items(folder, me - {""})
    document = build(held, me=me - {""})
    check(document, held)
    people = [line.text for line in document.section(Section.PEOPLE)]
    assert people[0] == "Bridie"
    assert "Appendix, my cat" in people
    assert {"Leeds", "Wrackham"} <= {line.text for line in document.section(Section.PLACES)}
    assert any("senior technical writer" in line.text for line in document.section(Section.WORK))
    assert any("count of my coffees" in line.text for line in document.section(Section.HABITS))
    assert any(line.text == "I don't like boats" for line in document.section(Section.LIKES))
