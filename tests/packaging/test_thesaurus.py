"""The thesaurus is made of WordNet's files: common senses only, both ways."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "packaging"))

from thesaurus import Wordnet, instead

LICENCE = "  1 This software and database is being provided to you\n"
NOUNS = """\
00000001 03 n 03 film 0 movie 0 Flick 0 001 + 00000001 v 0101 | a story told in pictures
00000002 03 n 02 film 0 layer 0 000 | a thin coat
00000003 03 n 02 sheet 0 layer 0 000 | something flat
"""
VERBS = "00000001 30 v 01 film 0 000 | make pictures that move\n"
INDEX = """\
film n 2 0 2 2 00000001 00000002
layer n 2 0 2 2 00000003 00000002
movie n 1 0 1 1 00000001
sheet n 1 0 1 1 00000003
"""
COUNTS = """\
film%1:10:00:: 00000001 1 8
film%1:17:00:: 00000002 2 3
layer%1:17:00:: 00000003 1 20
layer%1:18:00:: 00000002 2 1
"""


@pytest.fixture
def net(tmp_path: Path) -> Wordnet:
    held = {
        "data.noun": LICENCE + NOUNS,
        "data.verb": VERBS,
        "index.noun": LICENCE + INDEX,
        "index.verb": "film v 1 0 1 0 00000001\n",
        "index.sense": COUNTS,
    }
    for name in ("data.adj", "data.adv", "index.adj", "index.adv", *held):
        (tmp_path / name).write_text(held.get(name, ""), "utf-8")
    return Wordnet(tmp_path)


def test_words_of_a_common_sense_stand_for_each_other(net: Wordnet) -> None:
    assert instead(net, "film") == ["movie"]
    assert instead(net, "layer") == ["sheet"]


def test_a_spelling_nobody_counted_is_used_as_its_companions_are(net: Wordnet) -> None:
    assert net.shares("movie") == {("n", "00000001"): 1.0}
    assert instead(net, "movie") == ["film"]
    assert instead(net, "sheet") == ["layer"]


def test_a_word_that_is_not_there_has_none(net: Wordnet) -> None:
    assert instead(net, "zeppelin") == []
