"""Who asks for a movie is told of a film; nothing says the same as a name."""

from __future__ import annotations

import pytest

from clone_app.memory.lexical import understand
from clone_app.memory.store import Store
from clone_app.memory.thesaurus import instead
from clone_app.memory.words import stem

from .conftest import NOW, entry, take_in
from .test_recall import texts

LIFE = [
    entry("We saw a film about whales."),
    entry("I apologised to the man upstairs.", "2024-03-03"),
    entry("I was afraid of the dark.", "2024-03-04"),
    entry("The lacquer on the box has cracked.", "2024-03-05"),
    entry("Nan died at sixty-one.", "2024-03-06"),
]


@pytest.mark.parametrize(
    ("word", "other"),
    [("movie", "film"), ("apology", "apologise"), ("scared", "afraid"), ("couch", "sofa")],
)
def test_words_that_mostly_mean_the_same_stand_for_each_other(word: str, other: str) -> None:
    assert other in instead(stem(word))


@pytest.mark.parametrize(("word", "other"), [("meat", "heart"), ("piano", "soft"), ("die", "pass")])
def test_a_word_that_seldom_means_this_does_not(word: str, other: str) -> None:
    assert other not in instead(stem(word))


def test_a_word_that_memory_lacks_is_found_by_one_it_holds(store: Store) -> None:
    take_in(store, [*LIFE])
    (movie,) = understand(store.base.db(), "Which movie?")
    assert (movie.word, movie.spelled, movie.loose) == ("movie", ("film",), True)
    assert texts(store, "What was the movie?", NOW)[0] == "We saw a film about whales."


def test_a_word_that_memory_holds_is_looked_for_alone(store: Store) -> None:
    take_in(store, [*LIFE, entry("A movie night.", "2024-04-01")])
    (movie,) = understand(store.base.db(), "Which movie?")
    assert (movie.spelled, movie.loose) == (("movie",), False)


def test_nothing_says_the_same_as_a_name(store: Store) -> None:
    take_in(store, [*LIFE])
    (place,) = understand(store.base.db(), "Were you ever in Japan?")
    assert place.spelled == ()
    (lacquer,) = understand(store.base.db(), "Is there japan on it?")
    assert lacquer.spelled in ((), ("lacquer",))


def test_who_died_is_asked_for_as_die(store: Store) -> None:
    take_in(store, [*LIFE])
    (term,) = understand(store.base.db(), "What did she die of?")
    assert (term.held, term.loose) == (1, False)
