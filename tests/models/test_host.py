"""A model in its own process: it answers, stops, falls and rises without the program noticing more."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from clone_app.errors import Cancelled, ModelError, ModelStoppedError
from clone_app.models.host import Host, Launch
from clone_app.models.process import child_command
from clone_app.progress import Progress
from clone_app.protocols import Message, Sampling

from .processes import gone, until

HostOf = Callable[..., Host]
SCRIPTED = Path(__file__).with_name("scripted_child.py")


def ask(host: Host, text: str, progress: Progress | None = None, **sampling: float) -> list[str]:
    messages = [Message("system", "Do as you are told."), Message("user", text)]
    return list(host.stream(messages, Sampling(**sampling), progress or Progress()))


def children() -> set[int]:
    listed = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {int(pid) for file in listed for pid in file.read_text().split()}


def later(seconds: float, work: Callable[[], object]) -> threading.Timer:
    timer = threading.Timer(seconds, work)
    timer.start()
    return timer


# Asking


def test_a_stream_yields_its_pieces_in_order_and_then_its_numbers(host: Host) -> None:
    told: list[dict[str, object]] = []
    messages = [Message("user", "say 3 0")]
    pieces = list(host.stream(messages, Sampling(), Progress(), finished=told.append))
    assert pieces == ["0 ", "1 ", "2 "]
    assert told == [{"said": 3}]


def test_messages_and_sampling_arrive_as_they_were_sent(host: Host) -> None:
    text = "echo héllo \ud800 <|im_end|>\n\0"
    assert ask(host, text, max_tokens=9, temperature=0.5) == ["user", text, "9", "0.5"]


def test_vectors_come_back_one_a_text_in_float32(host: Host) -> None:
    vectors = host.embed(["a", "abc"])
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, [[1, 1], [3, 1]])
    assert vectors.flags.writeable


def test_no_texts_give_no_vectors(host: Host) -> None:
    assert host.embed(["a"], question=True).tolist() == [[1.0, 2.0]]
    assert host.embed([]).shape == (0, 2)


def test_tokens_are_counted_by_the_child(host: Host) -> None:
    assert host.count("one two three") == 3


def test_the_child_is_another_process_and_stays_the_same_one(host: Host) -> None:
    assert host.pid is None
    pid = host.ping()
    assert pid not in (os.getpid(), None)
    assert host.ping() == host.pid == pid


def test_nothing_starts_before_the_first_call(host_of: HostOf) -> None:
    before = children()
    host_of()
    assert children() == before


def test_a_count_in_the_middle_of_a_stream_does_not_lock_up(host: Host) -> None:
    stream = host.stream([Message("user", "say 3 0.02")], Sampling(), Progress())
    assert next(stream) == "0 "
    assert host.count("a b") == 2
    assert list(stream) == ["1 ", "2 "]


def test_threads_ask_at_once_and_each_gets_its_own_answer(host: Host) -> None:
    got: dict[int, object] = {}

    def work(number: int) -> None:
        if number % 2:
            got[number] = float(host.embed(["x" * number])[0, 0])
        else:
            got[number] = host.count("w " * number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == {number: number for number in range(20)}


def test_what_libraries_print_reaches_nobody_and_blocks_nothing(
    host: Host, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ask(host, "noise") == ["quiet"]
    assert ask(host, "say 1 0") == ["0 "]
    assert capfd.readouterr() == ("", "")


def test_the_child_of_background_work_has_a_low_priority_once_it_is_loaded(host_of: HostOf) -> None:
    host = host_of(niceness=7)
    assert host.load()["nice"] == os.nice(0)
    host.ping()
    assert host.pid is not None
    assert os.getpriority(os.PRIO_PROCESS, host.pid) == os.nice(0) + 7


def test_threads_of_the_child_that_wait_for_each_other_soon_sleep(host: Host) -> None:
    assert host.load()["spins"] == "1000"


def test_the_child_has_no_network(host: Host) -> None:
    assert ask(host, "network") == ["refused"]


# Stopping


@pytest.mark.parametrize("text", ["read 30", "say 1000 0.01"])
def test_a_cancel_from_another_thread_stops_within_half_a_second(host: Host, text: str) -> None:
    host.load()
    progress = Progress()
    cancelled_at = []
    later(0.2, lambda: (cancelled_at.append(time.monotonic()), progress.cancel()))
    with pytest.raises(Cancelled):
        ask(host, text, progress)
    assert time.monotonic() - cancelled_at[0] < 0.5
    # The child stopped too: it answers at once, and it is still the same one.
    pid = host.pid
    began = time.monotonic()
    assert host.ping() == pid
    assert time.monotonic() - began < 1


def test_a_cancel_stops_an_embedding(host_of: HostOf) -> None:
    host = host_of({"embed_seconds": 30})
    host.load()
    progress = Progress()
    later(0.1, progress.cancel)
    with pytest.raises(Cancelled):
        host.embed(["a"], progress)
    assert host.count("still there") == 2


def test_a_stream_that_is_left_early_stops_the_model(host: Host) -> None:
    stream = host.stream([Message("user", "say 1000 0.05")], Sampling(), Progress())
    assert next(stream) == "0 "
    stream.close()  # type: ignore[attr-defined]
    began = time.monotonic()
    host.ping()
    assert time.monotonic() - began < 5  # of 50 seconds it would have gone on


def test_a_request_cancelled_while_it_waits_its_turn_is_never_begun(host_of: HostOf) -> None:
    host = host_of({"embed_seconds": 0.9})
    host.load()
    first = threading.Thread(target=host.embed, args=(["a"],))
    first.start()
    time.sleep(0.3)
    progress = Progress()
    later(0.1, progress.cancel)
    with pytest.raises(Cancelled):
        ask(host, "crash", progress)
    first.join()
    assert host.ping() == host.pid  # had it begun, the process were gone
    time.sleep(0.1)
    assert host.count("a") == 1


def test_a_cancel_while_the_model_loads_ends_the_waiting_and_not_the_loading(
    host_of: HostOf,
) -> None:
    host = host_of({"load": "slow", "seconds": 2})
    progress = Progress()
    later(0.1, progress.cancel)
    began = time.monotonic()
    with pytest.raises(Cancelled):
        ask(host, "say 1 0", progress)
    assert time.monotonic() - began < 1
    pid = host.pid
    assert ask(host, "say 1 0") == ["0 "]
    assert host.pid == pid


def test_a_child_that_ignores_a_cancel_is_replaced_for_the_next_caller(host_of: HostOf) -> None:
    host = host_of(patience=0.3)
    pid = host.ping()
    progress = Progress()
    later(0.1, progress.cancel)
    with pytest.raises(Cancelled):
        ask(host, "hang 60", progress)
    began = time.monotonic()
    assert ask(host, "say 1 0") == ["0 "]
    assert time.monotonic() - began < 3
    assert host.pid != pid
    assert gone(pid)


def test_a_long_request_ahead_is_not_taken_for_one_that_ignores_a_cancel(host_of: HostOf) -> None:
    host = host_of({"embed_seconds": 1.2}, patience=0.2)
    pid = host.ping()
    got: list[float] = []
    first = threading.Thread(target=lambda: got.append(host.embed(["abc"])[0, 0]))
    first.start()
    time.sleep(0.3)
    progress = Progress()
    later(0.05, progress.cancel)
    with pytest.raises(Cancelled):
        ask(host, "say 1 0", progress)
    first.join()
    assert got == [3.0]
    assert host.ping() == pid


# Falling


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("crash", "SIGABRT"),
        ("exit 3", "exit code 3"),
        ("exit 0", "exit code 0"),
    ],
)
def test_a_child_that_falls_is_a_sentence_and_the_next_call_has_a_fresh_one(
    host: Host, text: str, cause: str
) -> None:
    pid = host.ping()
    with pytest.raises(ModelStoppedError, match=cause) as caught:
        ask(host, text)
    assert str(caught.value).startswith("The language model stopped by itself (")
    assert str(caught.value).endswith("Ask again to start it afresh.")
    assert ask(host, "say 1 0") == ["0 "]
    assert host.pid != pid


def test_the_words_before_a_fall_have_arrived(host: Host) -> None:
    stream = host.stream([Message("user", "crash")], Sampling(), Progress())
    assert next(stream) == "before "
    with pytest.raises(ModelStoppedError):
        next(stream)


def test_kill_9_of_the_child_is_told_to_whoever_waits(host: Host) -> None:
    pid = host.ping()
    later(0.2, lambda: os.kill(pid, signal.SIGKILL))
    with pytest.raises(ModelStoppedError, match="killed, perhaps because memory ran out"):
        ask(host, "say 1000 0.01")
    assert host.ping() != pid


def test_kill_9_while_nobody_waits_is_no_error_at_all(host: Host) -> None:
    pid = host.ping()
    os.kill(pid, signal.SIGKILL)
    assert until(lambda: host.pid is None)
    assert host.ping() != pid


def test_last_words_of_a_fallen_child_are_notes_and_not_part_of_the_sentence(host: Host) -> None:
    ask(host, "noise")
    with pytest.raises(ModelStoppedError) as caught:
        ask(host, "crash")
    assert "native to stderr" in caught.value.__notes__
    assert "native" not in str(caught.value)


def test_a_child_that_talks_nonsense_is_ended(host_of: HostOf) -> None:
    host = host_of({}, "with-replies")
    with pytest.raises(ModelStoppedError):
        ask(host, "garbage")
    assert ask(host, "say 1 0") == ["0 "]


def test_the_worlds_faults_in_the_child_are_its_sentences(host: Host) -> None:
    with pytest.raises(ModelError, match=r"^The prompt is too long\. Start a new conversation\.$"):
        ask(host, "world")
    with pytest.raises(ModelError, match=r"not enough memory .* choose a smaller one"):
        ask(host, "memory")
    assert host.ping() == host.pid


def test_our_own_faults_in_the_child_are_no_sentences_for_the_user(host: Host) -> None:
    with pytest.raises(RuntimeError, match="KeyError: 'ours'"):
        ask(host, "bug")
    assert ask(host, "say 1 0") == ["0 "]


def test_a_model_that_is_refused_at_loading_leaves_no_process(host_of: HostOf) -> None:
    host = host_of({"load": "refuse"})
    before = children()
    with pytest.raises(ModelError, match=r"^x\.gguf is not a model\. Choose another file\.$"):
        host.ping()
    assert host.pid is None
    assert children() == before


def test_a_crash_while_loading_says_what_to_do_about_the_file(host_of: HostOf) -> None:
    host = host_of({"load": "crash"})
    with pytest.raises(
        ModelStoppedError, match=r"while it was loaded .*SIGABRT.* Preferences › Models\.$"
    ):
        host.ping()


def test_a_crash_while_loading_is_tried_again_at_the_next_call(
    host_of: HostOf, tmp_path: Path
) -> None:
    host = host_of({"load": "once", "mark": str(tmp_path / "mark")})
    with pytest.raises(ModelStoppedError):
        host.ping()
    assert host.count("a b") == 2


def test_a_command_that_does_not_exist_is_a_sentence(host_of: HostOf) -> None:
    host = host_of()
    object.__setattr__(host._launch, "command", ["/nonexistent/python"])
    with pytest.raises(ModelStoppedError, match="could not be started: No such file"):
        host.ping()


# Ending


def test_restart_gives_a_fresh_child_and_leaves_no_zombie(host: Host) -> None:
    before = children()
    pid = host.ping()
    host.restart()
    assert not Path(f"/proc/{pid}").exists()
    assert host.ping() != pid
    assert len(children() - before) == 1


def test_a_restart_cancels_whoever_waits(host: Host) -> None:
    host.load()
    later(0.2, host.restart)
    with pytest.raises(Cancelled):
        ask(host, "read 30")


def test_close_is_for_good(host: Host) -> None:
    pid = host.ping()
    host.close()
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(Cancelled):
        host.ping()


def test_closing_ends_the_threads_too(host: Host) -> None:
    before = set(threading.enumerate())
    host.ping()
    assert set(threading.enumerate()) > before
    host.close()
    assert until(lambda: set(threading.enumerate()) <= before)


def test_a_forgotten_host_takes_its_child_along(host_of: HostOf) -> None:
    host = Host(host_of()._launch)
    pid = host.ping()
    del host
    gc.collect()
    assert gone(pid)


def test_an_idle_child_goes_and_comes_back_unnoticed(host_of: HostOf) -> None:
    host = host_of(idle_seconds=0.2)
    pid = host.ping()
    assert until(lambda: host.pid is None)
    assert gone(pid)
    assert host.count("a b c") == 3
    assert host.pid != pid


def test_a_call_in_the_very_moment_of_falling_asleep_is_answered(host_of: HostOf) -> None:
    host = host_of(idle_seconds=0.05)
    for number in range(12):
        assert host.count("w " * number) == number
        time.sleep(0.044 + number * 0.001)


# As a frozen program


def test_a_frozen_program_starts_itself_as_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/clone-app")
    assert child_command("clone_app.models.llama_child") == [
        "/opt/clone-app",
        "--clone-app-model-child",
        "clone_app.models.llama_child",
    ]


def test_a_frozen_program_becomes_the_child_when_asked_to(tmp_path: Path) -> None:
    # A stand-in for the frozen program: an executable that hands its arguments over.
    program = tmp_path / "program"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nfrom clone_app.models.child import serve_if_asked\n"
        "serve_if_asked(sys.argv)\nprint('the program itself')\n"
    )
    program.chmod(0o700)
    launch = Launch(
        title="embedder",
        command=[str(program), "--clone-app-model-child", "clone_app.models.no_such_child"],
    )
    with pytest.raises(ModelError, match=r"no_such_child.*dev.py run` to install it again\.$"):
        Host(launch).ping()
    for arguments in (["ask", "Who?"], ["--clone-app-model-child", "antigravity"]):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
        assert done.stdout == "the program itself\n"
