"""The starter models in their processes: they write, embed, stop, fall and rise."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from clone_app.errors import Cancelled, ModelError, ModelStoppedError
from clone_app.models.catalogue import starter_chat, starter_embedder
from clone_app.models.cpu import has_bf16
from clone_app.models.embedder import SentenceEmbedder
from clone_app.models.llama import LlamaChat
from clone_app.models.shelf import Models
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("starter_models")]

SYSTEM = Message("system", "You are Ann. You answer in one short sentence.")
BREAKFAST = [SYSTEM, Message("user", "What did you have for breakfast?")]
LONG = Message("user", "The quick brown fox went to the market and bought a cheese. " * 60)
PAGE = Message("user", "The quick brown fox went to the market and bought a cheese. " * 30)
GREEDY = Sampling(max_tokens=24, temperature=0.0)


@pytest.fixture(scope="module")
def chat() -> Iterator[LlamaChat]:
    model = LlamaChat(starter_chat().path)
    model.load()
    yield model
    model.close()


@pytest.fixture(scope="module")
def embedder() -> Iterator[SentenceEmbedder]:
    models = Models()
    yield models.embedder()
    models.close()


@pytest.fixture
def weights(tmp_path: Path) -> bytearray:
    return bytearray(starter_chat().path.read_bytes())


def say(chat: LlamaChat, messages: list[Message], sampling: Sampling = GREEDY) -> str:
    return "".join(chat.stream(messages, sampling, Progress()))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# Writing


def test_the_starter_models_are_those_the_catalogue_names() -> None:
    assert starter_chat().intact()
    assert starter_embedder().intact()


def test_a_reply_comes_in_pieces_and_is_the_same_each_time(chat: LlamaChat) -> None:
    pieces = list(chat.stream(BREAKFAST, GREEDY, Progress()))
    reply = "".join(pieces)
    assert len(pieces) > 5
    assert len(reply.split()) > 5
    assert "<|im_" not in reply
    assert say(chat, BREAKFAST) == reply
    warm = Sampling(max_tokens=24, temperature=0.9, seed=3)
    assert say(chat, BREAKFAST, warm) == say(chat, BREAKFAST, warm)


def test_a_reply_is_no_longer_than_asked_for(chat: LlamaChat) -> None:
    say(chat, BREAKFAST, Sampling(max_tokens=5, temperature=0.0))
    assert chat.last_usage is not None
    assert chat.last_usage.reply_tokens == 5


def test_a_reply_ends_where_the_model_ends_it(chat: LlamaChat) -> None:
    say(chat, [Message("user", "Say yes.")], Sampling(max_tokens=200, temperature=0.0))
    assert chat.last_usage is not None
    assert chat.last_usage.reply_tokens < 200


def test_a_turn_that_extends_the_last_one_reads_only_what_is_new(chat: LlamaChat) -> None:
    chat.restart()
    reply = say(chat, BREAKFAST)
    first = chat.last_usage
    question = Message("user", "And with whom?")
    say(chat, [*BREAKFAST, Message("assistant", reply), question])
    second = chat.last_usage
    assert first is not None
    assert second is not None
    assert first.prompt_tokens_read == first.prompt_tokens
    assert second.prompt_tokens > first.prompt_tokens + first.reply_tokens
    # The question, its frame of control words, and the one token that was drawn but not yet read.
    assert second.prompt_tokens_read <= chat.count(question.text) + 12


def test_a_fresh_conversation_shares_the_instructions_with_the_last(chat: LlamaChat) -> None:
    say(chat, BREAKFAST)
    say(chat, [SYSTEM, Message("user", "Where do you live?")])
    usage = chat.last_usage
    assert usage is not None
    assert usage.prompt_tokens_read <= usage.prompt_tokens - chat.count(SYSTEM.text)


def test_control_words_in_imported_text_are_only_characters(chat: LlamaChat) -> None:
    say(chat, [Message("user", "A mark.")])
    plain = chat.last_usage
    say(chat, [Message("user", "A <|im_end|> mark.")])
    marked = chat.last_usage
    assert plain is not None
    assert marked is not None
    # One control token would make it a token longer; as characters it takes several.
    assert marked.prompt_tokens >= plain.prompt_tokens + 4
    assert chat.count("<|im_end|>") > 1


def test_text_of_any_script_and_broken_text_is_read(chat: LlamaChat) -> None:
    assert say(chat, [Message("user", "日本 👩‍👩‍👧 \ud800 \0 שלום")])
    assert chat.count("") == 0


def test_a_prompt_beyond_the_context_is_a_sentence(chat: LlamaChat) -> None:
    with pytest.raises(ModelError, match=r"The prompt takes \d+ tokens .* holds 2048\. Raise"):
        say(chat, [LONG, LONG, LONG])
    assert say(chat, BREAKFAST)


def test_a_prompt_that_leaves_little_room_gets_a_short_reply() -> None:
    small = LlamaChat(starter_chat().path, context=512)
    try:
        story = Message("user", PAGE.text + "Tell me a very long story about ten sheep.")
        say(small, [SYSTEM, story], Sampling(max_tokens=200, temperature=0.0))
        usage = small.last_usage
        assert usage is not None
        assert usage.prompt_tokens > 400
        assert 0 < usage.reply_tokens <= 512 - usage.prompt_tokens
    finally:
        small.close()


# Stopping


def stopped_after(seconds: float, chat: LlamaChat, messages: list[Message]) -> float:
    """Ask, cancel after so many seconds, and return how long the stop took."""
    progress = Progress()
    at: list[float] = []

    def cancel() -> None:
        at.append(time.monotonic())
        progress.cancel()

    threading.Timer(seconds, cancel).start()
    with pytest.raises(Cancelled):
        for _ in chat.stream(messages, Sampling(max_tokens=1500, temperature=0.9), progress):
            pass
    return time.monotonic() - at[0]


def answers_again_within(chat: LlamaChat) -> float:
    """Return how long the model's process takes to be free for something else."""
    began = time.monotonic()
    chat.count("a")
    return time.monotonic() - began


def test_stop_while_the_prompt_is_read_takes_no_half_second(chat: LlamaChat) -> None:
    chat.restart()
    expected = say(chat, [SYSTEM, PAGE], GREEDY)
    chat.restart()
    chat.load()
    pid = chat.pid
    assert stopped_after(0.3, chat, [SYSTEM, PAGE]) < 0.5
    assert answers_again_within(chat) < 2  # of many seconds, with the cores busy as well
    assert chat.pid == pid
    # What the stopped reading left behind does no harm: the same words as from a fresh process.
    assert say(chat, [SYSTEM, PAGE], GREEDY) == expected


def test_stop_while_the_reply_is_written_takes_no_half_second(chat: LlamaChat) -> None:
    say(chat, BREAKFAST)
    story = [SYSTEM, Message("user", "Tell me a very long story about ten sheep.")]
    assert stopped_after(0.6, chat, story) < 0.5
    assert answers_again_within(chat) < 2  # of many seconds, with the cores busy as well
    assert say(chat, BREAKFAST)


# Falling


def test_kill_9_is_a_sentence_and_the_next_question_is_answered(chat: LlamaChat) -> None:
    before = say(chat, BREAKFAST)
    assert chat.pid is not None
    threading.Timer(0.2, os.kill, (chat.pid, signal.SIGKILL)).start()
    with pytest.raises(ModelStoppedError, match=r"killed.*\. Ask again to start it afresh\.$"):
        say(chat, [SYSTEM, LONG], Sampling(max_tokens=500))
    assert say(chat, BREAKFAST) == before


def test_the_models_die_with_a_program_that_is_killed_in_mid_reply() -> None:
    code = (
        "from clone_app.models.shelf import Models; from clone_app.progress import Progress\n"
        "from clone_app.protocols import Message, Sampling\n"
        "models = Models(); models.embedder().embed(['a']); chat = models.chat(); chat.load()\n"
        "print(chat.pid, models.embedder().pid, flush=True)\n"
        "messages = [Message('user', 'Tell me a long story.')]\n"
        "while True: list(chat.stream(messages, Sampling(max_tokens=500), Progress()))\n"
    )
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    pids = [int(pid) for pid in program.stdout.readline().split()]
    time.sleep(0.3)
    assert all(map(alive, pids))
    program.kill()
    program.communicate()
    end = time.monotonic() + 3
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(map(alive, pids))


def test_the_programs_own_process_loads_no_model_library_and_prints_nothing() -> None:
    code = (
        "import sys; from clone_app.models.shelf import Models\n"
        "from clone_app.progress import Progress; from clone_app.protocols import Message, Sampling\n"
        "models = Models(); models.embedder().embed(['a'])\n"
        "list(models.chat().stream([Message('user', 'Hi')], Sampling(max_tokens=3), Progress()))\n"
        "print([n for n in ('torch', 'llama_cpp', 'sentence_transformers', 'transformers', "
        "'tokenizers', 'safetensors', 'jinja2') if n in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert done.stderr == ""


def test_files_in_the_folder_one_works_in_do_not_reach_the_models(tmp_path: Path) -> None:
    for name in ("torch", "numpy", "llama_cpp", "json", "tokenizers"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong one')")
    code = (
        "import sys; sys.path[:] = [p for p in sys.path if p]\n"
        "from clone_app.models.shelf import Models\n"
        "models = Models(); print(models.chat().count('a b'), models.embedder().embed(['a']).shape)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout == "2 (1, 384)\n"


# Files that are no models


def refused(path: Path) -> str:
    chat = LlamaChat(path)
    with pytest.raises(ModelError) as caught:
        chat.load()
    assert chat.pid is None
    chat.close()
    assert str(caught.value).endswith("Choose another file in Preferences › Models.")
    return str(caught.value)


def test_a_gguf_cut_short_is_a_sentence_that_says_so(tmp_path: Path, weights: bytearray) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(weights[: len(weights) // 2])
    sentence = refused(path)
    assert sentence.startswith("cut.gguf can't be loaded as a language model (")
    assert "not within the file bounds" in sentence


@pytest.mark.parametrize(("at", "reason"), [(8, "tensors"), (16, "keys")])
def test_absurd_counts_are_refused_without_a_process(
    tmp_path: Path, weights: bytearray, at: int, reason: str
) -> None:
    path = tmp_path / "absurd.gguf"
    weights[at : at + 8] = b"\xff" * 7 + b"\x7f"
    path.write_bytes(weights)
    assert f"claims 9223372036854775807 {reason}" in refused(path)


@pytest.mark.parametrize("seed", range(6))
def test_a_gguf_with_bytes_turned_over_ends_in_a_sentence_or_in_words(
    tmp_path: Path, weights: bytearray, seed: int
) -> None:
    random = np.random.default_rng(seed)
    path = tmp_path / "flipped.gguf"
    for at in random.integers(24, 200_000 if seed % 2 else 2_000, 40):  # the header, the words
        weights[at] ^= 0xFF
    path.write_bytes(weights)
    chat = LlamaChat(path)
    try:
        say(chat, BREAKFAST, Sampling(max_tokens=3))
    except ModelError as fault:
        assert str(fault).endswith((".", "!"))  # noqa: PT017 - words are as good an end
    finally:
        chat.close()


def test_an_embedder_of_damaged_weights_is_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(starter_embedder().path, folder)
    (folder / "model.safetensors").write_bytes(b"\0" * 1000)
    model = SentenceEmbedder(folder, name="x", dimensions=384)
    with pytest.raises(ModelError, match=r"can't be loaded .* to install it again\.$"):
        model.embed(["a"])
    model.close()
    missing = SentenceEmbedder(tmp_path / "none", name="x", dimensions=384)
    with pytest.raises(ModelError, match=r"There is no embedder in .* to install it\.$"):
        missing.embed(["a"])


# Embedding


def test_vectors_are_unit_float32_of_384_numbers(embedder: SentenceEmbedder) -> None:
    vectors = embedder.embed(["A cat.", "", "日本", "\ud800 broken", "long " * 5000])
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert embedder.embed([]).shape == (0, 384)


def test_near_meanings_have_near_vectors(embedder: SentenceEmbedder) -> None:
    cat, kitten, cheese, market = embedder.embed(
        [
            "A cat sits on the mat.",
            "A kitten is resting on a rug.",
            "I dug a pit in the garden and put my parmesan cheese in it.",
            "The stock market fell again today.",
        ]
    )
    assert cat @ kitten > 0.5
    assert cat @ kitten > cat @ cheese
    assert cat @ kitten > cat @ market
    (question,) = embedder.embed(["Where did you bury your cheese?"])
    assert question @ cheese > 0.5 > question @ market


def test_a_texts_vector_does_not_depend_on_its_company(embedder: SentenceEmbedder) -> None:
    texts = [f"Entry {number}: " + "went to the office " * (number % 23) for number in range(70)]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts[::9]])
    cosines = (together[::9] * alone).sum(1)
    assert cosines.min() > 0.999


def test_vectors_are_those_of_sentence_transformers_in_fp32(embedder: SentenceEmbedder) -> None:
    texts = [
        "Up, and to the office, where we sat all the morning.",
        "Wake me, my wife says, when the fire has reached the bridge.",
        "Ok.",
        "Am Abend las ich lange in Goethes Briefen.",
        "one two three " * 150,
    ]
    code = (
        "import json, sys; from sentence_transformers import SentenceTransformer as S\n"
        "m = S(sys.argv[1], device='cpu', local_files_only=True)\n"
        "print(json.dumps(m.encode(json.load(sys.stdin)).tolist()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(starter_embedder().path)],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )
    cosines = (np.array(json.loads(done.stdout)) * embedder.embed(texts)).sum(1)
    assert cosines.mean() >= 0.999
    assert cosines.min() >= 0.998


def test_bf16_is_used_exactly_where_the_processor_has_it(embedder: SentenceEmbedder) -> None:
    facts = embedder.load()
    assert facts == {"dimensions": 384, "bf16": has_bf16(), "packed": True}


def test_an_embedder_of_another_build_goes_through_the_library(
    embedder: SentenceEmbedder, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(starter_embedder().path, folder)
    config = json.loads((folder / "config.json").read_text())
    # The exact and the usual approximation of gelu differ by less than a thousandth.
    (folder / "config.json").write_text(json.dumps(config | {"hidden_act": "gelu_new"}))
    model = SentenceEmbedder(folder, name="x", dimensions=384)
    try:
        assert model.load()["packed"] is False
        texts = ["A cat sits on the mat.", "Broken \ud800 text", "", "long " * 3000] * 3
        vectors = model.embed(texts)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
        assert (vectors * embedder.embed(texts)).sum(1).min() > 0.995
    finally:
        model.close()


def test_an_embedding_can_be_stopped(embedder: SentenceEmbedder) -> None:
    embedder.load()
    progress = Progress()
    threading.Timer(0.3, progress.cancel).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        embedder.embed(["word " * 200] * 2000, progress=progress)
    assert time.monotonic() - began < 1


def test_an_idle_embedder_gives_its_memory_back_and_returns_unnoticed() -> None:
    models = Models(embedder_idle_seconds=0.5)
    embedder = models.embedder()
    first = embedder.embed(["A cat."])
    pid = embedder.pid
    assert pid is not None
    end = time.monotonic() + 5
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not alive(pid)
    np.testing.assert_allclose(embedder.embed(["A cat."]), first, atol=1e-6)
    models.close()


def test_both_processes_together_stay_small(chat: LlamaChat, embedder: SentenceEmbedder) -> None:
    say(chat, [SYSTEM, LONG])
    embedder.embed([f"{number} " + "word " * (number * 3 % 300) for number in range(300)])

    def megabytes(pid: int | None) -> int:
        status = Path(f"/proc/{pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) // 1024

    assert megabytes(chat.pid) < 500
    assert megabytes(embedder.pid) < 800
