"""Which models there are, when they start, and who makes way for whom."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from clone_app.errors import Cancelled, ModelError
from clone_app.models.embedder import BATCH, by_length
from clone_app.models.fakes import FakeModels
from clone_app.models.shelf import Models, Quiet
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling, Shelf


def test_names_and_dimensions_are_known_without_a_process() -> None:
    models = Models()
    assert models.chat_name() == "SmolLM2-135M-Instruct.Q4_1"
    assert models.embedder_name() == "all-MiniLM-L6-v2@53aa5117"
    assert models.embedder_dimensions() == 384


def test_a_given_file_is_used_instead_of_the_starter(tmp_path: Path) -> None:
    models = Models(chat_model=tmp_path / "Other.Q4.gguf")
    assert models.chat_name() == models.chat().name == "Other.Q4"
    assert models.chat() is models.chat()
    models.close()


def test_a_file_that_is_no_model_is_refused_before_a_process_starts(tmp_path: Path) -> None:
    path = tmp_path / "letter.gguf"
    path.write_text("Dear diary")
    chat = Models(chat_model=path).chat()
    expected = r"^letter\.gguf is not a GGUF model file\. Choose another file in Preferences"
    for ask in (
        lambda: chat.count("a"),
        lambda: list(chat.stream([Message("user", "a")], Sampling(), Progress())),
        lambda: chat.context,
    ):
        with pytest.raises(ModelError, match=expected):
            ask()
        assert chat.pid is None


def test_after_close_nothing_starts_again(tmp_path: Path) -> None:
    models = Models(chat_model=tmp_path / "none.gguf")
    chat = models.chat()
    models.close()
    models.close()
    with pytest.raises(Cancelled):
        models.chat()
    with pytest.raises(Cancelled):
        chat.count("a")


def test_real_and_fake_models_are_shelves() -> None:
    shelves: list[Shelf] = [Models(), FakeModels()]  # mypy checks it, too
    for shelf in shelves:
        for name in vars(Shelf):
            assert name.startswith("_") or callable(getattr(shelf, name))


def test_importing_the_shelf_loads_no_model_library() -> None:
    import subprocess

    code = (
        "import sys, clone_app.models.shelf, clone_app.models.fakes; "
        "print([name for name in ('torch', 'llama_cpp', 'sentence_transformers', 'transformers', "
        "'tokenizers', 'multiprocessing') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# Making way


def test_background_work_waits_until_the_answer_is_given() -> None:
    quiet = Quiet()
    steps: list[str] = []

    def background() -> None:
        quiet.wait_until_quiet(Progress())
        steps.append("background")

    with quiet.answering():
        thread = threading.Thread(target=background)
        thread.start()
        time.sleep(0.15)
        steps.append("answered")
    thread.join(1)
    assert steps == ["answered", "background"]


def test_two_answers_at_once_hold_it_back_until_the_last() -> None:
    quiet = Quiet()
    waiting = threading.Thread(target=quiet.wait_until_quiet, args=(Progress(),))
    with quiet.answering():
        with quiet.answering():
            waiting.start()
        time.sleep(0.1)
        assert waiting.is_alive()
    waiting.join(1)
    assert not waiting.is_alive()


def test_an_answer_that_fails_lets_background_work_go_on() -> None:
    quiet = Quiet()
    with pytest.raises(ValueError, match="x"), quiet.answering():
        raise ValueError("x")
    quiet.wait_until_quiet(Progress())


def test_background_work_that_waits_can_be_cancelled() -> None:
    quiet = Quiet()
    progress = Progress()
    threading.Timer(0.1, progress.cancel).start()
    began = time.monotonic()
    with quiet.answering(), pytest.raises(Cancelled):
        quiet.wait_until_quiet(progress)
    assert time.monotonic() - began < 2


def test_background_embedding_pauses_between_its_batches() -> None:
    models = FakeModels()
    progress = Progress()
    texts = ["word " * (number % 7) for number in range(100)]
    embedder = models.background_embedder(progress)
    assert (embedder.name, embedder.dimensions) == ("fake-64", 64)
    with models.answering():
        got: list[np.ndarray] = []
        thread = threading.Thread(target=lambda: got.append(embedder.embed(texts)))
        thread.start()
        time.sleep(0.1)
        assert models.embedder().batches == []
    thread.join(2)
    assert models.embedder().batches == [32, 32, 32, 4]
    np.testing.assert_array_equal(got[0], models.embedder().embed(texts))


def test_batches_hold_at_most_32_texts_of_like_length() -> None:
    texts = ["x" * (number * 37 % 100) for number in range(70)]
    batches = list(by_length(texts))
    assert [len(batch) for batch in batches] == [BATCH, BATCH, 6]
    assert sorted(index for batch in batches for index in batch) == list(range(70))
    lengths = [len(texts[index]) for batch in batches for index in batch]
    assert lengths == sorted(lengths)
    assert list(by_length([])) == []
